// The draws that the fuzzer of batches starts from, and a test draws as they are: every topology, width of pixel
// threads, number of samples, clears, tests, blending, textures.
#pragma once

#include <utility>

#include "drawing.h"

namespace vitro::drawing {

inline constexpr uint8_t topologies[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 18, 22};

// Vertices in a zigzag across the target, inside of it.
inline std::vector<Vector> zigzag(unsigned count) {
  std::vector<Vector> v;
  constexpr float heights[] = {-0.7f, 0.8f, 0.1f, -0.3f, 0.6f};
  for (unsigned n = 0; n < count; ++n)
    v.push_back({-0.9f + 1.8f * float(n) / float(count - 1), heights[n % 5], 0.1f * float(n % 7), 1});
  return v;
}
// In pixels: rectangles are neither clipped nor transformed.
inline const std::vector<Vector> rectangle{{31, 30, .5f, 1}, {1, 30, .5f, 1}, {1, 2, .5f, 1}};

inline std::vector<std::pair<std::string, Drawing>> seeds(std::string_view device) {
  std::vector<std::pair<std::string, Drawing>> all;
  const auto add = [&](std::string name, Drawing d) {
    d.device = device;
    all.emplace_back(std::move(name), std::move(d));
  };
  for (const uint8_t t : topologies) {
    Drawing d{.topology = t, .positions = t == 15 ? rectangle : zigzag(12)};
    if (t == 15) d.attributes = {{1, 0, 0, 1}};
    add(fmt::format("topology-{}", t), d);
    d.indices = {0, 1, 2, 3, 4, 5, 0xFFFF, 2, 1, 0, 7, 6, 5, 4};
    if (t == 15) d.indices = {0, 1, 2};
    d.instances = 2;
    add(fmt::format("indexed-{}", t), d);
  }
  for (const unsigned lanes : {8u, 16u, 32u})
    for (const Shade shade : {Shade::smooth, Shade::flat, Shade::textured})
      add(fmt::format("lanes-{}-{}", lanes, int(shade)), {.shade = shade, .lanes = lanes});
  for (unsigned samples = 1; samples <= (device == "bdw" ? 8u : 16u); samples *= 2)
    add(fmt::format("samples-{}", samples), {.samples = samples});
  for (const uint8_t format : {uint8_t(0), uint8_t(1), uint8_t(3), uint8_t(5)})
    for (const bool clears : {false, true})
      for (const bool stencil : {false, true})
        add(fmt::format("depth-{}-{}{}", format, clears, stencil),
            {.samples = stencil ? 1u : 4u, .depth_format = format, .stencil = stencil, .clears = clears});
  for (const char* format : {"R8G8B8A8_UNORM_SRGB", "R16G16B16A16_FLOAT", "R11G11B10_FLOAT", "R10G10B10A2_UNORM",
                             "B5G6R5_UNORM", "R32_FLOAT", "R32G32B32A32_UINT", "R8_SNORM"})
    add(fmt::format("target-{}", format), {.target_format = format, .blends = true});
  for (const char* format : {"R8G8B8A8_UNORM_SRGB", "BC1_UNORM", "BC7_UNORM", "ETC2_RGB8", "R32G32B32A32_FLOAT",
                             "YCRCB_NORMAL", "R24_UNORM_X8_TYPELESS", "B5G5R5A1_UNORM"})
    add(fmt::format("texture-{}", format), {.shade = Shade::textured,
                                            .texture_format = format,
                                            .texture_linear = false,
                                            .filter = state::MapFilter::linear});
  add("wireframe", {.samples = 4, .fill_mode = 1});
  add("points", {.fill_mode = 2, .point_width = 5 << 3});
  add("wide-lines", {.topology = 3, .positions = zigzag(9), .line_width = 5 << 7});
  add("stippled-lines", {.topology = 3, .positions = zigzag(9), .line_stipple = true});
  add("antialiased-lines", {.topology = 2, .positions = zigzag(8), .antialiased = true});
  add("stippled-polygons", {.polygon_stipple = true});
  add("clipped", {.positions = {{-30, -1, -.5f, .5f}, {40, -20, 2, 1}, {-1, 30, .5f, -1}}, .samples = 2});
  return all;
}

}  // namespace vitro::drawing
