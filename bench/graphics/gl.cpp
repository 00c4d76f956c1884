// Frames in OpenGL, for bench/run_graphics: each row draws the same frame again and again into a target of its own and
// waits for it. Prints the best and the median time of a frame, and the processor's time of one.
//   bench_graphics_gl RENDERER SHADERS SECONDS ROW [SCALE]      --list: the rows' names
// SCALE multiplies what the row is about: pixels, triangles or draws.
#include <algorithm>
#include <functional>
#include <span>

#include "../../tests/graphics/gl/context.h"
#include "measure.h"

namespace {

using namespace graphics;

double scale_of_work = 1;
int w = 1024, h = 768;  // of the target

// Draws one frame, as often as it is called.
using Frame = std::function<void()>;
struct Row {
  const char* name;
  bool scales_pixels;  // else what it draws
  Frame (*prepare)();
};

int scaled(int n) { return std::max(1, int(n * scale_of_work)); }

// So many rectangles over the whole target, one behind the other.
Frame layers(int count) {
  std::vector<Mesh> all;
  for (int k = 0; k < count; ++k) {
    const float colour[] = {0.2f * float(k % 5), 0.1f * float(k % 7), 0.9f, 0.4f};
    all.push_back(rectangle(-1, -1, 1, 1, 0.9f - 0.02f * float(k), colour));
  }
  Mesh one;
  for (const Mesh& m : all) {
    const auto first = uint16_t(one.vertices.size());
    one.vertices.insert(one.vertices.end(), m.vertices.begin(), m.vertices.end());
    for (uint16_t i : m.indices) one.indices.push_back(uint16_t(first + i));
  }
  bind(one);
  const auto indices = GLsizei(one.indices.size());
  return [indices] { glDrawElements(GL_TRIANGLES, indices, GL_UNSIGNED_SHORT, nullptr); };
}
Frame fill(bool blend, bool depth) {
  target({GL_RGBA8}, depth ? GL_DEPTH24_STENCIL8 : 0, 0, w, h);
  program("plain.vert", "colour.frag");
  set({});
  if (blend) glEnable(GL_BLEND), glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
  if (depth) glEnable(GL_DEPTH_TEST);
  const Frame draw = layers(8);
  return [depth, draw] {
    if (depth) glClear(GL_DEPTH_BUFFER_BIT);
    draw();
  };
}
Frame textured(GLenum filter, bool mipmaps, float anisotropy, float repeats_x, float repeats_y) {
  target({GL_RGBA8}, 0, 0, w, h);
  program("plain.vert", "texture.frag");
  std::vector<uint8_t> texels(1024 * 1024 * 4);
  for (size_t k = 0; k < texels.size(); ++k) texels[k] = uint8_t(hash(uint32_t(k)));
  const GLuint t = texture(1024, 1024, texels, filter, GL_REPEAT, mipmaps);
  if (anisotropy > 1) glTextureParameterf(t, GL_TEXTURE_MAX_ANISOTROPY, anisotropy);
  glBindTextureUnit(1, t);
  Values v;
  v.v[0][0] = repeats_x, v.v[0][1] = repeats_y;
  set(v);
  return layers(4);
}

// So many small triangles in a grid.
Mesh grid(int columns, int rows, float x0, float y0, float x1, float y1) {
  Mesh m;
  for (int y = 0; y <= rows; ++y)
    for (int x = 0; x <= columns; ++x) {
      const float u = float(x) / float(columns), v = float(y) / float(rows);
      m.vertices.push_back({{x0 + (x1 - x0) * u, y0 + (y1 - y0) * v, 0, 1}, {u, v, 1 - u, 1}, {u, v}});
    }
  return m;
}
// Bound with indices of 32 bits; how many there are.
GLsizei bind_grid(int columns, int rows, float x0 = -1, float y0 = -1, float x1 = 1, float y1 = 1) {
  bind(grid(columns, rows, x0, y0, x1, y1));
  std::vector<uint32_t> indices;
  for (int y = 0; y < rows; ++y)
    for (int x = 0; x < columns; ++x) {
      const auto a = uint32_t(y * (columns + 1) + x), b = a + uint32_t(columns) + 1;
      for (uint32_t i : {a, a + 1, b, b, a + 1, b + 1}) indices.push_back(i);
    }
  GLint array;
  glGetIntegerv(GL_VERTEX_ARRAY_BINDING, &array);
  glVertexArrayElementBuffer(GLuint(array), buffer(indices));
  return GLsizei(indices.size());
}

Frame many_draws(bool changes) {
  target({GL_RGBA8}, GL_DEPTH24_STENCIL8, 0, w, h);
  program("plain.vert", "colour.frag");
  set({});
  const int count = scaled(1000);
  bind(rectangle(-0.02f, -0.02f, 0.02f, 0.02f));
  std::vector<GLuint> blocks;
  for (int k = 0; k < 16; ++k) {
    Values v;
    v.matrix = move(chance(uint32_t(k)) * 1.8f - 0.9f, chance(uint32_t(k) + 99) * 1.8f - 0.9f, 0);
    blocks.push_back(buffer(std::vector{v}));
  }
  return [count, changes, blocks] {
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    for (int k = 0; k < count; ++k) {
      if (changes) {
        glBindBufferBase(GL_UNIFORM_BUFFER, 0, blocks[size_t(k) % blocks.size()]);
        (k & 1 ? glEnable : glDisable)(GL_BLEND);
        (k & 2 ? glEnable : glDisable)(GL_DEPTH_TEST);
      }
      glDrawElements(GL_TRIANGLES, 6, GL_UNSIGNED_SHORT, nullptr);
    }
  };
}

const Row rows[] = {
    {"clear", true,
     [] {
       target({GL_RGBA8}, GL_DEPTH24_STENCIL8, 0, w, h);
       return Frame([] {
         static int n = 0;  // no frame is the one before: a driver may know that nothing changed
         glClearColor(float(++n % 17) / 16, 0.5f, 0.25f, 1);
         glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
       });
     }},
    {"fill", true, [] { return fill(false, false); }},
    {"fill_depth", true, [] { return fill(false, true); }},
    {"blend", true, [] { return fill(true, false); }},
    {"blend_depth", true, [] { return fill(true, true); }},
    {"bilinear", true, [] { return textured(GL_LINEAR, false, 1, 0.9f, 0.7f); }},
    {"trilinear", true, [] { return textured(GL_LINEAR, true, 1, 1.7f, 1.3f); }},
    {"anisotropic", true, [] { return textured(GL_LINEAR, true, 8, 1.1f, 6.0f); }},
    {"multisampled", true,
     [] {
       const Target from = target({GL_RGBA8}, GL_DEPTH24_STENCIL8, 4, w, h), to = target({GL_RGBA8}, 0, 0, w, h);
       program("plain.vert", "colour.frag");
       set({});
       glEnable(GL_DEPTH_TEST);
       const Frame draw = layers(4);
       return Frame([from, to, draw] {
         glBindFramebuffer(GL_FRAMEBUFFER, from.framebuffer);
         glClear(GL_DEPTH_BUFFER_BIT);
         draw();
         glBlitNamedFramebuffer(from.framebuffer, to.framebuffer, 0, 0, w, h, 0, 0, w, h, GL_COLOR_BUFFER_BIT,
                                GL_NEAREST);
       });
     }},
    {"ray_march", true,
     [] {
       target({GL_RGBA8}, 0, 0, w, h);
       program("plain.vert", "ray_march.frag");
       set({});
       return layers(1);
     }},
    {"small_triangles", false,
     [] {
       target({GL_RGBA8}, GL_DEPTH24_STENCIL8, 0, w, h);
       program("plain.vert", "colour.frag");
       set({});
       glEnable(GL_DEPTH_TEST);
       const GLsizei indices = bind_grid(250, scaled(200));
       return Frame([indices] {
         glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
         glDrawElements(GL_TRIANGLES, indices, GL_UNSIGNED_INT, nullptr);
       });
     }},
    {"meshes", false,
     [] {
       target({GL_RGBA8}, GL_DEPTH24_STENCIL8, 0, w, h);
       program("plain.vert", "colour.frag");
       set({});
       glEnable(GL_DEPTH_TEST);
       const GLsizei indices = bind_grid(315, 316, -0.05f, -0.05f, 0.05f, 0.05f);
       const int count = scaled(10);  // a tenth of a hundred, so that a frame is a frame
       return Frame([indices, count] {
         glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
         for (int k = 0; k < count; ++k) glDrawElements(GL_TRIANGLES, indices, GL_UNSIGNED_INT, nullptr);
       });
     }},
    {"draws", false, [] { return many_draws(false); }},
    {"draws_state", false, [] { return many_draws(true); }},
    {"upload", true,
     [] {
       GLuint t;
       glCreateTextures(GL_TEXTURE_2D, 1, &t);
       glTextureStorage2D(t, 1, GL_RGBA8, w, h);
       return Frame([t, texels = std::vector<uint8_t>(size_t(w * h) * 4, 7)] {
         glTextureSubImage2D(t, 0, 0, 0, w, h, GL_RGBA, GL_UNSIGNED_BYTE, texels.data());
       });
     }},
    {"readback", true,
     [] {
       const Target from = target({GL_RGBA8}, 0, 0, w, h);
       program("plain.vert", "colour.frag");
       set({});
       return Frame([draw = layers(1), pixels = std::vector<uint8_t>(size_t(w * h) * 4)]() mutable {
         draw();
         glReadPixels(0, 0, w, h, GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
       });
     }},
};

void measure(const Row& row, double seconds) {
  const Frame frame = row.prepare();
  measure_frames(row.name, seconds, [&] { frame(), glFinish(); });
  if (const GLenum e = glGetError()) throw std::runtime_error("GL error " + std::to_string(e));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::string(argv[1]) == "--list") {
    for (const Row& r : rows) std::puts(r.name);
    return 0;
  }
  if (argc < 5) return std::fprintf(stderr, "usage: %s RENDERER SHADERS SECONDS ROW [SCALE]\n", argv[0]), 2;
  try {
    const Row* row =
        std::find_if(std::begin(rows), std::end(rows), [&](const Row& r) { return std::string(r.name) == argv[4]; });
    if (row == std::end(rows)) throw std::runtime_error(std::string("no row ") + argv[4]);
    if (argc > 5) scale_of_work = std::stod(argv[5]);
    if (row->scales_pixels) h = scaled(h);
    open_context(argv[1], argv[2]);
    measure(*row, std::stod(argv[3]));
    close_context();
  } catch (const std::exception& e) {
    return std::fprintf(stderr, "%s\n", e.what()), 1;
  }
}
