// Flow control: a branch parks channels at a place, a place wakes the channels parked there. This is the documents'
// per-channel IP: a channel runs when its IP is the thread's.
// PRM: Gen6 vol 4 part 2 chapter 8 (I-if .. I-fork) and section 5.7 (MK-01, MK-02); Gen8 vol 2a for brd, brc, goto,
// join and the new places of JIP and UIP. Worked example, four channels, f0 = 0011b:
//   (f0) if      channels 2, 3 park at the else part; 0, 1 go on
//        ...     0, 1
//        else    0, 1 park at the endif; on arrival at the next instruction 2, 3 wake
//        ...     2, 3
//        endif   0, 1 wake: all four run
// In single program flow the thread has one IP: nothing parks, and a jump is taken when any channel asks for it.
// A branch moves only channels that run: NoMask does not wake those that wait elsewhere.
#include <fmt/format.h>

#include "eu/conditions.h"
#include "eu/handlers.h"
#include "eu/lanes.h"

namespace vitro::eu {
namespace {

using isa::Op;

// An embedded compare takes the place of the predicate (Gen6 if, case, while).
template <class T>
uint32_t compared(Executor& x, const Plan& p) {
  T a[max_channels], b[max_channels];
  if (!load(x, p, p.src[0], a) || !load(x, p, p.src[1], b)) return 0;
  uint32_t bits = 0;
  for (int l = 0; l < p.lanes; ++l) bits |= uint32_t(in_relation(p.asked, Num<T>{a[l]}, Num<T>{b[l]})) << l;
  return bits;
}

// Channels of the thread that the instruction applies to, in thread numbering.
uint32_t taken(Executor& x, const Plan& p) {
  const Thread& t = x.thread;
  uint32_t yes = write_enable(t, p);
  if (p.sources == 2 && p.row->format == isa::Format::branch_compare)
    yes &= p.compute == Compute::f32 ? compared<float>(x, p) : compared<int64_t>(x, p);
  yes <<= p.channel;
  return t.single_program_flow() ? yes : yes & t.active;
}

// call (2) and ret (2): the two are the dwords of the operand, and every channel of the thread takes part.
uint32_t taken_by_call(Executor& x, const Plan& p) {
  if (p.lanes != 2) return taken(x, p);
  return predicate_mask(x.thread, p) << p.channel & x.thread.active;
}

void park(Thread& t, uint32_t channels, uint32_t ip) {
  t.active &= ~channels;
  for (int n = 0; n < max_channels; ++n)
    if (channels >> n & 1) t.parked_at[size_t(n)] = ip;
}

bool anyone_at(const Thread& t, uint32_t ip) {
  const uint32_t waiting = t.dispatched & ~t.active;
  for (int n = 0; n < max_channels; ++n)
    if ((waiting >> n & 1) && t.parked_at[size_t(n)] == ip) return true;
  return false;
}

uint32_t jip(const Plan& p) { return p.ip + uint32_t(p.instruction.jip); }
uint32_t uip(const Plan& p) { return p.ip + uint32_t(p.instruction.uip); }

// On to the next instruction; if nobody would run there, to `otherwise`.
void proceed(Thread& t, const Plan& p, uint32_t otherwise) {
  t.ip = t.active || anyone_at(t, p.next_ip) ? p.next_ip : otherwise;
}

// Channels leave for a place, where they wait; if nobody is left, the thread skips on. In single program flow it leaves
// as a whole.
void leave(Thread& t, const Plan& p, uint32_t channels, bool leaves, uint32_t to, uint32_t skip) {
  if (t.single_program_flow()) {
    t.ip = leaves ? to : p.next_ip;
    return;
  }
  park(t, channels, to);
  proceed(t, p, skip);
}
// The thread goes to a place with these channels, if there are any; the others wait behind the instruction.
void go(Thread& t, const Plan& p, uint32_t channels, uint32_t to) {
  if (channels && !t.single_program_flow()) park(t, t.active & ~channels, p.next_ip);
  t.ip = channels ? to : p.next_ip;
}

// With BranchCtrl JIP is a join inside the block, for the thread to go to when nobody runs; the channels that are left
// out wait at the endif.
void branch_if(Executor& x, const Plan& p) {
  const uint32_t yes = taken(x, p);
  leave(x.thread, p, x.thread.active & ~yes, !yes, *p.park_ip, jip(p));
}
void branch_else(Executor& x, const Plan& p) { leave(x.thread, p, x.thread.active, true, *p.park_ip, jip(p)); }
// break, cont, halt: channels leave for UIP; when all have left, JIP skips to the end of the block.
void branch_away(Executor& x, const Plan& p) {
  const uint32_t away = taken(x, p);
  leave(x.thread, p, away, away, *p.park_ip, jip(p));
}

// endif, and join without a predicate: channels woke on arrival; if there are none, on to the enclosing block's end.
void branch_endif(Executor& x, const Plan& p) {
  Thread& t = x.thread;
  t.ip = t.active || t.single_program_flow() ? p.next_ip : jip(p);
}

// A join with a predicate wakes only the channels it names; channels that run go on whatever it says.
void branch_join(Executor& x, const Plan& p) {
  Thread& t = x.thread;
  const uint32_t lanes = p.lane_mask << p.channel, named = predicate_mask(t, p) << p.channel | ~lanes;
  for (int n = 0; n < max_channels; ++n)
    if ((t.dispatched & ~t.active & named) >> n & 1 && t.parked_at[size_t(n)] == p.ip) t.active |= 1u << n;
  branch_endif(x, p);
}

void branch_while(Executor& x, const Plan& p) { go(x.thread, p, taken(x, p), jip(p)); }

// goto: with BranchCtrl the channels the predicate names go to UIP at once and the others wait here; without it they go
// on, and the others wait at UIP.
void branch_goto(Executor& x, const Plan& p) {
  Thread& t = x.thread;
  const uint32_t yes = taken(x, p);
  const bool far = p.instruction.branch_ctrl;
  if (t.single_program_flow()) {
    t.ip = far == (yes != 0) ? uip(p) : p.next_ip;
    return;
  }
  park(t, t.active & ~yes, *p.park_ip);
  if (yes)
    t.ip = far ? uip(p) : p.next_ip;
  else
    proceed(t, p, jip(p));
}

// The distances to JIP and UIP, or those in a register: dwords, whatever type and region the operand has (they are
// ignored from Gen8 on), which count so many bytes.
bool distances(Executor& x, const Plan& p, uint32_t unit, uint32_t (&to)[2]) {
  const isa::Operand& o = p.instruction.src[0];
  to[0] = uint32_t(p.instruction.jip), to[1] = uint32_t(p.instruction.uip);
  if (o.file == isa::RegFile::imm) return true;
  ArfImage image;
  const std::byte* base = x.thread.grf.data();
  int at = o.reg * reg_bytes + o.subreg, limit = grf_count * reg_bytes;
  if (o.indirect) {
    at = int(x.thread.a0[o.addr_subreg]) + o.addr_imm;
  } else if (o.file == isa::RegFile::arf) {
    read_arf(x.thread, x.program.model(), o.reg, image);
    base = image.data();
    at = o.subreg;
    limit = int(image.size());
  }
  if (at < 0 || at + 4 > limit) {
    x.stop(fmt::format("the register of the target, at byte {}, does not exist", at));
    return false;
  }
  to[1] = 0;
  std::memcpy(to, base + at, at + 8 <= limit ? 8 : 4);
  for (uint32_t& d : to) d *= unit;
  return true;
}

void branch_brd(Executor& x, const Plan& p) {
  uint32_t to[2];
  if (distances(x, p, 1, to)) go(x.thread, p, taken(x, p), p.ip + to[0]);
}

void branch_brc(Executor& x, const Plan& p) {
  uint32_t to[2];
  if (!distances(x, p, 1, to)) return;
  const uint32_t yes = taken(x, p);
  leave(x.thread, p, yes, yes, p.ip + to[1], p.ip + to[0]);
}

void jump(Executor& x, const Plan& p) {
  Thread& t = x.thread;
  const bool predicated = p.instruction.pred_ctrl != isa::PredCtrl::none;
  uint32_t distance[2] = {};
  if ((!predicated || predicate_mask(t, p) & 1) && !distances(x, p, uint32_t(x.program.model().jump_unit), distance))
    return;
  t.ip = p.next_ip + distance[0];
}

// No real program nests so deep; one that does never comes back. Calls left by other ways than ret count too.
constexpr uint32_t deepest_call = 1u << 16;

// The destination takes the return address and the caller's mask; the called channels become the mask.
void call(Executor& x, const Plan& p) {
  Thread& t = x.thread;
  uint32_t distance[2];
  if (!distances(x, p, uint32_t(x.program.model().jump_unit), distance)) return;
  const uint32_t yes = taken_by_call(x, p);
  if (!yes) {
    t.ip = p.next_ip;
    return;
  }
  if (++t.call_depth > deepest_call) {
    x.stop(fmt::format("calls nest deeper than {}: recursion without end", deepest_call));
    return;
  }
  const uint32_t saved[2] = {p.next_ip, t.call_mask};
  Plan pair = p;
  pair.lanes = 2;
  pair.lane_mask = 3;
  for (int l = 0; l < 2; ++l) pair.dst.offset[size_t(l)] = uint16_t(p.dst.offset[0] + 4 * l);
  pair.dst.type = isa::Type::ud;
  pair.dst.contiguous = true;
  pair.dst.channel_enable = ~0u;
  store_elements(x, pair, reinterpret_cast<const std::byte*>(saved), 4, 3);
  if (!t.single_program_flow()) {
    park(t, t.active & ~yes, p.next_ip);
    t.call_mask = yes;
  }
  t.ip = distance[0] + (p.row->format == isa::Format::call_absolute ? 0 : p.ip);
}

// Channels come back one group after the other; the last brings the caller's mask along.
void ret(Executor& x, const Plan& p) {
  Thread& t = x.thread;
  uint32_t words[2];
  if (!distances(x, p, 1, words)) return;
  const uint32_t yes = taken_by_call(x, p);
  auto returned = [&] { t.call_depth -= t.call_depth > 0; };
  if (t.single_program_flow()) {
    t.ip = yes ? words[0] : p.next_ip;
    if (yes) returned();
    return;
  }
  if (!yes) {
    t.ip = p.next_ip;
    return;
  }
  park(t, yes, words[0]);
  t.call_mask &= ~yes;
  if (t.call_mask == 0) {
    t.call_mask = words[1];
    t.ip = words[0];
    returned();
  } else {
    proceed(t, p, p.next_ip);
  }
}

// Gen6: null enters single program flow. A mask leaves it: the channels it names and the predicate admits run on, the
// rest waits at JIP. The masks are halves of sr0.2 and sr0.3, the upper one for channels 16 to 31, or all of them.
void fork(Executor& x, const Plan& p) {
  Thread& t = x.thread;
  const isa::Operand& s = p.instruction.src[0];
  t.active = t.dispatched;
  if (s.file == isa::RegFile::arf && s.reg >> 4 == int(isa::Arf::null)) {
    t.cr[0] |= cr_spf;
    t.ip = p.next_ip;
    return;
  }
  uint32_t words[2];
  if (!distances(x, p, 1, words)) return;
  uint32_t named = words[0];
  int first = 0;
  if (isa::size_of(s.type) == 2) {
    first = s.subreg & 2 ? 16 : 0;
    named = (named & 0xFFFF) << first;
  }
  t.cr[0] &= ~uint32_t(cr_spf);
  park(t, t.active & ~(named & predicate_mask(t, p) << first), jip(p));
  proceed(t, p, jip(p));
}

}  // namespace

Handler flow_handler(const Plan& p) {
  switch (p.instruction.op) {
    case Op::if_:
    case Op::case_: return branch_if;
    case Op::else_: return branch_else;
    case Op::endif: return branch_endif;
    case Op::join: return p.instruction.pred_ctrl == isa::PredCtrl::none ? branch_endif : branch_join;
    case Op::while_: return branch_while;
    case Op::break_:
    case Op::cont:
    case Op::halt: return branch_away;
    case Op::goto_: return branch_goto;
    case Op::brd: return branch_brd;
    case Op::brc: return branch_brc;
    case Op::jmpi: return jump;
    case Op::call:
    case Op::calla: return call;
    case Op::ret: return ret;
    case Op::fork: return fork;
    default: return nullptr;
  }
}

}  // namespace vitro::eu
