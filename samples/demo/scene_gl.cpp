// The demonstration's scene in OpenGL: an ordinary program without a window system, with not a word of vitro in it,
// that draws into a multisampled framebuffer, resolves it and writes it as a picture.
//   scene_gl [PICTURE.png [WIDTH HEIGHT]]
#define GL_GLEXT_PROTOTYPES
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/glcorearb.h>

#include <cstdlib>

#include "demo_shaders.h"
#include "scene.h"

namespace {

[[noreturn]] void fail(const char* what, const char* more = "") {
  std::fprintf(stderr, "scene_gl: %s %s\n", what, more);
  std::exit(1);
}

void open_context() {
  const EGLDisplay display = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr);
  if (!eglInitialize(display, nullptr, nullptr)) fail("there is no display without a window system");
  eglBindAPI(EGL_OPENGL_API);
  const EGLint attributes[] = {
      EGL_CONTEXT_MAJOR_VERSION,           4,       EGL_CONTEXT_MINOR_VERSION, 5, EGL_CONTEXT_OPENGL_PROFILE_MASK,
      EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL_NONE};
  const EGLContext context = eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, attributes);
  if (!context || !eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context)) fail("there is no OpenGL 4.5");
}

GLuint build(const char* vertex, const char* fragment) {
  const GLuint program = glCreateProgram();
  for (const auto& [kind, text] : {std::pair{GL_VERTEX_SHADER, vertex}, std::pair{GL_FRAGMENT_SHADER, fragment}}) {
    const GLuint shader = glCreateShader(GLenum(kind));
    glShaderSource(shader, 1, &text, nullptr);
    glCompileShader(shader);
    glAttachShader(program, shader);
  }
  glLinkProgram(program);
  GLint ok;
  glGetProgramiv(program, GL_LINK_STATUS, &ok);
  char log[4096] = "";
  if (!ok) glGetProgramInfoLog(program, sizeof log, nullptr, log), fail("a program does not link:", log);
  return program;
}

GLuint make_framebuffer(GLsizei width, GLsizei height, GLsizei samples, bool depth) {
  GLuint framebuffer, buffers[2];
  glCreateFramebuffers(1, &framebuffer);
  glCreateRenderbuffers(2, buffers);
  glNamedRenderbufferStorageMultisample(buffers[0], samples, GL_RGBA8, width, height);
  glNamedFramebufferRenderbuffer(framebuffer, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, buffers[0]);
  if (depth) {
    glNamedRenderbufferStorageMultisample(buffers[1], samples, GL_DEPTH_COMPONENT24, width, height);
    glNamedFramebufferRenderbuffer(framebuffer, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, buffers[1]);
  }
  if (glCheckNamedFramebufferStatus(framebuffer, GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) fail("no framebuffer");
  return framebuffer;
}

template <class T>
GLuint make_buffer(const std::vector<T>& data) {
  GLuint buffer;
  glCreateBuffers(1, &buffer);
  glNamedBufferStorage(buffer, GLsizeiptr(data.size() * sizeof(T)), data.data(), 0);
  return buffer;
}

GLuint make_textures() {
  GLuint texture;
  glCreateTextures(GL_TEXTURE_2D_ARRAY, 1, &texture);
  glTextureStorage3D(texture, scene::levels, GL_RGBA8, scene::edge, scene::edge, scene::layers);
  const auto levels = scene::make_textures();
  for (GLint level = 0, n = scene::edge; level < GLint(scene::levels); ++level, n /= 2)
    glTextureSubImage3D(texture, level, 0, 0, 0, n, n, scene::layers, GL_RGBA, GL_UNSIGNED_BYTE,
                        levels[size_t(level)].data());
  glTextureParameteri(texture, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
  glTextureParameteri(texture, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  return texture;
}

}  // namespace

int main(int argc, char** argv) {
  const char* file = argc > 1 ? argv[1] : "scene_gl.png";
  const GLsizei width = argc > 3 ? std::atoi(argv[2]) : 960, height = argc > 3 ? std::atoi(argv[3]) : 640;
  if (width < 1 || height < 1 || width > 8192 || height > 8192) fail("usage: scene_gl [PICTURE.png [WIDTH HEIGHT]]");
  open_context();
  const GLuint sky = build(sky_vert, sky_frag), program = build(scene_vert, scene_frag);

  const scene::Mesh mesh = scene::make_mesh();
  GLuint vertices;
  glCreateVertexArrays(1, &vertices);
  glVertexArrayVertexBuffer(vertices, 0, make_buffer(mesh.vertices), 0, sizeof(scene::Vertex));
  glVertexArrayElementBuffer(vertices, make_buffer(mesh.indices));
  const struct {
    GLint size;
    GLuint offset;
  } attributes[] = {{3, offsetof(scene::Vertex, position)},
                    {3, offsetof(scene::Vertex, normal)},
                    {2, offsetof(scene::Vertex, u)},
                    {1, offsetof(scene::Vertex, layer)}};
  for (GLuint i = 0; i < 4; ++i) {
    glVertexArrayAttribFormat(vertices, i, attributes[i].size, GL_FLOAT, GL_FALSE, attributes[i].offset);
    glVertexArrayAttribBinding(vertices, i, 0);
    glEnableVertexArrayAttrib(vertices, i);
  }
  glBindVertexArray(vertices);
  glBindBufferBase(GL_UNIFORM_BUFFER, 0,
                   make_buffer(std::vector{scene::make_uniforms(uint32_t(width), uint32_t(height), false)}));
  glBindTextureUnit(1, make_textures());

  const GLuint samples = make_framebuffer(width, height, 4, true), picture = make_framebuffer(width, height, 0, false);
  glBindFramebuffer(GL_FRAMEBUFFER, samples);
  glViewport(0, 0, width, height);
  glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
  glEnable(GL_MULTISAMPLE);
  glEnable(GL_DEPTH_TEST);
  glDepthFunc(GL_LEQUAL);
  glUseProgram(program);
  glDrawElements(GL_TRIANGLES, GLsizei(mesh.indices.size()), GL_UNSIGNED_INT, nullptr);
  glUseProgram(sky);
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glBlitNamedFramebuffer(samples, picture, 0, 0, width, height, 0, 0, width, height, GL_COLOR_BUFFER_BIT, GL_NEAREST);

  std::vector<uint8_t> upwards(size_t(width) * size_t(height) * 4), rgba(upwards.size());
  glBindFramebuffer(GL_READ_FRAMEBUFFER, picture);
  glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, upwards.data());
  if (glGetError() != GL_NO_ERROR) fail("OpenGL reports an error");
  for (size_t y = 0, row = size_t(width) * 4; y < size_t(height); ++y)
    std::copy_n(&upwards[(size_t(height) - 1 - y) * row], row, &rgba[y * row]);
  if (!scene::write_picture(file, uint32_t(width), uint32_t(height), rgba)) return 1;
  std::printf("%s drew %d x %d pixels with OpenGL: %s\n", reinterpret_cast<const char*>(glGetString(GL_RENDERER)),
              width, height, file);
  return 0;
}
