#version 450
// As the kernel of this name in ../opencl/kernels.cl.
//@ groups 9
//@ in float 9216 0.5 2.5
//@ out float 9216
//@ push int 2304
//@ near 0.002
//@ work 5308416 interactions of 19 flops
layout(local_size_x = 256) in;
layout(binding = 0) readonly buffer P { vec4 p[]; };
layout(binding = 1) writeonly buffer A { vec4 a[]; };
layout(push_constant) uniform Push { int n; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  vec4 me = p[i];
  vec3 sum = vec3(0);
  for (int k = 0; k < n; ++k) {
    vec4 other = p[k];
    vec3 d = other.xyz - me.xyz;
    float r = inversesqrt(dot(d, d) + 0.01);
    sum += d * (other.w * r * r * r);
  }
  a[i] = vec4(sum, 0);
}
