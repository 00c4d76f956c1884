// Half precision: native HF arithmetic, vload_half and vstore_half in every rounding mode, HF math and conversions.

#pragma OPENCL EXTENSION cl_khr_fp16 : enable

kernel void half_basics(global half* out, global const half* a, global const half* b, float k) {
  const int i = get_global_id(0);
  const half x = a[i], y = b[i];
  half r = mad(x, y, (half)k) + fma(-x, y, (half)1.0h) - fabs(x) * y;
  r = x < y ? r + fmin(x, y) : r - fmax(x, (half)0.25h);
  out[i] = clamp(r, (half)0.0h, (half)1.0h) + floor(x) - ceil(y) + trunc(x) + rint(y);
}

kernel void half_vectors(global half8* out, global const half8* in, global half16* wide) {
  const int i = get_global_id(0);
  const half8 v = in[i].s76543210 * (half8)(0.5h) + in[i + 1];
  out[i] = select(v, in[i], isless(v, in[i]));
  wide[i] = wide[i].odd.s0011223344556677 + wide[i + 1];
}

kernel void half_math(global half* out, global const half* in) {
  const int i = get_global_id(0);
  const half x = in[i];
  out[i] = sqrt(x) + rsqrt(x) + exp2(x) + log2(x) + sin(x) + x / (half)3.0h + native_recip(x) + pow(x, (half)1.5h);
}

// Storage only: works without native arithmetic in HF.
kernel void half_storage(global half* out, global const half* in, global const float* f) {
  const int i = get_global_id(0);
  const float x = vload_half(i, in);
  const float4 v = vload_half4(i, in), w = vloada_half4(i, in);
  vstore_half(x * f[i], i, out);
  vstore_half_rtz(x + f[i], i + 64, out);
  vstore_half_rtp(x - f[i], i + 128, out);
  vstore_half_rtn(f[i], i + 192, out);
  vstore_half4_rte(v + w, i + 256, out);
  vstorea_half8((float8)(v, w), i + 512, out);
}

kernel void half_conversions(global half4* h, global float4* f, global int4* n, global uchar4* c, global short4* s) {
  const int i = get_global_id(0);
  const half4 x = h[i];
  f[i] = convert_float4(x);
  n[i] = convert_int4_rtz(x) + convert_int4_sat_rte(x);
  c[i] = convert_uchar4_sat(x);
  s[i] = convert_short4_sat_rtn(x);
  h[i] = convert_half4_rte(f[i + 1]) + convert_half4(n[i + 1]) + convert_half4(c[i + 1]) + convert_half4(s[i + 1]);
}
