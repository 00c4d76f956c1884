// Which places of memory the pixels of a draw go to, so that a scene holds draws together only as long as a pixel of
// a slice is the same place for all of them: bins know no other order. PRM: Gen8 vol 7 "Render Target Write",
// RENDER_SURFACE_STATE (Minimum Array Element, MIP Count / LOD, offsets), 3DSTATE_DEPTH_BUFFER, 3DSTATE_STENCIL_BUFFER.
// Drivers flush no cache between draws to two views of a surface, as the render cache goes by addresses.
// Render targets are told apart from other surfaces of the binding table by the render target messages of the pixel
// shader; indices that stand in registers are not followed. A target whose pixels are elsewhere counts as a conflict
// whether or not the two overlap.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "pipeline/draw.h"
#include "state/surface.h"

namespace vitro::pipeline {

// Binding table indices of a kernel's render target messages, in order.
std::vector<uint8_t> target_indices(const dispatch::Kernel&);
std::vector<uint8_t> target_indices(const Draw&);
state::Surface bound_target(const Draw&, memory::View&, unsigned index);

// What decides where a pixel of a layer is.
struct TargetPlace {
  uint64_t base = 0;
  uint32_t pitch = 0, qpitch = 0;
  uint16_t format = 0, first_slice = 0;
  uint8_t type = 0, level = 0, tile_mode = 0, x_offset = 0, y_offset = 0, log2_samples = 0;
  bool operator==(const TargetPlace&) const = default;
};

// Which slices the layers of a draw are to bins: pixels of one slice are in one bin.
struct BinSlices {
  // What layer 0 is in all targets; 0 if that is not the same one, and the other draws of the scene have layer 0 where
  // this one has.
  uint16_t first = 0;
  // So many layers are slices of their own; others are layer 0, in one target at least.
  uint16_t apart = 0xFFFF;

  uint16_t of(uint16_t layer) const { return uint16_t(first + (layer < apart ? layer : 0)); }
  bool operator==(const BinSlices&) const = default;
};

// Of the draws of a scene, all together.
class TargetPlaces {
 public:
  // nullopt, and nothing is added, if a pixel of a slice of the draw's targets is somewhere else than that of a draw
  // before it, or in another bin.
  std::optional<BinSlices> add(const Draw&);
  void clear() { colours_.clear(), depth_.clear(), stencil_.clear(), kind_.reset(); }
  // Also lets go of kernels.
  void forget() { clear(), known_ = {}; }

 private:
  const std::vector<uint8_t>& indices_of(const std::shared_ptr<const dispatch::Kernel>&);

  struct Known {
    std::shared_ptr<const dispatch::Kernel> kernel{};
    std::vector<uint8_t> indices{};
  };
  std::array<Known, 16> known_{};
  size_t next_ = 0;
  std::vector<TargetPlace> colours_{}, depth_{}, stencil_{};  // of the last two at most one
  std::vector<TargetPlace> added_{};                          // of the draw, kept for its memory
  // Whether slices of targets are bins of their own, or all those of a draw that begins here are one.
  struct Kind {
    bool apart = true;
    uint16_t first = 0;
    bool goes_with(const Kind& k) const { return apart == k.apart && (apart || first == k.first); }
  };
  std::optional<Kind> kind_{};  // null: there are no targets yet
};

}  // namespace vitro::pipeline
