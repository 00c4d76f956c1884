#version 450
#extension GL_GOOGLE_include_directive : enable
#include "common.glsl"
layout(binding = 1) uniform sampler2DShadow depths;
layout(location = 0) in vec3 normal;
layout(location = 2) in vec4 in_light;
layout(location = 0) out vec4 result;

void main() {
  float seen = texture(depths, in_light.xyz * vec3(0.5, 0.5, 1.0) + vec3(0.5, 0.5, -0.01));
  result = vec4(vec3(0.2) + vec3(0.7, 0.6, 0.4) * seen, 1);
}
