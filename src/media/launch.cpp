// Reading interface descriptors and constants, and making dispatches of them. PRM: as launch.h; 0 IEEE and 1 ALT
// floats, Single Program Flow and rounding go to cr0.0, exception enables to cr0.1. The mask stack is not modelled, so
// its exception cannot happen, and Denorm Mode changes nothing: kernels begin with flushed denormals either way.
#include "media/launch.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/bits.h"

namespace vitro::media {

namespace {

RawDescriptor read_descriptor(const state::Bases& bases, memory::View& memory, uint32_t offset) {
  RawDescriptor raw{};
  memory.read(bases.dynamic.address + offset, std::as_writable_bytes(std::span(raw)));
  return raw;
}

uint64_t system_routine(const state::Bases& bases) { return bases.sip ? bases.instruction.address + bases.sip : 0; }

tl::expected<Launch, Fault> launch_by(const State& state, dispatch::ProgramCache& programs, const Traits& traits,
                                      const state::Bases& bases, memory::View& memory, uint32_t offset,
                                      const RawDescriptor& raw) {
  Launch l;
  l.descriptor = traits.descriptor(raw);
  l.descriptor_offset = offset;
  const commands::InterfaceDescriptor& d = l.descriptor;
  const std::optional<uint32_t> slm = traits.slm_bytes(d.slm_size);
  if (!slm) return failed(fmt::format("reserved shared local memory size {} in the interface descriptor", d.slm_size));
  if (d.global_barrier) return unsupported("global barrier");
  l.slm_bytes = *slm;
  l.header = {.samplers = d.sampler_table | state.vfe->scratch_size,
              .bindings = d.binding_table | state.vfe->stack_size,
              .scratch = uint32_t(state.vfe->scratch_base),
              .scratch_shift = 10u + state.vfe->scratch_size,
              .fftid_mask = traits.fftid_mask};
  const bool exceptions = d.software_exception || d.illegal_opcode_exception;
  l.state = {
      .kernel = programs.find(memory, bases.instruction.address + d.kernel_start, system_routine(bases), exceptions),
      .binding_table = d.binding_table,
      .sampler_table = d.sampler_table,
      .cr0 = (d.alternate_floats ? eu::cr_alt_mode : 0u) | (d.single_program_flow ? eu::cr_spf : 0u) |
             uint32_t(d.rounding) << eu::cr_rounding_shift,
      .cr1 = uint32_t(d.software_exception) << int(eu::Exception::software) | uint32_t(d.illegal_opcode_exception)
                                                                                  << int(eu::Exception::illegal_opcode),
      .bindings = std::make_shared<shared::Bindings>()};
  return l;
}

dispatch::Stage stage_for(const State& state, const Surroundings& around, const Launch& launch) {
  dispatch::Stage s;
  s.number = dispatch::new_stage_number();
  s.state = launch.state;
  s.slm_bytes = launch.slm_bytes;
  s.barrier = launch.descriptor.barrier;
  s.bypass_gateway = around.traits.gateway->always_bypassed || state.vfe->bypass_gateway;
  s.thread_limit = state.vfe->maximum_threads ? state.vfe->maximum_threads + 1u : around.traits.threads;
  s.memory = around.memory.table();
  s.strict = around.memory.strict();
  s.bases = around.bases;
  s.run = &around.run;
  return s;
}

bool serves(Prepared& p, const State& state, Surroundings& around, uint32_t offset, const RawDescriptor& raw) {
  if (!p.stage.number || p.launch.descriptor_offset != offset || p.raw != raw || p.vfe != *state.vfe ||
      p.stage.bases != around.bases)
    return false;
  if (!p.kernel_is_current)
    p.kernel_is_current = around.programs.is_at(around.memory, *p.stage.state.kernel,
                                                around.bases.instruction.address + p.launch.descriptor.kernel_start,
                                                system_routine(around.bases));
  if (p.kernel_is_current && !p.stage.state.bindings->hold(around.memory)) rebind(p.stage);
  return p.kernel_is_current;
}

const char* const no_vfe = "threads are dispatched before MEDIA_VFE_STATE";

}  // namespace

tl::expected<Launch, Fault> launch_at(const State& state, dispatch::ProgramCache& programs, const Traits& traits,
                                      const state::Bases& bases, memory::View& memory, uint32_t offset) {
  if (!state.vfe) return failed(no_vfe);
  return launch_by(state, programs, traits, bases, memory, offset, read_descriptor(bases, memory, offset));
}

tl::expected<Prepared*, Fault> prepare(const State& state, Surroundings& around, unsigned number) {
  uint32_t offset = number * commands::interface_descriptor_bytes;
  if (offset + commands::interface_descriptor_bytes > state.descriptors.length)
    return failed(
        fmt::format("interface descriptor {} is not loaded ({} bytes are)", number, state.descriptors.length));
  if (!state.vfe) return failed(no_vfe);
  offset += state.descriptors.start;
  Prepared& p = around.prepared;
  const RawDescriptor raw = read_descriptor(around.bases, around.memory, offset);
  if (serves(p, state, around, offset, raw)) return &p;
  p.stage.number = 0;
  tl::expected<Launch, Fault> launch =
      launch_by(state, around.programs, around.traits, around.bases, around.memory, offset, raw);
  if (!launch) return tl::unexpected<Fault>(std::move(launch.error()));
  p.raw = raw;
  p.vfe = *state.vfe;
  p.launch = std::move(*launch);
  p.stage = stage_for(state, around, p.launch);
  p.kernel_is_current = true;
  return &p;
}

void read_curbe(const State& state, const state::Bases& bases, memory::View& memory, uint32_t first_register,
                std::span<std::byte> to) {
  const size_t from = first_register * reg_bytes, loaded = state.curbe.length;
  const size_t there = from < loaded ? std::min(to.size(), loaded - from) : 0;
  if (there) memory.read(bases.dynamic.address + state.curbe.start + from, to.first(there));
  std::fill(to.begin() + std::ptrdiff_t(there), to.end(), std::byte{});
}

void read_indirect(const state::Bases& bases, memory::View& memory, uint32_t start, uint32_t length,
                   std::span<std::byte> to) {
  const size_t there = std::min<size_t>(to.size(), length);
  memory.read(bases.indirect.address + start, to.first(there));
  std::fill(to.begin() + std::ptrdiff_t(there), to.end(), std::byte{});
}

Outcome run(Surroundings& around, const dispatch::Stage& stage, const dispatch::Threads& threads) {
  std::optional<Fault> fault = around.caller.run(stage, threads, around.counts);
  if (!fault) return {};
  return tl::unexpected<Fault>(std::move(*fault));
}

uint32_t barrier_bits(const shared::GatewayLayout& layout, unsigned id) {
  Word128 w;
  deposit(w, layout.barrier().id, id);
  deposit(w, layout.barrier().id_high, id >> unsigned(layout.barrier().id.width()));
  return uint32_t(w.lo);
}

}  // namespace vitro::media
