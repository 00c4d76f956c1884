// Clears that do not go through pixel shaders: fast clears of render targets, and the operations of 3DSTATE_WM_HZ_OP.
// PRM: Gen8 vol 7 "Render Target Fast Clear", "MCS"; vol 2a 3DSTATE_PS, 3DSTATE_WM_HZ_OP, 3DSTATE_CLEAR_PARAMS. There
// is no compression and no hierarchical depth here: a clear writes the surface at once, and resolves have nothing to
// do. Of multisampled targets with a control surface, its codes are set instead.
#pragma once

#include <cstdint>
#include <optional>

#include "base/fault.h"
#include "pipeline/draw.h"
#include "pipeline/rectangle.h"
#include "shared/dataport/target.h"

namespace vitro::pipeline {

// How many pixels of the target one pixel of a fast clear's rectangle stands for.
struct ClearScale {
  unsigned x = 1, y = 1;
};
ClearScale fast_clear_scale(const Traits&, const shared::RenderTarget&);
// A rectangle as it was drawn.
void fast_clear(memory::View&, const Traits&, const shared::RenderTarget&, uint32_t layer, Rectangle);

// 3DSTATE_WM_HZ_OP, when it arrives: all of it, or of its rows those up to an end. Several host threads may run rows of
// one at a time, each with a view of its own; whole tiles are filled at once if they begin and end at these.
struct Rows {
  int first = 0, end = 1 << 20;
};
constexpr int rows_of_tiles = 64;
std::optional<Fault> run_hz_op(const DepthStencilOperation&, memory::View&, Rows = {});
// What it is said to clear, of surfaces that may be smaller.
Rectangle hz_op_rectangle(const DepthStencilOperation&);

// Texels of one plane or sample set to the same bits.
void fill_texels(memory::View&, const shared::Image&, const shared::ImageLevel&, Rectangle, uint32_t slice,
                 uint32_t sample, const shared::TexelBits&);

}  // namespace vitro::pipeline
