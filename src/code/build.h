// All that machine code depends on besides its order: the sources and the compiler it was built with, and what the host
// can do. PRM: none.
#pragma once

#include <string>

namespace vitro::code {

// Whether this build has the compiler of EU programs at all.
#if VITRO_JIT
inline constexpr bool has_compiler = true;
#else
inline constexpr bool has_compiler = false;
#endif

const char* build_name();
std::string host_name();

}  // namespace vitro::code
