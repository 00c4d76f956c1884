// Sampler messages by chance: a sampler state, and the row and descriptor of a message that samples or loads.
#pragma once

#include "shared/image/random_surface_test.h"
#include "shared/sampler/sampler.h"

namespace vitro::shared::test {

inline state::Sampler random_sampler(Chance& chance) {
  static constexpr state::AddressMode modes[] = {state::AddressMode::wrap,        state::AddressMode::mirror,
                                                 state::AddressMode::clamp,       state::AddressMode::clamp_border,
                                                 state::AddressMode::mirror_once, state::AddressMode::half_border,
                                                 state::AddressMode::cube};
  static constexpr state::MipFilter mips[] = {state::MipFilter::none, state::MipFilter::nearest,
                                              state::MipFilter::linear};
  const auto filter = [&] { return chance.one_in(2) ? state::MapFilter::linear : state::MapFilter::nearest; };
  state::Sampler s;
  s.tcx = chance.of(modes), s.tcy = chance.of(modes), s.tcz = chance.of(modes);
  s.min_filter = s.mag_filter = filter();
  if (chance.one_in(4)) s.min_filter = filter();
  s.mip_filter = chance.of(mips);
  s.min_lod_field = chance.one_in(3) ? uint16_t(chance.below(600)) : 0;
  s.max_lod_field = chance.one_in(3) ? uint16_t(chance.below(600)) : 4 << 8;
  s.base_mip_level_field = chance.one_in(3) ? uint8_t(chance.below(6)) : 0;
  s.lod_preclamp = chance.one_in(3) ? 2 : 0;
  s.lod_clamp_magnification = chance.one_in(3);
  if (chance.one_in(4)) s.lod_bias_field = int16_t(int(chance.below(1024)) - 512);
  s.non_normalized = chance.one_in(3);
  s.u_min_rounding = s.u_mag_rounding = chance.one_in(2);
  s.v_min_rounding = s.v_mag_rounding = chance.one_in(2);
  if (chance.one_in(8)) s.u_min_rounding = chance.one_in(2), s.v_mag_rounding = chance.one_in(2);
  s.shadow_function = state::ShadowFunction(chance.below(8));
  s.cube_override = chance.one_in(2);
  if (chance.one_in(4)) s.min_filter = s.mag_filter = state::MapFilter::anisotropic;
  if (chance.one_in(12)) (chance.one_in(2) ? s.min_filter : s.mag_filter) = state::MapFilter::anisotropic;
  s.maximum_anisotropy = uint8_t(chance.below(8));
  return s;
}

// A cube, or several, in place of a 2D surface.
inline void make_cube(Chance& chance, state::Surface& s) {
  if (s.type != state::SurfaceType::two_d) return;
  s.type = state::SurfaceType::cube, s.cube_faces = 63;
  s.width_less_1 = s.height_less_1 = chance.below(chance.one_in(3) ? 4 : 33);
  s.pitch_less_1 = (2 * s.width_less_1 + 2) * formats::find(s.format)->bytes() / 512 * 512 + 512 - 1;
  s.depth_less_1 = s.view_extent_less_1 = uint16_t(s.array ? chance.below(2) : 0);
  s.min_array_element = 0, s.qpitch_field = uint16_t(16 + chance.below(4));
}

// Parameters that lanes have in fours, as pixels have them: each one near the first.
template <class Values>
void make_smooth(Chance& chance, Values&& lanes, float size) {
  const float step = size * std::exp2(float(int32_t(chance.below(12)) - 9));
  for (size_t n = 0; n < lanes.size(); n += 4)
    for (size_t k = 1; k < 4 && n + k < lanes.size(); ++k)
      lanes[n + k] = bits_of(float_of(lanes[n]) + step * (float(chance.below(2000)) / 1000 - 1));
}

// A row that samples or loads.
inline const isa::MessageRow& random_row(Chance& chance, const SamplerEngineLayout& l) {
  const std::span<const isa::MessageRow> rows = l.messages.functions[sampler_sfid].rows;
  for (;;) {
    const isa::MessageRow& row = rows[chance.below(uint32_t(rows.size()))];
    if (row.shape.action == isa::MessageAction::sample || row.shape.action == isa::MessageAction::load) return row;
  }
}

// A surface of several samples, mostly with a control surface, and a row that loads from it; Gen6 has none.
inline state::Surface random_multisampled(Chance& chance, const SamplerEngineLayout& l) {
  state::Surface s = random_surface(chance, false);
  s.type = state::SurfaceType::two_d, s.mip_count = s.min_lod = 0;
  s.log2_samples = uint8_t(1 + chance.below(l.pixel_null_mask ? 4 : 3));  // sixteen on Gen9
  s.width_less_1 = chance.below(16), s.height_less_1 = chance.below(16), s.qpitch_field = 4;
  s.pitch_less_1 = 511;
  if (!chance.one_in(4)) {
    s.aux_mode = state::AuxMode::ccs_d, s.aux_base = texture_base + 0x60000, s.aux_pitch_less_1 = 1;
    s.aux_qpitch_field = 4;
  }
  s.red_clear = chance.below(2), s.alpha_clear = chance.below(2);
  return s;
}
inline const isa::MessageRow& random_sample_row(Chance& chance, const SamplerEngineLayout& l) {
  const std::span<const isa::MessageRow> rows = l.messages.functions[sampler_sfid].rows;
  for (;;) {
    const isa::MessageRow& row = rows[chance.below(uint32_t(rows.size()))];
    if (row.shape.action == isa::MessageAction::load_multisampled || row.shape.action == isa::MessageAction::load_mcs ||
        (row.shape.action == isa::MessageAction::load && row.sampler.position(Parameter::si) >= 0))
      return row;
  }
}
// Its parameters, for so many lanes.
inline std::vector<uint32_t> random_sample_payload(Chance& chance, const isa::MessageRow& row, const state::Surface& s,
                                                   unsigned lanes) {
  std::vector<uint32_t> out;
  for (const Parameter p : row.sampler.parameters) {
    if (p == Parameter::none) break;
    for (unsigned lane = 0; lane < lanes; ++lane) {
      const bool word = p == Parameter::mcs_low || p == Parameter::mcs_high;
      if (word)
        out.push_back(chance.one_in(3) ? ~0u : chance.one_in(3) ? 0 : chance.bits());
      else if (p == Parameter::si)
        out.push_back(random_integer(chance, s.samples()));
      else if (p == Parameter::lod)
        out.push_back(chance.one_in(6) ? chance.below(3) : 0);
      else
        out.push_back(random_integer(chance, 1 + (p == Parameter::u   ? s.width_less_1
                                                  : p == Parameter::v ? s.height_less_1
                                                                      : s.depth_less_1)));
    }
  }
  return out;
}

// A message to surface 1 and the first sampler, for 8 or 16 channels.
inline uint32_t descriptor_of(const SamplerEngineLayout& l, const isa::MessageRow& row, unsigned lanes) {
  const unsigned simd_mode = l.messages.functions[sampler_sfid].type.hi + 1u;
  return 1 | uint32_t(row.match.value) | (lanes == 16 ? 2u : 1u) << simd_mode;
}

}  // namespace vitro::shared::test
