#version 450
#extension GL_KHR_shader_subgroup_basic : enable
#extension GL_KHR_shader_subgroup_vote : enable
#extension GL_KHR_shader_subgroup_arithmetic : enable
#extension GL_KHR_shader_subgroup_ballot : enable
// Sub-group functions whose sum over the group does not depend on the sub-group's size.
//@ groups 8
//@ in uint 512 0 100000
//@ out uint 8
//@ out uint 8
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer A { uint a[]; };
layout(binding = 1) buffer C { uint c[]; };
layout(binding = 2) buffer D { uint d[]; };
void main() {
  uint v = a[gl_GlobalInvocationID.x];
  uint sum = subgroupAdd(v);
  if (subgroupElect()) atomicAdd(c[gl_WorkGroupID.x], sum);
  uint odd = subgroupBallotBitCount(subgroupBallot((v & 1u) == 1u));
  if (subgroupElect()) atomicAdd(d[gl_WorkGroupID.x], odd + (subgroupAll(v <= 100000u) ? 0u : 1000000u));
}
