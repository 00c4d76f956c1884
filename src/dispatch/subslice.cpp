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

}  // namespace

Subslice::Subslice(const SubsliceOptions& options)
    : options_(options),
      view_(nullptr),
      gateway_{.layout = *options.gateway, .clock = options.gateway_clock},
      slm_(new std::byte[slm_bytes]{}) {
  environment_.memory = &view_;
  environment_.pixels = options.pixels;
  for (const FunctionRow& row : options_.functions) {
    void* storage = ::operator new(row.bytes, std::align_val_t(row.alignment));
    row.construct(storage, environment_, bound_);
    contexts_.emplace_back(storage, &row);
  }
  bound_[shared::Gateway::sfid] = gateway_.function();
  bound_[shared::Spawner::sfid] = spawner_.function();
  if (options_.urb) bound_[6] = *options_.urb;
}

Subslice::~Subslice() {
  for (auto [storage, row] : contexts_) {
    if (row->destroy) row->destroy(storage);
    ::operator delete(storage, std::align_val_t(row->alignment));
  }
}

void Subslice::prepare(const Stage& stage, const Threads& threads, unsigned parts, unsigned first_fftid,
                       unsigned fftids, unsigned barrier, const std::atomic<bool>& cancelled) {
  all_ = &threads;
  payloads_for_ = nullptr;
  parts_ = parts;
  cancelled_ = &cancelled;
  first_fftid_ = first_fftid;
  fftids_ = fftids;
  barrier_id_ = barrier % unsigned(options_.gateway->barrier_count());
  if (stage.number && stage.number == ready_for_ && &stage == stage_)
    make_ready_again();
  else
    make_ready(stage);
}

void Subslice::make_ready(const Stage& stage) {
  if (stage_) forget();
  stage_ = &stage;
  ready_for_ = stage.number;
  limit_ = stage.run->instruction_limit ? stage.run->instruction_limit : default_limit;
  view_ = memory::View(stage.memory, stage.strict);
  environment_.bases = stage.bases;
  environment_.chroma_keys = stage.chroma_keys;
  environment_.routines = options_.tier ? options_.tier->routines() : nullptr;
  environment_.slm = {slm_.get(), std::min<size_t>(stage.slm_bytes, slm_bytes)};
  substitute_ = options_.substitutes ? options_.substitutes->find(stage.state.kernel) : nullptr;
  native_ = substitute_ ? nullptr : native_code(stage.state);
  together_ = stage.state.kernel->waits || stage.spawning.start;
  functions_ = bound_;
  if (stage.urb) functions_[6] = *stage.urb;
  spawner_.spawn = nullptr;
  if (stage.spawning.start) {
    spawner_.spawn = [](void* context, eu::Thread&, const shared::SpawnRequest& request, std::string& reason) {
      return static_cast<Subslice*>(context)->spawn(request, reason);
    };
    spawner_.context = this;
  }
  if (stage.run->wanted.messages || stage.strict) watch();
  leaving_.clear();
  for (size_t n = 0; n < functions_.size(); ++n)  // who runs alone is not registered in the gateway
    if (functions_[n].gone && (together_ || n != shared::Gateway::sfid)) leaving_.push_back(functions_[n]);
  gateway_.bypass = stage.bypass_gateway;
}

void Subslice::make_ready_again() {
  if (together_) reset_gateway();
  if (!slots_.empty() && slots_[0]->executor) slots_[0]->executor->chain = {};
}

// Who is registered in the gateway, and its barriers: windows may lead to them.
void Subslice::reset_gateway() {
  for (shared::GatewayEntry& e : gateway_.entries) e = {};
  gateway_.barriers.clear();
  group_barrier_ = nullptr;
  windows_.clear();
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
                       if (s.stage_->run->wanted.messages && reply != eu::Reply::blocked && reply != eu::Reply::accepted)
                         ++s.messages_run_[uint64_t(w.sfid) << 32 | message.desc];
                       if (reply != eu::Reply::faulted && reply != eu::Reply::unsupported && s.view_.must_fault()) {
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
                     functions_[n].locate ? [](void* context, uint32_t desc, const isa::MessageShape& shape, uint64_t place) {
                       const eu::SharedFunction& f = static_cast<Watched*>(context)->function;
                       return f.locate(f.context, desc, shape, place);
                     } : static_cast<decltype(eu::SharedFunction::locate)>(nullptr)};
  }
}

KernelTier::Slot* Subslice::native_code(const ThreadState& state) const {
  return options_.tier ? options_.tier->slot(state.kernel, state.cr0, state.chain) : nullptr;
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
    t.tdr = {};
    t.tm = {};
    t.sp = {};
    t.dbg = {};
  }
  s.unclean = state.kernel->unclean;
  t.begin({uint32_t(stage_->ffid) << 24 | uint32_t(seat / shared::Gateway::threads_per_eu & 15) << 8 |
               uint32_t(seat % shared::Gateway::threads_per_eu),
           (first_fftid_ + uint32_t(seat)) << 24},
          {state.cr0, state.cr1});
}

// Once its payload and masks are in place.
void Subslice::launch(Slot& s, const ThreadState& state) {
  eu::Thread& t = s.thread;
  t.enable(t.sr[2], t.sr[3]);
  s.state = &state;
  s.compiled = s.substituted = false;
  s.native = &state == &stage_->state ? native_ : native_code(state);
  if (s.executor && &s.executor->program == &state.kernel->program) {  // one like the last one
    s.executor->status = Status::running;
    s.executor->fault.reset();
    s.executor->executed = 0;
    s.executor->fresh = true;
    if (substitute_) launch_substitute(s);
    return;
  }
  s.executor.emplace(eu::Executor{.thread = t,
                                  .program = state.kernel->program,
                                  .functions = functions_,
                                  .sip = state.kernel->sip,
                                  .observer = stage_->run->observer,
                                  .fresh = true,
                                  .clock = stage_->run->clock});
  if (stage_->run->wanted.opcodes)
    s.executor->observer = {.before =
                                [](void* context, const eu::Thread& t, const eu::Plan& p, uint32_t enabled) {
                                  Subslice& s = *static_cast<Subslice*>(context);
                                  if (p.row) ++s.opcodes_run_[size_t(p.instruction.op)];
                                  const eu::Observer& next = s.stage_->run->observer;
                                  if (next.before) next.before(next.context, t, p, enabled);
                                },
                            .after =
                                [](void* context, const eu::Thread& t, const eu::Plan& p, uint32_t enabled) {
                                  const eu::Observer& next = static_cast<Subslice*>(context)->stage_->run->observer;
                                  if (next.after) next.after(next.context, t, p, enabled);
                                },
                            .context = this};
  if (substitute_) launch_substitute(s);
}

void Subslice::launch_substitute(Slot& s) {
  if (s.state != &stage_->state) return;  // a child has a kernel of its own
  if (s.substitute_of != substitute_.get()) {
    s.substitute = substitute_->make_thread();
    s.substitute_of = substitute_.get();
  }
  s.substituted = s.unclean = true;
  s.substitute->start(*s.executor, group_, s.number);
}

inline Seat Subslice::seat_of(unsigned number, size_t seat) const {
  return {.group = group_, .thread = number, .fftid = first_fftid_ + unsigned(seat), .barrier = barrier_id_};
}

void Subslice::start(Slot& s, unsigned number, size_t seat) {
  set_up(s, stage_->state, seat);
  s.number = number;
  all_->start(all_->context, seat_of(number, seat), s.thread);
  launch(s, stage_->state);
  if (all_->own && can_chain()) take_payloads(s);
}

// With machine code if there is some by now. Observers see instructions, so they need the interpreter.
Status Subslice::run(Slot& s, uint64_t instructions) {
  eu::Executor& x = *s.executor;
  if (s.substituted) [[unlikely]]
    return s.substitute->run(x, instructions);
  if (!s.native) return x.run(instructions);
  if (const eu::Compiled* code = s.native->ready.load(std::memory_order_acquire)) {
    if (s.native == native_) {
      if (windows_.size() < code->sites().size()) windows_.resize(code->sites().size());
      x.windows = windows_;
      if (!code->routine_sites().empty() && options_.tier->fuses()) {
        code = &choice_.choose(choice_of_kernel(), *code, windows_, run_.instructions);
        // Where the first thread's messages lead, those of the others will: then it is known what to choose.
        if (choice_.is_first()) instructions = std::min<uint64_t>(instructions, 1);
      }
    }
    apart_ = code->chain().apart() && code->chain() == s.state->chain;
    set_up_chain(x);
    s.compiled = !x.observer.before;
    const Status status = code->run(x, instructions);
    count_chained(s);
    return status;
  }
  const uint64_t before = x.executed, began = options_.tier->begin_run(*s.native);
  const Status status = x.run(instructions);
  options_.tier->end_run(s.state->kernel, *s.native, began, x.executed - before, status == Status::ended);
  return status;
}

// Binding table and samplers of the thread that runs next. Whatever was derived from other tables is void, windows too.
inline void Subslice::bind_state(const ThreadState& state) {
  if (bound_state_ == &state) return;
  bound_state_ = &state;
  environment_.binding_table = state.binding_table;
  environment_.sampler_table = state.sampler_table;
  environment_.bindings = state.bindings.get();
  for (eu::Window& w : windows_) w = {.carried = w.carried};
  if (native_) choice_.count(choice_of_kernel(), run_.instructions);
  choice_.begin_tables();
}

void Subslice::begin(uint64_t first, uint64_t end) {
  end_ = end;
  open(first);
}

inline void Subslice::open(uint64_t part) {
  part_ = part;
  group_ = parts_ == 1 ? part : part / parts_;
  threads_ = all_->threads_of ? all_->threads_of(all_->context, group_) : all_->threads;
  next_ = 0;
  until_ = threads_;
  if (parts_ > 1) {  // else without divisions, which would take as long as half a thread
    const uint64_t number = part % parts_;
    next_ = unsigned(threads_ * number / parts_);
    until_ = unsigned(threads_ * (number + 1) / parts_);
  }
  sitting_ = 0;
  vain_ = 0;
  bind_state(stage_->state);
  if (together_) sit_down();
}

void Subslice::sit_down() {
  for (; next_ < threads_; ++next_) {
    Slot& s = slot(next_);
    if (next_ < most_threads) gateway_.entries[next_] = {.thread = &s.thread};
    start(s, next_, next_);
    s.sits = true;
  }
  sitting_ = threads_;
  if (stage_->barrier || threads_ == 1) {
    if (!group_barrier_) {
      gateway_.start_barrier(0, barrier_id_, threads_);
      group_barrier_ = &gateway_.barriers.begin()->second;
    }
    group_barrier_->count = threads_;
    group_barrier_->restart();
  }
}

void Subslice::count_passed_over(Slot& s) {
  const eu::PassedOver o = std::exchange(s.executor->passed_over, {});
  illegal_run_[{s.state->kernel->address, o.first_ip, o.first_code}] += o.count;
}

inline void Subslice::leave(Slot& s) {
  ++run_.threads;
  run_.compiled_threads += s.compiled;
  run_.substituted_threads += s.substituted;
  run_.instructions += s.executor->executed;
  if (s.executor->passed_over.count) [[unlikely]]
    count_passed_over(s);
  for (const eu::SharedFunction& f : leaving_) f.gone(f.context, s.thread);
  s.sits = false;
}

void Subslice::find_own_registers(const eu::Compiled& code) {
  const Own& own = *all_->own;
  if (needed_.code == &code && needed_.at == own.at && needed_.all == own.bytes) return;
  const std::bitset<eu::grf_count> needed = code.needed();
  needed_ = {
      .code = &code, .at = own.at, .all = own.bytes, .bytes = own.bytes, .registers = eu::ThreadChain::most_payload};
  while (needed_.bytes > 0 && !needed[(own.at + needed_.bytes) / eu::reg_bytes - 1]) needed_.bytes -= eu::reg_bytes;
  while (needed_.registers > 0 && !needed[needed_.registers - 1]) --needed_.registers;
}

// From a thread that has just been started: what others of its group are started with.
void Subslice::take_payloads(const Slot& s) {
  const eu::Compiled* code = s.native ? s.native->ready.load(std::memory_order_acquire) : nullptr;
  if (!code || payloads_for_ == code) return;
  if (all_->own->at + all_->own->bytes > eu::ThreadChain::most_payload * eu::reg_bytes) return;
  find_own_registers(*code);
  payloads_for_ = code;
  const Own& own = *all_->own;
  if (own.at <= eu::reg_bytes && own.at + own.bytes >= needed_.registers * eu::reg_bytes &&
      reinterpret_cast<uintptr_t>(own.data) % eu::reg_bytes == 0) {
    payloads_at_ = own.data - own.at;
    payload_distance_ = own.bytes;
    return;
  }
  payloads_.resize(needed_.registers * all_->threads);
  payloads_at_ = reinterpret_cast<const std::byte*>(payloads_.data());
  payload_distance_ = needed_.registers * eu::reg_bytes;
  auto* to = reinterpret_cast<std::byte*>(payloads_.data());
  for (unsigned t = 0; t < all_->threads; ++t, to += needed_.registers * eu::reg_bytes) {
    std::copy_n(s.thread.grf.data(), needed_.registers * eu::reg_bytes, to);
    std::copy_n(own.data + t * own.bytes, needed_.bytes, to + own.at);
  }
}

// What compiled code needs to put the next thread in this one's place: in the first seat, as advance_alone() does.
void Subslice::set_up_chain(eu::Executor& x) {
  eu::ThreadChain& s = x.chain;
  s.context = this;
  if (together_) {
    s.turn = [](void* subslice, uint64_t& instructions) {
      return static_cast<Subslice*>(subslice)->change_turn(instructions);
    };
    return;
  }
  s.start = [](void* subslice) { return static_cast<Subslice*>(subslice)->start_next(); };
  if (!can_chain()) return;
  s.next = 0;
  s.groups = 0;
  s.own_bytes = 0;
  s.open_group = nullptr;
  if (all_->apart) return set_up_apart(x);
  if (!payloads_for_) return;
  s.open_group = [](void* subslice) { return static_cast<Subslice*>(subslice)->start_group(); };
  const Own& own = *all_->own;
  s.own_distance = own.bytes;
  s.own_bytes = needed_.bytes;
  s.own_to = x.thread.grf.data() + own.at;
  s.cr = stage_->state.cr0;
  s.payload_distance = payload_distance_;
  s.first = -int64_t(all_->threads);
  s.step = {};
  s.step[own.counter] = 1;
  refill_chain(s);
}

void Subslice::set_up_apart(eu::Executor& x) {
  if (!apart_) return;
  const Apart& a = *all_->apart;
  eu::ThreadChain& s = x.chain;
  const code::ChainForm form = stage_->state.chain;
  const int64_t end = until_;
  s.next = int64_t(next_) - end;
  s.own_distance = s.own_bytes = s.payload_distance = size_t(form.own) * eu::reg_bytes;
  s.own_end = s.payloads_end = a.payloads + end * int64_t(s.payload_distance);
  s.own_to = x.thread.grf.data();
  s.masks_end = a.masks + end;
  s.cr = stage_->state.cr0;
  s.seconds_end = a.seconds + end;
  s.second_to = x.thread.grf.data() + size_t(form.second) * eu::reg_bytes;
  s.second_bytes = a.second_bytes;
  s.records_end = a.records + end * int64_t(a.record_bytes);
  s.record_distance = a.record_bytes;
  s.record = a.record;
}

// The threads of this part that are still to come, and groups.
inline void Subslice::refill_chain(eu::ThreadChain& s) {
  const Own& own = *all_->own;
  s.next = int64_t(next_) - until_;
  s.own_end = own.data + until_ * own.bytes;
  s.masks_end = own.masks + until_;
  s.payloads_end = payloads_at_ + until_ * s.payload_distance;
  s.groups = own.in_row && parts_ == 1 && !all_->threads_of
                 ? std::min(end_ - part_ - 1, own.in_row(all_->context, group_))
                 : 0;
  groups_known_ = s.groups;
}

// Threads that compiled code has put in one another's place.
inline void Subslice::count_chained(Slot& s) {
  if (!chains()) return;
  eu::ThreadChain& past = s.executor->chain;
  const uint64_t groups = groups_known_ - past.groups;
  const unsigned next = until_ + unsigned(past.next);
  const uint64_t threads = groups * threads_ + next - next_;
  run_.threads += threads;
  run_.compiled_threads += threads;
  run_.instructions += std::exchange(past.instructions, 0);
  s.number += next - next_;
  next_ = next;
  groups_known_ = past.groups;
  run_.groups += groups;
  part_ += groups;
  group_ += groups;
}

bool Subslice::start_next() {
  Slot& s = *slots_[0];
  count_chained(s);
  const bool last = next_ == until_;
  if (cancelled_->load(std::memory_order_relaxed) || (last && (part_ + 1 == end_ || all_->threads_of))) return false;
  leave(s);
  if (last) {
    close();
    open(part_ + 1);
  }
  start(s, next_++, 0);
  set_up_chain(*s.executor);
  s.sits = s.compiled = true;
  return true;
}

// As start_next(), for code that fills in what is the thread's own.
bool Subslice::start_group() {
  Slot& s = *slots_[0];
  count_chained(s);
  eu::ThreadChain& chain = s.executor->chain;
  if (chain.next || part_ + 1 == end_ || all_->threads_of || cancelled_->load(std::memory_order_relaxed)) return false;
  leave(s);
  s.executor->executed = 0;
  close();
  open(part_ + 1);
  all_->own->group(all_->context, seat_of(next_, 0), s.thread);
  refill_chain(chain);
  s.number = next_++;
  s.sits = s.compiled = true;
  return true;
}

Subslice::Progress Subslice::fail(Slot& s, bool hung) {
  fault_ = *s.executor->fault;
  fault_->hung = hung;
  fault_->thread = {.group = group_, .number = s.number};
  if (fault_->instruction.empty()) fault_->instruction = s.executor->program.text_at(s.thread.ip);
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

Subslice::Progress Subslice::advance(uint64_t patience) {
  for (;;) {
    const uint64_t part = part_;
    const Progress progress = together_ ? advance_together(patience) : advance_alone(patience);
    if (progress == Progress::unfinished && part_ != part) continue;  // this one has not had its time
    if (progress != Progress::done || cancelled_->load(std::memory_order_relaxed)) return progress;
    close();
    if (part_ + 1 == end_) return progress;
    open(part_ + 1);
  }
}

// Thread after thread, all in the first seat.
Subslice::Progress Subslice::advance_alone(uint64_t instructions) {
  Slot& s = slot(0);
  for (;;) {
    if (!s.sits) {
      if (next_ == until_) return Progress::done;
      if (cancelled_->load(std::memory_order_relaxed)) return Progress::done;
      start(s, next_++, 0);
      s.sits = true;
    }
    eu::Executor& x = *s.executor;
    const uint64_t before = run_.instructions + x.executed;
    const Status status = run(s, std::min(instructions, limit_ - x.executed));
    instructions -= std::min(instructions, run_.instructions + x.executed - before);
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

inline uint64_t Subslice::begin_turn(Slot& s) {
  if (s.state != bound_state_) bind_state(*s.state);
  round_.before = s.executor->executed;
  return std::min(turn_instructions, limit_ - round_.before);
}

inline void Subslice::end_turn(Slot& s, Status status) {
  eu::Executor& x = *s.executor;
  if (status == Status::waiting) --x.executed;  // the last one was not carried out
  const uint64_t done = x.executed - round_.before;
  round_.any = round_.any || done > 0;
  round_.left -= std::min(round_.left, done);
  if (status != Status::ended) return;
  leave(s);
  --sitting_;
  if (s.own.kernel) s.own = {}, bound_state_ = nullptr;
}

// For compiled code: from the thread whose turn it is, and which can do no more now, to the next one. Another round
// begins by itself if somebody has got further in this one.
eu::Executor* Subslice::change_turn(uint64_t& instructions) {
  const size_t current = round_.turn;
  Slot& s = *slots_[current];
  const auto next_from = [&](size_t n, size_t end) {
    while (n < end && !slots_[n]->sits) ++n;
    return n;
  };
  size_t n = next_from(current + 1, slots_.size());
  const bool over = n == slots_.size();
  if (over) {
    if (!round_.any || round_.left == 0 || cancelled_->load(std::memory_order_relaxed)) return nullptr;
    n = next_from(0, current);
    if (n == current) return nullptr;
  }
  if (slots_[n]->native != s.native || s.native != native_) return nullptr;
  end_turn(s, s.executor->status);
  if (over) round_.any = false, vain_ = 0;
  round_.turn = n;
  Slot& next = *slots_[n];
  instructions = begin_turn(next);
  next.compiled = true;
  next.executor->windows = windows_;
  if (!next.executor->chain.turn) set_up_chain(*next.executor);
  return &*next.executor;
}

// Turns for all that sit. Each thread can have one message accepted without getting further, so as many rounds as there
// are threads may pass without visible progress; more of them are a deadlock.
Subslice::Progress Subslice::advance_together(uint64_t instructions) {
  round_.left = instructions;
  while (sitting_ > 0) {
    round_.any = false;
    for (round_.turn = 0; round_.turn < slots_.size(); ++round_.turn) {  // children join at the end
      Slot& first = *slots_[round_.turn];
      if (!first.sits) continue;
      const uint64_t most = begin_turn(first);
      const Status status = run(first, most);
      Slot& s = *slots_[round_.turn];  // others may have had theirs
      if (status == Status::faulted) return fail(s, false);
      if (status == Status::running && over_limit(s)) return fail(s, true);
      end_turn(s, status);
    }
    vain_ = round_.any ? 0 : vain_ + 1;
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
    if (round_.left == 0 && sitting_ > 0) return Progress::unfinished;
  }
  return Progress::done;
}

eu::Reply Subslice::spawn(const shared::SpawnRequest& request, std::string& reason) {
  size_t seat = 0;
  while (seat < slots_.size() && slots_[seat]->sits) ++seat;
  if (seat >= std::min(fftids_, most_threads)) return eu::Reply::blocked;
  Slot& s = slot(seat);
  set_up(s, stage_->state, seat);
  Result<ThreadState> state =
      stage_->spawning.start(stage_->spawning.context, view_, request, first_fftid_ + unsigned(seat), s.thread);
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

void Subslice::finish(Counts& c) {
  if (native_) choice_.count(choice_of_kernel(), run_.instructions);
  choice_.restart_count();
  static_cast<ThreadCounts&>(c) += std::exchange(run_, {});
  c.misses += view_.take_misses();
  if (!illegal_run_.empty())
    for (const auto& [place, count] : std::exchange(illegal_run_, {})) {
      const auto& [kernel, ip, code] = place;
      c.illegal[fmt::format("kernel at {:#x}: illegal opcode {:#04x} at {:#x}", kernel, code, ip)] += count;
    }
  if (stage_->run->wanted.messages) count_messages(c);
  if (stage_->run->wanted.opcodes)
    for (size_t n = 0; n < opcodes_run_.size(); ++n) {
      const isa::Model& model = stage_->state.kernel->program.model();
      if (opcodes_run_[n]) c.opcodes[std::string(model.row(isa::Op(n))->mnemonic)] += opcodes_run_[n];
      opcodes_run_[n] = 0;
    }
  if (!ready_for_ || fault_ || cancelled_->load(std::memory_order_relaxed)) forget();
}

// Those that shared functions saw, and those that code carried out itself.
void Subslice::count_messages(Counts& c) {
  if (const eu::Compiled* code = native_ ? native_->ready.load(std::memory_order_acquire) : nullptr)
    for (size_t n = 0; n < windows_.size(); ++n)
      if (const uint64_t carried = std::exchange(windows_[n].carried, 0)) {
        const isa::Instruction& i = stage_->state.kernel->program.plans()[code->sites()[n]].instruction;
        messages_run_[uint64_t(i.sfid & 15) << 32 | i.desc.imm] += carried;
      }
  for (auto [key, count] : messages_run_) {
    const isa::Model& model = stage_->state.kernel->program.model();
    const auto info = isa::describe_message(*model.messages, unsigned(key >> 32), 0, uint32_t(key));
    c.messages[{uint8_t(key >> 32), std::string(info.name)}] += count;
  }
  messages_run_.clear();
}

void Subslice::forget() {
  for (const std::unique_ptr<Slot>& s : slots_)
    s->executor.reset(), s->own = {}, s->sits = false, s->substitute.reset(), s->substitute_of = nullptr;
  substitute_.reset();
  if (together_) reset_gateway();
  windows_.clear();
  view_ = memory::View(nullptr);
  environment_.slm = {};
  bound_state_ = nullptr;
  needed_ = {};
  choice_ = {};
  fault_.reset();
  stage_ = nullptr;
  ready_for_ = 0;
}

}  // namespace vitro::dispatch
