// Exponential, logarithm, power, sine and cosine of eight numbers at once: what the interpreter and compiled code
// share, so that both give the same bits. PRM: Gen6 vol 4 part 2 I-math; see elementary.cpp.
#pragma once

#include <optional>

#include "isa/opcode.h"

namespace vitro::eu {

// Results of eight numbers, and of eight second ones where the function takes two. The arrays do not overlap.
using EightFunction = void (*)(const double* a, const double* b, double* r);

// The functions' places in a table. Nothing: the function is none of these.
inline constexpr int elementary_count = 5;
std::optional<int> elementary_index(isa::MathFunction);
// The table, with the best code for the host. They are to be called while the host rounds to nearest.
const EightFunction* elementary_functions();

}  // namespace vitro::eu
