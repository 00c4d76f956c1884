// Rules of types: what the row of an instruction allows for each operand, which types stand together, saturation, and
// predicates that are operands. Documents: vISA "Operands", and "Supported Types" of the instruction pages.
#include <fmt/format.h>

#include <algorithm>

#include "visa/check_context.h"

namespace vitro::visa {
namespace {

using enum Verdict;
using C = OperandClass;

constexpr Types integers = types(Type::ud, Type::d, Type::uw, Type::w, Type::ub, Type::b, Type::uq, Type::q);

// Vectors of immediates stand for their elements.
bool allows(Types set, Type t) {
  if (t == Type::v || t == Type::uv) return set & integers;
  if (t == Type::vf) return has(set, Type::f);
  return has(set, t);
}

template <class F>
void each_typed(const CheckContext& c, F f) {
  for (const OperandFacts& o : c.operands)
    if (o.field->types &&
        (o.is(C::general) || o.is(C::indirect) || o.is(C::immediate) || (o.is(C::raw) && o.operand->id != 0)))
      f(o);
}

void type_of_operand(const CheckContext& c, Report& report) {
  each_typed(c, [&](const OperandFacts& o) {
    if (!allows(o.field->types | o.field->besides, o.type))
      report(o, fmt::format("{} takes here {}, found {}", c.row.mnemonic, type_list(o.field->types), row(o.type).name));
  });
}

void type_besides(const CheckContext& c, Report& report) {
  each_typed(c, [&](const OperandFacts& o) {
    if (!allows(o.field->types, o.type) && allows(o.field->besides, o.type))
      report(o, fmt::format("{} takes here {}, found {}", c.row.mnemonic, type_list(o.field->types), row(o.type).name));
  });
}

bool goes_together(Type a, Type b) {
  if (is_float(a) != is_float(b)) return false;
  if (!is_float(a) || a == b) return true;
  const auto pair = [&](Type x, Type y) { return (a == x && b == y) || (a == y && b == x); };
  return pair(Type::f, Type::hf) || pair(Type::f, Type::vf);
}

// The first operand of those that are of one kind; nullptr: any goes.
const OperandFacts* first_of_kind(const CheckContext& c) {
  if (c.row.kinds == Kinds::any || !(c.row.traits & split)) return nullptr;
  for (const OperandFacts& o : c.operands)
    if (!(o.field->written && c.row.kinds == Kinds::own_destination) && !o.is(C::predicate)) return &o;
  return nullptr;
}

void one_kind(const CheckContext& c, Report& report) {
  const OperandFacts* first = first_of_kind(c);
  if (!first) return;
  for (const OperandFacts& o : c.operands)
    if (&o > first && !o.is(C::predicate) && !goes_together(first->type, o.type))
      report(o, fmt::format("{} does not go with {}", row(o.type).name, row(first->type).name));
}

void one_integer_type(const CheckContext& c, Report& report) {
  const OperandFacts* first = first_of_kind(c);
  if (!first || !is_integer(first->type) || is_vector(first->type)) return;
  for (const OperandFacts& o : c.operands)
    if (&o > first && is_integer(o.type) && !is_vector(o.type) && o.field->types == first->field->types &&
        o.type != first->type)
      return report(o, fmt::format("{} beside {}", row(o.type).name, row(first->type).name));
}

void no_boolean(const CheckContext& c, Report& report) {
  for (const OperandFacts& o : c.operands)
    if (o.is(C::immediate) && o.type == Type::boolean) report(o, "an immediate cannot be bool");
}

void saturation(const CheckContext& c, Report& report) {
  for (const OperandFacts& o : c.operands) {
    if (o.operand->modifier != Modifier::saturate) continue;
    if (!(c.row.traits & (sat | sat_float)))
      report(o, fmt::format("{} does not saturate", c.row.mnemonic));
    else if ((c.row.traits & sat_float) && !is_float(o.type))
      report(o, fmt::format("{} saturates floats only", c.row.mnemonic));
  }
}

bool has_flag(const CheckContext& c) {
  return std::ranges::any_of(c.operands, [](const OperandFacts& o) { return o.is(C::predicate); });
}

void move_of_predicate(const CheckContext& c, Report& report) {
  if (c.row.op != Op::mov || !c.operands[1].is(C::predicate)) return;
  const OperandFacts &d = c.operands[0], &s = c.operands[1];
  if (c.size != 1) report("a predicate is moved by one channel");
  if (c.instruction.predicate) report("the move of a predicate is not predicated");
  if (!is_integer(d.type) || d.bytes > 4) report(d, "a predicate is moved to an integer of at most 32 bits");
  if (d.operand->modifier == Modifier::saturate) report(d, "the move of a predicate does not saturate");
  const uint32_t bits = c.of.predicate_elements(s.operand->id);
  if (d.bytes * 8 < bits) report(d, fmt::format("the predicate has {} bits", bits));
}

void logic_of_predicates(const CheckContext& c, Report& report) {
  if (c.row.modifiers != SourceModifiers::logic || !has_flag(c)) return;
  for (const OperandFacts& o : c.operands)
    if (!o.is(C::predicate)) report(o, "beside a predicate stand predicates only");
}

void predicated_logic(const CheckContext& c, Report& report) {
  if (c.row.modifiers == SourceModifiers::logic && has_flag(c)) report("logic of predicates is not predicated");
}

void flag_elements(const CheckContext& c, Report& report) {
  if (c.row.op == Op::mov || c.row.op == Op::setp) return;
  for (const OperandFacts& o : c.operands)
    if (o.is(C::predicate) && c.of.predicate_elements(o.operand->id) < c.size)
      report(o, fmt::format("{} has {} elements, for {} channels", c.of.predicate_name(o.operand->id),
                            c.of.predicate_elements(o.operand->id), c.size));
}

constexpr Rule table[] = {
    {"VT-01", error, "an operand has a type that its instruction takes", f_typed, type_of_operand},
    {"VT-02", differs, "an operand has a type of its instruction's page: the finalizer takes others, too", f_typed,
     type_besides},
    {"VT-03", error, "operands are all integers, or floats of one type; F goes with HF and VF", f_computes, one_kind},
    {"VT-04", differs, "integer operands are of one type: the finalizer takes all sizes and signs together", f_computes,
     one_integer_type},
    {"VT-05", error, "only instructions whose page says so saturate, some only to floats", f_saturate, saturation},
    {"VI-413", error,
     "a predicate is moved by one channel, unpredicated, to an integer of at most 32 bits and no fewer than it has",
     f_flag, move_of_predicate},
    {"VI-413.1", error, "operands of logic are all predicates, or none is", f_flag, logic_of_predicates},
    {"VI-413.2", error, "logic of predicates is not predicated", f_flag | f_predicated, predicated_logic},
    {"VI-413.3", undefined, "a predicate operand has an element for each channel", f_flag, flag_elements},
    {"VI-414", error, "no immediate is BOOL", f_immediate, no_boolean},
};

}  // namespace

std::span<const Rule> type_rules() { return table; }

}  // namespace vitro::visa
