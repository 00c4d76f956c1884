// MI_MATH: the streamer's ALU, 64 bits wide, over the engine's sixteen general registers. PRM: Gen8 vol 2a MI_MATH; the
// ALU's instructions are in the memory-interface volume of later generations. Its sources, accumulator and flags live
// for one command. A flag that is stored is all ones or zero.
#include <fmt/format.h>

#include <algorithm>

#include "streamer/handlers.h"

namespace vitro::streamer {

using namespace commands;

namespace {

struct Alu {
  registers::File& file;
  uint64_t a = 0, b = 0, accumulator = 0;
  bool zero = false, carry = false;
};

// Operand numbers; 0 to 15 are the general registers.
enum : uint32_t { source_a = 0x20, source_b = 0x21, accumulator = 0x31, zero_flag = 0x32, carry_flag = 0x33 };

bool read(const Alu& alu, uint32_t operand, uint64_t& value) {
  const auto flag = [](bool f) { return f ? ~uint64_t{0} : 0; };
  if (operand < 16)
    value = alu.file.gpr(operand);
  else if (operand == source_a)
    value = alu.a;
  else if (operand == source_b)
    value = alu.b;
  else if (operand == accumulator)
    value = alu.accumulator;
  else if (operand == zero_flag)
    value = flag(alu.zero);
  else if (operand == carry_flag)
    value = flag(alu.carry);
  else
    return false;
  return true;
}
bool write(Alu& alu, uint32_t operand, uint64_t value) {
  if (operand < 16)
    alu.file.set_gpr(operand, value);
  else if (operand == source_a)
    alu.a = value;
  else if (operand == source_b)
    alu.b = value;
  else
    return false;
  return true;
}

void set(Alu& alu, uint64_t value, bool carry) {
  alu.accumulator = value;
  alu.zero = value == 0;
  alu.carry = carry;
}

// False: an operand does not exist.
using Instruction = bool (*)(Alu&, uint32_t operand1, uint32_t operand2);
bool move(Alu& alu, uint32_t to, uint32_t from) {
  uint64_t v = 0;
  return read(alu, from, v) && write(alu, to, v);
}
bool move_inverted(Alu& alu, uint32_t to, uint32_t from) {
  uint64_t v = 0;
  return read(alu, from, v) && write(alu, to, ~v);
}

struct AluRow {
  uint32_t opcode;
  Instruction run;
};
constexpr AluRow rows[] = {
    {0x000, [](Alu&, uint32_t, uint32_t) { return true; }},                                 // NOOP
    {0x080, move},                                                                          // LOAD
    {0x480, move_inverted},                                                                 // LOADINV
    {0x081, [](Alu& alu, uint32_t to, uint32_t) { return write(alu, to, 0); }},             // LOAD0
    {0x481, [](Alu& alu, uint32_t to, uint32_t) { return write(alu, to, ~uint64_t{0}); }},  // LOAD1
    {0x100, [](Alu& alu, uint32_t, uint32_t) { return set(alu, alu.a + alu.b, alu.a + alu.b < alu.a), true; }},  // ADD
    {0x101, [](Alu& alu, uint32_t, uint32_t) { return set(alu, alu.a - alu.b, alu.a < alu.b), true; }},          // SUB
    {0x102, [](Alu& alu, uint32_t, uint32_t) { return set(alu, alu.a & alu.b, false), true; }},                  // AND
    {0x103, [](Alu& alu, uint32_t, uint32_t) { return set(alu, alu.a | alu.b, false), true; }},                  // OR
    {0x104, [](Alu& alu, uint32_t, uint32_t) { return set(alu, alu.a ^ alu.b, false), true; }},                  // XOR
    {0x180, move},           // STORE
    {0x580, move_inverted},  // STOREINV
};

}  // namespace

Outcome math(Execution& e, const MiMath&, Packet packet) {
  Alu alu{e.state.registers};
  for (const uint32_t word : packet.subspan(1)) {
    const uint32_t opcode = word >> 20;
    const AluRow* row =
        std::find_if(std::begin(rows), std::end(rows), [&](const AluRow& r) { return r.opcode == opcode; });
    if (row == std::end(rows)) return failed(fmt::format("invalid ALU instruction 0x{:08x}", word));
    if (!row->run(alu, word >> 10 & 0x3FF, word & 0x3FF))
      return failed(fmt::format("invalid operand of ALU instruction 0x{:08x}", word));
  }
  return {};
}

}  // namespace vitro::streamer
