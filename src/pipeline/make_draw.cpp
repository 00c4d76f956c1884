// Making draws. PRM: as make_draw.h; 0 IEEE and 1 ALT floats, Single Program Flow, rounding, the vector mask and kept
// denormals go to cr0.0, exception enables to cr0.1. The mask stack is not modelled, so its exception cannot happen.
// Objects that nothing in the state looks at are not read: drivers leave their pointers unset. FFIDs of the 3D stages
// are in no public document; no known kernel reads them.
#include "pipeline/make_draw.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "eu/thread.h"
#include "pipeline/pixel_payload.h"

namespace vitro::pipeline {

using state::Pipeline, state::ShaderStage;

namespace {

constexpr size_t register_bytes = eu::reg_bytes;

// What is asked for at a draw and not there.
struct Missing {
  std::string_view name;
  bool (*asked)(const Pipeline&);
};
constexpr Missing missing[] = {
    {"hull shader", [](const Pipeline& p) { return p.hs.enable; }},
    {"tessellator", [](const Pipeline& p) { return p.te.te_enable; }},
    {"domain shader", [](const Pipeline& p) { return p.ds.enable; }},
    {"geometry shader", [](const Pipeline& p) { return p.gs.enable; }},
    {"stream output of shaded vertices",
     [](const Pipeline& p) { return p.streamout.so_function_enable && p.vs.enable; }},
    {"hardware binding tables", [](const Pipeline& p) { return p.binding_table_pool.binding_table_pool_enable; }},
    {"DX9 constants",
     [](const Pipeline& p) {
       return std::any_of(p.gather_constants.begin(), p.gather_constants.end(),
                          [](const auto& g) { return g.constant_buffer_dx9_enable; });
     }},
    {"gather constants", [](const Pipeline& p) { return p.gather_pool.gather_pool_enable; }},
};

template <size_t n>
std::array<uint32_t, n> read_dwords(memory::View& memory, uint64_t address) {
  std::array<uint32_t, n> dwords{};
  memory.read(address, std::as_writable_bytes(std::span(dwords)));
  return dwords;
}
// An array of objects that stand one behind the other.
template <const auto& layout, class T, size_t most>
void read_objects(memory::View& memory, uint64_t address, size_t count, std::array<T, most>& to) {
  constexpr size_t dwords = size_t(layout.dwords);
  for (size_t k = 0; k < std::min(count, most); ++k)
    to[k] = unpack(layout, read_dwords<dwords>(memory, address + k * dwords * 4));
}

void read_objects_of(const DrawMaker& maker, const Pipeline& p, Objects& o) {
  memory::View& memory = maker.memory;
  const uint64_t base = maker.bases.dynamic.address;
  const size_t viewports = size_t(p.clip.maximum_vp_index) + 1;
  if (p.sf.viewport_transform_enable ||
      (p.clip.clip_enable && (p.clip.guardband_clip_test_enable || p.clip.viewport_xy_clip_test_enable)))
    read_objects<state::every::sf_clip_viewport>(memory, base + p.sf_clip_viewports, viewports, o.viewports);
  if (p.wm_depth_stencil.depth_test_enable || p.wm_depth_stencil.depth_buffer_write_enable)
    read_objects<state::every::cc_viewport>(memory, base + p.cc_viewports, viewports, o.depth_ranges);
  if (p.raster.scissor_rectangle_enable)
    read_objects<state::every::scissor_rect>(memory, base + p.scissors, viewports, o.scissors);
  if (p.has_color_calc_state && maker.traits.color_calc)
    o.color_calc = maker.traits.color_calc(read_dwords<6>(memory, base + p.color_calc_state));
  if (p.has_blend_state) {
    o.blend = unpack(state::every::blend_state, read_dwords<1>(memory, base + p.blend_state));
    read_objects<state::every::blend_state_entry>(memory, base + p.blend_state + 4, o.blend_entries.size(),
                                                  o.blend_entries);
  }
}

tl::expected<unsigned, Fault> samples_of(const Traits& traits, unsigned code) {
  const unsigned most = traits.has_16_samples ? 4 : 3;
  if (code > most)
    return tl::unexpected<Fault>(Fault{.reason = fmt::format("reserved number of multisamples {}", code)});
  return 1u << code;
}

// Scratch space, wherever a stage has it.
template <class Packet>
tl::expected<dispatch::ThreadHeader, Fault> header_of(const DrawMaker& maker, const Pipeline& p, const Packet& packet,
                                                      ShaderStage stage) {
  constexpr unsigned most = 11;
  if (packet.per_thread_scratch_space > most)
    return tl::unexpected<Fault>(
        Fault{.reason = fmt::format("reserved scratch space size {}", packet.per_thread_scratch_space)});
  return dispatch::ThreadHeader{.samplers = p.samplers[size_t(stage)] | packet.per_thread_scratch_space,
                                .bindings = p.binding_tables[size_t(stage)],
                                .scratch = uint32_t(packet.scratch_space_base_pointer),
                                .scratch_shift = 10u + packet.per_thread_scratch_space,
                                .fftid_mask = maker.traits.fftid_mask};
}

template <class Packet>
StageSource source_of(const DrawMaker& maker, const Pipeline& p, const Packet& packet, ShaderStage stage) {
  StageSource s;
  s.system_routine = maker.bases.sip ? maker.bases.instruction.address + maker.bases.sip : 0;
  s.binding_table = p.binding_tables[size_t(stage)];
  s.sampler_table = p.samplers[size_t(stage)];
  s.cr0 = (packet.floating_point_mode ? eu::cr_alt_mode : 0u) | (packet.vector_mask_enable ? eu::cr_vector_mask : 0u);
  s.cr1 = uint32_t(packet.software_exception_enable) << int(eu::Exception::software) |
          uint32_t(packet.illegal_opcode_exception_enable) << int(eu::Exception::illegal_opcode);
  s.ffid = uint8_t(uint8_t(stage) + 1);
  s.bases = maker.bases;
  for (size_t n = 0; n < s.chroma_keys.size(); ++n)
    s.chroma_keys[n] = {p.chroma_keys[n].chromakey_low_value, p.chroma_keys[n].chromakey_high_value};
  return s;
}

std::shared_ptr<const dispatch::Stage> stage_of(DrawMaker& maker, const StageSource& source) {
  DrawMaker::Kept* oldest = maker.kept.data();
  const dispatch::Stage* like = nullptr;  // with the same kernel, which need not be looked for again
  for (DrawMaker::Kept& k : maker.kept) {
    if (k.stage && k.source == source) {
      if (k.compared == maker.epoch ||
          dispatch::ProgramCache::is_at(maker.memory, *k.stage->state.kernel, source.kernel, source.system_routine)) {
        k.compared = maker.epoch;
        k.used = ++maker.clock;
        if (!k.stage->state.bindings->hold(maker.memory)) {
          auto again = std::make_shared<dispatch::Stage>(*k.stage);
          rebind(*again);
          k.stage = std::move(again);
        }
        return k.stage;
      }
      oldest = &k;
      break;
    }
    if (k.compared == maker.epoch && k.source.kernel == source.kernel &&
        k.source.system_routine == source.system_routine && (k.source.cr1 != 0) == (source.cr1 != 0))
      like = k.stage.get();
    if (k.used < oldest->used) oldest = &k;
  }
  auto stage = std::make_shared<dispatch::Stage>();
  stage->state = {
      .kernel = like ? like->state.kernel
                     : maker.programs.find(maker.memory, source.kernel, source.system_routine, source.cr1 != 0),
      .binding_table = source.binding_table,
      .sampler_table = source.sampler_table,
      .cr0 = source.cr0,
      .cr1 = source.cr1,
      .chain = source.chain};
  rebind(*stage);
  stage->ffid = source.ffid;
  stage->chroma_keys = source.chroma_keys;
  stage->thread_limit = source.thread_limit;
  stage->memory = maker.memory.table();
  stage->strict = maker.memory.strict();
  stage->bases = source.bases;
  stage->run = &maker.run;
  *oldest = {source, std::move(stage), maker.epoch, ++maker.clock};
  return oldest->stage;
}

tl::expected<void, Fault> make_vs(DrawMaker& maker, Draw& draw) {
  const auto& vs = draw.state.vs;
  if (!vs.enable) return {};
  auto header = header_of(maker, draw.state, vs, ShaderStage::vs);
  if (!header) return tl::unexpected(std::move(header.error()));
  draw.headers[size_t(ShaderStage::vs)] = *header;
  StageSource source = source_of(maker, draw.state, vs, ShaderStage::vs);
  source.kernel = maker.bases.instruction.address + vs.kernel_start_pointer;
  source.thread_limit = vs.maximum_number_of_threads + 1u;
  draw.vs = stage_of(maker, source);
  return {};
}

tl::expected<void, Fault> make_ps(DrawMaker& maker, Draw& draw) {
  const auto& ps = draw.state.ps;
  if (!draw.state.ps_extra.pixel_shader_valid) return {};
  auto header = header_of(maker, draw.state, ps, ShaderStage::ps);
  if (!header) return tl::unexpected(std::move(header.error()));
  draw.headers[size_t(ShaderStage::ps)] = *header;
  StageSource source = source_of(maker, draw.state, ps, ShaderStage::ps);
  source.cr0 |= (ps.single_program_flow ? eu::cr_spf : 0u) | uint32_t(ps.rounding_mode) << eu::cr_rounding_shift |
                (ps.single_precision_denormal_mode ? eu::cr_keep_float_denorms : 0u);
  source.thread_limit = maker.traits.ps_threads;
  source.colours = colour_state(draw.objects);
  const std::array kernels{ps.kernel_start_pointer_0, ps.kernel_start_pointer_1, ps.kernel_start_pointer_2};
  const std::array starts{ps.dispatch_grf_start_register_for_constant_setup_data_0,
                          ps.dispatch_grf_start_register_for_constant_setup_data_1,
                          ps.dispatch_grf_start_register_for_constant_setup_data_2};
  const KernelSlots slots = kernel_slots(ps);
  bool any = false;
  for (size_t width = 0; width < slots.size(); ++width) {
    if (slots[width] < 0) continue;
    any = true;
    const auto slot = size_t(slots[width]);
    source.kernel = maker.bases.instruction.address + kernels[slot];
    draw.ps_grf_start[width] = starts[slot];
    PixelLayout layout;
    source.chain = find_pixel_layout(draw, unsigned(width), layout) ? code::ChainForm{} : layout.chain();
    draw.ps[width] = stage_of(maker, source);
  }
  if (!any) return tl::unexpected<Fault>(Fault{.reason = "a pixel shader without a dispatch width"});
  return {};
}

}  // namespace

KernelSlots kernel_slots(const commands::three_d::Ps& ps) {
  // By enables of 8, 16 and 32 pixels.
  static constexpr std::array<KernelSlots, 8> table{
      {{-1, -1, -1}, {0, -1, -1}, {-1, 0, -1}, {0, 2, -1}, {-1, -1, 0}, {0, -1, 1}, {-1, 2, 1}, {0, 2, 1}}};
  return table[size_t(ps.dispatch_8) | size_t(ps.dispatch_16) << 1 | size_t(ps.dispatch_32) << 2];
}

tl::expected<std::vector<std::byte>, Fault> push_constants(const Draw& draw, ShaderStage stage, memory::View& memory) {
  const commands::three_d::Constant& c = draw.state.constants[size_t(stage)];
  size_t registers = 0;
  for (const uint16_t length : c.read_length) registers += length;
  if (registers >= eu::grf_count)
    return tl::unexpected<Fault>(Fault{.reason = fmt::format("constants of {} registers", registers)});
  std::vector<std::byte> all(registers * register_bytes);
  std::span<std::byte> rest(all);
  for (size_t k = 0; k < c.buffer.size(); ++k) {
    if (!c.read_length[k]) continue;
    const size_t bytes = c.read_length[k] * register_bytes;
    const uint64_t base = k == 0 && !draw.constant_0_is_address ? draw.bases.dynamic.address : 0;
    memory.read(base + c.buffer[k], rest.first(bytes));
    rest = rest.subspan(bytes);
  }
  return all;
}

tl::expected<std::shared_ptr<Draw>, Fault> make_draw(DrawMaker& maker, const Pipeline& state,
                                                     const commands::three_d::Primitive& primitive,
                                                     const DrawPlace& place, bool constant_0_is_address) {
  for (const Missing& m : missing)
    if (m.asked(state)) return tl::unexpected<Fault>(unsupported_fault(std::string(m.name)));
  const auto samples = samples_of(maker.traits, state.multisample.number_of_multisamples);
  if (!samples) return tl::unexpected(samples.error());

  auto made = std::make_shared<Draw>();
  Draw& draw = *made;
  draw.number = place.number;
  draw.address = place.address;
  draw.batch_offset = place.batch_offset;
  draw.traits = &maker.traits;
  draw.primitive = primitive;
  draw.state = state;
  read_objects_of(maker, state, draw.objects);
  draw.bases = maker.bases;
  draw.memory = maker.memory.table();
  draw.strict = maker.memory.strict();
  draw.constant_0_is_address = constant_0_is_address;
  draw.samples = *samples;
  if (auto done = make_vs(maker, draw); !done) return tl::unexpected(std::move(done.error()));

  const auto push = [&](ShaderStage stage, bool wanted) -> tl::expected<void, Fault> {
    if (!wanted) return {};
    auto constants = push_constants(draw, stage, maker.memory);
    if (!constants) return tl::unexpected(std::move(constants.error()));
    draw.push[size_t(stage)] = std::move(*constants);
    return {};
  };
  if (auto done = push(ShaderStage::vs, state.vs.enable); !done) return tl::unexpected(std::move(done.error()));
  const bool ps_pushes = state.ps_extra.pixel_shader_valid && state.ps.push_constant_enable;
  if (auto done = push(ShaderStage::ps, ps_pushes); !done) return tl::unexpected(std::move(done.error()));
  if (auto done = make_ps(maker, draw); !done) return tl::unexpected(std::move(done.error()));
  return made;
}

tl::expected<DepthStencilOperation, Fault> make_operation(DrawMaker& maker, const Pipeline& state,
                                                          const commands::three_d::WmHzOp& operation,
                                                          const DrawPlace& place) {
  const auto samples = samples_of(maker.traits, operation.number_of_multisamples);
  if (!samples) return tl::unexpected(samples.error());
  DepthStencilOperation o;
  o.address = place.address;
  o.batch_offset = place.batch_offset;
  o.traits = &maker.traits;
  o.operation = operation;
  o.state = state;
  o.bases = maker.bases;
  o.memory = maker.memory.table();
  o.strict = maker.memory.strict();
  o.samples = *samples;
  if (operation.scissor_rectangle_enable)
    read_objects<state::every::scissor_rect>(maker.memory, maker.bases.dynamic.address + state.scissors, 1, o.scissors);
  return o;
}

}  // namespace vitro::pipeline
