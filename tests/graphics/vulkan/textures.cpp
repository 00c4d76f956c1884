// Scenes of the sampler: wrapping and filters, levels, anisotropy, cubes, arrays, volumes, comparison, formats.
#include "context.h"

namespace graphics {
namespace {

void draw_field(int i, int n, int m) {
  const float w = 2.0f / float(n), h = 2.0f / float(m), x = -1 + w * float(i % n), y = -1 + h * float(i / n);
  draw_rectangle(x + 0.01f, y + 0.01f, x + w - 0.01f, y + h - 0.01f);
}
State textured() {
  State s;
  s.fragment = "texture.frag";
  return s;
}
Bindings repeated(float times) {
  Bindings b;
  b.values.v[0][0] = b.values.v[0][1] = times;
  return b;
}

void wraps(Results& r) {
  const Target t = target();
  Bindings b;
  b.values.v[0][0] = 3.1f, b.values.v[0][1] = 2.7f, b.values.v[0][2] = -1.05f, b.values.v[0][3] = -0.85f;
  b.first = texture(VK_FORMAT_R8G8B8A8_UNORM, 16, 16, pattern(16, 16));
  const VkPipeline p = pipeline(textured());
  begin(t);
  for (int i = 0; i < 10; ++i) {
    b.sampling = sampler(i < 5 ? VK_FILTER_NEAREST : VK_FILTER_LINEAR, VkSamplerAddressMode(i % 5));
    bind(p, b);
    draw_field(i, 5, 2);
  }
  end();
  save(r, "colour", t.colours[0]);
}

void mipmaps(Results& r) {
  const Target t = target();
  Bindings b = repeated(1);
  b.first = mipmapped(128, 8);
  const VkPipeline p = pipeline(textured());
  void (*changes[])(VkSamplerCreateInfo&) = {
      [](VkSamplerCreateInfo& s) { s.mipmapMode = VK_SAMPLER_MIPMAP_MODE_NEAREST; }, [](VkSamplerCreateInfo&) {},
      [](VkSamplerCreateInfo& s) { s.mipLodBias = 1.5f; },
      [](VkSamplerCreateInfo& s) { s.minLod = 1.75f, s.maxLod = 3; }};
  begin(t);
  for (int i = 0; i < 8; ++i) {
    b.sampling = sampler(i < 4 ? VK_FILTER_NEAREST : VK_FILTER_LINEAR, VK_SAMPLER_ADDRESS_MODE_REPEAT, changes[i % 4]);
    bind(p, b);
    draw_field(i, 4, 2);
  }
  end();
  save(r, "colour", t.colours[0]);
}

void anisotropy(Results& r) {
  const Target t = target();
  Bindings b = repeated(8);
  b.first = mipmapped(128, 8);
  b.values.matrix = perspective(0.3f, 30) * move(0, -0.5f, -0.5f) * turn_x(-1.4f);
  const VkPipeline p = pipeline(textured());
  begin(t);
  for (int i = 0; i < 2; ++i) {
    b.sampling =
        sampler(VK_FILTER_LINEAR, VK_SAMPLER_ADDRESS_MODE_REPEAT,
                i ? +[](VkSamplerCreateInfo& s) { s.anisotropyEnable = VK_TRUE, s.maxAnisotropy = 8; } : nullptr);
    const VkViewport view{0, float(i) * height / 2, width, height / 2, 0, 1};
    vkCmdSetViewport(gpu.list, 0, 1, &view);
    bind(p, b);
    draw_rectangle(-4, -1, 4, 12);
  }
  end();
  save(r, "colour", t.colours[0]);
}

void lods(Results& r) {
  const Target t = target();
  State s;
  s.fragment = "lods.frag";
  Bindings b;
  b.first = mipmapped(64, 7), b.sampling = sampler(VK_FILTER_LINEAR);
  begin(t);
  bind(pipeline(s), b);
  draw_rectangle();
  end();
  save(r, "colour", t.colours[0]);
}

std::vector<uint8_t> patterns(int edge, int count) {
  std::vector<uint8_t> texels;
  for (int i = 0; i < count; ++i) {
    const auto one = pattern(edge, edge, uint32_t(i));
    texels.insert(texels.end(), one.begin(), one.end());
  }
  return texels;
}

void arrays(Results& r) {
  const Target t = target();
  State s;
  s.fragment = "fetch.frag";
  ImageKind layers, volume;
  layers.layers = 4, layers.view = VK_IMAGE_VIEW_TYPE_2D_ARRAY;
  volume.depth = 4, volume.view = VK_IMAGE_VIEW_TYPE_3D;
  Bindings b;
  b.first = texture(VK_FORMAT_R8G8B8A8_UNORM, 32, 32, patterns(32, 4), layers);
  b.second = texture(VK_FORMAT_R8G8B8A8_UNORM, 32, 32, patterns(32, 4), volume);
  b.sampling = sampler(VK_FILTER_LINEAR);
  begin(t);
  bind(pipeline(s), b);
  draw_rectangle();
  end();
  save(r, "colour", t.colours[0]);
}

void cube_map(Results& r) {
  const Target t = target();
  State s;
  s.fragment = "cube.frag";
  ImageKind faces;
  faces.layers = 6, faces.view = VK_IMAGE_VIEW_TYPE_CUBE;
  Bindings b;
  b.first = texture(VK_FORMAT_R8G8B8A8_UNORM, 32, 32, patterns(32, 6), faces);
  b.sampling = sampler(VK_FILTER_LINEAR, VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE);
  begin(t);
  bind(pipeline(s), b);
  draw_rectangle();
  end();
  save(r, "colour", t.colours[0]);
}

void shadow(Results& r) {
  const Target light = target({}, VK_FORMAT_D32_SFLOAT, 1, 128, 128);
  const Matrix from_light =
      move(0, 0, 0.5f) * scale(0.35f, 0.35f, -0.1f) * move(0, 0, -3) * turn_x(0.9f) * turn_y(0.5f);
  State s;
  s.colours = {}, s.depth_format = VK_FORMAT_D32_SFLOAT, s.depth.depthTestEnable = VK_TRUE;
  Bindings b;
  b.values.matrix = from_light * move(0, 0.7f, 0);
  begin(light);
  bind(pipeline(s), b);
  draw(torus());
  end();
  const Target t = target();
  State seen;
  seen.vertex = "lit.vert", seen.fragment = "shadow.frag", seen.depth.depthTestEnable = VK_TRUE;
  const VkPipeline p = pipeline(seen);
  b.first = light.depth;
  b.sampling = sampler(VK_FILTER_LINEAR, VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER, [](VkSamplerCreateInfo& i) {
    i.compareEnable = VK_TRUE, i.compareOp = VK_COMPARE_OP_LESS_OR_EQUAL;
  });
  const Matrix camera = perspective() * move(0, -0.2f, -5) * turn_x(0.5f) * turn_y(0.3f);
  begin(t);
  b.values.matrix = camera * move(0, 0.7f, 0), b.values.second = from_light * move(0, 0.7f, 0);
  bind(p, b);
  draw(torus());
  const Matrix floor = move(0, -0.6f, 0) * turn_x(-1.5707963f);
  b.values.matrix = camera * floor, b.values.second = from_light * floor;
  bind(p, b);
  draw(rectangle(-3, -3, 3, 3));
  end();
  save(r, "colour", t.colours[0]);
}

void formats(Results& r) {
  const Target t = target({VK_FORMAT_R32G32B32A32_SFLOAT}, VK_FORMAT_UNDEFINED);
  State s = textured();
  s.colours = {VK_FORMAT_R32G32B32A32_SFLOAT}, s.depth_format = VK_FORMAT_UNDEFINED;
  const VkPipeline p = pipeline(s);
  constexpr struct {
    VkFormat format;
    size_t bytes;
    uint32_t keep, set;  // bits of each dword: floats stay small and finite
  } rows[] = {{VK_FORMAT_R8_UNORM, 1, ~0u, 0},
              {VK_FORMAT_R8G8_UNORM, 2, ~0u, 0},
              {VK_FORMAT_R8G8B8A8_UNORM, 4, ~0u, 0},
              {VK_FORMAT_B8G8R8A8_UNORM, 4, ~0u, 0},
              {VK_FORMAT_R8G8B8A8_SRGB, 4, ~0u, 0},
              {VK_FORMAT_R8_SNORM, 1, ~0u, 0},
              {VK_FORMAT_R8G8B8A8_SNORM, 4, ~0u, 0},
              {VK_FORMAT_R16_UNORM, 2, ~0u, 0},
              {VK_FORMAT_R16G16B16A16_UNORM, 8, ~0u, 0},
              {VK_FORMAT_R16G16B16A16_SNORM, 8, ~0u, 0},
              {VK_FORMAT_R16_SFLOAT, 2, 0x83FF83FF, 0x38003800},
              {VK_FORMAT_R16G16B16A16_SFLOAT, 8, 0x83FF83FF, 0x38003800},
              {VK_FORMAT_R32_SFLOAT, 4, 0x80FFFFFF, 0x3F000000},
              {VK_FORMAT_R32G32_SFLOAT, 8, 0x80FFFFFF, 0x3F000000},
              {VK_FORMAT_R32G32B32A32_SFLOAT, 16, 0x80FFFFFF, 0x3F000000},
              {VK_FORMAT_B10G11R11_UFLOAT_PACK32, 4, 0x07C1F83F, 14u << 6 | 14u << 17 | 14u << 27},
              {VK_FORMAT_E5B9G9R9_UFLOAT_PACK32, 4, 0x07FFFFFF, 0x78000000},
              {VK_FORMAT_A2B10G10R10_UNORM_PACK32, 4, ~0u, 0},
              {VK_FORMAT_R5G6B5_UNORM_PACK16, 2, ~0u, 0},
              {VK_FORMAT_A1R5G5B5_UNORM_PACK16, 2, ~0u, 0},
              {VK_FORMAT_BC1_RGBA_UNORM_BLOCK, 8, ~0u, 0},
              {VK_FORMAT_BC3_UNORM_BLOCK, 16, ~0u, 0},
              {VK_FORMAT_BC4_UNORM_BLOCK, 8, ~0u, 0},
              {VK_FORMAT_BC5_UNORM_BLOCK, 16, ~0u, 0}};
  std::vector<Image> images;
  for (const auto& row : rows) {
    const size_t texels = row.format >= VK_FORMAT_BC1_RGB_UNORM_BLOCK ? 16 : 256;
    std::vector<uint32_t> words((texels * row.bytes + 3) / 4);
    for (size_t i = 0; i < words.size(); ++i) words[i] = (hash(uint32_t(i)) & row.keep) | row.set;
    std::vector<uint8_t> bytes(words.size() * 4);
    std::memcpy(bytes.data(), words.data(), bytes.size());
    ImageKind kind;
    if (row.format == VK_FORMAT_R8G8_UNORM)
      kind.swizzle = {VK_COMPONENT_SWIZZLE_G, VK_COMPONENT_SWIZZLE_ONE, VK_COMPONENT_SWIZZLE_R,
                      VK_COMPONENT_SWIZZLE_ZERO};
    images.push_back(texture(row.format, 16, 16, bytes, kind));
  }
  begin(t);
  Bindings b = repeated(1);
  for (size_t i = 0; i < images.size(); ++i) {
    b.first = images[i];
    bind(p, b);
    draw_field(int(i), 6, 4);
  }
  end();
  save(r, "values", t.colours[0], "rgba32f", 16);
}

constexpr Scene scenes[] = {{"wraps", wraps},   {"mipmaps", mipmaps}, {"anisotropy", anisotropy},
                            {"lods", lods},     {"arrays", arrays},   {"cube_map", cube_map},
                            {"shadow", shadow}, {"formats", formats}};

}  // namespace

std::span<const Scene> texture_scenes() { return scenes; }

}  // namespace graphics
