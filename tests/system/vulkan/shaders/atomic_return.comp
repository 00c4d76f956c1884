#version 450
// Values that atomics return: each is taken once.
//@ groups 8
//@ inout uint 1 0 0
//@ out uint 512
//@ unordered
layout(local_size_x = 64) in;
layout(binding = 0) buffer A { uint next; };
layout(binding = 1) writeonly buffer C { uint c[]; };
void main() { c[gl_GlobalInvocationID.x] = atomicAdd(next, 3); }
