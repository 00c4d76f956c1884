// The command streamer of one engine: fetches commands of a batch, finds their rows and runs them.
// PRM: Gen8 vol 2a MI_*, PIPE_CONTROL, STATE_*; "Batch Buffers" and "User Mode Privileged Commands" of the device
// programming interface. A State is what the hardware keeps in a context image: it survives batches. Not modelled:
// rings and execlists (the caller decides which batch runs), prefetching (a command that was rewritten by an earlier
// one is always seen), and time: a command has happened before the next one begins.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "blitter/commands.h"
#include "commands/engine.h"
#include "commands/inventory.h"
#include "dispatch/pool.h"
#include "dispatch/program_cache.h"
#include "dispatch/work.h"
#include "media/state.h"
#include "memory/view.h"
#include "pipeline/make_draw.h"
#include "pipeline/renderer.h"
#include "registers/file.h"
#include "state/bases.h"
#include "state/pipeline.h"
#include "streamer/rows.h"

namespace vitro::decode {
class Language;
struct Generation;
}  // namespace vitro::decode

namespace vitro::streamer {

enum class Pipeline : uint8_t { three_d, media, gpgpu };

// What differs between generations and is no row.
struct Traits {
  bool user_ggtt = false;  // GGTT selects of user batches are honoured: both spaces hold the same objects
};

// Every command and register a generation has.
class CommandSet {
 public:
  CommandSet(std::string_view name, const registers::Table& registers, Traits traits,
             std::initializer_list<std::span<const Row>> rows, std::span<const commands::Listed> inventory,
             const decode::Generation& generation);
  // The row of this command on this engine; nullptr if there is none.
  const Row* find(uint32_t header, commands::Engine engine) const;
  // The row of this command on whatever engine has it.
  const Row* find_anywhere(uint32_t header) const;
  std::span<const Row> rows() const { return rows_; }
  // For those who print commands; made when it is asked for.
  const decode::Language& language() const;

  const std::string_view name;
  const registers::Table& registers;
  const Traits traits;
  const decode::Generation& generation;

 private:
  std::vector<Row> rows_;  // sorted by header
  struct Lazy;
  std::shared_ptr<Lazy> lazy_;  // the language, once it is there
};
extern const CommandSet commands_gen6, commands_gen8, commands_gen9;

// What one context keeps on one engine.
struct State {
  State(const CommandSet& commands, commands::Engine engine);

  commands::Engine engine;
  registers::File registers;
  state::Bases bases{};
  Pipeline pipeline = Pipeline::three_d;
  uint8_t set_predicate = 0;                             // MI_SET_PREDICATE's condition
  uint8_t topology_filter = 0;                           // MI_TOPOLOGY_FILTER; 0: off
  bool arbitration = true;                               // MI_ARB_ON_OFF
  bool resource_streamer = true;                         // MI_RS_CONTROL
  uint32_t urb_atomic_offset = 0, urb_atomic_bytes = 0;  // MI_URB_ATOMIC_ALLOC
  std::vector<uint32_t> urb;                             // the part of the URB that MI commands reach
  std::array<uint32_t, 1024> status_page{};              // per-process hardware status page
  std::array<uint32_t, 1024> global_status_page{};       // used while HWS_PGA names no other
  uint64_t ran_ticks = 0;                                // CTX_TIMESTAMP: how long this context has run
  media::State media{};
  blitter::State blitter{};
  state::Pipeline three_d{};
  uint64_t draws = 0;                               // so far
  std::array<std::vector<uint32_t>, 2> palettes{};  // 3DSTATE_SAMPLER_PALETTE_LOAD*
  // The latest packet of every state command that nothing uses, by name.
  std::map<std::string_view, std::vector<uint32_t>> packets;
};

struct Counts {
  std::unordered_map<std::string_view, uint64_t> commands;
  std::map<std::string, uint64_t> unsupported;
  std::map<uint32_t, uint64_t> unknown_registers;  // by MMIO offset
  std::map<std::string, uint64_t> privileged;      // commands and registers a user batch may not use, by name
  uint64_t batches = 0, interrupts = 0, signals = 0;
  uint64_t draws = 0;
  pipeline::DrainCounts drains{};  // of scenes, by reason
};

// What an engine finds around it while it runs a batch. Belongs to one host thread.
struct Surroundings {
  memory::View& ppgtt;
  memory::View& ggtt;
  std::function<uint64_t()> clock;    // TIMESTAMP, 36 bits
  std::function<bool()> stop{};       // asked now and then; true abandons the batch
  std::function<void()> interrupt{};  // MI_USER_INTERRUPT and Notify Enable
  std::function<void(uint64_t address, std::span<const uint32_t>)> trace{};  // sees every command before it runs
  Counts* counts = nullptr;
  uint64_t command_budget = 100'000'000;       // commands of one batch after which it counts as hung
  std::chrono::milliseconds patience{10'000};  // of a semaphore wait, after which the batch counts as hung
  unsigned slices = 1;
  // What threads need: the streamer only hands it on to src/streamer/media_rows.cpp. Without a pool and a cache,
  // commands that start threads are unsupported.
  dispatch::Pool* pool = nullptr;
  dispatch::ProgramCache* programs = nullptr;
  const media::Traits* media = nullptr;
  // Without a renderer, draws are unsupported.
  pipeline::Renderer* renderer = nullptr;
  const pipeline::Traits* three_d = nullptr;
  dispatch::Run run{};
  dispatch::Counts* thread_counts = nullptr;
  uint32_t context_id = 0;  // in performance reports
};

// A write of PIPE_CONTROL: to memory or to a hardware status page.
struct PostSync {
  bool to_status_page = false, global = false;
  uint64_t address = 0;
  uint64_t value = 0;
  bool is_dword = false;  // else a qword
  size_t mark = 0;        // the value is PS_DEPTH_COUNT there; 0: as it is
  bool operator==(const PostSync&) const = default;
};

enum class Level : uint8_t { ring, first, second };

// Where a level reads: the hardware has one address per level and no stack.
struct Place {
  uint64_t address = 0, start = 0;
  bool ggtt = false;
  bool resource_streamer = false;
};

struct Start {
  uint64_t address = 0;
  bool ggtt = false;  // a batch in the GGTT is privileged
  Level level = Level::first;
  uint64_t bytes =
      0;  // of a ring, which ends there; a batch ends by MI_BATCH_BUFFER_END, as the hardware knows no size
};

// The engine while it runs a batch: what handlers work on.
struct Execution {
  const CommandSet& commands;
  State& state;
  Surroundings& around;
  // Where commands are fetched: apart from what they read and write, so that both find again what they used last.
  memory::View ppgtt_commands{around.ppgtt.table()}, ggtt_commands{around.ggtt.table()};
  std::array<Place, 3> places{};
  Level level = Level::first;
  bool from_ring = false;  // batches return to a ring
  bool ended = false;
  uint64_t command_address = 0;
  uint64_t began = 0;  // on the clock
  struct Found {
    uint32_t header = 0;
    const Row* row = nullptr;
    // The row's last packet in this batch, if it is repeatable and not long.
    uint32_t dwords = 0;
    std::array<uint32_t, 16> packet;
  };
  std::array<Found, 256> found{};    // rows of this engine, by header
  std::vector<uint64_t> executed{};  // commands, by row, where somebody counts
  const Row* row = nullptr;          // of the running command
  Found* found_at = nullptr;
  bool keeps_memory = false;  // the running command leaves kernels and state in memory as they are: said by the few
                              // that matter
  std::optional<dispatch::Caller> caller{};  // from the first command on that needs them
  std::optional<media::Surroundings> media{};
  dispatch::Counts uncounted{};  // where nobody counts threads
  std::optional<pipeline::DrawMaker> draws{};
  bool scene_open = false;             // something was drawn and not drained since...
  bool scene_uses_memory = false;      // ...that may write memory other than targets, or whose pixels may yet read it
  bool stalled = false;                // what follows was to wait for it
  std::vector<PostSync> post_syncs{};  // writes that wait until what was drawn before them is drained, in order...
  bool post_syncs_change = false;      // ...and that memory would not be as it is now after them
  std::optional<Fault> drain_fault{};  // of a drain where a command could not say so

  Place& place() { return places[size_t(level)]; }
  bool privileged() const { return level == Level::ring || places[size_t(level)].ggtt; }
};

// Runs a batch to its end. nullopt: it ended by itself.
std::optional<Fault> run(const CommandSet& commands, State& state, Surroundings& around, const Start& start);

// One command in one line. Used in reports and traces.
std::string describe(const CommandSet& commands, std::span<const uint32_t> packet,
                     commands::Engine engine = commands::Engine::render);

// Bit 0 of MI_PREDICATE_RESULT: commands with their own predicate bit execute only if it is set.
bool predicate(const Execution& e);
// A register as commands see it: hooks (clocks) and access rules apply.
uint32_t read_register(Execution& e, uint32_t offset);
void write_register(Execution& e, uint32_t offset, uint32_t value, uint32_t byte_mask = 0xFFFFFFFF);

}  // namespace vitro::streamer
