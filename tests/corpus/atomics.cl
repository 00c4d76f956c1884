// Atomic operations on global and local memory: every integer operation with and without use of the old value, float
// by compare-and-exchange loops, 64 bits.

#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable

kernel void atomics_global(global int* p, global uint* u, global int* old) {
  const int i = get_global_id(0);
  atomic_add(p, i);
  atomic_sub(p + 1, i);
  atomic_inc(p + 2);
  atomic_dec(p + 3);
  atomic_min(p + 4, i);
  atomic_max(p + 5, i);
  atomic_and(p + 6, i);
  atomic_or(p + 7, i);
  atomic_xor(p + 8, i);
  atomic_xchg(p + 9, i);
  atomic_cmpxchg(p + 10, i, i + 1);
  atomic_min(u, (uint)i);
  atomic_max(u + 1, (uint)i);
  old[i] = atomic_add(p + 11, 1) ^ atomic_sub(p + 12, 2) ^ atomic_inc(p + 13) ^ atomic_dec(p + 14) ^
           atomic_min(p + 15, i) ^ atomic_max(p + 16, i) ^ atomic_and(p + 17, i) ^ atomic_or(p + 18, i) ^
           atomic_xor(p + 19, i) ^ atomic_xchg(p + 20, i) ^ atomic_cmpxchg(p + 21, 0, i) ^ (int)atomic_min(u + 2, 5u);
}

kernel void atomics_local(global int* out, global const uchar* in, uint n) {
  local int bins[256];
  local int top, low;
  const uint l = get_local_id(0);
  for (uint b = l; b < 256; b += get_local_size(0)) bins[b] = 0;
  if (l == 0) top = INT_MIN, low = INT_MAX;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = get_global_id(0); i < n; i += get_global_size(0)) {
    const int before = atomic_inc(&bins[in[i]]);
    atomic_max(&top, before);
    atomic_min(&low, (int)in[i]);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint b = l; b < 256; b += get_local_size(0))
    if (bins[b] != 0) atomic_add(&out[b], bins[b]);
  if (l == 0) out[256] = atomic_xchg(&top, 0) - atomic_cmpxchg(&low, 7, 9);
}

// Float addition by compare and exchange.
kernel void atomics_float_add(global volatile float* sum, global const float* in) {
  const float v = in[get_global_id(0)];
  union {
    uint u;
    float f;
  } before, after;
  do {
    before.f = *sum;
    after.f = before.f + v;
  } while (atomic_cmpxchg((global volatile uint*)sum, before.u, after.u) != before.u);
  atomic_xchg(sum + 1, v);
}

kernel void atomics_float_local(global float* out, global const float* in) {
  local float best;
  if (get_local_id(0) == 0) best = -INFINITY;
  barrier(CLK_LOCAL_MEM_FENCE);
  const float v = in[get_global_id(0)];
  uint seen = as_uint(best);
  while (v > as_float(seen)) {
    const uint now = atomic_cmpxchg((local uint*)&best, seen, as_uint(v));
    if (now == seen) break;
    seen = now;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0) out[get_group_id(0)] = best;
}

#ifdef cl_khr_int64_base_atomics
kernel void atomics_long(global long* p, global ulong* u, global long* old) {
  const int i = get_global_id(0);
  atom_add(p, (long)i << 33);
  atom_inc(p + 1);
  atom_sub(u, (ulong)i);
  old[i] = atom_xchg(p + 2, (long)i) ^ atom_cmpxchg(p + 3, 0l, (long)i) ^ atom_dec(p + 4);
#ifdef cl_khr_int64_extended_atomics
  atom_min(p + 5, (long)i);
  atom_max(u + 1, (ulong)i);
  old[i] ^= atom_and(p + 6, (long)i) ^ atom_or(p + 7, (long)i) ^ atom_xor(p + 8, (long)i);
#endif
}
#endif

// A ticket lock per group: a spinning loop with a fence.
kernel void ticket_lock(global volatile uint* lock, global uint* shared) {
  if (get_local_id(0) != 0) return;
  const uint mine = atomic_inc(&lock[0]);
  while (atomic_add(&lock[1], 0u) != mine) {
  }
  *shared = *shared * 3 + get_group_id(0);
  mem_fence(CLK_GLOBAL_MEM_FENCE);
  atomic_inc(&lock[1]);
}
