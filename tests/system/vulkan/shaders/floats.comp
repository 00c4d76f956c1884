#version 450
// Arithmetic that must be exact, and conversions.
//@ groups 16
//@ in float 1024 -1000 1000
//@ out float 1024
//@ out int 1024
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer A { float a[]; };
layout(binding = 1) writeonly buffer C { float c[]; };
layout(binding = 2) writeonly buffer D { int d[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  float x = a[i];
  c[i] = floor(x) + ceil(x * 0.5) * 2.0 + trunc(x) - abs(x) + clamp(x, -3.0, 5.0) + max(x, 1.5) + sign(x) * 4.0;
  d[i] = int(x) + (x < 10.0 ? 1 : 0) * 5000 + floatBitsToInt(x) / 7;
}
