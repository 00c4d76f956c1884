#version 450
#extension GL_GOOGLE_include_directive : enable
#include "common.glsl"
// Thirds of the picture: perspective, the provoking vertex's value, and linear on the screen.
layout(location = 0) in vec4 colour;
layout(location = 2) flat in vec4 first;
layout(location = 3) noperspective in vec4 straight;
layout(location = 0) out vec4 result;

void main() { result = gl_FragCoord.x < v0.x ? colour : gl_FragCoord.x < v0.y ? first : straight; }
