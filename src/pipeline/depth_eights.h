// Depth and stencil tests of eight fragments at once, in host memory. PRM: as depth_stencil.h; "Surface Tiling",
// "Multisampled Surface Storage Formats". Eight are two subspans side by side, or two samples of one subspan that
// follow each other: interleaved, those stand in memory as side by side as subspans do. In Y tiles they are two rows of
// four texels, in W tiles eight bytes in a row. All that does not change from block to block is found once for a draw.
// Buffers that are not contiguous in host memory, or that begin at other than multiples of four, are left to
// depth_stencil.cpp, with the same results.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "pipeline/block.h"
#include "shared/image/samples.h"
#include "shared/pixel_context.h"
#include "state/pipeline.h"
#include "state/three_d_objects.h"

namespace vitro::pipeline {

using Lit = std::array<uint32_t, most_samples>;  // by sample, a bit for each lane

enum class DepthFormat : uint8_t { none, d32_float, d24_unorm, d16_unorm };

// Fragments to test: up to 32 lanes in subspans.
struct Fragments {
  struct Corner {
    uint16_t x = 0, y = 0;
  };
  unsigned subspans = 0;
  std::array<Corner, 8> corners{};
  uint32_t layer = 0;
  uint8_t viewport = 0;
  bool back_facing = false;
  const float* depth = nullptr;      // 32 for each sample
  const uint8_t* stencil = nullptr;  // references that the shader computed, by lane; null: the state's
};

struct StencilFace {
  uint8_t function = 0, fail = 0, depth_fail = 0, pass = 0, test_mask = 0, write_mask = 0, reference = 0;
};

// What the tests of a draw are.
struct DepthTests {
  DepthFormat format = DepthFormat::none;
  bool depth = false, depth_test = false, depth_write = false, stencil = false, stencil_write = false;
  uint8_t depth_function = 0;
  unsigned samples = 1;
  std::array<StencilFace, 2> faces{};  // front, back
  const std::array<state::CcViewport, state::most_viewports>* ranges = nullptr;
  std::array<shared::PixelPlace, most_samples> places{};  // of samples

  const state::CcViewport& range(unsigned viewport) const { return (*ranges)[viewport % state::most_viewports]; }
};

// Eights of a buffer: by the texels, as they are stored, that they begin at.
struct EightsOfBuffer {
  struct Tile {
    uint8_t log2_width = 0, log2_height = 0;  // texels
    std::array<uint16_t, 16> columns{};       // by four texels
    std::array<uint16_t, 32> rows{};          // by two rows
  };
  std::byte* host = nullptr;
  const Tile* tile = nullptr;
  uint32_t row_bytes = 0;  // of tiles
  uint32_t x = 0, y = 0;   // of the first texel
  uint32_t slice_y = 0, slices = 1;

  std::byte* at(uint32_t texel_x, uint32_t texel_y, uint32_t layer) const {
    const uint32_t at_x = x + texel_x, at_y = y + texel_y + (layer < slices ? layer : 0) * slice_y;
    const uint32_t column = at_x & ((1u << tile->log2_width) - 1), row = at_y & ((1u << tile->log2_height) - 1);
    return host + size_t(at_y >> tile->log2_height) * row_bytes +
           (size_t(at_x >> tile->log2_width) * 4096 + tile->columns[column / 4] + tile->rows[row / 2]);
  }
  // False: not in such memory.
  bool find(memory::View&, const shared::Image&, uint32_t level);
};

struct DepthEights {
  EightsOfBuffer depth{}, stencil{};
  uint32_t width = 0, height = 0;               // of the level, in pixels
  uint8_t shift_x = 0, shift_y = 0;             // from pixels to texels
  struct Pair {                                 // of samples
    uint8_t x = 0, y = 0;                       // from the subspan's first texel on
    std::array<float, 8> place_x{}, place_y{};  // of the samples, by lane
  };
  std::array<Pair, most_samples / 2> pairs{};

  // False: the buffers are not of this kind.
  bool find(memory::View&, const DepthTests&, const shared::Image& depth_image, const shared::Image& stencil_image,
            uint32_t level);
};

// As DepthStencil::run; of a block with several samples.
void run_eights(const DepthTests&, const DepthEights&, const Block&, Lit&);
// The same for blocks of one primitive and one sample: what of their coverage passes, for each.
void run_eights(const DepthTests&, const DepthEights&, std::span<const Block>, uint16_t* passed);
void run_eights(const DepthTests&, const DepthEights&, const Fragments&, Lit&);

// Depths of fragments: the primitive's, at the places of samples.
void find_depths(const DepthTests&, const Primitive&, const Fragments&, float* depth);

// What a stencil operation makes of a value.
uint8_t stencil_op(unsigned op, uint8_t value, uint8_t reference);

}  // namespace vitro::pipeline
