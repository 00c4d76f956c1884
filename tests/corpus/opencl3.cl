// What needs OpenCL C 3.0 on these devices: generic pointers (flat addressing decided at run time), C11 atomics with
// orders and scopes, work-group collectives, read-write images, program-scope variables.
// options: -cl-std=CL3.0

#ifdef __opencl_c_program_scope_global_variables
global atomic_int program_counter;
global float program_table[16] = {1, 2, 3, 4, 5, 6, 7, 8};

kernel void program_scope(global float* out) {
  const int i = get_global_id(0);
  const int ticket = atomic_fetch_add_explicit(&program_counter, 1, memory_order_relaxed, memory_scope_device);
  out[i] = program_table[(ticket + i) & 15];
  if (i == 0) program_table[15] = out[1];
}
#endif

#ifdef __opencl_c_generic_address_space
__attribute__((noinline)) int sum4(const int* p) { return p[0] + p[1] + p[2] + p[3]; }

kernel void generic_pointers(global int* out, local int* shared) {
  const int i = get_global_id(0);
  int mine[4] = {i, i + 1, i * 2, i ^ 5};
  shared[get_local_id(0)] = i;
  barrier(CLK_LOCAL_MEM_FENCE);
  const int* p = (i & 1) ? (const int*)out : (i & 2) ? (const int*)shared : (const int*)mine;
  out[i] = sum4(p);
}
#endif

kernel void ordered_atomics(global atomic_int* a, global atomic_uint* flag, global int* data) {
  const int i = get_global_id(0);
  data[i] = i * 3;
  atomic_store_explicit(flag + i, 1u, memory_order_release, memory_scope_device);
  const uint seen = atomic_load_explicit(flag + (i ^ 1), memory_order_acquire, memory_scope_device);
  int expected = i;
  if (atomic_compare_exchange_strong_explicit(a, &expected, i + 1, memory_order_acq_rel, memory_order_acquire,
                                              memory_scope_device))
    data[i] += seen;
  else
    data[i] -= expected;
  atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_seq_cst, memory_scope_device);
  atomic_fetch_max_explicit(a + 1, i, memory_order_relaxed, memory_scope_work_group);
}

#ifdef __opencl_c_work_group_collective_functions
kernel void group_collectives(global int* out, global float* f) {
  const int i = get_global_id(0);
  const int v = out[i];
  f[i] = work_group_scan_inclusive_add(f[i]) + work_group_broadcast(f[i], 0);
  out[i] = work_group_reduce_add(v) + work_group_scan_exclusive_max(v) + work_group_any(v > 3) + work_group_all(v < 9);
}
#endif

#ifdef __opencl_c_read_write_images
kernel void read_write_image(read_write image2d_t image) {
  const int2 at = (int2)(get_global_id(0), get_global_id(1));
  const float4 c = read_imagef(image, at);
  write_imagef(image, at, c.zyxw * 0.5f);
  atomic_work_item_fence(CLK_IMAGE_MEM_FENCE, memory_order_acq_rel, memory_scope_work_item);
  write_imagef(image, at + (int2)(0, 64), read_imagef(image, at).wwww);
}
#endif
