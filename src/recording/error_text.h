// Memory as text, the way i915 puts it into its error states: dwords of five characters (ascii85), as they are after
// '~', compressed by zlib after ':'. Source: Linux i915_gpu_error.c (print_error_vma, compress_page), lib/ascii85.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace vitro::recording {

// The line that shows the memory, with its line break.
std::string error_text(std::span<const std::byte> memory);
// Memory from such a line. Whole dwords; what they stand for may have at most so many bytes.
Result<std::vector<std::byte>> memory_of_error_text(std::string_view line, uint64_t limit);

}  // namespace vitro::recording
