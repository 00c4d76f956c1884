// The render target messages: from payload to colours and samples, and back when a target is read. PRM: as
// render_target.h.
#include "shared/dataport/render_target.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/half.h"
#include "shared/compare.h"
#include "shared/dataport/call.h"
#include "shared/dataport/colour_payload.h"

namespace vitro::shared {

namespace {

constexpr uint32_t all_ones_word = 0xFFFF;

float float_of(uint32_t v) { return std::bit_cast<float>(v); }

using Parts = ColourPayload;

Parts parts_of(const DataPortCall& c, const PixelContext& pixels) {
  Parts p(c.shape);
  if (c.header() && c.registers() >= 2) {
    const uint32_t bits = c.dword(0, 0);
    p.alpha = bits & Parts::header_alpha, p.omask = bits & Parts::header_omask;
    p.depth = bits & Parts::header_depth, p.stencil = bits & Parts::header_stencil;
  } else if (!p.replicated) {
    p.omask = pixels.gives_omask, p.depth = pixels.gives_depth, p.stencil = pixels.gives_stencil;
  }
  return p;
}

void take_component(const DataPortCall& c, const Parts& p, unsigned reg, PixelOutputs::Component& to) {
  if (!p.half) return c.copy(reg, p.row, to.data());
  std::array<uint16_t, most_message_lanes> halves;
  c.copy(reg, 1, halves.data());
  for (unsigned n = 0; n < p.lanes; ++n) to[n] = std::bit_cast<uint32_t>(half_to_float(halves[n]));
}

void take_colours(const DataPortCall& c, const Parts& p, PixelOutputs& out) {
  for (unsigned n = 0; n < 4; ++n) {
    if (p.replicated)
      out.colour[n].fill(c.dword(p.colour_at(), n));
    else
      take_component(c, p, p.colour_at() + n * p.row, out.colour[n]);
    if (p.dual) take_component(c, p, p.second_at() + n * p.row, out.second[n]);
  }
}

// Lanes that the message is for, of the whole thread.
uint32_t lanes_of(const DataPortCall& c, const Parts& p) {
  uint32_t lanes = c.channels >> p.first_channel(c.exec_size);
  if (c.header()) lanes &= (c.dword(1, 7) & all_ones_word) >> (p.first & 15);
  return (lanes & uint32_t(ones(int(p.lanes)))) << p.first;
}

struct AlphaTest {
  bool enabled;
  unsigned function;
  bool as_unorm8;
  uint32_t reference;

  bool passes(float alpha) const {
    if (!as_unorm8) return compares(function, alpha, float_of(reference));
    const float inside = alpha > 0 ? std::min(alpha, 1.0f) : 0;
    return compares(function, uint32_t(std::lround(inside * 255)), reference & 255);
  }
};

// Samples that alpha lights: as many of all as it is a part of one.
uint32_t covered_by(float alpha, unsigned samples) {
  const float inside = alpha > 0 ? std::min(alpha, 1.0f) : 0;
  return uint32_t(ones(int(std::floor(inside * float(samples) + 0.5f))));
}

// Alpha of pixels that a soft line or point covers in part.
void apply_antialiasing(const PixelThread& t, const Parts& p, PixelOutputs::Component& alpha) {
  if (!t.has_antialiasing) return;
  for (unsigned n = 0; n < p.lanes; ++n)
    alpha[n] = std::bit_cast<uint32_t>(float_of(alpha[n]) * (float(t.antialiasing[p.first + n]) * (1 / 255.0f)));
}

// Takes out samples that the message's outputs turn off.
void apply_outputs(const DataPortCall& c, const PixelContext& pixels, const Parts& p, const PixelOutputs& out,
                   bool floats, LitSamples& lit) {
  floats |= p.alpha;  // which is source 0's, whatever the target
  const AlphaTest test{pixels.blend.alpha_test_enable && floats, pixels.blend.alpha_test_function,
                       pixels.color_calc.alpha_test_format == 0, pixels.color_calc.alpha_reference_value};
  // A shader that gives a mask of samples has seen to its alpha: the hardware then leaves it alone.
  const bool coverage = pixels.alpha_to_coverage && pixels.samples > 1 && floats && !p.omask;
  if (!p.omask && !test.enabled && !coverage) return;
  PixelOutputs::Component alpha = out.colour[3];
  if (p.alpha) {
    take_component(c, p, p.alpha_at(), alpha);
    apply_antialiasing(*pixels.thread, p, alpha);
  }
  std::array<uint16_t, 16> omask{};
  if (p.omask) c.copy(p.omask_at(), 1, omask.data());
  for (unsigned n = 0; n < p.lanes; ++n) {
    uint32_t samples = ~0u;
    if (p.omask) samples &= omask[p.first_mask() + n];
    if (test.enabled && !test.passes(float_of(alpha[n]))) samples = 0;
    if (coverage) samples &= covered_by(float_of(alpha[n]), pixels.samples);
    for (unsigned s = 0; s < pixels.samples; ++s)
      if (!(samples >> s & 1)) lit[s] &= ~(1u << (p.first + n));
  }
}

void run_late_tests(const DataPortCall& c, PixelContext& pixels, const Parts& p, uint32_t lanes, LitSamples& lit) {
  const uint32_t fresh = lanes & ~pixels.thread->tested;
  pixels.thread->tested |= lanes;
  if (!fresh) return;
  std::array<float, most_pixel_lanes> depth;
  std::array<uint8_t, most_pixel_lanes> stencil;
  if (p.depth) c.copy(p.depth_at(), p.depth_row(), depth.data() + p.first);
  if (p.stencil) {
    std::array<uint8_t, eu::reg_bytes> bytes;
    c.copy(p.stencil_at(), 1, bytes.data());
    std::copy_n(bytes.begin(), p.lanes, stencil.begin() + p.first);
  }
  LitSamples tested{}, rest{};
  for (unsigned s = 0; s < pixels.samples; ++s) tested[s] = lit[s] & fresh, rest[s] = lit[s] & ~fresh;
  pixels.late.run(pixels.late.context, pixels, tested, p.depth ? depth.data() : nullptr,
                  p.stencil ? stencil.data() : nullptr);
  for (unsigned s = 0; s < pixels.samples; ++s) {
    lit[s] = tested[s] | rest[s];
    pixels.thread->lit[s] = (pixels.thread->lit[s] & ~lanes) | lit[s];
  }
}

// Pixels all samples of which get a colour are written in eights. They are lit no more.
void write_whole_pixels(code::Routines* routines, TargetSite& site, const PixelContext& pixels, const PixelOutputs& out,
                        LitSamples& lit) {
  uint32_t whole = ~0u;
  for (unsigned s = 0; s < pixels.samples; ++s) whole &= lit[s];
  if (!whole) return;
  site.carry_out(routines, *pixels.thread, out, whole);
  for (unsigned s = 0; s < pixels.samples; ++s) lit[s] &= ~whole;
}

// The only sample that is meant, or below zero.
int sample_of(const DataPortCall& c, const PixelContext& pixels) {
  if (pixels.thread->sample >= 0 || !c.field(isa::FieldRole::per_sample)) return pixels.thread->sample;
  return int(c.header_dword(0) >> 6 & 15);
}

}  // namespace

template <>
eu::Reply act<isa::MessageAction::render_target_write>(DataPortCall& c) {
  if (!c.environment().pixels) return c.fault("sent by a thread that is no pixel shader's");
  PixelContext& pixels = *c.environment().pixels;
  const Parts p = parts_of(c, pixels);
  if (!p.supported()) return c.unsupported("image write");
  if (!c.has(p.end())) return eu::Reply::faulted;
  const RenderTarget& target = c.bound().target(c.memory());
  if (!target.unsupported.empty()) return c.unsupported("{}", target.unsupported);
  const uint32_t lanes = lanes_of(c, p);
  LitSamples lit{};
  for (unsigned s = 0; s < pixels.samples; ++s) lit[s] = pixels.thread->lit[s] & lanes;
  if (const int only = sample_of(c, pixels); only >= 0)
    for (unsigned s = 0; s < pixels.samples; ++s)
      if (int(s) != only) lit[s] = 0;

  PixelOutputs out{.first = p.first, .count = p.lanes, .layer = pixels.thread->layer};
  if (c.header()) out.layer = c.dword(0, 0) >> 16 & 0x7FF;
  take_colours(c, p, out);
  const bool floats = target.is_null() || !target.image.format->integer();
  if (floats) apply_antialiasing(*pixels.thread, p, out.colour[3]);
  apply_outputs(c, pixels, p, out, floats, lit);
  if (pixels.late.run) run_late_tests(c, pixels, p, lanes, lit);
  if (target.is_null()) return c.done();

  const unsigned number = c.header_dword(2) & 7;
  const state::BlendStateEntry& entry = pixels.blend_entries[number];
  if (floats && entry.color_buffer_blend_enable && !entry.logic_op_enable)
    if (const auto [what, code] = reserved_code(blend_key(pixels.blend, entry, *target.image.format)); what)
      return c.unsupported("{} {}", what, code);
  if (floats && pixels.blend.alpha_to_one_enable) {
    out.colour[3].fill(0x3F800000);
    if (p.dual) out.second[3].fill(0x3F800000);
  }
  if (TargetSite& site = c.port.target_site(c.bti(), target, number); site.found) {
    if (target.image.samples == pixels.samples) write_whole_pixels(c.environment().routines, site, pixels, out, lit);
    if (std::all_of(lit.begin(), lit.begin() + pixels.samples, [](uint32_t s) { return s == 0; })) return c.done();
  }
  write_colours_plainly(c.memory(), target, pixels, entry, out, lit);
  return c.done();
}

template <>
eu::Reply act<isa::MessageAction::render_target_read>(DataPortCall& c) {
  if (!c.environment().pixels) return c.fault("sent by a thread that is no pixel shader's");
  const PixelContext& pixels = *c.environment().pixels;
  const unsigned lanes = c.shape.slots, row = lanes / 8, first = c.shape.first_slot;
  if (!c.answers()) return c.done();
  const RenderTarget& target = c.bound().target(c.memory());
  if (!target.unsupported.empty()) return c.unsupported("{}", target.unsupported);
  const int only = sample_of(c, pixels);
  const uint32_t layer = c.header() ? c.dword(0, 0) >> 16 & 0x7FF : pixels.thread->layer;
  for (unsigned n = 0; n < lanes; ++n) {
    if (!(c.channels >> n & 1)) continue;
    formats::Rgba texel{};
    const unsigned x = pixels.thread->x(first + n), y = pixels.thread->y(first + n);
    if (!target.is_null() && x < target.at().width && y < target.at().height) {
      TargetPixel at{c.memory(), target, x, y, target.slice(layer)};
      at.load_code();
      texel = decoded(target, at.load(unsigned(std::max(only, 0)) % target.image.samples));
    }
    for (unsigned k = 0; k < 4; ++k) std::memcpy(c.out(k * row) + 4 * n, &texel[k], 4);
  }
  return c.done();
}

}  // namespace vitro::shared
