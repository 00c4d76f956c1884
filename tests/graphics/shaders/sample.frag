#version 450
#extension GL_GOOGLE_include_directive : enable
#include "common.glsl"
// Runs once for each sample, and tells which one it is.
layout(location = 0) in vec4 colour;
layout(location = 0) out vec4 result;

void main() {
  const vec3 tones[4] = vec3[](vec3(1, 0, 0), vec3(0, 1, 0), vec3(0, 0, 1), vec3(1, 1, 1));
  result = vec4(interpolateAtSample(colour, gl_SampleID).rgb * 0.5 + tones[gl_SampleID & 3] * 0.5, 1);
}
