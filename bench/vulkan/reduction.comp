#version 450
// As the kernel of this name in ../opencl/kernels.cl.
//@ groups 4097
//@ in float 1048832 0.5 2.5
//@ out float 4097
//@ work 1048832 elements of 4 bytes
layout(local_size_x = 256) in;
layout(binding = 0) readonly buffer A { float a[]; };
layout(binding = 1) writeonly buffer C { float c[]; };
shared float s[256];
void main() {
  uint l = gl_LocalInvocationID.x;
  s[l] = a[gl_GlobalInvocationID.x];
  for (uint n = 128; n > 0; n /= 2) {
    barrier();
    if (l < n) s[l] += s[l + n];
  }
  if (l == 0) c[gl_WorkGroupID.x] = s[0];
}
