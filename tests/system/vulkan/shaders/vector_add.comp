#version 450
// A vector sum whose length does not divide by the group.
//@ groups 16
//@ in float 1000 -100 100
//@ in float 1000 -100 100
//@ out float 1000
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer A { float a[]; };
layout(binding = 1) readonly buffer B { float b[]; };
layout(binding = 2) writeonly buffer C { float c[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i < c.length()) c[i] = a[i] * 2.0 + b[i];
}
