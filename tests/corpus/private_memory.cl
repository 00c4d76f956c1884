// Private arrays: those that become registers with indirect access, those that spill to scratch, tables in constant
// memory, and a body with more live values than registers.

constant int weights[16] = {1, 4, 7, 4, 16, 26, 41, 26, 7, 4, 1, 0, -3, -9, 5, 2};
constant float curve[] = {0.0f, 0.25f, 0.75f, 1.5f, 2.5f, 4.0f, 8.0f, 16.0f};
constant uchar permutation[] = {7, 3, 1, 0, 5, 2, 6, 4};

kernel void private_small(global int* out, global const uchar* pick) {
  const int i = get_global_id(0);
  int table[8];
  for (int j = 0; j < 8; ++j) table[j] = out[i * 8 + j] * j;
  table[pick[i] & 7] += 100;
  out[i] = table[pick[i + 1] & 7] - table[3];
}

kernel void private_large(global int* out, global const ushort* pick) {
  const int i = get_global_id(0);
  int table[512];
  for (int j = 0; j < 512; ++j) table[j] = i * j;
  for (int j = 0; j < 64; ++j) table[pick[i * 64 + j] & 511] ^= table[j];
  int sum = 0;
  for (int j = 0; j < 512; ++j) sum += table[j];
  out[i] = sum;
}

kernel void private_widths(global uchar* b, global short* s, global long* l, global const int* pick) {
  const int i = get_global_id(0);
  uchar tb[32];
  short ts[32];
  long tl[32];
  for (int j = 0; j < 32; ++j) tb[j] = b[j] + i, ts[j] = s[j] - i, tl[j] = l[j] ^ i;
  const int p = pick[i] & 31;
  tb[p] = 1, ts[31 - p] = 2, tl[p ^ 5] = 3;
  b[i] = tb[(p + 1) & 31], s[i] = ts[(p + 2) & 31], l[i] = tl[(p + 3) & 31];
}

kernel void constant_tables(global int* out, global float* f, constant int4* user, int n) {
  const int i = get_global_id(0);
  int sum = 0;
  for (int j = 0; j < 16; ++j) sum += weights[(j + i) & 15] * weights[j];
  f[i] = curve[permutation[i & 7]] + (float)user[n].y;
  out[i] = sum + user[i & 3].z;
}

// An insertion sort of a private array, fully data dependent.
kernel void private_sort(global float* data) {
  const int base = get_global_id(0) * 24;
  float v[24];
  for (int i = 0; i < 24; ++i) v[i] = data[base + i];
  for (int i = 1; i < 24; ++i) {
    const float x = v[i];
    int j = i - 1;
    while (j >= 0 && v[j] > x) v[j + 1] = v[j], --j;
    v[j + 1] = x;
  }
  for (int i = 0; i < 24; ++i) data[base + i] = v[i];
}

// An explicit stack in place of recursion: a walk over a binary tree.
kernel void private_stack(global float* out, global const int4* nodes, global const float* leaf) {
  int stack[32];
  int top = 0;
  float sum = 0.0f;
  stack[top++] = get_global_id(0) & 7;
  while (top > 0) {
    const int4 n = nodes[stack[--top]];
    if (n.z < 0) {
      sum += leaf[n.w];
    } else if (top < 30) {
      stack[top++] = n.x;
      if (n.y != n.x) stack[top++] = n.y;
    }
  }
  out[get_global_id(0)] = sum;
}

// Sixty-four live float4 values: more than the register file holds at any SIMD size.
kernel void register_pressure(global float4* data) {
  const int i = get_global_id(0);
  float4 v[64];
#pragma unroll
  for (int j = 0; j < 64; ++j) v[j] = data[i * 64 + j];
#pragma unroll
  for (int j = 0; j < 64; ++j) v[j] = v[j] * v[63 - j] + v[(j * 7 + 3) & 63];
#pragma unroll
  for (int j = 0; j < 64; ++j) data[i * 64 + j] = v[(j * 5) & 63] - v[j];
}
