// The loop of a thread, and its arithmetic. Documents: as machine.h; predicates "Predication" (VI-301 to VI-307 of
// docs/visa.md's list): any and all look at the whole predicate variable, as Intel's finalizer has it.
#include "visa/machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/host_floats.h"
#include "eu/semantics.h"
#include "visa/names.h"

namespace vitro::visa {

Machine::Machine(const Program& program, RunFindings* findings) : program_(program), findings_(findings) {}

void Machine::start(eu::Thread& thread, const eu::SharedFunctions& functions, eu::Clock clock) {
  thread_ = &thread;
  executor_.emplace(eu::Executor{
      .thread = thread, .program = program_.steps(), .functions = functions, .observer = {}, .clock = clock});
  levels_.clear();
  frames_.clear();
  bytes_.assign(Storage::shared_bytes(), std::byte{});
  written_.assign(bytes_.size() / 64, 0);
  signalled_ = false, part_ = 0;
  open_frame(program_.kernel());
  active_ = live_ = thread.dispatched;

  uint32_t r0[8];
  std::memcpy(r0, thread.grf.data(), sizeof r0);
  const uint32_t bits = program_.facts().coordinate_mask;
  const auto known = [&](uint32_t id, auto value) { write(id, 0, std::as_bytes(std::span(&value, 1))); };
  known(1, uint16_t(r0[1] & bits));
  known(2, uint16_t(r0[1] >> 16 & bits));
  known(3, r0[1]), known(4, r0[6]), known(5, r0[7]);
  write(7, 0, std::as_bytes(std::span(r0)));
  known(12, r0[5] & program_.facts().fftid_mask);
  known(17, uint16_t(r0[2] & 0xF));
  for (const auto shown : {register_time, register_state, register_control, register_channels, register_debug})
    read_registers(shown);

  const Routine& r = *program_.kernel().routine;
  for (const Input& in : r.inputs) {
    if (in.offset < 0 || size_t(in.offset) + in.size > thread.grf.size()) continue;
    const std::byte* from = thread.grf.data() + in.offset;
    if (in.input_class() == InputClass::general) {
      write(in.id, 0, {from, in.size});
      continue;
    }
    uint32_t index = 0;
    std::memcpy(&index, from, std::min<size_t>(in.size, sizeof index));
    auto& values = in.input_class() == InputClass::sampler ? frames_[0].samplers : frames_[0].surfaces;
    if (in.id < values.size()) values[in.id] = index;
  }
}

void Machine::open_frame(const RoutineCode& code) {
  Frame f{.code = &code, .base = uint32_t(bytes_.size())};
  const Routine& r = *code.routine;
  bytes_.resize(bytes_.size() + code.storage.bytes());
  written_.resize(bytes_.size() / 64);
  f.predicates.assign(r.predicates.size() + 1, 0);
  f.addresses.resize(r.addresses.size());
  // Elements of a surface variable stand behind each other; most have one.
  f.surfaces.assign(predefined_surfaces + r.surfaces.size(), 0);
  constexpr uint32_t indices[predefined_surfaces] = {254, 1, 2, 3, 252, 255};
  std::copy(std::begin(indices), std::end(indices), f.surfaces.begin());
  f.samplers.assign(r.samplers.size(), 0);
  frame_base_ = f.base;
  operations_ = code.operations.data();
  operations_end_ = operations_ + code.operations.size();
  next_ = operations_;
  frames_.push_back(std::move(f));
}

std::vector<std::byte> Machine::read(uint32_t variable) const {
  const Storage& storage = frames_[0].code->storage;
  if (!storage.knows(variable)) return {};
  const VariablePlace& v = storage[variable];
  const std::byte* from = bytes_.data() + v.at + (v.shared ? 0 : frames_[0].base);
  return {from, from + v.bytes};
}

void Machine::write(uint32_t variable, uint32_t at, std::span<const std::byte> bytes) {
  const Storage& storage = frames_[0].code->storage;
  if (!storage.knows(variable)) return;
  const VariablePlace& v = storage[variable];
  if (v.null || at >= v.bytes) return;
  const uint32_t begin = v.at + at + (v.shared ? 0 : frames_[0].base);
  const auto n = uint32_t(std::min<size_t>(bytes.size(), v.bytes - at));
  std::memcpy(bytes_.data() + begin, bytes.data(), n);
  set_written(begin, n);
}

std::vector<std::byte> Machine::look(const Operation& o, const OperandPlan& s) {
  RunFindings* const told = std::exchange(findings_, nullptr);
  const auto registers = thread_->grf;
  fetch(o, s, o.lane_mask);
  const unsigned count = s.scalar ? 1u : o.lanes;
  const std::byte* from = element(s.slot);
  std::vector<std::byte> bytes(from, from + count * s.size);
  thread_->grf = registers;
  findings_ = told;
  return bytes;
}

eu::Status Machine::run(uint64_t budget) {
  eu::Executor& x = *executor_;
  x.status = eu::Status::running;
  floats_ = HostFloats::plain;
  const HostFloats restored(floats_);
  const bool observed = observer.before || observer.after;
  while (x.status == eu::Status::running && budget-- > 0) {
    if (next_ == operations_end_) {
      x.stop(
          fmt::format("{} runs off its end", frames_.back().code->routine->text(frames_.back().code->routine->name)));
      break;
    }
    const Operation& o = *next_;
    if (o.wakes && active_ != live_) wake(number(o));
    last_ = &o;
    ++next_;
    ++x.executed;
    if (observed) [[unlikely]] {
      const uint32_t mask = o.selects ? running(o) : enabled(o);
      if (observer.before) observer.before(observer.context, *this, o, mask);
      o.run(*this, o);
      if (observer.after && !x.fault) observer.after(observer.context, *this, o, mask);
    } else {
      o.run(*this, o);
    }
    if (x.status == eu::Status::waiting) next_ = &o, --x.executed;
    if (x.fault) [[unlikely]] {
      next_ = &o;
      x.fault->ip = o.instruction->place;
      if (x.fault->instruction.empty()) x.fault->instruction = std::string(o.instruction->row->mnemonic);
    }
  }
  plain_floats();
  return x.status;
}

void Machine::plain_floats() {
  const uint32_t before = std::exchange(floats_, HostFloats::plain);
  if (before != floats_) HostFloats::change(before, floats_);
}

void Machine::stop(const Operation&, std::string reason) { executor_->stop(std::move(reason)); }

void Machine::refuse(const Operation& o) {
  const Refusal* r = program_.refusal_of(*o.instruction);
  executor_->stop(unsupported_fault(r ? r->what : std::string(o.instruction->row->mnemonic)));
}

uint32_t Machine::predicate(const Operation& o) const {
  uint32_t bits = frames_.back().predicates[o.predicate.id];
  if (o.predicate.combine) {
    const auto all = uint32_t(ones(o.predicate.elements));
    const bool holds = o.predicate.combine == 1 ? (bits & all) != 0 : (bits & all) == all;
    bits = holds ? ~0u : 0;
  } else {
    bits >>= o.channel;
  }
  return o.predicate.inverse ? ~bits : bits;
}

void Machine::run_steps(const Operation& o, uint32_t lanes) {
  eu::Executor& x = *executor_;
  thread_->active = lanes;
  const eu::Plan* p = program_.steps().plans().data() + o.first_step;
  for (const eu::Plan* end = p + o.steps; p != end; ++p) {
    if (p->floats != eu::Plan::Floats::none) {
      const uint32_t before = std::exchange(floats_, eu::host_floats(x.program, *thread_, *p));
      HostFloats::change(before, floats_);
    }
    p->run(x, *p);
    if (x.fault) [[unlikely]]
      return;
  }
}

void Machine::arithmetic(const Operation& o) {
  const uint32_t lanes = o.selects ? running(o) : enabled(o);
  if (!lanes) return;
  if (o.selects && o.predicate.id) thread_->flag[0] = predicate(o);
  for (unsigned n = 0; n < o.sources; ++n) fetch(o, o.src[n], lanes);
  run_steps(o, lanes);
  if (executor_->fault) return;
  store(o, o.dst, lanes);
  if (o.second.access != Access::none) store(o, o.second, lanes);
}

void Machine::move_raw(const Operation& o) {
  const uint32_t lanes = enabled(o);
  if (!lanes) return;
  fetch(o, o.src[0], lanes);
  store(o, o.dst, lanes);
}

void Machine::compare(const Operation& o) {
  if (o.dst.access != Access::predicate) return arithmetic(o);
  const uint32_t lanes = enabled(o);
  if (!lanes) return;
  for (unsigned n = 0; n < o.sources; ++n) fetch(o, o.src[n], lanes);
  run_steps(o, lanes);
  uint32_t& p = frames_.back().predicates[o.dst.id];
  const uint32_t mask = lanes << o.channel;
  p = (p & ~mask) | (thread_->flag[0] << o.channel & mask);
}

// On bits of channels; the expressions are those of the EU's rows.
void Machine::predicate_logic(const Operation& o) {
  struct NoContext {};
  std::vector<uint32_t>& p = frames_.back().predicates;
  const auto bits = [&](const OperandPlan& s) {
    const uint32_t v = s.access == Access::predicate ? p[s.id] : uint32_t(scalar(o, s));
    return eu::Num<int64_t>{s.operand->modifier == Modifier::invert ? ~v : v};
  };
  const eu::Num<int64_t> a = bits(o.src[0]), b = o.sources > 1 ? bits(o.src[1]) : a;
  uint32_t result = 0;
  eu::with_semantic(isa::Op(o.target), [&]<class S>() {
    if constexpr (requires { S::evaluate(NoContext{}, a, b, b).v; })
      result = uint32_t(S::evaluate(NoContext{}, a, b, b).v);
  });
  const uint32_t mask = enabled(o) << o.channel;
  p[o.dst.id] = (p[o.dst.id] & ~mask) | (result & mask);
}

// From a number each channel takes its bit, whether it runs or not; from elements the lowest bit of its own.
void Machine::set_predicate(const Operation& o) {
  uint32_t& p = frames_.back().predicates[o.dst.id];
  const OperandPlan& s = o.src[0];
  const auto put = [&](uint32_t bits, uint32_t lanes) {
    const uint32_t mask = lanes << o.channel;
    p = (p & ~mask) | (bits << o.channel & mask);
  };
  if (s.scalar) return put(uint32_t(scalar(o, s)), o.lane_mask);
  const uint32_t lanes = enabled(o);
  fetch(o, s, lanes);
  uint32_t bits = 0;
  for (unsigned l = 0; l < o.lanes; ++l) bits |= uint32_t(*element(s.slot + l * s.size) & std::byte{1}) << l;
  put(bits, lanes);
}

void Machine::add_address(const Operation& o) {
  const uint32_t lanes = enabled(o);
  if (!lanes) return;
  Frame& f = frames_.back();
  const OperandPlan &from = o.src[0], &added = o.src[1];
  fetch(o, added, lanes);
  std::array<Address, 16> result{};
  for (unsigned l = 0; l < o.lanes; ++l) {
    if (!(lanes >> l & 1) || o.dst.first + l >= result.size()) continue;
    Address a;
    if (from.access == Access::address) {
      a = f.addresses[from.id][(from.first + l % from.replicated) % 16];
    } else {
      const VariablePlace& v = f.code->storage[from.variable];
      a = {.root_at = v.root_at,
           .root_bytes = v.root_bytes,
           .variable = v.root,
           .offset = uint16_t(from.at - v.root_at),
           .shared = v.shared,
           .known = true};
    }
    uint16_t by = 0;
    if (added.access == Access::constant || added.access == Access::given)
      by = uint16_t(added.constant);
    else
      std::memcpy(&by, element(added.slot + (added.scalar ? 0 : l) * added.size), std::min<size_t>(added.size, 2));
    a.offset = uint16_t(a.offset + by);
    result[o.dst.first + l] = a;
  }
  for (unsigned l = 0; l < o.lanes; ++l)
    if ((lanes >> l & 1) && o.dst.first + l < result.size())
      f.addresses[o.dst.id][o.dst.first + l] = result[o.dst.first + l];
}

void Machine::move_state(const Operation& o) {
  const uint32_t lanes = enabled(o);
  if (!lanes) return;
  Frame& f = frames_.back();
  const OperandPlan &s = o.src[0], &d = o.dst;
  uint32_t value = 0;
  if (s.access == Access::state) {
    const auto& values = s.sampler ? f.samplers : f.surfaces;
    if (s.first || o.lanes > 1) return refuse(o);
    value = s.id < values.size() ? values[s.id] : 0;
  } else {
    value = uint32_t(scalar(o, s));
  }
  if (d.access != Access::state) {
    std::memcpy(element(d.slot), &value, sizeof value);
    return store(o, d, lanes);
  }
  auto& values = d.sampler ? f.samplers : f.surfaces;
  if (d.first || o.lanes > 1) return refuse(o);
  if (d.id < values.size()) values[d.id] = value;
}

// A routine of the object is named by its place there; where other symbols are, whoever runs this knows.
void Machine::function_address(const Operation& o) {
  const std::string_view name = frames_.back().code->routine->text(o.target);
  uint64_t value = 0;
  if (const int routine = program_.routine_named(name); routine >= 0) {
    value = uint64_t(routine);
  } else if (const auto found = symbols ? symbols->find(std::string(name)) : Symbols::const_iterator{};
             symbols && found != symbols->end()) {
    value = found->second;
  } else {
    return executor_->stop(fmt::format("nobody knows where {} is", name));
  }
  std::memcpy(element(o.dst.slot), &value, sizeof value);
  store(o, o.dst, enabled(o));
}

}  // namespace vitro::visa
