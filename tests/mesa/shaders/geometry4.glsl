// Geometry shaders beyond OpenGL 3.3: instances, streams, adjacency inputs, clip and cull distances.
// needs 450

-- vertex
in vec4 p;
out vec4 v;
void main() {
  gl_Position = v = p;
  gl_ClipDistance[0] = p.x;
  gl_CullDistance[0] = p.y;
}

-- geometry
layout(triangles, invocations = 4) in;
layout(triangle_strip, max_vertices = 9) out;
in vec4 v[];
uniform mat4 m[4];
out vec4 f;
void main() {
  for (int i = 0; i < 3; i++) {
    f = m[gl_InvocationID] * v[i];
    gl_Position = f + gl_in[i].gl_Position;
    gl_ClipDistance[0] = gl_in[i].gl_ClipDistance[0];
    gl_CullDistance[0] = gl_in[i].gl_CullDistance[0] * 2.0;
    gl_Layer = gl_InvocationID;
    gl_ViewportIndex = i;
    EmitVertex();
  }
  EndPrimitive();
}

-- fragment
in vec4 f;
out vec4 colour;
void main() { colour = f + float(gl_Layer + gl_ViewportIndex); }
