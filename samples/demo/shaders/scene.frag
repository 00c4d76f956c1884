#version 450
// A sun that casts shadows of the balls, a sky, and mist in the distance. For OpenGL and for Vulkan.
layout(std140, binding = 0) uniform Uniforms {
  mat4 camera;
  vec4 eye, light;
  vec4 balls[4];
};
layout(binding = 1) uniform sampler2DArray materials;
layout(location = 0) in vec3 world;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec3 uv;
layout(location = 0) out vec4 colour;

vec3 sky(vec3 direction) {
  float height = clamp(direction.y, 0.0, 1.0);
  return mix(vec3(0.80, 0.84, 0.90), vec3(0.22, 0.42, 0.75), sqrt(height)) +
         vec3(1.0, 0.8, 0.5) * 0.6 * pow(max(dot(direction, light.xyz), 0.0), 32.0);
}

// How much of the sun is seen past the balls: soft at the edges, softer with the distance.
float sunlight() {
  float seen = 1.0;
  for (int i = 0; i < 4; ++i) {
    vec3 to = balls[i].xyz - world;
    float along = dot(to, light.xyz);
    if (along > 0.0 && length(to) > balls[i].w * 1.01) {
      float off = sqrt(max(dot(to, to) - along * along, 0.0));
      seen *= smoothstep(-0.06 * along, 0.10 * along, off - balls[i].w);
    }
  }
  return seen;
}

// Open sky above, less of it where a ball stands close by.
float openness(vec3 n) {
  float open = 1.0;
  for (int i = 0; i < 4; ++i) {
    vec3 to = balls[i].xyz - world;
    float distance2 = max(dot(to, to), balls[i].w * balls[i].w * 1.02);
    open *= 1.0 - 0.8 * max(dot(n, to * inversesqrt(distance2)), 0.0) * balls[i].w * balls[i].w / distance2;
  }
  return open;
}

void main() {
  vec3 n = normalize(normal), towards = normalize(eye.xyz - world);
  vec3 material = texture(materials, uv).rgb;
  material *= material;
  float sun = max(dot(n, light.xyz), 0.0) * sunlight();
  vec3 halfway = normalize(light.xyz + towards);
  float gloss = uv.z < 0.5 ? 0.15 : 0.9;
  float shine = pow(max(dot(n, halfway), 0.0), uv.z < 0.5 ? 40.0 : 90.0) * gloss * sign(sun);
  float rim = pow(1.0 - max(dot(n, towards), 0.0), 4.0) * gloss;
  vec3 light_in = vec3(1.25, 1.12, 0.92) * sun + vec3(0.26, 0.34, 0.46) * (0.6 + 0.4 * n.y) * openness(n);
  vec3 result = material * light_in + vec3(1.0, 0.95, 0.85) * shine + sky(reflect(-towards, n)) * rim * 0.6;
  float mist = 1.0 - exp(-0.0011 * pow(max(length(eye.xyz - world) - 6.0, 0.0), 2.0));
  result = mix(result, sky(normalize(world - eye.xyz)), clamp(mist, 0.0, 1.0));
  colour = vec4(sqrt(clamp(result, 0.0, 1.0)), 1);
}
