// A dispatch: groups of threads that one command starts, and what comes of them. PRM: GPGPU and media thread dispatch,
// Gen8 vol 7. Whoever dispatches (walkers, later the stages of the 3D pipeline) describes here once what its threads
// run with, and for each dispatch which threads there are; the pool runs them. A thread's registers are filled by a
// function of the dispatcher at the moment the thread starts, in place.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/fault.h"
#include "base/result.h"
#include "dispatch/program_cache.h"
#include "eu/executor.h"
#include "memory/view.h"
#include "shared/bindings.h"
#include "shared/spawner.h"
#include "state/bases.h"
#include "state/sampler.h"

namespace vitro::dispatch {

// Which thread is started, and what it is given.
struct Seat {
  uint64_t group = 0;
  unsigned thread = 0;   // of the group
  unsigned fftid = 0;    // no other thread of the dispatch that lives at the same time has it
  unsigned barrier = 0;  // the id of the group's barrier
};

// What a kind of thread is started with, besides its payload.
struct ThreadState {
  std::shared_ptr<const Kernel> kernel;
  uint32_t binding_table = 0, sampler_table = 0;
  uint32_t cr0 = 0, cr1 = 0;                     // cr0.0 and cr0.1
  code::ChainForm chain{};                       // how its threads follow each other
  std::shared_ptr<shared::Bindings> bindings{};  // what the tables lead to
};

// A thread that a thread asked for. The function fills the child's registers and masks.
struct Spawning {
  Result<ThreadState> (*start)(void* context, memory::View& memory, const shared::SpawnRequest& request, unsigned fftid,
                               eu::Thread& child) = nullptr;
  void* context = nullptr;
};

// What to count; all of it is off unless asked for, and then costs nothing.
struct Wanted {
  bool messages = false, opcodes = false;
};

// What all threads of a batch run with, whatever starts them. Whoever runs the batch has it; the others refer to it.
struct Run {
  eu::Clock clock{};
  eu::Observer observer{};
  uint64_t instruction_limit = 0;               // of one thread, after which it counts as hung; 0: default
  const std::function<bool()>* stop = nullptr;  // asked now and then, by the host thread that called; true abandons all
  Wanted wanted{};
};
inline const Run plain_run{};

// What threads of a group do not share, where a function need not be asked for it: data and dispatch masks, of one
// thread after the other.
struct Own {
  // Fills r0, which is another in each group, and common to its threads.
  void (*group)(const void* context, const Seat& seat, eu::Thread& thread) = nullptr;
  // How many groups after this one have an r0 that counts up from its own in this dword; none: not one.
  uint64_t (*in_row)(const void* context, uint64_t group) = nullptr;
  unsigned counter = 0;
  const std::byte* data = nullptr;
  size_t bytes = 0;  // of each thread, whole registers
  size_t at = 0;     // where in the registers
  const uint32_t* masks = nullptr;
};

// Threads that have nothing in common but constants, all in one group: where each has its registers, and what its
// shared functions know of it (code::ChainForm, which the stage's state has).
struct Apart {
  const std::byte* payloads = nullptr;        // registers below `own` of one thread after the other
  const std::byte* const* seconds = nullptr;  // where each has those from `second` on
  size_t second_bytes = 0;                    // so many of them
  const std::byte* records = nullptr;
  size_t record_bytes = 0;          // of each
  std::byte** record = nullptr;     // is told which one is the current thread's
  const uint32_t* masks = nullptr;  // for dispatch
};

// What threads run with whatever they are given: a kernel and all around it. It is made once and serves one dispatch
// after the other for as long as what it was made of does not change.
struct Stage {
  // No other stage of this process has it, and the stage stays as it is: what hosts derive from it they may keep for
  // its next dispatch. 0: they may not.
  uint64_t number = 0;
  ThreadState state;
  uint8_t ffid = 7;            // who starts them: the thread spawner, or a stage of the 3D pipeline
  bool barrier = false;        // a group has a barrier of as many threads as it has
  bool bypass_gateway = true;  // gateways need not be opened
  uint32_t slm_bytes = 0;      // of a group
  unsigned thread_limit = 64;  // FFTIDs there are
  bool in_order = false;       // one group after the other
  Spawning spawning{};         // its threads may have children, if set
  std::optional<eu::SharedFunction> urb{};

  std::shared_ptr<const memory::Table> memory;
  bool strict = false;  // an access to nothing is a Fault
  state::Bases bases{};
  std::array<state::ChromaKey, 4> chroma_keys{};  // of samplers
  const Run* run = &plain_run;
};
inline uint64_t new_stage_number() {
  static std::atomic<uint64_t> last{0};
  return ++last;
}
// What its tables lead to is found anew, as it is now.
inline void rebind(Stage& stage) {
  stage.number = new_stage_number();
  stage.state.bindings = std::make_shared<shared::Bindings>();
}

// The threads of one dispatch: how many there are, and what each is given.
struct Threads {
  uint64_t groups = 0;
  unsigned threads = 1;                                                   // of each group, at most...
  unsigned (*threads_of)(const void* context, uint64_t group) = nullptr;  // ...or of this one
  // Fills r0 and what follows, and the dispatch masks: sr0.2, and sr0.3 if it is not to be made from it. It computes no
  // floats, as the host may be in the modes of the thread before.
  void (*start)(const void* context, const Seat& seat, eu::Thread& thread) = nullptr;
  const void* context = nullptr;
  std::optional<Own> own{};      // all that `start` does, beyond the first thread of a group in the same seat
  const Apart* apart = nullptr;  // likewise, of threads of another kind
};

// Threads of a group have nothing in common but what they can do to memory: they need not run in one place.
inline bool divisible(const Stage& s, const Threads& t) {
  return !s.state.kernel->waits && !s.barrier && !s.slm_bytes && !t.threads_of && !s.in_order && !s.spawning.start &&
         !s.urb;
}

struct ThreadCounts {
  uint64_t groups = 0, threads = 0, instructions = 0;
  uint64_t compiled_threads = 0;     // that ran as machine code, for a part at least
  uint64_t substituted_threads = 0;  // that ran in another form (substitutes.h)

  ThreadCounts& operator+=(const ThreadCounts& c) {
    groups += c.groups, threads += c.threads, instructions += c.instructions, compiled_threads += c.compiled_threads;
    substituted_threads += c.substituted_threads;
    return *this;
  }
};
struct Counts : ThreadCounts {
  std::chrono::nanoseconds spent{};  // from the start of a dispatch to its end
  memory::Misses misses{};
  std::map<std::pair<uint8_t, std::string>, uint64_t> messages{};  // by SFID and name
  std::map<std::string, uint64_t> opcodes{};
  std::map<std::string, uint64_t> illegal{};  // opcodes passed over, by kernel and the first of them

  Counts& operator+=(const Counts& c) {
    ThreadCounts::operator+=(c);
    spent += c.spent;
    misses += c.misses;
    const auto add = [](auto& to, const auto& from) {
      for (const auto& [what, count] : from) to[what] += count;
    };
    add(messages, c.messages), add(opcodes, c.opcodes), add(illegal, c.illegal);
    return *this;
  }
};

}  // namespace vitro::dispatch
