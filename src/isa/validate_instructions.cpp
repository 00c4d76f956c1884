// Restrictions of single instructions, by the ids of their reference pages: I-mov, I-sel, ... A page with several
// statements has a row for each, its topic after the dot. Messages stand in validate_messages.cpp.
// PRM: Gen6 vol 4 part 2 chapter 8 (section 8.2 of the requirement list); the Gen8 instruction pages where they agree.
// Statements about results (what a shift count means, which NaN wins) are semantics, not restrictions.
#include "isa/validate_context.h"

namespace vitro::isa {
namespace {

bool is_unsigned(Type t) { return is_integer(t) && !info(t).is_signed; }
bool is_dword_integer(Type t) { return t == Type::d || t == Type::ud; }
bool is_nothing_but_zero_tests(CondModifier m) {
  return m == CondModifier::none || m == CondModifier::z || m == CondModifier::nz;
}

Findings acc_source(const RuleContext& c) {
  return sources_where(c, [](const OperandFacts& s) { return s.acc; });
}
Findings acc_destination(const RuleContext& c) { return dst_if(c.dst().acc); }
Findings acc_operand(const RuleContext& c) { return acc_source(c) | acc_destination(c); }
Findings cond_modifier(const RuleContext& c) { return whole(c.inst.cond_modifier != CondModifier::none); }
Findings without_cond_modifier(const RuleContext& c) { return whole(c.inst.cond_modifier == CondModifier::none); }
Findings saturate(const RuleContext& c) { return whole(c.inst.saturate); }
Findings without_acc_write(const RuleContext& c) { return whole(!c.inst.acc_wr_ctrl); }

Findings acc_to_acc(const RuleContext& c) { return c.dst().acc ? acc_source(c) : nothing; }

Findings sel_neither_nor_both(const RuleContext& c) {
  return whole((c.inst.pred_ctrl != PredCtrl::none) == (c.inst.cond_modifier != CondModifier::none));
}
// A vector immediate has the type it expands to; signedness alone converts nothing.
Findings sel_converts(const RuleContext& c) {
  Findings f = nothing;
  const Type d = c.inst.dst.type;
  for (int n = 0; n < c.sources; ++n) {
    const Type s = c.src(n)->type;
    if (is_float(s) != is_float(d) || size_of(s) != size_of(d)) f |= in_src(n);
  }
  return f;
}
Findings sel_bytes(const RuleContext& c) { return dst_if(c.dst().horz == 1 || c.dst().first % 2 != 0); }

Findings movi_source(const RuleContext& c) {
  const OperandFacts& s = c.src(0);
  return s.immediate || (s.grf && s->indirect && !s.vxh && s->addr_subreg == 0) ? nothing : in_src(0);
}
Findings movi_16(const RuleContext& c) { return whole(c.inst.exec_size >= 16); }
Findings movi_not_8(const RuleContext& c) { return whole(c.inst.exec_size != 8); }
Findings movi_destination(const RuleContext& c) {
  return dst_if((c.dst().direct && c.dst().first % oword != 0) || c.dst().horz != 1);
}
Findings align16(const RuleContext& c) { return whole(c.has(t_align16)); }
Findings align1(const RuleContext& c) { return whole(!c.has(t_align16)); }

Findings logic_condition(const RuleContext& c) { return whole(!is_nothing_but_zero_tests(c.inst.cond_modifier)); }
Findings modified_acc(const RuleContext& c) {
  return sources_where(c, [](const OperandFacts& s) { return s.acc && (s->abs || s->negate); });
}

// An unsigned number stays one unless it is negated; a signed one becomes one by (abs).
Findings shr_signed(const RuleContext& c) {
  const Operand& s = c.inst.src[0];
  const bool positive = is_unsigned(s.type) ? !s.negate : s.abs && !s.negate;
  return positive ? nothing : in_src(0);
}
Findings saturated_dwords(const RuleContext& c) { return whole(c.inst.saturate && c.exec_bytes >= dword); }

Findings cmp_destination(const RuleContext& c) { return dst_if(c.dst().direct && c.dst()->file == RegFile::arf); }
Findings cmp_acc(const RuleContext& c) {
  return sources_where(c, [](const OperandFacts& s) { return s.acc && (s->abs || s->negate || !is_float(s->type)); });
}
Findings unordered(const RuleContext& c) { return whole(c.inst.cond_modifier == CondModifier::u); }
Findings overflow(const RuleContext& c) { return whole(c.inst.cond_modifier == CondModifier::o); }
Findings not_min_max(const RuleContext& c) {
  const CondModifier m = c.inst.cond_modifier;
  return whole(m != CondModifier::none && m != CondModifier::ge && m != CondModifier::l);
}

Findings not_scalar(const RuleContext& c) { return whole(c.inst.exec_size != 1); }
Findings masked(const RuleContext& c) { return whole(!c.inst.no_mask); }
Findings quarter(const RuleContext& c) { return whole(c.inst.qtr_ctrl != 0 || c.inst.nib_ctrl); }
Findings index_not_d(const RuleContext& c) {
  return sources_where(c, [](const OperandFacts& s) { return !is_dword_integer(s->type); });
}
Findings predicate_and_compare(const RuleContext& c) {
  return whole(c.inst.pred_ctrl != PredCtrl::none && c.inst.cond_modifier != CondModifier::none);
}
Findings call_exec_size(const RuleContext& c) { return whole(c.inst.exec_size != 2); }
Findings call_destination(const RuleContext& c) {
  const OperandFacts& d = c.dst();
  return dst_if(!is_dword_integer(d->type) || (d.direct && d->subreg % qword != 0));
}
Findings ret_source(const RuleContext& c) {
  return is_dword_integer(c.inst.src[0].type) && !c.src(0).acc ? nothing : in_src(0);
}
Findings fork_source(const RuleContext& c) { return c.src(0).null || c.src(0).arf == Arf::state ? nothing : in_src(0); }
Findings wait_source(const RuleContext& c) { return c.src(0).arf == Arf::notification ? nothing : in_src(0); }

bool is_integer_division(const RuleContext& c) {
  return c.inst.math == MathFunction::idiv || c.inst.math == MathFunction::iqot || c.inst.math == MathFunction::irem;
}
Findings math_files(const RuleContext& c) {
  return operands_where(c, [](const OperandFacts& o) { return !o.grf; }) | dst_if(c.dst().null);
}
Findings math_destination(const RuleContext& c) { return dst_if(!c.dst().grf); }
// "Width must be the same as execution size": Mesa writes r53.0<4;4,1>:f for 8 channels. Any region of packed elements
// is the same to the hardware.
Findings math_region(const RuleContext& c) {
  return sources_where(
             c, [&](const OperandFacts& s) { return !s.scalar && (!is_packed(s) || s.first != c.dst().first); }) |
         dst_if(c.dst().horz != 1);
}
Findings indirect(const RuleContext& c) {
  return operands_where(c, [](const OperandFacts& o) { return o->indirect; });
}
Findings sixteen(const RuleContext& c) { return whole(c.inst.exec_size > 8); }
Findings division_of_16(const RuleContext& c) { return whole(is_integer_division(c) && c.inst.exec_size > 8); }
Findings division_modifiers(const RuleContext& c) { return whole(is_integer_division(c)); }
Findings math_types(const RuleContext& c) {
  Findings f = nothing;
  for (int n = 0; n < c.sources; ++n)
    if (is_float(c.src(n)->type) == is_integer_division(c)) f |= in_src(n);
  return f;
}

bool multiplies(const RuleContext& c, int src0, int src1) {
  return !is_float(c.exec_type) && size_of(c.src(0)->type) == src0 && size_of(c.src(1)->type) == src1;
}
Findings mul_dword_first(const RuleContext& c) { return whole(multiplies(c, 4, 2) || multiplies(c, 4, 1)); }
Findings mul_dword_last(const RuleContext& c) { return whole(multiplies(c, 2, 4) || multiplies(c, 1, 4)); }
bool multiplies_dwords(const RuleContext& c) { return is_dword_integer(c.exec_type); }
Findings mul_to_float(const RuleContext& c) {
  return dst_if(multiplies_dwords(c) && c.dst().reg && is_float(c.dst()->type));
}
Findings mul_flags(const RuleContext& c) {
  return whole(multiplies_dwords(c) && (c.inst.saturate || c.inst.cond_modifier != CondModifier::none));
}
// Kept to what is truncated: a full 64-bit product has nothing to lose.
Findings mul_truncated_flags(const RuleContext& c) {
  return whole(multiplies_dwords(c) && c.dst().reg && c.dst().size < qword && c.has(t_wide) &&
               (c.inst.saturate || c.inst.cond_modifier != CondModifier::none));
}
Findings mul_integer_acc(const RuleContext& c) {
  return sources_where(c, [](const OperandFacts& s) { return s.acc && !is_float(s->type); });
}
Findings modified_src1(const RuleContext& c) { return c.inst.src[1].abs || c.inst.src[1].negate ? in_src(1) : nothing; }
Findings lzd_signed(const RuleContext& c) {
  return c.inst.src[0].type == Type::d && !c.inst.src[0].abs ? in_src(0) : nothing;
}

Findings sad_destination(const RuleContext& c) {
  return dst_if(c.dst().reg && (c.dst().horz != 2 || c.dst().first % dword != 0));
}
Findings below_2(const RuleContext& c) { return whole(c.inst.exec_size < 2); }
Findings below_4(const RuleContext& c) { return whole(c.inst.exec_size < 4); }
Findings not_8_or_16(const RuleContext& c) { return whole(c.inst.exec_size != 8 && c.inst.exec_size != 16); }
Findings not_stride_1(const RuleContext& c) {
  return sources_where(c, [](const OperandFacts& s) { return s.horz != 1 && !s.immediate; }) |
         dst_if(c.dst().reg && c.dst().horz != 1);
}
Findings coefficients(const RuleContext& c) {
  const OperandFacts& s = c.src(0);
  return s.reg && (!s.scalar || s.first % oword != 0) ? in_src(0) : nothing;
}
Findings odd_barycentrics(const RuleContext& c) {
  return c.src(1).direct && c.src(1)->reg % 2 != 0 ? in_src(1) : nothing;
}

constexpr OpSet logic = ops(Op::not_, Op::and_, Op::or_, Op::xor_);
constexpr OpSet rounding = ops(Op::frc, Op::rndu, Op::rndd, Op::rnde, Op::rndz);
constexpr OpSet dot_products = ops(Op::dp4, Op::dph, Op::dp3, Op::dp2);
constexpr OpSet sums = ops(Op::sad2, Op::sada2);
constexpr OpSet planes = ops(Op::line, Op::pln);
constexpr OpSet compare_and_branch = ops(Op::if_, Op::case_, Op::while_);

using enum RuleKind;
// clang-format off
constexpr Rule table[] = {
    {"I-mov.acc", G689, ops(Op::mov), t_acc, prohibition, "mov: an accumulator is source or destination, not both.",
     acc_to_acc},
    {"I-mov.cond", G6, ops(Op::mov), 0, advice, "mov: the page's prose allows no conditional modifier.", cond_modifier,
     "Mesa (crocus): mov.nz.f0.0(8) null<1>:d g2<8;8,1>:d. The page's own table has a conditional modifier."},
    {"I-sel", G689, ops(Op::sel), 0, prohibition, "sel: either a predicate or a conditional modifier.",
     sel_neither_nor_both},
    {"I-sel.type", G6, ops(Op::sel), t_execute, prohibition, "sel: no type conversion.", sel_converts},
    {"I-sel.acc", G6, ops(Op::sel), t_acc, prohibition, "sel: no accumulator.", acc_operand},
    {"I-sel.byte", G6, ops(Op::sel), t_byte_dst | t_dst_register, prohibition,
     "sel: a byte destination is not packed and begins at an even byte.", sel_bytes},
    {"I-movi.src", G689, ops(Op::movi), 0, prohibition,
     "movi: the source is a GRF region with the single index a0.0, or an immediate.", movi_source},
    {"I-movi.exec", G6, ops(Op::movi), 0, prohibition, "movi: ExecSize is below 16.", movi_16},
    {"I-movi.exec", G89, ops(Op::movi), 0, prohibition, "movi: ExecSize is 8.", movi_not_8},
    {"I-movi.dst", G689, ops(Op::movi), t_dst_register, prohibition,
     "movi: the destination is packed and aligned to 16 bytes.", movi_destination},
    {"I-movi.align1", G689, ops(Op::movi), 0, prohibition, "movi: Align1 only.", align16},
    {"I-movi.cond", G689, ops(Op::movi), 0, prohibition,
     "movi: no conditional modifier (the prose; the page's table marks one).", cond_modifier},
    {"I-logic.cond", G6, logic, 0, prohibition, "not, and, or, xor: conditions other than .z and .nz are undefined.",
     logic_condition},
    {"I-logic.cond", G89, logic, 0, advice, "not, and, or, xor: conditions other than .z and .nz are undefined.",
     logic_condition,
     "IGC (kbl): xor (8|M0) (lt)f0.0 null<1>:q r82.0<4;4,1>:q r8.2<0;1,0>:q compares signs, and relies on the sign "
     "flag."},
    {"I-logic.acc", G689, logic, t_acc | t_modifier, prohibition,
     "not, and, or, xor: no source modifier on an accumulator.", modified_acc},
    {"I-shr", G689, ops(Op::shr), t_execute, advice, "shr: src0 is unsigned, or the absolute value of a signed type.",
     shr_signed,
     "Mesa (crocus): shr (1) r3.0<1>:d sr0.0<0;1,0>:d 12:d; Mesa (kbl): shr (16|M0) r10.0<1>:d r25.0<8;8,1>:d 1:d. The "
     "shift is logical, on the bits of the element, whatever the type says."},
    {"I-shl.acc", G689, ops(Op::shl), t_acc, prohibition, "shl: the destination is no accumulator.", acc_destination},
    {"I-shl.sat", G6, ops(Op::shl), t_execute, prohibition, "shl: saturation of dwords is unpredictable.",
     saturated_dwords},
    {"I-cmp", G689, ops(Op::cmp, Op::cmpn, Op::csel), 0, prohibition,
     "cmp, cmpn, csel: there is a conditional modifier.", without_cond_modifier},
    {"I-cmp.dst", G6, ops(Op::cmp, Op::cmpn), t_arf, prohibition,
     "cmp, cmpn: the destination is a general or message register, or null.", cmp_destination},
    {"I-cmp.acc", G6, ops(Op::cmp, Op::cmpn), t_acc, prohibition,
     "cmp, cmpn: an accumulator source is float and without modifiers.", cmp_acc},
    {"I-cmp.u", G89, ops(Op::cmp), 0, prohibition, "cmp: not .u.", unordered},
    {"I-cmpn", G689, ops(Op::cmpn), 0, prohibition, "cmpn: .ge and .l only (section 5.7; the page's prose says any).",
     not_min_max},

    {"I-jmpi.exec", G689, ops(Op::jmpi), 0, prohibition, "jmpi: ExecSize is 1.", not_scalar},
    {"I-jmpi.mask", G689, ops(Op::jmpi), 0, prohibition, "jmpi: NoMask (WECtrl) is set.", masked},
    {"I-jmpi.type", G689, ops(Op::jmpi), 0, prohibition, "jmpi: the index is a dword.", index_not_d},
    {"I-if", G6, compare_and_branch, 0, prohibition, "if, case, while: either a predicate or a comparison.",
     predicate_and_compare},
    {"I-call.exec", G6, ops(Op::call), 0, prohibition, "call: ExecSize is 2.", call_exec_size},
    {"I-call.dst", G689, ops(Op::call, Op::calla), 0, prohibition,
     "call: the destination has dwords and begins at a qword.", call_destination},
    {"I-call.qtr", G6, ops(Op::call, Op::fork), 0, prohibition, "call, fork: no quarter control.", quarter},
    {"I-ret", G689, ops(Op::ret), 0, prohibition, "ret: the source has dwords and is no accumulator.", ret_source},
    {"I-fork", G6, ops(Op::fork), 0, prohibition, "fork: the source is a mask in the state register, or null.",
     fork_source},
    {"I-wait", G689, ops(Op::wait), 0, prohibition, "wait: the operand is a notification register.", wait_source},
    {"I-wait.exec", G689, ops(Op::wait), 0, prohibition, "wait: ExecSize is 1.", not_scalar},

    {"I-math.file", G6, ops(Op::math), 0, prohibition, "math: sources and destination are general registers.",
     math_files},
    {"I-math.file", G89, ops(Op::math), 0, prohibition, "math: the destination is a general register.",
     math_destination},
    {"I-math.region", G6, ops(Op::math), t_align1, prohibition,
     "math: strides are 1, Width is ExecSize and offsets are equal; scalar sources are allowed.", math_region},
    {"I-math.indirect", G689, ops(Op::math), t_indirect, prohibition, "math: no indirect operand.", indirect},
    {"I-math.simd16", G6, ops(Op::math), 0, prohibition, "math: at most 8 channels.", sixteen},
    {"I-math.simd16", G89, ops(Op::math), 0, prohibition, "math: integer division has at most 8 channels.",
     division_of_16},
    {"I-math.srcmod", G89, ops(Op::math), t_modifier, prohibition, "math: integer division has no source modifiers.",
     division_modifiers},
    {"I-math.type", G689, ops(Op::math), t_execute, prohibition,
     "math: integer division has dword sources, every other function floats.", math_types},

    {"I-mul.order", G6, ops(Op::mul), t_execute, prohibition, "mul: a word beside a dword is src0.", mul_dword_first},
    {"I-mul.order", G89, ops(Op::mul), t_execute, prohibition, "mul: a dword beside a word is src0.", mul_dword_last},
    {"I-mul.acc", G6, ops(Op::mul), t_acc, prohibition, "mul: no accumulator source.", acc_source},
    {"I-mul.acc", G89, ops(Op::mul), t_acc, prohibition, "mul: no integer accumulator source.", mul_integer_acc},
    {"I-mul.float", G6, ops(Op::mul), t_execute, prohibition, "mul: a product of dwords does not become a float.",
     mul_to_float},
    {"I-mul.flags", G6, ops(Op::mul), t_execute, prohibition,
     "mul: with a dword source neither saturation nor a conditional modifier.", mul_flags},
    {"I-mul.flags", G89, ops(Op::mul), t_execute, prohibition,
     "mul: a truncated product of dwords has neither saturation nor a conditional modifier.", mul_truncated_flags},
    {"I-round.acc", G6, rounding, t_acc, prohibition, "frc, rndu, rndd, rnde, rndz: no accumulator.", acc_operand},
    {"I-mac.acc", G6, ops(Op::mac), t_acc, prohibition, "mac: no explicit accumulator source.", acc_source},
    {"I-mach", G689, ops(Op::mach), 0, prohibition, "mach: AccWrCtrl is set.", without_acc_write},
    {"I-mach.sat", G6, ops(Op::mach), 0, prohibition, "mach: no saturation.", saturate},
    {"I-mach.srcmod", G89, ops(Op::mach), t_modifier, prohibition, "mach: no modifier on src1.", modified_src1},
    {"I-addc", G89, ops(Op::addc, Op::subb), 0, prohibition, "addc, subb: AccWrCtrl is set.", without_acc_write},
    {"I-lzd.acc", G689, ops(Op::lzd), t_acc, prohibition, "lzd: the destination is no accumulator.", acc_destination},
    {"I-lzd.src", G6, ops(Op::lzd), t_execute, prohibition, "lzd: a signed source has (abs).", lzd_signed},

    {"I-sad2.exec", G689, sums, 0, prohibition, "sad2, sada2: ExecSize is at least 2.", below_2},
    {"I-sad2.dst", G689, sums, t_align1, prohibition,
     "sad2, sada2: the destination's words have stride 2 and begin at a dword.", sad_destination},
    {"I-dp.exec", G689, dot_products, 0, prohibition, "dp2, dp3, dp4, dph: ExecSize is at least 4.", below_4},
    {"I-dp.stride", G689, dot_products, t_align1, prohibition, "dp2, dp3, dp4, dph: HorzStride is 1.", not_stride_1},
    {"I-dp.acc", G689, dot_products, t_acc, prohibition, "dp2, dp3, dp4, dph: no accumulator source.", acc_source},
    {"I-line.exec", G689, planes, 0, prohibition, "line, pln: ExecSize is 8 or 16.", not_8_or_16},
    {"I-line.src0", G689, planes, t_align1, prohibition,
     "line, pln: src0 is a replicated scalar at the origin of four floats (.0 or .4).", coefficients},
    {"I-line.acc", G6, planes, t_acc, prohibition, "line, pln: no accumulator source.", acc_source},
    {"I-pln.src1", G6, ops(Op::pln), 0, prohibition, "pln: src1 is an even register.", odd_barycentrics},
    {"I-mad.align16", G689, {}, t_ternary, prohibition, "Instructions with three sources are Align16.", align1},
    {"I-lrp", G689, ops(Op::lrp), 0, prohibition, "lrp: not .o.", overflow},
};
// clang-format on

}  // namespace

std::span<const Rule> instruction_rules() { return table; }

}  // namespace vitro::isa
