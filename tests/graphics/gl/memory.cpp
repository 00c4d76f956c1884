// How much memory a process takes that draws many frames with many textures: for memory.py.
//   graphics_memory RENDERER SHADERS WIDTH HEIGHT TEXTURES TEXELS COLUMNS FRAMES
// Each frame is drawn with 4 samples: a rectangle with each of the textures of TEXELS x TEXELS and their levels, a mesh
// of COLUMNS x COLUMNS small rectangles, and a resolve. Prints how many MiB are resident after a tenth of the frames
// and after all of them.
#include <unistd.h>

#include <cstdio>
#include <fstream>

#include "context.h"

namespace {

using namespace graphics;

double resident_mib() {
  std::ifstream file("/proc/self/statm");
  double all = 0, resident = 0;
  file >> all >> resident;
  return resident * double(sysconf(_SC_PAGESIZE)) / (1 << 20);
}

GLsizei bind_mesh(int columns) {
  Mesh m;
  for (int y = 0; y <= columns; ++y)
    for (int x = 0; x <= columns; ++x) {
      const float u = float(x) / float(columns), v = float(y) / float(columns);
      m.vertices.push_back({{2 * u - 1, 2 * v - 1, 0, 1}, {u, v, 1 - u, 1}, {u, v}});
    }
  bind(m);
  std::vector<uint32_t> indices;
  for (int y = 0; y < columns; ++y)
    for (int x = 0; x < columns; ++x) {
      const auto a = uint32_t(y * (columns + 1) + x), b = a + uint32_t(columns) + 1;
      for (const uint32_t i : {a, a + 1, b, b, a + 1, b + 1}) indices.push_back(i);
    }
  GLint array;
  glGetIntegerv(GL_VERTEX_ARRAY_BINDING, &array);
  glVertexArrayElementBuffer(GLuint(array), buffer(indices));
  return GLsizei(indices.size());
}

void run(int w, int h, int textures, int texels, int columns, int frames) {
  std::vector<GLuint> all;
  std::vector<uint8_t> content(size_t(texels) * size_t(texels) * 4);
  for (int k = 0; k < textures; ++k) {
    for (size_t n = 0; n < content.size(); ++n) content[n] = uint8_t(hash(uint32_t(n) + uint32_t(k)));
    all.push_back(texture(texels, texels, content, GL_LINEAR, GL_REPEAT, true));
  }
  const Target from = target({GL_RGBA8}, GL_DEPTH24_STENCIL8, 4, w, h), to = target({GL_RGBA8}, 0, 0, w, h);
  const GLuint textured = program("plain.vert", "texture.frag"), plain = program("plain.vert", "colour.frag");
  Values v;
  v.v[0][0] = v.v[0][1] = 1;
  set(v);
  bind(rectangle(-0.5f, -0.5f, 0.5f, 0.5f));
  GLint small;
  glGetIntegerv(GL_VERTEX_ARRAY_BINDING, &small);
  const GLsizei indices = bind_mesh(columns);
  GLint mesh;
  glGetIntegerv(GL_VERTEX_ARRAY_BINDING, &mesh);
  for (int n = 1; n <= frames; ++n) {
    glBindFramebuffer(GL_FRAMEBUFFER, from.framebuffer);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    glUseProgram(plain);
    glBindVertexArray(GLuint(mesh));
    glDrawElements(GL_TRIANGLES, indices, GL_UNSIGNED_INT, nullptr);
    glUseProgram(textured);
    glBindVertexArray(GLuint(small));
    for (const GLuint t : all) {
      glBindTextureUnit(1, t);
      glDrawElements(GL_TRIANGLES, 6, GL_UNSIGNED_SHORT, nullptr);
    }
    glBlitNamedFramebuffer(from.framebuffer, to.framebuffer, 0, 0, w, h, 0, 0, w, h, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glFinish();
    if (n == (frames + 9) / 10 || n == frames) std::printf("%d %.2f\n", n, resident_mib()), std::fflush(stdout);
  }
  if (const GLenum e = glGetError()) throw std::runtime_error("GL error " + std::to_string(e));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 9)
    return std::fprintf(stderr, "usage: %s RENDERER SHADERS WIDTH HEIGHT TEXTURES TEXELS COLUMNS FRAMES\n", argv[0]), 2;
  try {
    open_context(argv[1], argv[2]);
    const auto number = [&](int n) { return std::stoi(argv[n]); };
    run(number(3), number(4), number(5), number(6), number(7), number(8));
    close_context();
  } catch (const std::exception& e) {
    return std::fprintf(stderr, "%s\n", e.what()), 1;
  }
}
