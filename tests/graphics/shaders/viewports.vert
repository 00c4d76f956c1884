#version 450
#extension GL_GOOGLE_include_directive : enable
#include "common.glsl"
#extension GL_ARB_shader_viewport_layer_array : require
layout(location = 0) in vec4 position;
layout(location = 1) in vec4 colour_in;
layout(location = 0) out vec4 colour;

void main() {
  colour = vec4(colour_in.rgb * (0.25 + 0.25 * float(INSTANCE)), 1);
  gl_Position = matrix * position;
  gl_ViewportIndex = INSTANCE;
}
