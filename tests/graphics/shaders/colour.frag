#version 450
#extension GL_GOOGLE_include_directive : enable
#include "common.glsl"
layout(location = 0) in vec4 colour;
layout(location = 0) out vec4 result;

void main() { result = colour; }
