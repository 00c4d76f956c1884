// The full-precision math library in single precision: long inlined bodies, table lookups, argument reduction with
// its divergent slow paths.

kernel void library_trigonometry(global float* out, global const float* in) {
  const int i = get_global_id(0);
  float c;
  const float s = sincos(in[i], &c);
  out[i] = s * c + sin(in[i]) + cos(in[i]) + tan(in[i]);
}

kernel void library_inverse(global float* out, global const float2* in) {
  const int i = get_global_id(0);
  out[i] = asin(in[i].x) + acos(in[i].y) + atan(in[i].x) + atan2(in[i].x, in[i].y) + sinpi(in[i].y) + atanpi(in[i].x);
}

kernel void library_exponential(global float* out, global const float2* in) {
  const int i = get_global_id(0);
  const float x = in[i].x, y = in[i].y;
  out[i] = exp(x) + exp2(y) + exp10(x) + expm1(y) + log(x) + log2(y) + log10(x) + log1p(y) + logb(x);
}

kernel void library_powers(global float* out, global const float2* in, global const int* n) {
  const int i = get_global_id(0);
  out[i] = pow(in[i].x, in[i].y) + powr(in[i].y, in[i].x) + pown(in[i].x, n[i]) + rootn(in[i].y, n[i] | 1);
}

kernel void library_hyperbolic(global float* out, global const float* in) {
  const int i = get_global_id(0);
  out[i] = sinh(in[i]) + cosh(in[i]) + tanh(in[i]) + asinh(in[i]) + acosh(in[i] + 1.0f) + atanh(in[i] * 0.5f);
}

kernel void library_special(global float* out, global const float* in) {
  const int i = get_global_id(0);
  out[i] = erf(in[i]) + erfc(in[i]) + fdim(in[i], 2.0f) + maxmag(in[i], -3.0f) + minmag(in[i], 0.5f);
}
