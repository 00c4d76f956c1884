#version 450
// Every integer atomic on a buffer.
//@ groups 16
//@ in int 1024 -2000000000 2000000000
//@ inout int 16 -2000000000 2000000000
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer A { int a[]; };
layout(binding = 1) buffer C { int c[]; };
layout(binding = 1) buffer D { uint d[]; };
void main() {
  int v = a[gl_GlobalInvocationID.x];
  atomicAdd(c[0], v);
  atomicMin(c[1], v);
  atomicMax(c[2], v);
  atomicAnd(c[3], v | 0x01010101);
  atomicOr(c[4], v & 0x10101010);
  atomicXor(c[5], v);
  atomicMin(d[6], uint(v));
  atomicMax(d[7], uint(v));
  atomicAdd(c[8], 1);
  atomicAdd(c[9], -1);
  atomicCompSwap(d[10], 0xFFFFFFFFu, 7u);
}
