// A bench for tests of the streamer: an engine with a stretch of PPGTT and one of GGTT, and batches written as dwords
// by hand, so that the layouts are tested and not only used. PRM: Gen8 vol 2a; Gen6 vol 1 part 5.
#pragma once

#include <gtest/gtest.h>

#include <initializer_list>
#include <memory>
#include <vector>

#include "memory/address_space.h"
#include "streamer/rows_ran_test.h"
#include "streamer/streamer.h"

namespace vitro::streamer::bench {

using Dwords = std::vector<uint32_t>;

inline const std::vector<const CommandSet*> later{&commands_gen8, &commands_gen9};
inline const std::vector<const CommandSet*> every{&commands_gen6, &commands_gen8, &commands_gen9};

// A command: opcode, other bits of the header, the dwords behind it.
inline Dwords mi(uint32_t opcode, uint32_t bits = 0, Dwords payload = {}) {
  Dwords d{opcode << 23 | bits | (payload.empty() ? 0 : uint32_t(payload.size() - 1))};
  d.insert(d.end(), payload.begin(), payload.end());
  return d;
}
inline Dwords end() { return {0x05000000}; }
inline Dwords sdi(uint64_t address, uint32_t value) {
  return {0x10000002, uint32_t(address), uint32_t(address >> 32), value};
}
inline Dwords sdi_gen6(uint32_t address, uint32_t value) { return {0x10000002, 0, address, value}; }
inline Dwords lri(uint32_t reg, uint32_t value) { return {0x11000001, reg, value}; }
inline Dwords lri64(uint32_t reg, uint64_t value) {
  return {0x11000003, reg, uint32_t(value), reg + 4, uint32_t(value >> 32)};
}
inline Dwords srm(uint32_t reg, uint64_t address, uint32_t bits = 0) {
  return {0x12000002 | bits, reg, uint32_t(address), uint32_t(address >> 32)};
}
inline Dwords bbs(uint64_t address, uint32_t bits = 1 << 8) {
  return {0x18800001 | bits, uint32_t(address), uint32_t(address >> 32)};
}
inline constexpr uint32_t second_level = 1 << 22, global = 1 << 22;

inline Dwords join(std::initializer_list<Dwords> parts) {
  Dwords all;
  for (const Dwords& p : parts) all.insert(all.end(), p.begin(), p.end());
  return all;
}

struct Bench {
  static constexpr uint64_t batch_at = 0x10000, data_at = 0x20000, bytes = 0x40000, ggtt_at = 0x40000;

  explicit Bench(const CommandSet& commands, commands::Engine engine = commands::Engine::render)
      : set(recording(commands).set), state(set, engine) {
    ppgtt_space.bind(std::vector<memory::Range>{{batch_at, bytes, ppgtt_bytes.data()}});
    ggtt_space.bind(std::vector<memory::Range>{{ggtt_at, bytes, ggtt_bytes.data()}});
  }

  // Runs dwords that are placed at batch_at.
  std::optional<Fault> run(const Dwords& dwords) {
    place(batch_at, dwords);
    return start({batch_at});
  }
  // Runs them in the GGTT, where a batch is privileged.
  std::optional<Fault> run_privileged(const Dwords& dwords) {
    std::memcpy(ggtt_bytes.data(), dwords.data(), 4 * dwords.size());
    return start({ggtt_at, true});
  }
  std::optional<Fault> start(const Start& s) {
    memory::View ppgtt(ppgtt_space.table(), strict), ggtt(ggtt_space.table(), strict);
    Surroundings around{ppgtt, ggtt, [this] { return clock; }};
    around.counts = &counts;
    around.interrupt = [this] { ++interrupts; };
    around.stop = stop;
    around.command_budget = command_budget;
    around.patience = patience;
    around.slices = slices;
    around.context_id = 77;
    around.renderer = renderer;
    around.programs = programs;
    around.three_d = three_d;
    return streamer::run(set, state, around, s);
  }
  void place(uint64_t address, const Dwords& dwords) {
    std::memcpy(ppgtt_bytes.data() + (address - batch_at), dwords.data(), 4 * dwords.size());
  }
  uint32_t& at(uint64_t address) { return *reinterpret_cast<uint32_t*>(ppgtt_bytes.data() + (address - batch_at)); }
  uint64_t& qword_at(uint64_t address) {
    return *reinterpret_cast<uint64_t*>(ppgtt_bytes.data() + (address - batch_at));
  }
  uint32_t& global_at(uint64_t address) {
    return *reinterpret_cast<uint32_t*>(ggtt_bytes.data() + (address - ggtt_at));
  }
  uint32_t reg(uint32_t mmio) const { return state.registers.get(mmio); }

  const CommandSet& set;
  State state;
  Counts counts;
  memory::AddressSpace ppgtt_space, ggtt_space;
  std::vector<std::byte> ppgtt_bytes = std::vector<std::byte>(bytes), ggtt_bytes = std::vector<std::byte>(bytes);
  std::function<bool()> stop;
  uint64_t clock = 0x9'1234'5678, interrupts = 0, command_budget = 100'000;
  std::chrono::milliseconds patience{50};
  unsigned slices = 1;
  bool strict = false;
  // For tests that draw.
  pipeline::Renderer* renderer = nullptr;
  dispatch::ProgramCache* programs = nullptr;
  const pipeline::Traits* three_d = nullptr;
};

inline std::string text(const std::optional<Fault>& f) { return f ? f->command + ": " + f->text() : "none"; }

}  // namespace vitro::streamer::bench

#define ASSERT_RUNS(outcome)                                                    \
  do {                                                                          \
    const auto fault_ = (outcome);                                              \
    ASSERT_FALSE(fault_.has_value()) << ::vitro::streamer::bench::text(fault_); \
  } while (false)
