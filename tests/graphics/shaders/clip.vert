#version 450
#extension GL_GOOGLE_include_directive : enable
#include "common.glsl"
layout(location = 0) in vec4 position;
layout(location = 1) in vec4 colour_in;
layout(location = 0) out vec4 colour;
out gl_PerVertex {
  vec4 gl_Position;
  float gl_ClipDistance[3];
};

void main() {
  colour = colour_in;
  gl_Position = matrix * position;
  gl_ClipDistance[0] = dot(position, v0);
  gl_ClipDistance[1] = dot(position, v1);
  gl_ClipDistance[2] = dot(position, v2);
}
