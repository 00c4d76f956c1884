#version 450
// Transcendental functions, within the precision Vulkan asks for.
//@ groups 16
//@ in float 1024 0.1 3
//@ out float 1024
//@ out float 1024
//@ out float 1024
//@ tolerance 4096
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer A { float a[]; };
layout(binding = 1) writeonly buffer C { float c[]; };
layout(binding = 2) writeonly buffer D { float d[]; };
layout(binding = 3) writeonly buffer E { float e[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  float x = a[i];
  c[i] = sin(x) + cos(x) + 3.0;
  d[i] = exp2(x) + log2(x + 2.0);
  e[i] = sqrt(x) + inversesqrt(x) + pow(x, 1.7) + 1.0 / x;
}
