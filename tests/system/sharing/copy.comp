#version 450
// The importer's work.
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer A { uint a[]; };
layout(binding = 1) writeonly buffer C { uint c[]; };
void main() { c[gl_GlobalInvocationID.x] = a[gl_GlobalInvocationID.x] + 1u; }
