#version 450
// A long straight-line shader.
//@ groups 4
//@ in uint 256 0 4000000000
//@ out uint 256
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer A { uint a[]; };
layout(binding = 1) writeonly buffer C { uint c[]; };
void main() {
  uint v = a[gl_GlobalInvocationID.x], w = v * 3u, x = ~v, y = v >> 7;
  // The compiler unrolls what it can count.
  for (uint i = 0u; i < 200u; ++i) {
    v += w ^ (x << 5 | x >> 27);
    w = (w ^ y) * (2u * i + 3u);
    y -= v ^ (i * 2654435761u);
    x += y >> (i & 7u);
  }
  c[gl_GlobalInvocationID.x] = v ^ w ^ x ^ y;
}
