// A surface made ready for access by texel: format, levels with their extents and places, and the arithmetic from
// coordinates to an address. PRM: "Surface Layout" (2D, 3D and 1D mip layouts, QPitch, alignments), "Multisampled
// Surface Storage Formats", "Surface Tiling". Resolved once per surface and dispatch, so that a texel costs a few
// additions. Data port (typed messages) and sampler share it.
// resolve() names what is not modelled: mip tails, 3D and multisampled Yf and Ys surfaces, interlaced fields, rotation,
// tiles of texels whose size is no power of two. Gen6's separate stencil with several levels is read by no message.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "formats/format.h"
#include "memory/tiling.h"
#include "memory/view.h"
#include "state/surface.h"

namespace vitro::shared {

inline constexpr unsigned max_levels = 15;

// Extents in texels; places in elements (texels, or blocks of them). Slice s begins at
// (x + (s & slice_mask) * slice_x, y + (s >> slice_shift) * slice_y).
struct ImageLevel {
  uint32_t width = 0, height = 0, depth = 0;
  uint32_t x = 0, y = 0;
  uint32_t slice_x = 0, slice_y = 0, slice_mask = 0;
  uint8_t slice_shift = 0;
};

struct Image {
  state::SurfaceType type = state::SurfaceType::null;
  const formats::Format* format = nullptr;
  std::string_view unsupported{};  // what keeps its texels from being read; empty: nothing
  bool array = false;
  memory::Tiling tiling = memory::Tiling::linear;
  const memory::TileLayout* tiles = nullptr;
  uint64_t base = 0;
  uint32_t pitch = 0;           // bytes of a row of elements
  uint32_t element_stride = 0;  // bytes from one to the next in a row
  uint8_t element_bytes = 0, block_width = 1, block_height = 1;
  uint8_t samples = 1, log2_samples = 0;
  bool interleaved = false;
  uint8_t min_lod = 0, level_count = 1;  // levels[min_lod] is the first one a message sees
  uint32_t first_slice = 0;              // of the view
  uint32_t slices = 1;                   // of the view: layers, or six for each cube; of a 3D surface 1
  std::array<state::ChannelSelect, 4> selects{};
  bool plain_selects = false;              // each channel is its own
  std::array<uint32_t, 4> clear_colour{};  // as decoded texels are
  uint64_t mcs_base = 0;                   // of the multisample control surface; 0: none
  uint32_t mcs_pitch = 0, mcs_qpitch = 0;
  float resource_min_lod = 0;
  uint8_t palette_index = 0;
  bool data_return_fixed = false;  // Gen6: results as S1.14
  std::array<ImageLevel, max_levels> levels{};

  bool is_null() const { return type == state::SurfaceType::null; }
  bool is_buffer() const { return type == state::SurfaceType::buffer || type == state::SurfaceType::structured_buffer; }
  bool is_3d() const { return type == state::SurfaceType::three_d; }
  bool is_cube() const { return type == state::SurfaceType::cube; }
  bool is_1d() const { return type == state::SurfaceType::one_d; }
  // `lod` counts from the view's first level and must be below level_count.
  const ImageLevel& level(unsigned lod) const { return levels[min_lod + lod]; }
};

Image resolve(const state::Surface&);

// Address of the element that holds a texel: all coordinates within the level, `slice` within the view.
uint64_t texel_address(const Image&, const ImageLevel&, uint32_t x, uint32_t y, uint32_t slice, uint32_t sample = 0);

// Address of an element of the multisample control surface, which is Y tiled; `bytes` is its size.
uint64_t mcs_address(const Image&, uint32_t x, uint32_t y, uint32_t slice, uint32_t bytes);

// The texel there, decoded. The format must be supported.
void load_texel(memory::View&, const Image&, const ImageLevel&, uint32_t x, uint32_t y, uint32_t slice, uint32_t sample,
                formats::Rgba& texel);

}  // namespace vitro::shared
