#version 450
#extension GL_GOOGLE_include_directive : enable
#include "common.glsl"
// One vertex per row of the picture; each attribute becomes a column of it (location 0 places the point).
layout(location = 0) in vec4 position;
layout(location = 1) in vec4 value;
layout(location = 0) out vec4 colour;

void main() {
  colour = abs(value) * v0;
  gl_Position = position;
  gl_PointSize = 8.0;
}
