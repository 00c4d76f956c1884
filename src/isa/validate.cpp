// The validator's frame: the facts of an instruction (RuleContext), the list of all rules, and the pass over those that
// concern the instruction's generation and opcode. The rules themselves stand in validate_*.cpp, by topic.
// PRM: Gen6 vol 4 part 2 section 5.3.9 (execution data type); Gen9 vol 6 section 7 (mixed float).
#include "isa/validate.h"

#include <array>
#include <bit>

#include "isa/layout.h"
#include "isa/validate_context.h"

namespace vitro::isa {
namespace {

constexpr uint32_t computing = formats(Format::unary, Format::binary, Format::ternary, Format::math);

OperandFacts facts_of(const Operand& o) {
  OperandFacts f;
  f.operand = &o;
  f.size = uint8_t(size_of(o.type));
  f.immediate = o.file == RegFile::imm;
  const bool arf = o.file == RegFile::arf && !o.indirect;
  if (arf) f.arf = Arf(o.reg >> 4);
  f.null = arf && f.arf == Arf::null;
  f.reg = !f.immediate && !f.null;
  f.direct = f.reg && !o.indirect;
  f.grf = o.file == RegFile::grf;
  f.mrf = o.file == RegFile::mrf;
  f.acc = arf && f.arf == Arf::accumulator;
  f.first = o.indirect ? 0 : o.subreg;
  return f;
}

void set_extent(OperandFacts& f) {
  f.last = f.first + ((f.rows - 1) * f.vert + (f.width - 1) * f.horz + 1) * f.size - 1;
  f.registers = f.last / grf_bytes + 1;
}

OperandFacts destination_facts(const Instruction& i) {
  OperandFacts f = facts_of(i.dst);
  f.width = i.exec_size;
  f.horz = i.access_mode == AccessMode::align16 ? 1 : i.dst.region.horz_stride;
  f.vxh = i.dst.indirect && i.dst.region.vert_stride == Region::vxh;
  set_extent(f);
  return f;
}

OperandFacts source_facts(const Instruction& i, const OpcodeRow& row, const Operand& o) {
  OperandFacts f = facts_of(o);
  if (f.immediate) return f;
  if (i.access_mode == AccessMode::align16) {
    // Rows of four; three-source operands have no VertStride field: four, or one component for all.
    f.width = std::min<uint8_t>(4, i.exec_size);
    f.horz = 1;
    f.vert = row.format == Format::ternary ? 4 : o.region.vert_stride;
    if (o.replicate) f.width = 1, f.horz = f.vert = 0, f.scalar = true;
  } else {
    f.width = std::max<uint8_t>(1, o.region.width);
    f.horz = o.region.horz_stride;
    f.vxh = o.region.vert_stride == Region::vxh;
    f.vert = f.vxh ? 0 : o.region.vert_stride;
    f.scalar = !f.vxh && f.width == 1 && f.vert == 0;
  }
  f.rows = uint8_t(std::max(1, i.exec_size >> std::countr_zero(f.width)));
  set_extent(f);
  return f;
}

// The type the sources are brought to before computing. Bytes and packed vectors compute as words, or as floats.
Type computing_type(Type t) {
  static constexpr std::array<Type, type_count + 1> as = [] {
    std::array<Type, type_count + 1> a{};
    for (int n = 0; n <= type_count; ++n) a[n] = Type(n);
    a[int(Type::ub)] = a[int(Type::b)] = a[int(Type::uw)] = a[int(Type::v)] = a[int(Type::uv)] = Type::w;
    a[int(Type::ud)] = Type::d;
    a[int(Type::uq)] = Type::q;
    a[int(Type::vf)] = Type::f;
    return a;
  }();
  return as[int(t)];
}

Type execution_type(const RuleContext& c) {
  if (c.has(t_mixed_float)) return Type::f;
  Type widest = Type::none;
  for (int n = 0; n < c.sources; ++n) {
    const Type t = computing_type(c.src(n)->type);
    if (widest == Type::none || size_of(t) > size_of(widest)) widest = t;
  }
  return widest == Type::none ? Type::w : widest;
}

constexpr TypeSet dwords = types(Type::ud, Type::d);

uint32_t operand_traits(const OperandFacts& o) {
  uint32_t t = 0;
  if (o.immediate) t |= t_immediate;
  if (o.reg && o->indirect) t |= t_indirect;
  if (o.vxh) t |= t_vxh;
  if (o.direct && o->file == RegFile::arf) t |= t_arf;
  if (o.acc) t |= t_acc;
  if (o.direct && o.registers > 1) t |= t_spans;
  return t;
}

// A null destination takes no value: its type does not matter.
bool types_are_listed(const RuleContext& c) {
  for (const TypeRule& t : c.row.types)
    if ((!c.dst().reg || t.dst.contains(c.dst()->type)) && (c.source_types.bits & ~t.src.bits) == 0) return true;
  return c.row.types.empty();
}

uint32_t type_traits(const RuleContext& c) {
  const TypeSet seen = c.source_types | types(c.inst.dst.type);
  constexpr TypeSet floats = types(Type::f, Type::vf), halves = types(Type::hf);
  uint32_t t = 0;
  if (!(seen & types(Type::uq, Type::q, Type::df)).empty()) t |= t_wide;
  if (c.inst.op == Op::mul && (c.source_types.bits & ~dwords.bits) == 0) t |= t_wide;
  if ((t & t_wide) && c.model.restricts_64bit_regions) t |= t_restricted_wide;
  if (!(seen & halves).empty()) {
    t |= t_half;
    if (!(seen & floats).empty()) t |= t_mixed_float;
  }
  if (size_of(c.inst.dst.type) == 1) t |= t_byte_dst;
  if (!types_are_listed(c)) t |= t_unlisted_types;
  return t;
}

uint32_t control_traits(const Instruction& i) {
  uint32_t t = i.access_mode == AccessMode::align16 ? t_align16 : t_align1;
  if (i.exec_size > 1) t |= t_several;
  if (i.pred_ctrl != PredCtrl::none) t |= t_predicate;
  if (i.cond_modifier != CondModifier::none) t |= t_condition;
  if (i.saturate) t |= t_saturate;
  if (i.acc_wr_ctrl) t |= t_acc_write;
  return t;
}

}  // namespace

RuleContext make_context(const Model& m, const Instruction& i, const OpcodeRow& row) {
  RuleContext c{m, i, row};
  c.traits = control_traits(i);
  c.sources = source_count(row, i);
  for (int n = 0; n < c.sources; ++n) {
    const OperandFacts& s = c.operands[1 + n] = source_facts(i, row, i.src[n]);
    c.traits |= operand_traits(s);
    c.source_types = c.source_types | types(s->type);
    if (s.reg) c.traits |= t_source;
    if (s.acc) c.traits |= t_acc_read;
    if (i.src[n].abs || i.src[n].negate) c.traits |= t_modifier;
  }
  if (row.has(attr_acc_source)) c.traits |= t_acc_read;
  if (has_destination(row.format)) {
    c.operands[0] = destination_facts(i);
    c.traits |= operand_traits(c.dst());
    if (computing >> int(row.format) & 1) c.traits |= t_dst | (c.dst().reg ? t_dst_register : 0u);
  }
  if ((computing >> int(row.format) & 1) || (row.format == Format::branch_compare && c.sources)) {
    c.traits |= t_execute | type_traits(c);
    c.traits |= row.format == Format::ternary ? t_ternary : t_two_sources;
    c.exec_type = execution_type(c);
    c.exec_bytes = size_of(c.exec_type);
  }
  return c;
}

bool is_raw_move(const RuleContext& c) {
  const Operand& s = c.inst.src[0];
  const Type a = c.inst.dst.type, b = s.type;
  const bool same = a == b || (is_integer(a) && is_integer(b) && size_of(a) == size_of(b) && !info(b).is_vector_imm);
  return c.inst.op == Op::mov && same && !c.inst.saturate && !s.abs && !s.negate;
}

namespace {

constexpr Rule no_such_opcode{
    "OP-OPCODE", G689, {}, 0, RuleKind::prohibition, "The opcode exists on the generation (opcode table).", never};

const std::vector<Rule>& all_rules() {
  static const std::vector<Rule> all = [] {
    std::vector<Rule> v{no_such_opcode};
    for (std::span<const Rule> part : {common_rules(), register_rules(), region_rules_gen6(), region_rules_gen9(),
                                       wide_and_mixed_rules_gen9(), instruction_rules(), message_rules()})
      v.insert(v.end(), part.begin(), part.end());
    return v;
  }();
  return all;
}

// The rules that can fire, by generation and opcode; what the pass looks at lies side by side.
struct Candidate {
  uint32_t needs;
  Findings (*check)(const RuleContext&);
  const Rule* rule;
};
using Selection = std::array<std::vector<Candidate>, op_count>;
const Selection& selection(Generation g) {
  static const std::array<Selection, 3> by_generation = [] {
    std::array<Selection, 3> s;
    for (const Rule& r : all_rules())
      for (int bit = 0; bit < 3; ++bit)
        for (int op = 0; op < op_count; ++op)
          if ((r.generations.bits >> bit & 1) && (r.ops.empty() || r.ops.contains(Op(op))) && r.check != never)
            s[bit][op].push_back({r.needs, r.check, &r});
    return s;
  }();
  return by_generation[std::countr_zero(uint8_t(g))];
}

void report(std::vector<Violation>& found, const Rule& rule, Findings f) {
  if (f & in_instruction) found.push_back({&rule, -1});
  for (int operand = 0; operand < 4; ++operand)
    if (f >> operand & 1) found.push_back({&rule, operand});
}

}  // namespace

std::span<const Rule> rules() { return all_rules(); }

std::vector<Violation> validate(const Model& m, const Instruction& i) {
  std::vector<Violation> found;
  const OpcodeRow* row = m.row(i.op);
  if (!row) {
    found.push_back({&all_rules().front(), -1});
    return found;
  }
  const RuleContext c = make_context(m, i, *row);
  for (const Candidate& r : selection(m.generation)[size_t(i.op)])
    if (c.has(r.needs))
      if (const Findings f = r.check(c)) report(found, *r.rule, f);
  return found;
}

}  // namespace vitro::isa
