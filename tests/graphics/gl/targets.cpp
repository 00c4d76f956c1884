// Scenes of the pipeline's end: blending, logic, stencil, multisampling, several targets, their formats, sRGB,
// integers, viewports, what pixel shaders can do, blits.
#include "context.h"

namespace graphics {
namespace {

void blending(Results& r) {  // sources down, destinations across, then operations
  const Target t = target();
  program("plain.vert", "colour.frag");
  set({});
  const GLenum factors[] = {GL_ZERO,           GL_ONE,
                            GL_SRC_COLOR,      GL_ONE_MINUS_DST_COLOR,
                            GL_SRC_ALPHA,      GL_ONE_MINUS_SRC_ALPHA,
                            GL_DST_ALPHA,      GL_SRC_ALPHA_SATURATE,
                            GL_CONSTANT_COLOR, GL_ONE_MINUS_CONSTANT_ALPHA};
  const GLenum operations[] = {GL_FUNC_ADD, GL_FUNC_SUBTRACT, GL_FUNC_REVERSE_SUBTRACT, GL_MIN, GL_MAX};
  glBlendColor(0.3f, 0.6f, 0.9f, 0.4f);
  draw(scatter(80, 0.6f, 21));
  glEnable(GL_BLEND);
  glEnable(GL_SCISSOR_TEST);
  const Mesh above = scatter(40, 0.9f, 22);
  for (int i = 0; i < 50; ++i) {
    glScissor(i % 10 * 25, i / 10 * 38, 25, 38);
    glBlendFuncSeparate(factors[i % 10], factors[i / 10 * 2 + 1], GL_ONE, factors[(i + 3) % 6]);
    glBlendEquationSeparate(operations[i % 5], operations[i / 10]);
    draw(above);
  }
  save(r, "colour", t);
}

void logic(Results& r) {
  const Target t = target();
  program("plain.vert", "colour.frag");
  set({});
  draw(scatter(80, 0.6f, 23));
  glEnable(GL_COLOR_LOGIC_OP);
  glEnable(GL_SCISSOR_TEST);
  for (int i = 0; i < 16; ++i) {
    glScissor(i % 4 * 64, i / 4 * 48, 64, 48);
    glLogicOp(GL_CLEAR + GLenum(i));
    draw(scatter(30, 0.9f, 24));
  }
  save(r, "colour", t);
}

void dual_source(Results& r) {
  const Target t = target();
  program("plain.vert", "dual.frag");
  set({});
  glEnable(GL_BLEND);
  glBlendFunc(GL_SRC1_COLOR, GL_ONE_MINUS_SRC1_COLOR);
  draw(scatter(60, 0.6f, 25));
  save(r, "colour", t);
}

void stencil(Results& r) {  // faces in both directions count up and down; then four tests of the result
  const Target t = target();
  program("plain.vert", "colour.frag");
  set({});
  glEnable(GL_STENCIL_TEST);
  glStencilOpSeparate(GL_FRONT, GL_KEEP, GL_INVERT, GL_INCR_WRAP);
  glStencilOpSeparate(GL_BACK, GL_REPLACE, GL_INCR, GL_DECR_WRAP);
  glStencilFuncSeparate(GL_FRONT, GL_ALWAYS, 3, 0xFF);
  glStencilFuncSeparate(GL_BACK, GL_NOTEQUAL, 5, 0x0F);
  glEnable(GL_DEPTH_TEST);
  glColorMask(0, 0, 0, 0);
  draw(scatter(80, 0.7f, 26));
  glColorMask(1, 1, 1, 1);
  glDisable(GL_DEPTH_TEST);
  glStencilOp(GL_KEEP, GL_KEEP, GL_ZERO);
  const GLenum functions[] = {GL_EQUAL, GL_LESS, GL_GEQUAL, GL_NOTEQUAL};
  for (int i = 0; i < 4; ++i) {
    glStencilFunc(functions[i], 2, i == 3 ? 0x01 : 0xFF);
    glStencilMask(i == 1 ? 0xF0 : 0xFF);
    const float x = -1 + 0.5f * float(i);
    draw_rectangle(x, -1, x + 0.5f, 1);
  }
  save(r, "colour", t);
  save(r, "stencil", t, 0, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, "r8", 1);
}

void multisampling(Results& r) {
  program("plain.vert", "colour.frag");
  set({});
  const Target t = target({GL_RGBA8}, GL_DEPTH24_STENCIL8, 4);
  draw(scatter(60, 0.5f, 27));
  save_resolved(r, "resolved", t);

  const Target covered = target({GL_RGBA8}, GL_DEPTH24_STENCIL8, 4);
  glEnable(GL_SAMPLE_ALPHA_TO_COVERAGE);
  draw(scatter(60, 0.5f, 27));
  glDisable(GL_SAMPLE_ALPHA_TO_COVERAGE);
  glEnable(GL_SAMPLE_MASK);
  glSampleMaski(0, 0x5);
  draw(scatter(20, 0.5f, 28));
  glDisable(GL_SAMPLE_MASK);
  save_resolved(r, "masked", covered);

  const Target each = target({GL_RGBA8}, GL_DEPTH24_STENCIL8, 4);
  program("plain.vert", "sample.frag");
  draw(scatter(30, 0.6f, 29));
  save_resolved(r, "per_sample", each);
  const Target shown = target();
  program("plain.vert", "samples.frag");
  glBindTextureUnit(1, each.colours[0]);
  draw_rectangle();
  save(r, "samples", shown);

  const Target masks = target({GL_RGBA8}, GL_DEPTH24_STENCIL8, 4);
  program("plain.vert", "coverage.frag");
  glEnable(GL_SAMPLE_MASK);
  glSampleMaski(0, 0x6);
  draw(scatter(20, 0.5f, 28));
  glDisable(GL_SAMPLE_MASK);
  save_resolved(r, "coverage", masks);
}

void targets(Results& r) {
  const Target t = target({GL_RGBA8, GL_RGBA16F, GL_RGBA32UI, GL_RGBA32I});
  const GLuint sevens[4] = {7, 7, 7, 7};
  const GLint minus[4] = {-1, -2, -3, -4};
  const float grey[4] = {0.5f, 0.25f, -1.5f, 1};
  glClearBufferfv(GL_COLOR, 0, grey), glClearBufferfv(GL_COLOR, 1, grey);
  glClearBufferuiv(GL_COLOR, 2, sevens), glClearBufferiv(GL_COLOR, 3, minus);
  program("plain.vert", "targets.frag");
  set({});
  glColorMaski(1, GL_TRUE, GL_FALSE, GL_TRUE, GL_TRUE);
  glEnablei(GL_BLEND, 0);
  glBlendFunci(0, GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
  draw(scatter(40, 0.6f, 30));
  save(r, "rgba8", t, GL_COLOR_ATTACHMENT0, GL_RGBA, GL_UNSIGNED_BYTE, "rgba8", 4);
  save(r, "rgba16f", t, GL_COLOR_ATTACHMENT1, GL_RGBA, GL_FLOAT, "rgba32f", 16);
  save(r, "rgba32ui", t, GL_COLOR_ATTACHMENT2, GL_RGBA_INTEGER, GL_UNSIGNED_INT, "rgba32ui", 16);
  save(r, "rgba32i", t, GL_COLOR_ATTACHMENT3, GL_RGBA_INTEGER, GL_INT, "rgba32i", 16);
}

void target_formats(Results& r) {  // the same drawing, blended, in each format that can be drawn to
  program("plain.vert", "colour.frag");
  set({});
  glEnable(GL_BLEND);
  glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
  constexpr struct {
    const char* name;
    GLenum format;
  } rows[] = {{"r8", GL_R8},
              {"rg8", GL_RG8},
              {"r16", GL_R16},
              {"rgba16", GL_RGBA16},
              {"r16f", GL_R16F},
              {"rg16f", GL_RG16F},
              {"r32f", GL_R32F},
              {"rgba32f", GL_RGBA32F},
              {"r11g11b10f", GL_R11F_G11F_B10F},
              {"rgb10_a2", GL_RGB10_A2},
              {"rgb565", GL_RGB565},
              {"rgb5_a1", GL_RGB5_A1}};
  for (const auto& row : rows) {
    const Target t = target({row.format}, 0);
    draw(scatter(20, 0.7f, 31));
    save(r, row.name, t, GL_COLOR_ATTACHMENT0, GL_RGBA, GL_FLOAT, "rgba32f", 16);
  }
}

void srgb(Results& r) {
  const Target t = target({GL_SRGB8_ALPHA8});
  program("plain.vert", "colour.frag");
  set({});
  draw_rectangle(-1, 0, 0, 1);
  glEnable(GL_FRAMEBUFFER_SRGB);
  draw_rectangle(0, 0, 1, 1);
  glEnable(GL_BLEND);
  glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
  draw(scatter(20, 0.6f, 32));
  program("plain.vert", "texture.frag");
  Values v;
  v.v[0][0] = v.v[0][1] = 1;
  set(v);
  glDisable(GL_BLEND);
  glBindTextureUnit(1, texture(32, 32, pattern(32, 32), GL_LINEAR, GL_REPEAT, false, GL_SRGB8_ALPHA8));
  draw_rectangle(-1, -1, 0, 0);
  glDisable(GL_FRAMEBUFFER_SRGB);
  draw_rectangle(0, -1, 1, 0);
  save(r, "colour", t);
}

void integers(Results& r) {
  const Target t = target({GL_RGBA32UI}, 0);
  program("plain.vert", "integer.frag");
  set({});
  GLuint name;
  glCreateTextures(GL_TEXTURE_2D, 1, &name);
  glTextureStorage2D(name, 1, GL_RGBA8UI, 32, 32);
  glTextureSubImage2D(name, 0, 0, 0, 32, 32, GL_RGBA_INTEGER, GL_UNSIGNED_BYTE, pattern(32, 32).data());
  glTextureParameteri(name, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTextureParameteri(name, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  glBindTextureUnit(1, name);
  draw_rectangle();
  save(r, "values", t, GL_COLOR_ATTACHMENT0, GL_RGBA_INTEGER, GL_UNSIGNED_INT, "rgba32ui", 16);
}

void viewports(Results& r) {
  const Target t = target();
  program("viewports.vert", "colour.frag");
  set({});
  for (int i = 0; i < 4; ++i) {
    glViewportIndexedf(GLuint(i), float(i % 2) * 120.5f + 4, float(i / 2) * 95 + 0.25f, 110 + float(i), 90);
    glDepthRangeIndexed(GLuint(i), 0.1 * i, 1 - 0.2 * i);
    glScissorIndexed(GLuint(i), i % 2 * 128 + 10, i / 2 * 96 + 8, 90 + 5 * i, 70);
    if (i != 2) glEnablei(GL_SCISSOR_TEST, GLuint(i));
  }
  glEnable(GL_DEPTH_TEST);
  draw(scatter(40, 0.6f, 33), 4);
  save(r, "colour", t);
  save(r, "depth", t, 0, GL_DEPTH_COMPONENT, GL_FLOAT, "r32f", 4);
}

void pixels(Results& r) {  // discard, depths of their own, derivatives
  const Target t = target();
  program("plain.vert", "pixel.frag");
  Values v;
  v.v[0][0] = 0.25f;
  set(v);
  glEnable(GL_DEPTH_TEST);
  draw_rectangle(-1, -1, 0.6f, 0.6f);
  v.v[0][0] = 0.4f;
  set(v);
  draw_rectangle(-0.6f, -0.6f, 1, 1, 0.1f);
  save(r, "colour", t);
  save(r, "depth", t, 0, GL_DEPTH_COMPONENT, GL_FLOAT, "r32f", 4);
}

void blits(Results& r) {
  const Target from = target();
  program("plain.vert", "colour.frag");
  set({});
  draw(scatter(60, 0.5f, 34));
  const Target t = target();
  const auto blit = [&](GLint x0, GLint y0, GLint x1, GLint y1, GLint X0, GLint Y0, GLint X1, GLint Y1, GLenum filter) {
    glBlitNamedFramebuffer(from.framebuffer, t.framebuffer, x0, y0, x1, y1, X0, Y0, X1, Y1, GL_COLOR_BUFFER_BIT,
                           filter);
  };
  blit(0, 0, width, height, 0, 0, 120, 90, GL_NEAREST);
  blit(0, 0, width, height, 128, 0, 250, 91, GL_LINEAR);
  blit(50, 50, 80, 70, 120, 190, 4, 96, GL_LINEAR);  // larger, and turned around
  blit(50, 50, 80, 70, 130, 96, 250, 190, GL_NEAREST);
  glCopyTextureSubImage2D(t.colours[0], 0, 100, 60, 10, 10, 50, 60);
  glCopyImageSubData(from.colours[0], GL_TEXTURE_2D, 0, 150, 100, 0, t.colours[0], GL_TEXTURE_2D, 0, 160, 70, 0, 40, 50,
                     1);
  save(r, "colour", t);
}

constexpr Scene scenes[] = {{"blending", blending},
                            {"logic", logic},
                            {"dual_source", dual_source},
                            {"stencil", stencil},
                            {"multisampling", multisampling},
                            {"targets", targets},
                            {"target_formats", target_formats},
                            {"srgb", srgb},
                            {"integers", integers},
                            {"viewports", viewports},
                            {"pixels", pixels},
                            {"blits", blits}};

}  // namespace

std::span<const Scene> target_scenes() { return scenes; }

}  // namespace graphics
