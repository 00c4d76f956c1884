// What one generation of the EU is, as a value: its opcode rows, its encoding, its registers and its named abilities.
// src/gen makes the models; everything in isa takes one and never asks which generation it is.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string_view>

#include "base/result.h"
#include "isa/compaction.h"
#include "isa/instruction.h"
#include "isa/message.h"
#include "isa/registers.h"

namespace vitro::isa {

struct Layout;
struct CodecFault;

// The encoding walk instantiated for one layout.
struct Encoding {
  const Layout* layout;
  CodecFault (*decode)(const OpcodeRow&, const Word128&, Instruction&);
  CodecFault (*encode)(const OpcodeRow&, const Instruction&, Word128&);
  Word128 (*meaningless)(const OpcodeRow&, const Instruction&);
};
extern const Encoding encoding_gen6, encoding_gen8, encoding_gen9;

struct Model {
  std::string_view name;
  Generation generation;
  const Encoding* encoding;
  const Compaction* compaction;
  const MessageTables* messages;
  std::span<const ArfRow> arfs;
  TypeSet types;                                   // types a register may have
  uint8_t grf_count = 128;                         //
  uint8_t mrf_count;                               // 0: no message registers
  uint8_t address_subregs;                         // a0.0 .. a0.(n-1)
  uint8_t flag_regs;                               // f0 .. f(n-1), two sub-registers each
  bool logic_negate_is_not;                        // negate on a source of a bitwise instruction complements it
  bool has_nib_ctrl;                               //
  bool has_64bit_immediates;                       //
  bool ternary_has_types;                          // three-source operands carry a type; else they are floats
  bool compacts_send;                              // plain sends have a compact form
  bool restricts_64bit_regions = false;            // R6: the low-power parts
  bool narrow_address_subregs = false;             // a0.2 and up hold 12 bits
  uint8_t jump_unit = 1;                           // bytes per unit of a distance in a register
  bool dword_multiply_is_partial = false;          // mul of dwords uses only the low word of src0; mach does the rest
  uint32_t register_descriptor_bits = 0x1FFFFFFF;  // of a descriptor in a0.0 that count
  bool controls_denormals = true;                  // cr0 says whether denormals are kept; else they are flushed
  bool controls_rounding = true;                   // cr0 says how results are rounded; else to nearest even
  std::array<const OpcodeRow*, 128> by_code{};
  std::array<const OpcodeRow*, op_count> by_op{};
  OpcodeSet three_source;  // opcodes with the three-source compact form

  const OpcodeRow* row(Op op) const { return by_op[size_t(op)]; }
};

// Fills the derived members (by_code, by_op, three_source) from the opcode table.
Model with_opcodes(Model m);

// The 128-bit form. A reserved opcode, a reserved code in a field or a set reserved bit is an error that names it.
Result<Instruction> decode(const Model&, const Word128& native);
Result<Word128> encode(const Model&, const Instruction&);

// Bits of the encoded instruction that the hardware ignores.
Word128 ignored_mask(const Model&, const Instruction&);

// One instruction of a program: 16 bytes, or 8 when compacted.
struct Fetched {
  Instruction instruction;
  int size;
};
Result<Fetched> fetch(const Model&, std::span<const std::byte> at);

// Bytes of one instruction: 8 if it is marked compacted (an error if no compact form exists), else 16.
struct Stored {
  std::array<std::byte, 16> bytes;
  int size;
};
Result<Stored> store(const Model&, const Instruction&);

// The same instruction marked compacted, if it has a compact form. Bits that mean nothing in it may change: one-source
// instructions find more table entries when src1's bits are free.
std::optional<Instruction> compacted_form(const Model&, Instruction);

}  // namespace vitro::isa
