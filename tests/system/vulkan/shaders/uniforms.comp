#version 450
// A uniform buffer, indexed by constants and by data.
//@ groups 4
//@ uniform uint 64 0 1000000
//@ out uint 256
layout(local_size_x = 64) in;
layout(binding = 0) uniform U { uvec4 u[16]; };
layout(binding = 1) writeonly buffer C { uint c[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  c[i] = u[3].y + u[i & 15u].x * 3u + u[(i * 7u) & 15u][i & 3u];
}
