// Reads what Mesa's shader compiler prints: a listing of programs, and one instruction's text as a small structure that
// knows nothing of our own instruction. Units and conventions are Mesa's: sub-registers count elements, branch targets
// are labels, an absent word means the default. Only the text is understood here; what it should say is compare.cpp's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace vitro::mesa {

// One instruction of the listing: where it stands in its program, its bytes (8 if compacted, else 16) and its text.
struct Line {
  int offset = 0;
  std::vector<std::byte> bytes;
  std::string text;
};

struct Program {
  std::string name;
  std::vector<Line> lines;
  std::map<std::string, int, std::less<>> labels;  // offset of the instruction after the label
};

Result<std::vector<Program>> read_listing(const std::string& path);

struct Operand {
  std::string file;  // "g", "m", "imm", or an architecture register: "null", "a", "acc", "f", "mask", "sr", ...
  int reg = 0;
  int subreg = 0;
  bool indirect = false;  // g[a0.n imm]
  int addr_subreg = 0, addr_imm = 0;
  bool negate = false, bit_not = false, abs = false;
  std::string region;    // "8,8,1"; a destination's "1"; an Align16 source's "4"
  std::string channels;  // swizzle or write mask, with its dot
  std::string type;      // "UD", "F", ...
  uint64_t imm = 0;
};

struct Message {
  std::string shared_function;
  std::optional<uint32_t> desc, ex_desc;  // absent: in an address register
  std::optional<int> mlen, ex_mlen, rlen;
};

struct Instruction {
  std::string opcode, math;
  std::string predicate_flag, predicate_mode;  // "f0.1", ".any4h"; no flag: not predicated
  bool predicate_inverse = false;
  std::string condition, condition_flag;  // "ge", "f0.0"
  bool saturate = false, breakpoint = false;
  int exec_size = 0;  // 0: not printed
  std::string jip, uip;
  std::vector<Operand> operands;  // destination first; of a send only the registers
  std::optional<Message> message;
  std::vector<std::string> options;  // the words between braces

  bool has_option(std::string_view word) const;
};

Result<Instruction> parse_instruction(std::string_view text);

}  // namespace vitro::mesa
