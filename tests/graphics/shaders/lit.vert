#version 450
#extension GL_GOOGLE_include_directive : enable
#include "common.glsl"
// The colour's place in the vertex holds the normal.
layout(location = 0) in vec4 position;
layout(location = 1) in vec4 normal_in;
layout(location = 2) in vec2 uv_in;
layout(location = 0) out vec3 normal;
layout(location = 1) out vec2 uv;
layout(location = 2) out vec4 in_light;

void main() {
  normal = mat3(second) * normal_in.xyz, uv = uv_in;
  in_light = second * position;
  gl_Position = matrix * position;
}
