// The checker's way through an object: facts of each routine and instruction, and the rules that want them; see
// check.h. Here are also the rules that the readers enforce.
#include "visa/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "visa/check_context.h"

namespace vitro::visa {
namespace {

using enum Verdict;

constexpr Rule reader_rules[] = {
    {"VI-101", error, "vector operands have offset, region and modifier; raw ones only an offset"},
    {"VI-102", error, "register, element and strides of a region are constants"},
    {"VI-106", error, "the width of a region is 1, 2, 4, 8 or 16"},
    {"VI-107", error, "the vertical stride is 0, 1, 2, 4, 8, 16 or 32"},
    {"VI-108", error, "the horizontal stride is 0, 1, 2 or 4"},
    {"VI-203", error, "only sources have an address for each row"},
    {"VI-301", error, "a predicate control word has bit 12 zero, and is combined by nothing, any or all"},
    {"VI-407", error, "classes 4 and 7 of vector operands are reserved"},
    {"VI-408", error, "codes of strides and widths are 0 to 7; only indirect sources have no vertical stride"},
    {"VI-409", error, "modifiers are none, abs, negate, both and not on sources, saturation on destinations"},
    {"VI-415", error, "surface and sampler variables are operands of movs and addr_add only"},
    {"VI-416", error, "the address of a variable stands in mov and addr_add; in objects in addr_add only"},
    {"VI-419", error, "objects have at most 4095 predicates"},
    {"VD-01", error, "the base of an alias is declared before it, so that none is an alias of itself"},
    {"VF-01", error, "a label stands once, and each that is used stands somewhere"},
    {"VE-01", error, "compares, min, max, moves of addresses and others without the field take no predicate"},
};

constexpr size_t most_operands = 16;  // the longest row has fewer; lists are looked at apart

void add_fact(uint32_t& facts, OperandClass c) {
  switch (c) {
    case OperandClass::general: facts |= f_general | f_region; break;
    case OperandClass::indirect: facts |= f_indirect | f_region; break;
    case OperandClass::immediate: facts |= f_immediate; break;
    case OperandClass::address: facts |= f_address; break;
    case OperandClass::predicate: facts |= f_flag; break;
    case OperandClass::address_of:
    case OperandClass::state_address: facts |= f_address_of; break;
    case OperandClass::raw: facts |= f_raw; break;
    default: break;
  }
}

// First and last element of a general operand, in bytes of its variable.
void place_region(OperandFacts& o, bool computes, uint32_t size) {
  const Operand& x = *o.operand;
  o.first = x.row * register_bytes + x.column * o.bytes;
  uint32_t last = 0;  // element
  const auto stride = [](int v) { return uint32_t(std::max(v, 0)); };
  if (computes && o.field->written) {
    last = (size - 1) * stride(horizontal_stride(x.region));
  } else if (computes) {
    const uint32_t w = std::min(stride(width(x.region)), size);
    const uint32_t rows = w ? size / w : 1;
    last = (rows - 1) * stride(vertical_stride(x.region)) + (w ? w - 1 : 0) * stride(horizontal_stride(x.region));
  }
  o.last = o.first + (last + 1) * o.bytes - 1;
}

RoutineContext context_of(const Object& object, const Routine& r, uint8_t device) {
  RoutineContext c{.object = object, .routine = r, .device = device, .simd_size = 0};
  for (const Attribute& a : r.attributes)
    if (r.text(a.name) == "SimdSize") c.simd_size = uint32_t(number_of(a));
  c.variables.resize(predefined_variables + r.variables.size());
  for (uint32_t id = 0; id < std::size(predefined); ++id) {
    const uint32_t bytes = predefined[id].elements * row(predefined[id].type).bytes;
    c.variables[id] = {predefined[id].type, bytes, id, bytes, 0};
  }
  for (uint32_t n = 0; n < r.variables.size(); ++n) {
    const Variable& v = r.variables[n];
    const uint32_t bytes = uint32_t{v.elements} * row(v.type).bytes, id = n + predefined_variables;
    VariableFacts& f = c.variables[id];
    f = {v.type, bytes, id, bytes, 0};
    if (!v.alias) continue;
    const VariableFacts& base = c.variables[v.alias];  // declared before
    f.root = base.root, f.root_bytes = base.root_bytes, f.root_offset = base.root_offset + v.alias_offset;
  }
  return c;
}

void check_routine(const RoutineContext& of, Report& report) {
  for (const Rule& r : declaration_rules()) {
    report.ask(r);
    r.routine(of, report);
  }
}

void check_instruction(const RoutineContext& of, const Instruction& i, std::span<const Rule* const> all,
                       Report& report) {
  std::array<OperandFacts, most_operands> operands{};
  size_t count = 0;
  CheckContext c{.of = of, .instruction = i, .row = *i.row, .all = of.routine.operands_of(i)};
  const Row& row = c.row;
  if (row.has_execution) c.size = i.size(), c.facts |= f_execution;
  if (row.computes) c.facts |= f_computes;
  if (i.predicate) c.facts |= f_predicated;
  for (const Field& f : row.fields) {
    if (f.operand < 0) continue;
    const Operand& x = c.all[f.operand];
    if (f.kind == FieldKind::surface) c.facts |= f_surface;
    if ((f.kind != FieldKind::vector && f.kind != FieldKind::raw) || x.kind == OperandClass::none) continue;
    OperandFacts& o = operands[count++];
    o.field = &f, o.operand = &x;
    add_fact(c.facts, x.kind);
    if (f.types) c.facts |= f_typed;
    if (x.modifier == Modifier::saturate)
      c.facts |= f_saturate;
    else if (x.modifier != Modifier::none)
      c.facts |= f_modifier;
    switch (x.kind) {
      case OperandClass::general: o.type = of.variable(x.id).type; break;
      case OperandClass::raw: o.type = of.variable(x.id).type; break;
      case OperandClass::indirect:
      case OperandClass::immediate: o.type = x.type; break;
      case OperandClass::address: o.type = Type::uw; break;
      case OperandClass::predicate: o.type = Type::boolean; break;
      default: break;
    }
    if (f.written && (x.kind == OperandClass::general || x.kind == OperandClass::raw)) c.facts |= f_written;
    o.bytes = visa::row(o.type).bytes;
    if (x.kind == OperandClass::general) place_region(o, row.computes, c.size);
  }
  c.operands = std::span(operands).first(count);
  report.look_at(i);
  for (const Rule* r : all)
    if ((c.facts & r->needs) == r->needs) {
      report.ask(*r);
      r->instruction(c, report);
    }
}

constexpr auto topics = {region_rules, type_rules, execution_rules, message_rules};

}  // namespace

std::vector<const Rule*> rules() {
  std::vector<const Rule*> all;
  const auto add = [&](std::span<const Rule> some) {
    for (const Rule& r : some) all.push_back(&r);
  };
  for (const auto topic : topics) add(topic());
  add(declaration_rules());
  add(reader_rules);
  std::ranges::stable_sort(all, {}, [](const Rule* r) { return r->id; });
  return all;
}

std::vector<Finding> check(const Object& object, uint8_t device) {
  std::vector<const Rule*> all;
  for (const auto topic : topics)
    for (const Rule& r : topic()) all.push_back(&r);
  std::vector<Finding> found;
  for (uint32_t n = 0; n < object.routines.size(); ++n) {
    const RoutineContext of = context_of(object, object.routines[n], device);
    Report report(found, n, object.from_text);
    check_routine(of, report);
    for (const Instruction& i : of.routine.instructions) check_instruction(of, i, all, report);
  }
  return found;
}

std::string RoutineContext::name(uint32_t id) const {
  if (id < predefined_variables) return std::string(predefined[id].name);
  const std::string_view name = routine.text(routine.variables[id - predefined_variables].name);
  return name.empty() ? fmt::format("V{}", id) : std::string(name);
}

std::string RoutineContext::predicate_name(uint32_t id) const {
  const std::string_view name = routine.text(routine.predicates[id - first_predicate].name);
  return name.empty() ? fmt::format("P{}", id) : std::string(name);
}

const Operand* CheckContext::field(std::string_view name) const {
  for (const Field& f : row.fields)
    if (f.name == name && f.operand >= 0) return all + f.operand;
  return nullptr;
}
uint64_t CheckContext::value(std::string_view name) const {
  const Operand* o = field(name);
  return o ? o->value : 0;
}

void Report::operator()(Place p, std::string message) const { to_.push_back({rule_, routine_, p, std::move(message)}); }
void Report::operator()(std::string message) const { (*this)(Place{instruction_->place, 0, 1}, std::move(message)); }
void Report::operator()(const Operand& o, std::string message) const {
  if (text_)
    (*this)(Place{instruction_->place, o.place, 1}, std::move(message));
  else
    (*this)(Place{instruction_->place + o.place, 0, 1}, std::move(message));
}

std::string type_list(Types set) {
  std::string out;
  for (size_t n = 0; n < std::size(type_rows); ++n)
    if (set >> n & 1) out += fmt::format("{}{}", out.empty() ? "" : ", ", type_rows[n].name);
  return out;
}

bool is_integer(Type t) { return !is_float(t) && t != Type::boolean; }

}  // namespace vitro::visa
