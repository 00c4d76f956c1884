#version 450
// For OpenGL and for Vulkan.
layout(std140, binding = 0) uniform Uniforms {
  mat4 camera;
  vec4 eye, light;
  vec4 balls[4];
};
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal_in;
layout(location = 2) in vec2 uv_in;
layout(location = 3) in float layer_in;
layout(location = 0) out vec3 world;
layout(location = 1) out vec3 normal;
layout(location = 2) out vec3 uv;

void main() {
  world = position;
  normal = normal_in;
  uv = vec3(uv_in, layer_in);
  gl_Position = camera * vec4(position, 1);
}
