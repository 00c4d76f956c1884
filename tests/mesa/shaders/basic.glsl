// The smallest program: a triangle from gl_VertexID.
// needs 330

-- vertex
void main() { gl_Position = vec4(gl_VertexID & 1, gl_VertexID >> 1, 0.0, 1.0); }

-- fragment
out vec4 colour;
void main() { colour = gl_FragCoord * 0.125; }
