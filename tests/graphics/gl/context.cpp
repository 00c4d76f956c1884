// OpenGL for the scenes: a context without a window system, and what all scenes need of it.
#include "context.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>

#include <sstream>

namespace graphics {
namespace {

std::string shader_folder;
EGLDisplay display;
EGLContext context;

// The shader's text; its second and third line, which include common.glsl, become the text of that.
std::string read_shader(const std::string& name) {
  std::ifstream file(shader_folder + "/" + name);
  if (!file) throw std::runtime_error("cannot read shader " + name);
  std::stringstream text;
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("#extension GL_GOOGLE", 0) == 0) continue;
    if (line.rfind("#include", 0) == 0) {
      std::ifstream common(shader_folder + "/common.glsl");
      text << common.rdbuf();
    } else {
      text << line << '\n';
    }
  }
  return text.str();
}

// Extensions have to come before everything else that is no comment.
std::string extensions_first(const std::string& text) {
  std::istringstream lines(text);
  std::string version, extensions, rest;
  for (std::string line; std::getline(lines, line);)
    (line.rfind("#version", 0) == 0 ? version : line.rfind("#extension", 0) == 0 ? extensions : rest) += line + "\n";
  return version + extensions + rest;
}

GLuint link(std::initializer_list<std::pair<GLenum, const char*>> stages) {
  const GLuint p = glCreateProgram();
  char log[4096] = "";
  GLint ok;
  for (const auto& [kind, name] : stages) {
    const GLuint shader = glCreateShader(kind);
    const std::string text = extensions_first(read_shader(name));
    const char* pointer = text.c_str();
    glShaderSource(shader, 1, &pointer, nullptr);
    glCompileShader(shader);
    glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
    if (!ok)
      glGetShaderInfoLog(shader, sizeof log, nullptr, log), throw std::runtime_error(std::string(name) + ": " + log);
    glAttachShader(p, shader);
  }
  glLinkProgram(p);
  glGetProgramiv(p, GL_LINK_STATUS, &ok);
  if (!ok) glGetProgramInfoLog(p, sizeof log, nullptr, log), throw std::runtime_error(log);
  glUseProgram(p);
  return p;
}

}  // namespace

void open_context(const char* renderer, const char* shaders) {
  shader_folder = shaders;
  display = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr);
  if (!eglInitialize(display, nullptr, nullptr)) throw std::runtime_error("eglInitialize");
  eglBindAPI(EGL_OPENGL_API);
  const EGLint attributes[] = {EGL_CONTEXT_MAJOR_VERSION, 4, EGL_CONTEXT_MINOR_VERSION, 5, EGL_NONE};
  context = eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, attributes);
  if (!context || !eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context))
    throw std::runtime_error("no context of OpenGL 4.5");
  const auto* name = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
  if (!name || !std::strstr(name, renderer))
    throw std::runtime_error(std::string("the renderer is ") + (name ? name : "?"));
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
}

void close_context() {
  eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
  eglDestroyContext(display, context);
}

GLuint program(const char* vertex, const char* fragment) {
  return link({{GL_VERTEX_SHADER, vertex}, {GL_FRAGMENT_SHADER, fragment}});
}
GLuint compute_program(const char* name) { return link({{GL_COMPUTE_SHADER, name}}); }

void set(const Values& values) { glBindBufferBase(GL_UNIFORM_BUFFER, 0, buffer(std::vector{values})); }

void bind(const Mesh& mesh) {
  GLuint array;
  glCreateVertexArrays(1, &array);
  glVertexArrayVertexBuffer(array, 0, buffer(mesh.vertices), 0, sizeof(Vertex));
  if (!mesh.indices.empty()) glVertexArrayElementBuffer(array, buffer(mesh.indices));
  constexpr struct {
    GLint size;
    GLuint offset;
  } attributes[] = {{4, offsetof(Vertex, position)}, {4, offsetof(Vertex, colour)}, {2, offsetof(Vertex, uv)}};
  for (GLuint i = 0; i < 3; ++i) {
    glVertexArrayAttribFormat(array, i, attributes[i].size, GL_FLOAT, GL_FALSE, attributes[i].offset);
    glVertexArrayAttribBinding(array, i, 0);
    glEnableVertexArrayAttrib(array, i);
  }
  glBindVertexArray(array);
}
void draw(const Mesh& mesh, GLsizei instances) {
  bind(mesh);
  glDrawElementsInstanced(GL_TRIANGLES, GLsizei(mesh.indices.size()), GL_UNSIGNED_SHORT, nullptr, instances);
}
void draw_rectangle(float x0, float y0, float x1, float y1, float z, const float* colour) {
  draw(rectangle(x0, y0, x1, y1, z, colour));
}

GLuint texture(int w, int h, const std::vector<uint8_t>& rgba, GLenum filter, GLenum wrap, bool mipmaps,
               GLenum format) {
  GLuint t;
  glCreateTextures(GL_TEXTURE_2D, 1, &t);
  int levels = 1;
  while (mipmaps && (w | h) >> levels) ++levels;
  glTextureStorage2D(t, levels, format, w, h);
  glTextureSubImage2D(t, 0, 0, 0, w, h, GL_RGBA, GL_UNSIGNED_BYTE, rgba.data());
  if (mipmaps) glGenerateTextureMipmap(t);
  const bool linear = filter == GL_LINEAR;
  glTextureParameteri(t, GL_TEXTURE_MAG_FILTER, GLint(filter));
  glTextureParameteri(t, GL_TEXTURE_MIN_FILTER,
                      mipmaps ? linear ? GL_LINEAR_MIPMAP_LINEAR : GL_NEAREST_MIPMAP_NEAREST : GLint(filter));
  for (GLenum side : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T}) glTextureParameteri(t, side, GLint(wrap));
  return t;
}

Target target(std::initializer_list<GLenum> formats, GLenum depth, int samples, int w, int h) {
  Target t;
  const GLenum kind = samples ? GL_TEXTURE_2D_MULTISAMPLE : GL_TEXTURE_2D;
  const auto make = [&](GLenum format) {
    GLuint name;
    glCreateTextures(kind, 1, &name);
    if (samples)
      glTextureStorage2DMultisample(name, samples, format, w, h, GL_TRUE);
    else
      glTextureStorage2D(name, 1, format, w, h), glTextureParameteri(name, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    return name;
  };
  glCreateFramebuffers(1, &t.framebuffer);
  std::vector<GLenum> buffers;
  for (GLenum format : formats) {
    t.colours.push_back(make(format));
    buffers.push_back(GL_COLOR_ATTACHMENT0 + GLenum(buffers.size()));
    glNamedFramebufferTexture(t.framebuffer, buffers.back(), t.colours.back(), 0);
  }
  glNamedFramebufferDrawBuffers(t.framebuffer, GLsizei(buffers.size()), buffers.data());
  if (depth) {
    t.depth = make(depth);
    const bool stencil = depth == GL_DEPTH24_STENCIL8 || depth == GL_DEPTH32F_STENCIL8;
    glNamedFramebufferTexture(t.framebuffer, stencil ? GL_DEPTH_STENCIL_ATTACHMENT : GL_DEPTH_ATTACHMENT, t.depth, 0);
  }
  if (glCheckNamedFramebufferStatus(t.framebuffer, GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
    throw std::runtime_error("the framebuffer is not complete");
  glBindFramebuffer(GL_FRAMEBUFFER, t.framebuffer);
  glViewport(0, 0, w, h);
  glClearColor(0.1f, 0.2f, 0.3f, 1);
  if (buffers.size() == 1)
    glClear(GL_COLOR_BUFFER_BIT | (depth ? GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT : 0));
  else if (depth)
    glClear(GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
  return t;
}

void save(Results& results, const char* name, const Target& from, int w, int h) {
  std::vector<uint8_t> rgba(size_t(w * h) * 4);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, from.framebuffer);
  glReadPixels(0, 0, w, h, GL_RGBA, GL_UNSIGNED_BYTE, rgba.data());
  results.picture(name, "rgba8", w, h, rgba.data(), rgba.size());
}
void save(Results& results, const char* name, const Target& from, GLenum attachment, GLenum format, GLenum type,
          const char* kind, size_t pixel_bytes, int w, int h) {
  std::vector<uint8_t> data(size_t(w * h) * pixel_bytes);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, from.framebuffer);
  if (attachment) glNamedFramebufferReadBuffer(from.framebuffer, attachment);
  glReadPixels(0, 0, w, h, format, type, data.data());
  results.picture(name, kind, w, h, data.data(), data.size());
}
void save_resolved(Results& results, const char* name, const Target& from) {
  const Target to = target({GL_RGBA8}, 0);
  glBlitNamedFramebuffer(from.framebuffer, to.framebuffer, 0, 0, width, height, 0, 0, width, height,
                         GL_COLOR_BUFFER_BIT, GL_NEAREST);
  save(results, name, to);
}

}  // namespace graphics
