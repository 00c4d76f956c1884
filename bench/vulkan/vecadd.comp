#version 450
// As the kernel of this name in ../opencl/kernels.cl.
//@ groups 16385
//@ in float 4194560 0.5 2.5
//@ in float 4194560 0.5 2.5
//@ out float 4194560
//@ work 50334720 bytes
layout(local_size_x = 256) in;
layout(binding = 0) readonly buffer A { float a[]; };
layout(binding = 1) readonly buffer B { float b[]; };
layout(binding = 2) writeonly buffer C { float c[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  c[i] = a[i] + b[i];
}
