// What the validator's tests share: a rule is shown by an instruction that breaks it and by one that just does not. The
// tables stand in validate_*_test.cpp, by topic; validate_test.cpp runs them and sees that no rule is left out.
#pragma once

#include <span>

#include "isa/instruction.h"

namespace vitro::isa {

struct RuleCase {
  const char* id;
  const char* device;
  const char* violating;                  // nullptr: a permission
  const char* legal;                      // breaks no rule that is an error
  void (*alter)(Instruction&) = nullptr;  // makes of the parsed text what text cannot say; violating only
};

std::span<const RuleCase> common_cases();
std::span<const RuleCase> register_cases();
std::span<const RuleCase> gen6_region_cases();
std::span<const RuleCase> gen9_region_cases();
std::span<const RuleCase> instruction_cases();
std::span<const RuleCase> message_cases();

}  // namespace vitro::isa
