#version 450
#extension GL_GOOGLE_include_directive : enable
#include "common.glsl"
// Makes vertices, and texels of an image; both are drawn afterwards.
layout(local_size_x = 64) in;
layout(std430, binding = 3) buffer Vertices { vec4 vertices[]; };
layout(rgba8, binding = 4) uniform writeonly image2D image;

void main() {
  uint i = gl_GlobalInvocationID.x;
  float a = float(i) * 0.1, r = float(i) / 1024.0;
  vec2 centre = vec2(cos(a), sin(a)) * r * 0.95;
  float size = 0.004 + 0.02 * r;
  for (uint corner = 0u; corner < 3u; ++corner) {
    float b = a + 2.0943951 * float(corner);
    vertices[(i * 3u + corner) * 2u] = vec4(centre + vec2(cos(b), sin(b)) * size, 0.5, 1);
    vertices[(i * 3u + corner) * 2u + 1u] = vec4(r, 1.0 - r, float(i % 3u) * 0.5, 1);
  }
  for (uint j = i; j < 4096u; j += 1024u)
    imageStore(image, ivec2(j % 64u, j / 64u), vec4(float(j % 64u) / 63.0, float(j / 64u) / 63.0, float((j ^ j / 64u) & 1u), 1));
}
