// Scenes of the sampler: wrapping and filters, levels, anisotropy, cubes, arrays, volumes, comparison, formats.
#include "context.h"

namespace graphics {
namespace {

// Field i of n x m fields of the viewport, a little smaller than its share.
void draw_field(int i, int n, int m) {
  const float w = 2.0f / float(n), h = 2.0f / float(m), x = -1 + w * float(i % n), y = -1 + h * float(i / n);
  draw_rectangle(x + 0.01f, y + 0.01f, x + w - 0.01f, y + h - 0.01f);
}

void wraps(Results& r) {
  const Target t = target();
  program("plain.vert", "texture.frag");
  Values v;
  v.v[0][0] = 3.1f, v.v[0][1] = 2.7f, v.v[0][2] = -1.05f, v.v[0][3] = -0.85f;
  set(v);
  const GLenum wrap[] = {GL_REPEAT, GL_MIRRORED_REPEAT, GL_CLAMP_TO_EDGE, GL_CLAMP_TO_BORDER, GL_MIRROR_CLAMP_TO_EDGE};
  const float border[4] = {0.9f, 0.1f, 0.6f, 1};
  for (int i = 0; i < 10; ++i) {
    const GLuint name = texture(16, 16, pattern(16, 16), i < 5 ? GL_NEAREST : GL_LINEAR, wrap[i % 5]);
    glTextureParameterfv(name, GL_TEXTURE_BORDER_COLOR, border);
    glBindTextureUnit(1, name);
    draw_field(i, 5, 2);
  }
  save(r, "colour", t);
}

void mipmaps(Results& r) {
  const Target t = target();
  program("plain.vert", "texture.frag");
  Values v;
  v.v[0][0] = v.v[0][1] = 1;
  set(v);
  const GLenum filters[] = {GL_NEAREST_MIPMAP_NEAREST, GL_LINEAR_MIPMAP_NEAREST, GL_NEAREST_MIPMAP_LINEAR,
                            GL_LINEAR_MIPMAP_LINEAR};
  for (int i = 0; i < 12; ++i) {
    const GLuint name = texture(128, 128, pattern(128, 128), GL_LINEAR, GL_REPEAT, true);
    glTextureParameteri(name, GL_TEXTURE_MIN_FILTER, GLint(filters[i % 4]));
    if (i / 4 == 1) glTextureParameterf(name, GL_TEXTURE_LOD_BIAS, 1.5f);
    if (i / 4 == 2)
      glTextureParameterf(name, GL_TEXTURE_MIN_LOD, 1.75f), glTextureParameteri(name, GL_TEXTURE_MAX_LEVEL, 3);
    glBindTextureUnit(1, name);
    draw_field(i, 4, 3);
  }
  save(r, "colour", t);
}

void anisotropy(Results& r) {
  const Target t = target();
  program("plain.vert", "texture.frag");
  for (int i = 0; i < 4; ++i) {
    const GLuint name = texture(128, 128, pattern(128, 128), GL_LINEAR, GL_REPEAT, true);
    glTextureParameterf(name, 0x84FE /* GL_TEXTURE_MAX_ANISOTROPY */, float(1 << i * 4 / 3));
    glBindTextureUnit(1, name);
    glViewport(i % 2 * width / 2, i / 2 * height / 2, width / 2, height / 2);
    Values v;
    v.matrix = perspective(0.3f, 30) * move(0, -0.5f, -0.5f) * turn_x(-1.4f);
    v.v[0][0] = v.v[0][1] = 8;
    set(v);
    draw_rectangle(-4, -1, 4, 12);
  }
  save(r, "colour", t);
}

void lods(Results& r) {
  const Target t = target();
  program("plain.vert", "lods.frag");
  set({});
  glBindTextureUnit(1, texture(64, 64, pattern(64, 64), GL_LINEAR, GL_REPEAT, true));
  draw_rectangle();
  save(r, "colour", t);
}

void arrays(Results& r) {
  const Target t = target();
  program("plain.vert", "fetch.frag");
  set({});
  GLuint names[2];
  glCreateTextures(GL_TEXTURE_2D_ARRAY, 1, &names[0]);
  glCreateTextures(GL_TEXTURE_3D, 1, &names[1]);
  for (GLuint name : names) {
    glTextureStorage3D(name, 1, GL_RGBA8, 32, 32, 4);
    glTextureParameteri(name, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    for (int layer = 0; layer < 4; ++layer)
      glTextureSubImage3D(name, 0, 0, 0, layer, 32, 32, 1, GL_RGBA, GL_UNSIGNED_BYTE,
                          pattern(32, 32, uint32_t(layer)).data());
  }
  glBindTextures(1, 2, names);
  draw_rectangle();
  save(r, "colour", t);
}

void cube_map(Results& r) {
  const Target t = target();
  program("plain.vert", "cube.frag");
  set({});
  GLuint name;
  glCreateTextures(GL_TEXTURE_CUBE_MAP, 1, &name);
  glTextureStorage2D(name, 6, GL_RGBA8, 32, 32);
  for (int face = 0; face < 6; ++face)
    glTextureSubImage3D(name, 0, 0, 0, face, 32, 32, 1, GL_RGBA, GL_UNSIGNED_BYTE,
                        pattern(32, 32, uint32_t(face)).data());
  glGenerateTextureMipmap(name);
  glTextureParameteri(name, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_NEAREST);
  glBindTextureUnit(1, name);
  draw_rectangle(-1, 0, 1, 1);
  glEnable(GL_TEXTURE_CUBE_MAP_SEAMLESS);
  draw_rectangle(-1, -1, 1, 0);
  save(r, "colour", t);
}

void shadow(Results& r) {  // the depth that a first pass wrote, compared in a second
  const Target light = target({}, GL_DEPTH_COMPONENT24, 0, 128, 128);
  const Matrix from_light = scale(0.35f, 0.35f, -0.12f) * move(0, 0, -3) * turn_x(0.9f) * turn_y(0.5f);
  program("plain.vert", "colour.frag");
  glEnable(GL_DEPTH_TEST);
  Values v;
  v.matrix = from_light * move(0, 0.7f, 0);
  set(v);
  draw(torus());
  const Target t = target();
  program("lit.vert", "shadow.frag");
  glTextureParameteri(light.depth, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
  glTextureParameteri(light.depth, GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
  glTextureParameteri(light.depth, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  glTextureParameteri(light.depth, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  glBindTextureUnit(1, light.depth);
  const Matrix camera = perspective() * move(0, -0.2f, -5) * turn_x(0.5f) * turn_y(0.3f);
  // The map holds window depths, those of OpenGL in [0, 1].
  const Matrix depths = move(0, 0, 0.5f) * scale(1, 1, 0.5f);
  v.matrix = camera * move(0, 0.7f, 0), v.second = depths * from_light * move(0, 0.7f, 0);
  set(v);
  draw(torus());
  const Matrix floor = move(0, -0.6f, 0) * turn_x(-1.5707963f);
  v.matrix = camera * floor, v.second = depths * from_light * floor;
  set(v);
  draw(rectangle(-3, -3, 3, 3));
  save(r, "colour", t);
}

// Fills a texture of any format with bytes, and shows it. Floats among them are kept finite.
void formats(Results& r) {
  const Target t = target({GL_RGBA16F}, 0);
  program("plain.vert", "texture.frag");
  Values v;
  v.v[0][0] = v.v[0][1] = 1;
  set(v);
  constexpr struct {
    GLenum internal, format, type;
    size_t bytes;
  } rows[] = {{GL_R8, GL_RED, GL_UNSIGNED_BYTE, 1},
              {GL_RG8, GL_RG, GL_UNSIGNED_BYTE, 2},
              {GL_RGB8, GL_RGB, GL_UNSIGNED_BYTE, 3},
              {GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, 4},
              {GL_SRGB8_ALPHA8, GL_RGBA, GL_UNSIGNED_BYTE, 4},
              {GL_R8_SNORM, GL_RED, GL_BYTE, 1},
              {GL_RG8_SNORM, GL_RG, GL_BYTE, 2},
              {GL_RGBA8_SNORM, GL_RGBA, GL_BYTE, 4},
              {GL_R16, GL_RED, GL_UNSIGNED_SHORT, 2},
              {GL_RG16, GL_RG, GL_UNSIGNED_SHORT, 4},
              {GL_RGBA16, GL_RGBA, GL_UNSIGNED_SHORT, 8},
              {GL_RGBA16_SNORM, GL_RGBA, GL_SHORT, 8},
              {GL_R16F, GL_RED, GL_HALF_FLOAT, 2},
              {GL_RGBA16F, GL_RGBA, GL_HALF_FLOAT, 8},
              {GL_R32F, GL_RED, GL_FLOAT, 4},
              {GL_RG32F, GL_RG, GL_FLOAT, 8},
              {GL_RGBA32F, GL_RGBA, GL_FLOAT, 16},
              {GL_R11F_G11F_B10F, GL_RGB, GL_UNSIGNED_INT_10F_11F_11F_REV, 4},
              {GL_RGB9_E5, GL_RGB, GL_UNSIGNED_INT_5_9_9_9_REV, 4},
              {GL_RGB10_A2, GL_RGBA, GL_UNSIGNED_INT_2_10_10_10_REV, 4},
              {GL_RGB565, GL_RGB, GL_UNSIGNED_SHORT_5_6_5, 2},
              {GL_RGB5_A1, GL_RGBA, GL_UNSIGNED_SHORT_5_5_5_1, 2},
              {GL_RGBA4, GL_RGBA, GL_UNSIGNED_SHORT_4_4_4_4, 2},
              {GL_DEPTH_COMPONENT16, GL_DEPTH_COMPONENT, GL_UNSIGNED_SHORT, 2},
              {GL_DEPTH_COMPONENT32F, GL_DEPTH_COMPONENT, GL_FLOAT, 4}};
  int i = 0;
  for (const auto& row : rows) {
    std::vector<uint8_t> bytes(16 * 16 * row.bytes);
    for (size_t k = 0; k < bytes.size(); ++k) bytes[k] = uint8_t(hash(uint32_t(k)) & 0xFF);
    if (row.type == GL_FLOAT)
      for (size_t k = 0; k < bytes.size(); k += 4) bytes[k + 3] = 0x3E, bytes[k + 2] |= 0x80;
    if (row.type == GL_HALF_FLOAT)
      for (size_t k = 0; k < bytes.size(); k += 2) bytes[k + 1] = uint8_t(0x34 | (bytes[k + 1] & 0x83));
    if (row.type == GL_UNSIGNED_INT_10F_11F_11F_REV)
      for (size_t k = 0; k < bytes.size(); k += 4) {
        const uint32_t word = 14u << 6 | 14u << 17 | 14u << 27 | (hash(uint32_t(k)) & 0x07C1F83Fu);
        std::memcpy(&bytes[k], &word, 4);
      }
    if (row.type == GL_UNSIGNED_INT_5_9_9_9_REV)
      for (size_t k = 3; k < bytes.size(); k += 4) bytes[k] = uint8_t(0x78 | (bytes[k] & 0x7));
    GLuint name;
    glCreateTextures(GL_TEXTURE_2D, 1, &name);
    glTextureStorage2D(name, 1, row.internal, 16, 16);
    glTextureSubImage2D(name, 0, 0, 0, 16, 16, row.format, row.type, bytes.data());
    glTextureParameteri(name, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTextureParameteri(name, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    if (row.bytes == 2 && row.format == GL_RG) {
      const GLint swizzle[] = {GL_GREEN, GL_ONE, GL_RED, GL_ZERO};
      glTextureParameteriv(name, GL_TEXTURE_SWIZZLE_RGBA, swizzle);
    }
    glBindTextureUnit(1, name);
    draw_field(i++, 5, 5);
  }
  save(r, "values", t, GL_COLOR_ATTACHMENT0, GL_RGBA, GL_FLOAT, "rgba32f", 16);
}

void compressed(Results& r) {
  const Target t = target();
  program("plain.vert", "texture.frag");
  Values v;
  v.v[0][0] = v.v[0][1] = 1;
  set(v);
  constexpr struct {
    GLenum format;
    int bytes;
  } rows[] = {{0x83F1 /* DXT1 with alpha */, 8}, {0x83F2 /* DXT3 */, 16},           {0x83F3 /* DXT5 */, 16},
              {GL_COMPRESSED_RED_RGTC1, 8},      {GL_COMPRESSED_RG_RGTC2, 16},      {GL_COMPRESSED_RGBA_BPTC_UNORM, 16},
              {GL_COMPRESSED_RGB8_ETC2, 8},      {GL_COMPRESSED_RGBA8_ETC2_EAC, 16}};
  int i = 0;
  for (const auto& row : rows) {
    std::vector<uint8_t> bytes(size_t(64 * row.bytes));
    for (size_t k = 0; k < bytes.size(); ++k) bytes[k] = uint8_t(hash(uint32_t(k) + 5) & 0xFF);
    // Modes of BPTC that exist: the first byte names one of them.
    if (row.format == GL_COMPRESSED_RGBA_BPTC_UNORM)
      for (size_t k = 0; k < bytes.size(); k += 16) bytes[k] = uint8_t(0x40 | (bytes[k] & 0x80));
    GLuint name;
    glCreateTextures(GL_TEXTURE_2D, 1, &name);
    glTextureStorage2D(name, 1, row.format, 32, 32);
    glCompressedTextureSubImage2D(name, 0, 0, 0, 32, 32, row.format, GLsizei(bytes.size()), bytes.data());
    glTextureParameteri(name, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTextureParameteri(name, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glBindTextureUnit(1, name);
    draw_field(i++, 4, 2);
  }
  save(r, "colour", t);
}

constexpr Scene scenes[] = {{"wraps", wraps},   {"mipmaps", mipmaps}, {"anisotropy", anisotropy},
                            {"lods", lods},     {"arrays", arrays},   {"cube_map", cube_map},
                            {"shadow", shadow}, {"formats", formats}, {"compressed", compressed}};

}  // namespace

std::span<const Scene> texture_scenes() { return scenes; }

}  // namespace graphics
