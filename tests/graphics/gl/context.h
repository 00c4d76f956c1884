// OpenGL for the scenes: programs, buffers, textures, framebuffers, and reading back. Every scene has a context of its
// own, so nothing is deleted.
#pragma once

#define GL_GLEXT_PROTOTYPES
#include <GL/glcorearb.h>

#include <span>

#include "../data.h"

namespace graphics {

// The renderer's name must contain the given text. The shaders are in the folder.
void open_context(const char* renderer, const char* shaders);
void close_context();

GLuint program(const char* vertex, const char* fragment);
GLuint compute_program(const char* name);
void set(const Values& values);

template <class T>
GLuint buffer(const std::vector<T>& data) {
  GLuint b;
  glCreateBuffers(1, &b);
  glNamedBufferStorage(b, GLsizeiptr(data.size() * sizeof(T)), data.data(), GL_DYNAMIC_STORAGE_BIT | GL_MAP_READ_BIT);
  return b;
}
// Bound, with the three attributes of Vertex.
void bind(const Mesh& mesh);
void draw(const Mesh& mesh, GLsizei instances = 1);  // binds it too
// A rectangle of the viewport in normalised coordinates.
void draw_rectangle(float x0 = -1, float y0 = -1, float x1 = 1, float y1 = 1, float z = 0,
                    const float* colour = nullptr);

GLuint texture(int w, int h, const std::vector<uint8_t>& rgba, GLenum filter = GL_LINEAR, GLenum wrap = GL_REPEAT,
               bool mipmaps = false, GLenum format = GL_RGBA8);

struct Target {
  GLuint framebuffer = 0, depth = 0;
  std::vector<GLuint> colours{};
};
// Bound, with a viewport that covers it, and cleared.
Target target(std::initializer_list<GLenum> formats = {GL_RGBA8}, GLenum depth = GL_DEPTH24_STENCIL8, int samples = 0,
              int w = width, int h = height);
void save(Results& results, const char* name, const Target& from, int w = width, int h = height);
void save(Results& results, const char* name, const Target& from, GLenum attachment, GLenum format, GLenum type,
          const char* kind, size_t pixel_bytes, int w = width, int h = height);
// Resolves, then saves.
void save_resolved(Results& results, const char* name, const Target& from);

std::span<const Scene> drawing_scenes();
std::span<const Scene> texture_scenes();
std::span<const Scene> target_scenes();
std::span<const Scene> work_scenes();

}  // namespace graphics
