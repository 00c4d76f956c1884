// A vISA object as it is meant: kernels and functions with their variables and instructions. Text and bytes are two
// spellings of it (read_text.h, write_text.h, read_bytes.h, write_bytes.h). Names are indices of a routine's strings,
// as in binary objects, so that an object that was read can be written with the same bytes. Documents: vISA "Header",
// "Operands", and the page of each instruction.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "visa/types.h"

namespace vitro::visa {

struct Row;  // instruction table, row.h

// Where something stands: line and column of a text, counted from 1, or the byte offset in an object (in `line`).
struct Place {
  uint32_t line = 0;
  uint16_t column = 0, length = 1;
};

// The value has the bytes of the object; what they mean is decided by the attribute's name.
struct Attribute {
  uint32_t name = 0;
  std::string value{};
};
using Attributes = std::vector<Attribute>;

inline constexpr uint32_t predefined_variables = 32;  // ids below are predefined; declared ones follow
inline constexpr uint32_t predefined_surfaces = 6;
inline constexpr uint32_t first_predicate = 1;  // predicate 0 means none

struct Variable {
  uint32_t name = 0;
  Type type = Type::ud;
  uint8_t align = 0;  // code, alignments of names.h
  uint16_t elements = 1;
  uint32_t alias = 0;  // id of the base; 0: none
  uint16_t alias_offset = 0;
  Attributes attributes{};
  Place place{};
};

// Address, predicate, sampler and surface variables.
struct SpecialVariable {
  uint32_t name = 0;
  uint16_t elements = 1;
  Attributes attributes{};
  Place place{};
};

enum class LabelKind : uint8_t { block, subroutine, fast_call, function };

struct Label {
  uint32_t name = 0;
  LabelKind kind = LabelKind::block;
  Attributes attributes{};
  Place place{};
};

enum class InputClass : uint8_t { general, sampler, surface };

struct Input {
  uint8_t kind = 0;  // 2:0 InputClass, 7:3 where it comes from
  uint32_t id = 0;
  int16_t offset = 0;  // in the register file
  uint16_t size = 0;
  Place place{};
  InputClass input_class() const { return InputClass(kind & 7); }
};

// Classes 0 to 6 have the codes of binary vector operands.
enum class OperandClass : uint8_t {
  general,
  address,
  predicate,
  indirect,
  address_of,  // &V, in the bytes a general operand of addr_add
  immediate,
  state,
  state_address,  // &T, in the bytes a state operand of addr_add
  raw,
  number,  // also string indices
  surface,
  sampler,
  label,
  none,  // left out: what the mode of the instruction does not have
};

enum class Modifier : uint8_t { none, abs, negate, negate_abs, saturate, invert };

// A region as it stands in objects: codes of vertical stride (3:0), width (7:4), horizontal stride (11:8).
using Region = uint16_t;
inline constexpr int region_values[8] = {-1, 0, 1, 2, 4, 8, 16, 32};  // by code; 0: left out
constexpr int vertical_stride(Region r) { return region_values[r & 7]; }
constexpr int width(Region r) { return region_values[r >> 4 & 7]; }
constexpr int horizontal_stride(Region r) { return region_values[r >> 8 & 7]; }
inline constexpr Region scalar_region = 0x121;  // <0;1,0>

struct Operand {
  OperandClass kind = OperandClass::none;
  Modifier modifier = Modifier::none;
  Type type = Type::ud;  // of indirect and immediate ones
  uint8_t row = 0;       // general: register offset; address, indirect, state: element
  uint8_t column = 0;    // general: element in the register; address: code of the width; state: 1 for a sampler
  uint16_t place = 0;    // column in the text, or bytes from the begin of the instruction
  Region region = 0;     // general, indirect
  int16_t offset = 0;    // indirect: bytes added to the address
  uint32_t id = 0;       // of the variable or label
  uint64_t value = 0;    // immediate, number; raw, address_of: offset in bytes
};

struct Instruction {
  const Row* row = nullptr;
  uint8_t execution = 0;   // 3:0 code of the size, 7:4 mask control
  uint16_t predicate = 0;  // control word; 0: none
  uint16_t count = 0;      // of operands
  uint32_t first = 0;      // operand of the routine
  uint32_t place = 0;      // line of the text, or offset in the object
  uint32_t size() const { return 1u << (execution & 15); }
  uint32_t mask() const { return execution >> 4; }
  bool no_mask() const { return execution & 0x80; }
  uint32_t channel() const { return (execution >> 4 & 7) * 4; }  // the first one
};

struct GenBinary {
  uint8_t platform = 0;
  std::vector<std::byte> code{};
};

// A kernel or a function.
struct Routine {
  bool is_kernel = true;
  uint8_t linkage = 0;  // functions
  uint32_t name = 0;
  std::vector<std::string> strings{""};
  std::vector<Variable> variables{};
  std::vector<SpecialVariable> addresses{}, predicates{}, samplers{}, surfaces{};
  std::vector<Label> labels{};
  std::vector<Input> inputs{};
  uint8_t input_registers = 0, return_registers = 0;  // functions
  Attributes attributes{};
  std::vector<Instruction> instructions{};
  std::vector<Operand> operands{};  // of all instructions, one after the other
  std::vector<GenBinary> gen_binaries{};
  Place place{};

  const Operand* operands_of(const Instruction& i) const { return operands.data() + i.first; }
  std::string_view text(uint32_t string) const { return strings[string]; }
};

struct Object {
  uint8_t major = 4, minor = 1;
  std::vector<Routine> routines{};
  bool from_text = true;  // what places mean
};

inline constexpr uint32_t version(uint8_t major, uint8_t minor) { return uint32_t(major) << 8 | minor; }
inline uint32_t version(const Object& o) { return version(o.major, o.minor); }
inline constexpr uint32_t oldest_version = version(3, 0), newest_version = version(4, 1);

// What a predicate control word says.
constexpr uint32_t predicate_id(uint16_t control) { return control & 0xfff; }
constexpr bool predicate_inverse(uint16_t control) { return control >> 15; }
constexpr uint32_t predicate_combine(uint16_t control) { return control >> 13 & 3; }  // 0, 1 any, 2 all

}  // namespace vitro::visa
