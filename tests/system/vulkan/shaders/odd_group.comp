#version 450
// Groups of 40 invocations: the last thread of each is partly empty.
//@ groups 3 2 2
//@ out uint 480
layout(local_size_x = 40) in;
layout(binding = 0) writeonly buffer C { uint c[]; };
void main() {
  uint g = (gl_WorkGroupID.z * 2 + gl_WorkGroupID.y) * 3 + gl_WorkGroupID.x;
  c[g * 40 + gl_LocalInvocationIndex] = gl_WorkGroupID.x | gl_WorkGroupID.y << 8 | gl_WorkGroupID.z << 16 |
                                        gl_NumWorkGroups.x << 24 | gl_LocalInvocationID.x << 26;
}
