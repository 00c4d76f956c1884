// Double precision: mad, division and square root through the IEEE macros (invm, rsqrtm, madm in Align16 with the
// extended accumulators), conversions, comparisons and library functions. Guarded for targets without doubles.

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

kernel void double_basics(global double* out, global const double* a, global const double* b, double k) {
  const int i = get_global_id(0);
  const double x = a[i], y = b[i];
  double r = mad(x, y, k) + fma(-x, y, fabs(k)) - x * y;
  r = x < y ? r + fmin(x, k) : r - fmax(-y, k);
  out[i] = clamp(r, -1.0, 1.0) + floor(x) + ceil(y) + trunc(x) + rint(y) + copysign(x, k);
}

kernel void double_divide(global double* out, global const double* a, global const double* b) {
  const int i = get_global_id(0);
  out[i] = a[i] / b[i] + 1.0 / a[i];
}

kernel void double_roots(global double* out, global const double* a) {
  const int i = get_global_id(0);
  out[i] = sqrt(a[i]) + rsqrt(fabs(a[i]) + 1.0);
}

kernel void double_vectors(global double4* out, global const double4* a, global const float4* f,
                           global const long4* l) {
  const int i = get_global_id(0);
  const double4 s = a[i].wzyx + convert_double4(f[i]) * convert_double4(l[i]);
  out[i] = select(s, a[i], isgreater(s, (double4)(0.5))) + (double4)(dot(s, a[i]));
}

kernel void double_conversions(global double* d, global int* i32, global uint* u32, global long* i64, global ulong* u64,
                               global float* f32, global short* i16, global uchar* u8) {
  const int i = get_global_id(0);
  const double x = d[i];
  i32[i] = convert_int_rte(x);
  u32[i] = convert_uint_sat(x);
  i64[i] = convert_long(x);
  u64[i] = convert_ulong_sat_rtp(x);
  f32[i] = convert_float_rtz(x);
  i16[i] = convert_short_sat(x);
  u8[i] = convert_uchar_sat_rtn(x);
  d[i] = (double)i32[i + 1] + (double)u64[i + 1] + (double)i64[i + 2] + (double)f32[i + 1] + (double)u8[i + 1];
}

// A data-dependent iteration in doubles.
kernel void double_mandelbrot(global ushort* out, double2 origin, double step, int limit) {
  const double cx = origin.x + step * get_global_id(0), cy = origin.y + step * get_global_id(1);
  double x = 0, y = 0;
  int n = 0;
  while (x * x + y * y < 4.0 && n < limit) {
    const double t = x * x - y * y + cx;
    y = 2.0 * x * y + cy;
    x = t;
    ++n;
  }
  out[get_global_id(1) * get_global_size(0) + get_global_id(0)] = (ushort)n;
}

kernel void double_library(global double* out, global const double* in) {
  const int i = get_global_id(0);
  out[i] = exp(in[i]) + log(in[i]);
}
#endif
