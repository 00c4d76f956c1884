// Collective functions of groups and sub-groups, atomic objects and generic pointers. Where the reference has no such
// functions, the same result is computed through local memory: sub-groups are 16 work-items wide on both sides.
//@ options -cl-std=CL3.0

#ifdef __opencl_c_work_group_collective_functions
#define COLLECTIVE 1
#endif
#ifdef cl_intel_subgroups
#define SUBGROUP16 __attribute__((intel_reqd_sub_group_size(16)))
#else
#define SUBGROUP16
#endif

//@ kernel collective
//@ global 256
//@ group 64
//@ in int 256
//@ out int 256
//@ out int 256
//@ out int 256
kernel void collective(global const int* a, global int* c, global int* d, global int* e) {
  size_t i = get_global_id(0);
#ifdef COLLECTIVE
  c[i] = work_group_reduce_add(a[i]);
  d[i] = work_group_scan_inclusive_max(a[i]);
  e[i] = work_group_broadcast(a[i], 17) + (work_group_any(a[i] > 95) ? 1000 : 0) + (work_group_all(a[i] > -101) ? 2000 : 0);
#else
  size_t base = i - get_local_id(0);
  int sum = 0, any = 0, all = 1, most = -1000000;
  for (size_t k = base; k < base + 64; ++k) sum += a[k], any |= a[k] > 95, all &= a[k] > -101;
  for (size_t k = base; k <= i; ++k) most = max(most, a[k]);
  c[i] = sum, d[i] = most, e[i] = a[base + 17] + any * 1000 + all * 2000;
#endif
}

//@ kernel shuffles
//@ global 256
//@ group 64
//@ in int 256
//@ in uint 256 0 15
//@ out int 256
//@ out int 256
//@ out int 256
SUBGROUP16 kernel void shuffles(global const int* a, global const uint* n, global int* c, global int* d, global int* e) {
  size_t i = get_global_id(0);
#ifdef cl_intel_subgroups
  c[i] = intel_sub_group_shuffle(a[i], n[i]);
  d[i] = intel_sub_group_shuffle_xor(a[i], 5u) + intel_sub_group_shuffle_down(a[i], a[i] * 2, 3u);
  e[i] = sub_group_reduce_add(a[i]) * 100 + sub_group_scan_exclusive_max(a[i] + 1000) * (get_sub_group_local_id() != 0) +
         sub_group_broadcast(a[i], 9u) + get_sub_group_local_id();
#else
  size_t base = i & ~15ul, l = i & 15;
  c[i] = a[base + n[i]];
  d[i] = a[i ^ 5] + (l + 3 < 16 ? a[i + 3] : a[i + 3 - 16] * 2);
  int sum = 0, most = 0;
  for (size_t k = base; k < base + 16; ++k) sum += a[k];
  for (size_t k = base; k < i; ++k) most = max(most, a[k] + 1000);
  e[i] = sum * 100 + most + a[base + 9] + (int)l;
#endif
}

//@ kernel block_reads
//@ global 128
//@ group 32
//@ in uint 512 0 4294967295
//@ out uint 128
//@ out uint 512
SUBGROUP16 kernel void block_reads(global const uint* a, global uint* c, global uint* d) {
  size_t i = get_global_id(0), base = i & ~15ul;
#ifdef cl_intel_subgroups
  c[i] = intel_sub_group_block_read(a + base);
  intel_sub_group_block_write4(d + base * 4, intel_sub_group_block_read4(a + base * 4));
#else
  c[i] = a[i];
  for (int k = 0; k < 4; ++k) d[base * 4 + k * 16 + (i & 15)] = a[base * 4 + k * 16 + (i & 15)];
#endif
}

//@ kernel atomic_objects
//@ global 1000
//@ inout uint 4 0 0
#ifdef COLLECTIVE
kernel void atomic_objects(global atomic_uint* c) {
  atomic_fetch_add_explicit(c, 1u, memory_order_relaxed, memory_scope_device);
  atomic_fetch_or_explicit(c + 1, (uint)get_global_id(0), memory_order_relaxed, memory_scope_device);
  uint expected = 0;
  atomic_compare_exchange_strong_explicit(c + 2, &expected, 5u, memory_order_relaxed, memory_order_relaxed,
                                          memory_scope_device);
}
#else
kernel void atomic_objects(global uint* c) {
  atomic_add(c, 1);
  atomic_or(c + 1, (uint)get_global_id(0));
  atomic_cmpxchg(c + 2, 0, 5);
}
#endif

//@ kernel generic_pointers
//@ global 128
//@ group 32
//@ in int 128
//@ out int 128
#ifdef __opencl_c_generic_address_space
int pick(int* p, int n) { return p[n] + 1; }
kernel void generic_pointers(global int* a, global int* c) {
  local int s[32];
  int mine[4];
  int l = get_local_id(0);
  s[l] = a[get_global_id(0)];
  for (int i = 0; i < 4; ++i) mine[i] = l * i;
  barrier(CLK_LOCAL_MEM_FENCE);
  int* p = l % 3 == 0 ? s : l % 3 == 1 ? mine : (int*)a;
  c[get_global_id(0)] = pick(p, l & 3);
}
#else
kernel void generic_pointers(global int* a, global int* c) {
  int l = get_local_id(0), n = l & 3, base = get_global_id(0) - l;
  c[get_global_id(0)] = (l % 3 == 0 ? a[base + n] : l % 3 == 1 ? l * n : a[n]) + 1;
}
#endif
