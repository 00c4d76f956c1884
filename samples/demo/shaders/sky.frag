#version 450
// A sky that is bright at the horizon, and the sun's glow. For OpenGL and for Vulkan.
layout(location = 0) in vec2 place;
layout(location = 0) out vec4 colour;

void main() {
  float height = clamp(place.y * 0.5 + 0.5 - 0.35, 0.0, 1.0);
  vec3 sky = mix(vec3(0.80, 0.84, 0.90), vec3(0.22, 0.42, 0.75), sqrt(height));
  float glow = exp(-3.0 * length(place - vec2(-0.9, 0.95)));
  colour = vec4(sqrt(clamp(sky + vec3(1.0, 0.8, 0.5) * 0.6 * glow, 0.0, 1.0)), 1);
}
