// Sampler messages as wholes: which are, and the loops over their lanes. PRM: as sampler.h, coordinates.h and
// level.cpp, whose arithmetic stands here a second time, for eight lanes at once.
#include "shared/sampler/whole.h"

#include <algorithm>

#include "shared/sampler/coordinates.h"
#include "shared/sampler/sample.h"

namespace vitro::shared {

namespace {

using formats::Rgba;
using state::AddressMode;

// --- one axis

// to_fixed() of eight coordinates.
inline void fixed_of(const AxisRule& a, const Floats8& coordinate, Integers8& fixed) {
  Floats8 x = coordinate * a.scale;
  if (a.confined) x = x < 0.0f ? Floats8{} : x > a.size ? Floats8{} + a.size : x;
  const Floats8 scaled = x * fraction_one + a.rounding, most = Floats8{} + 0x1p30f;
  Floats8 s = scaled < most ? scaled : most;
  s = s > -most ? s : -most;
  fixed = __builtin_convertvector(s, Integers8);
  fixed += __builtin_convertvector(fixed, Floats8) > s;
  fixed &= scaled == scaled;
}

// The remainder of i, which has no more than 24 bits: the quotient is found in floats and one off at most.
inline void remainder_of(const AxisRule& a, const Integers8& i, Integers8& m) {
  const Integers8 q = __builtin_convertvector(__builtin_convertvector(i, Floats8) * a.by_period, Integers8);
  m = i - q * a.period;
  m += (m < 0) & a.period;
  m += (m < 0) & a.period;
  m -= (m >= a.period) & a.period;
}

// address_texel() of eight; `outside` is all ones at the border.
inline void address(const AxisRule& a, const Integers8& i, Integers8& texel, Integers8& outside) {
  const Integers8 last = Integers8{} + (a.texels - 1);
  switch (a.mode) {
    case AxisRule::Mode::wrap: remainder_of(a, i, texel); return;
    case AxisRule::Mode::mirror:
      remainder_of(a, i, texel);
      texel = texel > last ? a.period - 1 - texel : texel;
      return;
    case AxisRule::Mode::mirror_once:
      texel = i < 0 ? -1 - i : i;
      texel = texel > last ? last : texel;
      return;
    case AxisRule::Mode::border: {
      const Integers8 out = (i < 0) | (i > last);
      outside |= out;
      texel = i & ~out;
      return;
    }
    case AxisRule::Mode::clamp:
    default:
      texel = i < 0 ? Integers8{} : i;
      texel = texel > last ? last : texel;
      return;
  }
}

// --- payload and response

inline const std::byte* payload_register(const SamplerRequest& r, unsigned n) {
  const size_t at = size_t(n) * eu::reg_bytes;
  return at < r.payload.size() ? r.payload.data() + at : r.second.data() + (at - r.payload.size());
}
// Eight lanes of a parameter; zeros if it was not sent.
template <class Vector>
void get_parameter(const WholeMessage& w, const SamplerRequest& r, unsigned which, unsigned group, Vector& v) {
  v = Vector{};
  const int n = w.parameter[which];
  const auto registers = unsigned((r.payload.size() + r.second.size()) / eu::reg_bytes);
  if (n >= 0 && w.first + unsigned(n + 1) * w.eights <= registers)
    get_eight(v, payload_register(r, w.first + unsigned(n) * w.eights + group));
}

struct Answer {
  unsigned channels;  // that the response has room for
  unsigned wanted;    // components of the texel
  Answer(const WholeMessage& w, const SamplerRequest& r)
      : channels(std::min(unsigned(r.response.size() / eu::reg_bytes) / w.eights, unsigned(w.channels))), wanted(0) {
    for (unsigned n = 0; n < channels; ++n)
      if (w.source[n] >= 0) wanted |= 1u << w.source[n];
  }
};
inline void respond(const WholeMessage& w, const SamplerRequest& r, const Answer& answer, unsigned group,
                    const Bits8 (&texel)[4]) {
  const uint32_t slots = r.channels >> group * eight & 0xFF;
  for (unsigned n = 0; n < answer.channels; ++n) {
    std::byte* to = r.response.data() + size_t(n * w.eights + group) * eu::reg_bytes;
    const int source = w.source[n];
    put_slots(to, slots, source >= 0 ? texel[source] : Bits8{} + w.constant[n]);
  }
}

// --- sample

// drop_denormals() of eight.
inline void drop_denormals(unsigned wanted, Bits8 (&texel)[4]) {
  for (unsigned n = 0; n < 4; ++n)
    if (wanted >> n & 1) texel[n] &= Bits8((texel[n] & 0x7F800000u) != 0u) | 0x80000000u;
}

// layer_of() of eight.
inline void layers_of(const Plane& p, const Floats8& index, Integers8& slice) {
  const Floats8 most = Floats8{} + float(p.slices - 1);
  const Floats8 at_least = index > 0.0f ? index : Floats8{}, s = at_least > most ? most : at_least;
  slice = Integers8(Bits8(s + 0x1p23f) & 0x7FFFFFu);  // rounds to nearest even
}

// The coordinates of all lanes: the response may be where they came from.
struct Coordinates {
  Floats8 u[2], v[2], layer[2];
};

inline void get_coordinates(const WholeMessage& w, const SamplerRequest& r, Coordinates& c) {
  for (unsigned g = 0; g < w.eights; ++g) {
    get_parameter(w, r, 0, g, c.u[g]);
    if (!w.one_dimension) get_parameter(w, r, 1, g, c.v[g]);
    if (w.plane.layered) get_parameter(w, r, 2, g, c.layer[g]);
  }
}

inline void sample_nearest(const WholeMessage& w, const SamplerRequest& r) {
  const Answer answer(w, r);
  Coordinates c;
  get_coordinates(w, r, c);
  for (unsigned g = 0; g < w.eights; ++g) {
    Integers8 x, y{}, slice{}, outside{}, places;
    fixed_of(w.axes[0], c.u[g], x);
    address(w.axes[0], (x >> fraction_bits) + w.axes[0].offset, x, outside);
    if (!w.one_dimension) {
      fixed_of(w.axes[1], c.v[g], y);
      address(w.axes[1], (y >> fraction_bits) + w.axes[1].offset, y, outside);
    }
    if (w.plane.layered) layers_of(w.plane, c.layer[g], slice);
    places_of(w.plane, x, y, slice, places);
    Bits8 texel[4];
    take_texels(w.plane, w.rules, answer.wanted, places, outside, w.outside, texel);
    if (w.flushes) drop_denormals(answer.wanted, texel);
    respond(w, r, answer, g, texel);
  }
}

// One axis of a footprint: two texels, whether they are outside, and the second one's weight.
struct Pair {
  Integers8 texel[2], outside[2], weight;
};
inline void pair_of(const AxisRule& a, const Floats8& coordinate, Pair& p) {
  Integers8 fixed;
  fixed_of(a, coordinate, fixed);
  fixed -= 1 << (fraction_bits - 1);
  p.weight = fixed & ((1 << fraction_bits) - 1);
  p.outside[0] = p.outside[1] = Integers8{};
  const Integers8 i = (fixed >> fraction_bits) + a.offset;
  address(a, i, p.texel[0], p.outside[0]);
  address(a, i + 1, p.texel[1], p.outside[1]);
}
inline void mix(const Bits8& a, const Bits8& b, const Integers8& weight, Bits8& out) {
  const Floats8 x = Floats8(a), y = Floats8(b);
  const Floats8 sum = x + (y - x) * (__builtin_convertvector(weight, Floats8) / fraction_one);
  out = weight == 0 ? a : Bits8(sum);
}

inline void sample_linear(const WholeMessage& w, const SamplerRequest& r) {
  const Answer answer(w, r);
  Coordinates c;
  get_coordinates(w, r, c);
  for (unsigned g = 0; g < w.eights; ++g) {
    Pair x, y{};
    Integers8 slice{}, places;
    pair_of(w.axes[0], c.u[g], x);
    if (!w.one_dimension) pair_of(w.axes[1], c.v[g], y);
    if (w.plane.layered) layers_of(w.plane, c.layer[g], slice);
    Bits8 rows[2][4], left[4], right[4];
    for (unsigned j = 0; j < (w.one_dimension ? 1u : 2u); ++j) {
      places_of(w.plane, x.texel[0], y.texel[j], slice, places);
      take_texels(w.plane, w.rules, answer.wanted, places, x.outside[0] | y.outside[j], w.outside, left);
      places_of(w.plane, x.texel[1], y.texel[j], slice, places);
      take_texels(w.plane, w.rules, answer.wanted, places, x.outside[1] | y.outside[j], w.outside, right);
      if (w.flushes) drop_denormals(answer.wanted, left), drop_denormals(answer.wanted, right);
      for (unsigned n = 0; n < 4; ++n)
        if (answer.wanted >> n & 1) mix(left[n], right[n], x.weight, rows[j][n]);
    }
    for (unsigned n = 0; n < 4 && !w.one_dimension; ++n)
      if (answer.wanted >> n & 1) mix(rows[0][n], rows[1][n], y.weight, rows[0][n]);
    if (w.flushes) drop_denormals(answer.wanted, rows[0]);
    respond(w, r, answer, g, rows[0]);
  }
}

// --- ld

inline void load_texels(const WholeMessage& w, const SamplerRequest& r) {
  const Answer answer(w, r);
  Bits8 u[2], v[2], slice[2], lod[2];
  for (unsigned g = 0; g < w.eights; ++g) {
    get_parameter(w, r, 0, g, u[g]);
    get_parameter(w, r, 1, g, v[g]);
    get_parameter(w, r, 2, g, slice[g]);
    get_parameter(w, r, 3, g, lod[g]);
    u[g] += uint32_t(w.axes[0].offset), v[g] += uint32_t(w.axes[1].offset);
  }
  for (unsigned g = 0; g < w.eights; ++g) {
    Integers8 places;
    const Integers8 outside =
        (u[g] >= w.plane.width) | (v[g] >= w.plane.height) | (slice[g] >= w.plane.slices) | (lod[g] != 0);
    const Bits8 inside = ~Bits8(outside);
    places_of(w.plane, Integers8(u[g] & inside), Integers8(v[g] & inside), Integers8(slice[g] & inside), places);
    Bits8 texel[4];
    take_texels(w.plane, w.rules, answer.wanted, places, outside, w.outside, texel);
    respond(w, r, answer, g, texel);
  }
}

VITRO_PLAIN_VECTORS void plain_nearest(const WholeMessage& w, const SamplerRequest& r) { sample_nearest(w, r); }
VITRO_PLAIN_VECTORS void plain_linear(const WholeMessage& w, const SamplerRequest& r) { sample_linear(w, r); }
VITRO_PLAIN_VECTORS void plain_load(const WholeMessage& w, const SamplerRequest& r) { load_texels(w, r); }
VITRO_WIDE_VECTORS void wide_nearest(const WholeMessage& w, const SamplerRequest& r) { sample_nearest(w, r); }
VITRO_WIDE_VECTORS void wide_linear(const WholeMessage& w, const SamplerRequest& r) { sample_linear(w, r); }
VITRO_WIDE_VECTORS void wide_load(const WholeMessage& w, const SamplerRequest& r) { load_texels(w, r); }

// --- which messages are wholes

int8_t position_of(const isa::MessageRow& row, Parameter p) {
  for (size_t n = 0; n < row.sampler.parameters.size(); ++n)
    if (row.sampler.parameters[n] == p) return int8_t(n);
  return -1;
}

void set_axis(AxisRule& a, const state::Sampler& s, AddressMode mode, uint32_t texels, bool linear, bool rounded) {
  a = {.scale = s.non_normalized ? 1.0f : float(texels),
       .rounding = rounded ? 0.5f : 0.0f,
       .size = float(texels),
       .offset = a.offset,
       .texels = int32_t(texels),
       .period = int32_t(texels)};
  switch (mode) {
    case AddressMode::wrap: a.mode = AxisRule::Mode::wrap; break;
    case AddressMode::mirror: a.mode = AxisRule::Mode::mirror, a.period *= 2; break;
    case AddressMode::mirror_once: a.mode = AxisRule::Mode::mirror_once; break;
    case AddressMode::clamp_border: a.mode = AxisRule::Mode::border; break;
    case AddressMode::half_border: {
      a.confined = true;
      if (linear) a.mode = AxisRule::Mode::border;
      break;
    }
    case AddressMode::clamp:
    case AddressMode::cube: break;
  }
  a.by_period = 1.0f / float(a.period);
}

// The level all lanes read, and by which filter; false: they may differ.
struct OneLevel {
  unsigned level = 0;
  bool linear = false, magnified = false;
};
bool find_level(const isa::MessageRow& row, const Image& image, const state::Sampler& s, OneLevel& out) {
  const bool integers = image.format->integer();
  const bool min_linear = !integers && s.min_filter == state::MapFilter::linear;
  const bool mag_linear = !integers && s.mag_filter == state::MapFilter::linear;
  if (row.sampler.lod == LodSource::zero && position_of(row, Parameter::mlod) < 0) {
    const LevelChoice c = choose_levels(image, s, bias_of(s, 0), image.resource_min_lod);
    out = {c.first, c.magnified ? mag_linear : min_linear, c.magnified};
    return c.weight == 0 || c.second == c.first || integers;
  }
  // Of a surface with one level, only the filter depends on the LOD.
  out = {0, mag_linear, true};
  return image.level_count == 1 && min_linear == mag_linear && s.u_min_rounding == s.u_mag_rounding &&
         s.v_min_rounding == s.v_mag_rounding;
}

bool find_sample(SamplingEngine& engine, const isa::MessageRow& row, const Image& image, uint64_t sampler_address,
                 WholeMessage& w) {
  if (image.is_cube() || image.is_buffer() || row.sampler.compare || row.sampler.footprint != Footprint::average)
    return false;
  const ResolvedSampler& resolved = engine.sampler_at(sampler_address, image.format);
  const state::Sampler& s = resolved.state;
  const auto common = [](state::MapFilter f) {
    return f == state::MapFilter::nearest || f == state::MapFilter::linear;
  };
  if (s.disable || s.chroma_key_enable || s.reduction_enable || !common(s.min_filter) || !common(s.mag_filter))
    return false;
  OneLevel one;
  if (!find_level(row, image, s, one)) return false;
  w.plane = find_plane(*engine.environment.memory, image, one.level, memory::Access::read);
  if (!w.plane.host) return false;
  w.outside = resolved.border;
  w.flushes = flushes_denormals(engine.layout, *image.format);
  set_axis(w.axes[0], s, s.tcx, w.plane.width, one.linear, one.magnified ? s.u_mag_rounding : s.u_min_rounding);
  set_axis(w.axes[1], s, s.tcy, w.plane.height, one.linear, one.magnified ? s.v_mag_rounding : s.v_min_rounding);
  const bool wide = lanes::host_has_wide_vectors();
  w.run = one.linear ? (wide ? wide_linear : plain_linear) : (wide ? wide_nearest : plain_nearest);
  return true;
}

bool find_load(SamplingEngine& engine, const isa::MessageRow& row, const Image& image, WholeMessage& w) {
  w.parameter[3] = image.is_buffer() ? int8_t{-1} : position_of(row, Parameter::lod);
  if (image.level_count > 1 && w.parameter[3] >= 0) return false;
  if (position_of(row, Parameter::si) >= 0) return false;
  w.plane = find_plane(*engine.environment.memory, image, 0, memory::Access::read);
  w.outside = texel_outside(*image.format);
  w.run = lanes::host_has_wide_vectors() ? wide_load : plain_load;
  return w.plane.host != nullptr;
}

}  // namespace

void find_whole_message(SamplingEngine& engine, WholeMessage& w) {
  const SamplerEngineLayout& layout = engine.layout;
  const uint32_t desc = w.key.desc, header = w.key.header;
  const isa::DecodedMessage decoded = isa::decode_message(layout.messages, sampler_sfid, desc);
  w.run = nullptr;
  w.flushes = false;
  if (!decoded.row || decoded.shape.reserved_field) return;
  const isa::MessageRow& row = *decoded.row;
  const auto field = [&](isa::FieldRole role) { return isa::field_of(row, role, desc); };
  if (engine.environment.memory->strict() || (header & m0_2_pixel_null_mask) || field(isa::FieldRole::half_return))
    return;
  const auto simd = SamplerSimd(field(isa::FieldRole::simd_mode));
  if (simd != SamplerSimd::simd8 && simd != SamplerSimd::simd16) return;
  const bool samples = row.shape.action == isa::MessageAction::sample;
  const bool loads = row.shape.action == isa::MessageAction::load;
  if (!samples && !loads) return;
  const Image& image = engine.image_of(decoded.shape, desc, w.key.ex_desc);
  if (image.is_null() || !image.unsupported.empty() || image.data_return_fixed) return;
  w.first = desc & header_present ? 1 : 0;
  w.eights = simd == SamplerSimd::simd16 ? 2 : 1;
  w.one_dimension = image.is_1d() || image.is_buffer();
  w.rules = rules_of(*image.format);
  const bool layered = !image.is_buffer() && (image.array || image.is_cube());
  w.parameter = {position_of(row, Parameter::u), w.one_dimension ? int8_t{-1} : position_of(row, Parameter::v),
                 layered ? position_of(row, image.is_1d() ? Parameter::v : Parameter::r) : int8_t{-1}, -1};
  w.channels = 0;
  for (size_t n = 0; n < 4; ++n) {
    if (header >> m0_2_masks >> n & 1) continue;
    const auto select = size_t(image.selects[n]);
    w.source[w.channels] = select >= 4 ? int8_t(select - 4) : int8_t{-1};
    w.constant[w.channels++] = select == 1 ? image.format->one() : 0;
  }
  w.axes[0].offset = signed_nibble(header, 8);
  w.axes[1].offset = w.one_dimension ? 0 : signed_nibble(header, 4);
  const uint64_t sampler = engine.sampler_address(row, desc, w.key.sampler_table);
  if (!(samples ? find_sample(engine, row, image, sampler, w) : find_load(engine, row, image, w))) w.run = nullptr;
}

}  // namespace vitro::shared
