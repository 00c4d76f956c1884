// The OpenGL job of `vitro doctor`: a compute shader of OpenGL ES 3.1 without a window system, through Mesa's iris.
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES3/gl31.h>
#include <unistd.h>

#include "cli/jobs/job.h"

namespace vitro::cli::jobs {
namespace {

// Mesa keeps its drivers in a folder beside its library, unless the user names one.
bool driver_is_there() {
  if (std::getenv("LIBGL_DRIVERS_PATH")) return true;
  void* egl = dlopen("libEGL_mesa.so.0", RTLD_LAZY | RTLD_LOCAL);
  Dl_info info{};
  void* known = egl ? dlsym(egl, "__egl_Main") : nullptr;
  if (!known || !dladdr(known, &info)) return false;
  const std::string path = info.dli_fname;
  return access((path.substr(0, path.rfind('/')) + "/dri/iris_dri.so").c_str(), R_OK) == 0;
}

}  // namespace

void gl() {
  const Library library("libEGL.so.1", driver_is_there() ? "" : "Mesa's iris_dri.so is not there");
  const auto address = library.function<decltype(eglGetProcAddress)>("eglGetProcAddress");
#define EGL(name) const auto name = library.function<decltype(::name)>(#name)
#define GL(name) const auto name = reinterpret_cast<decltype(&::name)>(address(#name))
  EGL(eglInitialize);
  EGL(eglBindAPI);
  EGL(eglCreateContext);
  EGL(eglMakeCurrent);
  const auto platform_display = reinterpret_cast<PFNEGLGETPLATFORMDISPLAYEXTPROC>(address("eglGetPlatformDisplayEXT"));
  const EGLDisplay display = platform_display(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr);
  require(display && eglInitialize(display, nullptr, nullptr), "eglInitialize");
  require(eglBindAPI(EGL_OPENGL_ES_API), "eglBindAPI");
  const EGLint attributes[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 1, EGL_NONE};
  const EGLContext context = eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, attributes);
  require(context && eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context), "a context of OpenGL ES 3.1");
  GL(glGetString);
  GL(glCreateShader);
  GL(glShaderSource);
  GL(glCompileShader);
  GL(glCreateProgram);
  GL(glAttachShader);
  GL(glLinkProgram);
  GL(glGetProgramiv);
  GL(glUseProgram);
  GL(glGenBuffers);
  GL(glBindBufferBase);
  GL(glBufferData);
  GL(glDispatchCompute);
  GL(glMemoryBarrier);
  GL(glMapBufferRange);
  GL(glGetError);
#undef GL
#undef EGL
  const std::string renderer = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
  if (renderer.find("Intel") == renderer.npos) end(exit_failed, fmt::format("the renderer is {}", renderer));
  const std::string version = reinterpret_cast<const char*>(glGetString(GL_VERSION));

  const GLuint shader = glCreateShader(GL_COMPUTE_SHADER), program = glCreateProgram();
  const char* source = glsl_source;
  glShaderSource(shader, 1, &source, nullptr);
  glCompileShader(shader);
  glAttachShader(program, shader);
  glLinkProgram(program);
  GLint linked = 0;
  glGetProgramiv(program, GL_LINK_STATUS, &linked);
  require(linked, "compiling the shader");
  glUseProgram(program);
  const std::vector<uint32_t> data = input();
  const auto bytes = GLsizeiptr(data.size() * sizeof data[0]);
  GLuint buffer;
  glGenBuffers(1, &buffer);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffer);
  glBufferData(GL_SHADER_STORAGE_BUFFER, bytes, data.data(), GL_DYNAMIC_COPY);
  glDispatchCompute(elements / group_size, 1, 1);
  glMemoryBarrier(GL_ALL_BARRIER_BITS);
  const void* output = glMapBufferRange(GL_SHADER_STORAGE_BUFFER, 0, bytes, GL_MAP_READ_BIT);
  require(output && glGetError() == GL_NO_ERROR, "the shader");
  check({static_cast<const uint32_t*>(output), elements});
  end(exit_done, fmt::format("{}; {}", renderer, version));
}

}  // namespace vitro::cli::jobs
