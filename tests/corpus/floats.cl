// Single-precision arithmetic: mad, modifiers, saturation, rounding, comparison and classification.
// No contraction switch is given, so both mad and separate mul/add appear.

kernel void float_basics(global float* out, global const float* a, global const float* b, float k) {
  const int i = get_global_id(0);
  const float x = a[i], y = b[i];
  float r = mad(x, y, k) + fma(-x, y, fabs(k)) - x * -fabs(y);
  r += fmin(x, y) * fmax(x, k) + clamp(r, 0.0f, 1.0f) + mix(x, y, 0.25f) + step(x, y) + smoothstep(0.0f, 1.0f, x);
  out[i] = r - copysign(x, y) + sign(x) + degrees(y) - radians(x);
}

kernel void float_rounding(global float4* out, global const float4* in) {
  const int i = get_global_id(0);
  const float4 x = in[i];
  float4 whole;
  const float4 part = fract(x, &whole);
  out[i] = floor(x) + ceil(x) * 2.0f + trunc(x) * 4.0f + rint(x) * 8.0f + round(x) + part - whole;
}

kernel void float_classify(global int* out, global const float* in, global const double* din) {
  const int i = get_global_id(0);
  const float x = in[i];
  const double d = din[i];
  out[i] = isnan(x) | isinf(x) << 1 | isfinite(x) << 2 | isnormal(x) << 3 | signbit(x) << 4 | isless(x, 1.0f) << 5 |
           isunordered(x, 2.0f) << 6 | islessgreater(x, 0.5f) << 7 | isnan(d) << 8 | isinf(d) << 9 |
           (d > (double)x) << 10 | ilogb(x) << 16;
}

kernel void float_fields(global float* out, global const float* in, int n) {
  const int i = get_global_id(0);
  int e;
  float m = frexp(in[i], &e);
  float w;
  const float f = modf(in[i] * 3.0f, &w);
  int q;
  const float r = remquo(in[i], 0.75f, &q);
  out[i] = ldexp(m, e + n) + f * w + nextafter(in[i], 1e30f) + as_float(as_int(m) ^ q) + r + fmod(in[i], 1.5f);
}

// Division, reciprocal and roots: correctly rounded, native and half-precision functions side by side.
kernel void float_divide(global float* out, global const float* a, global const float* b) {
  const int i = get_global_id(0);
  const float x = a[i], y = b[i];
  out[i] = x / y + native_divide(x, y) + half_divide(x, y) + native_recip(y) + half_recip(x) + 1.0f / x + sqrt(x) +
           native_sqrt(y) + half_sqrt(x) + rsqrt(y) + native_rsqrt(x) + half_rsqrt(y) + cbrt(x) + hypot(x, y);
}

// Every function of the EU's math unit through the native builtins.
kernel void float_native(global float4* out, global const float4* in) {
  const int i = get_global_id(0);
  const float4 x = in[i];
  out[i] = native_sin(x) + native_cos(x) * native_tan(x) + native_exp(x) + native_exp2(x) + native_exp10(x) +
           native_log(x) + native_log2(x) + native_log10(x) + native_powr(x, x.yzwx);
}

// A horizontal reduction of a wide vector, dot, cross, length and normalise.
kernel void float_geometry(global float4* out, global const float4* a, global const float16* m) {
  const int i = get_global_id(0);
  const float4 v = a[i];
  const float16 t = m[0];
  float4 r = (float4)(dot(t.s0123, v), dot(t.s4567, v), dot(t.s89ab, v), dot(t.scdef, v));
  r.xyz = cross(r.xyz, normalize(v.xyz)) + fast_normalize(r.yzw) * distance(v, r);
  r.w = length(v) + fast_length(r) + fast_distance(v.xy, r.zw);
  out[i] = r;
}

// Polynomial with all coefficients as immediates; contraction off forces mul and add.
kernel void float_polynomial(global float* out, global const float* in) {
#pragma OPENCL FP_CONTRACT OFF
  const int i = get_global_id(0);
  const float x = in[i];
  float r = 0.00019841269f;
  r = r * x - 0.0083333333f;
  r = r * x + 0.16666667f;
  r = r * x - 1.0f;
  r = r * x + 3.5e-5f;
  out[i] = r * x + 1e10f;
}
