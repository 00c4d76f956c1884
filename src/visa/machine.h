// A thread that runs vISA: its variables, which channels are where, and the calls it is in. It has a thread of the EU
// with it, whose registers hold the payload at the start and afterwards the operands of the operation at hand: so
// arithmetic, float modes, messages, notifications and whoever looks at senders of messages are those of the EU.
// Documents: vISA "Execution Model" and "Operands"; the pages of goto, jmp, call, ret, fcall, fret.
// Channels that are not at the operation at hand wait at another one, and the first operation that anybody waits for or
// stands at is the next one to run: that is what the documents say of goto forward and backward, and it meets again
// whatever can.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "eu/executor.h"
#include "visa/program.h"
#include "visa/run_findings.h"

namespace vitro::visa {

// An element of an address variable: a byte of a variable.
struct Address {
  uint32_t root_at = 0, root_bytes = 0;
  uint32_t variable = 0;
  uint16_t offset = 0;
  bool shared = false, known = false;
};

// What is put down for a call.
struct Level {
  uint32_t live = 0, active = 0, next = 0;
  std::array<uint32_t, max_lanes> parked{};
  bool own_frame = false;
};

// The variables of a routine that was entered.
struct Frame {
  const RoutineCode* code = nullptr;
  uint32_t base = 0;  // of its bytes
  std::vector<uint32_t> predicates{};
  std::vector<std::array<Address, 16>> addresses{};
  std::vector<uint32_t> surfaces{}, samplers{};
};

// Sees every operation before and after it ran.
struct MachineObserver {
  void (*before)(void* context, Machine&, const Operation&, uint32_t enabled) = nullptr;
  void (*after)(void* context, Machine&, const Operation&, uint32_t enabled) = nullptr;
  void* context = nullptr;
};

class Machine {
 public:
  explicit Machine(const Program& program, RunFindings* findings = nullptr);
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  // A thread at its start: its registers and masks are filled. It stays where it is until the run is over.
  void start(eu::Thread& thread, const eu::SharedFunctions& functions, eu::Clock clock = {});
  // Where the thread belongs, for findings.
  void place(uint64_t group, unsigned number) { group_ = group, number_ = number; }
  eu::Status run(uint64_t budget);

  eu::Status status() const { return executor_->status; }
  const std::optional<Fault>& fault() const { return executor_->fault; }
  uint64_t executed() const { return executor_->executed; }
  const Program& program() const { return program_; }
  const eu::Thread& thread() const { return *thread_; }
  const Frame& frame() const { return frames_.back(); }
  const Operation* last() const { return last_; }  // that was begun
  const Operation* at() const { return next_ < operations_end_ ? next_ : nullptr; }

  // Bytes of a variable of the kernel, or of a predefined one; what was never written is named by its bits.
  std::vector<std::byte> read(uint32_t variable) const;
  void write(uint32_t variable, uint32_t at, std::span<const std::byte> bytes);
  uint32_t predicate(uint32_t id) const { return frames_[0].predicates[id]; }
  // The elements of an operand of the operation at hand, one for all channels if that is what it is.
  std::vector<std::byte> look(const Operation&, const OperandPlan&);
  void stop(std::string reason) { executor_->stop(std::move(reason)); }
  // Addresses of symbols, for faddr.
  using Symbols = std::unordered_map<std::string, uint64_t>;
  const Symbols* symbols = nullptr;
  MachineObserver observer{};

  // --- for the operations
  // Channels that run: from bit 0 those of the operation.
  uint32_t running(const Operation& o) const { return (o.no_mask ? ~0u : active_ >> o.channel) & o.lane_mask; }
  uint32_t predicate(const Operation& o) const;
  uint32_t enabled(const Operation& o) const { return o.predicate.id ? running(o) & predicate(o) : running(o); }
  void arithmetic(const Operation&);
  void move_raw(const Operation&);
  void predicate_logic(const Operation&);
  void compare(const Operation&);
  void set_predicate(const Operation&);
  void add_address(const Operation&);
  void move_state(const Operation&);
  void function_address(const Operation&);
  void jump(const Operation&);
  void jump_by_channels(const Operation&);
  void switch_jump(const Operation&);
  void call(const Operation&);
  void call_function(const Operation&);
  void leave(const Operation&);
  void message(const Operation&);
  void raw_message(const Operation&);
  void barrier(const Operation&);
  void signal(const Operation&);
  void wait(const Operation&);
  void fence(const Operation&);
  void refuse(const Operation&);

 private:
  std::byte* base(bool shared) { return bytes_.data() + (shared ? 0 : frame_base_); }
  // --- operands (operands.cpp)
  void fetch(const Operation&, const OperandPlan&, uint32_t lanes);
  void store(const Operation&, const OperandPlan&, uint32_t lanes);
  void fetch_indirect(const Operation&, const OperandPlan&, uint32_t lanes);
  void store_indirect(const Operation&, const OperandPlan&, uint32_t lanes);
  // Bytes from the begin of all, of a lane's element; nothing: it is nowhere.
  std::optional<uint32_t> locate(const Operation&, const OperandPlan&, unsigned lane);
  uint64_t scalar(const Operation&, const OperandPlan&);
  Address address_of(uint16_t number) const;
  bool written(uint32_t at, uint32_t bytes) const;
  void set_written(uint32_t at, uint32_t bytes);
  void check_written(const Operation&, uint32_t variable, uint32_t at, uint32_t bytes, unsigned lane);
  void find(const Operation&, FindingKind, uint32_t variable, unsigned lane);
  void read_registers(uint8_t registers);
  void write_registers(uint8_t registers);
  std::byte* element(uint32_t slot) { return thread_->grf.data() + slot; }
  // --- steps
  void run_steps(const Operation&, uint32_t lanes);
  void plain_floats();
  // --- flow (flow.cpp)
  void go(uint32_t operation);
  void park(uint32_t lanes, uint32_t operation);
  void wake(uint32_t operation);
  uint32_t number(const Operation& o) const { return uint32_t(&o - operations_); }
  void open_frame(const RoutineCode&);
  // --- messages (run_messages.cpp)
  bool send(const Operation&, eu::Message&);
  bool name_bindings(const Operation&, const LoweredMessage&, eu::Message&);
  bool send_lowered(const Operation&, const LoweredMessage&, unsigned chunk, uint32_t lanes,
                    const std::array<uint64_t, 4>& scalars);
  void put_row(const Operation&, const LoweredMessage&, const SlotRow&, unsigned first, uint32_t lanes, uint64_t added);
  void take_row(const Operation&, const SlotRow&, unsigned first, uint32_t lanes);
  void stop(const Operation&, std::string reason);

  const Program& program_;
  RunFindings* findings_;
  eu::Thread* thread_ = nullptr;
  std::optional<eu::Executor> executor_{};
  std::vector<std::byte> bytes_{};
  std::vector<uint64_t> written_{};  // a bit for each byte
  std::vector<Frame> frames_{};
  std::vector<Level> levels_{};
  uint32_t frame_base_ = 0;
  const Operation* operations_ = nullptr;
  const Operation* operations_end_ = nullptr;
  const Operation* next_ = nullptr;
  const Operation* last_ = nullptr;  // the one that runs
  uint32_t active_ = 0, live_ = 0;
  std::array<uint32_t, max_lanes> parked_{};
  uint32_t floats_ = 0;
  bool signalled_ = false;                                           // at a barrier: the message is sent
  unsigned part_ = 0;                                                // of messages that were sent already
  std::vector<std::pair<uint32_t, isa::DecodedMessage>> decoded_{};  // by message, for the last descriptor
  uint64_t group_ = 0;
  unsigned number_ = 0;
};

}  // namespace vitro::visa
