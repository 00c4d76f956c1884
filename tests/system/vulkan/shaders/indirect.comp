#version 450
// The number of groups comes from memory.
//@ groups 5 3 2
//@ indirect
//@ out uint 256
layout(local_size_x = 8) in;
layout(binding = 0) buffer C { uint c[]; };
void main() {
  uint g = (gl_WorkGroupID.z * 3 + gl_WorkGroupID.y) * 5 + gl_WorkGroupID.x;
  c[g * 8 + gl_LocalInvocationID.x] = g + 100 * gl_NumWorkGroups.y;
}
