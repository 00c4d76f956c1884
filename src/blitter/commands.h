// The blitter's commands as blits. PRM: Gen8 vol 2a XY_*; vol 10 for what they share. A command is a choice of
// operands; those that draw with what XY_SETUP_* left behind differ only in where the operands come from. Refused by
// name, because no public document says what they are: the bitmaps of XY_MONO_PAT_FIXED_BLT. Where SRC_COPY_BLT runs
// from right to left (X Direction), its addresses name the last byte of a row, as drivers of the i810 have it.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "blitter/surface.h"
#include "commands/blitter.h"

namespace vitro::blitter {

// What setup commands leave for others.
struct State {
  commands::Blt setup{};
  bool mono_pattern = false;  // the last one was XY_SETUP_MONO_PATTERN_SL_BLT
};

struct Surroundings {
  memory::View& memory;
  // BCS_SWCTRL: tiles of the source, of the destination are Y.
  bool source_y = false, destination_y = false;
  const std::function<bool()>& stop;
};

enum class SourceOperand : uint8_t { none, color, mono, immediate_mono, text, immediate_text };
enum class PatternOperand : uint8_t { none, solid, color, immediate_color, mono, fixed };
struct Operands {
  SourceOperand source = SourceOperand::none;
  PatternOperand pattern = PatternOperand::none;
  bool keyed = false;
};

// `immediate` is what follows the fields in the packet.
using Immediate = std::span<const uint32_t>;
Outcome blt(const State&, const Surroundings&, const commands::Blt&, Operands, Immediate);
// Commands without coordinates.
Outcome linear_blt(const State&, const Surroundings&, const commands::Blt&, Operands);
Outcome fast_copy(const Surroundings&, const commands::XyFastCopyBlt&);

void set_up(State&, const commands::Blt&, bool mono_pattern);
void set_up_clip(State&, const commands::Blt&);
Outcome pixel(const State&, const Surroundings&, const commands::Blt&);
Outcome scanlines(const State&, const Surroundings&, const commands::Blt&);
Outcome text(const State&, const Surroundings&, const commands::Blt&, SourceOperand, Immediate);

}  // namespace vitro::blitter
