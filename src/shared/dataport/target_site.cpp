// Finding sites of render targets, and the host's form of their routines. PRM: as render_target.h.
#include "shared/dataport/target_site.h"

#include "lanes/eight.h"

namespace vitro::shared {

namespace {

template <class Host>
void write(const TargetSite& site, const PixelThread& thread, const PixelOutputs& out, unsigned first, uint32_t lit) {
  using D = lanes::Eight<Host>;
  using I = typename D::I;
  constexpr D d{};
  const PixelThread::Subspan* const s = &thread.subspans[(out.first + first) / lanes_of_subspan];
  const I x = d.by_lane({0, 1, 0, 1, 0, 1, 0, 1}) +
              I(lanes::Ints8{s[0].x, s[0].x, s[0].x, s[0].x, s[1].x, s[1].x, s[1].x, s[1].x});
  const I y = d.by_lane({0, 0, 1, 1, 0, 0, 1, 1}) +
              I(lanes::Ints8{s[0].y, s[0].y, s[0].y, s[0].y, s[1].y, s[1].y, s[1].y, s[1].y});
  typename TargetLanes<D>::Components colour, second;
  for (size_t c = 0; c < 4; ++c) colour[c] = d.load(&out.colour[c][first]), second[c] = d.load(&out.second[c][first]);
  TargetLanes<D>{d, site.key, &site.facts}(x, y, d.i(int32_t(out.layer)), d.mask(lit), colour, second);
}
VITRO_PLAIN_VECTORS void write_plain(const TargetSite& s, const PixelThread& t, const PixelOutputs& o, unsigned first,
                                     uint32_t lit) {
  write<lanes::PlainEight>(s, t, o, first, lit);
}
VITRO_WIDE_VECTORS void write_wide(const TargetSite& s, const PixelThread& t, const PixelOutputs& o, unsigned first,
                                   uint32_t lit) {
  write<lanes::WideEight>(s, t, o, first, lit);
}

}  // namespace

TargetSiteName target_site_name(unsigned bti, const RenderTarget& target, const ColourState& state, unsigned entry) {
  const state::BlendStateEntry& e = state.blend_entries[entry];
  const state::ColorCalcState& cc = state.color_calc;
  TargetSiteName n{.bti = bti, .blend = blend_key(state.blend, e, *target.image.format)};
  if (e.logic_op_enable && target.logic) n.logic = uint8_t((e.logic_op_function & 15) + 1);
  const bool off[] = {e.write_disable_red, e.write_disable_green, e.write_disable_blue, e.write_disable_alpha};
  for (unsigned c = 0; c < 4; ++c)
    if (off[c]) n.channels &= uint8_t(~(1u << c));
  n.constant = {cc.blend_constant_color_red, cc.blend_constant_color_green, cc.blend_constant_color_blue,
                cc.blend_constant_color_alpha};
  return n;
}

void TargetSite::find(const RenderTarget& target, const TargetSiteName& name, code::Routines* routines) {
  key.log2_samples = target.image.log2_samples;
  key.surface = target.key, key.blend = name.blend, key.channels = name.channels, key.logic = name.logic;
  found = target.in_lanes && key.in_lanes();
  if (!found) return;
  static_cast<SurfaceFacts&>(facts) = target.facts;
  facts.constant_r = name.constant[0], facts.constant_g = name.constant[1];
  facts.constant_b = name.constant[2], facts.constant_a = name.constant[3];
  facts.layers = int32_t(target.slices);
  if (target.control) {
    const Image& image = target.image;
    facts.control = target.control;
    facts.control_pitch = int32_t(image.mcs_pitch << memory::tile_layout(memory::Tiling::y).log2_height);
    facts.control_y = int32_t(image.first_slice * image.mcs_qpitch), facts.control_step = int32_t(image.mcs_qpitch);
    const TexelBits clear = clear_bits(target);
    facts.clear_0 = int32_t(clear[0]), facts.clear_1 = int32_t(clear[0] >> 32);
    facts.clear_2 = int32_t(clear[1]), facts.clear_3 = int32_t(clear[1] >> 32);
  }
  if (routines) routine = routines->find(std::as_bytes(std::span(&key, 1)));
}

void TargetSite::carry_out(code::Routines* routines, const PixelThread& thread, const PixelOutputs& out, uint32_t lit) {
  static const auto run = lanes::host_has_wide_vectors() ? write_wide : write_plain;
  for (unsigned first = 0; first < out.count; first += 8)
    if (const uint32_t some = lit >> (out.first + first) & 0xFF) run(*this, thread, out, first, some);
  constexpr uint32_t counted = 32;
  if (routine && routines && !routine->asked.load(std::memory_order_relaxed) &&
      runs.fetch_add(1, std::memory_order_relaxed) % counted == 0)
    routines->used(*routine, counted);  // may wait for the code
}

const void* TargetSite::vectors() const {
  return routine && routine->code.load(std::memory_order_acquire) ? routine->vectors : nullptr;
}

}  // namespace vitro::shared
