#version 310 es
precision highp float;
precision highp int;
// Shared memory, barriers, atomics and indirect dispatch.
//@ groups 8
//@ indirect
//@ in uint 1024 0 63
//@ out uint 64
layout(local_size_x = 128) in;
layout(std430, binding = 0) readonly buffer A { uint a[]; };
layout(std430, binding = 1) buffer C { uint c[]; };
shared uint s[64];
void main() {
  uint l = gl_LocalInvocationID.x;
  if (l < 64u) s[l] = 0u;
  barrier();
  atomicAdd(s[a[gl_GlobalInvocationID.x]], 1u);
  barrier();
  if (l < 64u) atomicAdd(c[l], s[l]);
}
