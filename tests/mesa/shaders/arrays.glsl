// Arrays indexed by values only known at run time: uniforms, temporaries, inputs, matrices.
// needs 330
// variants SMALL LARGE

-- vertex
in vec4 p, q[3];
in ivec4 k;
uniform vec4 table[40];
uniform mat4 m[3];
uniform float weights[20];
out vec4 f;
out vec4 g[4];
flat out ivec4 picked;
void main() {
  vec4 t[8];
  for (int i = 0; i < 8; i++) t[i] = p * float(i) + q[i % 3];
  t[k.x & 7] = table[k.y];
  t[k.y & 7].z += weights[k.z];
  vec4 a = t[k.z & 7] + m[k.w % 3] * p + m[1][k.x & 3] + p[k.x & 3];
#ifdef LARGE
  vec4 big[60];
  for (int i = 0; i < 60; i++) big[i] = a + float(i);
  big[k.x] = p;
  a += big[k.y] + big[k.z * 2 + 1];
  float scalars[9] = float[9](1., 3., 5., 2., 8., 4., 7., 6., 9.);
  a.x += scalars[k.w];
#endif
  f = transpose(m[0]) * a;
  for (int i = 0; i < 4; i++) g[i] = a.wzyx * float(i);
  g[k.x & 3] += 1.0;
  picked = k;
  gl_Position = inverse(m[2]) * f + determinant(m[1]);
}

-- fragment
in vec4 f;
in vec4 g[4];
flat in ivec4 picked;
uniform vec4 table[40];
uniform mat3 n[3];
uniform uint bits[6];
out vec4 colour;
void main() {
  vec4 a = g[picked.x & 3] + table[picked.y];
  vec4 t[6];
  for (int i = 0; i < 6; i++) t[i] = f * float(i);
  t[picked.z] = a;
  t[picked.w].yz = a.xw;
  a += t[picked.y & 3] + vec4(bits[picked.x & 3]);
  a.xyz = n[picked.x & 1] * a.xyz + outerProduct(a.xyz, a.yzw)[picked.y & 1];
  a[picked.z & 3] += 4.0;
#ifdef LARGE
  vec4 big[48];
  for (int i = 0; i < 48; i++) big[i] = a.yzwx - float(i) * f;
  big[picked.x] = f;
  for (int i = picked.y; i < picked.z; i++) a += big[i];
  int numbers[17];
  for (int i = 0; i < 17; i++) numbers[i] = picked.x * i;
  a.x += float(numbers[picked.w]);
#endif
  colour = a;
}
