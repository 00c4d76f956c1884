#version 450
// Double precision.
//@ groups 8
//@ in double 512 -1000 1000
//@ out double 512
//@ tolerance 2
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer A { double a[]; };
layout(binding = 1) writeonly buffer C { double c[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  double x = a[i];
  c[i] = fma(x, x, 0.25lf) + double(float(x)) - double(int(x)) + abs(x);
}
