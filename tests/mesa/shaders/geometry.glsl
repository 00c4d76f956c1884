// Geometry shaders of every input and output topology; on Gen6 these run in the vec4 (Align16) back end.
// needs 330
// variants TRIANGLES LINES POINTS ADJACENCY LOOP

-- vertex
in vec4 p;
uniform mat4 m;
out vec4 v;
flat out int k;
void main() {
  v = m * p;
  k = gl_VertexID * 3;
  gl_Position = v.yxwz;
}

-- geometry
layout(triangles) in;
#ifdef TRIANGLES
layout(triangle_strip, max_vertices = 6) out;
#elif defined(LINES)
layout(line_strip, max_vertices = 12) out;
#elif defined(POINTS)
layout(points, max_vertices = 3) out;
#else
layout(triangle_strip, max_vertices = 30) out;
#endif
in vec4 v[3];
flat in int k[3];
uniform mat4 m;
uniform int limit;
uniform vec4 table[8];
out vec4 f;
flat out ivec2 n;
void main() {
#ifdef LOOP
  for (int i = 0; i < limit; i++) {
    for (int j = 0; j < 3; j++) {
      f = v[j] * table[i] + gl_in[(j + i) % 3].gl_Position;
      n = ivec2(k[j], i * j);
      gl_Position = m * f;
      if (f.x < 0.0) continue;
      gl_Layer = i;
      gl_PrimitiveID = gl_PrimitiveIDIn + i;
      EmitVertex();
      if (f.y > 100.0) break;
    }
    EndPrimitive();
  }
#else
  for (int j = 0; j < 3; j++) {
    f = normalize(v[j]) + cross(v[0].xyz, v[1].xyz).xyzx * table[j];
    n = ivec2(k[j] >> 1, k[0] & 255);
    gl_Position = gl_in[j].gl_Position * m;
    gl_PointSize = f.x;
    EmitVertex();
#ifdef LINES
    gl_Position = -gl_Position;
    f = f.wzyx;
    n = n.yx;
    EmitVertex();
    EndPrimitive();
#endif
  }
#ifdef ADJACENCY
  if (v[0].x > v[1].x) {
    EndPrimitive();
    for (int j = 2; j >= 0; j--) {
      gl_Position = gl_in[j].gl_Position + vec4(sin(v[j].x), cos(v[j].y), exp2(v[j].z), float(k[j]));
      f = vec4(k[0], k[1], k[2], limit);
      n = ivec2(j);
      gl_Layer = j;
      EmitVertex();
    }
  }
#endif
#endif
}

-- fragment
in vec4 f;
flat in ivec2 n;
out vec4 colour;
void main() { colour = f + vec4(n, gl_PrimitiveID, 1.0); }
