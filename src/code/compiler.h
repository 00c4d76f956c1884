// The compiler as the rest of the program sees it: the library libvitro_jit.so (the room `jit`), with LLVM in it. It is
// loaded when the first order comes, so that what needs no compiler does not pay for one. PRM: none.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace vitro::code {

// The bytes of an image, for those of an order. Empty: it cannot be compiled, or there is no compiler.
std::vector<std::byte> compile(std::span<const std::byte> order);

// What the library exports under the name of `compile_symbol`. Gives the bytes of an image to `take`; false: it cannot.
// `build` must be the build_name() of the library.
using Compile = bool(const char* build, const std::byte* order, size_t bytes,
                     void (*take)(void* context, const std::byte* bytes, size_t count), void* context);
inline constexpr const char* compile_symbol = "vitro_jit_compile";

}  // namespace vitro::code
