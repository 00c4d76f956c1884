// The validator of EU instructions: which of the documents' restrictions an instruction breaks, each by the id that the
// requirement lists give it. An encodable instruction may still be illegal; the encoder does not ask.
// PRM: Gen6 vol 4 part 2 sections 5.3.4, 5.3.5, 5.3.8..5.3.10 and chapter 8 (RG-*, AM-*, ET-*, IMM-*, DT-*, ARF-*,
// CR-*, I-*); Gen9 vol 6 "Register Region Restrictions" and "Accumulator Registers" (R1.1..R9.6, B-34, B-37). Not
// modelled: restrictions on sequences of instructions and on the contents of registers.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "isa/model.h"

namespace vitro::isa {

struct RuleContext;

// Which operands break the rule: bit 0 the destination, bits 1..3 the sources, bit 7 the instruction as a whole.
using Findings = uint8_t;

// Opcodes a rule speaks about; empty: all.
struct OpSet {
  uint64_t lo = 0, hi = 0;
  constexpr bool empty() const { return (lo | hi) == 0; }
  constexpr bool contains(Op op) const { return (int(op) < 64 ? lo >> int(op) : hi >> (int(op) - 64)) & 1; }
};
template <class... O>
constexpr OpSet ops(O... op) {
  OpSet s;
  ((int(op) < 64 ? s.lo |= uint64_t{1} << int(op) : s.hi |= uint64_t{1} << (int(op) - 64)), ...);
  return s;
}

enum class RuleKind : uint8_t {
  prohibition,  // breaking it is an error
  advice,       // broken by real drivers, or depends on what the instruction does not show: worth a remark only
  permission,   // the statement allows something, or defines it: nothing can break it
};

struct Rule {
  std::string_view id;  // unique within a generation
  Generations generations;
  OpSet ops;
  uint32_t needs;  // traits (validate_context.h) an instruction must have for the check to be made at all
  RuleKind kind;
  std::string_view statement;
  Findings (*check)(const RuleContext&);
  std::string_view broken_by = {};  // advice: who breaks it, with an instruction, and why that is no error
};

// Every rule of every generation.
std::span<const Rule> rules();

struct Violation {
  const Rule* rule;
  int operand;  // -1 the instruction, 0 the destination, 1.. the sources
};
constexpr bool is_error(const Violation& v) { return v.rule->kind == RuleKind::prohibition; }

// Every violated rule, in the order of rules(); a rule broken by two operands is reported twice.
std::vector<Violation> validate(const Model&, const Instruction&);

}  // namespace vitro::isa
