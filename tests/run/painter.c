// Draws with OpenGL ES and prints one pixel: a clear in one colour, then a triangle over the left half and more of a
// target of 64 x 32 pixels. With an argument, four samples for each pixel, resolved. For the tests of `vitro run`.
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES3/gl3.h>
#include <stdio.h>

static GLuint shader(GLenum kind, const char* text) {
  const GLuint made = glCreateShader(kind);
  glShaderSource(made, 1, &text, NULL);
  glCompileShader(made);
  return made;
}

int main(int argc, char** argv) {
  (void)argv;
  const EGLDisplay display = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
  static const EGLint version[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_NONE};
  if (!eglInitialize(display, NULL, NULL)) return fprintf(stderr, "painter: eglInitialize: %x\n", eglGetError()), 1;
  const EGLContext context = eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, version);
  if (!context || !eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context))
    return fprintf(stderr, "painter: no context: %x\n", eglGetError()), 1;

  enum { width = 64, height = 32 };
  GLuint frame[2], target[2];
  glGenFramebuffers(2, frame);
  glGenRenderbuffers(2, target);
  for (int n = 0; n < 2; ++n) {
    glBindRenderbuffer(GL_RENDERBUFFER, target[n]);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, n == 0 && argc > 1 ? 4 : 0, GL_RGBA8, width, height);
    glBindFramebuffer(GL_FRAMEBUFFER, frame[n]);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, target[n]);
  }
  glBindFramebuffer(GL_FRAMEBUFFER, frame[0]);
  glViewport(0, 0, width, height);
  glClearColor(0.2f, 0.4f, 0.6f, 1);
  glClear(GL_COLOR_BUFFER_BIT);

  const GLuint program = glCreateProgram();
  glAttachShader(
      program,
      shader(GL_VERTEX_SHADER,
             "#version 300 es\n"
             "void main() { gl_Position = vec4(gl_VertexID == 1 ? 1 : -1, gl_VertexID == 2 ? 3 : -1, 0, 1); }"));
  glAttachShader(program, shader(GL_FRAGMENT_SHADER,
                                 "#version 300 es\nprecision highp float; out vec4 colour;\n"
                                 "void main() { colour = vec4(1, 0.8, 0, 1); }"));
  glLinkProgram(program);
  glUseProgram(program);
  glDrawArrays(GL_TRIANGLES, 0, 3);
  if (argc > 1) {
    glBindFramebuffer(GL_READ_FRAMEBUFFER, frame[0]);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, frame[1]);
    glBlitFramebuffer(0, 0, width, height, 0, 0, width, height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, frame[1]);
  }
  unsigned char p[4] = {9, 9, 9, 9};
  glReadPixels(8, 4, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, p);
  printf("%d %d %d %d, error %x\n", p[0], p[1], p[2], p[3], glGetError());
  return 0;
}
