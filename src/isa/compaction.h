// Instruction compaction: the 64-bit compact form of EU instructions and its 128-bit native form.
// Gen6: "EU Compact Instructions" of the Gen6 PRM (requirements CP-01, CP-02, CP-03 and example T22). Gen8 and Gen9:
// the same scheme with other tables and bit positions, and a second compact form for three-source instructions.
//
// A compact word holds some native fields as they are, and five (three-source: two) small indices; each index selects a
// table entry whose bits are scattered over the native word. A 32-bit immediate shrinks to 13 bits, sign extended. Here
// this is a pure transformation of bits, described by one value per generation; what the bits mean is not known here.
// Deliberately not modelled: which opcodes a compiler should compact (that is a property of the opcode's row), and the
// branch offsets of the surrounding program, which count physical sizes (CP-03): whoever compacts a program moves them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/bits.h"
#include "base/result.h"

namespace vitro::isa {

// A set of 7-bit opcodes.
struct OpcodeSet {
  Word128 bits;
  constexpr bool contains(unsigned opcode) const {
    return ((opcode & 64 ? bits.hi : bits.lo) >> (opcode & 63) & 1) != 0;
  }
  constexpr void insert(unsigned opcode) { deposit(bits, {uint8_t(opcode & 127), uint8_t(opcode & 127)}, 1); }
};

// An index of the compact form. `entries` are the table's entries with their bits already at their native places.
struct CompactIndex {
  std::string_view name;
  Bits compact;
  uint8_t last;        // the highest entry
  Word128 native;      // which native bits the index determines
  uint32_t canonical;  // entries the compactor may choose: of those that expand alike, one
  std::array<Word128, 32> entries;
  constexpr unsigned selected(uint64_t word) const { return word >> compact.lo & last; }
};

// A field that both forms hold. Where the native field is wider, the compact one is sign extended.
struct CompactField {
  std::string_view name;
  Bits compact, native;
};

// Bits that move as they are: the compact word rotated left, and of that `bits`, in one half of the native word.
struct CompactMove {
  uint64_t bits;
  uint8_t rotate;
};

struct CompactForm {
  uint8_t index_count = 0, field_count = 0, low_count = 0, high_count = 0;
  std::array<CompactIndex, 5> indices{};
  // All fields, and what they amount to for each half of the native word.
  std::array<CompactField, 14> fields{};
  std::array<CompactMove, 4> low{};
  std::array<CompactMove, 9> high{};
  // The compact bit that is repeated upwards in sign extension, and where in the upper half.
  uint64_t sign = 0, extension = 0;
  uint64_t reserved = 0;  // compact bits that no field uses
  Word128 unmapped;       // native bits that no field carries: a native word with one of them set has no compact form
  constexpr bool present() const { return index_count != 0; }
};

struct Compaction {
  CompactForm registers;     // one or two sources, none of them an immediate
  CompactForm immediate;     // src0 or src1 is a 32-bit immediate, in place of everything in the last doubleword
  CompactForm three_source;  // absent on Gen6
  Bits src0_file, src1_file;
  // The register file that means "immediate", and the DataType entries that name it for a source.
  uint8_t immediate_file;
  uint32_t immediate_types;
};

extern const Compaction compaction_gen6, compaction_gen8, compaction_gen9;

// The native form. CmptCtrl is 0 in it; that the instruction was compact is for the caller to remember.
// `three_source` says by opcode which of the two compact forms applies.
Result<Word128> expand(const Compaction& compaction, OpcodeSet three_source, uint64_t compact);

// The compact form, if there is one: expand() of the result is exactly `native`, in every bit outside `ignored`.
// `ignored` are bits that mean nothing in this instruction, such as the src1 fields of an instruction with one source:
// with them free, more instructions find a table entry.
std::optional<uint64_t> compact(const Compaction& compaction, OpcodeSet three_source, Word128 native,
                                Word128 ignored = {});

}  // namespace vitro::isa
