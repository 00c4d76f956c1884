// Tessellation: control and evaluation shaders of every domain, barriers and patch variables.
// needs 430
// variants TRIANGLES QUADS ISOLINES

-- vertex
in vec4 p;
out vec4 v;
void main() { gl_Position = v = p; }

-- tessellation control
layout(vertices = 4) out;
in vec4 v[];
out vec4 w[];
patch out vec4 shared_value[3];
uniform mat4 m;
void main() {
  w[gl_InvocationID] = m * v[gl_InvocationID % 3] + v[(gl_InvocationID + 1) % 3];
  gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID % gl_PatchVerticesIn].gl_Position;
  barrier();
  if (gl_InvocationID == 0) {
    vec4 middle = w[0] + w[1] + w[2] + w[3];
    for (int i = 0; i < 4; i++) gl_TessLevelOuter[i] = clamp(length(w[i] - middle), 1.0, 64.0);
    gl_TessLevelInner[0] = gl_TessLevelInner[1] = middle.x;
    shared_value[gl_PrimitiveID % 3] = middle;
  }
}

-- tessellation evaluation
#ifdef TRIANGLES
layout(triangles, equal_spacing, ccw) in;
#elif defined(QUADS)
layout(quads, fractional_odd_spacing, cw) in;
#else
layout(isolines, fractional_even_spacing) in;
#endif
in vec4 w[];
patch in vec4 shared_value[3];
uniform mat4 m;
out vec4 f;
void main() {
  f = mix(mix(w[0], w[1], gl_TessCoord.x), mix(w[2], w[3], gl_TessCoord.x), gl_TessCoord.y) + shared_value[1];
  f += gl_TessLevelOuter[2] * gl_TessCoord.z + gl_TessLevelInner[1];
  gl_Position = m * f + gl_in[gl_PrimitiveID & 3].gl_Position;
}

-- fragment
in vec4 f;
out vec4 colour;
void main() { colour = f; }
