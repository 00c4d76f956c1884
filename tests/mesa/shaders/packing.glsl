// Packing functions, bit fields and double-width multiplication.
// needs 330

-- vertex
#extension GL_ARB_shading_language_packing : require
#extension GL_ARB_gpu_shader5 : enable
in vec4 p;
in uvec4 q;
out vec4 f;
flat out uvec4 n;
void main() {
  n = uvec4(packUnorm2x16(p.xy), packSnorm2x16(p.zw), packUnorm4x8(p), packSnorm4x8(p.wzyx));
  n.x += packHalf2x16(p.yz);
  f = vec4(unpackUnorm2x16(q.x), unpackSnorm2x16(q.y)) + unpackUnorm4x8(q.z) + unpackSnorm4x8(q.w);
  f.zw += unpackHalf2x16(q.x ^ q.y);
  gl_Position = f;
}

-- fragment
#extension GL_ARB_shading_language_packing : require
in vec4 f;
flat in uvec4 n;
out vec4 colour;
void main() {
  uvec4 w = uvec4(packUnorm2x16(f.xy), packSnorm2x16(f.zw), packUnorm4x8(f), packSnorm4x8(f.wzyx));
  w.x += packHalf2x16(f.yz);
  vec4 a = vec4(unpackUnorm2x16(n.x), unpackSnorm2x16(n.y)) + unpackUnorm4x8(n.z) + unpackSnorm4x8(n.w);
  a.zw += unpackHalf2x16(n.x ^ n.y);
  colour = a + vec4(w);
}
