// The rows of the blitter's commands: each hands its struct, and what follows the fields in the packet, to src/blitter
// with what the engine has around it. PRM: Gen8 vol 2a XY_*. Which tiles are Y is in BCS_SWCTRL.
#include <array>

#include "blitter/commands.h"
#include "commands/blitter_layout_tables.h"
#include "registers/file.h"
#include "streamer/rows.h"
#include "streamer/streamer.h"

namespace vitro::streamer {
namespace {

using blitter::Operands, blitter::SourceOperand, blitter::PatternOperand;
using commands::copy, commands::length8;
using Packet = std::span<const uint32_t>;

blitter::Surroundings around(Execution& e) {
  const uint32_t tiles = e.state.registers.get(registers::mmio::bcs_swctrl);
  return {e.around.ppgtt, (tiles & 1) != 0, (tiles & 2) != 0, e.around.stop};
}

// A handler that is called with all of its dwords there, and gets the rest as immediate data.
template <const auto& layout, auto handler>
Outcome whole(Execution& e, const typename std::remove_cvref_t<decltype(layout)>::Struct& c, Packet packet) {
  if (packet.size() < size_t(layout.dwords)) return failed("the command is too short");
  return handler(e, c, packet.subspan(size_t(layout.dwords)));
}
template <const auto& layout, auto handler>
constexpr Row blit() {
  return row<layout, whole<layout, handler>>(copy, length8);
}

using commands::Blt;

template <Operands operands>
Outcome run_blt(Execution& e, const Blt& c, Packet immediate) {
  return blt(e.state.blitter, around(e), c, operands, immediate);
}
template <Operands operands>
Outcome run_linear(Execution& e, const Blt& c, Packet) {
  return linear_blt(e.state.blitter, around(e), c, operands);
}
template <bool mono_pattern>
Outcome run_setup(Execution& e, const Blt& c, Packet) {
  set_up(e.state.blitter, c, mono_pattern);
  return {};
}
Outcome run_setup_clip(Execution& e, const Blt& c, Packet) {
  set_up_clip(e.state.blitter, c);
  return {};
}
Outcome run_pixel(Execution& e, const Blt& c, Packet) { return pixel(e.state.blitter, around(e), c); }
Outcome run_scanlines(Execution& e, const Blt& c, Packet) { return scanlines(e.state.blitter, around(e), c); }
template <SourceOperand source>
Outcome run_text(Execution& e, const Blt& c, Packet immediate) {
  return text(e.state.blitter, around(e), c, source, immediate);
}
Outcome run_fast_copy(Execution& e, const commands::XyFastCopyBlt& c, Packet) { return fast_copy(around(e), c); }

using S = SourceOperand;
using P = PatternOperand;
constexpr bool keyed = true;

template <class g, class... More>
constexpr auto rows_of(More... more) {
  return std::array{
      blit<g::color_blt, run_linear<Operands{S::none, P::solid}>>(),
      blit<g::src_copy_blt, run_linear<Operands{S::color, P::none}>>(),
      blit<g::setup, run_setup<false>>(),
      blit<g::setup_mono_pattern_sl, run_setup<true>>(),
      blit<g::setup_clip, run_setup_clip>(),
      blit<g::pixel, run_pixel>(),
      blit<g::scanlines, run_scanlines>(),
      blit<g::text, run_text<S::text>>(),
      blit<g::text_immediate, run_text<S::immediate_text>>(),
      blit<g::xy_color, run_blt<Operands{S::none, P::solid}>>(),
      blit<g::pat, run_blt<Operands{S::none, P::color}>>(),
      blit<g::pat_immediate, run_blt<Operands{S::none, P::immediate_color}>>(),
      blit<g::pat_chroma, run_blt<Operands{S::none, P::color, keyed}>>(),
      blit<g::pat_chroma_immediate, run_blt<Operands{S::none, P::immediate_color, keyed}>>(),
      blit<g::mono_pat, run_blt<Operands{S::none, P::mono}>>(),
      blit<g::mono_pat_fixed, run_blt<Operands{S::none, P::fixed}>>(),
      blit<g::src_copy, run_blt<Operands{S::color, P::none}>>(),
      blit<g::src_copy_chroma, run_blt<Operands{S::color, P::none, keyed}>>(),
      blit<g::mono_src_copy, run_blt<Operands{S::mono, P::none}>>(),
      blit<g::mono_src_copy_immediate, run_blt<Operands{S::immediate_mono, P::none}>>(),
      blit<g::full, run_blt<Operands{S::color, P::color}>>(),
      blit<g::full_immediate_pattern, run_blt<Operands{S::color, P::immediate_color}>>(),
      blit<g::full_mono_src, run_blt<Operands{S::mono, P::color}>>(),
      blit<g::full_mono_src_immediate_pattern, run_blt<Operands{S::mono, P::immediate_color}>>(),
      blit<g::full_mono_pattern, run_blt<Operands{S::color, P::mono}>>(),
      blit<g::full_mono_pattern_mono_src, run_blt<Operands{S::mono, P::mono}>>(),
      more...,
  };
}

namespace f = commands::blitter;
constexpr auto rows_of_gen6 = rows_of<f::gen6>();
constexpr auto rows_of_gen8 = rows_of<f::gen8>();
constexpr auto rows_of_gen9 = rows_of<f::gen8>(blit<f::gen9::xy_fast_copy, run_fast_copy>());

}  // namespace

constinit const std::span<const Row> blitter_rows_gen6{rows_of_gen6};
constinit const std::span<const Row> blitter_rows_gen8{rows_of_gen8};
constinit const std::span<const Row> blitter_rows_gen9{rows_of_gen9};

}  // namespace vitro::streamer
