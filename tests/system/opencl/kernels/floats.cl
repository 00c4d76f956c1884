// Single and double precision: within the API's precision of the reference.

//@ kernel basic
//@ global 4096
//@ in float 4096 -1000 1000
//@ in float 4096 -1000 1000
//@ out float 4096
//@ tolerance 3
kernel void basic(global const float* a, global const float* b, global float* c) {
  size_t i = get_global_id(0);
  c[i] = a[i] / b[i];
}

//@ kernel exact
//@ global 4096
//@ in float 4096 -1000 1000
//@ in float 4096 -1000 1000
//@ out float 4096
kernel void exact(global const float* a, global const float* b, global float* c) {
  size_t i = get_global_id(0);
  float x = fma(a[i], b[i], 0.5f);
  x = fmax(x, a[i] + b[i]) - floor(a[i]) + ceil(b[i]) * trunc(a[i] * 0.125f);
  c[i] = x + rint(b[i]) + copysign(fabs(a[i]), b[i]);
}

//@ kernel roots
//@ global 4096
//@ in float 4096 0 1000
//@ out float 4096
//@ out float 4096
//@ tolerance 4
kernel void roots(global const float* a, global float* b, global float* c) {
  size_t i = get_global_id(0);
  b[i] = sqrt(a[i]);
  c[i] = rsqrt(a[i] + 1.0f);
}

//@ kernel exponentials
//@ global 2048
//@ in float 2048 -20 20
//@ out float 2048
//@ out float 2048
//@ out float 2048
//@ tolerance 6
kernel void exponentials(global const float* a, global float* b, global float* c, global float* d) {
  size_t i = get_global_id(0);
  b[i] = exp(a[i]);
  c[i] = log(fabs(a[i]) + 1.5f);
  d[i] = exp2(a[i]);
}

//@ kernel trigonometry
//@ global 2048
//@ in float 2048 -3 3
//@ out float 2048
//@ out float 2048
//@ out float 2048
//@ tolerance 16
kernel void trigonometry(global const float* a, global float* b, global float* c, global float* d) {
  size_t i = get_global_id(0);
  b[i] = sin(a[i]) + 2.0f;
  c[i] = cos(a[i]) + 2.0f;
  d[i] = atan2(a[i], 1.5f) + 4.0f;
}

//@ kernel powers
//@ global 2048
//@ in float 2048 0.1 30
//@ in float 2048 -4 4
//@ out float 2048
//@ tolerance 32
kernel void powers(global const float* a, global const float* b, global float* c) {
  size_t i = get_global_id(0);
  c[i] = pow(a[i], b[i]);
}

//@ kernel doubles
//@ global 1024
//@ in double 1024 -1000 1000
//@ in double 1024 1 1000
//@ out double 1024
//@ out double 1024
//@ tolerance 2
kernel void doubles(global const double* a, global const double* b, global double* c, global double* d) {
  size_t i = get_global_id(0);
  c[i] = fma(a[i], b[i], 0.25) / b[i] + floor(a[i]);
  d[i] = sqrt(b[i]) * (double)(float)a[i] - (double)(int)a[i];
}

//@ kernel halves
//@ global 1024
//@ in half 1024 -8 8
//@ in half 1024 -8 8
//@ out float 1024
kernel void halves(global const half* a, global const half* b, global float* c) {
  size_t i = get_global_id(0);
  c[i] = vload_half(i, a) * 2.0f + vload_half(i, b);
}

//@ kernel store_halves
//@ global 1024
//@ in float 1024 -70000 70000
//@ out half 1024
//@ out half 1024
kernel void store_halves(global const float* a, global half* b, global half* c) {
  size_t i = get_global_id(0);
  vstore_half_rte(a[i], i, b);
  vstore_half_rtz(a[i], i, c);
}

//@ kernel classify
//@ global 1024
//@ in uint 1024 0 4294967295
//@ out int 1024
kernel void classify(global const uint* a, global int* c) {
  size_t i = get_global_id(0);
  float f = as_float(a[i]);
  c[i] = isnan(f) | isinf(f) << 1 | signbit(f) << 2 | (isnormal(f) ? 8 : 0) | (f < 0.0f) << 4 | (f != f) << 5;
}

//@ kernel comparisons
//@ global 1024
//@ in uint 1024 0 4294967295
//@ in uint 1024 0 4294967295
//@ out int 1024
kernel void comparisons(global const uint* a, global const uint* b, global int* c) {
  size_t i = get_global_id(0);
  float x = as_float(a[i]), y = as_float(b[i]);
  c[i] = (x < y) | (x <= y) << 1 | (x == y) << 2 | (x != y) << 3 | islessgreater(x, y) << 4 | isunordered(x, y) << 5;
}

//@ kernel vector_math
//@ global 512
//@ in float 2048 -10 10
//@ in float 2048 -10 10
//@ out float 512
//@ out float 2048
//@ tolerance 64
kernel void vector_math(global const float4* a, global const float4* b, global float* c, global float4* d) {
  size_t i = get_global_id(0);
  c[i] = dot(a[i], b[i]) + 500.0f + length(a[i]);
  d[i] = mix(a[i], b[i], 0.25f) + 50.0f;
}
