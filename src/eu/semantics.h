// The rows of semantics.def as types: one per opcode, with the expression as a function template over a context and
// values of any domain. An expression that has no meaning for a type does not take part in overload resolution.
#pragma once

#include "eu/functions.h"
#include "isa/opcode.h"

namespace vitro::eu {

namespace semantics {
enum class Kind { plain, test, wide };

#define VITRO_FUNCTION(name, expression, ...)                                        \
  template <class K, class V>                                                        \
  static auto name([[maybe_unused]] const K& k, __VA_ARGS__)->decltype(expression) { \
    return expression;                                                               \
  }
#define VITRO_ROW(id, of_kind, expression, ...)                                                            \
  struct id {                                                                                              \
    static constexpr isa::Op op = isa::Op::id;                                                             \
    static constexpr Kind kind = Kind::of_kind;                                                            \
    VITRO_FUNCTION(evaluate, expression, [[maybe_unused]] V a, [[maybe_unused]] V b, [[maybe_unused]] V c) \
    __VA_ARGS__                                                                                            \
  };
#define SEMANTIC(id, expression) VITRO_ROW(id, plain, expression)
#define SEMANTIC_TEST(id, expression) VITRO_ROW(id, test, expression)
#define SEMANTIC_WIDE(id, expression, to_destination, to_accumulator) \
  VITRO_ROW(id, wide, expression,                                     \
            VITRO_FUNCTION(destination, to_destination, V r) VITRO_FUNCTION(accumulator, to_accumulator, V r))
#include "eu/semantics.def"
#undef SEMANTIC
#undef SEMANTIC_TEST
#undef SEMANTIC_WIDE
#undef VITRO_ROW
#undef VITRO_FUNCTION
}  // namespace semantics

// Calls f.template operator()<Row>() for the row of an opcode; false if the opcode has no expression (flow, messages).
template <class F>
constexpr bool with_semantic(isa::Op op, F f) {
  switch (op) {
#define SEMANTIC(id, ...)                   \
  case isa::Op::id:                         \
    f.template operator()<semantics::id>(); \
    return true;
#define SEMANTIC_TEST SEMANTIC
#define SEMANTIC_WIDE SEMANTIC
#include "eu/semantics.def"
#undef SEMANTIC
#undef SEMANTIC_TEST
#undef SEMANTIC_WIDE
    default: return false;
  }
}

constexpr semantics::Kind kind_of(isa::Op op) {
  semantics::Kind kind{};
  with_semantic(op, [&]<class S>() { kind = S::kind; });
  return kind;
}
// Whether an opcode's row is one that tests, or leaves more in the accumulator than in the destination.
constexpr bool is_test(isa::Op op) { return kind_of(op) == semantics::Kind::test; }
constexpr bool is_wide(isa::Op op) { return kind_of(op) == semantics::Kind::wide; }

}  // namespace vitro::eu
