// Depth and stencil tests. PRM: Gen8 vol 7 "Depth Test", "Stencil Test"; 3DSTATE_WM_DEPTH_STENCIL,
// 3DSTATE_DEPTH_BUFFER, 3DSTATE_STENCIL_BUFFER, CC_VIEWPORT. The unit is a subspan: its four pixels lie side by side in
// Y and W tiles, also where samples are interleaved. Depth is clamped to the viewport's range and compared as the
// buffer stores it. Not modelled: hierarchical depth, which would give the same results; depth in other than Y tiles.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "base/fault.h"
#include "pipeline/block.h"
#include "pipeline/draw.h"
#include "shared/image/image.h"

namespace vitro::pipeline {

using Lit = std::array<uint32_t, most_samples>;  // by sample, a bit for each lane

enum class DepthFormat : uint8_t { none, d32_float, d24_unorm, d16_unorm };

// Depth and stencil buffer as images; `none` and null where there is none.
struct DepthImages {
  DepthFormat format = DepthFormat::none;
  shared::Image depth{}, stencil{};
  uint32_t level = 0;
};
std::optional<Fault> find_depth_images(const Traits&, const state::Pipeline&, unsigned samples, DepthImages&);

// A depth as a buffer of a format stores it.
uint32_t stored_depth(DepthFormat format, float depth);
// What a stencil operation makes of a value.
uint8_t stencil_op(unsigned op, uint8_t value, uint8_t reference);

// Fragments to test: up to 32 lanes in subspans.
struct Fragments {
  struct Corner {
    uint16_t x = 0, y = 0;
  };
  unsigned subspans = 0;
  bool is_block = false;  // the four of a block
  std::array<Corner, 8> corners{};
  uint32_t layer = 0;
  uint8_t viewport = 0;
  bool back_facing = false;
  const float* depth = nullptr;      // 32 for each sample
  const uint8_t* stencil = nullptr;  // references that the shader computed, by lane; null: the state's
};

class DepthStencil {
 public:
  // For a draw, whose memory is `memory`; both must stay.
  std::optional<Fault> begin(const Draw& draw, memory::View& memory);
  bool tests_or_writes() const { return depth_ || stencil_; }
  bool writes() const { return depth_write_ || stencil_write_; }
  // Tests the lit samples, stores, and takes out those that fail.
  void run(const Fragments&, Lit& lit) const;

 private:
  struct Face {
    uint8_t function = 0, fail = 0, depth_fail = 0, pass = 0, test_mask = 0, write_mask = 0, reference = 0;
  };
  // False: this one goes subspan by subspan.
  bool block(const Fragments&, Lit& lit) const;
  bool samples_of_block(const Fragments&, Lit& lit) const;
  void subspan(const Fragments&, unsigned n, unsigned sample, uint32_t& lit) const;

  memory::View* memory_ = nullptr;
  DepthImages images_{};
  unsigned samples_ = 1;
  bool depth_ = false, depth_test_ = false, depth_write_ = false, stencil_ = false, stencil_write_ = false;
  uint8_t depth_function_ = 0;
  std::array<Face, 2> faces_{};  // front, back
  const std::array<state::CcViewport, state::most_viewports>* ranges_ = nullptr;
};

}  // namespace vitro::pipeline
