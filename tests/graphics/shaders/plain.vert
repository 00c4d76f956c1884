#version 450
#extension GL_GOOGLE_include_directive : enable
#include "common.glsl"
layout(location = 0) in vec4 position;
layout(location = 1) in vec4 colour_in;
layout(location = 2) in vec2 uv_in;
layout(location = 0) out vec4 colour;
layout(location = 1) out vec2 uv;
layout(location = 2) flat out vec4 first;
layout(location = 3) noperspective out vec4 straight;

void main() {
  colour = colour_in, uv = uv_in, first = colour_in, straight = colour_in;
  gl_Position = matrix * position;
  gl_PointSize = 1.0;
}
