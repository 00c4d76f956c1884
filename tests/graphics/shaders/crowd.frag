#version 450
#extension GL_GOOGLE_include_directive : enable
#include "common.glsl"
// Discards every third diagonal of what is light, and counts the pixels that are left: by their place in a buffer, with the
// largest and smallest place and a sum of colours, and each for itself in an image.
layout(location = 0) in vec4 colour;
layout(std430, binding = 3) buffer Counts { uint counts[]; };
layout(r32ui, binding = 4) uniform uimage2D image;
layout(location = 0) out vec4 result;

void main() {
  uvec2 at = uvec2(gl_FragCoord.xy);
  if (colour.r > 0.5 && (at.x + at.y) % 3u == 0u) discard;
  atomicAdd(counts[(at.x / 64u) & 7u], 1u);
  atomicMax(counts[8], at.x * 1000u + at.y);
  atomicMax(counts[9], 1000000u - at.y * 1000u - at.x);
  atomicAdd(counts[10], uint(colour.g * 15.0));
  imageAtomicAdd(image, ivec2(at), 1u + (uint(colour.b * 15.0) << 8));
  result = colour;
}
