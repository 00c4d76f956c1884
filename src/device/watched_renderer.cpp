// Draws as lines and pictures. PRM: Gen8 vol 2a 3DPRIMITIVE, 3DSTATE_DEPTH_BUFFER, 3DSTATE_*S. What counts as a target:
// pipeline/targets.h.
#include "device/watched_renderer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/bits.h"
#include "device/picture.h"
#include "formats/format.h"
#include "pipeline/make_draw.h"
#include "pipeline/targets.h"
#include "pipeline/topology.h"
#include "state/surface.h"

namespace vitro::device {
namespace {

using pipeline::Draw;

std::string viewport(const Draw& draw) {
  if (!draw.state.sf.viewport_transform_enable) return {};
  const state::SfClipViewport& v = draw.objects.viewports[0];
  const auto left = v.viewport_matrix_element_m30 - v.viewport_matrix_element_m00,
             right = v.viewport_matrix_element_m30 + v.viewport_matrix_element_m00,
             top = v.viewport_matrix_element_m31 - v.viewport_matrix_element_m11,
             bottom = v.viewport_matrix_element_m31 + v.viewport_matrix_element_m11;
  return fmt::format(", viewport {:g},{:g} to {:g},{:g}", left, top, right, bottom);
}

std::string target(unsigned index, const state::Surface& s) {
  if (s.is_null()) return fmt::format("target {} null", index);
  const formats::Format* format = formats::find(s.format);
  std::string text = fmt::format("target {} at {:#x} {}x{} {}", index, s.base & ones(48), s.width(), s.height(),
                                 format ? std::string(format->name) : fmt::format("format {:#x}", s.format));
  if (s.mip_count) text += fmt::format(" level {}", s.mip_count);
  if (s.min_array_element || s.view_extent_less_1)
    text += fmt::format(" layers {} to {}", s.min_array_element, s.min_array_element + s.view_extent_less_1);
  if (s.log2_samples) text += fmt::format(" {} samples", s.samples());
  return text;
}

std::string depth_and_stencil(const state::Pipeline& p) {
  constexpr unsigned null_surface = 7;
  constexpr std::array<std::string_view, 8> formats{"", "D32_FLOAT", "", "D24_UNORM_X8_UINT", "", "D16_UNORM", "", ""};
  std::string text;
  if (const auto& d = p.depth_buffer; d.surface_type != null_surface && d.surface_base_address)
    text += fmt::format(", depth at {:#x} {}x{} {}", d.surface_base_address & ones(48), d.width + 1, d.height + 1,
                        formats[d.surface_format & 7]);
  if (const auto& s = p.stencil_buffer; s.stencil_buffer_enable)
    text += fmt::format(", stencil at {:#x}", s.surface_base_address & ones(48));
  return text;
}

std::string kernels(const Draw& draw) {
  const state::Pipeline& p = draw.state;
  const uint64_t base = draw.bases.instruction.address;
  std::string text;
  const auto add = [&](bool enabled, std::string_view stage, uint64_t start) {
    if (enabled) text += fmt::format(", {} at {:#x}", stage, base + start);
  };
  add(p.vs.enable, "vs", p.vs.kernel_start_pointer);
  add(p.hs.enable, "hs", p.hs.kernel_start_pointer);
  add(p.ds.enable, "ds", p.ds.kernel_start_pointer);
  add(p.gs.enable, "gs", p.gs.kernel_start_pointer);
  const std::array starts{p.ps.kernel_start_pointer_0, p.ps.kernel_start_pointer_1, p.ps.kernel_start_pointer_2};
  constexpr std::array<std::string_view, 3> names{"ps8", "ps16", "ps32"};
  const pipeline::KernelSlots slots = pipeline::kernel_slots(p.ps);
  for (size_t width = 0; width < names.size(); ++width)
    add(draw.ps[width] != nullptr && slots[width] >= 0, names[width], slots[width] >= 0 ? starts[slots[width]] : 0);
  return text;
}

void keep(const Picture& picture, const Draw& draw) {
  memory::View memory(draw.memory);
  const std::vector<uint8_t> indices = pipeline::target_indices(draw);
  const auto problem = [&](std::string_view why) {
    write_trace(fmt::format("no picture of draw {} in {}: {}", picture.draw, picture.file, why));
  };
  for (const unsigned index : indices) {
    const state::Surface surface = pipeline::bound_target(draw, memory, index);
    if (surface.is_null()) continue;
    const auto done = write_picture(memory, surface, picture.file);
    if (!done) problem(done.error().message);
    return;
  }
  problem("it has no colour target");
}

}  // namespace

std::string describe(uint64_t number, const pipeline::DrawCommand& command) {
  const Draw& draw = *command.draw;
  const commands::three_d::Primitive& p = command.primitive;
  const auto topology = pipeline::find_topology(p.primitive_topology_type);
  std::string text =
      fmt::format("draw {} at {:#x} (batch offset {:#x}): {} of {} vertices x {}{}", number, command.place.address,
                  command.place.batch_offset,
                  topology ? std::string((*topology)->name) : fmt::format("topology {}", p.primitive_topology_type),
                  p.vertex_count_per_instance, p.instance_count, viewport(draw));
  memory::View memory(draw.memory);
  for (const unsigned index : pipeline::target_indices(draw))
    text += ", " + target(index, pipeline::bound_target(draw, memory, index));
  return text + depth_and_stencil(draw.state) + kernels(draw);
}

WatchedRenderer::WatchedRenderer(pipeline::SceneRenderer& scenes, Watch& watch) : scenes_(scenes), watch_(watch) {
  if (!watch.tells) return;
  scenes.watch = [this](const pipeline::SceneDrained& d) {
    if (!d.draws) return;
    write_trace(fmt::format("drained {}: {} draws, {} bins, {:.6f} s",
                            for_a_picture_ ? "for a picture" : pipeline::drain_reason_names[size_t(d.reason)], d.draws,
                            d.bins, std::chrono::duration<double>(d.spent).count()));
  };
}

pipeline::Outcome WatchedRenderer::draw(const pipeline::DrawCommand& command) {
  const uint64_t number = ++watch_.draws;
  if (watch_.tells) write_trace(describe(number, command));
  const auto picture =
      std::find_if(watch_.pictures.begin(), watch_.pictures.end(), [&](const Picture& p) { return p.draw == number; });
  if (picture == watch_.pictures.end()) return scenes_.draw(command);
  if (pipeline::Outcome done = scenes_.draw(command); !done) return done;
  for_a_picture_ = true;
  pipeline::Outcome done = scenes_.drain(pipeline::DrainReason::flush);
  for_a_picture_ = false;
  if (done) keep(*picture, *command.draw);
  return done;
}

pipeline::Outcome WatchedRenderer::depth_stencil_operation(const pipeline::DepthStencilOperation& o) {
  if (watch_.tells) {
    const auto& c = o.operation;
    write_trace(fmt::format(
        "depth and stencil operation at {:#x} (batch offset {:#x}):{}{}{}{} {},{} to {},{}{}", o.address,
        o.batch_offset, c.depth_buffer_clear_enable ? " depth clear" : "",
        c.stencil_buffer_clear_enable ? " stencil clear" : "", c.depth_buffer_resolve_enable ? " depth resolve" : "",
        c.hierarchical_depth_buffer_resolve_enable ? " hierarchical depth resolve" : "", c.clear_rectangle_x_min,
        c.clear_rectangle_y_min, c.clear_rectangle_x_max, c.clear_rectangle_y_max, depth_and_stencil(o.state)));
  }
  return scenes_.depth_stencil_operation(o);
}

}  // namespace vitro::device
