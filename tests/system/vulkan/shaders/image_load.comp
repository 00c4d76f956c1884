#version 450
// Loads from linear images of several formats.
//@ groups 4 4
//@ image in rgba32f 2d 32 32
//@ image in rgba8ui 2d 32 32
//@ image in r32ui 2d 32 32
//@ image in rgba16f 2d 32 32
//@ out float 4096
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0, rgba32f) readonly uniform image2D i;
layout(binding = 1, rgba8ui) readonly uniform uimage2D j;
layout(binding = 2, r32ui) readonly uniform uimage2D k;
layout(binding = 3, rgba16f) readonly uniform image2D l;
layout(binding = 4) writeonly buffer C { vec4 c[]; };
void main() {
  ivec2 p = ivec2(gl_GlobalInvocationID.xy);
  c[p.y * 32 + p.x] = imageLoad(i, p) + vec4(imageLoad(j, p.yx)) + float(imageLoad(k, p).x & 0xFFFFu) + imageLoad(l, p);
}
