// Which sampler messages are routines, and the frame around those. PRM: as sampler.h.
#include "shared/sampler/site.h"

#include <algorithm>
#include <bit>

#include "lanes/eight.h"
#include "shared/image/samples.h"
#include "shared/sampler/sample.h"

namespace vitro::shared {

namespace {

using state::AddressMode;
using state::MapFilter;

// --- the host's forms

// The kinds of messages, for each of which there is code of its own where it counts.
enum class Routine : uint8_t { load, nearest, linear, choosing, any };

template <class Host, Routine routine>
void run(const SamplerSite& site, const uint32_t* in, uint32_t* out) {
  using D = lanes::Eight<Host>;
  constexpr D d;
  // A copy: what is known of it here, the compiler knows.
  SampleKey key = site.key;
  if constexpr (routine != Routine::any) {
    key.loads = routine == Routine::load, key.chooses = routine == Routine::choosing;
    key.cube = key.seamless = key.compares = 0, key.anisotropic.fill(0);
  }
  if constexpr (routine == Routine::nearest) key.filtering.fill(Filtering::nearest), key.surface.levels = 0;
  if constexpr (routine == Routine::linear) key.filtering.fill(Filtering::linear), key.surface.levels = 0;
  const auto parameter = [&](unsigned n) { return site.needed >> n & 1 ? d.load(in + n * lanes::eight) : d.i(0); };
  const auto answer = SampleLanes<D, routine == Routine::any>{d, key, &site.facts}(
      {parameter(0), parameter(1), parameter(2), parameter(3), parameter(4), parameter(5), parameter(6), parameter(7)});
  for (unsigned n = 0; n < site.channels; ++n) d.store(out + n * lanes::eight, answer[n]);
}
VITRO_PLAIN_VECTORS void run_plain(const SamplerSite& s, const uint32_t* in, uint32_t* out) {
  run<lanes::PlainEight, Routine::any>(s, in, out);
}
template <Routine routine>
VITRO_WIDE_VECTORS void run_wide(const SamplerSite& s, const uint32_t* in, uint32_t* out) {
  run<lanes::WideEight, routine>(s, in, out);
}
constexpr decltype(SamplerSite::run) wide_runs[] = {run_wide<Routine::load>, run_wide<Routine::nearest>,
                                                    run_wide<Routine::linear>, run_wide<Routine::choosing>,
                                                    run_wide<Routine::any>};

// --- which messages are routines

// Where LODs come from, and whether they matter.
void find_levels(SamplerSite& site, const isa::MessageRow& row, const Image& image) {
  SampleKey& k = site.key;
  const bool filters_differ = k.filtering[0] != k.filtering[1] || k.rounded[0] != k.rounded[1];
  k.sends_least = row.sampler.position(Parameter::mlod) >= 0;
  const bool by_lane = filters_differ || k.spreads();
  const bool lod_counts = row.sampler.lod != LodSource::zero && (k.mip != state::MipFilter::none || by_lane);
  if (!lod_counts && !k.sends_least) {
    // All lanes have the same.
    constexpr lanes::One d;
    const auto l =
        SampleArithmetic<lanes::One>{d, k, &site.facts}.choose_levels(site.facts.lod_bias, site.facts.least_lod);
    const bool two = l.weight.v && l.second.v != l.first.v && !image.format->integer();
    k.chooses = two, k.anisotropic.fill(0);
    if (two) return;
    site.facts.last_level = int32_t(l.first.v);
    const size_t which = l.magnified.v;
    k.filtering = {k.filtering[which], k.filtering[which]}, k.rounded = {k.rounded[which], k.rounded[which]};
    return;
  }
  k.chooses = image.level_count > 1 || by_lane;
  if (!k.chooses) {
    k.sends_least = 0, k.anisotropic.fill(0);
    site.facts.last_level = 0;
    return;
  }
  k.lod = row.sampler.lod;
}

bool is_regular(const formats::Format& f) {
  for (unsigned n = 0; n < f.channel_count; ++n) {
    const formats::Channel& c = f.channels[n];
    if (c.component != formats::Component::none && c.kind != formats::Kind::unorm && c.kind != formats::Kind::snorm)
      return false;
  }
  return true;
}

bool find_sample(SamplingEngine& engine, const isa::MessageRow& row, const Image& image, uint64_t sampler_address,
                 SamplerSite& site) {
  const bool gradients = row.sampler.lod == LodSource::gradients;
  if (image.is_buffer() || row.sampler.kills || row.sampler.footprint != Footprint::average) return false;
  if (gradients && (image.is_cube() || row.sampler.compare)) return false;
  const ResolvedSampler& resolved = engine.sampler_at(sampler_address, image.format);
  const state::Sampler& s = resolved.state;
  if (s.disable || s.chroma_key_enable || s.reduction_enable || !obstacle(s).empty()) return false;
  SampleKey& k = site.key;
  apply_sampler(s, image, k, site.facts);
  // Without derivatives, and on lines, anisotropic filters are linear ones.
  const bool linear_only =
      row.sampler.lod == LodSource::zero || row.sampler.lod == LodSource::explicit_ || image.is_1d();
  if (s.min_filter == MapFilter::anisotropic && !linear_only)
    k.anisotropic = {1, uint8_t(s.mag_filter == MapFilter::anisotropic)};
  if (image.is_cube()) {
    k.cube = image.array ? SampleKey::cube_array : SampleKey::one_cube;
    k.seamless = s.cube_override || s.tcx == AddressMode::cube;
    if (k.seamless) k.mode.fill(AddressMode::clamp);
    k.offsets = 0;
    site.facts.cubes = int32_t(image.slices / 6);
  }
  if (row.sampler.compare) {
    k.compares = 1, k.function = s.shadow_function;
    k.clamps_reference = image.format->channels[0].kind == formats::Kind::unorm;
  }
  find_levels(site, row, image);
  // Which level, if there is one only; the rest of the facts follows.
  const auto one_level = unsigned(site.facts.last_level);
  if (!find_surface(*engine.environment.memory, image, k.chooses ? all_levels : one_level, memory::Access::read,
                    k.surface, site.facts))
    return false;
  // The neighbours of a face are as large as it is, and one way serves all lanes.
  if (k.cube && (site.facts.width != site.facts.height || (k.seamless && k.filtering[0] != k.filtering[1])))
    return false;
  const bool linear = k.filtering[0] == Filtering::linear || k.filtering[1] == Filtering::linear;
  k.power_of_2 = {std::has_single_bit(uint32_t(site.facts.width)), std::has_single_bit(uint32_t(site.facts.height))};
  for (size_t n = 0; n < (k.surface.one_dimension ? 1 : 2); ++n) {
    if (k.mode[n] == AddressMode::half_border && k.filtering[0] != k.filtering[1]) return false;
    k.border |= k.mode[n] == AddressMode::clamp_border || (k.mode[n] == AddressMode::half_border && linear);
  }
  k.regular = k.compares || (!k.border && is_regular(*image.format));
  k.flushes = flushes_denormals(engine.layout, *image.format);
  site.facts.outside_r = int32_t(resolved.border[0]), site.facts.outside_g = int32_t(resolved.border[1]);
  site.facts.outside_b = int32_t(resolved.border[2]), site.facts.outside_a = int32_t(resolved.border[3]);
  return true;
}

bool find_load(SamplingEngine& engine, const isa::MessageRow& row, const Image& image, SamplerSite& site) {
  SampleKey& k = site.key;
  k.loads = 1;
  if (row.sampler.position(Parameter::si) >= 0) {
    if (image.samples == 1 || image.interleaved || image.is_buffer() || image.is_1d() || image.is_cube()) return false;
    k.log2_samples = image.log2_samples, k.layers = image.array;
    k.controlled = row.shape.action == isa::MessageAction::load_multisampled && image.mcs_base != 0;
    const formats::Rgba clear = clear_texel(image);
    site.facts.clear_r = int32_t(clear[0]), site.facts.clear_g = int32_t(clear[1]);
    site.facts.clear_b = int32_t(clear[2]), site.facts.clear_a = int32_t(clear[3]);
  }
  k.sends_lod = !image.is_buffer() && row.sampler.position(Parameter::lod) >= 0;
  const formats::Rgba outside = texel_outside(*image.format);
  site.facts.outside_a = int32_t(outside[3]);
  return find_surface(*engine.environment.memory, k.log2_samples ? planes_of(image) : image,
                      k.sends_lod ? all_levels : 0, memory::Access::read, k.surface, site.facts);
}

}  // namespace

namespace {

const std::byte* payload_register(const SamplerRequest& r, unsigned n) {
  const size_t at = size_t(n) * eu::reg_bytes;
  return at < r.payload.size() ? r.payload.data() + at : r.second.data() + (at - r.payload.size());
}

}  // namespace

void apply_sampler(const state::Sampler& s, const Image& image, SampleKey& k, SampleFacts& f) {
  const auto filtering = [&](MapFilter filter) {
    return filter != MapFilter::nearest && !image.format->integer() ? Filtering::linear : Filtering::nearest;
  };
  k.mode = {s.tcx, s.tcy, s.tcz};
  k.rounded = {uint8_t(s.u_min_rounding | s.v_min_rounding << 1 | s.r_min_rounding << 2),
               uint8_t(s.u_mag_rounding | s.v_mag_rounding << 1 | s.r_mag_rounding << 2)};
  k.filtering = {filtering(s.min_filter), filtering(s.mag_filter)};
  k.normalized = !s.non_normalized;
  k.mip = s.mip_filter;
  k.preclamp = s.lod_preclamp != 0, k.clamp_magnified = s.lod_clamp_magnification;
  f.lod_bias = bias_of(s, 0);
  f.min_lod = s.min_lod, f.most_lod = std::max(s.min_lod, s.max_lod), f.base_mip_level = s.base_mip_level;
  f.least_lod = image.resource_min_lod;
  f.anisotropy_square = s.anisotropy() * s.anisotropy();
  f.last_level = image.level_count - 1;
}

void SamplerSite::carry_out(code::Routines* routines, const SamplerRequest& r) {
  using Vector = std::array<uint32_t, lanes::eight>;
  constexpr uint32_t counted = 32;
  if (routine && !routine->asked.load(std::memory_order_relaxed) &&
      runs.fetch_add(1, std::memory_order_relaxed) % counted == 0)
    routines->used(*routine, counted);  // may wait for the code
  const code::RoutineCode code = routine ? routine->code.load(std::memory_order_acquire) : nullptr;
  alignas(Vector) std::array<std::array<Vector, inputs>, 2> in;
  alignas(Vector) std::array<Vector, 4> out;
  const auto registers = unsigned((r.payload.size() + r.second.size()) / eu::reg_bytes);
  // All of the payload at first: the response may be where it came from.
  for (unsigned k = 0; k < inputs; ++k) {
    if (!(needed >> k & 1)) continue;
    const auto at = unsigned(parameter[k]);
    const bool sent = parameter[k] >= 0 && at + eights <= registers;
    for (unsigned g = 0; g < eights; ++g) {
      if (sent)
        std::memcpy(&in[g][k], payload_register(r, at + g), sizeof(Vector));
      else
        in[g][k].fill(0);
    }
  }
  for (unsigned g = 0; g < eights; ++g) {
    if (code)
      code(&facts, in[g][0].data(), out[0].data());
    else
      run(*this, in[g][0].data(), out[0].data());
    const uint32_t slots = r.channels >> g * lanes::eight & 0xFF;
    for (unsigned n = 0; n < channels; ++n) {
      std::byte* to = r.response.data() + size_t(n * eights + g) * eu::reg_bytes;
      if (slots == 0xFF) std::memcpy(to, &out[n], sizeof(Vector));
      for (uint32_t m = slots == 0xFF ? 0 : slots; m; m &= m - 1) {
        const auto lane = unsigned(std::countr_zero(m));
        std::memcpy(to + 4 * lane, &out[n][lane], 4);
      }
    }
  }
}

const void* SamplerSite::vectors() const {
  if (!routine || !suits_code()) return nullptr;
  return routine->code.load(std::memory_order_acquire) ? routine->vectors : nullptr;
}

void find_site(SamplingEngine& engine, SamplerSite& site) {
  const uint32_t desc = site.name.desc, header = site.name.header;
  const isa::DecodedMessage decoded = isa::decode_message(engine.layout.messages, sampler_sfid, desc);
  if (!decoded.row || decoded.shape.reserved_field) return;
  const isa::MessageRow& row = *decoded.row;
  const isa::MessageShape& shape = decoded.shape;
  if (engine.environment.memory->strict() || (header & m0_2_pixel_null_mask) || shape.half) return;
  if (shape.pair() || !shape.has_routine()) return;
  const bool samples = shape.action == isa::MessageAction::sample;
  const bool controls = shape.action == isa::MessageAction::load_mcs;
  const Image& bound = engine.surfaces.of(shape, desc, site.name.ex_desc).image();
  if (bound.is_null() || !bound.unsupported.empty() || bound.data_return_fixed) return;
  if (controls && (bound.mcs_base == 0 || bound.samples == 1 || bound.level_count != 1)) return;
  const Image control = controls ? control_image(bound) : Image{};
  const Image& image = controls ? control : bound;
  site.eights = uint8_t(shape.row_registers());
  const SampleInputs from = sample_inputs(row.sampler);
  for (size_t n = 0; n < from.size(); ++n) {
    const int position = row.sampler.position(from[n]);
    site.parameter[n] = position < 0 ? int8_t(-1) : int8_t(shape.parameter_register(unsigned(position)));
  }
  SampleKey& k = site.key;
  k.source.fill(SampleKey::nothing);
  site.channels = 0;
  for (size_t n = 0; n < 4; ++n) {
    if ((header >> m0_2_masks >> n & 1) || (site.channels + 1u) * site.eights > site.name.room) continue;
    const auto select = uint8_t(image.selects[n]);
    k.source[site.channels++] = select >= 4 ? uint8_t(select - 4) : select == 1 ? SampleKey::one : SampleKey::zero;
  }
  site.facts.offset_u = eu::signed_field(header, m0_2_u), site.facts.offset_v = eu::signed_field(header, m0_2_v);
  k.offsets = site.facts.offset_u || site.facts.offset_v;
  const uint64_t sampler = engine.sampler_address(row, desc, site.name.sampler_table);
  if (!(samples ? find_sample(engine, row, image, sampler, site) : find_load(engine, row, image, site))) return;
  const bool slice_is_v = k.surface.one_dimension;
  const bool gradients = k.lod == LodSource::gradients;
  const bool sends_lod = k.sends_lod || k.lod == LodSource::explicit_ || k.lod == LodSource::biased || gradients;
  const bool layers = k.cube == SampleKey::cube_array;
  site.needed =
      uint8_t(1 | (!slice_is_v || k.surface.layered) << 1 | (!slice_is_v && k.surface.layered) << 2 | sends_lod << 3 |
              k.sends_least << 4 | (gradients || layers) << 5 | (gradients || k.compares) << 6 | gradients << 7);
  if (k.log2_samples) site.needed |= uint8_t(1 << 4 | k.controlled << 5 | k.controlled << 6);
  const Routine routine = k.cube || k.compares || k.anisotropic[0] ? Routine::any
                          : k.loads                                ? Routine::load
                          : k.chooses                              ? Routine::choosing
                          : k.filtering[0] == Filtering::nearest   ? Routine::nearest
                                                                   : Routine::linear;
  site.run = lanes::host_has_wide_vectors() ? wide_runs[size_t(routine)] : run_plain;
  if (engine.environment.routines)
    site.routine = engine.environment.routines->find(std::as_bytes(std::span(&site.key, 1)));
}

}  // namespace vitro::shared
