// Depth and stencil tests. PRM: Gen8 vol 7 "Depth Test", "Stencil Test"; 3DSTATE_WM_DEPTH_STENCIL,
// 3DSTATE_DEPTH_BUFFER, 3DSTATE_STENCIL_BUFFER, CC_VIEWPORT. The unit is a subspan: its four pixels lie side by side in
// Y and W tiles, also where samples are interleaved. Depth is clamped to the viewport's range and compared as the
// buffer stores it. Not modelled: hierarchical depth, which would give the same results; depth in other than Y tiles.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "base/fault.h"
#include "pipeline/depth_eights.h"
#include "pipeline/draw.h"
#include "shared/image/image.h"

namespace vitro::pipeline {

// Depth and stencil buffer as surfaces; null where there is none.
struct DepthSurfaces {
  DepthFormat format = DepthFormat::none;
  state::Surface depth{}, stencil{};
};
std::optional<Fault> find_depth_surfaces(const state::SurfaceRules&, const state::Pipeline&, unsigned samples,
                                         DepthSurfaces&);
// Depth and stencil buffer as images; `none` and null where there is none.
struct DepthImages {
  DepthFormat format = DepthFormat::none;
  shared::Image depth{}, stencil{};
  uint32_t level = 0;
};
std::optional<Fault> find_depth_images(const Traits&, const state::Pipeline&, unsigned samples, DepthImages&);

// A depth as a buffer of a format stores it.
uint32_t stored_depth(DepthFormat format, float depth);

class DepthStencil {
 public:
  // For a draw, whose memory is `memory`; both must stay.
  std::optional<Fault> begin(const Draw& draw, memory::View& memory);
  bool tests_or_writes() const { return tests_.depth || tests_.stencil; }
  bool writes() const { return tests_.depth_write || tests_.stencil_write; }
  // Tests the lit samples, stores, and takes out those that fail.
  void run(const Fragments&, Lit& lit) const;
  // The same for a block, whose depths are those of its primitive.
  void run(const Block&, Lit& lit) const;
  // And for blocks of one primitive, of one sample: what of their coverage passes, for each.
  void run(std::span<const Block>, uint16_t* passed) const;
  // Depths of fragments, as those need them.
  void find_depths(const Primitive&, const Fragments&, float* depth) const;

 private:
  void subspan(const Fragments&, unsigned n, unsigned sample, uint32_t& lit) const;

  memory::View* memory_ = nullptr;
  DepthImages images_{};
  DepthTests tests_{};
  bool in_eights_ = false;
  DepthEights eights_{};
};

}  // namespace vitro::pipeline
