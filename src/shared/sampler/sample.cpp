// sample and all its variants, gather4, and the LOD query. PRM: Gen8 vol 7 "Message Types"; where the LOD comes from
// and whether texels are compared is in the message's row. Derivatives are differences in the subspan of four lanes,
// which may be disabled ones. The sampler's bias adds to every LOD, a sent one included, as Vulkan's samplers need it.
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

float unbiased_lod(const SamplerCall& c, const state::Sampler& s, unsigned lane) {
  if (c.row.sampler.lod == LodSource::zero) return 0;
  if (c.row.sampler.lod == LodSource::explicit_) return c.number(lod, lane);
  if (!c.subspans && c.row.sampler.lod != LodSource::gradients) return 0;  // no neighbours
  const Gradients g = gradients_of(c, lane);
  return c.image.is_cube() ? cube_lod_of(c.image, vector_of(c, lane), g) : lod_of(c.image, !s.non_normalized, g);
}

float biased_lod(const SamplerCall& c, const state::Sampler& s, unsigned lane) {
  const float sent = c.row.sampler.lod == LodSource::biased ? c.number(bias, lane) : 0;
  return unbiased_lod(c, s, lane) + bias_of(s, sent);
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

}  // namespace

template <>
eu::Reply act<isa::MessageAction::sample>(SamplerCall& c) {
  if (c.image.is_null()) return eu::Reply::done;
  if (const std::string_view why = obstacle(c); !why.empty()) return c.unsupported("{}", why);
  const ResolvedSampler& resolved = c.engine.sampler_at(c.sampler_address, c.image.format);
  const state::Sampler& s = resolved.state;
  if (s.disable) return eu::Reply::done;
  if (s.chroma_key_enable) return c.unsupported("chroma keys");
  if (s.min_filter == state::MapFilter::mono || s.mag_filter == state::MapFilter::mono)
    return c.unsupported("MAPFILTER_MONO");
  if (s.min_filter == state::MapFilter::anisotropic || s.mag_filter == state::MapFilter::anisotropic)
    ++c.engine.environment.anisotropic_as_linear;
  const Sampling sampling = sampling_of(c, resolved);
  // A LOD that nothing sends is the same for all lanes.
  const bool common = c.row.sampler.lod == LodSource::zero && !c.has(mlod);
  LevelChoice levels = choose_levels(sampling, common ? biased_lod(c, s, 0) : 0, c.image.resource_min_lod);
  c.each_lane([&](unsigned lane) {
    if (!common) levels = choose_levels(sampling, biased_lod(c, s, lane), least_lod(c, lane));
    const Point p = point_of(c, lane);
    const bool linear = sampling.key.filtering[levels.magnified] == Filtering::linear;
    const auto at = [&](unsigned level) {
      if (!linear) return fetch_nearest(sampling, c.image.level(level), p, levels.magnified);
      return filter(sampling, fetch_footprint(sampling, c.image.level(level), p, levels.magnified));
    };
    Rgba texel = at(levels.first);
    if (levels.weight && levels.second != levels.first && !c.image.format->integer())
      texel = blend(sampling, texel, at(levels.second), levels.weight);
    if (sampling.flushes) drop_denormals(sampling, texel);
    c.answer(lane, select_channels(c.image, texel));
  });
  return eu::Reply::done;
}

template <>
eu::Reply act<isa::MessageAction::gather4>(SamplerCall& c) {
  if (c.image.is_null()) return eu::Reply::done;
  if (const std::string_view why = obstacle(c); !why.empty()) return c.unsupported("{}", why);
  const ResolvedSampler& resolved = c.engine.sampler_at(c.sampler_address, c.image.format);
  if (resolved.state.disable) return eu::Reply::done;
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
    const float lod = biased_lod(c, resolved.state, lane);
    const LevelChoice levels = choose_levels(sampling, lod, least_lod(c, lane));
    c.answer(lane, {std::bit_cast<uint32_t>(levels.clamped), std::bit_cast<uint32_t>(lod), 0, 0});
  });
  return eu::Reply::done;
}

}  // namespace vitro::shared
