// The architecture register file: kinds of registers, their numbers and sub-registers, per generation.
// PRM: Gen6 vol 4 part 2 section 5.2 (ARF-00, table 5-5); Gen8/9 ARF map as the drivers use it.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace vitro::isa {

enum class Arf : uint8_t {
  null = 0x0,
  address = 0x1,
  accumulator = 0x2,
  flag = 0x3,
  channel_enable = 0x4,
  message_control = 0x5,
  stack_pointer = 0x6,
  state = 0x7,
  control = 0x8,
  notification = 0x9,
  ip = 0xA,
  thread_dependency = 0xB,
  timestamp = 0xC,
  flow_control = 0xD,
  debug = 0xF
};

struct ArfRow {
  Arf kind;               // RegNum[7:4]
  std::string_view name;  // in assembly text, before the number
  uint8_t first;          // RegNum[3:0] of the register whose number in text is 0
  uint8_t count;          // registers
  bool numbered;          // text has a number: "acc0", but "null", "ip"
  bool has_subregs;       // text has a sub-register: "acc0.0", but "null", "ip", "ce"
  std::string_view title;
};

extern const std::span<const ArfRow> arfs_gen6, arfs_gen8;

// The row of a register number, or nullptr if the number is reserved.
const ArfRow* find_arf(std::span<const ArfRow> arfs, uint8_t reg_num);

constexpr uint8_t arf_reg(Arf kind, int n = 0) { return uint8_t(uint8_t(kind) << 4 | n); }

}  // namespace vitro::isa
