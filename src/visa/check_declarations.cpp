// Rules of declarations: variables and their aliases, inputs, attributes. Documents: vISA "Header" and "Operands",
// section variables.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "visa/check_context.h"

namespace vitro::visa {
namespace {

using enum Verdict;

constexpr uint32_t most_elements = 4096, most_bytes = 4096, most_addresses = 16, most_states = 128;
constexpr uint32_t register_file = 128 * register_bytes;

template <class F>
void each_variable(const RoutineContext& c, F f) {
  for (uint32_t n = 0; n < c.routine.variables.size(); ++n) f(n + predefined_variables, c.routine.variables[n]);
}

void variable_type(const RoutineContext& c, Report& report) {
  each_variable(c, [&](uint32_t id, const Variable& v) {
    if (is_vector(v.type) || v.type == Type::boolean)
      report(v.place, fmt::format("{} cannot have type {}", c.name(id), row(v.type).name));
  });
}

void variable_elements(const RoutineContext& c, Report& report) {
  each_variable(c, [&](uint32_t id, const Variable& v) {
    if (v.elements < 1 || v.elements > most_elements)
      report(v.place, fmt::format("{} has {} elements: there are 1 to {}", c.name(id), v.elements, most_elements));
  });
}

void variable_bytes(const RoutineContext& c, Report& report) {
  each_variable(c, [&](uint32_t id, const Variable& v) {
    if (v.elements <= most_elements && c.variable(id).bytes > most_bytes)
      report(v.place, fmt::format("{} has {} bytes", c.name(id), c.variable(id).bytes));
  });
}

void special_elements(const std::vector<SpecialVariable>& list, uint32_t most, std::string_view what, Report& report) {
  for (const SpecialVariable& v : list)
    if (v.elements < 1 || v.elements > most)
      report(v.place, fmt::format("{} elements: {} has 1 to {}", v.elements, what, most));
}
void address_elements(const RoutineContext& c, Report& report) {
  special_elements(c.routine.addresses, most_addresses, "an address variable", report);
}
void predicate_elements(const RoutineContext& c, Report& report) {
  for (const SpecialVariable& v : c.routine.predicates)
    if (!std::has_single_bit(v.elements) || v.elements > 32)
      report(v.place, fmt::format("{} elements: a predicate has 1, 2, 4, 8, 16 or 32", v.elements));
}
void state_elements(const RoutineContext& c, Report& report) {
  special_elements(c.routine.samplers, most_states, "a sampler variable", report);
  special_elements(c.routine.surfaces, most_states, "a surface variable", report);
}

template <class F>
void each_alias(const RoutineContext& c, F f) {
  each_variable(c, [&](uint32_t id, const Variable& v) {
    if (v.alias) f(id, v, c.variable(id), c.variable(v.alias));
  });
}

void alias_end(const RoutineContext& c, Report& report) {
  each_alias(c, [&](uint32_t id, const Variable& v, const VariableFacts& f, const VariableFacts& base) {
    if (v.alias_offset + f.bytes > base.bytes || f.root_offset + f.bytes > f.root_bytes)
      report(v.place, fmt::format("{} ends at byte {} of {}, which has {}", c.name(id), v.alias_offset + f.bytes,
                                  c.name(v.alias), base.bytes));
  });
}

void alias_offset(const RoutineContext& c, Report& report) {
  each_alias(c, [&](uint32_t id, const Variable& v, const VariableFacts& f, const VariableFacts&) {
    if (f.root_offset % row(v.type).bytes)
      report(v.place, fmt::format("{} begins at byte {}: not whole elements", c.name(id), f.root_offset));
  });
}

// What a variable is aligned to by itself.
uint32_t natural(const VariableFacts& f) {
  return f.bytes >= register_bytes ? register_bytes : uint32_t{row(f.type).bytes};
}

void alias_alignment(const RoutineContext& c, Report& report) {
  each_alias(c, [&](uint32_t id, const Variable& v, const VariableFacts& f, const VariableFacts&) {
    const VariableFacts& root = c.variable(f.root);
    uint32_t aligned = natural(root);
    if (f.root >= predefined_variables)
      aligned = std::max<uint32_t>(aligned, alignments[c.routine.variables[f.root - predefined_variables].align].bytes);
    else
      return;
    if (aligned < natural(f))
      report(v.place,
             fmt::format("{} wants {} bytes, {} is aligned to {}", c.name(id), natural(f), c.name(f.root), aligned));
  });
}

uint32_t end_of(const Input& i) { return uint32_t(i.offset) + i.size; }

void input_size(const RoutineContext& c, Report& report) {
  if (!c.routine.is_kernel) return;
  for (const Input& i : c.routine.inputs) {
    uint32_t bytes = 0;
    switch (i.input_class()) {
      case InputClass::general: bytes = c.variable(i.id).bytes; break;
      case InputClass::surface:
        if (i.id >= predefined_surfaces) bytes = c.routine.surfaces[i.id - predefined_surfaces].elements * 4u;
        break;
      case InputClass::sampler: continue;
    }
    if (bytes && bytes != i.size) report(i.place, fmt::format("the variable has {} bytes, not {}", bytes, i.size));
  }
}

void input_of_predefined(const RoutineContext& c, Report& report) {
  for (const Input& i : c.routine.inputs)
    if ((i.input_class() == InputClass::general && i.id < predefined_variables) ||
        (i.input_class() == InputClass::surface && i.id < predefined_surfaces))
      report(i.place, "something predefined is no input");
}

void input_register(const RoutineContext& c, Report& report) {
  if (!c.routine.is_kernel) return;
  for (const Input& i : c.routine.inputs) {
    if (i.input_class() != InputClass::general || i.size == 0) continue;
    const uint32_t first = uint32_t(i.offset) / register_bytes, last = (end_of(i) - 1) / register_bytes;
    if (i.size < register_bytes ? first != last : i.offset % int(register_bytes) != 0)
      report(i.place, fmt::format("bytes {} to {} begin or end within a register", i.offset, end_of(i) - 1));
  }
}

void input_range(const RoutineContext& c, Report& report) {
  if (!c.routine.is_kernel) return;
  for (const Input& i : c.routine.inputs)
    if (uint32_t(i.offset) < register_bytes || end_of(i) > register_file)
      report(i.place, fmt::format("bytes {} to {}: r1 to r127 are {} to {}", i.offset, end_of(i), register_bytes,
                                  register_file));
}

void input_overlap(const RoutineContext& c, Report& report) {
  if (!c.routine.is_kernel) return;
  std::vector<const Input*> sorted;
  for (const Input& i : c.routine.inputs) sorted.push_back(&i);
  std::ranges::stable_sort(sorted, {}, [](const Input* i) { return i->offset; });
  uint32_t end = 0;
  for (const Input* i : sorted) {
    if (uint32_t(i->offset) < end) report(i->place, fmt::format("another input ends at byte {}", end));
    end = std::max(end, end_of(*i));
  }
}

void input_order(const RoutineContext& c, Report& report) {
  bool implicit = false;
  for (const Input& i : c.routine.inputs) {
    if (implicit && i.kind >> 3 == 0) report(i.place, "an implicit input stands before it");
    implicit |= i.kind >> 3 != 0;
  }
}

void local_memory(const RoutineContext& c, Report& report) {
  size_t count = 0;
  for (const Attribute& a : c.routine.attributes) {
    if (c.routine.text(a.name) != "SLMSize") continue;
    const uint64_t kib = number_of(a);
    if (++count > 1) report(c.routine.place, "SLMSize is said twice");
    if (kib > 64 || (kib && !std::has_single_bit(kib))) report(c.routine.place, fmt::format("SLMSize is {}", kib));
  }
}

constexpr uint32_t none = 0;
constexpr Rule table[] = {
    {"VD-02", error, "a general variable has any type but V, UV, VF and BOOL", none, nullptr, variable_type},
    {"VD-03", error, "a general variable has 1 to 4096 elements", none, nullptr, variable_elements},
    {"VD-04", differs, "a general variable has at most 4096 bytes: the finalizer takes more", none, nullptr,
     variable_bytes},
    {"VD-05", error, "an address variable has 1 to 16 elements", none, nullptr, address_elements},
    {"VD-06", error, "a predicate has 1, 2, 4, 8, 16 or 32 elements", none, nullptr, predicate_elements},
    {"VD-07", error, "sampler and surface variables have 1 to 128 elements", none, nullptr, state_elements},
    {"VD-08", error, "an alias lies in its base", none, nullptr, alias_end},
    {"VD-09", error, "an alias begins with a whole element of its type", none, nullptr, alias_offset},
    {"VD-10", error, "the base of an alias is aligned as its own type and size want it", none, nullptr,
     alias_alignment},
    {"VI-112", error, "an input of a register or more begins with a register, a smaller one lies in one", none, nullptr,
     input_register},
    {"VD-11", error, "an input has the size of its variable", none, nullptr, input_size},
    {"VD-12", error, "nothing predefined is an input", none, nullptr, input_of_predefined},
    {"VD-13", error, "inputs lie in r1 to r127", none, nullptr, input_range},
    {"VD-14", error, "inputs do not overlap", none, nullptr, input_overlap},
    {"VD-15", error, "implicit inputs stand behind the others", none, nullptr, input_order},
    {"VD-16", error, "SLMSize is said once: 0, 1, 2, 4, 8, 16, 32 or 64", none, nullptr, local_memory},
};

}  // namespace

std::span<const Rule> declaration_rules() { return table; }

}  // namespace vitro::visa
