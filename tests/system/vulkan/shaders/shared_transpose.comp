#version 450
// A transposition through shared memory, and push constants.
//@ groups 4 4
//@ in float 4096 -1 1
//@ out float 4096
//@ push uint 64
//@ push float 0.5
layout(local_size_x = 16, local_size_y = 16) in;
layout(binding = 0) readonly buffer A { float a[]; };
layout(binding = 1) writeonly buffer C { float c[]; };
layout(push_constant) uniform P { uint width; float factor; };
shared float s[16][17];
void main() {
  uvec2 l = gl_LocalInvocationID.xy, g = gl_WorkGroupID.xy * 16;
  s[l.y][l.x] = a[(g.y + l.y) * width + g.x + l.x];
  barrier();
  c[(g.x + l.y) * width + g.y + l.x] = s[l.x][l.y] * factor;
}
