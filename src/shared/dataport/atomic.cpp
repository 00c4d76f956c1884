// Atomic messages: integer and float operations on dwords and qwords, of surfaces, stateless memory, shared local
// memory, 64-bit addresses, and the append counters of surfaces. PRM: Gen8 vol 2a MSD1*_DWAI*, MSD1*_DWAC*,
// MSD1*_A64_DWAI*, MSD1*_A64_QWAI*; vol 7 "Untyped Atomic Operation". Opcodes as in MDC_AOP*; float ones are Gen9's.
// One expression per operation. Slots take their turns from slot 0 on, where hardware leaves the order open. An
// operation is atomic towards other host threads if its memory is aligned and lies in one range; else it takes a lock
// that only its like respect. Out of bounds nothing is stored and zero returned. A slot of a SIMD4x2 message has its
// operands side by side in one register. Choices where documents are silent: the qwords of CMPWR_2W come as all low
// dwords, then all high ones, and so do the results; a NaN never replaces a number in FMAX and FMIN.
#include "shared/dataport/atomic.h"

#include <bit>
#include <cmath>
#include <mutex>
#include <tuple>

#include "shared/dataport/descriptor.h"
#include "shared/dataport/lanes.h"
#include "shared/dataport/messages.h"

namespace vitro::shared {
namespace {

template <class T>
constexpr auto signed_of(T v) {
  return std::make_signed_t<T>(v);
}
constexpr auto compare_and_write = [](auto old, auto a, auto b) { return old == a ? b : old; };

// Operations that the host does in one instruction: the expression, and `direct`, which is the same at once.
constexpr struct {
  auto operator()(auto old, auto a, auto) const { return decltype(old)(old & a); }
  static auto direct(auto place, auto a) { return place.fetch_and(a, std::memory_order_acq_rel); }
} both;
constexpr struct {
  auto operator()(auto old, auto a, auto) const { return decltype(old)(old | a); }
  static auto direct(auto place, auto a) { return place.fetch_or(a, std::memory_order_acq_rel); }
} either;
constexpr struct {
  auto operator()(auto old, auto a, auto) const { return decltype(old)(old ^ a); }
  static auto direct(auto place, auto a) { return place.fetch_xor(a, std::memory_order_acq_rel); }
} differing;
constexpr struct {
  auto operator()(auto, auto a, auto) const { return a; }
  static auto direct(auto place, auto a) { return place.exchange(a, std::memory_order_acq_rel); }
} replacement;
constexpr struct {
  auto operator()(auto old, auto, auto) const { return decltype(old)(old + 1); }
  static auto direct(auto place, auto a) { return place.fetch_add(decltype(a)(1), std::memory_order_acq_rel); }
} increment;
constexpr struct {
  auto operator()(auto old, auto, auto) const { return decltype(old)(old - 1); }
  static auto direct(auto place, auto a) { return place.fetch_sub(decltype(a)(1), std::memory_order_acq_rel); }
} decrement;
constexpr struct {
  auto operator()(auto old, auto a, auto) const { return decltype(old)(old + a); }
  static auto direct(auto place, auto a) { return place.fetch_add(a, std::memory_order_acq_rel); }
} sum;
constexpr struct {
  auto operator()(auto old, auto a, auto) const { return decltype(old)(old - a); }
  static auto direct(auto place, auto a) { return place.fetch_sub(a, std::memory_order_acq_rel); }
} difference;

constexpr std::tuple int_expressions{
    compare_and_write,                                                               // 0 CMPWR_2W
    both,                                                                            // 1 AND
    either,                                                                          // 2 OR
    differing,                                                                       // 3 XOR
    replacement,                                                                     // 4 MOV
    increment,                                                                       // 5 INC
    decrement,                                                                       // 6 DEC
    sum,                                                                             // 7 ADD
    difference,                                                                      // 8 SUB
    [](auto old, auto a, auto) { return decltype(old)(a - old); },                   // 9 REVSUB
    [](auto old, auto a, auto) { return signed_of(a) > signed_of(old) ? a : old; },  // 10 IMAX
    [](auto old, auto a, auto) { return signed_of(a) < signed_of(old) ? a : old; },  // 11 IMIN
    [](auto old, auto a, auto) { return a > old ? a : old; },                        // 12 UMAX
    [](auto old, auto a, auto) { return a < old ? a : old; },                        // 13 UMIN
    compare_and_write,                                                               // 14 CMPWR
    decrement,                                                                       // 15 PREDEC
};
constexpr std::array<AtomicOperation, 16> int_operations{
    {{2}, {1}, {1}, {1}, {1}, {0}, {0}, {1}, {1}, {1}, {1}, {1}, {1}, {1}, {2}, {0, true}}};

float f(uint32_t bits) { return std::bit_cast<float>(bits); }
constexpr std::tuple float_expressions{
    [](uint32_t old, uint32_t, uint32_t) { return old; },                                              // 0
    [](uint32_t old, uint32_t a, uint32_t) { return f(a) > f(old) || std::isnan(f(old)) ? a : old; },  // FMAX
    [](uint32_t old, uint32_t a, uint32_t) { return f(a) < f(old) || std::isnan(f(old)) ? a : old; },  // FMIN
    [](uint32_t old, uint32_t a, uint32_t b) { return f(a) == f(old) ? b : old; },                     // FCMPWR
};
constexpr std::array<AtomicOperation, 8> float_operations{{{reserved_operation},
                                                           {1},
                                                           {1},
                                                           {2},
                                                           {reserved_operation},
                                                           {reserved_operation},
                                                           {reserved_operation},
                                                           {reserved_operation}}};

std::mutex odd_places;  // for what no host instruction does at once

template <class T, class F>
T modify(std::byte* host, T a, T b, F next) {
  const std::atomic_ref<T> place(*reinterpret_cast<T*>(host));
  if constexpr (requires { F::direct(place, a); }) return F::direct(place, a);
  T old = place.load(std::memory_order_relaxed);
  while (!place.compare_exchange_weak(old, next(old, a, b), std::memory_order_acq_rel, std::memory_order_relaxed)) {
  }
  return old;
}

template <class T>
bool is_aligned(const std::byte* p) {
  return (reinterpret_cast<uintptr_t>(p) & (sizeof(T) - 1)) == 0;
}

// A message, once it is known what it works on.
template <class T>
struct Batch {
  memory::View& memory;
  Target target;
  Slots slots;
  std::array<T, max_slots> a{}, b{}, old{};
};

template <class T, class F>
void run(Batch<T>& w, F next) {
  const Window all = window(w.memory, w.target, w.slots, sizeof(T), memory::Access::write);
  const bool one_window = all.host && is_aligned<T>(all(w.slots.at[0]));
  w.slots.each([&](unsigned i) {
    const uint64_t at = w.slots.at[i];
    if (w.target.slm) {  // only this host thread runs the group
      w.old[i] = 0;
      if (inside(w.target, at, sizeof(T)) < sizeof(T)) return;
      T v;
      std::memcpy(&v, w.target.slm + at, sizeof v);
      w.old[i] = v;
      v = next(v, w.a[i], w.b[i]);
      std::memcpy(w.target.slm + at, &v, sizeof v);
    } else if (one_window) {
      w.old[i] = modify<T>(all(at), w.a[i], w.b[i], next);
    } else if (inside(w.target, at, sizeof(T)) < sizeof(T)) {
      w.old[i] = 0;
    } else if (std::byte* p = w.memory.at(w.target.base + at, sizeof(T), memory::Access::write);
               p && is_aligned<T>(p)) {
      w.old[i] = modify<T>(p, w.a[i], w.b[i], next);
    } else {
      const std::lock_guard hold(odd_places);
      memory::View& memory = w.memory;
      w.old[i] = memory.load<T>(w.target.base + at);
      memory.store<T>(w.target.base + at, next(w.old[i], w.a[i], w.b[i]));
    }
  });
}

template <class T>
using Run = void (*)(Batch<T>&);
template <class T, const auto& expressions>
constexpr auto runs = []<size_t... n>(std::index_sequence<n...>) {
  return std::array<Run<T>, sizeof...(n)>{[](Batch<T>& w) { run(w, std::get<n>(expressions)); }...};
}
(std::make_index_sequence<std::tuple_size_v<std::remove_cvref_t<decltype(expressions)>>>());

// --- where the operands stand

enum class Shape : uint8_t { dwords, split_qwords, qwords };

struct Place {
  Target target;
  Slots slots;
  unsigned data = 0;  // register of the first operand
  bool pair = false;  // SIMD4x2
};

template <class T>
void load(const DataPortCall& c, const Place& p, Shape shape, unsigned operand, std::array<T, max_slots>& to) {
  const unsigned count = p.slots.count, registers = count * sizeof(T) / eu::reg_bytes;
  if (p.pair) {
    for (unsigned i = 0; i < 2; ++i) std::memcpy(&to[i], c.reg(p.data) + 16 * i + operand * sizeof(T), sizeof(T));
  } else if (shape == Shape::split_qwords) {
    std::array<uint32_t, max_slots> low, high;
    c.copy(p.data + operand * registers, registers / 2, low.data());
    c.copy(p.data + operand * registers + registers / 2, registers / 2, high.data());
    for (unsigned i = 0; i < count; ++i) to[i] = T(uint64_t(high[i]) << 32 | low[i]);
  } else {
    c.copy(p.data + operand * registers, registers, to.data());
  }
}
template <class T>
void store(DataPortCall& c, const Place& p, Shape shape, const std::array<T, max_slots>& results) {
  p.slots.each([&](unsigned i) {
    if (p.pair) {
      std::memcpy(c.out(0) + 16 * i, &results[i], sizeof(T));
    } else if (shape == Shape::split_qwords) {
      const uint64_t v = results[i];
      const uint32_t halves[2] = {uint32_t(v), uint32_t(v >> 32)};
      for (unsigned h = 0; h < 2; ++h) std::memcpy(c.out(h * p.slots.count / 8) + 4 * i, &halves[h], 4);
    } else {
      std::memcpy(c.out(0) + i * sizeof(T), &results[i], sizeof(T));
    }
  });
}

template <class T>
eu::Reply perform(DataPortCall& c, Place p, Shape shape, const AtomicOperation& operation, Run<T> run) {
  const unsigned registers = p.pair ? 1 : p.slots.count * unsigned(sizeof(T)) / eu::reg_bytes;
  const bool answers = c.field(atomic_answers);
  const unsigned payload = p.data + (p.pair ? (operation.operands ? 1 : 0) : operation.operands * registers);
  if (!c.has(payload, answers ? registers : 0)) return eu::Reply::faulted;
  for (unsigned i = 0; i < p.slots.count; ++i) p.slots.at[i] &= ~uint64_t{sizeof(T) - 1};
  Batch<T> w{c.memory(), p.target, p.slots};
  if (operation.operands > 0) load(c, p, shape, 0, w.a);
  if (operation.operands > 1) load(c, p, shape, 1, w.b);
  run(w);
  if (answers && c.answers()) {
    if (operation.returns_new)
      for (unsigned i = 0; i < p.slots.count; ++i) {
        const bool stored = inside(p.target, p.slots.at[i], sizeof(T)) == sizeof(T);
        if (stored) w.old[i] = T(w.old[i] - 1);
      }
    store(c, p, shape, w.old);
  }
  return c.done();
}

eu::Reply int_atomic(DataPortCall& c, const Place& p, bool has_2w) {
  const unsigned op = c.field(atomic_op);
  if (op == atomic_cmpwr_2w) {
    if (!has_2w) return c.fault("unsupported: CMPWR_2W");
    return perform<uint64_t>(c, p, Shape::split_qwords, int_operations[op], runs<uint64_t, int_expressions>[op]);
  }
  return perform<uint32_t>(c, p, Shape::dwords, int_operations[op], runs<uint32_t, int_expressions>[op]);
}
eu::Reply qword_atomic(DataPortCall& c, const Place& p) {
  const unsigned op = c.field(atomic_op);
  if (op == atomic_cmpwr_2w) return c.fault("unsupported: CMPWR_2W");
  return perform<uint64_t>(c, p, Shape::qwords, int_operations[op], runs<uint64_t, int_expressions>[op]);
}
eu::Reply float_atomic(DataPortCall& c, const Place& p) {
  const unsigned op = c.field(float_atomic_op);
  if (float_operations[op].operands == reserved_operation) return c.fault("unsupported: float operation {}", op);
  return perform<uint32_t>(c, p, Shape::dwords, float_operations[op], runs<uint32_t, float_expressions>[op]);
}

// --- where the addresses stand. A structured buffer has two: the structure's index and the byte in it.

bool is_structured(const DataPortCall& c) {
  return !c.stateless() && !c.slm() && c.surface().type == state::SurfaceType::structured_buffer;
}
bool slots_at(DataPortCall& c, Place& p) {
  const unsigned count = c.field(atomic_simd8) ? 8 : 16;
  const bool structured = is_structured(c);
  p.target = target_of(c);
  p.data = c.body() + count / 8 * (structured ? 2 : 1);
  if (!c.has(p.data)) return false;
  p.slots = slots_a32(c, c.body(), count, c.masked_slots(count), p.target, 0, 1);
  if (structured) {
    const Slots inner = slots_a32(c, c.body() + count / 8, count, p.slots.mask, p.target, 0, 1);
    for (unsigned i = 0; i < count; ++i) p.slots.at[i] = p.slots.at[i] * c.surface().pitch() + inner.at[i];
  }
  return true;
}
bool pair_at(DataPortCall& c, Place& p) {
  const unsigned n = c.body();
  if (!c.has(n + 1)) return false;
  const bool structured = is_structured(c);
  p.target = target_of(c);
  p.data = n + 1, p.pair = true;
  p.slots = {.mask = slots_4x2(c.masked_slots(8)), .count = 2};
  for (unsigned i = 0; i < 2; ++i) {
    p.slots.at[i] = p.target.at(c.dword(n, 4 * i));
    if (structured) p.slots.at[i] = p.slots.at[i] * c.surface().pitch() + c.dword(n, 4 * i + 1);
  }
  return true;
}
bool a64_slots_at(DataPortCall& c, Place& p) {
  const unsigned n = c.body();
  if (!c.has(n + 2)) return false;
  p = {whole_memory, slots_a64(c, n, 8, c.slots(8)), n + 2};
  return true;
}
bool a64_pair_at(DataPortCall& c, Place& p) {
  const unsigned n = c.body();
  if (!c.has(n + 1)) return false;
  p = {whole_memory, {.mask = slots_4x2(c.slots(8)), .count = 2}, n + 1, true};
  for (unsigned i = 0; i < 2; ++i) p.slots.at[i] = uint64_t(c.dword(n, 4 * i + 1)) << 32 | c.dword(n, 4 * i);
  return true;
}
// All slots count at the append counter of the surface, if it has one.
Place counter_at(DataPortCall& c, unsigned count) {
  const state::Surface& s = c.surface();
  const bool has_counter = !s.is_null() && s.aux_mode == state::AuxMode::append;
  Place p{
      {s.aux_base, has_counter ? 4u : 0u}, {.mask = c.masked_slots(count == 2 ? 8 : count), .count = count}, c.body()};
  if (count == 2) p.pair = true, p.slots.mask = slots_4x2(p.slots.mask);
  return p;
}
eu::Reply count_at(DataPortCall& c, const Place& p) {
  if (int_operations[c.field(atomic_op)].operands > 1) return c.fault("unsupported: compare and write on a counter");
  return int_atomic(c, p, false);
}

}  // namespace

const AtomicOperation& atomic_operation(unsigned op) { return int_operations[op & 15]; }

uint32_t atomic_dword(unsigned op, std::byte* host, uint32_t source0, uint32_t source1) {
  using One = uint32_t (*)(std::byte*, uint32_t, uint32_t);
  static constexpr auto table = []<size_t... n>(std::index_sequence<n...>) {
    return std::array<One, sizeof...(n)>{[](std::byte* p, uint32_t a, uint32_t b) {
      return modify<uint32_t>(p, a, b, std::get<n>(int_expressions));
    }...};
  }
  (std::make_index_sequence<16>());
  const uint32_t old = table[op & 15](host, source0, source1);
  return int_operations[op & 15].returns_new ? old - 1 : old;
}

eu::Reply untyped_atomic(DataPortCall& c) {
  Place p;
  return slots_at(c, p) ? int_atomic(c, p, true) : eu::Reply::faulted;
}
eu::Reply untyped_atomic_4x2(DataPortCall& c) {
  Place p;
  return pair_at(c, p) ? int_atomic(c, p, true) : eu::Reply::faulted;
}
eu::Reply atomic_counter(DataPortCall& c) { return count_at(c, counter_at(c, c.field(atomic_simd8) ? 8 : 16)); }
eu::Reply atomic_counter_4x2(DataPortCall& c) { return count_at(c, counter_at(c, 2)); }
eu::Reply a64_dword_atomic(DataPortCall& c) {
  Place p;
  return a64_slots_at(c, p) ? int_atomic(c, p, true) : eu::Reply::faulted;
}
eu::Reply a64_qword_atomic(DataPortCall& c) {
  Place p;
  return a64_slots_at(c, p) ? qword_atomic(c, p) : eu::Reply::faulted;
}
eu::Reply a64_dword_atomic_4x2(DataPortCall& c) {
  Place p;
  return a64_pair_at(c, p) ? int_atomic(c, p, false) : eu::Reply::faulted;
}
eu::Reply a64_qword_atomic_4x2(DataPortCall& c) {
  Place p;
  return a64_pair_at(c, p) ? qword_atomic(c, p) : eu::Reply::faulted;
}
eu::Reply untyped_float_atomic(DataPortCall& c) {
  Place p;
  return slots_at(c, p) ? float_atomic(c, p) : eu::Reply::faulted;
}
eu::Reply untyped_float_atomic_4x2(DataPortCall& c) {
  Place p;
  return pair_at(c, p) ? float_atomic(c, p) : eu::Reply::faulted;
}
eu::Reply a64_float_atomic(DataPortCall& c) {
  Place p;
  return a64_slots_at(c, p) ? float_atomic(c, p) : eu::Reply::faulted;
}
eu::Reply a64_float_atomic_4x2(DataPortCall& c) {
  Place p;
  return a64_pair_at(c, p) ? float_atomic(c, p) : eu::Reply::faulted;
}

}  // namespace vitro::shared
