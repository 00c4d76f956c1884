// Registers on the command line: values to start with (`r2=1,2,3:d`), registers to show (`r10-r12:f`), and elements as
// text. For vitro exec and its trace; no part of the machine.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "eu/thread.h"
#include "isa/model.h"

namespace vitro::cli {

// Bytes that go to a place of the general or the message registers.
struct RegisterValues {
  bool mrf = false;
  int offset = 0;  // bytes from r0 or m0
  std::vector<std::byte> bytes;
};
// REG[.SUB]=VALUE,...[:TYPE] or REG=@FILE, a file of hexadecimal words. The sub-register counts elements of the type.
Result<RegisterValues> parse_register_values(const isa::Model&, std::string_view text);
void apply(const RegisterValues&, eu::Thread&);

// One register to show. Without a type: dwords, in hexadecimal.
struct ShownRegister {
  isa::RegFile file = isa::RegFile::grf;
  uint8_t reg = 0;
  std::string name;
  isa::Type type = isa::Type::none;
};
// REG[-REG][:TYPE],...
Result<std::vector<ShownRegister>> parse_shown_registers(const isa::Model&, std::string_view text);

// A register's elements from its first on.
std::vector<nlohmann::ordered_json> elements_of(const isa::Model&, const eu::Thread&, const ShownRegister&);
// An element as JSON: a number, or a string for what JSON has no number for (infinities, NaN).
nlohmann::ordered_json element(isa::Type, double);
nlohmann::ordered_json element(isa::Type, int64_t);
// Elements in one line: strings without their quotes.
std::string in_one_line(const std::vector<nlohmann::ordered_json>&);

}  // namespace vitro::cli
