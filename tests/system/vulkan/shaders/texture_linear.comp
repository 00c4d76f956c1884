#version 450
// Linear filtering at quarters of a texel, where 8-bit weights are exact.
//@ groups 5 5
//@ texture rgba32f 2d 16 16 1 edge linear
//@ out float 6400
//@ tolerance 64
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) uniform sampler2D t;
layout(binding = 1) writeonly buffer C { vec4 c[]; };
void main() {
  ivec2 p = ivec2(gl_GlobalInvocationID.xy);
  c[p.y * 40 + p.x] = textureLod(t, (vec2(p) * 0.5 - 1.75) / 16.0, 0.0) + 10.0;
}
