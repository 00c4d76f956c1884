#version 450
// The exporter's work: slow enough that an importer that does not wait sees too little.
layout(local_size_x = 64) in;
layout(binding = 0) buffer C { uint c[]; };
void main() {
  uint i = gl_GlobalInvocationID.x, v = i;
  for (uint k = 0; k < 3000u; ++k) v = v * 1664525u + 1013904223u;
  c[i] = v;
}
