#version 450
// Atomics on an image.
//@ groups 16
//@ passes 2
//@ image scratch r32ui 2d 8 8
//@ out uint 64
layout(local_size_x = 64) in;
layout(binding = 0, r32ui) uniform uimage2D i;
layout(binding = 1) writeonly buffer C { uint c[]; };
layout(push_constant) uniform P { uint pass; };
void main() {
  uint g = gl_GlobalInvocationID.x;
  ivec2 p = ivec2(g & 7u, g >> 3 & 7u);
  if (pass == 0u) {
    if (g < 64u) imageAtomicExchange(i, p, g);
  } else {
    if (g < 64u) c[g] = imageAtomicAdd(i, p, 5u) + imageAtomicMax(i, p, 40u) * 1000u;
  }
}
