// Draws whose pixels need no threads of their own, since it is known at once what all of a primitive's are: copies of
// texels, as drivers draw them to fill, read and move images (their shader loads the texel at its own place plus a
// distance, and gives it back as it is), or all the same. Where code is known to do so (eu/affine.h follows the
// primitive's threads all at once), rectangles that are covered wholly are moved or filled in memory, which nobody can
// tell from threads that do it. PRM: as pixel.h.
// Of this kind are draws that only paint what does not depend on what was there, into one target of one sample in host
// memory. Sources of copies are in host memory, too, have the target's format, whose texels come back as they were when
// they are decoded and encoded again, and have no memory in common with it.
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

// What a primitive's code does, whatever surfaces it is given.
struct PaintingCode {
  bool copies = false;              // else all pixels are the same
  unsigned target = 0, source = 0;  // binding table indices
  uint32_t level = 0, slice = 0;    // of the source
  int32_t dx = 0, dy = 0;           // of a pixel's texel from it
  unsigned components = 0;          // a bit for each that is written as it was loaded
};

struct Painting {
  // An image of texels, by bytes and rows.
  struct Side {
    std::byte* host = nullptr;
    uint32_t pitch = 0;
    memory::Tiling tiling = memory::Tiling::linear;
    uint32_t x = 0, y = 0;          // texels: of its first one
    int32_t width = 0, height = 0;  // texels that there are
  };
  using Texel = std::array<std::byte, 16>;
  bool copies = false;
  Side to{}, from{};
  int32_t dx = 0, dy = 0;
  uint32_t bytes = 0;  // of a texel

  bool holds(const Rectangle& pixels) const;
  // Of pixels that it holds, no more than a bin has. What they all are is to be read of one that was drawn.
  void copy(const Rectangle& pixels) const;
  void fill(const Rectangle& pixels, const Texel& texel) const;
  Texel read(int x, int y) const;
};

// Whether code may be of this kind, at a glance.
bool may_paint(const eu::Program&);

// Whether a primitive's barycentrics are known to be finite at all of its pixels.
bool has_finite_barycentrics(const Primitive&);
// About all threads of primitives that have the same setup data, the same layer and pixels in this rectangle.
struct PaintingQuestion {
  const Draw& draw;
  const dispatch::Stage& stage;
  const PixelLayout& layout;
  Rectangle pixels;
  uint32_t layer = 0;
  bool finite_barycentrics = false;
};
// Where a thread has its subspans that stands for all that may come.
std::array<shared::PixelThread::Subspan, 4> model_subspans(const Rectangle& pixels);
// The model has the registers of such a thread, all of whose pixels are lit. Nothing: it is not known what they do, or
// another thing.
std::optional<PaintingCode> follow(const PaintingQuestion&, const eu::Thread& model);
std::optional<Painting> find_painting(const PaintingQuestion&, const PaintingCode&, memory::View&);

}  // namespace vitro::pipeline
