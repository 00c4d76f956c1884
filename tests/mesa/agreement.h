// Whether Mesa's reading of an instruction and ours say the same, field by field. Every field Mesa prints is compared,
// in Mesa's units; where its text is known to say less or something else than the bits mean, a row of the exception
// table names the field and the reason. Exceptions are about fields, never about single instructions.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "isa/model.h"
#include "mesa_text.h"

namespace vitro::mesa {

struct Mismatch {
  std::string field, mesa, ours;
};

// A field whose printed value is not compared when `applies`.
struct Exception {
  std::string_view field;
  bool (*applies)(const isa::OpcodeRow&, const isa::Instruction&);
  std::string_view reason;
};
std::span<const Exception> exceptions();

// How often each exception row let a difference pass, in the order of the table.
using ExceptionUse = std::vector<int>;

std::vector<Mismatch> disagreements(const isa::Model& model, const Program& program, const Line& line,
                                    const Instruction& mesa, const isa::Instruction& ours, ExceptionUse& used);

}  // namespace vitro::mesa
