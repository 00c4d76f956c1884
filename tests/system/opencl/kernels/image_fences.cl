// Fences of images: Intel's compiler flushes the sampler's cache with a message of its own.
//@ options -cl-std=CL3.0

//@ kernel fence_alone
//@ global 256
//@ group 64
//@ in int 256 -1000 1000
//@ out int 256
kernel void fence_alone(global const int* a, global int* c) {
  const size_t n = get_global_id(0);
  c[n] = a[n] * 3;
  atomic_work_item_fence(CLK_IMAGE_MEM_FENCE, memory_order_acq_rel, memory_scope_device);
  c[n] += a[255 - n];
}

//@ kernel fence_in_divergent_code
//@ global 300
//@ in uint 300 0 1000000
//@ out uint 300
kernel void fence_in_divergent_code(global const uint* a, global uint* c) {
  const size_t n = get_global_id(0);
  uint sum = 0;
  for (uint k = 0; k < a[n] % 7; ++k) {
    sum = sum * 5 + k;
    if (k & 1) atomic_work_item_fence(CLK_IMAGE_MEM_FENCE, memory_order_acquire, memory_scope_work_group);
    atomic_work_item_fence(CLK_IMAGE_MEM_FENCE | CLK_GLOBAL_MEM_FENCE, memory_order_release, memory_scope_device);
  }
  c[n] = sum;
}

//@ kernel fence_between_image_and_buffer
//@ global 31 17
//@ image in 2d rgba float 31 17
//@ out float 2108
kernel void fence_between_image_and_buffer(read_only image2d_t i, global float4* c) {
  const sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
  const int2 p = (int2)(get_global_id(0), get_global_id(1));
  const float4 first = read_imagef(i, s, p);
  atomic_work_item_fence(CLK_IMAGE_MEM_FENCE, memory_order_acq_rel, memory_scope_device);
  c[p.y * 31 + p.x] = first + read_imagef(i, s, (int2)(30 - p.x, p.y));
}
