// What the checker's tests share: a rule is shown by lines that break it and by lines that just do not, behind the
// declarations of the samples. The tables stand in check_*_test.cpp, by topic; check_test.cpp runs them and sees that
// no rule is left out.
#pragma once

#include <span>

#include "visa/row.h"

namespace vitro::visa {

struct CheckCase {
  const char* id;
  const char* breaking;  // the rule is reported, or the reader refuses it if the rule is the readers'
  const char* legal;     // nothing is an error or undefined, and the rule is not reported
  uint8_t device = kbl;
  void (*alter)(Object&) = nullptr;  // makes of the breaking text what text cannot say; an object shall be refused
};

std::span<const CheckCase> operand_cases();
std::span<const CheckCase> instruction_cases();
std::span<const CheckCase> declaration_cases();

}  // namespace vitro::visa
