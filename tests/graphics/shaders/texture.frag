#version 450
#extension GL_GOOGLE_include_directive : enable
#include "common.glsl"
// v0: how many times it repeats, and where it begins.
layout(binding = 1) uniform sampler2D image;
layout(location = 1) in vec2 uv;
layout(location = 0) out vec4 result;

void main() { result = texture(image, uv * v0.xy + v0.zw); }
