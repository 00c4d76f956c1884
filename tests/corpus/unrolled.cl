// Big straight-line bodies: thousands of instructions, many distinct immediates, high register pressure.

// One SHA-256-like block, all rounds unrolled.
constant uint round_constants[16] = {0x428a2f98u, 0x71374491u, 0xb5c0fbcfu, 0xe9b5dba5u, 0x3956c25bu, 0x59f111f1u,
                                     0x923f82a4u, 0xab1c5ed5u, 0xd807aa98u, 0x12835b01u, 0x243185beu, 0x550c7dc3u,
                                     0x72be5d74u, 0x80deb1feu, 0x9bdc06a7u, 0xc19bf174u};

kernel void unrolled_digest(global uint8* out, global const uint16* in) {
  const int i = get_global_id(0);
  uint w[16];
  vstore16(in[i], 0, w);
  uint a = 0x6a09e667u, b = 0xbb67ae85u, c = 0x3c6ef372u, d = 0xa54ff53au;
  uint e = 0x510e527fu, f = 0x9b05688cu, g = 0x1f83d9abu, h = 0x5be0cd19u;
#pragma unroll
  for (int r = 0; r < 48; ++r) {
    if (r >= 16) {
      const uint s0 = w[(r + 1) & 15], s1 = w[(r + 14) & 15];
      w[r & 15] += (rotate(s0, 25u) ^ rotate(s0, 14u) ^ s0 >> 3) + w[(r + 9) & 15] +
                   (rotate(s1, 15u) ^ rotate(s1, 13u) ^ s1 >> 10);
    }
    const uint t1 = h + (rotate(e, 26u) ^ rotate(e, 21u) ^ rotate(e, 7u)) + bitselect(g, f, e) +
                    round_constants[r & 15] + w[r & 15];
    const uint t2 = (rotate(a, 30u) ^ rotate(a, 19u) ^ rotate(a, 10u)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + t2;
  }
  out[i] = (uint8)(a, b, c, d, e, f, g, h);
}

// An 8x8 discrete cosine transform with both passes unrolled.
#define BUTTERFLY(S, N)                                                                                 \
  {                                                                                                     \
    const float s07 = v[0 * S + N] + v[7 * S + N], d07 = v[0 * S + N] - v[7 * S + N];                   \
    const float s16 = v[1 * S + N] + v[6 * S + N], d16 = v[1 * S + N] - v[6 * S + N];                   \
    const float s25 = v[2 * S + N] + v[5 * S + N], d25 = v[2 * S + N] - v[5 * S + N];                   \
    const float s34 = v[3 * S + N] + v[4 * S + N], d34 = v[3 * S + N] - v[4 * S + N];                   \
    const float a = s07 + s34, b = s16 + s25, c = s07 - s34, d = s16 - s25;                             \
    v[0 * S + N] = (a + b) * 0.35355339f, v[4 * S + N] = (a - b) * 0.35355339f;                         \
    v[2 * S + N] = c * 0.46193977f + d * 0.19134172f, v[6 * S + N] = c * 0.19134172f - d * 0.46193977f; \
    v[1 * S + N] = d07 * 0.49039264f + d16 * 0.41573481f + d25 * 0.27778512f + d34 * 0.09754516f;       \
    v[3 * S + N] = d07 * 0.41573481f - d16 * 0.09754516f - d25 * 0.49039264f - d34 * 0.27778512f;       \
    v[5 * S + N] = d07 * 0.27778512f - d16 * 0.49039264f + d25 * 0.09754516f + d34 * 0.41573481f;       \
    v[7 * S + N] = d07 * 0.09754516f - d16 * 0.27778512f + d25 * 0.41573481f - d34 * 0.49039264f;       \
  }

kernel void unrolled_cosine(global short* out, global const uchar* in, int pitch) {
  const int x = get_global_id(0) * 8, y = get_global_id(1) * 8;
  float v[64];
#pragma unroll
  for (int j = 0; j < 64; ++j) v[j] = (float)in[(y + (j >> 3)) * pitch + x + (j & 7)] - 128.0f;
  BUTTERFLY(1, 0);
  BUTTERFLY(1, 8);
  BUTTERFLY(1, 16);
  BUTTERFLY(1, 24);
  BUTTERFLY(1, 32);
  BUTTERFLY(1, 40);
  BUTTERFLY(1, 48);
  BUTTERFLY(1, 56);
  BUTTERFLY(8, 0);
  BUTTERFLY(8, 1);
  BUTTERFLY(8, 2);
  BUTTERFLY(8, 3);
  BUTTERFLY(8, 4);
  BUTTERFLY(8, 5);
  BUTTERFLY(8, 6);
  BUTTERFLY(8, 7);
#pragma unroll
  for (int j = 0; j < 64; ++j) out[(y + (j >> 3)) * pitch + x + (j & 7)] = convert_short_sat_rte(v[j]);
}

// A 16-point complex transform with its twiddle factors computed.
kernel void unrolled_fourier(global float2* data) {
  const int i = get_global_id(0) * 16;
  float2 v[16];
#pragma unroll
  for (int j = 0; j < 16; ++j) {
    const int reversed = (j & 1) << 3 | (j & 2) << 1 | (j & 4) >> 1 | (j & 8) >> 3;
    v[reversed] = data[i + j];
  }
#pragma unroll
  for (int size = 2; size <= 16; size *= 2) {
#pragma unroll
    for (int j = 0; j < 8; ++j) {
      const int k = j % (size / 2), at = j / (size / 2) * size + k;
      const float angle = -6.2831853f * k / size;
      const float2 t = (float2)(native_cos(angle), native_sin(angle));
      const float2 o = v[at + size / 2];
      const float2 p = (float2)(o.x * t.x - o.y * t.y, o.x * t.y + o.y * t.x);
      v[at + size / 2] = v[at] - p;
      v[at] += p;
    }
  }
#pragma unroll
  for (int j = 0; j < 16; ++j) data[i + j] = v[j];
}

// A 5x5 convolution over bytes with every weight an immediate.
kernel void unrolled_convolution(global uchar* out, global const uchar* in, int pitch) {
  const int x = get_global_id(0), y = get_global_id(1);
  const int w[25] = {1, 4, 7, 4, 1, 4, 16, 26, 16, 4, 7, 26, 41, 26, 7, 4, 16, 26, 16, 4, 1, 4, 7, 4, 1};
  int sum = 0;
#pragma unroll
  for (int j = 0; j < 25; ++j) sum += w[j] * in[(y + j / 5) * pitch + x + j % 5];
  out[y * pitch + x] = (uchar)min(sum / 273, 255);
}
