// What commands touch besides memory: registers with their hooks and rules, the clock, interrupts, and which address
// space a command may use. PRM: Gen8 vol 2c; "User Mode Privileged Commands". A batch in the PPGTT is a user batch: its
// writes to the kernel's registers and its GGTT accesses are dropped and counted, as the hardware drops them. Which
// chicken bits real whitelists leave out is not enforced: drivers only write them where they may.
#include <array>
#include <string>

#include "streamer/handlers.h"

namespace vitro::streamer {

using registers::Hook;

namespace {

uint32_t plain(Execution& e, uint32_t mmio, uint32_t) { return e.state.registers.get(mmio); }
uint32_t clock_half(Execution& e, uint32_t, uint32_t dword) { return uint32_t(timestamp(e) >> 32 * dword); }
uint32_t context_clock(Execution& e, uint32_t, uint32_t) {
  return uint32_t(e.state.ran_ticks + (timestamp(e) - e.began));
}
uint32_t result_2(Execution& e, uint32_t, uint32_t) { return own_register(e, registers::cs::predicate_result_2); }

uint32_t counter(Execution& e, uint32_t mmio, uint32_t) {
  drain_or_note(e, pipeline::DrainReason::register_read);
  return e.state.registers.get(mmio);
}

// By hook.
using Read = uint32_t (*)(Execution&, uint32_t mmio, uint32_t dword);
constexpr std::array<Read, 5> reads{plain, clock_half, context_clock, result_2, counter};
// Where a write goes.
using Target = uint32_t (*)(const Execution&, uint32_t mmio);
constexpr Target itself = [](const Execution&, uint32_t mmio) { return mmio; };
constexpr Target second_result = [](const Execution& e, uint32_t) {
  return e.state.registers.base() + registers::cs::predicate_result_2;
};
constexpr std::array<Target, 5> targets{itself, itself, itself, second_result, itself};

void count_unknown(Execution& e, uint32_t mmio) {
  if (e.around.counts) ++e.around.counts->unknown_registers[mmio];
}
void count_violation(Execution& e, std::string_view name) {
  if (e.around.counts) ++e.around.counts->privileged[std::string(name)];
}
bool global_allowed(const Execution& e) { return e.privileged() || e.commands.traits.user_ggtt; }

}  // namespace

uint32_t own_register(const Execution& e, uint32_t offset) {
  return e.state.registers.get(e.state.registers.base() + offset);
}

uint32_t read_register(Execution& e, uint32_t mmio) {
  const registers::Found found = registers::find(e.commands.registers, mmio);
  if (found.reg) return reads[size_t(found.reg->hook)](e, mmio, found.dword);
  count_unknown(e, mmio);
  return e.state.registers.get(mmio);
}

void write_register(Execution& e, uint32_t mmio, uint32_t value, uint32_t bits) {
  registers::File& file = e.state.registers;
  static constexpr registers::Register unknown{"unknown"};
  const registers::Found found = registers::find(e.commands.registers, mmio);
  if (!found.reg) {
    count_unknown(e, mmio);
    return file.set(mmio, registers::merged(unknown, file.get(mmio), value, bits));
  }
  if (found.reg->owner == registers::Owner::kernel && !e.privileged()) return count_violation(e, found.reg->name);
  if (found.reg->hook == Hook::statistics) drain_or_note(e, pipeline::DrainReason::register_read);
  const uint32_t target = targets[size_t(found.reg->hook)](e, mmio);
  file.set(target, registers::merged(*found.reg, file.get(target), value, bits));
}

memory::View& own_space(Execution& e, bool global) {
  return global && global_allowed(e) ? e.around.ggtt : e.around.ppgtt;
}
memory::View* permitted_space(Execution& e, bool global) {
  if (!global) return &e.around.ppgtt;
  if (global_allowed(e)) return &e.around.ggtt;
  count_violation(e, e.row->name);
  return nullptr;
}
bool permitted(Execution& e) {
  if (e.privileged()) return true;
  count_violation(e, e.row->name);
  return false;
}

uint64_t timestamp(Execution& e) {
  constexpr uint64_t bits = (uint64_t{1} << 36) - 1;
  return e.around.clock ? e.around.clock() & bits : 0;
}

void interrupt(Execution& e) {
  if (e.around.counts) ++e.around.counts->interrupts;
  if (e.around.interrupt) e.around.interrupt();
}

void reset_statistics(Execution& e) {
  drain_or_note(e, pipeline::DrainReason::register_read);
  for (uint32_t mmio = 0x2300; mmio < 0x2358; mmio += 4) e.state.registers.set(mmio, 0);
}

}  // namespace vitro::streamer
