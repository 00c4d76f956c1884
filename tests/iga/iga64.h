// Intel's assembler as a program to run: `iga64 -d` and `iga64 -a` on one kernel at a time, through files in a folder
// of the caller's. No part of the machine. The executable is run rather than its library loaded: a run takes about
// 5 ms, so a library would gain little, and this is what a user of iga64 gets.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace vitro::iga {

using Bytes = std::vector<std::byte>;

struct Iga64 {
  std::string program;           // path of the executable
  std::string platform;          // its -p option
  std::filesystem::path folder;  // for what goes in and out; nobody else may use it meanwhile
};

// What iga64 prints for a program. An Error holds what it complained about.
Result<std::string> disassemble(const Iga64&, std::span<const std::byte> code);

enum class Compact { as_written, automatic };
Result<Bytes> assemble(const Iga64&, std::string_view text, Compact = Compact::as_written);

std::string read_file(const std::filesystem::path&);
void write_file(const std::filesystem::path&, std::string_view content);

}  // namespace vitro::iga
