// What is where in the payload of a render target write. PRM: Gen8 vol 2a MSD_RTW_*, MDP_RTW_*. Behind a header of two
// registers the payload has, as far as present: source 0 alpha, output mask, colour, second colour, depth, stencil.
// Registers count from the header on.
#pragma once

#include <cstdint>

namespace vitro::shared {

struct ColourPayload {
  enum Subtype : unsigned {
    simd16,
    simd16_replicated,
    dual_low,
    dual_high,
    simd8,
    image_write,
    reserved,
    replicated_111
  };
  // Of the header's first dword.
  static constexpr uint32_t header_alpha = 1 << 11, header_omask = 1 << 12, header_depth = 1 << 13,
                            header_stencil = 1 << 14;

  unsigned subtype = 0, lanes = 16, first = 0;  // the first of the thread's lanes
  bool half = false, replicated = false, dual = false;
  bool alpha = false, omask = false, depth = false, stencil = false;  // for the header, or the draw, to say
  unsigned row = 2;                                                   // registers of a component
  unsigned body = 0;

  // By the descriptor.
  ColourPayload(uint32_t desc, bool header) {
    subtype = desc >> 8 & 7;
    replicated = subtype == simd16_replicated || subtype == replicated_111;
    dual = subtype == dual_low || subtype == dual_high;
    lanes = dual || subtype == simd8 ? 8 : 16;
    first = (desc >> 11 & 1) * 16 + (subtype == dual_high ? 8 : 0);
    half = desc >> 30 & 1;
    row = half || lanes == 8 ? 1 : 2;
    body = header ? 2 : 0;
  }
  bool supported() const { return subtype != image_write && subtype != reserved; }
  // Lanes of the message among the channels that it is sent with.
  unsigned first_channel(unsigned exec_size) const { return subtype == dual_high && exec_size > 8 ? 8 : 0; }

  unsigned depth_row() const { return lanes / 8; }
  unsigned alpha_at() const { return body; }
  unsigned omask_at() const { return body + (alpha ? row : 0); }
  unsigned colour_at() const { return omask_at() + omask; }
  unsigned second_at() const { return colour_at() + 4 * row; }
  unsigned depth_at() const { return replicated ? colour_at() + 1 : second_at() + (dual ? 4 * row : 0); }
  unsigned stencil_at() const { return depth_at() + (depth ? depth_row() : 0); }
  unsigned end() const { return stencil_at() + stencil; }
};

}  // namespace vitro::shared
