#version 450
// Filtered samples of a texture whose levels the first dispatch fills: the mean of eight, at places beside each other
// or anywhere. Its rows are all combinations of what stands behind `variants`. Weights of 8 bits in three directions,
// and texels of 8 bits that lavapipe filters as such, give the difference that there may be.
//@ variants FILTER bilinear trilinear
//@ variants PLACES coherent random
//@ variants FORMAT rgba8 rgba16f r32f
//@ groups 33 33
//@ texture $FORMAT 2d 512 512 1 repeat linear 10
//@ levels
//@ out float 1115136
//@ near 0.008
//@ work 2230272 samples
layout(local_size_x = 16, local_size_y = 16) in;
layout(constant_id = 0) const bool first = false;
layout(binding = 0) uniform sampler2D t;
layout(binding = 1, $FORMAT) writeonly uniform image2D levels[10];
layout(binding = 2) writeonly buffer C { vec4 c[]; };
const bool is_bilinear = false, is_trilinear = true, is_coherent = false, is_random = true;

uint hash(uint n) {
  n *= 0x9E3779B1u;
  n = (n ^ n >> 15) * 0x85EBCA77u;
  return n ^ n >> 13;
}
vec2 fractions(uint h) { return vec2(h & 0xFFFFu, h >> 16) * (1.0 / 65536.0); }

void main() {
  ivec2 p = ivec2(gl_GlobalInvocationID.xy);
  uint n = gl_GlobalInvocationID.y * 528u + gl_GlobalInvocationID.x;
  if (first) {
    for (int l = 0; l < 10; ++l)
      if (max(p.x, p.y) < 512 >> l) imageStore(levels[l], p, vec4(fractions(hash(n)), fractions(hash(n + 7u * l))));
    return;
  }
  vec4 sum = vec4(0);
  for (int i = 0; i < 8; ++i) {
    uint h = hash(n * 8u + i);
    vec2 place = is_$PLACES ? fractions(h) : (vec2(p) + 0.37 * vec2(i & 3, i >> 2)) / 512.0;
    float level = !is_$FILTER ? 0.0 : is_$PLACES ? (h >> 10 & 1023u) / 160.0 : 0.3 + 0.45 * i;
    sum += textureLod(t, place, level);
  }
  c[n] = sum / 8.0;
}
