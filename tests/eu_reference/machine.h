// One instruction, its registers filled lane by lane, run by the interpreter.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "eu/executor.h"
#include "gen/models.h"

namespace vitro::reference {

// What is tried: an instruction without its registers, and the modes of cr0.
struct Trial {
  const isa::Model* model;
  isa::Op op;
  isa::Type dst = isa::Type::f;
  std::array<isa::Type, 3> src{};
  isa::MathFunction math = isa::MathFunction::reserved0;
  std::array<bool, 3> abs{}, negate{};
  bool saturate = false;
  isa::CondModifier cond = isa::CondModifier::none;
  bool predicated = false;
  bool acc_wr_ctrl = false;
  int rounding = 0;
  bool keep_denormals = false;
  bool alt = false;
};
std::string describe(const Trial&);

// Whether the generation's encoding keeps the types apart.
bool can_encode(const Trial&);

inline constexpr int lanes = 8;
using Row = std::array<uint64_t, lanes>;

struct Machine {
  explicit Machine(const Trial&);
  // Sources in, destination out; flags come and go in thread.flag[0].
  Row run(const std::array<Row, 3>& sources);

  Trial setup;
  eu::Program program;
  eu::Thread thread{};
  std::string fault;
};

}  // namespace vitro::reference
