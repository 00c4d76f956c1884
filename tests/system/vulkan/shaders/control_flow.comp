#version 450
// Loops and branches that diverge.
//@ groups 16
//@ in uint 1024 0 4000000000
//@ out uint 1024
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer A { uint a[]; };
layout(binding = 1) writeonly buffer C { uint c[]; };
void main() {
  uint v = a[gl_GlobalInvocationID.x], r = 0;
  for (uint i = 0; i < (v & 31u); ++i) {
    uint k = v >> i;
    if ((k & 1u) == 0u) continue;
    do {
      r += k & 7u;
      k >>= 3;
      if (r > 300u) break;
    } while (k > 5u);
    if ((r & 64u) != 0u) break;
    switch (r % 5u) {
      case 0u: r += 3u; break;
      case 1u: r ^= i; break;
      case 3u: r *= 3u;
      default: r += 1u;
    }
  }
  c[gl_GlobalInvocationID.x] = r;
}
