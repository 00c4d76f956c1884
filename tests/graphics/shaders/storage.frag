#version 450
#extension GL_GOOGLE_include_directive : enable
#include "common.glsl"
// Counts pixels in a buffer, by their place, and writes what it draws into an image too.
layout(location = 0) in vec4 colour;
layout(std430, binding = 3) buffer Counts { uint counts[]; };
layout(rgba8, binding = 4) uniform writeonly image2D image;
layout(location = 0) out vec4 result;

void main() {
  uvec2 at = uvec2(gl_FragCoord.xy);
  atomicAdd(counts[(at.x / 32u) & 7u], 1u);
  atomicMax(counts[8], at.x * 1000u + at.y);
  imageStore(image, ivec2(at), colour.bgra);
  result = colour;
}
