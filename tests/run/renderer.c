// Prints which driver EGL and OpenGL ES find on the render node, through GBM and without a window system: the line
// GL_RENDERER of a current context. For the tests of `vitro run`.
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES2/gl2.h>
#include <fcntl.h>
#include <gbm.h>
#include <stdio.h>

int main(void) {
  const int device = open("/dev/dri/renderD128", O_RDWR);
  struct gbm_device* gbm = device >= 0 ? gbm_create_device(device) : NULL;
  if (!gbm) return perror("renderer: no GBM device"), 1;
  const EGLDisplay display = eglGetPlatformDisplay(EGL_PLATFORM_GBM_KHR, gbm, NULL);
  if (!eglInitialize(display, NULL, NULL)) return fprintf(stderr, "renderer: eglInitialize: %x\n", eglGetError()), 1;
  static const EGLint version[] = {EGL_CONTEXT_MAJOR_VERSION, 2, EGL_NONE};
  const EGLContext context = eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, version);
  if (!context || !eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context))
    return fprintf(stderr, "renderer: no context: %x\n", eglGetError()), 1;
  printf("%s\n%s\n", (const char*)glGetString(GL_RENDERER), (const char*)glGetString(GL_VERSION));
  return 0;
}
