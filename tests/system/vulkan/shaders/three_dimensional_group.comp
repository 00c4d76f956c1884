#version 450
// Local and global ids in three dimensions.
//@ groups 2 3 2
//@ out uint 720
layout(local_size_x = 5, local_size_y = 4, local_size_z = 3) in;
layout(binding = 0) writeonly buffer C { uint c[]; };
void main() {
  uvec3 g = gl_GlobalInvocationID;
  uvec3 l = gl_LocalInvocationID;
  c[(g.z * 12 + g.y) * 10 + g.x] = l.x + l.y * 10 + l.z * 100 + gl_LocalInvocationIndex * 1000;
}
