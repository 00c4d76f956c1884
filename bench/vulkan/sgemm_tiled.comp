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
shared float s[16][16], t[16][16];
void main() {
  int lx = int(gl_LocalInvocationID.x), ly = int(gl_LocalInvocationID.y);
  int x = int(gl_GlobalInvocationID.x), y = int(gl_GlobalInvocationID.y);
  float sum = 0;
  for (int k = 0; k < n; k += 16) {
    s[ly][lx] = a[y * n + k + lx];
    t[ly][lx] = b[(k + ly) * n + x];
    barrier();
    for (int i = 0; i < 16; ++i) sum += s[ly][i] * t[i][lx];
    barrier();
  }
  c[y * n + x] = sum;
}
