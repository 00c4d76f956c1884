// From commands to blits. PRM: see commands.h. What the documents forbid is a Fault that says so: raster operations of
// an operand that a command has not, negative pitches with monochrome sources, keys on a source that is not there, and
// immediate data of another size than the rectangle needs, on which the engine waits for ever.
#include "blitter/commands.h"

#include <fmt/format.h>

#include <cstring>

#include "blitter/blit.h"
#include "blitter/raster_operation.h"

namespace vitro::blitter {
namespace {

using commands::Blt;
using memory::Tiling;

tl::unexpected<Fault> failed(std::string reason) { return tl::unexpected<Fault>(Fault{.reason = std::move(reason)}); }

Tiling tiling_of(bool tiled, bool y) { return !tiled ? Tiling::linear : y ? Tiling::y : Tiling::x; }

// Pitches are bytes with a sign, those of tiled surfaces dwords.
Surface surface_of(uint64_t base, uint16_t pitch, Tiling tiling, unsigned bytes_per_pixel) {
  const int64_t bytes = tiling == Tiling::linear ? int64_t(int16_t(pitch)) : int64_t(pitch) * 4;
  return {base, bytes, tiling, 8 * bytes_per_pixel};
}

bool is_mono(SourceOperand s) { return s > SourceOperand::color; }

Outcome check_operation(const Blt& c, Operands o) {
  const uint8_t code = c.raster_operation;
  if (uses_source(code) && o.source == SourceOperand::none)
    return failed(fmt::format("raster operation 0x{:02x} uses a source, and the command has none", code));
  if (uses_pattern(code) && o.pattern == PatternOperand::none)
    return failed(fmt::format("raster operation 0x{:02x} uses a pattern, and the command has none", code));
  return {};
}

// Bits of rows: words, or as they come in text. What is immediate must be there as a whole, in qwords.
tl::expected<MonoSource, Fault> mono_source(const Blt& c, SourceOperand kind, const Rectangle& r, Immediate data) {
  const bool is_text = kind == SourceOperand::text || kind == SourceOperand::immediate_text;
  const uint64_t width = uint64_t(r.width()), height = uint64_t(r.height()),
                 align = !is_text        ? 16
                         : c.byte_packed ? 8
                                         : 1;
  MonoSource m{.address = c.source,
               .immediate = kind == SourceOperand::immediate_mono || kind == SourceOperand::immediate_text,
               .first_bit = c.source_bit,
               .line_bits = (c.source_bit + width + align - 1) / align * align,
               .background = c.source_background,
               .foreground = c.source_foreground,
               .transparent = c.source_transparency};
  if (!m.immediate) return m;
  const uint64_t wanted = (m.line_bits * height + 63) / 64 * 2;
  if (data.size() != wanted)
    return failed(fmt::format("hung: {} dwords of immediate data where the rectangle takes {}", data.size(), wanted));
  m.data = std::as_bytes(data);
  return m;
}

Pattern solid_pattern(uint32_t color) {
  Pattern p;
  p.pixels.fill(color);
  return p;
}

// The first row is the lowest byte, the leftmost pixel the highest bit. A solid pattern counts as zeros.
Pattern mono_pattern(const Blt& c) {
  Pattern p;
  uint64_t drawn = 0;
  for (unsigned n = 0; n < 64; ++n) {
    const uint32_t row = c.pattern_data[n / 32] >> (n / 8 % 4 * 8);
    const bool set = !c.solid_pattern && (row >> (7 - n % 8) & 1);
    p.pixels[n] = set ? c.pattern_foreground : c.pattern_background;
    drawn |= uint64_t(set) << n;
  }
  if (c.pattern_transparency) p.drawn = drawn;
  return p;
}

Pattern color_pattern(std::span<const std::byte> bytes, unsigned bytes_per_pixel) {
  Pattern p;
  for (unsigned n = 0; n < 64; ++n) std::memcpy(&p.pixels[n], bytes.data() + n * bytes_per_pixel, bytes_per_pixel);
  return p;
}

tl::expected<Pattern, Fault> pattern_of(const Surroundings& a, const Blt& c, PatternOperand kind, unsigned bytes,
                                        Immediate data) {
  std::array<std::byte, 256> memory{};
  const std::span<std::byte> pixels(memory.data(), size_t(64) * bytes);
  switch (kind) {
    case PatternOperand::none:
    case PatternOperand::solid: return solid_pattern(c.pattern_background);
    case PatternOperand::mono: return mono_pattern(c);
    case PatternOperand::color:
      if (uses_pattern(c.raster_operation)) a.memory.read(c.pattern, pixels);
      return color_pattern(pixels, bytes);
    case PatternOperand::immediate_color:
      if (data.size_bytes() != pixels.size())
        return failed(
            fmt::format("hung: {} dwords of immediate data where the pattern has {}", data.size(), pixels.size() / 4));
      return color_pattern(std::as_bytes(data), bytes);
    case PatternOperand::fixed:
      if (uses_pattern(c.raster_operation) || c.pattern_transparency)
        return tl::unexpected(unsupported_fault("Fixed Pattern"));
      return solid_pattern(0);
  }
  return solid_pattern(0);
}

Outcome draw(const State& state, const Surroundings& a, const Blt& c, const Rectangle& rectangle, Operands o,
             Immediate data) {
  const Depth& d = depth(c.depth);
  Blit b{.destination =
             surface_of(c.destination, c.destination_pitch, tiling_of(c.destination_tiled, a.destination_y), d.bytes),
         .rectangle = rectangle,
         .bytes_per_pixel = d.bytes,
         .raster_operation = c.raster_operation,
         .depth = &d};
  if (b.rectangle.empty()) return {};
  if (Outcome ok = check_operation(c, o); !ok) return ok;
  if (is_mono(o.source) && b.destination.pitch < 0)
    return failed("a negative pitch is not allowed with a monochrome source");
  if (c.clipping)
    b.clip = Rectangle{state.setup.clip_x1, state.setup.clip_y1, state.setup.clip_x2, state.setup.clip_y2};
  if (d.bytes == 4) b.written = (c.byte_mask & 1 ? 0xFFFFFFu : 0) | (c.byte_mask & 2 ? 0xFF000000u : 0);
  if (o.source == SourceOperand::color)
    b.color_source = ColorSource{surface_of(c.source, c.source_pitch, tiling_of(c.source_tiled, a.source_y), d.bytes),
                                 c.source_x, c.source_y};
  if (is_mono(o.source)) {
    auto m = mono_source(c, o.source, b.rectangle, data);
    if (!m) return tl::unexpected(std::move(m.error()));
    b.mono_source = *m;
  }
  if (o.pattern != PatternOperand::none) {
    auto p = pattern_of(a, c, o.pattern, d.bytes, data);
    if (!p) return tl::unexpected(std::move(p.error()));
    b.pattern = *p;
    b.pattern->horizontal_seed = c.horizontal_seed, b.pattern->vertical_seed = c.vertical_seed;
  }
  // Gen8 vol 2a does not list the modes; they are those of BR00 in Gen7 vol 1 part 4: bit 0 enables, bit 1 looks at
  // alpha too, bit 2 at the destination.
  if (o.keyed && c.transparency_range_mode & 1) {
    b.key = ColorKey{.low = c.source_background,
                     .high = c.source_foreground,
                     .of_destination = (c.transparency_range_mode & 4) != 0,
                     .with_alpha = (c.transparency_range_mode & 2) != 0};
    if (!b.key->of_destination && o.source != SourceOperand::color)
      return failed(fmt::format("Transparency Range Mode {} looks at a source, and the command has none",
                                c.transparency_range_mode));
  }
  return run(b, a.memory, a.stop);
}

}  // namespace

Outcome blt(const State& state, const Surroundings& a, const Blt& c, Operands o, Immediate data) {
  return draw(state, a, c, {c.x1, c.y1, c.x2, c.y2}, o, data);
}

Outcome linear_blt(const State& state, const Surroundings& a, const Blt& c, Operands o) {
  const unsigned bytes = depth(c.depth).bytes;
  if (c.width_bytes % bytes)
    return failed(fmt::format("a width of {} bytes is no number of pixels of {}", c.width_bytes, bytes));
  Blt b = c;
  if (b.backwards && b.width_bytes) b.destination -= b.width_bytes - 1u, b.source -= b.width_bytes - 1u;
  return draw(state, a, b, {0, 0, int32_t(c.width_bytes / bytes), c.height}, o, {});
}

Outcome fast_copy(const Surroundings& a, const commands::XyFastCopyBlt& c) {
  constexpr uint8_t bytes_of[8] = {1, 2, 0, 4, 8, 16, 0, 0};
  const unsigned bytes = bytes_of[c.depth & 7];
  if (!bytes) return failed(fmt::format("Color Depth {} is reserved", c.depth));
  constexpr Tiling methods[4] = {Tiling::linear, Tiling::x, Tiling::y, Tiling::ys};
  const auto tiling = [&](uint8_t method, bool yf) {
    const Tiling t = methods[method & 3];
    return t == Tiling::y && yf ? Tiling::yf : t;
  };
  return run(
      {.destination =
           surface_of(c.destination, c.destination_pitch, tiling(c.destination_tiling, c.destination_yf), bytes),
       .rectangle = {c.x1, c.y1, c.x2, c.y2},
       .bytes_per_pixel = bytes,
       .raster_operation = 0xCC,
       .color_source = ColorSource{surface_of(c.source, c.source_pitch, tiling(c.source_tiling, c.source_yf), bytes),
                                   c.source_x, c.source_y}},
      a.memory, a.stop);
}

void set_up(State& state, const Blt& c, bool mono_pattern) { state = {c, mono_pattern}; }

void set_up_clip(State& state, const Blt& c) {
  Blt& s = state.setup;
  s.clip_x1 = c.clip_x1, s.clip_y1 = c.clip_y1, s.clip_x2 = c.clip_x2, s.clip_y2 = c.clip_y2;
}

namespace {

// The setup, where and in which tiles the command says.
Blt drawn_with(const State& state, const Blt& c) {
  Blt b = state.setup;
  b.destination_tiled = c.destination_tiled;
  b.x1 = c.x1, b.y1 = c.y1, b.x2 = c.x2, b.y2 = c.y2;
  return b;
}

}  // namespace

Outcome pixel(const State& state, const Surroundings& a, const Blt& c) {
  const Blt b = drawn_with(state, c);
  if (int16_t(b.destination_pitch) < 0 && !b.destination_tiled) return failed("a negative pitch is not allowed");
  return draw(state, a, b, {c.x1, c.y1, c.x1 + 1, c.y1 + 1}, {.pattern = PatternOperand::solid}, {});
}

Outcome scanlines(const State& state, const Surroundings& a, const Blt& c) {
  Blt b = drawn_with(state, c);
  b.horizontal_seed = c.horizontal_seed, b.vertical_seed = c.vertical_seed;
  return blt(state, a, b, {.pattern = state.mono_pattern ? PatternOperand::mono : PatternOperand::color}, {});
}

Outcome text(const State& state, const Surroundings& a, const Blt& c, SourceOperand source, Immediate data) {
  Blt b = drawn_with(state, c);
  b.source = c.source, b.byte_packed = c.byte_packed;
  b.source_background = b.pattern_background, b.source_foreground = b.pattern_foreground;
  return blt(state, a, b, {.source = source}, data);
}

}  // namespace vitro::blitter
