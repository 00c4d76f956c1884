#version 450
// As the kernel of this name in ../opencl/kernels.cl. Counts at the border of the set hang on one rounding.
//@ groups 33 33
//@ out uint 278784
//@ push int 528
//@ push int 528
//@ but 0.01
//@ work 19573248 iterations of 8 flops
layout(local_size_x = 16, local_size_y = 16) in;
layout(binding = 0) writeonly buffer C { uint c[]; };
layout(push_constant) uniform Push { int width, height; };
void main() {
  int px = int(gl_GlobalInvocationID.x), py = int(gl_GlobalInvocationID.y);
  float x0 = px * 3.0 / width - 2.0, y0 = py * 2.0 / height - 1.0, x = 0, y = 0;
  uint n = 0;
  while (n < 256 && x * x + y * y < 4.0) {
    float t = x * x - y * y + x0;
    y = 2 * x * y + y0;
    x = t;
    ++n;
  }
  c[py * width + px] = n;
}
