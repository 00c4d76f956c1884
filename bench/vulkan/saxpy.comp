#version 450
// As the kernel of this name in ../opencl/kernels.cl.
//@ groups 16385
//@ in float 4194560 0.5 2.5
//@ inout float 4194560 0.5 2.5
//@ push float 1.0001
//@ tolerance 1
//@ work 50334720 bytes
layout(local_size_x = 256) in;
layout(binding = 0) readonly buffer X { float x[]; };
layout(binding = 1) buffer Y { float y[]; };
layout(push_constant) uniform Push { float k; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  y[i] = k * x[i] + y[i];
}
