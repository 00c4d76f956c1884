// The opcode table: one row per instruction and generation set, the only place where an opcode is described. Decoder,
// encoder, assembler, disassembler, validator, random-instruction generator and docs/isa.md all derive from it.
// PRM: Gen6 vol 4 part 2 tables 7-20..7-25 and chapter 8; Gen8 vol 2a, the 66 EU instructions; Gen9 enumeration
// EU_OPCODE.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "isa/types.h"

namespace vitro::isa {

// Which generations a row belongs to. A generation is a member of a set, never a number to compare.
enum class Generation : uint8_t { gen6 = 1, gen8 = 2, gen9 = 4 };
struct Generations {
  uint8_t bits;
  constexpr bool contains(Generation g) const { return bits & uint8_t(g); }
};
inline constexpr Generations G6{uint8_t(Generation::gen6)}, G8{uint8_t(Generation::gen8)},
    G9{uint8_t(Generation::gen9)};
inline constexpr Generations G68{uint8_t(G6.bits | G8.bits)}, G89{uint8_t(G8.bits | G9.bits)};
inline constexpr Generations G689{uint8_t(G6.bits | G89.bits)};

// The shape of an instruction: which operands it has and which words of the encoding carry them.
enum class Format : uint8_t {
  nullary,         // nop, illegal: nothing but controls
  unary,           // dst, src0 (register or immediate)
  binary,          // dst, src0, src1 (register or immediate)
  ternary,         // dst, three register sources, Align16
  math,            // dst, src0, and src1 if the function takes two; the function stands in CondModifier
  send,            // dst, payload src0, descriptors
  split_send,      // dst, payloads src0 and src1, descriptors
  wait,            // one notification register, source and destination at once
  branch,          // JIP
  branch_compare,  // JIP, and two compared sources when CondModifier is set (Gen6 if, case, while)
  branch_uip,      // JIP and UIP
  branch_reg,      // JIP as immediate, or in a register
  branch_reg_uip,  // JIP and UIP as immediates, or both in a register
  jump,            // jmpi: one distance, immediate or register, from the next instruction
  call,            // dst takes the return address; target immediate or register
  call_absolute,   // the same with an absolute target
  ret,             // src0 holds return address and mask
  fork,            // JIP, and a mask register as source
};

enum Attribute : uint32_t {
  attr_none = 0,
  attr_pred = 1 << 0,          // may be predicated
  attr_cond = 1 << 1,          // takes a conditional modifier
  attr_sat = 1 << 2,           // may saturate
  attr_srcmod = 1 << 3,        // sources take abs and negate
  attr_logic = 1 << 4,         // bitwise: where the model says so, negate on a source means NOT
  attr_accwr = 1 << 5,         // AccWrCtrl may be set
  attr_branchctrl = 1 << 6,    // the same bit is BranchCtrl
  attr_scalar = 1 << 7,        // execution size is 1 and not written in assembly text
  attr_reads_flag = 1 << 8,    // CondModifier selects, the flag is not written (sel, csel)
  attr_acc_source = 1 << 9,    // reads the accumulator implicitly
  attr_needs_accwr = 1 << 10,  // AccWrCtrl must be set
  attr_needs_cond = 1 << 11,   // CondModifier must be set
  // How it computes, for whoever runs it.
  attr_selects = 1 << 12,         // the predicate chooses between sources and masks no channel
  attr_moves = 1 << 13,           // gives a source as it is: within a type, bits
  attr_ordered = 1 << 14,         // exact in as many bits as hold the sources, be they signed or unsigned
  attr_low_bits = 1 << 15,        // low bits of an integer result depend on nothing but low bits of the sources
  attr_dwords = 1 << 16,          // looks at 32 bits, whatever the width
  attr_product = 1 << 17,         // multiplies: exact in twice as many bits
  attr_half_as_float = 1 << 18,   // of halves, the same when it is rounded to a float on the way
  attr_by_twos = 1 << 19,         // each two channels look at the elements of both
  attr_by_fours = 1 << 20,        // each four look at the elements of all
  attr_plane = 1 << 21,           // src0 is a tuple of four floats for all channels
  attr_register_pairs = 1 << 22,  // src1 is a row of pairs of registers
  attr_every_channel = 1 << 23,   // changes the accumulator whatever the mask
  attr_irregular = 1 << 24,       // names its elements or channels in a way of its own
  attr_whole = 1 << 25,           // rounds to a whole number, or takes one off
  attr_keeps_denorms = 1 << 26,   // within a type, where cr0 controls them
  attr_scatters = 1 << 27,        // src1 chooses elements; of channels that do not run, too
  attr_shuffles = 1 << 28,        // a0 has a place for each element
  attr_across = attr_by_twos | attr_by_fours | attr_plane,
};

// Legal combinations: a destination type of `dst` with sources all of `src`. Types a generation lacks fall away.
struct TypeRule {
  TypeSet dst, src;
};

enum class Op : uint8_t {
#define OPCODE(id, ...) id,
#define OPCODE_ALSO(id, ...)
#include "isa/opcodes.def"
#undef OPCODE
#undef OPCODE_ALSO
  count
};
inline constexpr int op_count = int(Op::count);

// The attribute column's letters, and the column by itself: what is said of how an opcode computes stands in its first
// row, and holds for all generations.
namespace column {
inline constexpr uint32_t P = attr_pred, C = attr_cond, S = attr_sat, M = attr_srcmod, L = attr_logic, A = attr_accwr;
inline constexpr uint32_t attributes[] = {
#define OPCODE(id, mnemonic, code, gens, format, attrs, legal, title) attrs,
#define OPCODE_ALSO(...)
#include "isa/opcodes.def"
#undef OPCODE
#undef OPCODE_ALSO
};
}  // namespace column
constexpr bool has(Op op, Attribute a) { return column::attributes[size_t(op)] & a; }

struct OpcodeRow {
  Op op;
  std::string_view mnemonic;
  uint8_t code;  // the 7-bit opcode
  Generations generations;
  Format format;
  uint32_t attributes;
  std::span<const TypeRule> types;
  std::string_view title;

  constexpr bool has(Attribute a) const { return attributes & a; }
};

constexpr bool has_destination(Format f) {
  return f <= Format::split_send ? f != Format::nullary : f == Format::call || f == Format::call_absolute;
}

std::span<const OpcodeRow> opcode_table();
std::string_view mnemonic(Op op);

// Math function codes (FC), a table of their own: name in assembly text, number of sources.
// PRM: Gen6 table 8-11; Gen9 enumeration FC. Macros (invm, rsqtm) carry mme registers instead of sub-registers.
enum class MathFunction : uint8_t {
  reserved0,
  inv,
  log,
  exp,
  sqt,
  rsqt,
  sin,
  cos,
  reserved8,
  fdiv,
  pow,
  idiv,
  iqot,
  irem,
  invm,
  rsqtm
};
enum class MathKind : uint8_t {
  none,
  quotient,    // of floats
  root,        //
  elementary,  // eu/elementary.h
  division,    // of integers: quotient or remainder
  divisions,   // both
  macro,       // a step of an IEEE macro
};
struct MathRow {
  std::string_view name;  // empty: reserved
  uint8_t sources = 0;
  MathKind kind = MathKind::none;
  bool of_magnitude = false;  // in ALT mode, where there are no NaNs
  Generations generations{};
  std::string_view title{};
};
inline constexpr std::array<MathRow, 16> math_table{{
    {},
    {"inv", 1, MathKind::quotient, false, G689, "reciprocal"},
    {"log", 1, MathKind::elementary, true, G689, "base-2 logarithm"},
    {"exp", 1, MathKind::elementary, false, G689, "base-2 exponential"},
    {"sqt", 1, MathKind::root, true, G689, "square root"},
    {"rsqt", 1, MathKind::root, true, G689, "reciprocal square root"},
    {"sin", 1, MathKind::elementary, false, G689, "sine"},
    {"cos", 1, MathKind::elementary, false, G689, "cosine"},
    {},
    {"fdiv", 2, MathKind::quotient, false, G689, "float division"},
    {"pow", 2, MathKind::elementary, false, G689, "power"},
    {"idiv", 2, MathKind::divisions, false, G689, "integer quotient and remainder"},
    {"iqot", 2, MathKind::division, false, G689, "integer quotient"},
    {"irem", 2, MathKind::division, false, G689, "integer remainder"},
    {"invm", 2, MathKind::macro, false, G89, "reciprocal, IEEE macro step"},
    {"rsqtm", 1, MathKind::macro, false, G89, "reciprocal square root, IEEE macro step"},
}};
constexpr const MathRow& info(MathFunction f) { return math_table[size_t(f)]; }

}  // namespace vitro::isa
