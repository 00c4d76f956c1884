// Reading meanings.def. What nobody knows there is a mistake in the table and ends the program.
#include "visa/meaning.h"

#include <fmt/format.h>

#include <array>
#include <cstdlib>

namespace vitro::visa {
namespace {

constexpr size_t op_count = 0
#define VISA(...) +1
#include "visa/instructions.def"
    ;

[[noreturn]] void mistake(std::string_view steps, std::string_view word) {
  fmt::print(stderr, "meanings.def: {}: nobody knows '{}'\n", steps, word);
  std::abort();
}

std::string_view take(std::string_view& text, char end) {
  const size_t at = std::min(text.find(end), text.size());
  const std::string_view word = text.substr(0, at);
  text.remove_prefix(std::min(at + 1, text.size()));
  return word;
}

isa::Op op_named(std::string_view steps, std::string_view name) {
  for (const isa::OpcodeRow& r : isa::opcode_table())
    if (r.mnemonic == name) return r.op;
  mistake(steps, name);
}

void take_variant(std::string_view steps, std::string_view variant, Step& s) {
  if (variant.empty()) return;
  if (s.op == isa::Op::math) {
    for (size_t n = 0; n < isa::math_table.size(); ++n)
      if (isa::math_table[n].name == variant) {
        s.math = isa::MathFunction(n);
        return;
      }
    mistake(steps, variant);
  }
  if (variant == "*")
    s.own_condition = true;
  else if (variant == "l")
    s.condition = isa::CondModifier::l;
  else if (variant == "ge")
    s.condition = isa::CondModifier::ge;
  else
    mistake(steps, variant);
}

std::vector<Step> read(std::string_view steps) {
  using Kind = StepOperand::Kind;
  using Result = Step::Result;
  std::vector<Step> all;
  for (std::string_view left = steps; !left.empty();) {
    std::string_view text = take(left, ';');
    while (text.starts_with(' ')) text.remove_prefix(1);
    std::string_view name = take(text, ' ');
    Step s;
    s.op = op_named(steps, take(name, '.'));
    take_variant(steps, name, s);
    while (!text.empty()) {
      const std::string_view word = take(text, ' ');
      if (word.size() == 1 && word[0] >= '0' && word[0] <= '3')
        s.operands.push_back({Kind::source, uint8_t(word[0] - '0')});
      else if (word == "t")
        s.operands.push_back({Kind::intermediate});
      else if (word == "th")
        s.operands.push_back({Kind::upper});
      else if (word == "acc")
        s.operands.push_back({Kind::accumulator});
      else if (word == ">2")
        s.result = Result::second;
      else if (word == ">t")
        s.result = Result::intermediate;
      else if (word == ">u")
        s.result = Result::dword;
      else if (word == ">q")
        s.result = Result::qword;
      else
        mistake(steps, word);
    }
    all.push_back(std::move(s));
  }
  return all;
}

using Meanings = std::array<std::array<std::vector<Step>, 2>, op_count>;
const Meanings& meanings() {
  static const Meanings all = [] {
    Meanings m;
#define MEANING(op, floats, integers) m[size_t(Op::op)] = {read(integers), read(floats)};
#include "visa/meanings.def"
    return m;
  }();
  return all;
}

}  // namespace

std::span<const Step> steps_of(Op op, bool to_float) { return meanings()[size_t(op)][to_float]; }

}  // namespace vitro::visa
