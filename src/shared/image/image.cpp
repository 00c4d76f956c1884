// Mip layouts and texel addresses. PRM: Gen8 vol 5 "Memory Views / Surface Layout"; Gen6 vol 1 part 1 "Surface Layout".
// The 2D layout: level 1 below level 0, level 2 to its right, the others below level 2. What generations do differently
// is in the surface's rules: units of alignments, where slices of 3D surfaces lie, and where QPitch comes from.
#include "shared/image/image.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/bits.h"
#include "shared/image/samples.h"

namespace vitro::shared {

namespace {

using memory::Tiling;
using state::Surface;
using state::SurfaceType;

constexpr uint32_t align(uint32_t v, uint32_t to) { return (v + to - 1) / to * to; }
constexpr uint32_t divide_up(uint32_t v, uint32_t by) { return (v + by - 1) / by; }
constexpr uint32_t minify(uint32_t v, unsigned level) { return std::max<uint32_t>(v >> level, 1); }

struct Extent {
  uint32_t width, height;
};

// What the layout is computed from: level 0 in units of the alignments, and those.
struct Plan {
  uint32_t width, height, depth;  // texels at level 0, samples included if interleaved
  uint32_t block_width, block_height;
  uint32_t halign, valign;
  bool in_elements;  // alignments count elements, not texels

  // A level with its padding, in elements.
  Extent padded(unsigned level) const {
    const uint32_t w = minify(width, level), h = minify(height, level);
    if (in_elements) return {align(divide_up(w, block_width), halign), align(divide_up(h, block_height), valign)};
    const uint32_t across = std::max(halign, block_width), down = std::max(valign, block_height);
    return {divide_up(align(w, across), block_width), divide_up(align(h, down), block_height)};
  }
};

void place_2d(const Plan& plan, unsigned level, ImageLevel& out) {
  if (level == 0) return;
  out.y = plan.padded(0).height;
  if (level >= 2) out.x = plan.padded(1).width;
  for (unsigned k = 2; k < level; ++k) out.y += plan.padded(k).height;
}

// Before slices of volumes became arrays: level l has 2^l of them in a row.
void place_3d(const Plan& plan, unsigned level, ImageLevel& out) {
  for (unsigned k = 0; k < level; ++k) out.y += plan.padded(k).height * divide_up(minify(plan.depth, k), 1u << k);
  const Extent e = plan.padded(level);
  out.slice_x = e.width, out.slice_y = e.height;
  out.slice_mask = (1u << level) - 1, out.slice_shift = uint8_t(level);
}

// Levels side by side, slices a number of texels apart.
constexpr uint32_t linear_1d_align = 64;
void place_linear_1d(const Plan& plan, unsigned level, uint32_t qpitch, ImageLevel& out) {
  for (unsigned k = 0; k < level; ++k) out.x += align(minify(plan.width, k), linear_1d_align);
  out.slice_x = qpitch, out.slice_mask = ~0u, out.slice_shift = 31;
}

uint32_t rows_between_slices(const Surface& s, const Plan& plan) {
  if (s.rules->has_qpitch) return s.rules->element_units ? s.qpitch() : s.qpitch() / plan.block_height;
  // Full array spacing: room for two levels and eleven alignments.
  return plan.padded(0).height + plan.padded(1).height +
         (plan.in_elements ? 11 * plan.valign : divide_up(11 * plan.valign, plan.block_height));
}

std::array<uint32_t, 4> decoded_clear_colour(const Surface& s, const formats::Format* format) {
  std::array<uint32_t, 4> colour = s.clear_colour();
  if (s.rules->clear_colour_is_bits)
    for (uint32_t& c : colour) c = c ? (format ? format->one() : 1) : 0;
  return colour;
}

std::string_view find_unsupported(const Surface& s, const Image& image) {
  if (!image.format) return "a reserved surface format";
  if (!image.format->decode) return image.format->name;
  if (s.type == SurfaceType::reserved) return "a reserved surface type";
  if (image.tiling != Tiling::linear && !std::has_single_bit(image.format->bits)) return "tiles of this texel size";
  const bool standard_tiles = image.tiling == Tiling::yf || image.tiling == Tiling::ys;
  if (standard_tiles && (image.is_3d() || image.samples > 1)) return "3D or multisampled Yf and Ys tiles";
  if (s.mip_layout_right) return "MIPLAYOUT_RIGHT";
  if (standard_tiles && image.min_lod + image.level_count > s.mip_tail_start_lod) return "a mip tail";
  if (s.vertical_line_stride) return "Vertical Line Stride";
  if (s.base_mip_level) return "a surface's Base Mip Level";
  if (s.rotation) return "a rotated surface";
  constexpr unsigned all_faces = 0x3F;
  if (image.is_cube() && s.cube_faces != all_faces) return "Cube Face Enables that are not all set";
  return {};
}

constexpr Tiling tilings[] = {Tiling::linear, Tiling::w, Tiling::x, Tiling::y, Tiling::yf, Tiling::ys};

void resolve_buffer(const Surface& s, Image& image) {
  image.element_stride = image.pitch = s.pitch();
  ImageLevel& l = image.levels[0];
  l.width = uint32_t(std::min<uint64_t>(s.entries(), ~0u)), l.height = l.depth = 1;
}

void resolve_levels(const Surface& s, Image& image) {
  Plan plan{.width = s.width(),
            .height = image.is_1d() ? 1 : s.height(),
            .depth = image.is_3d() ? s.depth() : 1,
            .block_width = image.block_width,
            .block_height = image.block_height,
            .halign = s.halign(),
            .valign = s.valign(),
            .in_elements = s.rules->element_units};
  const uint32_t texel_width = plan.width, texel_height = plan.height;
  if (image.interleaved) {
    const SampleSpread spread = sample_spreads[image.log2_samples];
    plan.width = align(plan.width, 2) * spread.x, plan.height = align(plan.height, 2) * spread.y;
  }
  const bool one_row = image.is_1d() && image.tiling == Tiling::linear && s.rules->linear_1d_in_one_row;
  const bool rows_of_slices = image.is_3d() && !s.rules->volumes_are_arrays;
  const uint32_t slice_rows = rows_between_slices(s, plan);
  for (unsigned n = 0; n < std::min<unsigned>(image.min_lod + image.level_count, max_levels); ++n) {
    ImageLevel& l = image.levels[n];
    l = {.width = minify(texel_width, n), .height = minify(texel_height, n), .depth = minify(plan.depth, n)};
    if (one_row) {
      place_linear_1d(plan, n, s.qpitch(), l);
    } else if (rows_of_slices) {
      place_3d(plan, n, l);
    } else {
      place_2d(plan, n, l);
      l.slice_y = slice_rows;
    }
    if (image.tiling != Tiling::linear) {
      l.x += s.x_offset() / image.block_width;
      l.y += s.y_offset() / image.block_height;
    }
  }
}

}  // namespace

Image resolve(const Surface& s) {
  Image image;
  if (s.is_null()) return image;
  image.type = s.type;
  image.format = formats::find(s.format);
  image.array = s.is_array();
  image.tiling = tilings[size_t(s.tiling())];
  image.tiles = &memory::tile_layout(image.tiling, image.format ? image.format->bits : 32);
  image.base = s.base;
  image.log2_samples = uint8_t(std::min<unsigned>(s.log2_samples, 4));
  image.samples = uint8_t(1u << image.log2_samples);
  image.interleaved = s.interleaved_samples();
  image.min_lod = uint8_t(std::min<unsigned>(s.min_lod, max_levels - 1));
  image.level_count = uint8_t(std::min(s.levels(), max_levels - image.min_lod));
  image.selects = s.rules->has_channel_selects ? s.selects()
                                               : std::array{state::ChannelSelect::red, state::ChannelSelect::green,  //
                                                            state::ChannelSelect::blue, state::ChannelSelect::alpha};
  image.plain_selects = image.selects == std::array{state::ChannelSelect::red, state::ChannelSelect::green,
                                                    state::ChannelSelect::blue, state::ChannelSelect::alpha};
  image.resource_min_lod = float(s.resource_min_lod) / 256;
  image.palette_index = s.multisample_palette_index;
  image.data_return_fixed = s.data_return_format;
  image.unsupported = find_unsupported(s, image);
  if (!image.format) return image;
  image.element_bytes = uint8_t(image.format->bytes());
  image.block_width = image.format->block_width, image.block_height = image.format->block_height;
  image.element_stride = image.element_bytes;
  image.clear_colour = decoded_clear_colour(s, image.format);
  if (image.samples > 1 && s.aux_mode == state::AuxMode::ccs_d) {
    image.mcs_base = s.aux_base, image.mcs_pitch = s.aux_pitch(), image.mcs_qpitch = s.aux_qpitch();
  }
  // The stored pitch of W tiles counts two rows.
  image.pitch = image.tiling == Tiling::w ? s.pitch() / 2 : s.pitch();
  image.first_slice = image.is_3d() && !s.rules->volumes_are_arrays ? 0 : s.min_array_element;
  image.slices = image.is_3d() ? 1 : s.layers() * (image.is_cube() ? 6 : 1);
  if (image.is_buffer())
    resolve_buffer(s, image);
  else
    resolve_levels(s, image);
  return image;
}

uint64_t texel_address(const Image& image, const ImageLevel& level, uint32_t x, uint32_t y, uint32_t slice,
                       uint32_t sample) {
  if (image.samples > 1) {
    if (image.interleaved)
      interleave(image.log2_samples, sample, x, y);
    else
      slice = (slice + image.first_slice) * image.samples + sample - image.first_slice;
  }
  slice += image.first_slice;
  if (image.block_width > 1) x /= image.block_width;
  if (image.block_height > 1) y /= image.block_height;
  const uint64_t at_x = uint64_t(level.x) + uint64_t(slice & level.slice_mask) * level.slice_x + x;
  const uint64_t at_y = uint64_t(level.y) + uint64_t(slice >> level.slice_shift) * level.slice_y + y;
  return image.base + memory::tiled_offset(*image.tiles, at_x * image.element_stride, at_y, image.pitch);
}

uint64_t mcs_address(const Image& image, uint32_t x, uint32_t y, uint32_t slice, uint32_t bytes) {
  const uint32_t row = (slice + image.first_slice) * image.mcs_qpitch + y;
  return image.mcs_base + memory::tiled_offset(Tiling::y, x * bytes, row, image.mcs_pitch);
}

void load_texel(memory::View& memory, const Image& image, const ImageLevel& level, uint32_t x, uint32_t y,
                uint32_t slice, uint32_t sample, formats::Rgba& texel) {
  const uint64_t address = texel_address(image, level, x, y, slice, sample);
  const unsigned in_x = image.block_width > 1 ? x % image.block_width : 0;
  const unsigned in_y = image.block_height > 1 ? y % image.block_height : 0;
  if (const std::byte* p = memory.at(address, image.element_bytes, memory::Access::read)) {
    image.format->decode(p, in_x, in_y, texel);
    return;
  }
  std::array<std::byte, 32> copy{};
  memory.read(address, std::span(copy).first(image.element_bytes));
  image.format->decode(copy.data(), in_x, in_y, texel);
}

}  // namespace vitro::shared
