// Running one thread: the interpreter's loop and what its handlers see.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>

#include "base/fault.h"
#include "eu/message.h"
#include "eu/plan.h"
#include "eu/thread.h"

namespace vitro::eu {

enum class Status : uint8_t {
  running,  // the budget is used up
  waiting,  // at a wait or a message that could not be taken: something else must happen first
  ended,    // EOT
  faulted,
};

// Sees every instruction before and after it ran.
struct Observer {
  void (*before)(void* context, const Thread&, const Plan&, uint32_t write_enable) = nullptr;
  void (*after)(void* context, const Thread&, const Plan&, uint32_t write_enable) = nullptr;
  void* context = nullptr;
};

// The time that tm0 shows, common to all threads; without one it is a count of instructions.
struct Clock {
  uint64_t (*now)(void* context) = nullptr;
  void* context = nullptr;
};

// Threads of one program that take one another's place, for compiled code, which need not return between them. Those of
// a group differ in data of their own and in their masks only, so that code can make one out of the other; or all of
// them are there at once and take turns. The functions compute no floats: the host is in the code's modes.
struct ThreadChain {
  // Puts any other thread in the place of one that has ended, with its registers filled and its executor's counts at
  // zero; false: there is none.
  bool (*start)(void* context) = nullptr;
  // The same for the first of another group, where the registers of the last one are as they were at its start: what
  // threads of that group have in common is filled in, and all of them are left; false: not so.
  bool (*open_group)(void* context) = nullptr;
  // The thread waits or has ended: another one whose turn it is, for so many instructions; null: it is nobody's.
  struct Executor* (*turn)(void* context, uint64_t& instructions) = nullptr;
  void* context = nullptr;
  // The rest of the group, if it is known.
  int64_t next = 0;                     // thread, from the end of the group: below zero, or there is none left
  const std::byte* own_end = nullptr;   // behind the data of its last thread; those of others stand before them
  size_t own_distance = 0;              // from those of one thread to those of the next
  size_t own_bytes = 0;                 // as many of them as matter, whole registers
  std::byte* own_to = nullptr;          // where in the registers
  const uint32_t* masks_end = nullptr;  // dispatch masks, as own_end
  uint32_t cr = 0;                      // cr0.0 at the start
  // Registers from r0 on that they are started with, but for what the group's threads have in common with no other
  // group's: r0. Those of each thread stand behind those of the one before.
  static constexpr size_t most_payload = 48;  // registers; code that needs more finds them in the image
  const std::byte* payloads_end = nullptr;
  size_t payload_distance = 0;
  // Of threads that are apart (code::ChainForm): where each has its other registers, by the end likewise, and where
  // those go if somebody looks; a record of each, and a place that says which one is the current thread's.
  const std::byte* const* seconds_end = nullptr;
  std::byte* second_to = nullptr;
  size_t second_bytes = 0;
  const std::byte* records_end = nullptr;
  size_t record_distance = 0;
  std::byte** record = nullptr;
  // Groups that come next and are known, too: they have as many threads, and their r0 is the last one's plus a step.
  uint64_t groups = 0;
  int64_t first = 0;  // `next` when they begin
  alignas(32) std::array<uint32_t, 8> step{};
  // Instructions of threads that have ended and were followed by one of their group, since somebody looked.
  uint64_t instructions = 0;
};

// Illegal opcodes whose exception is off: the thread passes over them.
struct PassedOver {
  uint64_t count = 0;
  uint32_t first_ip = 0;  // of the first one, and what stands there
  uint8_t first_code = 0;
  uint32_t next_ip = 0, in_a_row = 0;
};

struct Executor {
  Thread& thread;
  const Program& program;
  const SharedFunctions& functions;
  uint32_t sip = 0;  // the system routine
  Observer observer{};
  Status status = Status::running;
  std::optional<Fault> fault{};
  uint64_t executed = 0;  // instructions
  bool fresh = false;     // the thread is at its start, as whoever started it left it
  PassedOver passed_over{};
  Clock clock{};
  ThreadChain chain{};
  std::span<Window> windows{};  // of compiled code's messages; kept between runs of one dispatch's threads

  // Runs until something happens or `budget` instructions are done.
  Status run(uint64_t budget);
  void stop(std::string reason);
  void stop(Fault why);
  // An instruction has led to the fault: the thread stays there.
  void place_fault(const Plan&);
};

// A predicate that combines bits of the flag, from bit 0.
uint32_t combined_predicate(const Thread&, const Plan&);
// The predicate alone, from bit 0; all ones without predication (PR-01, PR-02). The flag is read from FlagSubRegNum's
// half on, at the instruction's first channel.
inline uint32_t predicate_mask(const Thread& t, const Plan& p) {
  if (p.predicate == Plan::Predicate::none) return ~0u;
  return (p.predicate == Plan::Predicate::plain ? t.flag[p.flag_reg] >> p.flag_shift : combined_predicate(t, p)) ^
         p.flag_flip;
}
// Channels that run: the active ones, or all if the instruction says NoMask; from bit 0 (MK-01).
inline uint32_t running(const Thread& t, const Plan& p) { return (t.active >> p.channel | p.no_mask) & p.lane_mask; }
// Those an instruction works on: the predicate's.
inline uint32_t write_enable(const Thread& t, const Plan& p) { return running(t, p) & predicate_mask(t, p); }

// The host's modes for an instruction of the thread.
uint32_t host_floats(const Program&, const Thread&, const Plan&);

}  // namespace vitro::eu
