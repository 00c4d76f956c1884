// What a thread group runs on: seats for its threads, a Message Gateway, shared local memory and shared functions of
// its own, all of one host thread. PRM: Gen8 vol 7 "thread group"; Gen9 "Thread pools" (B-11: a group fits into one
// subslice). A group whose threads need not wait for each other runs thread after thread in one seat; else all sit at
// once and take turns. A group whose threads share nothing may be run in parts by several, which nobody can see. Not
// modelled: several groups in one subslice, so a subslice here is as wide as a group needs.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "dispatch/choose_code.h"
#include "dispatch/substitutes.h"
#include "dispatch/work.h"
#include "shared/environment.h"
#include "shared/gateway.h"
#include "shared/spawner.h"

namespace vitro::dispatch {

// How each subslice makes shared functions that refer to its own environment: storage for their contexts, a function
// that constructs them there and puts them into the array, and one that destroys them.
struct FunctionRow {
  size_t bytes = 0, alignment = 1;
  void (*construct)(void* storage, shared::Environment& environment, eu::SharedFunctions& functions) = nullptr;
  void (*destroy)(void* storage) = nullptr;
};
// For contexts made from a layout and an environment that install themselves.
template <class Context, const auto& layout>
constexpr FunctionRow function_row() {
  return {sizeof(Context), alignof(Context),
          [](void* storage, shared::Environment& environment, eu::SharedFunctions& functions) {
            (new (storage) Context(layout, environment))->install(functions);
          },
          [](void* storage) { static_cast<Context*>(storage)->~Context(); }};
}
struct SubsliceOptions {
  std::span<const FunctionRow> functions{};  // besides gateway and thread spawner
  const shared::GatewayLayout* gateway = &shared::gateway_gen8;
  shared::GatewayClock gateway_clock{};
  Tier* tier = nullptr;                // none: everything is interpreted
  Substitutes* substitutes = nullptr;  // of kernels; none: all run from their code
  // Of the host thread that works for the 3D pipeline: where its threads find the URB, and what their pixels are.
  std::optional<eu::SharedFunction> urb{};
  shared::PixelContext* pixels = nullptr;
};

class Subslice {
 public:
  static constexpr size_t slm_bytes = 64 << 10;
  static constexpr unsigned most_threads = shared::Gateway::eus * shared::Gateway::threads_per_eu;

  explicit Subslice(const SubsliceOptions& options);
  ~Subslice();
  Subslice(const Subslice&) = delete;
  Subslice& operator=(const Subslice&) = delete;

  // For a dispatch, each of whose groups is run in `parts`: 1 unless divisible(). FFTIDs from `first_fftid` on,
  // `fftids` of them, are this subslice's; `cancelled` ends it early. What belongs to the stage is kept from the last
  // dispatch if that was of the same.
  void prepare(const Stage& stage, const Threads& threads, unsigned parts, unsigned first_fftid, unsigned fftids,
               unsigned barrier, const std::atomic<bool>& cancelled);
  // Parts from `first` to before `end`, one after the other, counted through all groups.
  void begin(uint64_t first, uint64_t end);
  enum class Progress { done, unfinished, faulted };
  // Runs these parts: each of them about so many instructions at most.
  Progress advance(uint64_t patience);
  const std::optional<Fault>& fault() const { return fault_; }
  uint64_t threads_run() const { return run_.threads; }  // of this dispatch
  // After a dispatch: adds what was counted.
  void finish(Counts& counts);
  // Lets go of everything that belongs to a stage.
  void forget();
  // The stage that it is ready for, and the memory it keeps for that.
  uint64_t stage() const { return ready_for_; }
  const memory::Table* memory() const { return view_.table().get(); }

 private:
  struct Slot {
    const std::unique_ptr<eu::Thread> image = std::make_unique<eu::Thread>();  // by itself: nothing else is near it
    eu::Thread& thread = *image;
    std::optional<eu::Executor> executor{};
    ThreadState own{};                   // a child's; else empty
    const ThreadState* state = nullptr;  // what it was started with
    KernelTier::Slot* native = nullptr;  // where its kernel's code is, or will be
    std::unique_ptr<SubstituteThread> substitute{};
    const Substitute* substitute_of = nullptr;
    unsigned number = 0;  // in the group
    bool unclean = true;  // the last thread here may have left something in registers seldom used
    bool sits = false;
    bool compiled = false;     // ran as machine code
    bool substituted = false;  // runs in another form
  };
  struct Watched {
    eu::SharedFunction function;
    Subslice* subslice = nullptr;
    uint8_t sfid = 0;
  };

  Slot& slot(size_t n);
  void set_up(Slot& s, const ThreadState& state, size_t seat);
  void launch(Slot& s, const ThreadState& state);
  void launch_substitute(Slot& s);
  void open(uint64_t part);
  void sit_down();                                     // all threads of the group
  void close() { run_.groups += until_ == threads_; }  // a group is counted with its last part
  void start(Slot& s, unsigned number, size_t seat);
  eu::Status run(Slot& s, uint64_t instructions);
  void count_passed_over(Slot& s);
  void leave(Slot& s);
  bool start_next();
  bool start_group();
  // Whether threads can take one another's place in code; and whether they do.
  bool can_chain() const {
    return !together_ && (all_->own || all_->apart) && leaving_.empty() && !stage_->state.kernel->unclean;
  }
  bool chains() const { return can_chain() && (payloads_for_ || (all_->apart && apart_)); }
  Seat seat_of(unsigned number, size_t seat) const;
  void set_up_chain(eu::Executor& x);
  void set_up_apart(eu::Executor& x);
  void refill_chain(eu::ThreadChain& s);
  void find_own_registers(const eu::Compiled& code);
  void take_payloads(const Slot& s);
  void count_chained(Slot& s);
  KernelTier::Slot* native_code(const ThreadState& state) const;
  CodeChoice::Of choice_of_kernel() const { return {*options_.tier, stage_->state.kernel, *native_}; }
  void make_ready(const Stage& stage);
  void make_ready_again();
  void reset_gateway();
  void count_messages(Counts& counts);
  void bind_state(const ThreadState& state);
  Progress advance_alone(uint64_t instructions);
  Progress advance_together(uint64_t instructions);
  uint64_t begin_turn(Slot& s);
  void end_turn(Slot& s, eu::Status status);
  eu::Executor* change_turn(uint64_t& instructions);
  Progress fail(Slot& s, bool hung);
  bool over_limit(Slot& s);
  eu::Reply spawn(const shared::SpawnRequest& request, std::string& reason);
  void watch();

  SubsliceOptions options_;
  memory::View view_;
  shared::Environment environment_{};
  shared::Gateway gateway_;
  shared::Spawner spawner_{};
  eu::SharedFunctions bound_{}, functions_{};
  std::vector<std::pair<void*, const FunctionRow*>> contexts_{};
  std::unique_ptr<std::byte[]> slm_;
  std::vector<std::unique_ptr<Slot>> slots_{};
  std::array<Watched, 16> watched_{};
  std::vector<eu::SharedFunction> leaving_{};  // those that hear of a thread's end

  const Stage* stage_ = nullptr;
  const Threads* all_ = nullptr;  // of the dispatch
  uint64_t ready_for_ = 0;
  const std::atomic<bool>* cancelled_ = nullptr;
  const ThreadState* bound_state_ = nullptr;
  KernelTier::Slot* native_ = nullptr;  // of the dispatch's kernel
  std::shared_ptr<Substitute> substitute_{};
  std::vector<eu::Window> windows_{};  // of its code's transfers
  CodeChoice choice_{};                // which code that is
  struct {                             // of threads' own data, up to the last its code needs
    const eu::Compiled* code = nullptr;
    size_t at = 0, all = 0, bytes = 0;
    size_t registers = 0;  // from r0 on that it needs
  } needed_{};
  struct alignas(eu::reg_bytes) Register {
    std::array<std::byte, eu::reg_bytes> bytes;
  };
  std::vector<Register> payloads_{};            // of all threads of a group, so far as code needs them...
  const std::byte* payloads_at_ = nullptr;      // ...or where their own data are all that is needed besides r0
  size_t payload_distance_ = 0;                 // from one thread to the next
  const eu::Compiled* payloads_for_ = nullptr;  // null: not of this dispatch
  uint64_t groups_known_ = 0;                   // to code, when it was started
  bool apart_ = false;                          // its code is for threads that are apart as these are
  unsigned first_fftid_ = 0, fftids_ = 1, barrier_id_ = 0;
  uint64_t limit_ = 0;
  unsigned parts_ = 1;  // of a group
  uint64_t part_ = 0, end_ = 0;
  uint64_t group_ = 0;
  unsigned threads_ = 0, sitting_ = 0;  // of the group
  unsigned next_ = 0, until_ = 0;       // of the part: the thread to start next, and the one that is not its own
  struct Round {                        // of turns
    size_t turn = 0;                    // the slot whose turn it is
    uint64_t before = 0;                // instructions it had run when its turn began
    uint64_t left = 0;                  // instructions that the caller still allows
    bool any = false;                   // somebody has got further
  } round_{};
  size_t vain_ = 0;  // rounds
  bool together_ = false;
  shared::Barrier* group_barrier_ = nullptr;
  std::optional<Fault> fault_{};
  ThreadCounts run_{};
  std::unordered_map<uint64_t, uint64_t> messages_run_{};
  std::array<uint64_t, isa::op_count> opcodes_run_{};
  std::map<std::tuple<uint64_t, uint32_t, uint8_t>, uint64_t> illegal_run_{};  // by kernel, first IP and code there
};

}  // namespace vitro::dispatch
