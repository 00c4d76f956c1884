// A binary vISA object, versions 3.0 to 4.1, to structs. Nothing in it is trusted: every index, size and code is
// checked, and an error names the byte at fault.
#pragma once

#include <cstddef>
#include <span>

#include "base/result.h"
#include "visa/object.h"

namespace vitro::visa {

bool is_object(std::span<const std::byte>);  // begins as one
Result<Object> read_bytes(std::span<const std::byte>);

}  // namespace vitro::visa
