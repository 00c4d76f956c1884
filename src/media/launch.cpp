// Reading interface descriptors and constants, and making dispatches of them. PRM: as launch.h; 0 IEEE and 1 ALT
// floats, Single Program Flow and rounding go to cr0.0, exception enables to cr0.1. The mask stack is not modelled, so
// its exception cannot happen, and Denorm Mode changes nothing: kernels begin with flushed denormals either way.
#include "media/launch.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/bits.h"

namespace vitro::media {

tl::unexpected<Failure> failure(std::string reason) {
  return tl::unexpected<Failure>(Failure{std::move(reason), std::nullopt});
}

tl::expected<Launch, Failure> launch_at(const State& state, dispatch::ProgramCache& programs, const Traits& traits,
                                        const state::Bases& bases, memory::View& memory, uint32_t offset) {
  if (!state.vfe) return failure("threads are dispatched before MEDIA_VFE_STATE");
  std::array<uint32_t, commands::interface_descriptor_dwords> raw{};
  memory.read(bases.dynamic.address + offset, std::as_writable_bytes(std::span(raw)));
  Launch l;
  l.descriptor = traits.descriptor(raw);
  l.descriptor_offset = offset;
  const commands::InterfaceDescriptor& d = l.descriptor;
  const std::optional<uint32_t> slm = traits.slm_bytes(d.slm_size);
  if (!slm) return failure(fmt::format("reserved shared local memory size {} in the interface descriptor", d.slm_size));
  if (d.global_barrier) return failure("unsupported: global barrier");
  l.slm_bytes = *slm;
  l.header = {.samplers = d.sampler_table | state.vfe->scratch_size,
              .bindings = d.binding_table | state.vfe->stack_size,
              .scratch = uint32_t(state.vfe->scratch_base),
              .scratch_shift = 10u + state.vfe->scratch_size,
              .fftid_mask = traits.fftid_mask};
  const bool exceptions = d.software_exception || d.illegal_opcode_exception;
  l.state = {.kernel = programs.find(memory, bases.instruction.address + d.kernel_start,
                                     bases.sip ? bases.instruction.address + bases.sip : 0, exceptions),
             .binding_table = d.binding_table,
             .sampler_table = d.sampler_table,
             .cr0 = (d.alternate_floats ? eu::cr_alt_mode : 0u) | (d.single_program_flow ? eu::cr_spf : 0u) |
                    uint32_t(d.rounding) << eu::cr_rounding_shift,
             .cr1 = uint32_t(d.software_exception) << int(eu::Exception::software) |
                    uint32_t(d.illegal_opcode_exception) << int(eu::Exception::illegal_opcode)};
  return l;
}

tl::expected<Launch, Failure> launch_of(const State& state, Surroundings& around, unsigned number) {
  const uint32_t offset = number * commands::interface_descriptor_bytes;
  if (offset + commands::interface_descriptor_bytes > state.descriptors.length)
    return failure(
        fmt::format("interface descriptor {} is not loaded ({} bytes are)", number, state.descriptors.length));
  return launch_at(state, around.programs, around.traits, around.bases, around.memory,
                   state.descriptors.start + offset);
}

std::vector<std::byte> read_curbe(const State& state, const state::Bases& bases, memory::View& memory,
                                  uint32_t first_register, size_t bytes) {
  std::vector<std::byte> data(bytes);
  const size_t from = first_register * reg_bytes, loaded = state.curbe.length;
  if (from < loaded)
    memory.read(bases.dynamic.address + state.curbe.start + from,
                std::span(data).first(std::min(bytes, loaded - from)));
  return data;
}

std::vector<std::byte> read_indirect(const state::Bases& bases, memory::View& memory, uint32_t start, uint32_t length,
                                     size_t bytes) {
  std::vector<std::byte> data(bytes);
  memory.read(bases.indirect.address + start, std::span(data).first(std::min<size_t>(bytes, length)));
  return data;
}

dispatch::Work work_for(const State& state, Surroundings& around, const Launch& launch) {
  dispatch::Work w;
  w.state = launch.state;
  w.slm_bytes = launch.slm_bytes;
  w.barrier = launch.descriptor.barrier;
  w.bypass_gateway = around.traits.gateway->always_bypassed || state.vfe->bypass_gateway;
  w.thread_limit = state.vfe->maximum_threads ? state.vfe->maximum_threads + 1u : around.traits.threads;
  w.memory = around.memory.table();
  w.strict = around.memory.strict();
  w.bases = around.bases;
  w.clock = around.clock;
  w.observer = around.observer;
  w.instruction_limit = around.instruction_limit;
  w.stop = around.stop;
  w.wanted = around.wanted;
  return w;
}

Outcome run(Surroundings& around, const dispatch::Work& work) {
  dispatch::Outcome o = around.pool.run(work);
  if (around.counts) *around.counts += o.counts;
  if (!o.fault) return {};
  std::string reason = o.fault->to_text();
  return tl::unexpected<Failure>(Failure{std::move(reason), std::move(o.fault)});
}

uint32_t barrier_bits(const shared::GatewayLayout& layout, unsigned id) {
  Word128 w;
  deposit(w, layout.barrier_id, id);
  deposit(w, layout.barrier_id_high, id >> unsigned(layout.barrier_id.width()));
  return uint32_t(w.lo);
}

}  // namespace vitro::media
