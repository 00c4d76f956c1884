#version 450
#extension GL_GOOGLE_include_directive : enable
#include "common.glsl"
// What a pixel can do: discard, depth of its own, derivatives.
layout(location = 0) in vec4 colour;
layout(location = 1) in vec2 uv;
layout(location = 0) out vec4 result;

void main() {
  vec2 cell = fract(uv * 8.0) - 0.5;
  float ring = length(cell);
  if (ring < v0.x) discard;
  gl_FragDepth = clamp(gl_FragCoord.z + 0.3 * sin(uv.x * 20.0), 0.0, 1.0);
  result = vec4(colour.rgb * 0.6 + 0.4 * vec3(abs(dFdxFine(uv.x)), abs(dFdyFine(uv.y)), fwidthFine(ring)) * 16.0, 1);
}
