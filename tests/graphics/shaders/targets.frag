#version 450
#extension GL_GOOGLE_include_directive : enable
#include "common.glsl"
layout(location = 0) in vec4 colour;
layout(location = 1) in vec2 uv;
layout(location = 0) out vec4 result;
layout(location = 1) out vec4 inverse;
layout(location = 2) out uvec4 numbers;
layout(location = 3) out ivec4 signs;

void main() {
  result = colour;
  inverse = vec4(4.0 * uv, -2.0 * uv.x, 1.5);
  numbers = uvec4(gl_FragCoord.xy, uint(gl_FrontFacing), 70000u);
  signs = ivec4(-int(gl_FragCoord.x), int(gl_FragCoord.y) - 100, gl_PrimitiveID, -70000);
}
