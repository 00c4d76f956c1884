#version 450
#extension GL_GOOGLE_include_directive : enable
#include "common.glsl"
layout(location = 0) in vec4 position;
layout(location = 1) in vec4 colour_in;
layout(location = 0) out vec4 colour;

void main() {
  colour = colour_in;
  gl_Position = position;
}
