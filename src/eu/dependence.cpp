// The domain of read sets, and from there to bytes.
// PRM: Gen6 vol 4 part 2 section 5.5 (regions), 5.6 (PR-01, PR-02), 8 (line, pln: tuples and register pairs).
#include "eu/dependence.h"

#include <concepts>

#include "eu/context.h"
#include "eu/lanes.h"
#include "eu/results.h"
#include "eu/semantics.h"

namespace vitro::eu {
namespace {

// A value is what it was made of.
struct Reads {
  static constexpr bool is_integer = true, is_float = true;  // whatever it is
  std::array<uint32_t, 3> lanes{};                           // of the sources
  uint32_t second = 0;                                       // lanes of src1's second register
  uint32_t accumulator = 0;                                  // lanes of the implied accumulator
  uint32_t predicate = 0;                                    // lanes of the predicate
  uint8_t tuple = 0;                                         // components of src0's tuple
};

Reads operator|(Reads a, const Reads& b) {
  for (size_t n = 0; n < 3; ++n) a.lanes[n] |= b.lanes[n];
  a.second |= b.second;
  a.accumulator |= b.accumulator;
  a.predicate |= b.predicate;
  a.tuple |= b.tuple;
  return a;
}

// Whatever is done with values, the result was made of all of them; truths are such values, too.
#define VITRO_JOINS(name)                      \
  template <std::same_as<Reads> R, class... A> \
  Reads name(const R& r, const A&... a) {      \
    return (r | ... | a);                      \
  }
// clang-format off
VITRO_JOINS(operator+) VITRO_JOINS(operator-) VITRO_JOINS(operator*) VITRO_JOINS(operator&) VITRO_JOINS(operator^)
VITRO_JOINS(operator<) VITRO_JOINS(operator>) VITRO_JOINS(operator==) VITRO_JOINS(select) VITRO_JOINS(shift_left)
VITRO_JOINS(shift_right) VITRO_JOINS(as_unsigned) VITRO_JOINS(dword) VITRO_JOINS(signed_dword)
VITRO_JOINS(reverse_bits) VITRO_JOINS(leading_zeros) VITRO_JOINS(trailing_zeros) VITRO_JOINS(count_bits)
VITRO_JOINS(fma) VITRO_JOINS(absolute) VITRO_JOINS(floor) VITRO_JOINS(ceiling) VITRO_JOINS(truncate)
VITRO_JOINS(nearest_even) VITRO_JOINS(copy_sign) VITRO_JOINS(below_one) VITRO_JOINS(is_nan)
Reads operator~(const Reads& a) { return a; }
Reads operator!(const Reads& a) { return a; }
// clang-format on
#undef VITRO_JOINS
template <class N>
Reads constant(const Reads&, N) {
  return {};
}
Reads in_relation(unsigned, const Reads& a, const Reads& b) { return a | b; }

// What the expressions call k.
struct ReadsContext : Context<ReadsContext, Reads> {
  int l = 0;

  static Reads of(int source, int lane) {
    Reads r;
    r.lanes[size_t(source)] = 1u << lane;
    return r;
  }
  uint32_t lane() const { return 1u << l; }
  Reads number(int) const { return {}; }
  Reads predicate() const { return {.predicate = lane()}; }
  Reads acc() const { return {.accumulator = lane()}; }
  Reads a4(int n) const { return of(0, (l & ~3) + n); }
  Reads b4(int n) const { return of(1, (l & ~3) + n); }
  Reads a2(int n) const { return of(0, (l & ~1) + n); }
  Reads b2(int n) const { return of(1, (l & ~1) + n); }
  Reads tuple(int n) const { return {.tuple = uint8_t(1 << n)}; }
  Reads second() const { return {.second = lane()}; }
  Reads macro_fma(Reads a, Reads b, Reads c) const { return a | b | c; }
};

// The expression of a row for all lanes. False: the row has none.
bool evaluate(const Program& program, const Plan& p, Reads& all) {
  ReadsContext k{{p, program.model()}};
  return with_semantic(p.instruction.op, [&]<class S>() {
    for (k.l = 0; k.l < p.lanes; ++k.l) {
      const Reads r = S::evaluate(k, k.of(0, k.l), k.of(1, k.l), k.of(2, k.l));
      if constexpr (S::kind == semantics::Kind::wide)
        all = all | S::destination(k, r) | S::accumulator(k, r);
      else
        all = all | r;
    }
  });
}

template <size_t n>
void add_bytes(std::bitset<n>& set, int at, int count) {
  for (int b = 0; b < count; ++b) set.set(size_t(at + b));
}

void add_slot(UseSet& t, int slot) { t.acc[size_t(slot / 16)] |= uint16_t(1u << slot % 16); }

// An element of an architecture register.
void add_arf(UseSet& t, uint8_t reg, int at, int size) {
  switch (isa::Arf(reg >> 4)) {
    case isa::Arf::null: return;
    case isa::Arf::address:
      for (int b = at; b < at + size && b < 32; ++b) t.a0 |= 1u << b;
      return;
    case isa::Arf::flag:
      for (int b = at; b < at + size; ++b)
        if (const int f = (reg & 15) + b / 4; f < 2) t.flag[size_t(f)] |= 0xFFu << b % 4 * 8;
      return;
    default: t.arf |= uint16_t(1u << (reg >> 4)); return;
  }
}

// Bits of the flag register that stand for these lanes.
uint32_t flag_bits(const Plan& p, uint32_t lanes) { return lanes << (16 * p.instruction.flag_subreg + p.channel) % 32; }

// Every group of `width` bits that has one in the set.
uint32_t whole_groups(uint32_t bits, int width) {
  uint32_t out = 0;
  for (int at = 0; at < 32; at += width)
    if (bits >> at & ones(width)) out |= uint32_t(ones(width)) << at;
  return out;
}

void add_predicate(const Plan& p, UseSet& t) {
  using isa::PredCtrl;
  const isa::Instruction& i = p.instruction;
  const PredCtrl c = i.pred_ctrl;
  if (c == PredCtrl::none) return;
  uint32_t& flag = t.flag[i.flag_reg];
  const uint32_t bits = flag_bits(p, p.lane_mask);
  if (c == PredCtrl::sequential) {
    flag |= bits;
  } else if (i.access_mode == isa::AccessMode::align16 && c <= PredCtrl::all2h) {
    flag |= flag_bits(p, whole_groups(p.lane_mask, 4));  // one component for the four
  } else if (c == PredCtrl::any_v || c == PredCtrl::all_v) {
    // the other register, or the other half
    flag |= bits;
    if (p.two_flags)
      t.flag[i.flag_reg ^ 1u] |= bits;
    else
      flag |= p.lane_mask << (16 * (i.flag_subreg ^ 1) + p.channel) % 32;
  } else {
    flag |= whole_groups(bits, 2 << (int(c) - int(PredCtrl::any2h)) / 2);
  }
}

struct Places {
  const Plan& p;
  Executor& x;
  bool has_addresses;

  // Lanes of a source. A sum over neighbours that the execution size cuts off has no meaning.
  bool add(int n, uint32_t lanes, UseSet& t) const {
    const SourcePlan& s = p.src[n];
    if (lanes == 0 || n >= p.sources || s.kind == SourcePlan::Kind::immediate) return true;
    if (lanes & ~p.lane_mask) return false;
    const int size = isa::size_of(s.type);
    ArfImage image;
    uint16_t addresses[max_channels];
    SourceBytes where;
    if (s.kind == SourcePlan::Kind::indirect) {
      t.a0 = ~0u;
      if (!has_addresses) return true;
    }
    if (!locate(x, p, s, image, addresses, where)) return false;
    for (int l = 0; l < p.lanes; ++l) {
      if (!(lanes >> l & 1)) continue;
      const int at = where.offset[l];
      switch (s.kind) {
        case SourcePlan::Kind::accumulator: add_slot(t, source_slot(s, l)); break;
        case SourcePlan::Kind::arf: add_arf(t, s.operand->reg, at, size); break;
        case SourcePlan::Kind::mrf: add_bytes(t.mrf, at, size); break;
        default: add_bytes(t.grf, at, size); break;
      }
    }
    return true;
  }

  // pln: src1 is a row of register pairs, u in the first and v in the second of each.
  bool add_pairs(uint32_t u, uint32_t v, UseSet& t) const {
    if (p.src[1].kind != SourcePlan::Kind::grf) return false;
    for (int l = 0; l < p.lanes; ++l) {
      const int at = p.src[1].offset[0] + l / 8 * 2 * reg_bytes + l % 8 * 4;
      if (at + reg_bytes + 4 > grf_count * reg_bytes) return false;
      if (u >> l & 1) add_bytes(t.grf, at, 4);
      if (v >> l & 1) add_bytes(t.grf, at + reg_bytes, 4);
    }
    return true;
  }

  bool add_destination(Dependence& d) const {
    const DestinationPlan& dst = p.dst;
    const uint32_t lanes = p.lane_mask & dst.channel_enable;
    uint16_t addresses[max_channels];
    const uint16_t* offset = dst.offset.data();
    if (dst.kind == DestinationPlan::Kind::indirect) {
      d.reads.a0 = ~0u;
      if (!has_addresses) return true;
      if (!locate_destination(x, p, lanes, addresses)) return false;
      offset = addresses;
    }
    const int size = isa::size_of(dst.type);
    const bool mrf = p.instruction.dst.file == isa::RegFile::mrf;
    for (int l = 0; l < p.lanes; ++l) {
      if (!(lanes >> l & 1)) continue;
      switch (dst.kind) {
        case DestinationPlan::Kind::null: break;
        case DestinationPlan::Kind::arf: add_arf(d.writes, p.instruction.dst.reg, offset[l], size); break;
        case DestinationPlan::Kind::accumulator: add_slot(d.writes, accumulates(p).slot(p, l)); break;
        default:
          if (mrf)
            add_bytes(d.writes.mrf, offset[l], size);
          else
            add_bytes(d.writes.grf, offset[l], size);
          break;
      }
    }
    return true;
  }
};

void add_registers(UseSet& t, const isa::Operand& o, unsigned count) {
  if (o.file == isa::RegFile::arf) return;
  for (unsigned n = 0; n < count * reg_bytes; ++n) {
    const size_t at = o.reg * size_t(reg_bytes) + n;
    if (o.file == isa::RegFile::mrf ? at < t.mrf.size() : at < t.grf.size())
      o.file == isa::RegFile::mrf ? (void)t.mrf.set(at) : (void)t.grf.set(at);
  }
}

const Thread nobody{};

// A message's lengths stand in its descriptor; in an address register they are the thread's.
bool add_message(const Plan& p, const Thread* thread, Dependence& d) {
  const isa::Instruction& i = p.instruction;
  if (!thread && (i.desc.in_register || i.ex_desc.in_register)) return false;
  const Thread& t = thread ? *thread : nobody;
  if (i.src[0].indirect || i.src[1].indirect || i.dst.indirect) return false;
  if (i.desc.in_register) d.reads.a0 |= 0xF;
  if (i.ex_desc.in_register) d.reads.a0 |= 0xFu << 2 * i.ex_desc.subreg;
  const uint32_t desc = i.desc.in_register ? uint32_t(t.a0[0]) | uint32_t(t.a0[1]) << 16 : i.desc.imm;
  const size_t at = i.ex_desc.subreg;
  const uint32_t ex_desc = i.ex_desc.in_register ? uint32_t(t.a0[at]) | uint32_t(t.a0[at + 1]) << 16 : i.ex_desc.imm;
  const Message m{.desc = desc, .ex_desc = ex_desc};
  add_registers(d.reads, i.src[0], m.mlen());
  if (p.row->format == isa::Format::split_send) add_registers(d.reads, i.src[1], m.ex_mlen());
  add_registers(d.writes, i.dst, m.rlen());
  return true;
}

}  // namespace

std::optional<Dependence> dependence(const Program& program, const Plan& p, const Thread* t) {
  if (!p.row || !p.fault.empty()) return {};
  const isa::Instruction& i = p.instruction;
  Dependence d;
  add_predicate(p, d.reads);
  if (p.row->format == isa::Format::send || p.row->format == isa::Format::split_send)
    return add_message(p, t, d) ? std::optional(d) : std::nullopt;

  Thread copy = t ? *t : nobody;
  copy.active = copy.dispatched = ~0u;  // so that every lane's address is asked for
  const SharedFunctions none{};
  Executor x{copy, program, none};
  Plan everyone = p;  // nor does a predicate hide any
  everyone.instruction.pred_ctrl = isa::PredCtrl::none;
  everyone.predicate = Plan::Predicate::none;
  const Places places{everyone, x, t != nullptr};
  Reads all;
  const bool expression = evaluate(program, p, all);
  // without an expression (math, flow) every source counts
  if (!expression) all.lanes = {p.lane_mask, p.lane_mask, p.lane_mask};
  const bool pairs = all.second != 0;
  for (int n = 0; n < 3; ++n)
    if (!(pairs && n == 1) && !places.add(n, all.lanes[size_t(n)], d.reads)) return {};
  if (pairs && !places.add_pairs(all.lanes[1], all.second, d.reads)) return {};
  if (all.tuple && p.src[0].kind != SourcePlan::Kind::grf) return {};
  for (int c = 0; c < 4; ++c)
    if (all.tuple >> c & 1) add_bytes(d.reads.grf, (p.src[0].offset[0] & ~15) + 4 * c, 4);
  if (all.predicate) d.reads.flag[i.flag_reg] |= flag_bits(p, all.predicate);
  for (int l = 0; l < p.lanes; ++l)
    if (all.accumulator >> l & 1) add_slot(d.reads, implied_slot(p, accumulator_type(p), l));

  if (isa::has_destination(p.row->format) && !places.add_destination(d)) return {};
  const bool conditional = i.cond_modifier != isa::CondModifier::none && !p.row->has(isa::attr_reads_flag);
  if (is_test(i.op) || conditional || (i.op == isa::Op::math && isa::info(i.math).kind == isa::MathKind::macro))
    d.writes.flag[i.flag_reg] |= flag_bits(p, p.lane_mask);
  if (const Accumulates a = accumulates(p); a.writes && !a.explicit_destination)
    for (int l = 0; l < p.lanes; ++l) add_slot(d.writes, a.slot(p, l));
  if (isa::is_math_macro(i)) {
    d.reads.arf |= uint16_t(1u << int(isa::Arf::accumulator));
    d.writes.arf |= uint16_t(1u << int(isa::Arf::accumulator));
  }
  // the remainder of a division goes to the register after the quotient's
  if (i.op == isa::Op::math && i.math == isa::MathFunction::idiv) {
    if (p.dst.kind == DestinationPlan::Kind::arf || p.dst.kind == DestinationPlan::Kind::accumulator) return {};
    const size_t further = size_t(std::max(reg_bytes, p.lanes * isa::size_of(p.dst.type)));
    d.writes.grf |= d.writes.grf << further;
    d.writes.mrf |= d.writes.mrf << further;
  }
  if (p.row->format > isa::Format::split_send) d.writes.arf |= uint16_t(1u << int(isa::Arf::ip));
  return d;
}

}  // namespace vitro::eu
