// Runs one OpenGL ES compute shader without a window system and writes every result buffer to a file, so that two
// drivers can be compared. The shader's source says in //@ lines what it is dispatched with; each buffer is the next
// binding:
//   //@ groups X [Y [Z]]   //@ indirect   //@ in|out|inout TYPE COUNT [LO HI]   //@ passes N (the uniform `pass`
//   counts)
// The renderer's name must contain the given text: nothing falls back.
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES3/gl31.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace {

[[noreturn]] void fail(const std::string& what) {
  std::fprintf(stderr, "runner: %s\n", what.c_str());
  std::exit(1);
}

struct Buffer {
  bool out = false;
  std::string type;
  std::vector<uint32_t> words;
  GLuint name = 0;
};

uint64_t next(uint64_t& state) {  // splitmix64
  uint64_t z = state += 0x9E3779B97F4A7C15u;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
  z = (z ^ z >> 27) * 0x94D049BB133111EBu;
  return z ^ z >> 31;
}

void open_context(const char* renderer) {
  const auto platform =
      reinterpret_cast<PFNEGLGETPLATFORMDISPLAYEXTPROC>(eglGetProcAddress("eglGetPlatformDisplayEXT"));
  const EGLDisplay display = platform(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr);
  if (!eglInitialize(display, nullptr, nullptr)) fail("eglInitialize");
  eglBindAPI(EGL_OPENGL_ES_API);
  const EGLint attributes[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 1, EGL_NONE};
  const EGLContext context = eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, attributes);
  if (!context || !eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context)) fail("no context");
  const auto* name = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
  if (!name || !std::strstr(name, renderer)) fail(std::string("the renderer is ") + (name ? name : "unknown"));
}

GLuint build(const std::string& source) {
  const GLuint shader = glCreateShader(GL_COMPUTE_SHADER), program = glCreateProgram();
  const char* text = source.c_str();
  glShaderSource(shader, 1, &text, nullptr);
  glCompileShader(shader);
  GLint ok;
  glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
  char log[4096] = "";
  if (!ok) glGetShaderInfoLog(shader, sizeof log, nullptr, log), fail(log);
  glAttachShader(program, shader);
  glLinkProgram(program);
  glGetProgramiv(program, GL_LINK_STATUS, &ok);
  if (!ok) glGetProgramInfoLog(program, sizeof log, nullptr, log), fail(log);
  return program;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: %s RENDERER SOURCE RESULTS\n", argv[0]);
    return 2;
  }
  std::ifstream file(argv[2]);
  if (!file) fail(std::string("cannot read ") + argv[2]);
  std::stringstream text;
  text << file.rdbuf();
  GLuint groups[3] = {1, 1, 1};
  bool indirect = false;
  int passes = 1;
  std::vector<Buffer> buffers;
  for (std::string line; std::getline(text, line);) {
    if (line.rfind("//@", 0) != 0) continue;
    std::istringstream words(line.substr(3));
    std::string what;
    words >> what;
    if (what == "groups") {
      for (GLuint& g : groups)
        if (!(words >> g)) g = 1;
    } else if (what == "indirect") {
      indirect = true;
    } else if (what == "passes") {
      words >> passes;
    } else if (what == "in" || what == "out" || what == "inout") {
      Buffer b;
      size_t count = 0;
      double lo = 0, hi = 0;
      words >> b.type >> count >> lo >> hi;
      b.out = what != "in";
      b.words.resize(count);
      uint64_t seed = 900 + buffers.size();
      if (what != "out")
        for (uint32_t& w : b.words) {
          const double v = lo + double(next(seed) >> 11) / double(1ull << 53) * (hi - lo);
          const float f = float(v);
          if (b.type == "float")
            std::memcpy(&w, &f, 4);
          else
            w = uint32_t(int64_t(v));
        }
      buffers.push_back(b);
    } else if (what != "tolerance" && what != "unordered") {
      fail("unknown line: " + line);
    }
  }

  open_context(argv[1]);
  const GLuint program = build(text.str());
  glUseProgram(program);
  for (size_t i = 0; i < buffers.size(); ++i) {
    glGenBuffers(1, &buffers[i].name);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, GLuint(i), buffers[i].name);
    glBufferData(GL_SHADER_STORAGE_BUFFER, GLsizeiptr(buffers[i].words.size() * 4), buffers[i].words.data(),
                 GL_DYNAMIC_COPY);
  }
  if (indirect) {
    GLuint name;
    glGenBuffers(1, &name);
    glBindBuffer(GL_DISPATCH_INDIRECT_BUFFER, name);
    glBufferData(GL_DISPATCH_INDIRECT_BUFFER, sizeof groups, groups, GL_STATIC_DRAW);
  }
  for (int pass = 0; pass < passes; ++pass) {
    glUniform1ui(glGetUniformLocation(program, "pass"), GLuint(pass));
    if (indirect)
      glDispatchComputeIndirect(0);
    else
      glDispatchCompute(groups[0], groups[1], groups[2]);
    glMemoryBarrier(GL_ALL_BARRIER_BITS);
  }
  glFinish();
  std::ofstream out(argv[3], std::ios::binary);
  for (size_t i = 0; i < buffers.size(); ++i) {
    const Buffer& b = buffers[i];
    if (!b.out) continue;
    glBindBuffer(GL_SHADER_STORAGE_BUFFER, b.name);
    const void* at = glMapBufferRange(GL_SHADER_STORAGE_BUFFER, 0, GLsizeiptr(b.words.size() * 4), GL_MAP_READ_BIT);
    if (!at) fail("glMapBufferRange");
    out << "main 0 " << i << ' ' << b.type << ' ' << b.words.size() * 4 << '\n';
    out.write(static_cast<const char*>(at), std::streamsize(b.words.size() * 4));
    out << '\n';
    glUnmapBuffer(GL_SHADER_STORAGE_BUFFER);
  }
  if (const GLenum e = glGetError()) fail("GL error " + std::to_string(e));
  return 0;
}
