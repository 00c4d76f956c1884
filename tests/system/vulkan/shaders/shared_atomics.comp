#version 450
// A histogram in shared memory, merged with atomics.
//@ groups 8
//@ in uint 1024 0 63
//@ out uint 64
layout(local_size_x = 128) in;
layout(binding = 0) readonly buffer A { uint a[]; };
layout(binding = 1) buffer C { uint c[]; };
shared uint s[64];
void main() {
  uint l = gl_LocalInvocationID.x;
  if (l < 64) s[l] = 0;
  barrier();
  atomicAdd(s[a[gl_GlobalInvocationID.x]], 1);
  barrier();
  if (l < 64) atomicAdd(c[l], s[l]);
}
