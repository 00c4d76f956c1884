// What the compiler must know of a program before it emits code: how each instruction is done, where blocks begin,
// where the code can be entered, and which registers live where.
// PRM: none of its own; registers an instruction touches come from its plan and from dependence().
#pragma once

#include <algorithm>
#include <bitset>
#include <optional>
#include <span>
#include <vector>

#include "eu/float_mode.h"
#include "jit/compile.h"

namespace vitro::jit {

// Other registers that are kept as the general ones are: a0, which has their size, the accumulators' slots, four to a
// register, and message registers.
inline constexpr int address_register = grf_count;
inline constexpr int accumulator_register = address_register + 1;
inline constexpr int message_register = accumulator_register + int(sizeof Thread::acc) / reg_bytes;
inline constexpr int register_count = message_register + mrf_count;
using Registers = std::bitset<register_count>;
Registers general_registers();  // all of them

enum class Way : uint8_t {
  emitted,  // native code
  called,   // a call of the handler; control goes on with the next instruction
  message,  // the same; the thread may have to wait or may end
  jump,     // flow control in native code
  branch,   // flow control by a call of the handler: it goes on where thread.ip says
  left,     // the function returns
};

// How an integer instruction is computed: in so many bits, which are exact or enough.
struct Width {
  int bits = 0;  // 0: not at all
  bool is_unsigned = false;
};

// What of a transfer is done by a function that messages share, and not in its place.
enum class Shared : uint8_t {
  nothing,
  rest,  // all but slots in a simple order
  all,
};

struct Shape {
  Way way = Way::left;
  Width width{};
  Mode mode{};           // before it
  bool leads = false;    // a block begins here
  bool entered = false;  // the function can be entered here
  bool leaves = false;   // the function may return before this instruction is done, to come back to it
  bool settled = false;  // whoever comes here has put its registers into the image
  bool loops = false;    // but not on the way back
  bool inside = false;   // of a short loop, behind its first instruction
  Registers reads;       // before it, the values it needs: with those it writes in part
  Registers writes;      // may be changed
  Registers kills;       // are changed as a whole, whatever the masks
  Registers imaged;      // are in the image when it is done: an address may name any of them
  Registers modified;    // may differ from the image before it
  Registers live;        // needed at or after it
  Registers fetched;     // where it is entered or settled: taken from the image
  bool plain = false;    // a message that is, from registers in a row
  Shared shared{};       // of a transfer
  int site = -1;         // of a message that code carries out: which of Analysis::sites
};

// A label is a place where channels may wait. Of the labels of a program a set has few, or all.
struct Labels {
  static constexpr size_t most = 64;  // more are taken for all: sets that grow with the program would cost its square
  bool all = false;
  std::vector<uint32_t> some{};  // their indices, in order

  bool has(size_t k) const { return all || std::binary_search(some.begin(), some.end(), uint32_t(k)); }
  // Whether it has more afterwards.
  bool add(const Labels& others);
  void remove(size_t k);  // not from all
};

struct Analysis {
  std::vector<Shape> shapes;      // as Program::plans()
  std::vector<uint32_t> labels;   // their ips, in order
  std::vector<Labels> waited_at;  // by instruction, if it leads: labels at which channels may wait then
  std::vector<uint32_t> sites;    // instructions whose messages code carries out
  bool host_flushes = false;      // code runs with denormals flushed by the host
};

// Messages of which nothing is left to be done: fences between what was carried out at once anyway, and mere ends of
// threads.
inline bool ends_thread(const isa::MessageShape& s) { return s.action == isa::MessageAction::dereference; }
inline bool does_nothing(const isa::MessageShape& s) {
  return s.action == isa::MessageAction::memory_fence || ends_thread(s);
}

Analysis analyse(const Program&, const Options&);

// Index of the plan at an ip; -1: none.
inline int plan_index(const Program& program, uint32_t ip) {
  const Plan* p = program.at(ip);
  return p ? int(p - program.plans().data()) : -1;
}
// Where an instruction of way `jump` may go: at most three places.
std::vector<uint32_t> jump_targets(const Program&, const Plan&);
// Where one of way `branch` goes as far as it tells itself: its targets and the next. One that returns goes to what
// follows a call.
std::vector<uint32_t> branch_places(const Program&, const Plan&);
// Whether it is a wait for one of the notification registers.
bool names_notification(const Plan&);
// Where it may leave channels waiting.
std::optional<uint32_t> parks_at(const Plan&);

}  // namespace vitro::jit
