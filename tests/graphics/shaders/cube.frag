#version 450
#extension GL_GOOGLE_include_directive : enable
#include "common.glsl"
layout(binding = 1) uniform samplerCube image;
layout(location = 1) in vec2 uv;
layout(location = 0) out vec4 result;

void main() {
  float a = uv.x * 6.2831853, b = uv.y * 3.1415927;
  result = texture(image, vec3(sin(b) * cos(a), cos(b), sin(b) * sin(a)));
}
