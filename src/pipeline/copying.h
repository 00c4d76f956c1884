// Draws whose pixels are copies of texels, as drivers make them to fill, read and move images: their pixel shader loads
// the texel at its own place plus a distance (ld) and gives it back as it is. Where that is found out about a
// primitive (eu/affine.h follows its threads all at once), rectangles of it that are covered wholly are moved in
// memory, which nobody can tell from threads that do so. PRM: as pixel.h. Of this kind are surfaces of one sample in
// host memory, both of the same format, whose texels come back as they were when they are decoded and encoded again;
// source and target have no memory in common.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "dispatch/work.h"
#include "memory/tiling.h"
#include "memory/view.h"
#include "pipeline/pixel_payload.h"
#include "pipeline/rectangle.h"

namespace vitro::pipeline {

struct Copying {
  // An image of texels, by bytes and rows.
  struct Side {
    std::byte* host = nullptr;
    uint32_t pitch = 0;
    memory::Tiling tiling = memory::Tiling::linear;
    uint32_t x = 0, y = 0;          // texels: of its first one
    int32_t width = 0, height = 0;  // texels that there are
  };
  Side from{}, to{};
  int32_t dx = 0, dy = 0;  // of a pixel's texel from it
  uint32_t bytes = 0;      // of a texel

  bool holds(const Rectangle& pixels) const;
  // Of pixels that it holds, no more than a bin has.
  void copy(const Rectangle& pixels) const;
};

// Whether code may be of this kind, at a glance.
bool may_copy(const eu::Program&);
// Where a thread has its subspans that stands for all that may come of a primitive with these pixels.
std::array<shared::PixelThread::Subspan, 4> model_subspans(const Rectangle& pixels);
struct CopyQuestion {
  const Draw& draw;
  const dispatch::Stage& stage;
  const PixelLayout& layout;
  Rectangle pixels;
  uint32_t layer = 0;
  std::array<shared::PixelThread::Subspan, 4> subspans = model_subspans(pixels);
};
// The model has the registers of such a thread, all of whose pixels are lit. Nothing: its like are not known to copy.
std::optional<Copying> find_copying(const CopyQuestion&, memory::View&, const eu::Thread& model);

}  // namespace vitro::pipeline
