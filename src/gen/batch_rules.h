// What the kernel's command parser lets through on an engine whose hardware does not protect the system from batches of
// users: a table of commands with their lengths and the registers that they may name. Source: i915_cmd_parser.c of
// Linux 6.1. Which engines have rules is a fact of the platform (platform.h); the parser is in src/i915.
#pragma once

#include <cstdint>
#include <span>

namespace vitro::gen {

// A command of the MI client. Commands of MI and of the other clients that have no row pass by their length field.
struct BatchRule {
  uint8_t opcode = 0;             // bits 28:23
  uint8_t dwords = 0;             // 0: as the length field says
  uint16_t length_mask = 0;       // of that field
  uint8_t register_at = 0;        // the first dword that names a register; 0: none does
  uint8_t register_step = 0;      // to the next one; 0: there is one
  uint32_t operand_mask = 0;      // bits of the header that must be
  uint32_t operand_expected = 0;  // these
  bool jumps = false;             // the last command to be looked at: only back into what was seen, or to itself
};

struct RegisterRange {
  uint32_t first = 0, last = 0;
};

struct BatchRules {
  std::span<const BatchRule> commands;
  std::span<const RegisterRange> registers;
  std::span<const uint8_t> clients;  // bits 31:29
  uint16_t length_mask = 0;          // of commands without a row
};

// The blitter of Gen9.
extern const BatchRules copy_rules_gen9;

}  // namespace vitro::gen
