#version 450
// Dispatches that depend on each other.
//@ groups 8
//@ passes 6
//@ inout uint 512 0 1000
layout(local_size_x = 64) in;
layout(binding = 0) buffer C { uint c[]; };
layout(push_constant) uniform P { uint pass; };
void main() {
  uint i = gl_GlobalInvocationID.x, o = i ^ (1u << pass);
  if (i < o) {
    uint x = c[i], y = c[o];
    c[i] = x * 3u + y, c[o] = y ^ x + pass;
  }
}
