#version 450
#extension GL_GOOGLE_include_directive : enable
#include "common.glsl"
// Shows the four samples of a multisampled image in the quarters of the picture.
layout(binding = 1) uniform sampler2DMS image;
layout(location = 1) in vec2 uv;
layout(location = 0) out vec4 result;

void main() {
  ivec2 quarter = ivec2(uv * 2.0);
  result = texelFetch(image, ivec2(fract(uv * 2.0) * vec2(textureSize(image)) + 0.25), quarter.y * 2 + quarter.x);
}
