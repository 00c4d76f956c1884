// Compares the decoders of compressed formats with Mesa's: random blocks are uploaded as textures to OpenGL, a shader
// fetches every texel as floats, and those are compared with ours. For developers; `run` beside it builds and runs it
// with llvmpipe. PRM: SURFACE_FORMAT.
// Not compared: formats that OpenGL does not offer there.
#define GL_GLEXT_PROTOTYPES
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/gl.h>
#include <GL/glext.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "base/random.h"
#include "formats/format.h"

namespace {

using namespace vitro;

struct Case {
  const char* name;
  GLenum gl;
  float tolerance;  // Mesa's values have eight bits where ours have more; negative: its values are the highest eight
};
constexpr GLenum GL_ETC1_RGB8_OES = 0x8D64;
// llvmpipe widens bytes to floats with a product that is off by one in the last place, approximates what is between the
// endpoints of BC1 to BC5 and, for BC1 to BC3, sRGB.
constexpr float exact = 0, last_place = 1e-6f, byte = 2.001f / 255, sbyte = 2.001f / 127, srgb = 0.015f;
// It also widens eleven bits to sixteen before it divides.
constexpr float eleven_bits = 1.001f / 32767;
const Case cases[] = {{"DXT1_RGB", GL_COMPRESSED_RGB_S3TC_DXT1_EXT, byte},
                      {"BC1_UNORM", GL_COMPRESSED_RGBA_S3TC_DXT1_EXT, byte},
                      {"BC2_UNORM", GL_COMPRESSED_RGBA_S3TC_DXT3_EXT, byte},
                      {"BC3_UNORM", GL_COMPRESSED_RGBA_S3TC_DXT5_EXT, byte},
                      {"DXT1_RGB_SRGB", GL_COMPRESSED_SRGB_S3TC_DXT1_EXT, srgb},
                      {"BC1_UNORM_SRGB", GL_COMPRESSED_SRGB_ALPHA_S3TC_DXT1_EXT, srgb},
                      {"BC2_UNORM_SRGB", GL_COMPRESSED_SRGB_ALPHA_S3TC_DXT3_EXT, srgb},
                      {"BC3_UNORM_SRGB", GL_COMPRESSED_SRGB_ALPHA_S3TC_DXT5_EXT, srgb},
                      {"BC4_UNORM", GL_COMPRESSED_RED_RGTC1, byte},
                      {"BC4_SNORM", GL_COMPRESSED_SIGNED_RED_RGTC1, sbyte},
                      {"BC5_UNORM", GL_COMPRESSED_RG_RGTC2, byte},
                      {"BC5_SNORM", GL_COMPRESSED_SIGNED_RG_RGTC2, sbyte},
                      {"BC6H_SF16", GL_COMPRESSED_RGB_BPTC_SIGNED_FLOAT, exact},
                      {"BC6H_UF16", GL_COMPRESSED_RGB_BPTC_UNSIGNED_FLOAT, exact},
                      {"BC7_UNORM", GL_COMPRESSED_RGBA_BPTC_UNORM, last_place},
                      {"BC7_UNORM_SRGB", GL_COMPRESSED_SRGB_ALPHA_BPTC_UNORM, last_place},
                      {"ETC2_RGB8", GL_COMPRESSED_RGB8_ETC2, last_place},
                      {"ETC2_SRGB8", GL_COMPRESSED_SRGB8_ETC2, srgb},
                      {"ETC2_RGB8_PTA", GL_COMPRESSED_RGB8_PUNCHTHROUGH_ALPHA1_ETC2, last_place},
                      {"ETC2_SRGB8_PTA", GL_COMPRESSED_SRGB8_PUNCHTHROUGH_ALPHA1_ETC2, srgb},
                      {"ETC2_EAC_RGBA8", GL_COMPRESSED_RGBA8_ETC2_EAC, last_place},
                      {"ETC2_EAC_SRGB8_A8", GL_COMPRESSED_SRGB8_ALPHA8_ETC2_EAC, srgb},
                      {"EAC_R11", GL_COMPRESSED_R11_EAC, eleven_bits},
                      {"EAC_RG11", GL_COMPRESSED_RG11_EAC, eleven_bits},
                      {"EAC_SIGNED_R11", GL_COMPRESSED_SIGNED_R11_EAC, eleven_bits},
                      {"EAC_SIGNED_RG11", GL_COMPRESSED_SIGNED_RG11_EAC, eleven_bits},
                      {"ETC1_RGB8", GL_ETC1_RGB8_OES, last_place},
                      {"FXT1", GL_COMPRESSED_RGBA_FXT1_3DFX, last_place},
#define ASTC(size, gl)                                                     \
  {"ASTC_LDR_2D_" #size "_FLT16", GL_COMPRESSED_RGBA_ASTC_##gl##_KHR, -1}, \
      {"ASTC_LDR_2D_" #size "_U8SRGB", GL_COMPRESSED_SRGB8_ALPHA8_ASTC_##gl##_KHR, srgb},
                      ASTC(4X4, 4x4) ASTC(5X4, 5x4) ASTC(5X5, 5x5) ASTC(6X5, 6x5) ASTC(6X6, 6x6) ASTC(8X5, 8x5)
                          ASTC(8X6, 8x6) ASTC(8X8, 8x8) ASTC(10X5, 10x5) ASTC(10X6, 10x6) ASTC(10X8, 10x8)
                              ASTC(10X10, 10x10) ASTC(12X10, 12x10) ASTC(12X12, 12x12)
#undef ASTC
};

GLuint shader(GLenum kind, const char* text) {
  const GLuint s = glCreateShader(kind);
  glShaderSource(s, 1, &text, nullptr);
  glCompileShader(s);
  return s;
}

bool same(float x, float y, float tolerance) {
  if (tolerance < 0) return std::fabs(std::fmin(std::floor(x * 256), 255.0f) / 255 - y) < last_place;
  return x == y || (std::isnan(x) && std::isnan(y)) || std::fabs(x - y) <= tolerance;
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 4;
  const auto display = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, nullptr, nullptr);
  eglInitialize(display, nullptr, nullptr);
  eglBindAPI(EGL_OPENGL_API);
  const EGLint wanted[] = {EGL_CONTEXT_MAJOR_VERSION, 4, EGL_CONTEXT_MINOR_VERSION, 3, EGL_NONE};
  const EGLContext context = eglCreateContext(display, EGL_NO_CONFIG_KHR, nullptr, wanted);
  if (!eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context)) return std::puts("no OpenGL 4.3"), 2;
  std::printf("%s\n", reinterpret_cast<const char*>(glGetString(GL_RENDERER)));

  const GLuint program = glCreateProgram();
  glAttachShader(program, shader(GL_VERTEX_SHADER,
                                 "#version 430\nvoid main() { gl_Position = vec4(gl_VertexID == 1 ? 3 : -1,"
                                 " gl_VertexID == 2 ? 3 : -1, 0, 1); }"));
  glAttachShader(program, shader(GL_FRAGMENT_SHADER,
                                 "#version 430\nuniform sampler2D t; out vec4 c;"
                                 " void main() { c = texelFetch(t, ivec2(gl_FragCoord.xy), 0); }"));
  glLinkProgram(program);
  glUseProgram(program);
  constexpr int width = 256, height = 128;
  GLuint target, frame, vertices;
  glGenVertexArrays(1, &vertices);
  glBindVertexArray(vertices);
  glGenTextures(1, &target);
  glBindTexture(GL_TEXTURE_2D, target);
  glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA32F, width, height);
  glGenFramebuffers(1, &frame);
  glBindFramebuffer(GL_FRAMEBUFFER, frame);
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, target, 0);
  glViewport(0, 0, width, height);

  Rng rng(1);
  int failures = 0;
  for (const Case& c : cases) {
    const formats::Format& f = *formats::find(c.name);
    if (!f.decode) {
      std::printf("%-20s has no decoder\n", c.name);
      continue;
    }
    while (glGetError()) {
    }
    int wrong = 0;
    float most = 0;
    bool refused = false;
    for (int round = 0; round < rounds && !refused; ++round) {
      const int across = width / f.block_width, down = height / f.block_height;
      std::vector<std::byte> blocks(size_t(across * down) * f.bytes());
      for (auto& b : blocks) b = std::byte(rng());
      // Modes that random bits seldom choose.
      if (f.name.starts_with("BC7"))
        for (size_t n = 0; n < blocks.size(); n += 16) blocks[n] = std::byte((rng() | 1) << rng.below(9));
      if (f.name.starts_with("ASTC"))
        for (size_t n = 0; n < blocks.size(); n += 16) {
          if (rng.one_in(2)) blocks[n + 1] &= std::byte(0xF9);  // one plane, few bits
          if (rng.one_in(8)) blocks[n] = std::byte(0xFC), blocks[n + 1] |= std::byte(0x01);
          // Mesa does not look at the reserved bits of an extent.
          const bool extent = blocks[n] == std::byte(0xFC) && (blocks[n + 1] & std::byte(1)) != std::byte(0);
          if (extent) blocks[n + 1] |= std::byte(0x0C);
        }
      GLuint texture;
      glGenTextures(1, &texture);
      glBindTexture(GL_TEXTURE_2D, texture);
      glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
      glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
      glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
      glCompressedTexImage2D(GL_TEXTURE_2D, 0, c.gl, across * f.block_width, down * f.block_height, 0,
                             GLsizei(blocks.size()), blocks.data());
      refused = glGetError() != 0;
      glDrawArrays(GL_TRIANGLES, 0, 3);
      std::vector<float> theirs(size_t(width * height) * 4);
      glReadPixels(0, 0, width, height, GL_RGBA, GL_FLOAT, theirs.data());
      glDeleteTextures(1, &texture);
      if (refused) break;
      std::vector<formats::Rgba> ours(f.texels());
      for (int by = 0; by < down; ++by)
        for (int bx = 0; bx < across; ++bx) {
          const std::byte* block = blocks.data() + size_t(by * across + bx) * f.bytes();
          formats::decode_block(f, {block, f.bytes()}, ours);
          for (unsigned n = 0; n < f.texels(); ++n) {
            const int x = bx * f.block_width + int(n % f.block_width), y = by * f.block_height + int(n / f.block_width);
            float mine[4];
            std::memcpy(mine, ours[n].data(), 16);
            const float* other = &theirs[size_t(y * width + x) * 4];
            bool equal = true;
            for (int k = 0; k < 4; ++k) {
              equal &= same(mine[k], other[k], c.tolerance);
              most = std::fmax(most, std::fabs(mine[k] - other[k]));
            }
            if (equal || wrong++ > 3) continue;
            std::printf("  %s texel %u of block", c.name, n);
            for (unsigned k = 0; k < f.bytes(); ++k) std::printf(" %02x", unsigned(block[k]));
            std::printf(": %.9g %.9g %.9g %.9g, theirs %.9g %.9g %.9g %.9g\n", mine[0], mine[1], mine[2], mine[3],
                        other[0], other[1], other[2], other[3]);
          }
        }
    }
    std::printf("%-20s %s, at most %g apart\n", c.name, refused ? "not offered" : wrong ? "DIFFERENT" : "equal", most);
    failures += wrong != 0;
  }
  return failures != 0;
}
