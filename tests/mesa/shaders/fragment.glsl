// What only fragment shaders have: interpolation qualifiers, derivatives, built-in inputs, depth output, many colours.
// needs 330
// variants QUALIFIERS DERIVATIVES BUILTINS DEPTH MRT

-- vertex
in vec4 p;
uniform vec4 plane[6];
out vec4 f;
flat out vec4 fl;
noperspective out vec4 np;
centroid out vec4 ce;
noperspective centroid out vec4 nc;
out float gl_ClipDistance[6];
void main() {
  for (int i = 0; i < 6; i++) gl_ClipDistance[i] = dot(p, plane[i]);
  f = p;
  fl = p.wzyx;
  np = p * 2.0;
  ce = p + float(gl_InstanceID);
  nc = p - float(gl_VertexID);
  gl_PointSize = p.x;
  gl_Position = p;
}

-- fragment
in vec4 f;
flat in vec4 fl;
noperspective in vec4 np;
centroid in vec4 ce;
noperspective centroid in vec4 nc;
in float gl_ClipDistance[6];
uniform vec4 s;
#ifdef MRT
layout(location = 0) out vec4 colour;
layout(location = 1) out vec4 c1;
layout(location = 2) out vec4 c2;
layout(location = 3) out ivec4 c3;
layout(location = 4) out uvec2 c4;
layout(location = 5) out float c5;
#else
out vec4 colour;
#endif
void main() {
  vec4 a = f;
#ifdef QUALIFIERS
  a = a * fl + np - ce * nc + gl_ClipDistance[0] + gl_ClipDistance[5];
#endif
#ifdef DERIVATIVES
  a += dFdx(f) + dFdy(np) * fwidth(ce) + dFdx(a.x * a.y) - dFdy(exp2(a.z));
#endif
#ifdef BUILTINS
  a += gl_FragCoord + vec4(gl_PointCoord, float(gl_PrimitiveID), gl_FrontFacing ? 1.0 : -1.0);
  if (!gl_FrontFacing) a *= s;
#endif
#ifdef DEPTH
  gl_FragDepth = a.x * s.x + gl_FragCoord.z;
  if (a.w > s.w) discard;
#endif
  colour = a;
#ifdef MRT
  c1 = a.yzwx;
  c2 = clamp(a * s, 0.0, 1.0);
  c3 = ivec4(a);
  c4 = uvec2(a.xy);
  c5 = a.x;
#endif
}
