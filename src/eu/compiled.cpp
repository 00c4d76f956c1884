// Running compiled code and the interpreter on one thread in turns, the functions compiled code calls, and loading it.
// PRM: none of its own. Exceptions, observers and modes the code was not compiled for are the interpreter's business.
#include "eu/compiled.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "base/host_floats.h"
#include "eu/compiled_call.h"

namespace vitro::eu {
namespace {

// Calls f in the host's modes for an instruction; to change them takes longer than most of what is called.
template <class F>
auto in_modes_of(const Plan& p, const Executor& x, F f) {
  if (p.floats == Plan::Floats::none) return f();
  const HostFloats floats(host_floats(x.program, x.thread, p));
  return f();
}

uint32_t handle(Call* call, const Plan* p) {
  Executor& x = *call->executor;
  call->dirty = 1;
  x.thread.ip = p->ip;
  in_modes_of(*p, x, [&] { p->run(x, *p); });
  if (x.fault) [[unlikely]]
    x.place_fault(*p);
  return x.status != Status::running;
}

// --- where channels wait: in the image the ip of each channel, in code the channels of each label

void to_image(const Compiled& code, const uint32_t* waiting, Thread& t) {
  for (size_t n = 0; n < code.labels().size(); ++n)
    for (uint32_t m = waiting[n]; m; m &= m - 1) t.parked_at[size_t(std::countr_zero(m))] = code.labels()[n];
}
// False: a channel waits where code knows of none.
bool from_image(const Compiled& code, const Thread& t, uint32_t* waiting) {
  for (size_t n = 0; n < code.labels().size(); ++n) waiting[n] = 0;
  for (uint32_t m = t.dispatched & ~t.active; m; m &= m - 1) {
    const int channel = std::countr_zero(m), label = label_index(code.labels(), t.parked_at[size_t(channel)]);
    if (label < 0) return false;
    waiting[label] |= 1u << channel;
  }
  return true;
}

uint32_t branch(Call* call, const Plan* p) {
  to_image(*call->compiled, call->waiting, *call->thread);
  const uint32_t stopped = handle(call, p);
  if (from_image(*call->compiled, *call->thread, call->waiting)) return stopped;
  call->executor->status = Status::running;
  return 1;  // the interpreter goes on
}

uint32_t plain(Call* call, const Plan* p) {
  const SharedFunction& f = call->executor->functions[p->instruction.sfid & 15];
  if (!f.quick) return handle(call, p);
  call->dirty = 1;
  const std::byte* payload = call->thread->grf.data() + p->instruction.src[0].reg * reg_bytes;
  return f.quick(f.context, *call->thread, p->instruction.desc.imm, payload) ? 0 : handle(call, p);
}

// --- messages that code carries out itself, in windows

// The place of the first slot that takes part; of a barrier its name, of a routine what the header says.
std::optional<uint64_t> first_place(const isa::MessageShape& s, const Plan& p, const Thread& thread) {
  const isa::Instruction& i = p.instruction;
  const auto dword = [&](unsigned n) {
    uint32_t v;
    std::memcpy(&v, thread.grf.data() + payload_register(i, n / 8) * reg_bytes + n % 8 * 4, sizeof v);
    return v;
  };
  const auto at = [&](unsigned n) { return dword(n) | (s.wide() ? uint64_t(dword(n + 1)) << 32 : 0); };
  if (s.action == isa::MessageAction::barrier) return dword(2) & s.name_bits;
  if (s.is_block()) {
    const uint64_t place = s.place == s.no_place ? 0 : at(s.place) * s.unit & s.place_bits();
    return place + (dword(5) & s.base_bits) + s.distance;
  }
  if (s.colours()) return s.header ? dword(2) : 0;
  if (s.has_routine()) return s.header ? dword(2) | uint64_t(dword(3)) << 32 : 0;
  if (!s.is_scattered()) return 0;
  uint32_t mask = write_enable(thread, p) & uint32_t(ones(s.slots));
  if (s.masks_header) mask &= dword(7);
  if (!mask) return {};
  const unsigned slot = unsigned(std::countr_zero(mask)), body = s.header ? 8 : 0;
  if (s.wide()) return at(body + 2 * slot) & s.place_bits();
  return uint64_t(dword(body + slot) + (s.adds_header ? dword(2) : 0)) * s.unit & s.place_bits();
}

uint32_t transfer(Call* call, const Plan* p, uint32_t site) {
  const Executor& x = *call->executor;
  const isa::MessageShape& t = p->message.shape;
  const SharedFunction& f = x.functions[p->instruction.sfid & 15];
  // what the message answers may stand where its payload stood
  const std::optional<uint64_t> place =
      x.windows.data() != call->windows || !f.locate ? std::nullopt : first_place(t, *p, x.thread);
  const bool arrives = t.action == isa::MessageAction::barrier;
  const uint32_t stopped = arrives ? plain(call, p) : handle(call, p);
  if (place && !x.fault && !(arrives && call->windows[site].limit)) {
    Window& w = call->windows[site];
    const uint64_t carried = w.carried;
    w = in_modes_of(*p, x, [&] { return f.locate(f.context, p->instruction.desc.imm, t, *place); });
    const uint64_t row = t.slots ? uint64_t(t.slots - 1) * t.element : 0;
    w.row_limit = w.limit - std::min(w.limit, row);
    w.carried = carried;
    w.fused = call->compiled->has_fused(site, w);
  }
  return stopped;
}

// What was executed goes to the thread and to those before it.
void count(Call& call) {
  Executor& x = *call.executor;
  x.executed += call.executed - call.before;
  x.chain.instructions += call.before;
  call.budget -= std::min(call.budget, call.executed);
  call.executed = call.before = 0;
}

// Goes on with another thread that is there. If code cannot, Compiled::run finds it in the call.
bool change_thread(Call& call) {
  const ThreadChain& s = call.executor->chain;
  Executor* other = s.turn ? s.turn(s.context, call.budget) : nullptr;
  if (!other) return false;
  other->status = Status::running;
  call.executor = other;
  call.thread = &other->thread;
  call.chain = &other->chain;
  call.dirty = 1;
  return from_image(*call.compiled, other->thread, call.waiting) && call.compiled->enters(other->thread);
}

uint32_t turn(Call* call) {
  Executor& x = *call->executor;
  if (x.thread.active != x.thread.dispatched) to_image(*call->compiled, call->waiting, x.thread);
  count(*call);
  x.status = Status::waiting;
  return change_thread(*call);
}

uint32_t next(Call* call) {
  Executor& x = *call->executor;
  count(*call);
  const auto nobody_waits = [&] { std::fill_n(call->waiting, call->compiled->labels().size(), 0); };
  if (!call->dirty && call->budget && x.chain.open_group && x.chain.open_group(x.chain.context)) {
    nobody_waits();
    return uint32_t(Next::group);
  }
  x.thread.ended = true;
  x.status = Status::ended;
  if (x.chain.turn) return uint32_t(change_thread(*call) ? Next::thread : Next::none);
  if (!x.chain.start || call->budget == 0 || !x.chain.start(x.chain.context)) return uint32_t(Next::none);
  call->dirty = 0;
  nobody_waits();
  return uint32_t(call->compiled->enters(x.thread) ? Next::thread : Next::none);
}

// Whether it can be of this program.
bool fits(const CodeFacts& facts, const Program& program) {
  for (const CodeFacts::Entry& e : facts.entries)
    if (!program.at(e.ip)) return false;
  for (const uint32_t n : facts.sites)
    if (n >= program.plans().size() || !program.plans()[n].message.row) return false;
  return size_t(facts.counts.instructions) == program.plans().size();
}

}  // namespace

int label_index(std::span<const uint32_t> labels, uint32_t ip) {
  const auto at = std::lower_bound(labels.begin(), labels.end(), ip);
  return at != labels.end() && *at == ip ? int(at - labels.begin()) : -1;
}

Status Compiled::run(Executor& first, uint64_t budget) const {
  if (first.observer.before || first.observer.after) return first.run(budget);
  Executor* current = &first;
  first.status = Status::running;
  const HostFloats modes(facts_.host_flushes ? HostFloats::flush : HostFloats::plain);
  uint32_t few[64];
  std::vector<uint32_t> many(labels().size() > std::size(few) ? labels().size() : 0);
  uint32_t* const waiting = many.empty() ? few : many.data();
  std::vector<Window> none(first.windows.size() < sites().size() ? sites().size() : 0);  // stay without limits
  Window* const windows = none.empty() ? first.windows.data() : none.data();
  const auto function = reinterpret_cast<Code>(reinterpret_cast<uintptr_t>(code().data()));
  while (current->status == Status::running && budget > 0) {
    Executor& x = *current;
    if (!enters(x.thread) || !from_image(*this, x.thread, waiting)) {
      x.run(1);
      --budget;
      continue;
    }
    Call call{.thread = &x.thread,
              .executor = &x,
              .plans = program_.plans().data(),
              .handle = handle,
              .branch = branch,
              .plain = plain,
              .transfer = transfer,
              .next = next,
              .turn = turn,
              .waiting = waiting,
              .windows = windows,
              .chain = &x.chain,
              .compiled = this,
              .budget = budget,
              .dirty = !std::exchange(x.fresh, false)};
    const Left why{function(&call)};
    current = call.executor;
    if (current->thread.active != current->thread.dispatched) to_image(*this, waiting, current->thread);
    count(call);
    // Code that leaves as it was entered, for a place where no instruction starts, would be entered for ever.
    const bool stood_still = call.budget == budget && current->status == Status::running;
    budget = call.budget;
    if ((why == Left::interpret || stood_still) && budget > 0) current->run(1), --budget;
  }
  return current->status;
}

Compiled::Compiled(const Program& program, const code::Image& image, CodeFacts facts)
    : program_(program),
      pages_(image.code),
      facts_(std::move(facts)),
      entries_(program.size() / 8 + 1),
      start_(image.start),
      function_bytes_(image.function_bytes),
      shared_(image.shared),
      code_bytes_(uint32_t(image.code.size())) {
  for (const auto& [ip, mode] : facts_.entries) entries_[ip / 8] = mode;
  for (uint32_t n = 0; n < facts_.sites.size(); ++n)
    if (program.plans()[facts_.sites[n]].message.shape.has_routine()) routine_sites_.push_back(n);
  facts_.counts.code_bytes = pages_.bytes();
}

bool Compiled::has_fused(size_t site, const Window& window) const {
  if (window.key.empty()) return false;
  for (const code::FusedRoutine& f : facts_.fused)
    if (f.instruction == facts_.sites[site]) return std::ranges::equal(f.key, window.key);
  return false;
}

std::shared_ptr<const Compiled> load(const Program& program, std::span<const std::byte> bytes) {
  const std::optional<code::Image> image = code::to_image(bytes);
  std::optional<CodeFacts> facts = image ? to_facts(image->facts) : std::nullopt;
  if (!facts || !fits(*facts, program)) return nullptr;
  auto compiled = std::make_shared<const Compiled>(program, *image, std::move(*facts));
  return compiled->loaded() ? compiled : nullptr;
}

}  // namespace vitro::eu
