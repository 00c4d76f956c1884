#version 450
// A tiled image written in one pass and read in the next, past its edges too.
//@ groups 5 5
//@ passes 2
//@ image scratch rgba32f 2d 37 35
//@ out float 6400
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0, rgba32f) uniform image2D i;
layout(binding = 1) writeonly buffer C { vec4 c[]; };
layout(push_constant) uniform P { uint pass; };
void main() {
  ivec2 p = ivec2(gl_GlobalInvocationID.xy);
  if (pass == 0u) {
    imageStore(i, p, vec4(p, p.x * p.y, 1.0));
  } else {
    ivec2 q = ivec2(36 - p.x, p.y);
    c[p.y * 40 + p.x] = q.x >= 0 && q.y < 35 ? imageLoad(i, q) : vec4(imageSize(i), 0, 0);
  }
}
