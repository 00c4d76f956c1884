// The library that makes machine code, libvitro_jit.so: engine.cpp and what it uses, with LLVM in it. It is loaded when
// the first program is to be compiled, so that what needs no compiler does not pay for one. PRM: none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "eu/jit/jit.h"

namespace vitro::eu::jit {

// What the library exports under the name of `generate_symbol`. Gives the bytes of an image to `take`; false: it
// cannot. `build` must be the build_name() of the library.
using Generate = bool(const char* build, const Program& program, const Options& options,
                      void (*take)(void* context, const std::byte* bytes, size_t count), void* context);
inline constexpr const char* generate_symbol = "vitro_jit_generate";

}  // namespace vitro::eu::jit
