// When tests are made, whether threads are started, and what is left of them, as tables of reasons. PRM: as
// pixel_plan.h.
#include "pipeline/pixel_plan.h"

#include <algorithm>

namespace vitro::pipeline {

namespace {

enum EarlyDepthStencil : uint8_t { edsc_normal, edsc_psexec, edsc_preps };
enum Force : uint8_t { force_normal, force_off, force_on };

struct Reason {
  const char* name;
  bool (*holds)(const Draw&);
};
// What the pixel shader or its outputs decide about a pixel.
constexpr Reason kills{"Pixel Shader Kills Pixel",
                       [](const Draw& d) { return d.state.ps_extra.pixel_shader_kills_pixel; }};
constexpr Reason late_reasons[] = {
    {"EDSC_PSEXEC", [](const Draw& d) { return d.state.wm.early_depth_stencil_control == edsc_psexec; }},
    {"Force Kill Pixel", [](const Draw& d) { return d.state.wm.force_kill_pixel_enable == force_on; }},
    {"Computed Depth", [](const Draw& d) { return d.state.ps_extra.pixel_shader_computed_depth_mode != 0; }},
    {"Computed Stencil", [](const Draw& d) { return d.state.ps_extra.pixel_shader_computes_stencil; }},
    {"oMask", [](const Draw& d) { return d.state.ps_extra.omask_present_to_render_target; }},
    {"Alpha Test",
     [](const Draw& d) { return d.state.ps_blend.alpha_test_enable || d.objects.blend.alpha_test_enable; }},
    {"Alpha To Coverage",
     [](const Draw& d) {
       return d.state.ps_blend.alpha_to_coverage_enable || d.objects.blend.alpha_to_coverage_enable;
     }},
    {"UAV", [](const Draw& d) { return d.state.ps_extra.pixel_shader_has_uav; }},
};
constexpr Reason dispatch_reasons[] = {
    {"render target",
     [](const Draw& d) {
       return d.state.ps_blend.has_writeable_rt && !d.state.ps_extra.pixel_shader_does_not_write_to_rt;
     }},
    {"UAV", [](const Draw& d) { return d.state.ps_extra.pixel_shader_has_uav; }},
    kills,
    {"Force Kill Pixel", [](const Draw& d) { return d.state.wm.force_kill_pixel_enable == force_on; }},
    {"oMask", [](const Draw& d) { return d.state.ps_extra.omask_present_to_render_target; }},
    {"Alpha Test", [](const Draw& d) { return d.state.ps_blend.alpha_test_enable; }},
    {"Alpha To Coverage", [](const Draw& d) { return d.state.ps_blend.alpha_to_coverage_enable; }},
    {"Computed Depth", [](const Draw& d) { return d.state.ps_extra.pixel_shader_computed_depth_mode != 0; }},
    {"Computed Stencil", [](const Draw& d) { return d.state.ps_extra.pixel_shader_computes_stencil; }},
};
template <size_t n>
bool any_of(const Reason (&reasons)[n], const Draw& draw) {
  return std::any_of(std::begin(reasons), std::end(reasons), [&](const Reason& r) { return r.holds(draw); });
}
// Whether one of the messages of a draw's kernels is of a kind, or any other instruction.
template <class Is>
bool any_instruction(const Draw& draw, Is is) {
  return std::any_of(draw.ps.begin(), draw.ps.end(), [&](const std::shared_ptr<const dispatch::Stage>& stage) {
    if (!stage) return false;
    const auto& plans = stage->state.kernel->program.plans();
    return std::any_of(plans.begin(), plans.end(), is);
  });
}
bool sends(const eu::Plan& p) {
  return p.row && (p.row->format == isa::Format::send || p.row->format == isa::Format::split_send);
}
// Whether it may take pixels back: a branch, or a message that only some are written by.
bool takes_back(const eu::Plan& p) {
  if (!sends(p)) return !p.row || p.row->format > isa::Format::split_send;
  if (!p.message.row) return true;
  return p.message.shape.colours() && (p.predicate != eu::Plan::Predicate::none || p.message.shape.header);
}
bool overwrites(const state::BlendStateEntry& e) {
  return !e.color_buffer_blend_enable && !e.logic_op_enable && !e.write_disable_red && !e.write_disable_green &&
         !e.write_disable_blue && !e.write_disable_alpha;
}
// Whether whatever a kernel writes to takes the place of what was there.
bool covers_all(const std::shared_ptr<const dispatch::Stage>& stage, const Objects& objects) {
  if (!stage) return true;
  unsigned entries = 0;  // of the blend state, that it may go by: a header may name any, without one it is the first
  for (const eu::Plan& p : stage->state.kernel->program.plans()) {
    if (!sends(p)) continue;
    const isa::MessageShape& s = p.message.shape;
    if (!p.message.row || s.reads_target) return false;  // or may be anything
    if (s.colours()) entries |= s.header ? 0xFF : 1;
  }
  for (size_t n = 0; n < objects.blend_entries.size(); ++n)
    if (entries >> n & 1 && !overwrites(objects.blend_entries[n])) return false;
  return true;
}

}  // namespace

PixelPlan pixel_plan(const Draw& draw) {
  PixelPlan plan;
  const bool kernel = std::any_of(draw.ps.begin(), draw.ps.end(), [](const auto& stage) { return stage != nullptr; });
  const uint8_t force = draw.state.wm.force_thread_dispatch_enable;
  plan.dispatches = kernel && draw.state.ps_extra.pixel_shader_valid && force != force_off &&
                    (force == force_on || any_of(dispatch_reasons, draw));
  plan.late = plan.dispatches && draw.state.wm.early_depth_stencil_control != edsc_preps &&
              (kills.holds(draw) || any_of(late_reasons, draw));
  const commands::three_d::WmDepthStencil& tests = draw.state.wm_depth_stencil;
  const bool tested = tests.depth_test_enable || tests.depth_buffer_write_enable || tests.stencil_test_enable;
  const bool only_colours = plan.dispatches && !any_of(late_reasons, draw) && draw.samples == 1 &&
                            !draw.state.ps.render_target_fast_clear_enable &&
                            !draw.state.ps.render_target_resolve_enable && !draw.state.ps.render_target_resolve_type &&
                            !(kills.holds(draw) && any_instruction(draw, takes_back));
  const bool overwrites =
      only_colours && draw.state.sample_mask.sample_mask & 1 &&
      std::all_of(draw.ps.begin(), draw.ps.end(), [&](const auto& s) { return covers_all(s, draw.objects); });
  plan.paints = only_colours && !tested;
  plan.covers = overwrites && !tested;
  plan.covers_passed = overwrites && tested && !plan.late;
  return plan;
}

}  // namespace vitro::pipeline
