#version 450
#extension GL_GOOGLE_include_directive : enable
#include "common.glsl"
// Fifths of the picture: explicit level, bias, gradients, offset, gather.
layout(binding = 1) uniform sampler2D image;
layout(location = 1) in vec2 uv;
layout(location = 0) out vec4 result;

void main() {
  vec2 at = uv * 4.0;
  float fifth = floor(uv.y * 5.0);
  // Derivatives are defined where all pixels of a quad come, so nothing is sampled in a branch.
  vec4 explicit_level = textureLod(image, at, uv.x * 6.0);
  vec4 biased = texture(image, at, floor(uv.x * 4.0));
  vec4 gradients = textureGrad(image, at, vec2(uv.x * 0.2, 0), vec2(0, uv.x * 0.1));
  vec4 moved = textureOffset(image, at, ivec2(3, -2));
  vec4 gathered = textureGather(image, at, 1);
  result = fifth == 0.0 ? explicit_level : fifth == 1.0 ? biased : fifth == 2.0 ? gradients : fifth == 3.0 ? moved : gathered;
}
