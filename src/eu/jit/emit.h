// Making intermediate code of a program.
// PRM: none of its own; see emit.cpp.
#pragma once

#include "eu/jit/analysis.h"

namespace llvm {
class Module;
}

namespace vitro::eu::jit {

inline constexpr const char* function_name = "vitro_eu_program";

// Whether the compiler's value domain can evaluate an opcode's expression; if not, the instruction is called.
bool has_expression(isa::Op op, bool of_floats);

void emit(const Program&, const Analysis&, const Options&, llvm::Module&);

}  // namespace vitro::eu::jit
