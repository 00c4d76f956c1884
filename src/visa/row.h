// The instruction table (instructions.def) made ready: a row is the one home of how an instruction is spelt in bytes
// and in text, of its types and of its traits. Readers and writers go through the fields and items of the row.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "visa/object.h"

namespace vitro::visa {

enum class Op : uint8_t {
#define VISA(op, ...) op,
#include "visa/instructions.def"
};

enum class FieldKind : uint8_t {
  execution,
  predicate,
  vector,
  raw,
  surface,
  sampler,
  label,
  string,       // uw
  wide_string,  // ud, uw before 3.4
  variable,     // the same for the id of a variable
  u8,
  u16,
  u32,
  sampler_op,   // uw, ub before 4.0
  sfid,         // ub, from 3.6 on
  label_count,  // of label_list
  label_list,
  raw_list,  // ub count, raw operands
};

using Classes = uint16_t;  // set of OperandClass
constexpr Classes bit(OperandClass c) { return Classes(1u << unsigned(c)); }

// How long a raw operand is: a dword or an address for each channel, or what the row's codes say.
enum class Extent : uint8_t { unknown, dwords, addresses, owords, counted, channels, blocks, atomic };

struct Field {
  FieldKind kind;
  Classes classes = 0;            // of vector operands
  bool written = false;           // a destination
  int8_t condition = -1;          // bit of `mode` that says it is there
  int8_t operand = -1;            // which operand of the instruction it is; -1: none
  uint8_t ordinal = 0;            // how many fields of the same kind stand before it
  uint16_t since = 0;             // the version from which on it is there
  bool number_before_34 = false;  // before 3.4 a uw
  std::string_view token{}, name{};
  Extent extent = Extent::unknown;  // limits.def, as the next
  Types types = 0, besides = 0;     // vector, raw: what the documents allow, and what Intel's tools take, too
};

enum class Style : uint8_t {
  field,  // as its kind is written
  saturate,
  blank,
  relation,
  number,
  dot,
  dot_if_four,
  hex,
  plane,
  pair,
  triple,
  labels,
  quoted,
  variable,
  fence,
  modified,
  unaligned,
  eot,
  owords,
  elements,
  counted,
  blocks,
  block_bytes,
  atomic,
  channels,
  channel,
  simd,
  sampler_flags,
  rt_mode,
  // one word of those that words_of() has
  media_ld,
  media_st,
  output,
  avs_format,
  avs_mode,
  convolution,
  kernel_size,
  erosion,
  minmax,
  extremes,
  line,
  pattern,
  pixel,
  pixel_and_size,
  neighbours,
};

// How a word stands: behind which character, and which bits of its field it is the code of.
struct Words {
  Style style;
  std::string_view name;  // of the style
  char before;
  uint8_t shift, mask;
  std::span<const std::string_view> names;  // by code; empty: reserved
};
const Words* words_of(Style);

struct TextItem {
  Style style;
  uint8_t field = 0;  // of the row
};

struct Select {
  uint8_t at, mask, value;  // byte behind the opcode; 0: nothing to select by
};

enum class SourceModifiers : uint8_t { no_modifier, arithmetic, logic };

// Traits of a row.
inline constexpr uint8_t no_traits = 0, sat = 1, sat_float = 2, split = 4, flow = 8, media = 16;

// Devices that vISA has code for, by the names of gen::Device.
inline constexpr uint8_t bdw = 1, kbl = 2, apl = 4, all_devices = bdw | kbl | apl;

// Which operands are all floats, or all integers.
enum class Kinds : uint8_t { one, own_destination, any };

inline constexpr uint8_t all_sizes = 1 | 2 | 4 | 8 | 16 | 32;

struct Row {
  Op op;
  std::string_view mnemonic;
  uint8_t opcode;
  Select select;
  std::string_view bytes, text;  // as in the table
  Types types;
  SourceModifiers modifiers;
  uint8_t traits, devices;
  std::vector<Field> fields{};
  std::vector<TextItem> items{};
  uint8_t operands = 0;  // how many there are without lists
  int8_t mode = -1;      // operand that conditions look at
  int8_t selector = -1;  // operand that `select` looks at
  bool has_execution = false, has_predicate = false;
  bool computes = false;  // has vector operands with regions; those of others are scalars
  // limits.def
  uint8_t sizes = all_sizes, besides_sizes = 0;  // execution sizes, as Field's types; a size is its own bit
  Kinds kinds = Kinds::one;
  uint8_t refused_surfaces = 0;  // predefined ones, a bit for each
};

std::span<const Row> rows();
const Row& row(Op);
const Row* find_mnemonic(std::string_view);
// Rows of an opcode, in the order of the table; none: no such instruction.
std::span<const Row* const> rows_of(uint8_t opcode);

constexpr bool present(const Field& f, uint64_t mode) { return f.condition < 0 || (mode >> f.condition & 1); }

}  // namespace vitro::visa
