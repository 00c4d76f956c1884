#version 450
#extension GL_GOOGLE_include_directive : enable
#include "common.glsl"
layout(location = 0) in vec4 colour;
layout(location = 0, index = 0) out vec4 result;
layout(location = 0, index = 1) out vec4 factor;

void main() { result = colour, factor = vec4(colour.gbr, 0.5); }
