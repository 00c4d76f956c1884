// Two colours for one render target (dual-source blending).
// needs 330

-- vertex
in vec4 p;
out vec4 f;
void main() { gl_Position = f = p; }

-- fragment
in vec4 f;
uniform vec4 s;
layout(location = 0, index = 0) out vec4 colour;
layout(location = 0, index = 1) out vec4 factor;
void main() {
  colour = f * s;
  factor = f.wzyx + s;
}
