// Branches and calls. Documents: vISA "Execution Model"; pages of goto, jmp, switchjmp, call, fcall, ret, fret. A goto
// or jmp of one channel takes all active channels along, by the first bit of its predicate; ret of one channel ends the
// thread in a kernel. Channels wait as machine.h says.
#include <bit>

#include "visa/machine.h"

namespace vitro::visa {
namespace {
constexpr size_t deepest_call = 4096;
}

void Machine::park(uint32_t lanes, uint32_t operation) {
  for (; lanes; lanes &= lanes - 1) parked_[size_t(std::countr_zero(lanes))] = operation;
}

void Machine::wake(uint32_t operation) {
  for (uint32_t waiting = live_ & ~active_; waiting; waiting &= waiting - 1) {
    const auto n = size_t(std::countr_zero(waiting));
    if (parked_[n] == operation) active_ |= 1u << n;
  }
}

// On to the first operation at which anybody is.
void Machine::go(uint32_t operation) {
  uint32_t first = active_ ? operation : ~0u;
  for (uint32_t waiting = live_ & ~active_; waiting; waiting &= waiting - 1)
    first = std::min(first, parked_[size_t(std::countr_zero(waiting))]);
  if (active_ && first != operation) {
    park(active_, operation);
    active_ = 0;
  }
  next_ = operations_ + first;
  if (active_ != live_) wake(first);
}

void Machine::jump(const Operation& o) {
  if (o.predicate.id && !(predicate(o) & 1)) return;
  go(o.target);
}

void Machine::switch_jump(const Operation& o) {
  const uint64_t index = scalar(o, o.src[0]);
  const Instruction& i = *o.instruction;
  const uint32_t labels = i.count - i.row->operands;
  if (index >= labels) return executor_->stop("switchjmp has no label of this number");
  go(program_.offsets(o.target)[index]);
}

void Machine::jump_by_channels(const Operation& o) {
  const uint32_t here = number(o);
  uint32_t taken = active_;
  if (o.lanes == 1) {
    if (o.predicate.id && !(predicate(o) & 1)) taken = 0;
  } else {
    taken &= enabled(o) << o.channel;
  }
  if (!taken) return;
  if (o.target > here) {
    park(taken, o.target);
    active_ &= ~taken;
    return go(here + 1);
  }
  park(active_ & ~taken, here + 1);
  active_ = taken;
  go(o.target);
}

void Machine::call(const Operation& o) {
  uint32_t lanes = active_;
  if (o.lanes == 1) {
    if (o.predicate.id && !(predicate(o) & 1)) return;
  } else {
    lanes &= enabled(o) << o.channel;
  }
  if (!lanes) return;
  if (levels_.size() >= deepest_call) return executor_->stop("calls within calls without end");
  levels_.push_back({.live = live_, .active = active_, .next = number(o) + 1, .parked = parked_});
  live_ = active_ = lanes;
  next_ = operations_ + o.target;
}

void Machine::call_function(const Operation& o) {
  uint32_t lanes = active_;
  if (o.lanes == 1) {
    if (o.predicate.id && !(predicate(o) & 1)) return;
  } else {
    lanes &= enabled(o) << o.channel;
  }
  if (!lanes) return;
  int routine = -1;
  if (o.instruction->row->op == Op::fcall)
    routine = program_.routine_named(frames_.back().code->routine->text(o.target));
  else if (const uint64_t number = scalar(o, o.src[0]); number < program_.routines().size())
    routine = int(number);
  if (routine < 0) return executor_->stop("the function that is called is not in the object");
  if (levels_.size() >= deepest_call) return executor_->stop("calls within calls without end");
  levels_.push_back({.live = live_, .active = active_, .next = number(o) + 1, .parked = parked_, .own_frame = true});
  live_ = active_ = lanes;
  open_frame(program_.routines()[size_t(routine)]);
}

void Machine::leave(const Operation& o) {
  if (o.lanes == 1) {
    if (o.predicate.id && !(predicate(o) & 1)) return;
    // all that are here
    live_ &= ~active_;
    if (levels_.empty()) live_ = 0;
    active_ = 0;
  } else {
    const uint32_t lanes = active_ & enabled(o) << o.channel;
    live_ &= ~lanes;
    active_ &= ~lanes;
  }
  if (live_) return go(number(o) + 1);
  if (levels_.empty()) {
    executor_->status = eu::Status::ended;
    thread_->ended = true;
    return;
  }
  const Level level = levels_.back();
  levels_.pop_back();
  if (level.own_frame) {
    bytes_.resize(frames_.back().base);
    written_.resize(bytes_.size() / 64);
    frames_.pop_back();
    const Frame& f = frames_.back();
    frame_base_ = f.base;
    operations_ = f.code->operations.data();
    operations_end_ = operations_ + f.code->operations.size();
  }
  live_ = level.live, active_ = level.active, parked_ = level.parked;
  next_ = operations_ + level.next;
}

}  // namespace vitro::visa
