// Machine code from a file: raw bytes, hexadecimal text, or a device binary of ocloc with several kernels.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace vitro::cli {

struct CodeBlock {
  std::string name;  // kernel name; empty if the file has none
  std::vector<std::byte> code;
};

enum class InputKind { detect, raw, hex, device_binary };

Result<std::vector<CodeBlock>> read_code(std::string_view file, InputKind kind);

// Words of 2, 8, 16 or 32 hexadecimal digits: bytes, dwords and qwords in memory order, or whole instructions written
// as one number; backticks and underscores join the parts of a number, most significant first. Comments as in assembly.
Result<std::vector<std::byte>> parse_hex(std::string_view text);
bool looks_like_hex(std::string_view text);

}  // namespace vitro::cli
