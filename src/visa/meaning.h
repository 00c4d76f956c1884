// What the rows of meanings.def say, read once: the steps of the EU that an instruction is computed in. Documents: the
// pages of the instructions.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "isa/instruction.h"
#include "visa/row.h"

namespace vitro::visa {

struct StepOperand {
  enum class Kind : uint8_t { source, intermediate, upper, accumulator } kind = Kind::source;
  uint8_t source = 0;
};
struct Step {
  enum class Result : uint8_t { destination, second, intermediate, dword, qword } result = Result::destination;
  isa::Op op = isa::Op::illegal;
  isa::MathFunction math = isa::MathFunction::reserved0;
  isa::CondModifier condition = isa::CondModifier::none;
  bool own_condition = false;  // that of the vISA instruction
  std::vector<StepOperand> operands{};
};

// Empty: the instruction is no arithmetic.
std::span<const Step> steps_of(Op op, bool to_float);

}  // namespace vitro::visa
