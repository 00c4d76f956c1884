// What the compiler must know of a program before it emits code: how each instruction is done, where blocks begin,
// where the code can be entered, and which registers live where.
// PRM: none of its own; the registers an instruction uses come from its plan and from dependence().
#pragma once

#include <algorithm>
#include <bitset>
#include <optional>
#include <span>
#include <vector>

#include "eu/accumulators.h"
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

enum class Lowering : uint8_t {
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

struct Lowered {
  Lowering lowering = Lowering::left;
  Width width{};
  Mode mode{};               // before it
  bool leader = false;       // a block begins here
  bool entry = false;        // the function can be entered here
  bool may_exit = false;     // the function may return before this instruction is done, to come back to it
  bool spill_point = false;  // whoever comes here has put its registers into the image
  bool loop_header = false;  // of a short loop: nothing is spilled on its back edge
  bool in_loop = false;      // of a short loop, behind its first instruction
  Registers reads;           // before it, the values it needs: with those it writes in part
  Registers writes;          // may be changed
  Registers kills;           // are changed as a whole, whatever the masks
  Registers in_image;        // are in the image when it is done: an address may name any of them
  Registers modified;        // may differ from the image before it
  Registers live;            // needed at or after it
  Registers reloaded;        // where it is an entry or a spill point: taken from the image
  bool plain = false;        // a message that is, from registers in a row
  Shared shared{};           // of a transfer
  int site = -1;             // of a message that code carries out: which of Analysis::sites
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

// General registers of sixteen words for which there is quicker code: if each word is one more than the one before, and
// if all are the same.
struct OwnWords {
  uint64_t counting = 0, uniform = 0;  // a bit for each register

  bool any() const { return counting || uniform; }
  bool has(int r) const { return r < 64 && (counting | uniform) >> r & 1; }
  uint32_t step(int r) const { return counting >> r & 1; }
};

struct Analysis {
  std::vector<Lowered> lowered;   // as Program::plans()
  std::vector<uint32_t> labels;   // their ips, in order
  std::vector<Labels> waited_at;  // by instruction, if it leads: labels at which channels may wait then
  std::vector<uint32_t> sites;    // instructions whose messages code carries out
  bool host_flushes = false;      // code runs with denormals flushed by the host
  // Of a short program in a straight line, all that it names: it is made a second time for threads that have them all.
  uint32_t all_channels = 0;
  OwnWords words{};  // and a third time for those whose words are so
};

Analysis analyse(const Program&, const Options&);

// --- steps of the analysis

// How an instruction is compiled under a mode. Only single program flow makes a difference to where control goes.
Lowering lower(const Program&, const Plan&, Mode, Width&);
// Whether the compiler's values can evaluate an opcode's expression; if not, the instruction is called.
bool has_expression(isa::Op op, bool of_floats);

// Fills in the registers that an instruction reads, writes and overwrites, when it is emitted, when it is called, and
// those of a message.
void use_sets_emitted(const Program&, const Plan&, Lowered&);
void use_sets_called(const Program&, const Plan&, Lowered&);
void use_sets_message(const Plan&, Lowered&);
Registers payload_of(const Plan&);    // a message's
unsigned payload_count(const Plan&);  // how many they are, with those of a split send's second part

// Decides where registers are spilled.
void choose_spill_points(const Program&, const Options&, std::vector<Lowered>&);
// And once Lowered::modified, as if nothing was spilled, and Lowered::live are known, where else they are.
void spill_where_paths_join(const Program&, const Options&, std::vector<Lowered>&);
// Decides which transfers are done by functions.
void choose_shared(const Program&, const Options&, Analysis&);
// The words of a program that is made a second time.
OwnWords find_own_words(const Program&, const Analysis&);
// Fills in Lowered::modified, as if nothing was spilled anywhere or as it is.
void find_modified(const Program&, std::vector<Lowered>&, bool with_spills);
// Fills in Lowered::reloaded; all else must be known.
void find_reloads(const Program&, std::vector<Lowered>&);
// Fills in Lowered::live; modified must be what it is without spills, for what is needed behind a spill point is needed
// before it.
void find_live(const Program&, const Options&, Analysis&);

// --- what instructions do

constexpr bool is_arf(uint8_t reg, isa::Arf arf) { return reg >> 4 == int(arf); }
// Whether the interpreter, when an instruction is left to it, may go on elsewhere than at the next.
bool changes_ip(const Plan&);
// Whether an address in a0 says where an operand is.
bool is_indirect(const Plan&);
// Bytes of the register file, and those that elements at these offsets from an address take.
inline constexpr int file_bytes = grf_count * reg_bytes;
inline int reach_of(const std::array<uint16_t, max_channels>& offset, int lanes, int size) {
  return *std::max_element(offset.begin(), offset.begin() + lanes) + size;
}

// Index of the plan at an ip; -1: none.
inline int plan_index(const Program& program, uint32_t ip) {
  const Plan* p = program.at(ip);
  return p ? int(p - program.plans().data()) : -1;
}
// Where an instruction lowered to `jump` may go: at most three places.
std::vector<uint32_t> jump_targets(const Plan&);
// Where one lowered to `branch` goes as far as it tells itself: its targets and the next. One that returns goes to what
// follows a call.
std::vector<uint32_t> branch_places(const Program&, const Plan&);
// Whether it is a wait for one of the notification registers.
bool names_notification(const Plan&);
// Whether a message may write memory that others than threads of the group may read.
bool may_write_for_others(const Plan&);

// Calls f with the index of every instruction that may come next, but after one that is lowered to `branch`: there all
// is stored, and the code is as if entered anew.
template <class F>
void each_successor(const Program& program, const std::vector<Lowered>& lowered, size_t n, F f) {
  const Plan& p = program.plans()[n];
  if (lowered[n].lowering == Lowering::jump) {
    for (uint32_t ip : jump_targets(p))
      if (const int to = plan_index(program, ip); to >= 0) f(size_t(to));
    return;
  }
  const bool ends = p.instruction.eot && lowered[n].lowering != Lowering::left;
  if (lowered[n].lowering != Lowering::branch && !ends && n + 1 < lowered.size()) f(n + 1);
}

// Whether registers are spilled on the edge from an instruction to another.
inline bool spills(const std::vector<Lowered>& lowered, size_t from, size_t to) {
  return lowered[to].spill_point && !(lowered[to].loop_header && from >= to);
}

}  // namespace vitro::jit
