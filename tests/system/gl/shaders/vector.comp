#version 310 es
precision highp float;
precision highp int;
// A multiply-add over buffers.
//@ groups 16
//@ in float 1024 -10 10
//@ in float 1024 -10 10
//@ out float 1024
//@ tolerance 2
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { float a[]; };
layout(std430, binding = 1) readonly buffer B { float b[]; };
layout(std430, binding = 2) writeonly buffer C { float c[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  c[i] = a[i] * 3.0 + b[i] + 100.0;
}
