#version 450
// As the kernel of this name in ../opencl/kernels.cl.
//@ groups 4097
//@ in float 1048832 0.5 2.5
//@ in float 1048832 0.5 2.5
//@ in float 1048832 0.5 2.5
//@ out float 1048832
//@ out float 1048832
//@ near 4e-6
//@ work 1048832 options of 90 flops
layout(local_size_x = 256) in;
layout(binding = 0) readonly buffer S { float s[]; };
layout(binding = 1) readonly buffer X { float x[]; };
layout(binding = 2) readonly buffer T { float t[]; };
layout(binding = 3) writeonly buffer Call { float call[]; };
layout(binding = 4) writeonly buffer Put { float put[]; };
float normal(float v) {
  float k = 1.0 / (1.0 + 0.2316419 * abs(v));
  float w = k * (0.31938153 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))));
  float r = 0.39894228 * exp(-0.5 * v * v) * w;
  return v < 0 ? r : 1.0 - r;
}
void main() {
  uint i = gl_GlobalInvocationID.x;
  const float rate = 0.02, volatility = 0.3;
  float root = sqrt(t[i]);
  float d1 = (log(s[i] / x[i]) + (rate + 0.5 * volatility * volatility) * t[i]) / (volatility * root);
  float d2 = d1 - volatility * root, e = x[i] * exp(-rate * t[i]);
  call[i] = s[i] * normal(d1) - e * normal(d2);
  put[i] = e * normal(-d2) - s[i] * normal(-d1);
}
