#version 310 es
precision highp float;
precision highp int;
// Divergent loops in several dependent passes.
//@ groups 16
//@ passes 4
//@ inout uint 1024 1 4000000000
uniform uint pass;
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer C { uint c[]; };
void main() {
  uint n = c[gl_GlobalInvocationID.x] % 5000u + 1u, steps = 0u;
  while (n != 1u && steps < 200u) {
    n = (n & 1u) == 1u ? 3u * n + 1u : n / 2u;
    ++steps;
  }
  c[gl_GlobalInvocationID.x] = c[gl_GlobalInvocationID.x] * 31u + steps * (pass + 1u);
}
