// Atomic messages: operations on dwords and qwords, of surfaces, stateless memory, shared local memory, 64-bit
// addresses, and the append counters of surfaces. PRM: Gen8 vol 2a MSD1*_DWAI*, MSD1*_DWAC*, MSD1*_A64_DWAI*,
// MSD1*_A64_QWAI*; vol 7 "Untyped Atomic Operation". What operations compute stands in atomics.h.
// Slots take their turns from slot 0 on, where hardware leaves the order open. An operation is atomic towards other
// host threads if its memory is aligned and lies in one range; else it takes a lock that only its like respect. Out of
// bounds nothing is stored and zero returned. A slot of a SIMD4x2 message has its operands side by side in one
// register. A choice where documents are silent: the qwords of CMPWR_2W come as all low dwords, then all high ones, and
// so do the results.
#include <atomic>
#include <mutex>

#include "shared/dataport/atomics.h"
#include "shared/dataport/lanes.h"

namespace vitro::shared {
namespace {

std::mutex odd_places;  // for what no host instruction does at once

template <AtomicOp op, class T>
T after(T old, T a, T b) {
  return AtomicOperation<op>::after(AtomicNumber<T>{old}, AtomicNumber<T>{a}, AtomicNumber<T>{b}).v;
}

// Carries an operation out; gives what was there before.
template <AtomicOp op, class T>
T modify(std::byte* host, T a, T b) {
  constexpr HostAtomic direct = AtomicOperation<op>::host;
  constexpr auto order = std::memory_order_acq_rel;
  const std::atomic_ref<T> place(*reinterpret_cast<T*>(host));
  if constexpr (direct == HostAtomic::and_) return place.fetch_and(a, order);
  if constexpr (direct == HostAtomic::or_) return place.fetch_or(a, order);
  if constexpr (direct == HostAtomic::xor_) return place.fetch_xor(a, order);
  if constexpr (direct == HostAtomic::exchange) return place.exchange(a, order);
  if constexpr (direct == HostAtomic::add) return place.fetch_add(a, order);
  if constexpr (direct == HostAtomic::sub) return place.fetch_sub(a, order);
  T old = place.load(std::memory_order_relaxed);
  while (!place.compare_exchange_weak(old, after<op>(old, a, b), order, std::memory_order_relaxed)) {
  }
  return old;
}

template <class T>
bool is_aligned(const std::byte* p) {
  return (reinterpret_cast<uintptr_t>(p) & (sizeof(T) - 1)) == 0;
}

// The slots of a message with their operands; `old` becomes what it answers.
template <class T>
struct Batch {
  memory::View& memory;
  Target target;
  Slots slots;
  std::array<T, max_slots> a{}, b{}, old{};
};

template <AtomicOp op, class T>
void run(Batch<T>& w) {
  const Window all = window(w.memory, w.target, w.slots, sizeof(T), memory::Access::write);
  const bool one_window = all.host && is_aligned<T>(all(w.slots.at[0]));
  w.slots.each([&](unsigned i) {
    const uint64_t at = w.slots.at[i];
    const T a = w.a[i], b = w.b[i];
    T& old = w.old[i];
    if (one_window && !w.target.slm) {
      old = modify<op, T>(all(at), a, b);
    } else if (inside(w.target, at, sizeof(T)) < sizeof(T)) {
      old = 0;
      return;
    } else if (w.target.slm) {  // only this host thread runs the group
      std::memcpy(&old, w.target.slm + at, sizeof old);
      const T v = after<op>(old, a, b);
      std::memcpy(w.target.slm + at, &v, sizeof v);
    } else if (std::byte* p = w.memory.at(w.target.base + at, sizeof(T), memory::Access::write);
               p && is_aligned<T>(p)) {
      old = modify<op, T>(p, a, b);
    } else {
      const std::lock_guard hold(odd_places);
      old = w.memory.template load<T>(w.target.base + at);
      w.memory.template store<T>(w.target.base + at, after<op>(old, a, b));
    }
    old = atomic_answer<op>(AtomicNumber<T>{old}, AtomicNumber<T>{a}, AtomicNumber<T>{b}).v;
  });
}

// --- where the operands stand

template <class T>
void load(const DataPortCall& c, const Slots& s, unsigned operand, std::array<T, max_slots>& to) {
  const unsigned registers = c.shape.row_registers(), first = s.data + operand * registers;
  if (c.shape.pair()) {
    for (unsigned i = 0; i < 2; ++i) std::memcpy(&to[i], c.reg(s.data) + 16 * i + operand * sizeof(T), sizeof(T));
  } else if (c.shape.split) {
    std::array<uint32_t, max_slots> low, high;
    c.copy(first, registers / 2, low.data());
    c.copy(first + registers / 2, registers / 2, high.data());
    for (unsigned i = 0; i < s.count; ++i) to[i] = T(uint64_t(high[i]) << 32 | low[i]);
  } else {
    c.copy(first, registers, to.data());
  }
}
template <class T>
void store(DataPortCall& c, const Slots& s, const std::array<T, max_slots>& results) {
  s.each([&](unsigned i) {
    if (c.shape.pair()) {
      std::memcpy(c.out(0) + 16 * i, &results[i], sizeof(T));
    } else if (c.shape.split) {
      const uint64_t v = results[i];
      const uint32_t halves[2] = {uint32_t(v), uint32_t(v >> 32)};
      for (unsigned h = 0; h < 2; ++h) std::memcpy(c.out(h * s.count / 8) + 4 * i, &halves[h], 4);
    } else {
      std::memcpy(c.out(0) + i * sizeof(T), &results[i], sizeof(T));
    }
  });
}

template <class T>
eu::Reply perform(DataPortCall& c, const Target& t, const Slots& s) {
  Batch<T> w{c.memory(), t, s};
  const unsigned operands = c.shape.given();
  if (operands > 0)
    load(c, s, 0, w.a);
  else
    w.a.fill(1);
  if (operands > 1) load(c, s, 1, w.b);
  with_operation(c.shape.operation, [&]<AtomicOp op>() { run<op>(w); });
  if (c.shape.answers && c.answers()) store(c, s, w.old);
  return c.done();
}
eu::Reply perform(DataPortCall& c, const Target& t, const Slots& s) {
  return c.shape.element == 8 ? perform<uint64_t>(c, t, s) : perform<uint32_t>(c, t, s);
}

}  // namespace

uint32_t atomic_dword(AtomicOp op, std::byte* host, uint32_t a, uint32_t b) {
  if (isa::atomic_operands[size_t(op)] == 0) a = 1;
  return with_operation(op, [&]<AtomicOp one>() {
    return atomic_answer<one>(AtomicNumber<uint32_t>{modify<one>(host, a, b)}, AtomicNumber<uint32_t>{a},
                              AtomicNumber<uint32_t>{b})
        .v;
  });
}

template <>
eu::Reply act<isa::MessageAction::atomic>(DataPortCall& c) {
  const Target t = target_of(c);
  Slots s;
  return find_slots(c, t, s) ? perform(c, t, s) : eu::Reply::faulted;
}
// All slots count at the append counter of the surface, if it has one.
template <>
eu::Reply act<isa::MessageAction::atomic_counter>(DataPortCall& c) {
  const isa::MessageShape& shape = c.shape;
  const state::Surface& surface = c.surface();
  const bool has_counter = !surface.is_null() && surface.aux_mode == state::AuxMode::append;
  Slots s{.mask = c.enabled(shape.pair() ? 8 : shape.slots), .count = shape.slots, .data = c.body()};
  if (shape.pair()) s.mask = eu::slots_4x2(s.mask);
  return perform(c, {surface.aux_base, has_counter ? 4u : 0u}, s);
}

}  // namespace vitro::shared
