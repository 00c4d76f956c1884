// What is where in the payload of a render target write. PRM: Gen8 vol 2a MSD_RTW_*, MDP_RTW_*. Behind a header of two
// registers the payload has, as far as present: source 0 alpha, output mask, colour, second colour, depth, stencil.
// Registers count from the header on.
#pragma once

#include <cstdint>

#include "isa/message_shape.h"

namespace vitro::shared {

struct ColourPayload {
  // Of the header's first dword.
  static constexpr uint32_t header_alpha = 1 << 11, header_omask = 1 << 12, header_depth = 1 << 13,
                            header_stencil = 1 << 14;

  unsigned lanes = 16, first = 0;  // the first of the thread's lanes
  bool half = false, replicated = false, dual = false;
  bool alpha = false, omask = false, depth = false, stencil = false;  // for the header, or the draw, to say
  unsigned row = 2;                                                   // registers of a component
  unsigned body = 0;

  // By the descriptor.
  explicit ColourPayload(const isa::MessageShape& s)
      : lanes(s.slots),
        first(s.first_slot),
        half(s.half),
        replicated(s.replicated),
        dual(s.dual),
        row(s.colour_registers()),
        body(s.header ? 2 : 0) {}
  bool supported() const { return lanes != 0; }
  // Lanes of the message among the channels that it is sent with, and among those that a register of masks has.
  unsigned first_channel(unsigned exec_size) const { return exec_size > 8 ? first_mask() : 0; }
  unsigned first_mask() const { return first & 8; }

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
