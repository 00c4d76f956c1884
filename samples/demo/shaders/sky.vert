#version 450
// The background: one triangle that covers the picture, as far away as can be. For OpenGL and for Vulkan.
layout(location = 0) out vec2 place;
#ifdef VULKAN
#define VERTEX gl_VertexIndex
#else
#define VERTEX gl_VertexID
#endif

void main() {
  vec2 corner = vec2(VERTEX == 1 ? 3.0 : -1.0, VERTEX == 2 ? 3.0 : -1.0);
  place = corner;
#ifdef VULKAN
  place.y = -place.y;
#endif
  gl_Position = vec4(corner, 1.0, 1.0);
}
