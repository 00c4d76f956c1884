// Making intermediate code of a routine: the templates of fixed functions over the compiler's lanes. PRM: as
// shared/sampler/sample_lanes.h.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace llvm {
class Module;
}

namespace vitro::jit {

// Emits the function that code::RoutineCode describes. False: these are not the bytes of a routine's key.
bool emit_routine(std::span<const std::byte> key, llvm::Module&);

// The bytes of an image. Empty: it cannot be made.
std::vector<std::byte> generate_routine(std::span<const std::byte> key);

}  // namespace vitro::jit
