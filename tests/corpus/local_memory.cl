// Shared local memory, barriers and fences: reduction, scan, tiled matrix product, transpose, bitonic sort.

__attribute__((reqd_work_group_size(256, 1, 1))) kernel void local_reduce(global float* out, global const float* in,
                                                                          uint n) {
  local float part[256];
  const uint l = get_local_id(0);
  float sum = 0.0f;
  for (uint i = get_global_id(0); i < n; i += get_global_size(0)) sum += in[i];
  part[l] = sum;
  for (uint half_size = 128; half_size > 0; half_size >>= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < half_size) part[l] += part[l + half_size];
  }
  if (l == 0) out[get_group_id(0)] = part[0];
}

kernel void local_scan(global uint* data, local uint* even, local uint* odd) {
  const uint l = get_local_id(0), size = get_local_size(0);
  local uint *from = even, *to = odd;
  from[l] = data[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint step = 1; step < size; step <<= 1) {
    to[l] = l >= step ? from[l] + from[l - step] : from[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    local uint* t = from;
    from = to, to = t;
  }
  data[get_global_id(0)] = from[l];
}

__attribute__((reqd_work_group_size(16, 16, 1))) kernel void matrix_product(global float* c, global const float* a,
                                                                            global const float* b, int n) {
  local float ta[16][17], tb[16][17];
  const int x = get_local_id(0), y = get_local_id(1);
  const int column = get_global_id(0), row = get_global_id(1);
  float sum = 0.0f;
  for (int t = 0; t < n; t += 16) {
    ta[y][x] = a[row * n + t + x];
    tb[y][x] = b[(t + y) * n + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 16; ++k) sum = mad(ta[y][k], tb[k][x], sum);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[row * n + column] = sum;
}

__attribute__((reqd_work_group_size(8, 8, 4))) kernel void local_transpose(global ushort* out, global const ushort* in,
                                                                           int pitch) {
  local ushort tile[4][8][9];
  const int x = get_local_id(0), y = get_local_id(1), z = get_local_id(2);
  tile[z][y][x] = in[(get_global_id(2) * pitch + get_global_id(1)) * pitch + get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[(get_global_id(2) * pitch + get_group_id(0) * 8 + y) * pitch + get_group_id(1) * 8 + x] = tile[z][x][y];
}

kernel void bitonic_sort(global int* data, local int* keys) {
  const uint l = get_local_id(0), size = get_local_size(0);
  keys[l] = data[get_global_id(0)];
  for (uint k = 2; k <= size; k <<= 1) {
    for (uint j = k >> 1; j > 0; j >>= 1) {
      barrier(CLK_LOCAL_MEM_FENCE);
      const uint other = l ^ j;
      if (other > l) {
        const int a = keys[l], b = keys[other];
        if ((a > b) == ((l & k) == 0)) keys[l] = b, keys[other] = a;
      }
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  data[get_global_id(0)] = keys[l];
}

// All element widths in local memory: byte, word, qword scattered access.
kernel void local_widths(global uchar* b, global ushort* w, global ulong* q, global float4* v) {
  local uchar lb[64];
  local ushort lw[64];
  local ulong lq[64];
  local float4 lv[64];
  const int l = get_local_id(0) & 63, m = 63 - l, i = get_global_id(0);
  lb[l] = b[i], lw[l] = w[i], lq[l] = q[i], lv[l] = v[i];
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  b[i] = lb[m], w[i] = lw[m], q[i] = lq[m], v[i] = lv[m].wzyx;
  mem_fence(CLK_GLOBAL_MEM_FENCE);
}

kernel void async_copies(global int* out, global const int* in, local int* tile) {
  event_t e = async_work_group_copy(tile, in + get_group_id(0) * 256, 256, 0);
  wait_group_events(1, &e);
  for (int i = get_local_id(0); i < 256; i += get_local_size(0)) tile[i] = tile[i] * 3 + 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  e = async_work_group_copy(out + get_group_id(0) * 256, tile, 256, 0);
  wait_group_events(1, &e);
}
