#version 450
#extension GL_GOOGLE_include_directive : enable
#include "common.glsl"
// Location 3 comes once for each instance.
layout(location = 0) in vec4 position;
layout(location = 1) in vec4 colour_in;
layout(location = 3) in vec4 place;
layout(location = 0) out vec4 colour;

void main() {
  float tone = float(INSTANCE % 7) / 6.0;
  colour = vec4(mix(colour_in.rgb, vec3(tone, 1.0 - tone, 0.5), 0.6), 1);
  gl_Position = vec4(position.xy * place.z + place.xy, 0, 1);
}
