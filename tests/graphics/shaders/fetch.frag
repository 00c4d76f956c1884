#version 450
#extension GL_GOOGLE_include_directive : enable
#include "common.glsl"
// Quarters of the picture: a layer of an array, a slice of a volume, single texels, the sizes.
layout(binding = 1) uniform sampler2DArray layers;
layout(binding = 2) uniform sampler3D volume;
layout(location = 1) in vec2 uv;
layout(location = 0) out vec4 result;

void main() {
  float quarter = floor(uv.x * 4.0);
  vec2 at = vec2(fract(uv.x * 4.0), uv.y);
  if (quarter == 0.0) result = texture(layers, vec3(at, floor(uv.y * 4.0)));
  else if (quarter == 1.0) result = texture(volume, vec3(at, uv.y));
  else if (quarter == 2.0) result = texelFetch(layers, ivec3(at * 32.0, 2), 0);
  else result = vec4(vec3(textureSize(volume, 0)) / 64.0, 1.0);
}
