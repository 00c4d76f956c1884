// Subgroups: shuffles (indirect regions), reductions and scans, broadcasts, block reads and writes, in each SIMD size
// that may be required.

#pragma OPENCL EXTENSION cl_intel_subgroups : enable
#pragma OPENCL EXTENSION cl_intel_subgroups_short : enable
#pragma OPENCL EXTENSION cl_intel_required_subgroup_size : enable

kernel void subgroup_shuffles(global int* out, global const int* in, global ulong* wide, global short* s) {
  const int i = get_global_id(0);
  const uint lane = get_sub_group_local_id();
  int v = in[i];
  v += intel_sub_group_shuffle(v, (lane + 3) & 7);
  v ^= intel_sub_group_shuffle_xor(v, 1);
  v -= intel_sub_group_shuffle_up(v, in[i + 1], 2);
  v += intel_sub_group_shuffle_down(v, in[i + 2], 1);
  out[i] = v + intel_sub_group_shuffle(v, 5);
  wide[i] = intel_sub_group_shuffle(wide[i], lane ^ 2);
  s[i] = intel_sub_group_shuffle(s[i], in[i] & 7);
}

#define SUBGROUP_REDUCE(SIZE)                                                                     \
  __attribute__((intel_reqd_sub_group_size(SIZE))) kernel void subgroup_reduce_##SIZE(            \
      global int* out, global const int* in, global float* f, global ulong* l, global uint* u) {  \
    const int i = get_global_id(0);                                                               \
    const int v = in[i];                                                                          \
    out[i] = sub_group_reduce_add(v) - sub_group_reduce_min(v) + sub_group_scan_inclusive_add(v); \
    f[i] = sub_group_reduce_max(f[i]) + sub_group_scan_exclusive_add(f[i]);                       \
    u[i] = sub_group_scan_exclusive_max(u[i]) + sub_group_broadcast(u[i], 3);                     \
    l[i] = sub_group_reduce_add(l[i]);                                                            \
  }

SUBGROUP_REDUCE(8)
SUBGROUP_REDUCE(16)
SUBGROUP_REDUCE(32)

__attribute__((intel_reqd_sub_group_size(16))) kernel void subgroup_blocks(global uint* out, global const uint* in,
                                                                           global ushort* s) {
  const uint base = get_group_id(0) * 1024 + get_sub_group_id() * 16 * 8;
  const uint8 a = intel_sub_group_block_read8(in + base);
  const uint2 b = intel_sub_group_block_read2(in + base + 512);
  intel_sub_group_block_write4(out + base, a.lo + a.hi + b.xyxy);
  intel_sub_group_block_write(out + base + 64, intel_sub_group_block_read(in + base));
  intel_sub_group_block_write_us4(s + base, intel_sub_group_block_read_us4(s + base + 256) + (ushort4)(1));
}

__attribute__((intel_reqd_sub_group_size(8))) kernel void subgroup_image_blocks(read_only image2d_t in,
                                                                                write_only image2d_t out) {
  const int2 at = (int2)(get_group_id(0) * 32, get_group_id(1) * 8);
  const uint8 rows = intel_sub_group_block_read8(in, at);
  intel_sub_group_block_write8(out, at, rows.s76543210);
}

// Any and all, with divergence inside the subgroup.
kernel void subgroup_votes(global int* out, global const int* in) {
  const int i = get_global_id(0);
  int v = in[i], rounds = 0;
  while (sub_group_any(v > 0)) {
    if (v > 0) v -= get_sub_group_local_id() + 1;
    if (sub_group_all(v < 10)) rounds += 100;
    ++rounds;
  }
  out[i] = rounds + get_sub_group_size() + get_num_sub_groups() + get_max_sub_group_size();
  sub_group_barrier(CLK_LOCAL_MEM_FENCE);
}

// A small matrix product with the right operand broadcast lane by lane.
__attribute__((intel_reqd_sub_group_size(8))) kernel void subgroup_matrix(global float* c, global const float* a,
                                                                          global const float* b, int n) {
  const int row = get_group_id(1) * 8;
  float sum[8];
  for (int r = 0; r < 8; ++r) sum[r] = 0.0f;
  for (int k = 0; k < n; k += 8) {
    for (int r = 0; r < 8; ++r) {
      const float left = as_float(intel_sub_group_block_read((global const uint*)(a + (row + r) * n + k)));
#pragma unroll
      for (int j = 0; j < 8; ++j)
        sum[r] = mad(intel_sub_group_shuffle(left, j), b[(k + j) * n + get_global_id(0)], sum[r]);
    }
  }
  for (int r = 0; r < 8; ++r) c[(row + r) * n + get_global_id(0)] = sum[r];
}
