// Names for machine code that no file holds, for those who look at the process from outside. PRM: none.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace vitro::code {

// perf reads the names of such code from a file perf-PID.map in the system's folder for temporary files.
void tell_perf(const std::string& name, std::span<const std::byte> code);
// gdb is told by calling a function in which it has a breakpoint, and reads an object file from memory. The code counts
// as gone when what is returned goes.
std::shared_ptr<const void> tell_gdb(const std::string& name, std::span<const std::byte> code);

}  // namespace vitro::code
