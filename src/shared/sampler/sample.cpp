// sample and all its variants, gather4, and the LOD query. PRM: Gen8 vol 7 "Message Types"; where the LOD comes from
// and whether texels are compared is in the message's row. Derivatives are differences in the subspan of four lanes,
// which may be disabled ones, whatever thread sends the message: the engine does not know its stage, and Mesa's drivers
// rely on that for derivatives in compute shaders. Others that have no neighbours send a LOD. The sampler's bias adds
// to every LOD, a sent one included, as Vulkan's samplers need it.
#include "shared/sampler/sample.h"

#include <algorithm>
#include <cmath>

#include "shared/sampler/cube.h"

namespace vitro::shared {

namespace {

using enum Parameter;
using formats::Rgba;

constexpr Parameter coordinates[] = {u, v, r};

std::array<float, 3> vector_of(const SamplerCall& c, unsigned lane) {
  return {c.number(u, lane), c.number(v, lane), c.number(r, lane)};
}

// The differences along the subspan's top row and left column, or what the message brings.
Gradients gradients_of(const SamplerCall& c, unsigned lane) {
  Gradients g;
  if (c.row.sampler.lod == LodSource::gradients) {
    g.dx = {c.number(dudx, lane), c.number(dvdx, lane), c.number(drdx, lane)};
    g.dy = {c.number(dudy, lane), c.number(dvdy, lane), c.number(drdy, lane)};
  } else {
    const unsigned first = lane & ~3u;
    for (unsigned n = 0; n < 3; ++n) {
      const float here = c.number(coordinates[n], first);
      g.dx[n] = c.number(coordinates[n], first + 1) - here;
      g.dy[n] = c.number(coordinates[n], first + 2) - here;
    }
  }
  return g;
}

// The LOD with its bias, and what an anisotropic filter looks at.
Probes probes_of(const SamplerCall& c, const Sampling& s, unsigned lane) {
  const float bias_sent = c.row.sampler.lod == LodSource::biased ? c.number(bias, lane) : 0;
  Probes p;
  const bool derives =
      c.row.sampler.lod == LodSource::gradients || (c.subspans && (c.row.sampler.lod == LodSource::implicit ||  //
                                                                   c.row.sampler.lod == LodSource::biased));
  if (derives) {
    const Gradients g = gradients_of(c, lane);
    const PixelSides sides = c.image.is_cube() ? cube_sides_of(c.image, vector_of(c, lane), g)
                                               : sides_of(c.image, !s.sampler.non_normalized, g);
    // Lines have no sides to compare, and volumes are filtered alike in all directions.
    if (s.sampler.min_filter == state::MapFilter::anisotropic && !c.image.is_1d() && !c.image.is_3d())
      p = probes_of(s, sides);
    else
      p.lod = lod_of(s, sides);
  } else if (c.row.sampler.lod == LodSource::explicit_) {
    p.lod = c.number(lod, lane);
  }
  p.lod += bias_of(s.sampler, bias_sent);
  return p;
}

float least_lod(const SamplerCall& c, unsigned lane) {
  return std::max(c.image.resource_min_lod, c.has(mlod) ? c.number(mlod, lane) : 0);
}

uint32_t layer_of(const Image& image, float index, uint32_t count) {
  if (!image.array || !(index > 0)) return 0;
  return uint32_t(std::min(std::nearbyint(index), float(count - 1)));
}

Point point_of(const SamplerCall& c, unsigned lane) {
  const Image& image = c.image;
  Point p{.u = c.number(u, lane), .v = c.number(v, lane), .r = c.number(r, lane), .ref = c.number(ref, lane)};
  if (image.is_cube()) {
    const FacePoint f = face_point(p.u, p.v, p.r);
    p.u = (f.s + 1) / 2, p.v = (f.t + 1) / 2, p.face = f.face;
    p.slice = layer_of(image, c.number(ai, lane), image.slices / 6) * 6 + f.face;
  } else if (image.is_1d()) {
    p.slice = layer_of(image, p.v, image.slices);
  } else if (!image.is_3d()) {
    p.slice = layer_of(image, p.r, image.slices);
  }
  return p;
}

Sampling sampling_of(const SamplerCall& c, const ResolvedSampler& s) {
  Sampling out{.memory = c.memory(), .image = c.image, .sampler = s.state, .border = s.border};
  out.compare = c.row.sampler.compare;
  out.flushes = flushes_denormals(c.engine.layout, *c.image.format);
  out.footprint = c.row.sampler.footprint;
  // Only one message can tell of killed pixels.
  if (s.state.chroma_key_enable && (s.state.chroma_key_mode || c.row.sampler.kills))
    out.chroma_key = &c.engine.environment.chroma_keys[s.state.chroma_key_index & 3];
  if (s.state.reduction_enable && s.state.reduction == state::Reduction::minimum) out.footprint = Footprint::minimum;
  if (s.state.reduction_enable && s.state.reduction == state::Reduction::maximum) out.footprint = Footprint::maximum;
  const state::Sampler& f = s.state;
  apply_sampler(f, c.image, out.key, out.facts);
  out.seamless = c.image.is_cube() && (f.cube_override || f.tcx == state::AddressMode::cube);
  if (out.seamless) out.key.mode.fill(state::AddressMode::clamp);
  out.key.offsets = !c.image.is_cube();
  out.facts.offset_u = c.offsets[0], out.facts.offset_v = c.offsets[1], out.facts.offset_r = c.offsets[2];
  return out;
}

// Why a surface cannot be sampled; empty if it can.
std::string_view obstacle(const SamplerCall& c) {
  if (!c.image.unsupported.empty()) return c.image.unsupported;
  if (c.image.is_buffer()) return "sampling a buffer";
  if (c.image.samples > 1) return "sampling a multisampled surface";
  return {};
}

Rgba blend(const Sampling& s, const Rgba& a, const Rgba& b, uint32_t weight) {
  Rgba out;
  for (size_t n = 0; n < 4; ++n)
    out[n] = std::bit_cast<uint32_t>(reduce(s, std::bit_cast<float>(a[n]), std::bit_cast<float>(b[n]), weight));
  return out;
}

// All probes together: their mean, or the least or largest of them.
template <class Around>
Rgba filter_probes(const Sampling& s, const Point& p, const Probes& probes, Around&& around) {
  std::array<float, 4> all{};
  for (unsigned k = 0; k < probes.count; ++k) {
    const Rgba one = around(probe_at(s, p, probes, k));
    for (size_t n = 0; n < 4; ++n) {
      const auto v = std::bit_cast<float>(one[n]);
      all[n] = k == 0 ? v : s.footprint == Footprint::average ? all[n] + v : reduce(s, all[n], v, 128);
    }
  }
  Rgba out;
  for (size_t n = 0; n < 4; ++n)
    out[n] = std::bit_cast<uint32_t>(s.footprint == Footprint::average ? all[n] / float(probes.count) : all[n]);
  return out;
}

}  // namespace

std::string_view obstacle(const state::Sampler& s) {
  using state::AddressMode, state::MapFilter;
  for (const MapFilter f : {s.min_filter, s.mag_filter}) {
    if (f == MapFilter::mono) return "MAPFILTER_MONO";
    if (f > MapFilter::anisotropic) return "a reserved map mode filter";
  }
  constexpr auto reserved_mip = state::MipFilter(2);
  if (s.mip_filter == reserved_mip) return "a reserved mip mode filter";
  for (const AddressMode m : {s.tcx, s.tcy, s.tcz}) {
    if (m > AddressMode::half_border) return "a reserved address control mode";
    if (s.border_mode_dx9 && (m == AddressMode::clamp_border || m == AddressMode::half_border))
      return "border colours of DX9";
  }
  return {};
}

template <>
eu::Reply act<isa::MessageAction::sample>(SamplerCall& c) {
  if (c.image.is_null()) return eu::Reply::done;
  if (const std::string_view why = obstacle(c); !why.empty()) return c.unsupported("{}", why);
  const ResolvedSampler& resolved = c.engine.sampler_at(c.sampler_address, c.image.format);
  const state::Sampler& s = resolved.state;
  if (s.disable) return eu::Reply::done;
  if (const std::string_view why = obstacle(s); !why.empty()) return c.unsupported("{}", why);
  Sampling sampling = sampling_of(c, resolved);
  bool killed = false;
  if (c.row.sampler.kills && !s.chroma_key_mode) sampling.killed = &killed;
  // A LOD that nothing sends is the same for all lanes.
  const bool common = c.row.sampler.lod == LodSource::zero && !c.has(mlod);
  LevelChoice levels = choose_levels(sampling, common ? bias_of(s, 0) : 0, c.image.resource_min_lod);
  c.each_lane([&](unsigned lane) {
    Probes probes;
    if (!common) {
      probes = probes_of(c, sampling, lane);
      levels = choose_levels(sampling, probes.lod, least_lod(c, lane));
    }
    const Point p = point_of(c, lane);
    const bool linear = sampling.key.filtering[levels.magnified] == Filtering::linear;
    const bool spread =
        linear && (levels.magnified ? s.mag_filter : s.min_filter) == state::MapFilter::anisotropic && probes.count > 1;
    const auto around = [&](const Point& q) {
      const auto at = [&](unsigned level) {
        if (!linear) return fetch_nearest(sampling, c.image.level(level), q, levels.magnified);
        return filter(sampling, fetch_footprint(sampling, c.image.level(level), q, levels.magnified));
      };
      const Rgba texel = at(levels.first);
      if (!levels.weight || levels.second == levels.first || c.image.format->integer()) return texel;
      return blend(sampling, texel, at(levels.second), levels.weight);
    };
    killed = false;
    Rgba texel = spread ? filter_probes(sampling, p, probes, around) : around(p);
    if (sampling.flushes) drop_denormals(sampling, texel);
    c.answer(lane, select_channels(c.image, texel));
    if (killed) c.killed |= 1u << lane;
  });
  return eu::Reply::done;
}

template <>
eu::Reply act<isa::MessageAction::gather4>(SamplerCall& c) {
  if (c.image.is_null()) return eu::Reply::done;
  if (const std::string_view why = obstacle(c); !why.empty()) return c.unsupported("{}", why);
  const ResolvedSampler& resolved = c.engine.sampler_at(c.sampler_address, c.image.format);
  if (resolved.state.disable) return eu::Reply::done;
  if (const std::string_view why = obstacle(resolved.state); !why.empty()) return c.unsupported("{}", why);
  Sampling sampling = sampling_of(c, resolved);
  const bool sent_offsets = c.has(offu);
  c.each_lane([&](unsigned lane) {
    if (sent_offsets) {
      // Six bits of each count.
      sampling.key.offsets = 1;
      sampling.facts.offset_u = int32_t(sign_extend(c.bits(offu, lane) & 63, 6));
      sampling.facts.offset_v = int32_t(sign_extend(c.bits(offv, lane) & 63, 6)), sampling.facts.offset_r = 0;
    }
    const auto lowest = unsigned(std::clamp(std::ceil(c.image.resource_min_lod), 0.0f, float(c.image.level_count - 1)));
    const FootprintTexels f = fetch_footprint(sampling, c.image.level(lowest), point_of(c, lane), true, true);
    const auto channel = [&](unsigned k) { return select_channels(c.image, f.texel[k])[c.gather_channel]; };
    // Lower left, lower right, upper right, upper left.
    c.answer(lane, {channel(2), channel(3), channel(1), channel(0)});
  });
  return eu::Reply::done;
}

template <>
eu::Reply act<isa::MessageAction::query_lod>(SamplerCall& c) {
  if (c.image.is_null()) return eu::Reply::done;
  const ResolvedSampler& resolved = c.engine.sampler_at(c.sampler_address, c.image.format);
  const Sampling sampling = sampling_of(c, resolved);
  c.each_lane([&](unsigned lane) {
    const float lod = probes_of(c, sampling, lane).lod;
    const LevelChoice levels = choose_levels(sampling, lod, least_lod(c, lane));
    c.answer(lane, {std::bit_cast<uint32_t>(levels.clamped), std::bit_cast<uint32_t>(lod), 0, 0});
  });
  return eu::Reply::done;
}

}  // namespace vitro::shared
