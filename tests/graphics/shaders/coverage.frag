#version 450
#extension GL_GOOGLE_include_directive : enable
#include "common.glsl"
// Shows which samples of its pixel are covered, a bit of the colour for each; blue is the number of them.
layout(location = 0) out vec4 result;

void main() {
  int mask = gl_SampleMaskIn[0];
  result = vec4(mask & 1, mask >> 1 & 1, float(bitCount(mask & 15)) / 4.0, 1);
}
