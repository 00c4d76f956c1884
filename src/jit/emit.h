// Making intermediate code of a program.
// PRM: none of its own; see emit.cpp.
#pragma once

#include <optional>
#include <vector>

#include "jit/analysis.h"

namespace llvm {
class Module;
}

namespace vitro::jit {

struct SharedTransfer;
inline constexpr const char* function_name = "vitro_eu_program";

// Whether the compiler's value domain can evaluate an opcode's expression; if not, the instruction is called.
bool has_expression(isa::Op op, bool of_floats);

// The functions that this one calls are to be emitted, too (shared_transfers.h). Nothing: the code would reach outside
// of the thread's image, so it must not be used.
std::optional<std::vector<SharedTransfer>> emit(const Program&, const Analysis&, const Options&, llvm::Module&);

}  // namespace vitro::jit
