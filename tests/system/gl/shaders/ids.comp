#version 310 es
precision highp float;
precision highp int;
// Group and invocation numbers of a group size that does not divide.
//@ groups 3 2 2
//@ out uint 480
layout(local_size_x = 40) in;
layout(std430, binding = 0) writeonly buffer C { uint c[]; };
void main() {
  uint g = (gl_WorkGroupID.z * 2u + gl_WorkGroupID.y) * 3u + gl_WorkGroupID.x;
  c[g * 40u + gl_LocalInvocationIndex] = g * 1000u + gl_LocalInvocationID.x + gl_NumWorkGroups.y * 100000u;
}
