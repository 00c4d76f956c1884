#version 450
#extension GL_GOOGLE_include_directive : enable
#include "common.glsl"
layout(binding = 1) uniform sampler2D image;
layout(location = 0) in vec3 normal;
layout(location = 1) in vec2 uv;
layout(location = 0) out vec4 result;

void main() {
  vec3 n = normalize(normal);
  float light = max(dot(n, normalize(vec3(0.4, 0.8, 0.6))), 0.0);
  result = vec4(texture(image, uv).rgb * (0.2 + 0.7 * light) + 0.3 * pow(light, 24.0), 1);
}
