#version 450
// A tiled volume and a tiled array of layers.
//@ groups 3 3 6
//@ passes 2
//@ image scratch rgba8ui 3d 12 12 6
//@ image scratch r32f 2da 12 12 6
//@ out uint 864
//@ out float 864
layout(local_size_x = 4, local_size_y = 4) in;
layout(binding = 0, rgba8ui) uniform uimage3D i;
layout(binding = 1, r32f) uniform image2DArray j;
layout(binding = 2) writeonly buffer C { uint c[]; };
layout(binding = 3) writeonly buffer D { float d[]; };
layout(push_constant) uniform P { uint pass; };
void main() {
  ivec3 p = ivec3(gl_GlobalInvocationID);
  if (pass == 0u) {
    imageStore(i, p, uvec4(p, 9));
    imageStore(j, p, vec4(p.x * 100 + p.y * 10 + p.z));
  } else {
    ivec3 q = ivec3(11 - p.x, p.y, 5 - p.z);
    uvec4 t = imageLoad(i, q);
    uint at = (p.z * 12 + p.y) * 12 + p.x;
    c[at] = t.x | t.y << 8 | t.z << 16 | t.w << 24;
    d[at] = imageLoad(j, q).x;
  }
}
