#version 450
#extension GL_GOOGLE_include_directive : enable
#include "common.glsl"
layout(binding = 1) uniform usampler2D image;
layout(location = 1) in vec2 uv;
layout(location = 0) out uvec4 result;

void main() {
  uvec4 t = texture(image, uv);
  result = uvec4(t.x * 3u + t.y, t.z ^ t.w, bitfieldReverse(t.x), uint(gl_FragCoord.x) << 16 | uint(gl_FragCoord.y));
}
