// What the shaders of OpenGL and of Vulkan share: one block of numbers, whose meaning each scene decides.
#ifdef VULKAN
#define VERTEX gl_VertexIndex
#define INSTANCE gl_InstanceIndex
#else
#define VERTEX gl_VertexID
#define INSTANCE gl_InstanceID
#endif
layout(std140, binding = 0) uniform Values {
  mat4 matrix;
  mat4 second;
  vec4 v0, v1, v2, v3;
};
