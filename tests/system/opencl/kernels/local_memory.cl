// Shared local memory and barriers.

//@ kernel reverse_group
//@ global 1024
//@ group 128
//@ in int 1024
//@ out int 1024
//@ local 512
kernel void reverse_group(global const int* a, global int* c, local int* s) {
  int l = get_local_id(0);
  s[l] = a[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  c[get_global_id(0)] = s[127 - l];
}

//@ kernel reduce
//@ global 4096
//@ group 256
//@ in uint 4096 0 1000000
//@ out uint 16
kernel void reduce(global const uint* a, global uint* c) {
  local uint s[256];
  int l = get_local_id(0);
  s[l] = a[get_global_id(0)];
  for (int n = 128; n; n /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < n) s[l] += s[l + n];
  }
  if (l == 0) c[get_group_id(0)] = s[0];
}

//@ kernel scan
//@ global 1024
//@ group 64
//@ in uint 1024 0 1000
//@ out uint 1024
kernel void scan(global const uint* a, global uint* c) {
  local uint s[2][64];
  int l = get_local_id(0), from = 0;
  s[0][l] = a[get_global_id(0)];
  for (int n = 1; n < 64; n *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    s[1 - from][l] = s[from][l] + (l >= n ? s[from][l - n] : 0);
    from = 1 - from;
  }
  c[get_global_id(0)] = s[from][l];
}

//@ kernel transpose
//@ global 64 48
//@ group 16 16
//@ in float 3072
//@ out float 3072
kernel void transpose(global const float* a, global float* c) {
  local float s[16][17];
  int x = get_local_id(0), y = get_local_id(1);
  s[y][x] = a[get_global_id(1) * 64 + get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  c[(get_group_id(0) * 16 + y) * 48 + get_group_id(1) * 16 + x] = s[x][y];
}

//@ kernel matrix
//@ global 32 32
//@ group 8 8
//@ in float 1024 -1 1
//@ in float 1024 -1 1
//@ out float 1024
//@ tolerance 256
kernel void matrix(global const float* a, global const float* b, global float* c) {
  local float s[8][8], t[8][8];
  int x = get_local_id(0), y = get_local_id(1), gx = get_global_id(0), gy = get_global_id(1);
  float sum = 8.0f;
  for (int k = 0; k < 32; k += 8) {
    s[y][x] = a[gy * 32 + k + x], t[y][x] = b[(k + y) * 32 + gx];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int n = 0; n < 8; ++n) sum += s[y][n] * t[n][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[gy * 32 + gx] = sum;
}

//@ kernel bytes_in_local
//@ global 512
//@ group 128
//@ in uchar 512 0 255
//@ out uchar 512
kernel void bytes_in_local(global const uchar* a, global uchar* c) {
  local uchar s[128];
  local ushort t[128];
  int l = get_local_id(0);
  s[l] = a[get_global_id(0)];
  t[l] = s[l] * 257;
  barrier(CLK_LOCAL_MEM_FENCE);
  c[get_global_id(0)] = s[l ^ 1] + (uchar)(t[127 - l] >> 3);
}

//@ kernel bitonic
//@ global 256
//@ group 256
//@ in uint 256 0 4294967295
//@ out uint 256
kernel void bitonic(global const uint* a, global uint* c) {
  local uint s[256];
  uint l = get_local_id(0);
  s[l] = a[l];
  for (uint k = 2; k <= 256; k *= 2)
    for (uint j = k / 2; j; j /= 2) {
      barrier(CLK_LOCAL_MEM_FENCE);
      uint o = l ^ j;
      if (o > l && (s[l] > s[o]) == ((l & k) == 0)) {
        uint t = s[l];
        s[l] = s[o], s[o] = t;
      }
    }
  barrier(CLK_LOCAL_MEM_FENCE);
  c[l] = s[l];
}

//@ kernel barrier_in_global
//@ global 256
//@ group 64
//@ inout uint 256 0 1000
kernel void barrier_in_global(global uint* c) {
  uint g = get_global_id(0), l = get_local_id(0), base = g - l;
  for (int i = 0; i < 5; ++i) {
    uint v = c[base + (l + 1) % 64];
    barrier(CLK_GLOBAL_MEM_FENCE);
    c[g] += v;
    barrier(CLK_GLOBAL_MEM_FENCE);
  }
}
