// Making draws. PRM: as make_draw.h; 0 IEEE and 1 ALT floats, Single Program Flow, rounding, the vector mask and kept
// denormals go to cr0.0, exception enables to cr0.1. The mask stack is not modelled, so its exception cannot happen.
// FFIDs of the 3D stages are in no public document; no known kernel reads them.
#include "pipeline/make_draw.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <string_view>
#include <type_traits>

#include "eu/thread.h"
#include "pipeline/pixel_payload.h"
#include "shared/gateway.h"
#include "shared/pixel_interpolator.h"
#include "shared/spawner.h"
#include "shared/urb.h"

namespace vitro::pipeline {

using state::Group, state::Pipeline, state::ShaderStage;

namespace {

constexpr size_t register_bytes = eu::reg_bytes;

// What is asked for at a draw and not there.
struct Missing {
  std::string_view name;
  bool (*asked)(const Pipeline&);
};
constexpr Missing missing[] = {
    {"3DSTATE_RS_CONSTANT_POINTER",
     [](const Pipeline& p) {
       return p.rs_constant_pointer.global_constant_buffer_address ||
              p.rs_constant_pointer.global_constant_buffer_address_high;
     }},
    {"3DSTATE_SBE_SWIZ.WrapShortest",
     [](const Pipeline& p) {
       const auto& axes = p.sbe_swiz.attribute_wrap_shortest_enables;
       return std::any_of(axes.begin(), axes.end(), [](uint8_t enabled) { return enabled != 0; });
     }},
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

// Whether a stage that holds in this epoch would be the same with another binding table.
bool serves(const DrawMaker& maker, const DrawMaker::Kept& k, const StageSource& source) {
  if (!k.uses->known || k.source.sampler_table != source.sampler_table || k.source.cr0 != source.cr0) return false;
  StageSource other = k.source;
  other.binding_table = source.binding_table;
  if (!(other == source)) return false;
  return std::all_of(k.uses->entries.begin(), k.uses->entries.end(), [&](uint8_t index) {
    const auto entry = [&](uint32_t table, uint32_t& to) {
      const std::byte* at =
          maker.memory.at(source.bases.surface.address + table + 4u * index, sizeof to, memory::Access::read);
      if (at) std::memcpy(&to, at, sizeof to);
      return at != nullptr;
    };
    uint32_t one = 0, another = 0;
    return entry(k.source.binding_table, one) && entry(source.binding_table, another) && one == another;
  });
}

std::shared_ptr<const dispatch::Stage> stage_of(DrawMaker& maker, const StageSource& source) {
  DrawMaker::Kept* oldest = maker.kept.data();
  const DrawMaker::Kept* like = nullptr;  // with the same kernel, which need not be looked for again
  for (DrawMaker::Kept& k : maker.kept) {
    if (k.stage && k.source == source) {
      k.used = ++maker.clock;
      if (k.compared == maker.epoch) return k.stage;
      if (dispatch::ProgramCache::is_at(maker.memory, *k.stage->state.kernel, source.kernel, source.system_routine)) {
        k.compared = maker.epoch;
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
        k.source.system_routine == source.system_routine && (k.source.cr1 != 0) == (source.cr1 != 0)) {
      like = &k;
      if (serves(maker, k, source)) {
        k.used = ++maker.clock;
        return k.stage;
      }
    }
    if (k.used < oldest->used) oldest = &k;
  }
  auto stage = std::make_shared<dispatch::Stage>();
  stage->state = {
      .kernel = like ? like->stage->state.kernel
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
  auto uses = like ? like->uses : std::make_shared<const TableUse>(table_use(*stage->state.kernel));
  *oldest = {source, std::move(stage), std::move(uses), maker.epoch, ++maker.clock};
  return oldest->stage;
}

// What the parts of a draw are made from.
struct Making {
  DrawMaker& maker;
  const Pipeline& state;
  bool constant_0_is_address;
};

tl::expected<void, Fault> make_vs(const Making& from, Draw& draw) {
  DrawMaker& maker = from.maker;
  const auto& vs = from.state.vs;
  draw.vs = nullptr;
  if (!vs.enable) return {};
  auto header = header_of(maker, from.state, vs, ShaderStage::vs);
  if (!header) return tl::unexpected(std::move(header.error()));
  draw.headers[size_t(ShaderStage::vs)] = *header;
  StageSource source = source_of(maker, from.state, vs, ShaderStage::vs);
  source.kernel = maker.bases.instruction.address + vs.kernel_start_pointer;
  source.thread_limit = vs.maximum_number_of_threads + 1u;
  draw.vs = stage_of(maker, source);
  return {};
}

tl::expected<void, Fault> make_ps(const Making& from, Draw& draw) {
  DrawMaker& maker = from.maker;
  const auto& ps = from.state.ps;
  draw.ps = {};
  if (!from.state.ps_extra.pixel_shader_valid) return {};
  auto header = header_of(maker, from.state, ps, ShaderStage::ps);
  if (!header) return tl::unexpected(std::move(header.error()));
  draw.headers[size_t(ShaderStage::ps)] = *header;
  StageSource source = source_of(maker, from.state, ps, ShaderStage::ps);
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
    source.chain = pixel_chain(from.state, unsigned(width), starts[slot]);
    draw.ps[width] = stage_of(maker, source);
  }
  if (!any) return tl::unexpected<Fault>(Fault{.reason = "a pixel shader without a dispatch width"});
  return {};
}

// The constants of a stage as its threads get them: the four buffers one after the other. Where none are wanted there
// are none.
template <ShaderStage stage>
tl::expected<void, Fault> read_constants(const Making& from, Draw& draw) {
  std::vector<std::byte>& to = draw.push[size_t(stage)];
  const Pipeline& s = from.state;
  const bool wanted =
      stage == ShaderStage::vs ? s.vs.enable : s.ps_extra.pixel_shader_valid && s.ps.push_constant_enable;
  const commands::three_d::Constant& c = s.constants[size_t(stage)];
  size_t registers = 0;
  if (wanted)
    for (const uint16_t length : c.read_length) registers += length;
  if (registers >= eu::grf_count)
    return tl::unexpected<Fault>(Fault{.reason = fmt::format("constants of {} registers", registers)});
  to.resize(registers * register_bytes);
  std::span<std::byte> rest(to);
  for (size_t k = 0; k < c.buffer.size() && !rest.empty(); ++k) {
    const size_t bytes = c.read_length[k] * register_bytes;
    const uint64_t base = k == 0 && !from.constant_0_is_address ? from.maker.bases.dynamic.address : 0;
    if (bytes) from.maker.memory.read(base + c.buffer[k], rest.first(bytes));
    rest = rest.subspan(bytes);
  }
  return {};
}

// Which groups of packets a part of a draw depends on, besides memory and base addresses.
struct Part {
  std::array<Group, 5> groups;
  tl::expected<void, Fault> (*make)(const Making&, Draw&);
  void (*take)(const Draw& from, Draw& to);
  bool (*same)(const Draw&, const Draw&);
};
template <ShaderStage stage>
constexpr auto take_constants = [](const Draw& from, Draw& to) {
  to.push[size_t(stage)].assign(from.push[size_t(stage)].begin(), from.push[size_t(stage)].end());
};
template <ShaderStage stage>
constexpr auto same_constants =
    [](const Draw& a, const Draw& b) { return a.push[size_t(stage)] == b.push[size_t(stage)]; };
constexpr Part parts[] = {
    {{Group::vs, Group::bindings_vs, Group::windower, Group::windower, Group::windower},
     make_vs,
     [](const Draw& from, Draw& to) {
       to.vs = from.vs, to.headers[size_t(ShaderStage::vs)] = from.headers[size_t(ShaderStage::vs)];
     },
     [](const Draw& a, const Draw& b) { return a.vs == b.vs; }},
    {{Group::ps, Group::bindings_ps, Group::windower, Group::colour, Group::constants_ps},
     make_ps,
     [](const Draw& from, Draw& to) {
       to.ps = from.ps, to.ps_grf_start = from.ps_grf_start;
       to.headers[size_t(ShaderStage::ps)] = from.headers[size_t(ShaderStage::ps)];
     },
     [](const Draw& a, const Draw& b) { return a.ps == b.ps; }},
    {{Group::vs, Group::constants_vs, Group::constants_vs, Group::constants_vs, Group::constants_vs},
     read_constants<ShaderStage::vs>,
     take_constants<ShaderStage::vs>,
     same_constants<ShaderStage::vs>},
    {{Group::ps, Group::constants_ps, Group::constants_ps, Group::constants_ps, Group::constants_ps},
     read_constants<ShaderStage::ps>,
     take_constants<ShaderStage::ps>,
     same_constants<ShaderStage::ps>},
};

// Of a size that is not known here: compilers have slower ways for sizes that they know.
void copy_bytes(void* to, const void* from, size_t bytes) {
  asm("" : "+r"(bytes));
  std::memcpy(to, from, bytes);
}

// All of a draw, from the state and from memory as they are now.
tl::expected<std::shared_ptr<Draw>, Fault> new_draw(DrawMaker& maker, const Pipeline& state, const DrawPlace& place,
                                                    bool constant_0_is_address) {
  for (const Missing& m : missing)
    if (m.asked(state)) return tl::unexpected<Fault>(unsupported_fault(std::string(m.name)));
  const auto samples = samples_of(maker.traits, state.multisample.number_of_multisamples);
  if (!samples) return tl::unexpected(samples.error());
  const Draw* const before = maker.last.draw.get();
  const bool memory_is_same =
      before && maker.made_in == maker.epoch && before->constant_0_is_address == constant_0_is_address;

  std::shared_ptr<Draw> made = maker.pool.take();
  Draw& draw = *made;
  draw.number = place.number;
  draw.traits = &maker.traits;
  draw.state = state;
  maker.objects.read(maker.traits, maker.bases, state, maker.memory);
  static_assert(std::is_trivially_copyable_v<Objects>);
  copy_bytes(&draw.objects, &maker.objects.objects(), sizeof draw.objects);
  draw.bases = maker.bases;
  draw.memory = maker.memory.table();
  draw.strict = maker.memory.strict();
  draw.stop = maker.run.stop;
  draw.constant_0_is_address = constant_0_is_address;
  draw.samples = *samples;
  for (const Part& part : parts) {
    const bool same = memory_is_same && std::all_of(part.groups.begin(), part.groups.end(), [&](Group g) {
                        return before->state.version(g) == state.version(g);
                      });
    if (same)
      part.take(*before, draw);
    else if (auto done = part.make({maker, state, constant_0_is_address}, draw); !done)
      return tl::unexpected(std::move(done.error()));
  }
  const auto reads = [](const std::shared_ptr<const dispatch::Stage>& s) { return s && s->state.kernel->reads_memory; };
  const auto writes = [](const std::shared_ptr<const dispatch::Stage>& s) {
    return s && s->state.kernel->writes_memory;
  };
  draw.pixels_read_memory = std::any_of(draw.ps.begin(), draw.ps.end(), reads);
  draw.writes_memory =
      state.streamout.so_function_enable || writes(draw.vs) || std::any_of(draw.ps.begin(), draw.ps.end(), writes);
  return made;
}

// Whether the last draw would be the same if it were made now of the same state.
bool still_holds(DrawMaker& maker) {
  const Draw& draw = *maker.last.draw;
  if (!(draw.bases == maker.bases) || maker.objects.read(maker.traits, maker.bases, draw.state, maker.memory))
    return false;
  if (!maker.again) maker.again = std::make_unique<Draw>();
  maker.again->objects = draw.objects;
  for (const Part& part : parts)
    if (!part.make({maker, draw.state, draw.constant_0_is_address}, *maker.again) || !part.same(draw, *maker.again))
      return false;
  return true;
}

}  // namespace

TableUse table_use(const dispatch::Kernel& kernel) {
  // Shared functions that have nothing to do with surfaces.
  constexpr uint16_t others = 1u << shared::Gateway::sfid | 1u << shared::urb_sfid | 1u << shared::Spawner::sfid |
                              1u << shared::pixel_interpolator_sfid;
  std::set<uint8_t> entries;
  for (const eu::Plan& plan : kernel.program.plans()) {
    const isa::Instruction& i = plan.instruction;
    const bool sends =
        plan.row && (plan.row->format == isa::Format::send || plan.row->format == isa::Format::split_send);
    if (!sends || others >> i.sfid & 1) continue;
    if (!plan.knows_message()) return {};
    if (plan.message.shape.space == isa::AddressSpace::surface) entries.insert(uint8_t(i.desc.imm));
  }
  return {true, {entries.begin(), entries.end()}};
}

KernelSlots kernel_slots(const commands::three_d::Ps& ps) {
  // By enables of 8, 16 and 32 pixels.
  static constexpr std::array<KernelSlots, 8> table{
      {{-1, -1, -1}, {0, -1, -1}, {-1, 0, -1}, {0, 2, -1}, {-1, -1, 0}, {0, -1, 1}, {-1, 2, 1}, {0, 2, 1}}};
  return table[size_t(ps.dispatch_8) | size_t(ps.dispatch_16) << 1 | size_t(ps.dispatch_32) << 2];
}

tl::expected<const DrawCommand*, Fault> make_draw(DrawMaker& maker, const Pipeline& state,
                                                  const commands::three_d::Primitive& primitive, const DrawPlace& place,
                                                  bool constant_0_is_address) {
  DrawCommand& c = maker.last;
  const bool same_state =
      c.draw && maker.made_after == state.changes && c.draw->constant_0_is_address == constant_0_is_address;
  if (!same_state || (maker.made_in != maker.epoch && !still_holds(maker))) {
    auto made = new_draw(maker, state, place, constant_0_is_address);
    if (!made) return tl::unexpected(std::move(made.error()));
    c.draw = std::move(*made);
    maker.made_after = state.changes;
  }
  maker.made_in = maker.epoch;
  c.place = place;
  c.primitive = primitive;
  return &c;
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
  o.stop = maker.run.stop;
  if (operation.scissor_rectangle_enable)
    o.scissors[0] = read_scissor(maker.bases.dynamic.address + state.scissors, maker.memory);
  return o;
}

}  // namespace vitro::pipeline
