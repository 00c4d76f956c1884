// What the validator's rules look at: the facts of one instruction, computed once, so that a rule is a line or two.
// Private to validate*.cpp.
// PRM: Gen6 vol 4 part 2 sections 5.3.6 (regions), 5.3.9 (execution data type).
#pragma once

#include <algorithm>

#include "isa/validate.h"

namespace vitro::isa {

inline constexpr int grf_bytes = 32, oword = 16, dword = 4, qword = 8;

// Properties of an instruction that decide which rules need to be asked.
enum Trait : uint32_t {
  t_align1 = 1 << 0,
  t_align16 = 1 << 1,
  t_execute = 1 << 2,       // computes: has sources with types and regions (not messages, not jumps)
  t_dst = 1 << 3,           // computes into a destination, perhaps null
  t_dst_register = 1 << 4,  // ... which is not null
  t_source = 1 << 5,        // has a register source
  t_indirect = 1 << 6,      // some operand is indirect
  t_vxh = 1 << 7,           // some operand has an index per row
  t_arf = 1 << 8,           // names an architecture register other than null
  t_acc = 1 << 9,           // names acc0 or acc1 (Gen8 and later: or one of the macro registers)
  t_acc_read = 1 << 10,     // reads an accumulator, explicitly or by nature
  t_immediate = 1 << 11,
  t_modifier = 1 << 12,         // a source has abs or negate
  t_spans = 1 << 13,            // some direct operand touches more than one register
  t_wide = 1 << 14,             // a 64-bit type, or an integer multiplication of dwords
  t_restricted_wide = 1 << 26,  // such an instruction where the model restricts them (low-power parts)
  t_half = 1 << 15,             // a half float somewhere
  t_mixed_float = 1 << 16,      // halves and floats together
  t_byte_dst = 1 << 17,
  t_several = 1 << 18,  // ExecSize > 1
  t_ternary = 1 << 19,
  t_two_sources = 1 << 20,  // unary, binary, math: formats with full regions
  t_predicate = 1 << 21,
  t_condition = 1 << 22,
  t_saturate = 1 << 23,
  t_acc_write = 1 << 24,       // AccWrCtrl
  t_unlisted_types = 1 << 25,  // no row of the opcode's types has this combination
};

struct OperandFacts {
  const Operand* operand = nullptr;  // nullptr: the instruction has no such operand
  Arf arf = Arf::null;
  uint8_t size = 1;  // bytes of an element
  bool immediate = false, null = false;
  bool reg = false;     // a register that exists: neither immediate nor null
  bool direct = false;  // ... whose number stands in the instruction
  bool grf = false, mrf = false, acc = false;
  bool vxh = false, scalar = false;
  uint8_t width = 1, rows = 1;  // elements of a row, rows
  uint8_t vert = 0, horz = 0;   // strides in elements
  int first = 0, last = 0;      // lowest and highest byte touched, from the origin of the register
  int registers = 0;            // registers touched (indirect: if the origin is aligned)

  const Operand* operator->() const { return operand; }
  // Where the element of a channel begins, in bytes from the origin of the register. Swizzles are left out.
  int element(int channel) const { return first + (channel / width * vert + channel % width * horz) * size; }
  int register_of(int channel) const { return element(channel) / grf_bytes; }
  // Distance of neighbouring elements, in bytes.
  int stride() const { return (width > 1 ? horz : vert) * size; }
};

struct RuleContext {
  const Model& model;
  const Instruction& inst;
  const OpcodeRow& row;
  uint32_t traits = 0;
  int sources = 0;
  TypeSet source_types;
  Type exec_type = Type::w;
  int exec_bytes = 2;        // size of exec_type
  OperandFacts operands[4];  // destination, sources
  bool has(uint32_t t) const { return (traits & t) == t; }
  const OperandFacts& dst() const { return operands[0]; }
  const OperandFacts& src(int n) const { return operands[1 + n]; }
};

RuleContext make_context(const Model&, const Instruction&, const OpcodeRow&);

// A move of bits as they are (5.3.10.2). A change of signedness alone changes no bits.
bool is_raw_move(const RuleContext&);
// The 'packed' of the documents: no gap, no overlap, no replication.
inline bool is_packed(const OperandFacts& o) {
  return o.scalar ? o.rows * o.width == 1 : (o.width == 1 || o.horz == 1) && (o.rows == 1 || o.vert == o.width);
}

inline constexpr Findings nothing = 0, in_dst = 1, in_instruction = 0x80;
constexpr Findings in_src(int n) { return Findings(2 << n); }
constexpr Findings whole(bool violated) { return violated ? in_instruction : nothing; }
constexpr Findings dst_if(bool violated) { return violated ? in_dst : nothing; }

// The sources for which the predicate holds.
template <class P>
Findings sources_where(const RuleContext& c, P violates) {
  Findings f = nothing;
  for (int n = 0; n < c.sources; ++n)
    if (c.src(n).reg && violates(c.src(n))) f |= in_src(n);
  return f;
}
template <class P>
Findings operands_where(const RuleContext& c, P violates) {
  return sources_where(c, violates) | dst_if(c.dst().reg && violates(c.dst()));
}

inline Findings never(const RuleContext&) { return nothing; }

// The tables, one per topic.
std::span<const Rule> common_rules();               // validate_common.cpp
std::span<const Rule> register_rules();             // validate_registers.cpp
std::span<const Rule> region_rules_gen6();          // validate_gen6.cpp
std::span<const Rule> region_rules_gen9();          // validate_gen9.cpp
std::span<const Rule> wide_and_mixed_rules_gen9();  // validate_gen9_types.cpp
std::span<const Rule> instruction_rules();          // validate_instructions.cpp
std::span<const Rule> message_rules();              // validate_messages.cpp

}  // namespace vitro::isa
