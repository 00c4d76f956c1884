// Rules of operands: where their elements lie, indirect and raw ones, modifiers. Document: vISA "Operands".
#include <fmt/format.h>

#include <algorithm>

#include "visa/check_context.h"

namespace vitro::visa {
namespace {

using enum Verdict;
using C = OperandClass;

constexpr int least_offset = -512, most_offset = 511;  // of indirect operands

template <class F>
void each(const CheckContext& c, OperandClass kind, F f) {
  for (const OperandFacts& o : c.operands)
    if (o.is(kind)) f(o);
}
template <class F>
void each_region(const CheckContext& c, F f) {
  for (const OperandFacts& o : c.operands)
    if (o.is(C::general) || o.is(C::indirect)) f(o);
}

void outside(const CheckContext& c, Report& report) {
  each(c, C::general, [&](const OperandFacts& o) {
    if (o.operand->id == 0) return;
    const uint32_t bytes = c.of.variable(o.operand->id).bytes;
    if (o.last >= bytes)
      report(o, fmt::format("the last element ends at byte {} of {}, which has {}", o.last + 1,
                            c.of.name(o.operand->id), bytes));
  });
}

void width_of_region(const CheckContext& c, Report& report) {
  each_region(c, [&](const OperandFacts& o) {
    if (!o.field->written && width(o.operand->region) > int(c.size))
      report(o, fmt::format("the width is {}, the execution size {}", width(o.operand->region), c.size));
  });
}

void destination_stride(const CheckContext& c, Report& report) {
  each_region(c, [&](const OperandFacts& o) {
    if (o.field->written && horizontal_stride(o.operand->region) == 0)
      report(o, "a destination cannot have the stride 0");
  });
}

void registers(const CheckContext& c, Report& report, bool split) {
  if (bool(c.row.traits & visa::split) != split) return;
  each(c, C::general, [&](const OperandFacts& o) {
    const VariableFacts& v = c.of.variable(o.operand->id);
    if (v.root_bytes < register_bytes) return;
    const uint32_t first = (v.root_offset + o.first) / register_bytes;
    const uint32_t last = (v.root_offset + o.last) / register_bytes;
    if (last > first + 1) report(o, fmt::format("the operand touches {} registers", last - first + 1));
  });
}
void registers_of_others(const CheckContext& c, Report& report) { registers(c, report, false); }
void registers_of_split(const CheckContext& c, Report& report) { registers(c, report, true); }

void shared_elements(const CheckContext& c, Report& report) {
  each_region(c, [&](const OperandFacts& o) {
    const Region r = o.operand->region;
    const int vs = vertical_stride(r), w = width(r), hs = horizontal_stride(r);
    if (o.field->written || vs <= 0 || w <= 1 || hs <= 0 || w >= int(c.size)) return;
    if (vs % hs == 0 && vs < w * hs) report(o, "rows share elements");
  });
}

void column(const CheckContext& c, Report& report) {
  each(c, C::general, [&](const OperandFacts& o) {
    if (o.operand->column * o.bytes >= register_bytes)
      report(o, fmt::format("a register has {} elements of type {}", register_bytes / o.bytes, row(o.type).name));
  });
}

// How many addresses an operand needs; 0: it has none.
uint32_t addresses(const CheckContext& c, const OperandFacts& o) {
  const Region r = o.operand->region;
  if (o.is(C::address)) return o.field->written ? c.size : 1u << o.operand->column;
  const bool multiple = !o.field->written && vertical_stride(r) < 0 && width(r) > 0;
  return multiple ? std::max(c.size / uint32_t(width(r)), 1u) : 1;
}
void address_elements(const CheckContext& c, Report& report, OperandClass kind) {
  each(c, kind, [&](const OperandFacts& o) {
    const uint32_t elements = c.of.routine.addresses[o.operand->id].elements, end = o.operand->row + addresses(c, o);
    if (end > elements) report(o, fmt::format("elements {} to {} of {} addresses", o.operand->row, end - 1, elements));
  });
}
void addresses_of_rows(const CheckContext& c, Report& report) { address_elements(c, report, C::indirect); }
void address_operand(const CheckContext& c, Report& report) { address_elements(c, report, C::address); }

void indirect_offset(const CheckContext& c, Report& report) {
  each(c, C::indirect, [&](const OperandFacts& o) {
    if (o.operand->offset < least_offset || o.operand->offset > most_offset)
      report(o, fmt::format("the offset {} is not in {} to {}", o.operand->offset, least_offset, most_offset));
  });
}

void indirect_type(const CheckContext& c, Report& report) {
  each(c, C::indirect, [&](const OperandFacts& o) {
    if (is_vector(o.type) || o.type == Type::boolean)
      report(o, fmt::format("nothing in registers has type {}", row(o.type).name));
  });
}

void address_by_mov(const CheckContext& c, Report& report) {
  if (c.row.op != Op::mov || !c.operands[0].is(C::address)) return;
  const OperandFacts& source = c.operands[1];
  if (!source.is(C::address) && !source.is(C::address_of) && !source.is(C::state_address))
    report(source, "an address that addr_add did not make");
}

void raw_alignment(const CheckContext& c, Report& report) {
  each(c, C::raw, [&](const OperandFacts& o) {
    if (o.operand->id == 0) return;
    const VariableFacts& v = c.of.variable(o.operand->id);
    const uint32_t at = v.root_offset + uint32_t(o.operand->value);
    if (v.root_bytes >= register_bytes && at % register_bytes)
      report(o, fmt::format("the operand begins at byte {} of a register", at % register_bytes));
  });
}

void raw_outside(const CheckContext& c, Report& report) {
  each(c, C::raw, [&](const OperandFacts& o) {
    if (o.operand->id == 0) return;
    const uint32_t bytes = c.of.variable(o.operand->id).bytes;
    if (o.operand->value >= bytes)
      report(o, fmt::format("byte {} of {}, which has {}", o.operand->value, c.of.name(o.operand->id), bytes));
  });
}

void modifiers(const CheckContext& c, Report& report) {
  for (const OperandFacts& o : c.operands) {
    const Modifier m = o.operand->modifier;
    if (o.field->written || m == Modifier::none) continue;
    const bool logic = m == Modifier::invert;
    if (c.row.modifiers != (logic ? SourceModifiers::logic : SourceModifiers::arithmetic))
      report(o, fmt::format("sources of {} do not have the modifier {}", c.row.mnemonic, modifier_names[size_t(m)]));
  }
}

void address_of_predefined(const CheckContext& c, Report& report, bool writable) {
  for (const OperandFacts& o : c.operands) {
    const bool surface = o.is(C::state_address) && !o.operand->column;
    const bool stack = o.operand->id < std::size(predefined) && predefined[o.operand->id].addressable;
    if (surface ? o.operand->id < predefined_surfaces && !writable
                : o.is(C::address_of) && o.operand->id < predefined_variables && stack == writable)
      report(o, "the address of something predefined");
  }
}
void address_of_read_only(const CheckContext& c, Report& report) { address_of_predefined(c, report, false); }
void address_of_stack(const CheckContext& c, Report& report) { address_of_predefined(c, report, true); }

void read_only(const CheckContext& c, Report& report) {
  for (const OperandFacts& o : c.operands) {
    if (!o.field->written || !(o.is(C::general) || o.is(C::raw)) || o.operand->id >= predefined_variables) continue;
    const PredefinedVariable& p = predefined[o.operand->id];
    const uint32_t first = o.is(C::raw) ? uint32_t(o.operand->value) : o.first;
    if (!p.writable || first < p.writable_from * row(p.type).bytes)
      report(o, fmt::format("{} cannot be written{}", p.name, p.writable ? " here" : ""));
  }
}

constexpr Rule table[] = {
    {"VI-105", undefined, "all elements of an operand lie in its variable", f_general, outside},
    {"VI-103.1", differs, "rows that share elements: the finalizer may read the first of a row for all", f_region,
     shared_elements},
    {"VI-109", error, "the width of a region is at most the execution size", f_region, width_of_region},
    {"VI-110", error, "the horizontal stride of a destination is not 0", f_region, destination_stride},
    {"VI-111", error, "an operand touches at most two registers", f_computes | f_general, registers_of_others},
    {"VI-111.1", differs,
     "an operand touches at most two registers: moves, logic, compares and arithmetic are split by the finalizer",
     f_computes | f_general, registers_of_split},
    {"VI-202", error, "an indirect operand has an element of its address variable for each row", f_indirect,
     addresses_of_rows},
    {"VI-207", error, "the offset of an indirect operand is -512 to 511", f_indirect, indirect_offset},
    {"VI-208", error, "an indirect operand has any type but V, UV, VF and BOOL", f_indirect, indirect_type},
    {"VI-210", differs, "addresses come from addr_add only: the finalizer takes moves of words", f_address,
     address_by_mov},
    {"VI-410", error, "the modifiers of a source are those of its instruction: arithmetic, not, or none", f_modifier,
     modifiers},
    {"VI-411", error, "the element of a general operand lies in its register", f_general, column},
    {"VI-412", error, "an address operand lies in its variable", f_address, address_operand},
    {"VI-418", error, "a raw operand of a variable of at least a register begins with a register", f_raw,
     raw_alignment},
    {"VI-418.1", undefined, "a raw operand lies in its variable", f_raw, raw_outside},
    {"VP-01", error, "nobody takes the address of a predefined variable or surface", f_address_of,
     address_of_read_only},
    {"VP-02", differs, "the address of %arg or %retval: the finalizer refuses it", f_address_of, address_of_stack},
    {"VP-03", error, "read-only predefined variables are not written", f_written, read_only},
};

}  // namespace

std::span<const Rule> region_rules() { return table; }

}  // namespace vitro::visa
