// Targets of draws as places. PRM: as targets.h.
#include "pipeline/targets.h"

#include <algorithm>
#include <set>

#include "pipeline/pixel.h"

namespace vitro::pipeline {

namespace {

TargetPlace place_of(const state::Surface& s) {
  return {.base = s.base,
          .pitch = s.pitch_less_1,
          .qpitch = s.qpitch_field,
          .format = s.format,
          .first_slice = s.min_array_element,
          .type = uint8_t(s.type),
          .level = s.mip_count,
          .tile_mode = uint8_t(s.tiling()),
          .x_offset = s.x_offset_field,
          .y_offset = s.y_offset_field,
          .log2_samples = s.log2_samples};
}

constexpr uint8_t null_surface = 7;

TargetPlace depth_of(const state::Pipeline& s, uint64_t base, uint32_t pitch, uint32_t qpitch) {
  const commands::three_d::DepthBuffer& d = s.depth_buffer;
  return {.base = base,
          .pitch = pitch,
          .qpitch = qpitch,
          .format = d.surface_format,
          .first_slice = d.minimum_array_element,
          .type = d.surface_type,
          .level = d.lod,
          .log2_samples = s.multisample.number_of_multisamples};
}

bool fits(const std::vector<TargetPlace>& places, const TargetPlace& p) {
  return places.empty() || std::find(places.begin(), places.end(), p) != places.end();
}

void insert(std::vector<TargetPlace>& places, const TargetPlace& p) {
  if (std::find(places.begin(), places.end(), p) == places.end()) places.push_back(p);
}

}  // namespace

std::vector<uint8_t> target_indices(const dispatch::Kernel& kernel) {
  std::set<uint8_t> indices;
  for (const eu::Plan& plan : kernel.program.plans())
    if (plan.message.shape.colours() && plan.knows_message()) indices.insert(uint8_t(plan.instruction.desc.imm));
  return {indices.begin(), indices.end()};
}

std::vector<uint8_t> target_indices(const Draw& draw) {
  std::set<uint8_t> indices;
  for (const auto& stage : draw.ps)
    if (stage && stage->state.kernel)
      indices.merge([&] {
        const std::vector<uint8_t> own = target_indices(*stage->state.kernel);
        return std::set<uint8_t>(own.begin(), own.end());
      }());
  return {indices.begin(), indices.end()};
}

state::Surface bound_target(const Draw& draw, memory::View& memory, unsigned index) {
  return state::read_bound_surface(*draw.traits->surfaces, memory, draw.bases,
                                   draw.state.binding_tables[size_t(state::ShaderStage::ps)], index);
}

const std::vector<uint8_t>& TargetPlaces::indices_of(const std::shared_ptr<const dispatch::Kernel>& kernel) {
  for (const Known& k : known_)
    if (k.kernel == kernel) return k.indices;
  Known& k = known_[next_++ % known_.size()];
  k = {kernel, target_indices(*kernel)};
  return k.indices;
}

std::optional<BinSlices> TargetPlaces::add(const Draw& draw) {
  added_.clear();
  const state::Pipeline& s = draw.state;
  // How many slices targets have, if draws can ask for another one than the first.
  uint32_t least = 0, most = 0;
  const auto count = [&](uint32_t slices) {
    if (s.clip.force_zero_rta_index_enable) slices = 1;
    least = least ? std::min(least, slices) : slices, most = std::max(most, slices);
  };
  if (pixel_plan(draw).dispatches || s.ps.render_target_fast_clear_enable) {
    memory::View memory(draw.memory);
    for (const auto& stage : draw.ps) {
      if (!stage || !stage->state.kernel) continue;
      for (const uint8_t index : indices_of(stage->state.kernel))
        if (const state::Surface to = bound_target(draw, memory, index); !to.is_null())
          insert(added_, place_of(to)), count(to.target_slices());
    }
  }
  const commands::three_d::DepthBuffer& d = s.depth_buffer;
  const commands::three_d::WmDepthStencil& tests = s.wm_depth_stencil;
  std::optional<TargetPlace> depth, stencil;
  if (d.surface_type != null_surface && (tests.depth_test_enable || tests.depth_buffer_write_enable))
    depth = depth_of(s, d.surface_base_address, d.surface_pitch, d.surface_qpitch);
  if (s.stencil_buffer.stencil_buffer_enable && tests.stencil_test_enable)
    stencil = depth_of(s, s.stencil_buffer.surface_base_address, s.stencil_buffer.surface_pitch,
                       s.stencil_buffer.surface_qpitch);
  if (depth || stencil) count(d.render_target_view_extent + 1u);

  // Places are compared from the slice on that all of the draw's targets begin with.
  std::optional<uint16_t> first;
  bool same = true;
  const auto each = [&](auto visit) {
    for (TargetPlace& p : added_) visit(p);
    if (depth) visit(*depth);
    if (stencil) visit(*stencil);
  };
  each([&](TargetPlace& p) { same = same && first.value_or(p.first_slice) == p.first_slice, first = p.first_slice; });
  const uint16_t common = same ? first.value_or(0) : uint16_t(0);
  each([&](TargetPlace& p) { p.first_slice = uint16_t(p.first_slice - common); });

  // A layer may be the first slice of one target and another one of the next: then all of them are one bin.
  const Kind kind{least == most, common};
  if (!std::all_of(added_.begin(), added_.end(), [&](const TargetPlace& p) { return fits(colours_, p); }) ||
      (depth && !fits(depth_, *depth)) || (stencil && !fits(stencil_, *stencil)) ||
      (first && kind_ && !kind_->goes_with(kind)))
    return std::nullopt;
  for (const TargetPlace& p : added_) insert(colours_, p);
  if (depth) insert(depth_, *depth);
  if (stencil) insert(stencil_, *stencil);
  if (first) kind_ = kind;
  return BinSlices{common, uint16_t(kind.apart ? std::min<uint32_t>(least ? least : ~0u, 0xFFFF) : 1)};
}

}  // namespace vitro::pipeline
