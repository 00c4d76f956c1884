// Filling rectangles of surfaces, whole tiles at a time where they are covered. PRM: as clear.h.
#include "pipeline/clear.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <vector>

#include "base/bits.h"
#include "pipeline/depth_stencil.h"
#include "shared/image/samples.h"

namespace vitro::pipeline {

namespace {

using memory::Tiling;
using shared::Image;
using shared::ImageLevel;
using shared::RenderTarget;
using shared::TexelBits;

Rectangle clipped(const Rectangle& r, uint32_t width, uint32_t height) {
  return overlap(r, {0, 0, int(width), int(height)});
}

void fill_bytes(memory::View& memory, uint64_t address, uint64_t bytes, const TexelBits& bits, unsigned element) {
  std::array<std::byte, 64> pattern;  // elements are powers of two, or go one by one
  for (size_t at = 0; at + element <= pattern.size(); at += element) std::memcpy(&pattern[at], bits.data(), element);
  const size_t step = pattern.size() / element * element;
  std::byte* to = memory.at(address, bytes, memory::Access::write);
  uint64_t at = 0;
  if (to && step == pattern.size())  // a number that is known: no call for each
    for (; bytes - at >= pattern.size(); at += pattern.size()) std::memcpy(to + at, pattern.data(), pattern.size());
  for (; at < bytes; at += step) {
    const size_t some = std::min<uint64_t>(step, bytes - at);
    if (to)
      std::memcpy(to + at, pattern.data(), some);
    else
      memory.write(address + at, std::span(pattern).first(some));
  }
}

}  // namespace

void fill_texels(memory::View& memory, const Image& image, const ImageLevel& level, Rectangle r, uint32_t slice,
                 uint32_t sample, const TexelBits& bits) {
  if (r.empty()) return;
  const auto x0 = uint32_t(r.x0), y0 = uint32_t(r.y0), x1 = uint32_t(r.x1), y1 = uint32_t(r.y1);
  const unsigned element = image.element_bytes;
  const auto one = [&](uint32_t x, uint32_t y, uint32_t count) {
    fill_bytes(memory, shared::texel_address(image, level, x, y, slice, sample), uint64_t(count) * element, bits,
               element);
  };
  const bool scattered = image.samples > 1 && image.interleaved;
  if (image.tiling == Tiling::linear && !scattered) {
    for (uint32_t y = y0; y < y1; ++y) one(x0, y, x1 - x0);
    return;
  }
  // Tile by tile; what is covered as a whole is filled so, else the pieces of rows that stand side by side there, or of
  // columns where rows follow each other.
  const memory::TileShape tile = memory::tile_shape(image.tiling, element * 8);
  const uint32_t run = image.tiles->column[0].mask + 1;
  uint32_t plane = slice + image.first_slice;
  if (image.samples > 1) plane = plane * image.samples + sample;
  const uint64_t at_x = uint64_t(level.x) + uint64_t(plane & level.slice_mask) * level.slice_x;
  const uint64_t at_y = uint64_t(level.y) + uint64_t(plane >> level.slice_shift) * level.slice_y;
  for (uint32_t y = y0, rows = 0; y < y1; y += rows) {
    rows = scattered ? 1 : std::min(y1 - y, tile.height - uint32_t((at_y + y) % tile.height));
    for (uint32_t x = x0, texels = 0; x < x1; x += texels) {
      const uint32_t column = uint32_t((at_x + x) * element % tile.width);
      const bool whole = !scattered && column == 0 && rows == tile.height && x1 - x >= tile.width / element;
      texels = whole                         ? tile.width / element
               : scattered || run <= element ? 1
                                             : std::min(x1 - x, (run - column % run) / element);
      if (whole)
        fill_bytes(memory, shared::texel_address(image, level, x, y, slice, sample), tile.bytes, bits, element);
      else if (image.tiling == Tiling::y && texels * element == run)
        fill_bytes(memory, shared::texel_address(image, level, x, y, slice, sample), uint64_t(rows) * run, bits,
                   element);
      else
        for (uint32_t k = 0; k < rows; ++k) one(x, y + k, texels);
    }
  }
}

namespace {

// Control elements: pixels across and down that one of them is for, by tiling and bits of a texel.
struct ControlElement {
  Tiling tiling;
  uint16_t bits;
  uint8_t width, height;
};
constexpr ControlElement control_elements[] = {{Tiling::y, 32, 8, 4},  {Tiling::y, 64, 4, 4}, {Tiling::y, 128, 2, 4},
                                               {Tiling::x, 32, 16, 2}, {Tiling::x, 64, 8, 2}, {Tiling::x, 128, 4, 2}};
constexpr uint8_t multisample_scales[] = {1, 8, 8, 2, 1};  // across, by log2 of samples; two rows
constexpr unsigned control_columns = 8;

}  // namespace

ClearScale fast_clear_scale(const Traits& traits, const RenderTarget& t) {
  if (t.image.samples > 1) return {multisample_scales[t.image.log2_samples], 2};
  const Tiling tiling = t.image.tiling == Tiling::x ? Tiling::x : Tiling::y;  // Yf and Ys as Y
  for (const ControlElement& e : control_elements)
    if (e.tiling == tiling && e.bits == t.image.format->bits)
      return {e.width * control_columns, e.height * traits.fast_clear_rows};
  return {};
}

void fast_clear(memory::View& memory, const Traits& traits, const RenderTarget& t, uint32_t layer, Rectangle r) {
  const ClearScale scale = fast_clear_scale(traits, t);
  const ImageLevel& level = t.at();
  const auto times = [](int v, unsigned by) { return int(std::min<int64_t>(int64_t(v) * by, 1 << 20)); };
  r = clipped({times(r.x0, scale.x), times(r.y0, scale.y), times(r.x1, scale.x), times(r.y1, scale.y)}, level.width,
              level.height);
  const uint32_t slice = t.slice(layer);
  if (t.mcs_bytes) {
    const Image control = shared::control_image(t.image);
    fill_texels(memory, control, control.levels[0], r, slice, 0, {~uint64_t(0), 0});
    return;
  }
  const TexelBits bits = shared::clear_bits(t);
  for (unsigned s = 0; s < t.image.samples; ++s) fill_texels(memory, t.image, level, r, slice, s, bits);
}

namespace {

// All samples of a rectangle whose corners are even, or at the level's end: as if they were pixels.
bool fill_all_samples(memory::View& memory, Image image, const ImageLevel& level, Rectangle r, const TexelBits& bits) {
  const auto even = [](int v, uint32_t end) { return v % 2 == 0 || uint32_t(v) == end; };
  if (r.x0 % 2 || r.y0 % 2 || !even(r.x1, level.width) || !even(r.y1, level.height)) return false;
  const shared::SampleSpread s = shared::sample_spreads[image.log2_samples];
  image.samples = 1, image.log2_samples = 0, image.interleaved = false;
  fill_texels(memory, image, level, {r.x0 * s.x, r.y0 * s.y, (r.x1 + 1) / 2 * 2 * s.x, (r.y1 + 1) / 2 * 2 * s.y}, 0, 0,
              bits);
  return true;
}

}  // namespace

Rectangle hz_op_rectangle(const DepthStencilOperation& operation) {
  const commands::three_d::WmHzOp& op = operation.operation;
  if (!op.full_surface_depth_and_stencil_clear)
    return {op.clear_rectangle_x_min, op.clear_rectangle_y_min, op.clear_rectangle_x_max, op.clear_rectangle_y_max};
  const auto& of = operation.state.depth_buffer;
  return {0, 0, int(of.width) + 1, int(of.height) + 1};
}

std::optional<Fault> run_hz_op(const DepthStencilOperation& operation, memory::View& memory, Rows rows) {
  const commands::three_d::WmHzOp& op = operation.operation;
  const unsigned samples = operation.samples;
  if (!op.depth_buffer_clear_enable && !op.stencil_buffer_clear_enable) return std::nullopt;
  DepthImages images;
  if (auto fault = find_depth_images(*operation.traits, operation.state, samples, images)) return fault;
  const auto clear = [&](const Image& image, uint64_t bits) {
    if (image.is_null()) return;
    const ImageLevel& level = image.levels[images.level];
    Rectangle r = hz_op_rectangle(operation);
    if (op.full_surface_depth_and_stencil_clear) r = {0, 0, int(level.width), int(level.height)};
    r.y0 = std::max(r.y0, rows.first), r.y1 = std::min(r.y1, rows.end);
    if (op.scissor_rectangle_enable) {
      const state::ScissorRect& s = operation.scissors[0];
      r = overlap(r, {s.scissor_rectangle_x_min, s.scissor_rectangle_y_min, s.scissor_rectangle_x_max + 1,
                      s.scissor_rectangle_y_max + 1});
    }
    r = clipped(r, level.width, level.height);
    const auto all = uint32_t(ones(int(samples)));
    if (samples > 1 && (op.sample_mask & all) == all && fill_all_samples(memory, image, level, r, {bits, 0})) return;
    for (unsigned s = 0; s < samples; ++s)
      if (op.sample_mask >> s & 1) fill_texels(memory, image, level, r, 0, s, {bits, 0});
  };
  if (op.depth_buffer_clear_enable)
    clear(images.depth, stored_depth(images.format, operation.state.clear_params.depth_clear_value));
  if (op.stencil_buffer_clear_enable) clear(images.stencil, op.stencil_clear_value);
  return std::nullopt;
}

}  // namespace vitro::pipeline
