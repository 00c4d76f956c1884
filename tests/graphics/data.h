// What the scenes in OpenGL and in Vulkan share: vertices, meshes, textures and numbers that are the same every time,
// and the file of results. A result is a line `SCENE NAME KIND WIDTH HEIGHT BYTES` and its bytes; graphics.py compares
// them.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <vector>

namespace graphics {

constexpr int width = 256, height = 192;
constexpr int crowd_width = 640, crowd_height = 448;  // of the scene for several workers

struct Vertex {
  float position[4], colour[4], uv[2];
};
using Matrix = std::array<float, 16>;  // columns
struct Values {                        // the uniform block of common.glsl
  Matrix matrix{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}, second = matrix;
  float v[4][4]{};
};
struct Mesh {
  std::vector<Vertex> vertices;
  std::vector<uint16_t> indices;
};

inline uint32_t hash(uint32_t x) {
  x = (x ^ x >> 16) * 0x7feb352du;
  x = (x ^ x >> 15) * 0x846ca68bu;
  return x ^ x >> 16;
}
inline float chance(uint32_t x) { return float(hash(x) >> 8) / 16777216.0f; }

inline Matrix operator*(const Matrix& a, const Matrix& b) {
  Matrix r{};
  for (size_t c = 0; c < 4; ++c)
    for (size_t i = 0; i < 4; ++i)
      for (size_t k = 0; k < 4; ++k) r[c * 4 + i] += a[k * 4 + i] * b[c * 4 + k];
  return r;
}
inline Matrix move(float x, float y, float z) { return {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1}; }
inline Matrix scale(float x, float y, float z) { return {x, 0, 0, 0, 0, y, 0, 0, 0, 0, z, 0, 0, 0, 0, 1}; }
inline Matrix turn_x(float a) {
  return {1, 0, 0, 0, 0, std::cos(a), std::sin(a), 0, 0, -std::sin(a), std::cos(a), 0, 0, 0, 0, 1};
}
inline Matrix turn_y(float a) {
  return {std::cos(a), 0, -std::sin(a), 0, 0, 1, 0, 0, std::sin(a), 0, std::cos(a), 0, 0, 0, 0, 1};
}
// Looks along -z; depth in [0, 1] for both APIs (in OpenGL half of the range stays unused).
inline Matrix perspective(float near = 1, float far = 20, float f = 1.8f) {
  const float aspect = float(width) / float(height);
  return {f / aspect, 0, 0, 0, 0, f, 0, 0, 0, 0, far / (near - far), -1, 0, 0, near * far / (near - far), 0};
}

// A rectangle in two triangles, with uv in [0, 1].
inline Mesh rectangle(float x0, float y0, float x1, float y1, float z = 0, const float* colour = nullptr) {
  Mesh m;
  for (int i = 0; i < 4; ++i) {
    const float u = float(i & 1), v = float(i >> 1);
    Vertex a{{x0 + (x1 - x0) * u, y0 + (y1 - y0) * v, z, 1}, {u, v, 1 - u, 1}, {u, v}};
    if (colour) std::memcpy(a.colour, colour, sizeof a.colour);
    m.vertices.push_back(a);
  }
  m.indices = {0, 1, 2, 2, 1, 3};
  return m;
}
// The colour of solids is their normal.
inline Mesh cube() {
  Mesh m;
  for (int face = 0; face < 6; ++face) {
    const size_t axis = size_t(face / 2);
    const float sign = face % 2 ? 1.0f : -1.0f;
    const uint16_t first = uint16_t(m.vertices.size());
    for (int i = 0; i < 4; ++i) {
      Vertex a{{0, 0, 0, 1}, {0, 0, 0, 0}, {float(i & 1), float(i >> 1)}};
      a.position[axis] = sign, a.position[(axis + 1) % 3] = float(i & 1) * 2 - 1;
      a.position[(axis + 2) % 3] = (float(i >> 1) * 2 - 1) * sign;
      a.colour[axis] = sign;
      m.vertices.push_back(a);
    }
    for (uint16_t i : {0, 1, 2, 2, 1, 3}) m.indices.push_back(uint16_t(first + i));
  }
  return m;
}
inline Mesh torus(int n = 40, int k = 20) {
  Mesh m;
  for (int i = 0; i <= n; ++i)
    for (int j = 0; j <= k; ++j) {
      const float a = 6.2831853f * float(i) / float(n), b = 6.2831853f * float(j) / float(k),
                  r = 1 + 0.4f * std::cos(b);
      m.vertices.push_back({{r * std::cos(a), 0.4f * std::sin(b), r * std::sin(a), 1},
                            {std::cos(b) * std::cos(a), std::sin(b), std::cos(b) * std::sin(a), 0},
                            {8 * float(i) / float(n), 4 * float(j) / float(k)}});
    }
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < k; ++j) {
      const int a = i * (k + 1) + j, b = a + k + 1;
      for (int x : {a, a + 1, b, b, a + 1, b + 1}) m.indices.push_back(uint16_t(x));
    }
  return m;
}
// Triangles here and there, in all directions, some of them beyond the edges.
inline Mesh scatter(int count, float size, uint32_t seed = 1) {
  Mesh m;
  for (int i = 0; i < count; ++i) {
    const uint32_t s = hash(seed * 1000u + uint32_t(i)) & 0xFFFFFu;
    for (uint32_t c = 0; c < 3; ++c) {
      const auto at = [&](uint32_t k) { return chance(s * 64 + k) * 2 - 1; };
      m.vertices.push_back(
          {{at(1) * 1.1f + at(10 + c) * size, at(2) * 1.1f + at(20 + c) * size, chance(s * 64 + 30 + c), 1},
           {chance(s * 64 + 40 + c), chance(s * 64 + 43 + c), chance(s * 64 + 46 + c),
            0.2f + 0.6f * chance(s * 64 + 50)},
           {chance(s * 64 + 53 + c), chance(s * 64 + 56 + c)}});
      m.indices.push_back(uint16_t(m.indices.size()));
    }
  }
  return m;
}

// Fields of colours, with a fine grid in them; the alpha differs too.
inline std::vector<uint8_t> pattern(int w, int h, uint32_t seed = 0) {
  std::vector<uint8_t> texels(size_t(w * h) * 4);
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x) {
      uint8_t* t = &texels[size_t(y * w + x) * 4];
      const uint32_t field = hash(uint32_t(x * 8 / w + 16 * (y * 8 / h)) + seed * 977u);
      const bool line = x % 4 == 0 || y % 4 == 0;
      for (uint32_t c = 0; c < 4; ++c) t[c] = uint8_t((field >> 8 * c & 0xFF) / (line && c < 3 ? 2 : 1));
    }
  return texels;
}

class Results {
 public:
  explicit Results(const char* path) : out_(path, std::ios::binary) {
    if (!out_) throw std::runtime_error(std::string("cannot write ") + path);
  }
  void begin(const char* scene) { scene_ = scene; }
  void picture(const char* name, const char* kind, int w, int h, const void* data, size_t bytes) {
    out_ << scene_ << ' ' << name << ' ' << kind << ' ' << w << ' ' << h << ' ' << bytes << '\n';
    out_.write(static_cast<const char*>(data), std::streamsize(bytes));
    out_ << '\n';
  }
  void numbers(const char* name, const std::vector<uint64_t>& n) {
    picture(name, "u64", int(n.size()), 1, n.data(), n.size() * 8);
  }

 private:
  std::ofstream out_;
  std::string scene_;
};

struct Scene {
  const char* name;
  void (*draw)(Results&);
};

}  // namespace graphics
