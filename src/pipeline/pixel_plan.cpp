// When tests are made, whether threads are started, and what is left of them, as tables of reasons. PRM: as
// pixel_plan.h.
#include "pipeline/pixel_plan.h"

#include <algorithm>
#include <bitset>

#include "eu/dependence.h"
#include "shared/dataport/colour_payload.h"

namespace vitro::pipeline {

namespace {

enum EarlyDepthStencil : uint8_t { edsc_normal, edsc_psexec, edsc_preps };
enum Force : uint8_t { force_normal, force_off, force_on };

struct Reason {
  const char* name;
  bool (*holds)(const Draw&);
};
// What the pixel shader or its outputs decide about a pixel.
constexpr Reason late_reasons[] = {
    {"EDSC_PSEXEC", [](const Draw& d) { return d.state.wm.early_depth_stencil_control == edsc_psexec; }},
    {"Pixel Shader Kills Pixel", [](const Draw& d) { return d.state.ps_extra.pixel_shader_kills_pixel; }},
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
    {"Pixel Shader Kills Pixel", [](const Draw& d) { return d.state.ps_extra.pixel_shader_kills_pixel; }},
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
// Whether a kernel may ask what is in a target.
bool reads_targets(const std::shared_ptr<const dispatch::Stage>& stage) {
  if (!stage) return false;
  const auto& plans = stage->state.kernel->program.plans();
  return std::any_of(plans.begin(), plans.end(), [](const eu::Plan& p) {
    const bool sends = p.row && (p.row->format == isa::Format::send || p.row->format == isa::Format::split_send);
    return sends && (!p.message.row || p.message.shape.action == isa::MessageAction::render_target_read);
  });
}
// Whether all threads of a kernel write the same colour for the same constants and setup data, which are in registers
// from `start` on: a short one without branches, and one message that has a colour for all pixels. Drivers clear with
// such kernels.
bool says_one_colour(const dispatch::Stage& stage, unsigned start) {
  constexpr size_t most_instructions = 8;
  const eu::Program& program = stage.state.kernel->program;
  const auto& plans = program.plans();
  if (plans.empty() || plans.size() > most_instructions) return false;
  const eu::Plan& last = plans.back();
  const auto is_send = [](const eu::Plan& p) {
    return p.row && (p.row->format == isa::Format::send || p.row->format == isa::Format::split_send);
  };
  if (!is_send(last) || !last.instruction.eot || !last.knows_message() || !last.message.shape.colours()) return false;
  const shared::ColourPayload payload(last.instruction.desc.imm, last.message.shape.header);
  if (!payload.replicated || payload.body || last.instruction.pred_ctrl != isa::PredCtrl::none) return false;
  std::bitset<eu::grf_count * eu::reg_bytes> same;
  for (unsigned byte = start * eu::reg_bytes; byte < same.size(); ++byte) same.set(byte);
  for (const eu::Plan& p : plans) {
    if (&p == &last) break;
    const auto sets = is_send(p) || !p.row ? std::nullopt : eu::dependence(program, p, nullptr);
    if (!sets || !p.instruction.no_mask || p.instruction.pred_ctrl != isa::PredCtrl::none) return false;
    const eu::UseSet &in = sets->reads, &out = sets->writes;
    const auto special = [](const eu::UseSet& s) {
      return s.flag[0] | s.flag[1] | s.acc[0] | s.acc[1] | s.a0 | s.arf || s.mrf.any();
    };
    if (special(in) || special(out) || (in.grf & ~same).any()) return false;
    same |= out.grf;
  }
  const unsigned reg = last.instruction.src[0].reg;
  for (unsigned byte = 0; byte < 16; ++byte)
    if (!same[reg * eu::reg_bytes + byte]) return false;
  return true;
}
bool overwrites(const state::BlendStateEntry& e) {
  return !e.color_buffer_blend_enable && !e.logic_op_enable && !e.write_disable_red && !e.write_disable_green &&
         !e.write_disable_blue && !e.write_disable_alpha;
}

}  // namespace

PixelPlan pixel_plan(const Draw& draw) {
  PixelPlan plan;
  const bool kernel = std::any_of(draw.ps.begin(), draw.ps.end(), [](const auto& stage) { return stage != nullptr; });
  const uint8_t force = draw.state.wm.force_thread_dispatch_enable;
  plan.dispatches = kernel && draw.state.ps_extra.pixel_shader_valid && force != force_off &&
                    (force == force_on || any_of(dispatch_reasons, draw));
  plan.late = plan.dispatches && draw.state.wm.early_depth_stencil_control != edsc_preps && any_of(late_reasons, draw);
  const commands::three_d::WmDepthStencil& tests = draw.state.wm_depth_stencil;
  plan.paints = plan.dispatches && !any_of(late_reasons, draw) && draw.samples == 1 && !tests.depth_test_enable &&
                !tests.depth_buffer_write_enable && !tests.stencil_test_enable &&
                !draw.state.ps.render_target_fast_clear_enable && !draw.state.ps.render_target_resolve_enable &&
                !draw.state.ps.render_target_resolve_type;
  plan.covers = plan.paints && draw.state.sample_mask.sample_mask & 1 &&
                std::all_of(draw.objects.blend_entries.begin(), draw.objects.blend_entries.end(), overwrites) &&
                std::none_of(draw.ps.begin(), draw.ps.end(), reads_targets);
  constexpr size_t width = 1;  // the message is of sixteen pixels
  plan.one_colour =
      draw.state.ps.render_target_fast_clear_enable || (plan.covers && draw.ps[width] && !draw.ps[0] && !draw.ps[2] &&
                                                        says_one_colour(*draw.ps[width], draw.ps_grf_start[width]));
  return plan;
}

}  // namespace vitro::pipeline
