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
  if (fifth == 0.0) result = textureLod(image, at, uv.x * 6.0);
  else if (fifth == 1.0) result = texture(image, at, floor(uv.x * 4.0));
  else if (fifth == 2.0) result = textureGrad(image, at, vec2(uv.x * 0.2, 0), vec2(0, uv.x * 0.1));
  else if (fifth == 3.0) result = textureOffset(image, at, ivec2(3, -2));
  else result = textureGather(image, at, 1);
}
