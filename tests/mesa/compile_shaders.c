// The client of the Mesa oracle: compiles and links every shader program given on the command line and draws or
// dispatches it, so that the driver really generates its machine code (and prints it, when INTEL_DEBUG asks for that).
// Runs on EGL without a window system. What is drawn does not matter: the device below executes nothing.
// Falling back to a software renderer is an error, because then not one Intel instruction would be compiled.
//
// A program file: comment lines of directives, then sections "-- vertex", "-- fragment", "-- compute" and so on.
//   // needs N          GLSL version of the program; a file that needs more than the context has is skipped
//   // variants A B ... build the program once for each word, with that word #defined
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/glcorearb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GL_FUNCTIONS(X)                             \
  X(GETSTRING, GetString)                           \
  X(GETINTEGERV, GetIntegerv)                       \
  X(GETERROR, GetError)                             \
  X(CREATESHADER, CreateShader)                     \
  X(SHADERSOURCE, ShaderSource)                     \
  X(COMPILESHADER, CompileShader)                   \
  X(GETSHADERIV, GetShaderiv)                       \
  X(GETSHADERINFOLOG, GetShaderInfoLog)             \
  X(DELETESHADER, DeleteShader)                     \
  X(CREATEPROGRAM, CreateProgram)                   \
  X(ATTACHSHADER, AttachShader)                     \
  X(LINKPROGRAM, LinkProgram)                       \
  X(GETPROGRAMIV, GetProgramiv)                     \
  X(GETPROGRAMINFOLOG, GetProgramInfoLog)           \
  X(DELETEPROGRAM, DeleteProgram)                   \
  X(USEPROGRAM, UseProgram)                         \
  X(GETACTIVEUNIFORM, GetActiveUniform)             \
  X(GETUNIFORMLOCATION, GetUniformLocation)         \
  X(UNIFORM1I, Uniform1i)                           \
  X(GENVERTEXARRAYS, GenVertexArrays)               \
  X(BINDVERTEXARRAY, BindVertexArray)               \
  X(GENTEXTURES, GenTextures)                       \
  X(BINDTEXTURE, BindTexture)                       \
  X(TEXIMAGE2D, TexImage2D)                         \
  X(TEXIMAGE2DMULTISAMPLE, TexImage2DMultisample)   \
  X(GENFRAMEBUFFERS, GenFramebuffers)               \
  X(BINDFRAMEBUFFER, BindFramebuffer)               \
  X(FRAMEBUFFERTEXTURE2D, FramebufferTexture2D)     \
  X(CHECKFRAMEBUFFERSTATUS, CheckFramebufferStatus) \
  X(DRAWBUFFERS, DrawBuffers)                       \
  X(VIEWPORT, Viewport)                             \
  X(DRAWARRAYS, DrawArrays)                         \
  X(PATCHPARAMETERI, PatchParameteri)               \
  X(DISPATCHCOMPUTE, DispatchCompute)               \
  X(FLUSH, Flush)

#define DECLARE(type, name) static PFNGL##type##PROC gl##name;
GL_FUNCTIONS(DECLARE)

enum { SIDE = 16, MAX_WORDS = 16 };

static const struct Stage {
  const char* name;
  GLenum type;
} stages[] = {{"vertex", GL_VERTEX_SHADER},
              {"tessellation control", GL_TESS_CONTROL_SHADER},
              {"tessellation evaluation", GL_TESS_EVALUATION_SHADER},
              {"geometry", GL_GEOMETRY_SHADER},
              {"fragment", GL_FRAGMENT_SHADER},
              {"compute", GL_COMPUTE_SHADER}};
enum { STAGE_COUNT = sizeof stages / sizeof *stages, TESSELLATION = 1, GEOMETRY = 3, COMPUTE = 5 };

static void die(const char* what, const char* detail) {
  fprintf(stdout, "compile_shaders: %s: %s\n", what, detail);
  fflush(stdout);
  exit(1);
}

// A core context of the highest version the driver has among those the programs ask for.
static int make_context(void) {
  EGLDisplay display = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
  if (!eglInitialize(display, NULL, NULL)) die("eglInitialize", "no display");
  eglBindAPI(EGL_OPENGL_API);
  static const int versions[][2] = {{4, 6}, {4, 3}, {3, 3}};
  EGLContext context = EGL_NO_CONTEXT;
  for (size_t i = 0; context == EGL_NO_CONTEXT && i < sizeof versions / sizeof *versions; i++) {
    const EGLint attributes[] = {EGL_CONTEXT_MAJOR_VERSION, versions[i][0], EGL_CONTEXT_MINOR_VERSION, versions[i][1],
                                 EGL_NONE};
    context = eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, attributes);
  }
  if (!eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context)) die("eglMakeCurrent", "no OpenGL context");
#define LOAD(type, name) gl##name = (PFNGL##type##PROC)eglGetProcAddress("gl" #name);
  GL_FUNCTIONS(LOAD)
  const char* renderer = (const char*)glGetString(GL_RENDERER);
  if (!strstr(renderer, "Intel")) die("not an Intel driver", renderer);
  int major, minor;
  glGetIntegerv(GL_MAJOR_VERSION, &major);
  glGetIntegerv(GL_MINOR_VERSION, &minor);
  printf("renderer %s, OpenGL %d.%d\n", renderer, major, minor);
  return major * 100 + minor * 10;
}

// Two colour attachments, with 1 or 4 samples: drivers specialise fragment shaders for multisampled targets.
static GLuint make_framebuffer(int samples) {
  const GLenum target = samples > 1 ? GL_TEXTURE_2D_MULTISAMPLE : GL_TEXTURE_2D;
  GLuint framebuffer, textures[2];
  glGenFramebuffers(1, &framebuffer);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
  glGenTextures(2, textures);
  for (int i = 0; i < 2; i++) {
    glBindTexture(target, textures[i]);
    if (samples > 1)
      glTexImage2DMultisample(target, samples, GL_RGBA8, SIDE, SIDE, GL_TRUE);
    else
      glTexImage2D(target, 0, GL_RGBA8, SIDE, SIDE, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0 + i, target, textures[i], 0);
    glBindTexture(target, 0);
  }
  const GLenum attachments[] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1};
  glDrawBuffers(2, attachments);
  if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) die("framebuffer", "not complete");
  return framebuffer;
}

static char* read_file(const char* path) {
  FILE* file = fopen(path, "rb");
  if (!file) die("cannot open", path);
  fseek(file, 0, SEEK_END);
  const long size = ftell(file);
  rewind(file);
  char* text = calloc(1, (size_t)size + 1);
  if (fread(text, 1, (size_t)size, file) != (size_t)size) die("cannot read", path);
  fclose(file);
  return text;
}

// The words after "// name " in the head of the file, split in place in `line`; returns how many.
static int directive(const char* text, const char* name, char* line, size_t room, const char* words[MAX_WORDS]) {
  char key[64];
  snprintf(key, sizeof key, "// %s ", name);
  const char* found = strstr(text, key);
  if (!found) return 0;
  found += strlen(key);
  snprintf(line, room, "%.*s", (int)strcspn(found, "\n"), found);
  int count = 0;
  for (char* word = strtok(line, " "); word && count < MAX_WORDS; word = strtok(NULL, " ")) words[count++] = word;
  return count;
}

static GLuint compile(const char* path, const struct Stage* stage, const char* version, const char* variant,
                      const char* body, int length) {
  char head[256];
  snprintf(head, sizeof head, "#version %s core\n%s%s%s", version, variant ? "#define " : "", variant ? variant : "",
           variant ? " 1\n" : "");
  const char* parts[] = {head, body};
  const GLint lengths[] = {(GLint)strlen(head), length};
  GLuint shader = glCreateShader(stage->type);
  glShaderSource(shader, 2, parts, lengths);
  glCompileShader(shader);
  GLint ok;
  glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
  if (!ok) {
    char log[4096];
    glGetShaderInfoLog(shader, sizeof log, NULL, log);
    printf("%s, %s shader, variant %s:\n", path, stage->name, variant ? variant : "-");
    die("does not compile", log);
  }
  return shader;
}

// Every sampler gets a texture unit of its own: two types on one unit would make the draw an error.
static void assign_units(GLuint program) {
  GLint count, unit = 0;
  glGetProgramiv(program, GL_ACTIVE_UNIFORMS, &count);
  for (GLint i = 0; i < count; i++) {
    char name[128];
    GLint size;
    GLenum type;
    glGetActiveUniform(program, (GLuint)i, sizeof name, NULL, &size, &type, name);
    const int sampler = (type >= GL_SAMPLER_1D && type <= GL_SAMPLER_2D_RECT_SHADOW) ||
                        (type >= GL_SAMPLER_1D_ARRAY && type <= GL_SAMPLER_CUBE_SHADOW) ||
                        (type >= GL_INT_SAMPLER_1D && type <= GL_UNSIGNED_INT_SAMPLER_BUFFER) ||
                        (type >= GL_SAMPLER_CUBE_MAP_ARRAY && type <= GL_UNSIGNED_INT_SAMPLER_CUBE_MAP_ARRAY) ||
                        (type >= GL_SAMPLER_2D_MULTISAMPLE && type <= GL_UNSIGNED_INT_SAMPLER_2D_MULTISAMPLE_ARRAY);
    if (sampler) glUniform1i(glGetUniformLocation(program, name), unit++);
  }
}

static void draw(const GLuint framebuffers[2], const int present[STAGE_COUNT]) {
  const GLenum mode = present[TESSELLATION] ? GL_PATCHES : GL_TRIANGLES;
  for (int i = 0; i < 2; i++) {
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffers[i]);
    glDrawArrays(mode, 0, 3);
  }
}

static void build(const char* path, const char* text, const char* version, const char* variant,
                  const GLuint framebuffers[2]) {
  GLuint program = glCreateProgram();
  int present[STAGE_COUNT] = {0};
  for (const char* section = strstr(text, "\n-- "); section;) {
    const char* name = section + 4;
    const char* body = strchr(name, '\n') + 1;
    const char* end = strstr(body - 1, "\n-- ");
    for (int i = 0; i < STAGE_COUNT; i++) {
      if ((size_t)(body - 1 - name) != strlen(stages[i].name) || strncmp(name, stages[i].name, strlen(stages[i].name)))
        continue;
      GLuint shader =
          compile(path, &stages[i], version, variant, body, (int)(end ? end - body + 1 : (long)strlen(body)));
      glAttachShader(program, shader);
      glDeleteShader(shader);
      present[i] = 1;
    }
    section = end;
  }
  glLinkProgram(program);
  GLint ok;
  glGetProgramiv(program, GL_LINK_STATUS, &ok);
  if (!ok) {
    char log[4096];
    glGetProgramInfoLog(program, sizeof log, NULL, log);
    printf("%s, variant %s:\n", path, variant ? variant : "-");
    die("does not link", log);
  }
  glUseProgram(program);
  assign_units(program);
  if (present[COMPUTE])
    glDispatchCompute(1, 1, 1);
  else
    draw(framebuffers, present);
  const GLenum error = glGetError();
  if (error) {
    char number[16];
    snprintf(number, sizeof number, "0x%x", error);
    printf("%s, variant %s:\n", path, variant ? variant : "-");
    die("OpenGL error", number);
  }
  glUseProgram(0);
  glDeleteProgram(program);
}

int main(int argc, char** argv) {
  // The driver prints its listings on stderr, a few bytes at a time.
  setvbuf(stderr, NULL, _IOFBF, 1 << 20);
  const int context_version = make_context();
  GLuint vertex_array;
  glGenVertexArrays(1, &vertex_array);
  glBindVertexArray(vertex_array);
  const GLuint framebuffers[2] = {make_framebuffer(1), make_framebuffer(4)};
  glViewport(0, 0, SIDE, SIDE);
  if (context_version >= 400) glPatchParameteri(GL_PATCH_VERTICES, 3);

  int built = 0, skipped = 0;
  for (int i = 1; i < argc; i++) {
    char* text = read_file(argv[i]);
    char needs_line[256], variants_line[1024];
    const char *needs[MAX_WORDS], *variants[MAX_WORDS] = {NULL};
    if (directive(text, "needs", needs_line, sizeof needs_line, needs) != 1) die("no \"// needs\" line", argv[i]);
    int count = directive(text, "variants", variants_line, sizeof variants_line, variants);
    if (atoi(needs[0]) > context_version) {
      skipped++;
    } else {
      if (!count) count = 1;
      for (int v = 0; v < count; v++, built++) build(argv[i], text, needs[0], variants[v], framebuffers);
    }
    free(text);
  }
  glFlush();
  printf("%d programs built, %d files skipped\n", built, skipped);
  return 0;
}
