#version 450
// As the kernel of this name in ../opencl/kernels.cl.
//@ groups 17 17
//@ in float 73984 0.5 2.5
//@ in float 73984 0.5 2.5
//@ out float 73984
//@ push int 272
//@ tolerance 8
//@ work 40247296 flops
layout(local_size_x = 16, local_size_y = 16) in;
layout(binding = 0) readonly buffer A { float a[]; };
layout(binding = 1) readonly buffer B { float b[]; };
layout(binding = 2) writeonly buffer C { float c[]; };
layout(push_constant) uniform Push { int n; };
void main() {
  int x = int(gl_GlobalInvocationID.x), y = int(gl_GlobalInvocationID.y);
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[y * n + k] * b[k * n + x];
  c[y * n + x] = sum;
}
