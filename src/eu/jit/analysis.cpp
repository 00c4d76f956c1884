// Deciding how instructions are compiled, and the two flows of registers: forwards, which may differ from the thread's
// image; backwards, which are still needed. A register is loaded at an entry if it is live there and stored at an exit
// if it may have been changed since any entry.
// PRM: as plan.h; rules for computing in fewer bits are arithmetic modulo 2^n.
#include "eu/jit/analysis.h"

#include <algorithm>

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

void touch_message(const Plan& p, Shape& s) {
  const isa::Instruction& i = p.instruction;
  if (p.row->format == isa::Format::wait) return;
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
      case Way::left: return;
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

  // Registers whose values an instruction needs, here or where the function leaves at it.
  Registers uses(size_t n) const {
    const Shape& s = shapes_[n];
    const bool ends = program_.plans()[n].instruction.eot && options_.registers_at_end;
    Registers r;
    switch (s.way) {
      case Way::emitted: r = s.reads; break;
      case Way::jump: break;
      default: r = s.reads & s.modified; break;
    }
    if (s.way == Way::left || s.way == Way::branch || s.leaves || ends || n + 1 == shapes_.size()) r |= s.modified;
    if (s.way == Way::jump)
      // out of the program, or back when the budget is used up
      for (uint32_t ip : jump_targets(program_, program_.plans()[n]))
        if (const int to = plan_index(program_, ip); to < 0 || size_t(to) <= n) r |= s.modified;
    return r;
  }

 private:
  const Program& program_;
  std::vector<Shape>& shapes_;
  const Options& options_;
};

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
        const bool known = !p.instruction.ex_desc.in_register && p.row->format != isa::Format::wait &&
                           p.instruction.op != Op::sendc && p.instruction.op != Op::sendsc;
        if (!known || options.may_block >> p.instruction.sfid & 1) s.leaves = true, enter(n);
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
  return a;
}

}  // namespace vitro::eu::jit
