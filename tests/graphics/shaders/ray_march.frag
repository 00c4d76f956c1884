#version 450
#extension GL_GOOGLE_include_directive : enable
#include "common.glsl"
// Spheres in a row that never ends, found by walking along the ray: a shader that computes far more than it writes.
layout(location = 1) in vec2 uv;
layout(location = 0) out vec4 result;

float distance_to(vec3 p) {
  vec3 q = mod(p, 4.0) - 2.0;
  return length(q) - 0.8 + 0.1 * sin(5.0 * p.x) * sin(5.0 * p.y);
}

void main() {
  vec3 ray = normalize(vec3(uv * 2.0 - 1.0, 1.5)), p = vec3(0.0, 0.0, -3.0);
  float walked = 0.0;
  int steps = 0;
  for (; steps < 48 && walked < 30.0; ++steps) {
    float d = distance_to(p + ray * walked);
    if (d < 0.01) break;
    walked += d * 0.7;
  }
  result = vec4(vec3(1.0 - float(steps) / 48.0) * exp(-walked * 0.08), 1.0);
}
