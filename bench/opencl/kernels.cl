// The kernels of the OpenCL benchmark: what compute programs spend their time in. Kept plain, as programs write them.
// What each is called with stands above it (tests/system/opencl/runner.cpp), and how much work that is, in the terms of
// what bounds it: `work N UNIT of M flops|operations|bytes`. A run takes about a hundredth of a second. Results may differ
// from the other driver's where roundings add up.

//@ kernel vecadd
//@ global 4194560
//@ in float 4194560 0.5 2.5
//@ in float 4194560 0.5 2.5
//@ out float 4194560
//@ work 50334720 bytes
kernel void vecadd(global const float* a, global const float* b, global float* c) {
  size_t i = get_global_id(0);
  c[i] = a[i] + b[i];
}

//@ kernel saxpy
//@ global 4194560
//@ value float 1.0001
//@ in float 4194560 0.5 2.5
//@ inout float 4194560 0.5 2.5
//@ work 50334720 bytes
kernel void saxpy(float k, global const float* x, global float* y) {
  size_t i = get_global_id(0);
  y[i] = k * x[i] + y[i];
}

// More than any cache holds.
//@ kernel vecadd
//@ as vecadd_64Mi
//@ global 67108864
//@ in float 67108864 0.5 2.5
//@ in float 67108864 0.5 2.5
//@ out float 67108864
//@ work 805306368 bytes
//@ kernel saxpy
//@ as saxpy_64Mi
//@ global 67108864
//@ value float 1.0001
//@ in float 67108864 0.5 2.5
//@ inout float 67108864 0.5 2.5
//@ work 805306368 bytes

//@ kernel sgemm_naive
//@ global 272 272
//@ value int 272
//@ in float 73984 0.5 2.5
//@ in float 73984 0.5 2.5
//@ out float 73984
//@ work 40247296 flops
kernel void sgemm_naive(int n, global const float* a, global const float* b, global float* c) {
  int x = get_global_id(0), y = get_global_id(1);
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[y * n + k] * b[k * n + x];
  c[y * n + x] = sum;
}

//@ kernel sgemm_tiled
//@ global 272 272
//@ group 16 16
//@ value int 272
//@ in float 73984 0.5 2.5
//@ in float 73984 0.5 2.5
//@ out float 73984
//@ work 40247296 flops
kernel __attribute__((reqd_work_group_size(16, 16, 1))) void sgemm_tiled(int n, global const float* a,
                                                                         global const float* b, global float* c) {
  local float s[16][16], t[16][16];
  int lx = get_local_id(0), ly = get_local_id(1), x = get_global_id(0), y = get_global_id(1);
  float sum = 0;
  for (int k = 0; k < n; k += 16) {
    s[ly][lx] = a[y * n + k + lx];
    t[ly][lx] = b[(k + ly) * n + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < 16; ++i) sum += s[ly][i] * t[i][lx];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[y * n + x] = sum;
}

//@ kernel mandelbrot
//@ global 528 528
//@ value int 528
//@ value int 528
//@ out uint 278784
//@ work 19573248 iterations of 8 flops
kernel void mandelbrot(int width, int height, global uint* out) {
  int px = get_global_id(0), py = get_global_id(1);
  float x0 = px * 3.0f / width - 2.0f, y0 = py * 2.0f / height - 1.0f, x = 0, y = 0;
  uint n = 0;
  while (n < 256 && x * x + y * y < 4.0f) {
    float t = x * x - y * y + x0;
    y = 2 * x * y + y0, x = t, ++n;
  }
  out[py * width + px] = n;
}

//@ kernel nbody
//@ global 2304
//@ value int 2304
//@ in float 9216 0.5 2.5
//@ out float 9216
//@ near 0.002
//@ work 5308416 interactions of 19 flops
kernel void nbody(int n, global const float4* p, global float4* a) {
  float4 me = p[get_global_id(0)];
  float3 sum = 0;
  for (int i = 0; i < n; ++i) {
    float4 other = p[i];
    float3 d = other.xyz - me.xyz;
    float r = rsqrt(dot(d, d) + 0.01f);
    sum += d * (other.w * r * r * r);
  }
  a[get_global_id(0)] = (float4)(sum, 0);
}

//@ kernel reduction
//@ global 1048832
//@ group 256
//@ in float 1048832 0.5 2.5
//@ out float 4097
//@ work 1048832 elements of 4 bytes
kernel __attribute__((reqd_work_group_size(256, 1, 1))) void reduction(global const float* a, global float* c) {
  local float s[256];
  int l = get_local_id(0);
  s[l] = a[get_global_id(0)];
  for (int n = 128; n > 0; n /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < n) s[l] += s[l + n];
  }
  if (l == 0) c[get_group_id(0)] = s[0];
}

//@ kernel histogram
//@ global 1048832
//@ in uchar 1048832 0 255
//@ inout uint 256 0 0
//@ work 1048832 elements of 1 bytes
kernel void histogram(global const uchar* a, global uint* h) { atomic_inc(h + a[get_global_id(0)]); }

//@ kernel sobel
//@ global 528 528
//@ image in 2d r float 528 528
//@ image out 2d r float 528 528
//@ work 278784 pixels of 8 bytes
kernel void sobel(read_only image2d_t a, write_only image2d_t o) {
  const sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
  int2 p = (int2)(get_global_id(0), get_global_id(1));
  float v[3][3];
  for (int y = 0; y < 3; ++y)
    for (int x = 0; x < 3; ++x) v[y][x] = read_imagef(a, s, p + (int2)(x - 1, y - 1)).x;
  float gx = v[0][2] + 2 * v[1][2] + v[2][2] - v[0][0] - 2 * v[1][0] - v[2][0];
  float gy = v[2][0] + 2 * v[2][1] + v[2][2] - v[0][0] - 2 * v[0][1] - v[0][2];
  write_imagef(o, p, (float4)(sqrt(gx * gx + gy * gy), 0, 0, 1));
}

// Five by five texels of each pixel, and how often each of 64 sums occurs, counted by group in local memory first.
//@ kernel filter25
//@ global 528 528
//@ group 16 16
//@ image in 2d r uint8 528 528
//@ image out 2d r uint8 528 528
//@ inout uint 64 0 0
//@ work 278784 pixels of 2 bytes
kernel __attribute__((reqd_work_group_size(16, 16, 1))) void filter25(read_only image2d_t a, write_only image2d_t o,
                                                                      global uint* h) {
  const sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
  const uint weights[5] = {1, 4, 6, 4, 1};
  local uint counts[64];
  int2 p = (int2)(get_global_id(0), get_global_id(1));
  int l = get_local_id(1) * 16 + get_local_id(0);
  if (l < 64) counts[l] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  uint sum = 0;
  for (int y = 0; y < 5; ++y)
    for (int x = 0; x < 5; ++x) sum += weights[y] * weights[x] * read_imageui(a, s, p + (int2)(x - 2, y - 2)).x;
  write_imageui(o, p, (uint4)(sum >> 8, 0, 0, 1));
  atomic_inc(counts + (sum >> 10));
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l < 64) atomic_add(h + l, counts[l]);
}

// The mean of eight samples, at places beside each other or anywhere. Filters have weights of 8 bits, so that each may be
// off by 1/512, in two directions, of the distance between texels: 1, or 4 in images of floats.
//@ kernel bilinear
//@ as bilinear_rgba8
//@ global 528 528
//@ image in 2d rgba unorm8 512 512
//@ sampler normalized repeat linear
//@ out float 1115136
//@ near 0.004
//@ work 2230272 samples
//@ kernel bilinear
//@ as bilinear_rgba16f
//@ global 528 528
//@ image in 2d rgba half 512 512
//@ sampler normalized repeat linear
//@ out float 1115136
//@ near 0.016
//@ work 2230272 samples
//@ kernel bilinear
//@ as bilinear_r32f
//@ global 528 528
//@ image in 2d r float 512 512
//@ sampler normalized repeat linear
//@ out float 1115136
//@ near 0.016
//@ work 2230272 samples
kernel void bilinear(read_only image2d_t a, sampler_t s, global float4* c) {
  int x = get_global_id(0), y = get_global_id(1);
  float4 sum = 0;
  for (int i = 0; i < 8; ++i)
    sum += read_imagef(a, s, ((float2)(x, y) + 0.37f * (float2)(i & 3, i >> 2)) * (1.0f / 512));
  c[y * get_global_size(0) + x] = sum / 8;
}

//@ kernel bilinear_random
//@ global 528 528
//@ image in 2d rgba unorm8 512 512
//@ sampler normalized repeat linear
//@ out float 1115136
//@ near 0.004
//@ work 2230272 samples
kernel void bilinear_random(read_only image2d_t a, sampler_t s, global float4* c) {
  uint n = get_global_id(1) * get_global_size(0) + get_global_id(0);
  float4 sum = 0;
  for (uint i = 0; i < 8; ++i) {
    uint h = (n * 8 + i) * 0x9E3779B1u;
    h = (h ^ h >> 15) * 0x85EBCA77u;
    h ^= h >> 13;
    sum += read_imagef(a, s, convert_float2((uint2)(h & 0xFFFF, h >> 16)) * (1.0f / 65536));
  }
  c[n] = sum / 8;
}

float normal(float x) {
  float k = 1.0f / (1.0f + 0.2316419f * fabs(x));
  float w = k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
  float r = 0.39894228f * native_exp(-0.5f * x * x) * w;
  return x < 0 ? r : 1.0f - r;
}
//@ kernel black_scholes
//@ global 1048832
//@ in float 1048832 0.5 2.5
//@ in float 1048832 0.5 2.5
//@ in float 1048832 0.5 2.5
//@ out float 1048832
//@ out float 1048832
//@ near 4e-6
//@ work 1048832 options of 90 flops
kernel void black_scholes(global const float* s, global const float* x, global const float* t, global float* call,
                          global float* put) {
  size_t i = get_global_id(0);
  const float rate = 0.02f, volatility = 0.3f;
  float root = sqrt(t[i]);
  float d1 = (native_log(s[i] / x[i]) + (rate + 0.5f * volatility * volatility) * t[i]) / (volatility * root);
  float d2 = d1 - volatility * root, e = x[i] * native_exp(-rate * t[i]);
  call[i] = s[i] * normal(d1) - e * normal(d2);
  put[i] = e * normal(-d2) - s[i] * normal(-d1);
}

constant uint rounds[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};
#define ROTATE(x, n) rotate(x, (uint)(32 - n))
//@ kernel sha256
//@ global 262400
//@ in uint 2099200 0 4294967295
//@ out uint 262400
//@ work 262400 hashes of 1905 operations
kernel void sha256(global const uint* a, global uint* h) {
  size_t i = get_global_id(0);
  uint w[16], v[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  for (int k = 0; k < 8; ++k) w[k] = a[i * 8 + k];
  w[8] = 0x80000000u, w[15] = 256;
  for (int k = 9; k < 15; ++k) w[k] = 0;
#pragma unroll
  for (int k = 0; k < 64; ++k) {
    if (k >= 16) {
      uint p = w[(k + 1) & 15], q = w[(k + 14) & 15];
      w[k & 15] +=
          (ROTATE(p, 7) ^ ROTATE(p, 18) ^ p >> 3) + w[(k + 9) & 15] + (ROTATE(q, 17) ^ ROTATE(q, 19) ^ q >> 10);
    }
    uint t1 = v[7] + (ROTATE(v[4], 6) ^ ROTATE(v[4], 11) ^ ROTATE(v[4], 25)) + bitselect(v[6], v[5], v[4]) + rounds[k] +
              w[k & 15];
    uint t2 = (ROTATE(v[0], 2) ^ ROTATE(v[0], 13) ^ ROTATE(v[0], 22)) + bitselect(v[0], v[1], v[2] ^ v[0]);
    v[7] = v[6], v[6] = v[5], v[5] = v[4], v[4] = v[3] + t1, v[3] = v[2], v[2] = v[1], v[1] = v[0], v[0] = t1 + t2;
  }
  h[i] = v[0] + 0x6a09e667;
}
