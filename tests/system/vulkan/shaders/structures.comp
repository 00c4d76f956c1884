#version 450
// Vector types in structures with padding.
//@ groups 4
//@ in float 1024 -10 10
//@ out float 512
layout(local_size_x = 32) in;
struct Item { vec3 p; float w; };
layout(binding = 0, std430) readonly buffer A { Item a[]; };
layout(binding = 1, std430) writeonly buffer C { vec4 c[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  c[i] = vec4(a[i].p.zxy * 2.0, a[i].w - 1.0);
}
