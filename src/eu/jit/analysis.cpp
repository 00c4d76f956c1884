// Deciding how instructions are compiled, and the two flows of registers: forwards, which may differ from the thread's
// image; backwards, which are still needed. A register is loaded at an entry if it is live there and stored at an exit
// if it may have been changed since any entry.
// PRM: as plan.h; rules for computing in fewer bits are arithmetic modulo 2^n.
#include "eu/jit/analysis.h"

#include <algorithm>
#include <bit>

#include "eu/dependence.h"
#include "eu/jit/emit.h"
#include "eu/lanes.h"
#include "isa/print.h"

namespace vitro::eu::jit {
namespace {

using isa::CondModifier;
using isa::Op;
using isa::Type;

bool is_arf(uint8_t reg, isa::Arf arf) { return reg >> 4 == int(arf); }

// Elements lie where whole elements of a register lie, so that a register can be seen as a vector of them.
bool aligned(const std::array<uint16_t, max_channels>& offset, int lanes, int size, int limit) {
  for (int l = 0; l < lanes; ++l)
    if (offset[size_t(l)] % size || offset[size_t(l)] + size > limit) return false;
  return true;
}

bool emits_source(const Program& program, const Plan& p, const SourcePlan& s) {
  if (s.type == Type::hf) return false;
  const int size = isa::size_of(s.type);
  switch (s.kind) {
    case SourcePlan::Kind::immediate: return true;
    case SourcePlan::Kind::grf: return aligned(s.offset, p.lanes, size, grf_count * reg_bytes);
    case SourcePlan::Kind::arf:
      if (is_arf(s.operand->reg, isa::Arf::flag)) return aligned(s.offset, p.lanes, size, reg_bytes);
      return is_arf(s.operand->reg, isa::Arf::address) && program.model().address_subregs == 16 &&
             aligned(s.offset, p.lanes, size, reg_bytes);
    default: return false;
  }
}

bool emits_destination(const Program& program, const Plan& p) {
  const DestinationPlan& d = p.dst;
  if (d.type == Type::hf) return false;
  const int size = isa::size_of(d.type);
  for (int l = 1; l < p.lanes; ++l)  // a stride of zero: the last channel that runs wins
    if (d.offset[size_t(l)] <= d.offset[size_t(l - 1)]) return false;
  switch (d.kind) {
    case DestinationPlan::Kind::null: return true;
    case DestinationPlan::Kind::grf: return aligned(d.offset, p.lanes, size, grf_count * reg_bytes);
    case DestinationPlan::Kind::arf:
      if (is_arf(p.instruction.dst.reg, isa::Arf::notification))  // which programs clear before they wait
        return p.lanes == 1 && p.instruction.no_mask && p.predicate == Plan::Predicate::none && size == 4 &&
               aligned(d.offset, 1, 4, int(sizeof Thread::notify));
      if (is_arf(p.instruction.dst.reg, isa::Arf::flag)) return aligned(d.offset, p.lanes, size, 4);
      return is_arf(p.instruction.dst.reg, isa::Arf::address) && program.model().address_subregs == 16 &&
             !program.model().narrow_address_subregs && aligned(d.offset, p.lanes, size, reg_bytes);
    default: return false;
  }
}

// Whether a source's exact value is a signed or an unsigned number of so many bits.
bool fits(const SourcePlan& s, int bits, bool is_unsigned) {
  const int size = 8 * isa::size_of(s.type);
  const bool is_signed = isa::info(s.type).is_signed;
  const bool modified = s.abs || s.negate || s.complement;
  if (s.kind == SourcePlan::Kind::immediate && s.imm_count == 1 && size == bits && !modified &&
      is_signed == is_unsigned)
    return !(s.imm[0] >> (bits - 1) & 1);
  if (is_unsigned) return !is_signed && !modified && size <= bits;
  if (is_signed) return size < bits || (size == bits && !modified);
  return size < bits;
}

// The low bits of the result depend on nothing but the low bits of the sources.
bool is_modular(const Plan& p) {
  switch (p.instruction.op) {
    case Op::mov:
    case Op::not_:
    case Op::and_:
    case Op::or_:
    case Op::xor_:
    case Op::shl:
    case Op::shr:  // of the bits as they are
    case Op::add:
    case Op::mul:
    case Op::bfrev:
    case Op::bfe:
    case Op::bfi1:
    case Op::bfi2:
    case Op::lzd:
    case Op::fbh:
    case Op::fbl:
    case Op::cbit: return true;
    case Op::sel: return p.instruction.cond_modifier == CondModifier::none;
    default: return false;
  }
}
// Bit counting and fields look at 32 bits whatever the width.
bool is_of_dwords(Op op) {
  switch (op) {
    case Op::bfrev:
    case Op::bfe:
    case Op::bfi1:
    case Op::bfi2:
    case Op::lzd:
    case Op::fbh:
    case Op::fbl:
    case Op::cbit: return true;
    default: return false;
  }
}

Width integer_width(const Plan& p) {
  const isa::Instruction& i = p.instruction;
  const bool tests = i.op == Op::cmp || i.op == Op::cmpn;
  int widest = tests ? 4 : isa::size_of(p.dst.type);
  for (int n = 0; n < p.sources; ++n) widest = std::max(widest, isa::size_of(p.src[n].type));
  const bool whole = !tests && (i.saturate || isa::is_float(p.dst.type));
  if (is_of_dwords(i.op) && (widest > 4 || whole)) return {};
  for (int bits : {32, 64}) {
    if (bits < 8 * widest) continue;
    if (is_modular(p) && !whole) return {bits, false};
    const bool orders = tests || i.op == Op::sel || i.op == Op::csel || i.op == Op::asr || i.op == Op::mov;
    if (orders && !(whole && i.saturate))
      for (bool is_unsigned : {false, true}) {
        bool all = true;
        for (int n = 0; n < p.sources; ++n) all = all && fits(p.src[n], bits, is_unsigned);
        if (all) return {bits, is_unsigned};
      }
  }
  // what the interpreter itself computes in 64 bits
  return p.compute == Compute::i64 ? Width{64, false} : Width{};
}

bool emits_predicate(const Plan& p) {
  using isa::PredCtrl;
  const PredCtrl c = p.instruction.pred_ctrl;
  if (p.predicate != Plan::Predicate::other) return true;
  if (p.instruction.access_mode == isa::AccessMode::align16) return false;
  if (c == PredCtrl::any_v || c == PredCtrl::all_v) return true;
  return p.lanes == 1;
}

bool emits_math(const Plan& p) {
  switch (p.instruction.math) {
    case isa::MathFunction::inv:
    case isa::MathFunction::fdiv:
    case isa::MathFunction::sqt:
    case isa::MathFunction::rsqt: return p.compute == Compute::f32 || p.compute == Compute::f64;
    default: return false;
  }
}

bool emits(const Program& program, const Plan& p, Width& width) {
  const isa::Instruction& i = p.instruction;
  if (isa::is_math_macro(i) || i.acc_wr_ctrl || p.row->has(isa::attr_acc_source)) return false;
  if (i.cond_modifier == CondModifier::o && i.op != Op::math) return false;
  switch (i.op) {
    case Op::movi:
    case Op::smov:
    case Op::dim:
    case Op::addc:
    case Op::subb:
    case Op::mach: return false;
    default: break;
  }
  if (!isa::has_destination(p.row->format) || !emits_predicate(p)) return false;
  for (int n = 0; n < p.sources; ++n)
    if (!emits_source(program, p, p.src[n])) return false;
  if (!emits_destination(program, p)) return false;
  if (i.op == Op::math) return emits_math(p);
  const bool floats = p.compute == Compute::f32 || p.compute == Compute::f64;
  if (!has_expression(i.op, floats)) return false;
  if (floats) return true;
  width = integer_width(p);
  return width.bits != 0;
}

bool emits_jump(const Plan& p) {
  const isa::Instruction& i = p.instruction;
  if (!emits_predicate(p)) return false;
  switch (i.op) {
    case Op::if_:
    case Op::while_: return p.sources == 0;
    case Op::else_:
    case Op::endif:
    case Op::break_:
    case Op::cont:
    case Op::halt:
    case Op::goto_: return true;
    case Op::join: return i.pred_ctrl == isa::PredCtrl::none;
    case Op::jmpi: return i.src[0].file == isa::RegFile::imm;
    default: return false;
  }
}

Way way_of(const Program& program, const Plan& p, Width& width) {
  if (!p.row || !p.fault.empty()) return Way::left;
  const isa::Instruction& i = p.instruction;
  if (i.op == Op::nop || i.op == Op::nenop) return Way::emitted;
  if (i.op == Op::illegal) return Way::left;
  switch (p.row->format) {
    case isa::Format::send:
    case isa::Format::split_send:
    case isa::Format::wait: return Way::message;
    default: break;
  }
  if (p.row->format > isa::Format::wait) return emits_jump(p) ? Way::jump : i.op == Op::fork ? Way::left : Way::branch;
  // what it may do to the mode, to ip or to exceptions is seen to outside
  if (p.dst.kind == DestinationPlan::Kind::arf &&
      (is_arf(i.dst.reg, isa::Arf::control) || is_arf(i.dst.reg, isa::Arf::ip)))
    return Way::left;
  // without a clock the time is the count of instructions, which stands outside
  for (int n = 0; n < p.sources; ++n)
    if (p.src[n].kind == SourcePlan::Kind::arf && is_arf(p.src[n].operand->reg, isa::Arf::timestamp)) return Way::left;
  return emits(program, p, width) ? Way::emitted : Way::called;
}

bool changes_ip(const Plan& p) {
  return !p.row || !p.fault.empty() || !has_destination(p.row->format) ||
         (p.instruction.dst.file == isa::RegFile::arf && is_arf(p.instruction.dst.reg, isa::Arf::ip));
}

template <size_t n>
Registers whole_registers(const std::bitset<n>& bytes) {
  Registers r;
  for (size_t b = 0; b < n; ++b)
    if (bytes[b]) r.set(b / reg_bytes);
  return r;
}

void add_range(Registers& r, const isa::Operand& o, unsigned count) {
  if (o.file != isa::RegFile::grf) return;
  for (unsigned n = 0; n < count; ++n)
    if (o.indirect)
      r.set();
    else if (o.reg + n < unsigned(grf_count))
      r.set(o.reg + n);
}

bool is_wait(const Plan& p) { return p.row->format == isa::Format::wait; }

void touch_message(const Plan& p, Shape& s) {
  const isa::Instruction& i = p.instruction;
  if (is_wait(p)) return;
  const Message m{.desc = i.desc.imm, .ex_desc = i.ex_desc.imm};
  s.reads.set(address_register);
  add_range(s.reads, i.src[0], i.desc.in_register ? 15 : m.mlen());
  if (p.row->format == isa::Format::split_send) add_range(s.reads, i.src[1], i.ex_desc.in_register ? 15 : m.ex_mlen());
  add_range(s.writes, i.dst, i.desc.in_register ? 31 : m.rlen());
  s.reads |= s.writes;
}

void touch_emitted(const Plan& p, Shape& s) {
  for (int n = 0; n < p.sources; ++n) {
    const SourcePlan& source = p.src[n];
    if (source.kind == SourcePlan::Kind::grf)
      for (int l = 0; l < p.lanes; ++l) s.reads.set(source.offset[size_t(l)] / reg_bytes);
    if (source.kind == SourcePlan::Kind::arf && is_arf(source.operand->reg, isa::Arf::address))
      s.reads.set(address_register);
  }
  const DestinationPlan& d = p.dst;
  if (p.row->format == isa::Format::nullary) return;
  if (d.kind == DestinationPlan::Kind::arf && is_arf(p.instruction.dst.reg, isa::Arf::address)) {
    s.writes.set(address_register);
    s.reads.set(address_register);
  }
  if (d.kind != DestinationPlan::Kind::grf) return;
  std::bitset<grf_count * reg_bytes> bytes;
  const int size = isa::size_of(d.type);
  for (int l = 0; l < p.lanes; ++l)
    if (d.channel_enable >> l & 1)
      for (int b = 0; b < size; ++b) bytes.set(size_t(d.offset[size_t(l)] + b));
  s.writes |= whole_registers(bytes);
  const bool always = p.instruction.no_mask && (p.predicate == Plan::Predicate::none || p.instruction.op == Op::sel);
  for (size_t r = 0; r < size_t(grf_count); ++r) {
    if (!s.writes[r]) continue;
    bool all = always;
    for (size_t b = 0; b < size_t(reg_bytes); ++b) all = all && bytes[r * reg_bytes + b];
    if (all)
      s.kills.set(r);
    else
      s.reads.set(r);
  }
}

void touch_called(const Program& program, const Plan& p, Shape& s) {
  bool indirect = p.dst.kind == DestinationPlan::Kind::indirect;
  for (int n = 0; n < p.sources; ++n) indirect = indirect || p.src[n].kind == SourcePlan::Kind::indirect;
  indirect = indirect || p.instruction.src[0].indirect;
  const std::optional<Dependence> d = indirect ? std::nullopt : dependence(program, p, Thread{});
  if (d) {
    s.reads = whole_registers(d->reads.grf);
    s.writes = whole_registers(d->writes.grf);
    // the operand of a return or an indirect jump is two dwords whatever its region says
    if (p.row->format > isa::Format::wait) add_range(s.reads, p.instruction.src[0], 2);
    if (p.row->format > isa::Format::wait) add_range(s.writes, p.instruction.dst, 2);
    if (d->reads.a0) s.reads.set(address_register);
    if (d->writes.a0) s.writes.set(address_register);
    s.reads |= s.writes;
  } else {
    s.reads.set();
    if (isa::has_destination(p.row->format)) s.writes.set();
  }
}

class Flow {
 public:
  Flow(const Program& program, std::vector<Shape>& shapes, const Options& options)
      : program_(program), shapes_(shapes), options_(options) {}

  // Calls f with the index of every instruction that may come next.
  template <class F>
  void each_successor(size_t n, F f) const {
    const Plan& p = program_.plans()[n];
    switch (shapes_[n].way) {
      case Way::left:
        if (n + 1 < shapes_.size()) f(n + 1);
        return;
      case Way::jump:
        for (uint32_t ip : jump_targets(program_, p))
          if (const int to = plan_index(program_, ip); to >= 0) f(size_t(to));
        return;
      case Way::branch:
        for (size_t to = 0; to < shapes_.size(); ++to)
          if (shapes_[to].leads) f(to);
        return;
      default:
        if (p.instruction.eot) return;
        if (n + 1 < shapes_.size()) f(n + 1);
    }
  }

  void modified() {
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t n = 0; n < shapes_.size(); ++n) {
        if (shapes_[n].way == Way::left) continue;  // then all is in the image
        const Registers after = shapes_[n].modified | shapes_[n].writes;
        each_successor(n, [&](size_t to) {
          const Registers before = shapes_[to].modified;
          shapes_[to].modified |= after;
          changed = changed || shapes_[to].modified != before;
        });
      }
    }
  }

  void live() {
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t n = shapes_.size(); n-- > 0;) {
        Shape& s = shapes_[n];
        Registers after;
        each_successor(n, [&](size_t to) { after |= shapes_[to].live; });
        Registers live = (after & ~s.kills) | uses(n);
        if (live != s.live) s.live = live, changed = true;
      }
    }
  }

  // Labels at which channels may wait, forwards. What the interpreter or a handler does to the flow may leave channels
  // anywhere.
  void waited_at(Analysis& a) const {
    const size_t count = a.labels.size();
    a.waited_at.resize(shapes_.size());
    std::vector<size_t> open;
    for (size_t n = 0; n < shapes_.size(); ++n) {
      if (!shapes_[n].leads) continue;
      const bool unknown = n > 0 && (shapes_[n - 1].way == Way::left || any_branch());
      a.waited_at[n].assign(count, unknown && shapes_[n].entered);
      open.push_back(n);
    }
    while (!open.empty()) {
      const size_t first = open.back();
      open.pop_back();
      Labels now = a.waited_at[first];
      if (const int own = label_index(a.labels, program_.plans()[first].ip); own >= 0) now[size_t(own)] = false;
      size_t last = first;
      while (last + 1 < shapes_.size() && !shapes_[last + 1].leads && shapes_[last].way != Way::jump &&
             shapes_[last].way != Way::branch && shapes_[last].way != Way::left)
        ++last;
      if (shapes_[last].way == Way::branch)
        now.assign(count, true);
      else if (shapes_[last].way == Way::jump)
        if (const auto ip = parks_at(program_.plans()[last])) now[size_t(label_index(a.labels, *ip))] = true;
      each_successor(last, [&](size_t to) {
        bool changed = false;
        for (size_t k = 0; k < count; ++k)
          if (now[k] && !a.waited_at[to][k]) a.waited_at[to][k] = true, changed = true;
        if (changed) open.push_back(to);
      });
    }
  }

  // Registers whose values an instruction needs, here or where the function leaves at it.
  Registers uses(size_t n) const {
    const Shape& s = shapes_[n];
    Registers r;
    switch (s.way) {
      case Way::emitted: r = s.reads; break;
      case Way::jump: break;
      default: r = s.site >= 0 ? s.reads : s.reads & s.modified; break;  // handlers look at the image
    }
    // where control leaves for places unknown, all that was changed may be needed
    if (s.way == Way::left)
      r |= changes_ip(program_.plans()[n]) || options_.all_registers ? s.modified : s.reads & s.modified;
    if (n + 1 == shapes_.size()) r |= s.modified;
    if (!options_.all_registers) return r;
    if (s.way == Way::branch || s.leaves || program_.plans()[n].instruction.eot) r |= s.modified;
    if (s.way == Way::jump)
      // out of the program, or back when the budget is used up
      for (uint32_t ip : jump_targets(program_, program_.plans()[n]))
        if (const int to = plan_index(program_, ip); to < 0 || size_t(to) <= n) r |= s.modified;
    return r;
  }

 private:
  bool any_branch() const {
    return std::any_of(shapes_.begin(), shapes_.end(), [](const Shape& s) { return s.way == Way::branch; });
  }

  const Program& program_;
  std::vector<Shape>& shapes_;
  const Options& options_;
};

void find_labels(const Program& program, Analysis& a) {
  for (const Plan& p : program.plans())
    if (const auto ip = p.row ? parks_at(p) : std::nullopt) a.labels.push_back(*ip);
  for (const Plan& p : program.plans())
    if (p.wakes) a.labels.push_back(p.ip);
  std::sort(a.labels.begin(), a.labels.end());
  a.labels.erase(std::unique(a.labels.begin(), a.labels.end()), a.labels.end());
}

// What a message does, if code can do it: all its registers are known, and enough of them.
std::optional<Transfer> transfer_of(const Plan& p, const Options& options) {
  const isa::Instruction& i = p.instruction;
  if (!options.describe || p.row->format == isa::Format::wait || i.op == Op::sendc || i.op == Op::sendsc) return {};
  if (i.desc.in_register || i.ex_desc.in_register || !emits_predicate(p)) return {};
  const Message m{.desc = i.desc.imm, .ex_desc = i.ex_desc.imm};
  const Transfer t = options.describe(i.sfid & 15u, m.desc);
  if (i.eot != t.ends_thread) return {};
  const bool split = p.row->format == isa::Format::split_send;
  const auto direct = [](const isa::Operand& o, unsigned count) {
    return o.file == isa::RegFile::grf && !o.indirect && o.reg + count <= unsigned(grf_count);
  };
  const unsigned given = m.mlen() + (split ? m.ex_mlen() : 0);
  if (!direct(i.src[0], m.mlen()) || (split && m.ex_mlen() && !direct(i.src[1], m.ex_mlen()))) return {};
  unsigned payload = t.header, answer = 0;
  switch (t.kind) {
    case Transfer::Kind::none: return {};
    case Transfer::Kind::nothing: return m.rlen() == 0 ? std::optional(t) : std::nullopt;
    case Transfer::Kind::scattered: {
      const unsigned size = t.element == 8 ? 8 : 4;
      const unsigned moved = t.slots * size / reg_bytes * unsigned(std::popcount(t.positions));
      payload += t.slots * (t.wide ? 8 : 4) / reg_bytes + (t.writes ? moved : 0);
      if (!t.writes) answer = moved;
      break;
    }
    case Transfer::Kind::block: {
      const unsigned moved = (t.at + t.bytes + reg_bytes - 1u) / reg_bytes;
      (t.writes ? payload : answer) += moved;
      break;
    }
  }
  if (given < payload || m.rlen() < answer || (answer && !direct(i.dst, answer))) return {};
  return t;
}

}  // namespace

std::vector<uint32_t> jump_targets(const Program&, const Plan& p) {
  const uint32_t jip = p.ip + uint32_t(p.instruction.jip), uip = p.ip + uint32_t(p.instruction.uip);
  switch (p.instruction.op) {
    case Op::jmpi: {
      const uint32_t to = p.next_ip + uint32_t(p.instruction.jip);
      if (p.instruction.pred_ctrl == isa::PredCtrl::none) return {to};
      return {to, p.next_ip};
    }
    case Op::goto_: return {jip, uip, p.next_ip};
    default: return {jip, p.next_ip};
  }
}

bool names_notification(const Plan& p) {
  const isa::Operand& o = p.instruction.src[0];
  return is_wait(p) && o.file == isa::RegFile::arf && is_arf(o.reg, isa::Arf::notification) &&
         o.subreg < sizeof(Thread::notify);
}

std::optional<uint32_t> parks_at(const Plan& p) {
  const uint32_t jip = p.ip + uint32_t(p.instruction.jip), uip = p.ip + uint32_t(p.instruction.uip);
  switch (p.instruction.op) {
    case Op::if_: return p.instruction.branch_ctrl ? uip : jip;
    case Op::else_: return p.row->format == isa::Format::branch_uip ? uip : jip;
    case Op::while_: return p.next_ip;
    case Op::break_: return p.park_ip;
    case Op::cont:
    case Op::halt: return uip;
    case Op::goto_: return p.instruction.branch_ctrl ? p.next_ip : uip;
    default: return std::nullopt;
  }
}

int label_index(std::span<const uint32_t> labels, uint32_t ip) {
  const auto at = std::lower_bound(labels.begin(), labels.end(), ip);
  return at != labels.end() && *at == ip ? int(at - labels.begin()) : -1;
}

Analysis analyse(const Program& program, const Options& options) {
  Analysis a;
  const std::span<const Plan> plans = program.plans();
  std::vector<Shape>& shapes = a.shapes;
  shapes.resize(plans.size());
  auto lead = [&](int64_t ip) {
    if (const int n = ip < 0 ? -1 : plan_index(program, uint32_t(ip)); n >= 0) shapes[size_t(n)].leads = true;
  };
  auto enter = [&](size_t n) {
    if (n < shapes.size()) shapes[n].leads = shapes[n].entered = true;
  };
  enter(0);
  for (size_t n = 0; n < plans.size(); ++n) {
    const Plan& p = plans[n];
    Shape& s = shapes[n];
    s.way = way_of(program, p, s.width);
    s.leads = s.leads || p.wakes;
    switch (s.way) {
      case Way::emitted: touch_emitted(p, s); break;
      case Way::called: touch_called(program, p, s); break;
      case Way::message: {
        touch_message(p, s);
        const bool plain = !is_wait(p) && options.describe && !p.instruction.desc.in_register &&
                           options.describe(p.instruction.sfid & 15u, p.instruction.desc.imm).plain;
        if (const auto t = transfer_of(p, options)) {
          s.site = int(a.sites.size());
          a.sites.push_back(*t);
        }
        const bool known = !p.instruction.ex_desc.in_register && !is_wait(p) && p.instruction.op != Op::sendc &&
                           p.instruction.op != Op::sendsc;
        const uint16_t blocking = p.instruction.eot ? options.may_block_at_end : options.may_block;
        s.plain = known && plain && !p.instruction.eot && p.instruction.src[0].file == isa::RegFile::grf &&
                  !p.instruction.src[0].indirect;
        if (s.plain) break;
        if (!known || blocking >> p.instruction.sfid & 1) {
          s.leaves = true, enter(n);
          // what others may send to this thread, it may send to itself
          if (!is_wait(p) && !p.instruction.eot) s.writes.set(), s.reads.set();
        }
        break;
      }
      case Way::branch: touch_called(program, p, s); [[fallthrough]];
      case Way::jump: {
        const isa::Targets t = isa::branch_targets(program.model(), p.instruction, p.ip);
        for (int k = 0; k < t.count; ++k) lead(t.at[k]);
        lead(p.next_ip);
        break;
      }
      case Way::left:
        if (!changes_ip(p)) touch_called(program, p, s);
        shapes[n].leads = true;
        enter(n + 1);
        break;
    }
    if (s.way == Way::jump)
      for (uint32_t ip : jump_targets(program, p)) {
        lead(ip);
        if (const int to = plan_index(program, ip); to >= 0 && size_t(to) <= n) enter(size_t(to));
      }
    if (s.way == Way::branch) enter(n + 1);
  }
  Flow flow(program, shapes, options);
  flow.modified();
  flow.live();
  find_labels(program, a);
  flow.waited_at(a);
  return a;
}

}  // namespace vitro::eu::jit
