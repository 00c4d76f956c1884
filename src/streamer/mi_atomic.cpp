// MI_ATOMIC: a read-modify-write of 4, 8 or 16 bytes. PRM: Gen8 vol 2a MI_ATOMIC; the opcodes are those of the data
// port's atomics. Operands are inline, their dwords interleaved, or in general registers 0 to 3; what was in memory
// returns in registers 4 and 5. The post-sync form packs its operands otherwise. The operation is atomic towards other
// engines, EU threads and the program's own threads if it is naturally aligned and 4 or 8 bytes wide; of 16-byte ones
// only one runs at a time.
#include <fmt/format.h>

#include <atomic>
#include <mutex>

#include "streamer/handlers.h"

namespace vitro::streamer {

using namespace commands;

namespace {

template <class T>
using Signed = std::make_signed_t<T>;

// What memory holds afterwards, for memory m and operands a and b.
template <class T>
using Operation = T (*)(T m, T a, T b);
template <class T>
constexpr Operation<T> operations[16] = {
    nullptr,
    [](T m, T a, T) -> T { return m & a; },
    [](T m, T a, T) -> T { return m | a; },
    [](T m, T a, T) -> T { return m ^ a; },
    [](T, T a, T) -> T { return a; },
    [](T m, T, T) -> T { return m + 1; },
    [](T m, T, T) -> T { return m - 1; },
    [](T m, T a, T) -> T { return m + a; },
    [](T m, T a, T) -> T { return m - a; },
    [](T m, T a, T) -> T { return a - m; },
    [](T m, T a, T) -> T { return Signed<T>(m) > Signed<T>(a) ? m : a; },
    [](T m, T a, T) -> T { return Signed<T>(m) < Signed<T>(a) ? m : a; },
    [](T m, T a, T) -> T { return m > a ? m : a; },
    [](T m, T a, T) -> T { return m < a ? m : a; },
    [](T m, T a, T b) -> T { return m == a ? b : m; },
    [](T m, T, T) -> T { return m - 1; },
};
constexpr unsigned compare_write = 14, predecrement = 15;

// Returns what was there, or what is there now for a pre-decrement.
template <class T>
T apply(memory::View& view, uint64_t address, unsigned op, T a, T b) {
  T old{}, now{};
  std::byte* p = view.at(address, sizeof(T), memory::Access::write);
  if (p && reinterpret_cast<uintptr_t>(p) % sizeof(T) == 0) {
    std::atomic_ref<T> cell(*reinterpret_cast<T*>(p));
    old = cell.load();
    do now = operations<T>[op](old, a, b);
    while (!cell.compare_exchange_weak(old, now));
  } else {
    old = view.load<T>(address);
    now = operations<T>[op](old, a, b);
    view.store<T>(address, now);
  }
  return op == predecrement ? now : old;
}

struct Wide {
  uint64_t low = 0, high = 0;
  bool operator==(const Wide&) const = default;
};
Wide apply_wide(memory::View& view, uint64_t address, Wide a, Wide b) {
  static std::mutex one_at_a_time;
  const std::lock_guard lock(one_at_a_time);
  const Wide old = view.load<Wide>(address);
  if (old == a) view.store<Wide>(address, b);
  return old;
}

constexpr uint64_t join(uint32_t low, uint32_t high) { return low | uint64_t(high) << 32; }

}  // namespace

// Opcodes 1 to 15 work on dwords, 0x20 more on qwords; the only one on octwords is 0x4E, compare and write.
Outcome atomic(Execution& e, const MiAtomic& c) {
  enum : unsigned { dwords = 0, qwords = 2, octwords = 4 };
  const unsigned op = c.opcode & 0x0F, width = c.opcode >> 4;
  const bool known = op && (width == dwords || width == qwords || (width == octwords && op == compare_write));
  if (!known) return failed(fmt::format("reserved atomic opcode 0x{:02x}", c.opcode));
  if (c.post_sync && (width == octwords || (width == qwords && op == compare_write)))
    return failed(fmt::format("atomic opcode 0x{:02x} has no post-sync form", c.opcode));

  registers::File& file = e.state.registers;
  Wide a{file.gpr(0), file.gpr(1)}, b{file.gpr(2), file.gpr(3)};
  if (c.inline_data) {
    a = {join(c.operand1_0, c.operand1_1), join(c.operand1_2, c.operand1_3)};
    b = {join(c.operand2_0, c.operand2_1), join(c.operand2_2, c.operand2_3)};
  }
  if (c.post_sync) {  // the first two dwords are one qword, or the operands of a compare
    a = {join(c.operand1_0, c.operand2_0), 0};
    b = {c.operand2_0, 0};
  }
  memory::View& view = own_space(e, c.global_gtt);
  Wide returned;
  if (width == dwords)
    returned.low = apply<uint32_t>(view, c.address, op, uint32_t(a.low), uint32_t(b.low));
  else if (width == qwords)
    returned.low = apply<uint64_t>(view, c.address, op, a.low, b.low);
  else
    returned = apply_wide(view, c.address, a, b);
  if (c.return_data && !c.post_sync) {
    file.set_gpr(4, returned.low);
    if (width == octwords) file.set_gpr(5, returned.high);
  }
  return {};
}

}  // namespace vitro::streamer
