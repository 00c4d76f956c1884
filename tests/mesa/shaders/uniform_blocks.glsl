// Uniform blocks: constant and indirect offsets, every component type, arrays of blocks, matrices of both majors.
// needs 330

-- vertex
layout(std140) uniform A { vec4 v; ivec4 i; uvec4 u; bool flag; mat4 columns; layout(row_major) mat3x4 rows; vec4 table[64]; };
layout(std140) uniform B { float scalars[32]; vec3 threes[16]; } b;
in vec4 p;
in ivec4 k;
out vec4 f;
void main() {
  vec4 a = v * p + vec4(i) - vec4(u) + columns * p + rows * p.xyz + table[k.x] + table[63];
  if (flag) a += b.scalars[k.y] * b.threes[k.z].xyzx;
  f = a;
  gl_Position = a + table[k.w].wzyx;
}

-- fragment
layout(std140) uniform A { vec4 v; ivec4 i; uvec4 u; bool flag; mat4 columns; layout(row_major) mat3x4 rows; vec4 table[64]; };
layout(std140) uniform C { vec4 x[256]; } blocks[3];
in vec4 f;
out vec4 colour;
void main() {
  int k = int(f.x);
  vec4 a = v * f + vec4(i) - vec4(u) + columns * f + rows * f.xyz + table[k];
  a += blocks[0].x[200] + blocks[1].x[k + 3] + blocks[2].x[i.x];
  if (flag) a -= blocks[2].x[255];
  colour = a;
}
