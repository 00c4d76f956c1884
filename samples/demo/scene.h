// What the two programs that draw the demonstration's scene share: a knot and four balls on a tiled floor, as meshes;
// their textures with all levels; the camera; and how a picture is written. Positions are in the world's space, so one
// matrix, which is the camera's, does for all of them.
#pragma once

#include <png.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

namespace scene {

constexpr float pi = 3.14159265f;

struct Vector {
  float x = 0, y = 0, z = 0;
};
inline Vector operator+(Vector a, Vector b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Vector operator-(Vector a, Vector b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Vector operator*(Vector a, float s) { return {a.x * s, a.y * s, a.z * s}; }
inline float dot(Vector a, Vector b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Vector cross(Vector a, Vector b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline Vector unit(Vector a) { return a * (1 / std::sqrt(dot(a, a))); }

// Columns, as shaders have them.
using Matrix = std::array<float, 16>;

struct Vertex {
  Vector position, normal;
  float u, v;
  float layer;  // of the texture array
};
struct Mesh {
  std::vector<Vertex> vertices;
  std::vector<uint32_t> indices;
};

// The uniform block of the shaders (std140).
struct Uniforms {
  Matrix camera;
  float eye[4], light[4];
  float balls[4][4];  // centre and radius: what darkens the floor
};
constexpr Vector eye{3.2f, 2.9f, 7.4f}, target{0.1f, 1.15f, 0};
constexpr float balls[4][4] = {
    {-2.6f, 0.8f, 0.6f, 0.8f}, {2.7f, 0.9f, -0.9f, 0.9f}, {1.9f, 0.45f, 1.9f, 0.45f}, {-1.1f, 0.35f, 2.4f, 0.35f}};

// A grid of n x m quads over a function of (u, v) in [0, 1], two triangles each.
template <class Point>
void add_grid(Mesh& mesh, uint32_t n, uint32_t m, Point point) {
  const uint32_t first = uint32_t(mesh.vertices.size());
  for (uint32_t j = 0; j <= m; ++j)
    for (uint32_t i = 0; i <= n; ++i) mesh.vertices.push_back(point(float(i) / float(n), float(j) / float(m)));
  for (uint32_t j = 0; j < m; ++j)
    for (uint32_t i = 0; i < n; ++i) {
      const uint32_t a = first + j * (n + 1) + i, b = a + n + 1;
      mesh.indices.insert(mesh.indices.end(), {a, a + 1, b, b, a + 1, b + 1});
    }
}

inline Vector knot_at(float t) {  // a trefoil
  const float a = t * 2 * pi, r = 1.0f + 0.42f * std::cos(3 * a);
  return {1.05f * r * std::cos(2 * a), 1.72f + 1.05f * r * std::sin(2 * a), 0.62f * std::sin(3 * a)};
}

inline Mesh make_mesh() {
  Mesh mesh;
  add_grid(mesh, 24, 24, [](float u, float v) {  // the floor
    const float x = (u - 0.5f) * 60, z = (v - 0.5f) * 60;
    return Vertex{{x, 0, z}, {0, 1, 0}, x * 0.25f, z * 0.25f, 0};
  });
  add_grid(mesh, 220, 20, [](float u, float v) {
    const Vector at = knot_at(u), along = unit(knot_at(u + 0.001f) - knot_at(u - 0.001f));
    const Vector side = unit(cross(along, {0.2f, 0.1f, 1})), up = cross(side, along);
    const Vector normal = side * std::cos(v * 2 * pi) + up * std::sin(v * 2 * pi);
    return Vertex{at + normal * 0.24f, normal, u * 24, v * 2, 1};
  });
  for (const auto& ball : balls)
    add_grid(mesh, 40, 24, [&](float u, float v) {
      const float a = u * 2 * pi, b = v * pi;
      const Vector normal{std::sin(b) * std::cos(a), std::cos(b), std::sin(b) * std::sin(a)};
      return Vertex{Vector{ball[0], ball[1], ball[2]} + normal * ball[3], normal, u * 4, v * 2, 2};
    });
  return mesh;
}

// --- textures: layers of 256 x 256 RGBA, of the floor, the knot and the balls
// -------------------------------------------------------------
constexpr uint32_t layers = 3, levels = 9, edge = 256;

inline float noise(uint32_t x, uint32_t y, uint32_t cells) {  // smooth, and repeats at the edges
  const auto at = [cells](uint32_t i, uint32_t j) {
    uint32_t h = (i % cells) * 374761393u + (j % cells) * 668265263u + cells * 2246822519u;
    h = (h ^ h >> 13) * 1274126177u;
    return float((h ^ h >> 16) & 0xFFFF) / 65535.0f;
  };
  const float fx = float(x * cells) / edge, fy = float(y * cells) / edge;
  const uint32_t i = uint32_t(fx), j = uint32_t(fy);
  float s = fx - float(i), t = fy - float(j);
  s = s * s * (3 - 2 * s), t = t * t * (3 - 2 * t);
  const float a = at(i, j) + (at(i + 1, j) - at(i, j)) * s, b = at(i, j + 1) + (at(i + 1, j + 1) - at(i, j + 1)) * s;
  return a + (b - a) * t;
}

inline std::array<float, 3> texel(uint32_t layer, uint32_t x, uint32_t y) {
  const float grain = 0.5f * noise(x, y, 8) + 0.3f * noise(x, y, 32) + 0.2f * noise(x, y, 128);
  const bool dark = ((x * 2 / edge) + (y * 2 / edge)) % 2;
  if (layer == 0) {  // tiles with joints
    const uint32_t dx = x % (edge / 2), dy = y % (edge / 2);
    if (std::min(dx, dy) < 3) return {0.16f, 0.15f, 0.15f};
    const float f = 0.75f + 0.35f * grain;
    return dark ? std::array{0.20f * f, 0.27f * f, 0.34f * f} : std::array{0.82f * f, 0.80f * f, 0.74f * f};
  }
  if (layer == 1) {  // stripes of copper and dark metal
    const float f = 0.7f + 0.4f * noise(x / 8, y, 64);
    return ((x + y) * 4 / edge) % 2 ? std::array{0.92f * f, 0.47f * f, 0.20f * f}
                                    : std::array{0.25f * f, 0.22f * f, 0.28f * f};
  }
  const float vein = std::fabs(std::sin((float(x) / edge + grain * 0.9f) * 2 * pi));  // marble
  const float f = 0.35f + 0.65f * std::sqrt(vein);
  return {0.35f * f + 0.05f, 0.75f * f, 0.70f * f + 0.1f};
}

// The texels of a level, all layers one after the other; each level is the mean of four texels of the one before.
inline std::vector<std::vector<uint8_t>> make_textures() {
  std::vector<std::vector<uint8_t>> result(levels);
  for (uint32_t level = 0, n = edge; level < levels; ++level, n /= 2) {
    result[level].resize(size_t(n) * n * layers * 4);
    for (uint32_t layer = 0; layer < layers; ++layer)
      for (uint32_t y = 0; y < n; ++y)
        for (uint32_t x = 0; x < n; ++x) {
          uint8_t* to = &result[level][((size_t(layer) * n + y) * n + x) * 4];
          to[3] = 255;
          if (level == 0) {
            const auto colour = texel(layer, x, y);
            for (int c = 0; c < 3; ++c) to[c] = uint8_t(std::clamp(colour[size_t(c)], 0.0f, 1.0f) * 255 + 0.5f);
            continue;
          }
          const uint8_t* from = &result[level - 1][((size_t(layer) * n * 2 + y * 2) * n * 2 + x * 2) * 4];
          for (int c = 0; c < 3; ++c)
            to[c] = uint8_t((from[c] + from[c + 4] + from[c + n * 8] + from[c + n * 8 + 4] + 2) / 4);
        }
  }
  return result;
}

// --- camera and picture -------------------------------------------------------------------------------------------
// OpenGL has y upwards and z in [-1, 1], Vulkan y downwards and z in [0, 1].
inline Uniforms make_uniforms(uint32_t width, uint32_t height, bool vulkan) {
  const Vector back = unit(eye - target), right = unit(cross({0, 1, 0}, back)), up = cross(back, right);
  const float near = 0.5f, far = 100, f = 1 / std::tan(0.36f), aspect = float(width) / float(height);
  const float rows[4][4] = {{right.x, right.y, right.z, -dot(right, eye)},
                            {up.x, up.y, up.z, -dot(up, eye)},
                            {back.x, back.y, back.z, -dot(back, eye)},
                            {0, 0, 0, 1}};
  const float zz = vulkan ? far / (near - far) : (far + near) / (near - far);
  const float zw = vulkan ? near * far / (near - far) : 2 * near * far / (near - far);
  Uniforms u{};
  for (size_t c = 0; c < 4; ++c) {
    u.camera[c * 4 + 0] = rows[0][c] * f / aspect;
    u.camera[c * 4 + 1] = rows[1][c] * (vulkan ? -f : f);
    u.camera[c * 4 + 2] = rows[2][c] * zz + rows[3][c] * zw;
    u.camera[c * 4 + 3] = -rows[2][c];
  }
  u.eye[0] = eye.x, u.eye[1] = eye.y, u.eye[2] = eye.z;
  const Vector light = unit({-0.55f, 0.8f, 0.5f});
  u.light[0] = light.x, u.light[1] = light.y, u.light[2] = light.z;
  for (size_t i = 0; i < 4; ++i) std::copy(balls[i], balls[i] + 4, u.balls[i]);
  return u;
}

// Rows of RGBA, the uppermost first.
inline bool write_picture(const char* file, uint32_t width, uint32_t height, const std::vector<uint8_t>& rgba) {
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  png.width = width, png.height = height, png.format = PNG_FORMAT_RGBA;
  if (png_image_write_to_file(&png, file, 0, rgba.data(), 0, nullptr)) return true;
  std::fprintf(stderr, "%s: %s\n", file, png.message);
  return false;
}

}  // namespace scene
