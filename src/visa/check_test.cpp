// Tests of the checker: every rule is broken by some program and kept by a near miss; text and object are judged alike;
// what rows say of types, sizes, modifiers and devices is asked of every row; the samples of all instructions are
// legal.
#include "visa/check.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "visa/check_cases.h"
#include "visa/read_bytes.h"
#include "visa/read_text.h"
#include "visa/samples.h"
#include "visa/write_bytes.h"

namespace vitro::visa {
namespace {

// A kernel with these lines behind the samples' declarations.
std::string program(std::string_view lines) {
  return ".version 4.1\n.kernel k\n" + std::string(sample_declarations) + std::string(lines) + "\n";
}

std::vector<CheckCase> all_cases() {
  std::vector<CheckCase> all;
  for (const std::span<const CheckCase> part : {operand_cases(), instruction_cases(), declaration_cases()})
    all.insert(all.end(), part.begin(), part.end());
  return all;
}

const Rule* find_rule(std::string_view id) {
  for (const Rule* r : rules())
    if (r->id == id) return r;
  return nullptr;
}

std::string listed(const std::vector<Finding>& found) {
  std::string out;
  for (const Finding& f : found) out += fmt::format("{} ({}) ", f.rule->id, f.message);
  return out;
}
bool reports(const std::vector<Finding>& found, std::string_view id) {
  return std::ranges::any_of(found, [&](const Finding& f) { return f.rule->id == id; });
}
std::multiset<std::string_view> ids(const std::vector<Finding>& found) {
  std::multiset<std::string_view> all;
  for (const Finding& f : found) all.insert(f.rule->id);
  return all;
}

// Findings of an object, none if the reader refuses it.
std::optional<std::vector<Finding>> of_object(const Object& object, uint8_t device, size_t& size) {
  const BytesResult bytes = write_bytes(object);
  if (!bytes.ok()) return std::nullopt;
  size = bytes.bytes.size();
  const Result<Object> read = read_bytes(bytes.bytes);
  if (!read) return std::nullopt;
  return check(*read, device);
}

TEST(VisaCheck, RulesAreReportedWhenBrokenAndNotOnNearMisses) {
  for (const CheckCase& c : all_cases()) {
    SCOPED_TRACE(fmt::format("{}: {}", c.id, c.breaking));
    const Rule* rule = find_rule(c.id);
    ASSERT_TRUE(rule);
    const std::string breaking = program(c.breaking), legal = program(c.legal);
    TextResult broken = read_text(breaking);
    const TextResult kept = read_text(legal);
    ASSERT_TRUE(kept.ok()) << isa::render("legal", legal, kept.diagnostics[0], false);
    const std::vector<Finding> none = check(kept.object, c.device);
    EXPECT_FALSE(reports(none, c.id)) << listed(none);
    for (const Finding& f : none) EXPECT_EQ(f.rule->verdict, Verdict::differs) << listed(none);
    size_t size = 0;
    if (c.alter) {
      ASSERT_TRUE(broken.ok()) << isa::render("breaking", breaking, broken.diagnostics[0], false);
      c.alter(broken.object);
      EXPECT_FALSE(of_object(broken.object, c.device, size));
      EXPECT_GT(size, 0u);
      continue;
    }
    EXPECT_EQ(rule->by_readers(), !broken.ok());
    if (!broken.ok()) continue;
    const std::vector<Finding> found = check(broken.object, c.device);
    EXPECT_TRUE(reports(found, c.id)) << listed(found);
    const auto lines = std::ranges::count(breaking, '\n');
    for (const Finding& f : found) {
      EXPECT_GE(f.place.line, 1u);
      EXPECT_LE(f.place.line, uint32_t(lines));
      EXPECT_FALSE(f.message.empty());
    }
    const auto object = of_object(broken.object, c.device, size);
    if (!object) continue;  // addresses of variables
    EXPECT_EQ(ids(*object), ids(found));
    for (const Finding& f : *object) EXPECT_LT(f.place.line, size);
  }
}

TEST(VisaCheck, EveryRuleHasAnIdAStatementAndACase) {
  std::set<std::string_view> known;
  for (const Rule* r : rules()) {
    EXPECT_TRUE(known.insert(r->id).second) << r->id << " stands twice";
    EXPECT_FALSE(r->statement.empty());
    if (r->id == "VI-407" || r->id == "VI-419") continue;  // of bytes only: bytes_test.cpp, text_test.cpp
    EXPECT_TRUE(std::ranges::any_of(all_cases(), [&](const CheckCase& c) { return c.id == r->id; })) << r->id;
  }
  EXPECT_EQ(known.size(), rules().size());
}

TEST(VisaCheck, SamplesAreLegal) {
  for (const std::string_view sample : all_samples()) {
    const TextResult r = read_text(sample_kernel(sample));
    ASSERT_TRUE(r.ok());
    for (const Finding& f : check(r.object, kbl))
      EXPECT_TRUE(f.rule->verdict == Verdict::differs ||
                  f.rule->id == "VE-06")  // some are of channels beyond those of their kernel
          << sample << ": " << f.rule->id << " " << f.message;
  }
}

// The first of the sample's instructions that has a row of its own.
size_t sample_at(const Routine& r) {
  for (size_t n = 0; n < r.instructions.size(); ++n)
    if (r.instructions[n].row->op != Op::label && r.instructions[n].row->op != Op::subroutine) return n;
  return 0;
}

// Each row is asked by its samples, changed in one fact.
template <class F>
void each_sample(F f) {
  for (const std::string_view sample : all_samples()) {
    SCOPED_TRACE(std::string(sample));
    TextResult r = read_text(sample_kernel(sample));
    ASSERT_TRUE(r.ok());
    Routine& k = r.object.routines[0];
    const size_t at = sample_at(k);
    f(r.object, k, k.instructions[at]);
  }
}
bool reported(const Object& o, std::string_view id, uint8_t device = kbl) { return reports(check(o, device), id); }

TEST(VisaCheck, EveryRowTakesItsTypesOnly) {
  size_t asked = 0;
  each_sample([&](Object& o, Routine& k, Instruction& i) {
    for (const Field& f : i.row->fields) {
      if (f.operand < 0) continue;
      const Operand before = k.operands[i.first + uint32_t(f.operand)];
      if (before.kind != OperandClass::general && before.kind != OperandClass::immediate) continue;
      for (const Type t : {Type::ud, Type::d, Type::uw, Type::w, Type::ub, Type::b, Type::uq, Type::q, Type::hf,
                           Type::f, Type::df, Type::v, Type::uv, Type::vf}) {
        Operand& x = k.operands[i.first + uint32_t(f.operand)];
        if (x.kind == OperandClass::immediate) {
          x.type = t;
        } else {
          const auto v = std::ranges::find_if(k.variables, [&](const Variable& y) { return y.type == t; });
          if (v == k.variables.end()) continue;
          x.id = predefined_variables + uint32_t(v - k.variables.begin());
        }
        constexpr Types integers = types(Type::ud, Type::d, Type::uw, Type::w, Type::ub, Type::b, Type::uq, Type::q);
        const auto takes = [&](Types set) {
          return t == Type::vf ? has(set, Type::f) : is_vector(t) ? (set & integers) != 0 : has(set, t);
        };
        // Other operands of the sample may have types besides.
        const std::vector<Finding> found = check(o, kbl);
        const auto here = [&](std::string_view id) {
          return std::ranges::any_of(found,
                                     [&](const Finding& y) { return y.rule->id == id && y.place.column == x.place; });
        };
        EXPECT_EQ(here("VT-01"), !takes(f.types | f.besides)) << f.token << " " << row(t).name;
        EXPECT_EQ(here("VT-02"), !takes(f.types) && takes(f.besides)) << f.token << " " << row(t).name;
        x = before;
        ++asked;
      }
    }
  });
  EXPECT_GT(asked, 2000u);
}

TEST(VisaCheck, EveryRowHasItsSizesModifiersSaturationAndDevices) {
  each_sample([&](Object& o, Routine& k, Instruction& i) {
    const Row& row = *i.row;
    if (row.has_execution) {
      const uint8_t before = i.execution;
      for (uint8_t code = 0; code < 6; ++code) {
        i.execution = uint8_t(0x80 | code);
        const uint8_t size = uint8_t(1 << code);
        EXPECT_EQ(reported(o, "VE-02"), !((row.sizes | row.besides_sizes) & size)) << int(size);
        EXPECT_EQ(reported(o, "VE-03"), !(row.sizes & size) && (row.besides_sizes & size)) << int(size);
      }
      i.execution = before;
    }
    for (const Field& f : row.fields) {
      if (f.operand < 0) continue;
      Operand& x = k.operands[i.first + uint32_t(f.operand)];
      if (x.kind != OperandClass::general) continue;
      const Operand before = x;
      for (const Modifier m : {Modifier::abs, Modifier::negate, Modifier::negate_abs, Modifier::invert}) {
        if (f.written) continue;
        x.modifier = m;
        const SourceModifiers wanted = m == Modifier::invert ? SourceModifiers::logic : SourceModifiers::arithmetic;
        EXPECT_EQ(reported(o, "VI-410"), row.modifiers != wanted);
      }
      if (f.written) {
        x.modifier = Modifier::saturate;
        const bool is_float = visa::is_float(k.variables[x.id - predefined_variables].type);
        EXPECT_EQ(reported(o, "VT-05"), !(row.traits & sat) && !((row.traits & sat_float) && is_float));
      }
      x = before;
    }
    for (const uint8_t device : {bdw, kbl, apl}) EXPECT_EQ(reported(o, "VE-10", device), !(row.devices & device));
  });
}

TEST(VisaCheck, FindingsHaveTheirPlaces) {
  const std::string text = program("  add (M1, 16) D0(0,0)<1> (~)D1(0,0)<1;1,0> 1:d\n  mov (M2, 8) D0<1> 1:d");
  const TextResult r = read_text(text);
  ASSERT_TRUE(r.ok());
  const std::vector<Finding> found = check(r.object, kbl);
  ASSERT_EQ(found.size(), 2u) << listed(found);
  const uint32_t line = uint32_t(std::ranges::count(program(""), '\n'));
  EXPECT_EQ(found[0].rule->id, "VI-410");
  EXPECT_EQ(found[0].place.line, line);
  EXPECT_EQ(found[0].place.column, 27);
  EXPECT_EQ(found[1].rule->id, "VE-05");
  EXPECT_EQ(found[1].place.line, line + 1);
  EXPECT_EQ(found[1].place.column, 0);  // the instruction
  const BytesResult bytes = write_bytes(r.object);
  const Result<Object> object = read_bytes(bytes.bytes);
  ASSERT_TRUE(object);
  const std::vector<Finding> again = check(*object, kbl);
  ASSERT_EQ(again.size(), 2u);
  EXPECT_EQ(uint8_t(bytes.bytes[again[0].place.line]), 5 << 3);  // the tag: a general operand, inverted
  EXPECT_EQ(uint8_t(bytes.bytes[again[1].place.line]), 0x29);    // the opcode
}

TEST(VisaCheck, FindingsStandInTheirRoutine) {
  const std::string text = program("ret (M1, 1)\n.global_function \"f\"\n.decl N v_type=P num_elts=3");
  const TextResult r = read_text(text);
  ASSERT_TRUE(r.ok());
  const std::vector<Finding> found = check(r.object, kbl);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].rule->id, "VD-06");
  EXPECT_EQ(found[0].routine, 1u);
}

}  // namespace
}  // namespace vitro::visa
