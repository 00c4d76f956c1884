#version 450
// Texel fetches and nearest sampling with wrapping.
//@ groups 5 5
//@ texture rgba8 2d 16 16 1 repeat nearest
//@ texture rgba32f 2d 16 16 1 mirror nearest
//@ out float 6400
//@ tolerance 2
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) uniform sampler2D t;
layout(binding = 1) uniform sampler2D u;
layout(binding = 2) writeonly buffer C { vec4 c[]; };
void main() {
  ivec2 p = ivec2(gl_GlobalInvocationID.xy);
  vec2 q = (vec2(p) + 0.25) / 13.0 - 1.0;
  c[p.y * 40 + p.x] = textureLod(t, q, 0.0) * 8.0 + textureLod(u, q, 0.0) * 0.0 + texelFetch(t, p & 15, 0) * 16.0 + 32.0;
}
