#version 450
// Shared memory and barriers.
//@ groups 8
//@ in uint 2048 0 100000
//@ out uint 8
layout(local_size_x = 256) in;
layout(binding = 0) readonly buffer A { uint a[]; };
layout(binding = 1) writeonly buffer C { uint c[]; };
shared uint s[256];
void main() {
  uint l = gl_LocalInvocationID.x;
  s[l] = a[gl_GlobalInvocationID.x];
  for (uint n = 128; n > 0; n /= 2) {
    barrier();
    if (l < n) s[l] += s[l + n];
  }
  if (l == 0) c[gl_WorkGroupID.x] = s[0];
}
