// Running a group: starting its threads, their turns, their end. PRM: as subslice.h; barriers: Gen9 B-08..B-10, a
// kernel of one thread may use one even where the interface descriptor enables none.
#include "dispatch/subslice.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>

#include "isa/message.h"
#include "isa/print.h"

namespace vitro::dispatch {

using eu::Status;

namespace {

constexpr uint64_t default_limit = 1'000'000'000;
constexpr uint64_t turn_instructions = 4096;

// Each four channels run if one of them does.
uint32_t vector_mask(uint32_t dispatch_mask) {
  uint32_t any = dispatch_mask | dispatch_mask >> 1;
  any = (any | any >> 2) & 0x11111111u;
  return any * 15;
}

}  // namespace

Subslice::Subslice(const SubsliceOptions& options)
    : options_(options),
      view_(nullptr),
      gateway_{.layout = *options.gateway, .clock = options.gateway_clock},
      slm_(new std::byte[slm_bytes]{}) {
  environment_.memory = &view_;
  for (const FunctionRow& row : options_.functions) {
    void* storage = ::operator new(row.bytes, std::align_val_t(row.alignment));
    row.construct(storage, environment_, bound_);
    contexts_.emplace_back(storage, &row);
  }
  bound_[shared::Gateway::sfid] = gateway_.function();
  bound_[shared::Spawner::sfid] = spawner_.function();
}

Subslice::~Subslice() {
  for (auto [storage, row] : contexts_) {
    if (row->destroy) row->destroy(storage);
    ::operator delete(storage, std::align_val_t(row->alignment));
  }
}

void Subslice::prepare(const Work& work, unsigned first_fftid, unsigned fftids, unsigned barrier,
                       const std::atomic<bool>& cancelled) {
  work_ = &work;
  cancelled_ = &cancelled;
  first_fftid_ = first_fftid;
  fftids_ = fftids;
  barrier_id_ = barrier % unsigned(options_.gateway->barrier_count());
  limit_ = work.instruction_limit ? work.instruction_limit : default_limit;
  view_ = memory::View(work.memory, work.strict);
  environment_.bases = work.bases;
  environment_.slm = {slm_.get(), std::min<size_t>(work.slm_bytes, slm_bytes)};
  looked_through_ = nullptr;
  native_ = native_code(work.state);
  windows_.clear();
  fault_.reset();
  together_ = work.state.kernel->waits || work.spawning.start;
  functions_ = bound_;
  if (work.urb) functions_[6] = *work.urb;
  spawner_.spawn = nullptr;
  if (work.spawning.start) {
    spawner_.spawn = [](void* context, eu::Thread&, const shared::SpawnRequest& request, std::string& reason) {
      return static_cast<Subslice*>(context)->spawn(request, reason);
    };
    spawner_.context = this;
  }
  if (work.wanted.messages || work.strict) watch();
  leaving_.clear();
  for (const eu::SharedFunction& f : functions_)
    if (f.gone) leaving_.push_back(f);
  gateway_.bypass = work.bypass_gateway;
  gateway_.barriers.clear();
  group_barrier_ = nullptr;
}

// Puts a function before each shared function that counts and checks.
void Subslice::watch() {
  for (size_t n = 0; n < functions_.size(); ++n) {
    if (!functions_[n].handle) continue;
    watched_[n] = {functions_[n], this, uint8_t(n)};
    functions_[n] = {[](void* context, eu::Thread& sender, eu::Message& message, std::string& reason) {
                       const Watched& w = *static_cast<Watched*>(context);
                       Subslice& s = *w.subslice;
                       const eu::Reply reply = w.function.handle(w.function.context, sender, message, reason);
                       if (s.work_->wanted.messages && (reply == eu::Reply::done || reply == eu::Reply::faulted))
                         ++s.messages_run_[uint64_t(w.sfid) << 32 | message.desc];
                       if (reply != eu::Reply::faulted && s.view_.must_fault()) {
                         reason = fmt::format("access to unmapped address {:#x}", *s.view_.misses().first);
                         return eu::Reply::faulted;
                       }
                       return reply;
                     },
                     &watched_[n],
                     functions_[n].gone ? [](void* context, eu::Thread& thread) {
                       const eu::SharedFunction& f = static_cast<Watched*>(context)->function;
                       f.gone(f.context, thread);
                     } : static_cast<void (*)(void*, eu::Thread&)>(nullptr),
                     functions_[n].locate ? [](void* context, uint32_t desc, const eu::Transfer& t, uint64_t place) {
                       const eu::SharedFunction& f = static_cast<Watched*>(context)->function;
                       return f.locate(f.context, desc, t, place);
                     } : static_cast<decltype(eu::SharedFunction::locate)>(nullptr)};
  }
}

KernelTier::Slot* Subslice::native_code(const ThreadState& state) const {
  return options_.tier ? options_.tier->slot(state.kernel, state.cr0) : nullptr;
}

Subslice::Slot& Subslice::slot(size_t n) {
  while (slots_.size() <= n) slots_.push_back(std::make_unique<Slot>());
  return *slots_[n];
}

// Everything but the payload: what is undefined at entry is set all the same where that is cheap, so that a program
// that relies on it does so in every run.
void Subslice::set_up(Slot& s, const ThreadState& state, size_t seat) {
  eu::Thread& t = s.thread;
  if (s.unclean) {
    t.acc = {};
    t.mme = {};
    t.notify = {};
    t.tdr = {};
    t.tm = {};
    t.sp = {};
    t.dbg = {};
  }
  s.unclean = state.kernel->unclean;
  t.a0 = {};
  t.flag = {};
  t.sr = {uint32_t(work_->ffid) << 24 | uint32_t(seat / shared::Gateway::threads_per_eu & 15) << 8 |
              uint32_t(seat % shared::Gateway::threads_per_eu),
          (first_fftid_ + uint32_t(seat)) << 24};
  t.cr = {state.cr0, state.cr1, 0, 0};
  t.ip = 0;
  t.call_depth = 0;
  t.ended = false;
}

// Once its payload and masks are in place.
void Subslice::launch(Slot& s, const ThreadState& state) {
  eu::Thread& t = s.thread;
  if (!t.sr[3]) t.sr[3] = vector_mask(t.sr[2]);
  t.active = t.dispatched = t.initial_mask();
  t.call_mask = 0;
  s.state = &state;
  s.compiled = false;
  s.native = &state == &work_->state ? native_ : native_code(state);
  if (s.executor && &s.executor->program == &state.kernel->program) {  // one like the last one
    s.executor->status = Status::running;
    s.executor->fault.reset();
    s.executor->executed = 0;
    return;
  }
  s.executor.emplace(eu::Executor{.thread = t,
                                  .program = state.kernel->program,
                                  .functions = functions_,
                                  .sip = state.kernel->sip,
                                  .observer = work_->observer,
                                  .clock = work_->clock});
  if (work_->wanted.opcodes)
    s.executor->observer = {.before =
                                [](void* context, const eu::Thread& t, const eu::Plan& p, uint32_t enabled) {
                                  Subslice& s = *static_cast<Subslice*>(context);
                                  if (p.row) ++s.opcodes_run_[size_t(p.instruction.op)];
                                  const eu::Observer& next = s.work_->observer;
                                  if (next.before) next.before(next.context, t, p, enabled);
                                },
                            .after =
                                [](void* context, const eu::Thread& t, const eu::Plan& p, uint32_t enabled) {
                                  const eu::Observer& next = static_cast<Subslice*>(context)->work_->observer;
                                  if (next.after) next.after(next.context, t, p, enabled);
                                },
                            .context = this};
}

void Subslice::start(Slot& s, unsigned number, size_t seat) {
  set_up(s, work_->state, seat);
  s.number = number;
  work_->start(work_->context,
               {.group = group_, .thread = number, .fftid = first_fftid_ + unsigned(seat), .barrier = barrier_id_},
               s.thread);
  launch(s, work_->state);
}

// With machine code if there is some by now. Observers see instructions, so they need the interpreter.
Status Subslice::run(Slot& s, uint64_t instructions) {
  eu::Executor& x = *s.executor;
  if (!s.native) return x.run(instructions);
  if (const eu::jit::Compiled* code = s.native->ready.load(std::memory_order_acquire)) {
    if (s.native == native_) {
      if (windows_.size() < code->sites().size()) windows_.resize(code->sites().size());
      x.windows = windows_;
    }
    if (!together_) x.successor = {[](void* subslice) { return static_cast<Subslice*>(subslice)->start_next(); }, this};
    s.compiled = !x.observer.before;
    return code->run(x, instructions);
  }
  const uint64_t before = x.executed;
  const Status status = x.run(instructions);
  options_.tier->interpreted(s.state->kernel, *s.native, x.executed - before);
  return status;
}

// Binding table and samplers of the thread that runs next. Whatever was derived from other tables is void.
void Subslice::look_through(const ThreadState& state) {
  if (looked_through_ == &state) return;
  looked_through_ = &state;
  environment_.binding_table = state.binding_table;
  environment_.sampler_table = state.sampler_table;
  ++environment_.dispatch_number;
}

void Subslice::begin(uint64_t group) {
  group_ = group;
  next_ = sitting_ = 0;
  vain_ = 0;
  threads_ = work_->threads_of ? work_->threads_of(work_->context, group) : work_->threads;
  look_through(work_->state);
  if (!together_) return;
  for (; next_ < threads_; ++next_) {
    Slot& s = slot(next_);
    if (next_ < most_threads) gateway_.entries[next_] = {.thread = &s.thread};
    start(s, next_, next_);
    s.sits = true;
  }
  sitting_ = threads_;
  if (work_->barrier || threads_ == 1) {
    if (!group_barrier_) {
      gateway_.start_barrier(0, barrier_id_, threads_);
      group_barrier_ = &gateway_.barriers.begin()->second;
    }
    group_barrier_->count = threads_;
    group_barrier_->restart();
  }
}

void Subslice::leave(Slot& s) {
  ++threads_run_;
  compiled_threads_run_ += s.compiled;
  instructions_run_ += s.executor->executed;
  for (const eu::SharedFunction& f : leaving_)
    if (together_ || f.context != &gateway_) f.gone(f.context, s.thread);
  s.sits = false;
}

// In the first seat, as advance_alone() does.
bool Subslice::start_next() {
  if (next_ == threads_ || cancelled_->load(std::memory_order_relaxed)) return false;
  Slot& s = *slots_[0];
  leave(s);
  start(s, next_++, 0);
  s.sits = s.compiled = true;
  return true;
}

Subslice::Progress Subslice::end_group() {
  ++groups_run_;
  return Progress::done;
}

Subslice::Progress Subslice::fail(Slot& s, bool hung) {
  fault_ = Fault{group_, s.number, hung, *s.executor->fault};
  if (fault_->eu.instruction.empty()) {
    const eu::Program& program = s.executor->program;
    const eu::Plan* p = program.at(s.thread.ip);
    if (p && p->row)
      fault_->eu.instruction = isa::to_text(program.model(), p->instruction, {.messages = false, .columns = false});
  }
  leave(s);
  for (const std::unique_ptr<Slot>& other : slots_)
    if (other->sits) leave(*other);
  return Progress::faulted;
}

bool Subslice::over_limit(Slot& s) {
  if (s.executor->executed < limit_) return false;
  s.executor->stop(fmt::format("endless loop: no end of thread after {} instructions", s.executor->executed));
  return true;
}

Subslice::Progress Subslice::advance(uint64_t instructions) {
  return together_ ? advance_together(instructions) : advance_alone(instructions);
}

// Thread after thread, all in the first seat.
Subslice::Progress Subslice::advance_alone(uint64_t instructions) {
  Slot& s = slot(0);
  for (;;) {
    if (!s.sits) {
      if (next_ == threads_) return end_group();
      if (cancelled_->load(std::memory_order_relaxed)) return Progress::done;
      start(s, next_++, 0);
      s.sits = true;
    }
    eu::Executor& x = *s.executor;
    const uint64_t before = instructions_run_ + x.executed;
    const Status status = run(s, std::min(instructions, limit_ - x.executed));
    instructions -= std::min(instructions, instructions_run_ + x.executed - before);
    if (status == Status::ended) {
      leave(s);
    } else if (status == Status::faulted) {
      return fail(s, false);
    } else if (status == Status::waiting) {
      x.stop("the thread waits for a message to be taken, in vain");
      return fail(s, true);
    } else if (over_limit(s)) {
      return fail(s, true);
    }
    if (instructions == 0 && s.sits) return Progress::unfinished;
  }
}

// Turns for all that sit. Each thread can have one message accepted without getting further, so as many rounds as there
// are threads may pass without visible progress; more of them are a deadlock.
Subslice::Progress Subslice::advance_together(uint64_t instructions) {
  while (sitting_ > 0) {
    bool any = false;
    for (size_t n = 0; n < slots_.size(); ++n) {  // children join at the end

      Slot& s = *slots_[n];
      if (!s.sits) continue;
      if (s.state != looked_through_) look_through(*s.state);
      eu::Executor& x = *s.executor;
      const uint64_t before = x.executed;
      const Status status = run(s, std::min(turn_instructions, limit_ - before));
      uint64_t done = x.executed - before;
      if (status == Status::waiting) {
        --done, --x.executed;  // the last one was not carried out
      } else if (status == Status::faulted) {
        return fail(s, false);
      } else if (status == Status::running && over_limit(s)) {
        return fail(s, true);
      }
      any = any || done > 0;
      instructions -= std::min(instructions, done);
      if (status == Status::ended) {
        leave(s);
        --sitting_;
        if (s.own.kernel) s.own = {}, looked_through_ = nullptr;
      }
    }
    vain_ = any ? 0 : vain_ + 1;
    if (vain_ > sitting_ + 1 && sitting_ > 0) {
      Slot& s = **std::find_if(slots_.begin(), slots_.end(), [](const auto& other) { return other->sits; });
      const eu::Plan* p = s.executor->program.at(s.thread.ip);
      s.executor->stop(
          fmt::format("deadlock: {} of {} threads of the group wait in vain{}", sitting_, threads_,
                      p && p->row && p->row->format == isa::Format::wait ? ", this one for a notification" : ""));
      return fail(s, true);
    }
    if (cancelled_->load(std::memory_order_relaxed)) {
      for (const std::unique_ptr<Slot>& s : slots_)
        if (s->sits) leave(*s);
      return Progress::done;
    }
    if (instructions == 0 && sitting_ > 0) return Progress::unfinished;
  }
  return end_group();
}

eu::Reply Subslice::spawn(const shared::SpawnRequest& request, std::string& reason) {
  size_t seat = 0;
  while (seat < slots_.size() && slots_[seat]->sits) ++seat;
  if (seat >= std::min(fftids_, most_threads)) return eu::Reply::blocked;
  Slot& s = slot(seat);
  set_up(s, work_->state, seat);
  Result<ThreadState> state =
      work_->spawning.start(work_->spawning.context, view_, request, first_fftid_ + unsigned(seat), s.thread);
  if (!state) {
    reason = std::move(state.error().message);
    return eu::Reply::faulted;
  }
  s.own = std::move(*state);
  s.thread.cr = {s.own.cr0, s.own.cr1, 0, 0};
  s.number = unsigned(seat);
  launch(s, s.own);
  gateway_.entries[seat] = {.thread = &s.thread};
  s.sits = true;
  ++sitting_;
  return eu::Reply::done;
}

Counts Subslice::finish() {
  Counts c{.groups = std::exchange(groups_run_, 0),
           .threads = std::exchange(threads_run_, 0),
           .instructions = std::exchange(instructions_run_, 0),
           .compiled_threads = std::exchange(compiled_threads_run_, 0),
           .misses = view_.misses()};
  const isa::Model& model = work_->state.kernel->program.model();
  if (const eu::jit::Compiled* code = native_ ? native_->ready.load(std::memory_order_acquire) : nullptr;
      code && work_->wanted.messages)
    for (size_t n = 0; n < windows_.size(); ++n)
      if (windows_[n].carried)
        messages_run_[uint64_t(code->sites()[n].sfid) << 32 | code->sites()[n].desc] += windows_[n].carried;
  for (auto [key, count] : messages_run_) {
    const auto info = isa::describe_message(*model.messages, unsigned(key >> 32), 0, uint32_t(key));
    c.messages[{uint8_t(key >> 32), std::string(info.name)}] += count;
  }
  messages_run_.clear();
  if (work_->wanted.opcodes)
    for (size_t n = 0; n < opcodes_run_.size(); ++n) {
      if (opcodes_run_[n]) c.opcodes[std::string(model.row(isa::Op(n))->mnemonic)] += opcodes_run_[n];
      opcodes_run_[n] = 0;
    }
  if (const uint64_t count = std::exchange(environment_.anisotropic_as_linear, 0))
    c.simplified["anisotropic filter as linear"] = count;
  view_ = memory::View(nullptr);
  for (const std::unique_ptr<Slot>& s : slots_) s->executor.reset(), s->own = {}, s->sits = false;
  for (shared::GatewayEntry& e : gateway_.entries) e = {};
  environment_.slm = {};
  work_ = nullptr;
  looked_through_ = nullptr;
  return c;
}

}  // namespace vitro::dispatch
