// One instruction, its registers filled lane by lane, run by the interpreter; or as compiled code, with
// VITRO_REFERENCE_TIER=compiled in the environment.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "eu/compiled.h"
#include "eu/executor.h"
#include "gen/models.h"

namespace vitro::reference {

// Parameters of tests that run on every generation, or on those that have an instruction.
using ModelSource = const isa::Model* (*)();
inline constexpr ModelSource every_model[] = {+[] { return &gen::gen6(); }, +[] { return &gen::gen8(); },
                                              +[] { return &gen::gen9(); }};
inline std::vector<ModelSource> models_with(isa::Op op) {
  std::vector<ModelSource> with;
  for (ModelSource m : every_model)
    if (m()->row(op)) with.push_back(m);
  return with;
}
inline const auto model_name = [](const auto& info) { return std::string(info.param()->name); };

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

// Compiling takes its time: then a part of the setups does.
bool is_compiled_tier();
// Set by compiled.cpp, where the compiler is linked; null: the interpreter alone is there.
using Compile = std::shared_ptr<const eu::Compiled> (*)(const eu::Program&, bool keep_denormals);
inline Compile compile_program = nullptr;

struct Machine {
  explicit Machine(const Trial&);
  // Sources in, destination out; flags come and go in thread.flag[0].
  Row run(const std::array<Row, 3>& sources);

  Trial setup;
  eu::Program program;
  std::shared_ptr<const eu::Compiled> code{};  // null: the interpreter runs
  eu::Thread thread{};
  std::string fault;
};

}  // namespace vitro::reference
