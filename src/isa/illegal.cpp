// Telling the illegal opcode from others. PRM: as illegal.h.
#include "isa/illegal.h"

#include <cstdint>
#include <cstring>

namespace vitro::isa {

int illegal_opcode_bytes(const Model& m, std::span<const std::byte> at) {
  constexpr uint32_t compacted = 1u << 29, expansion = 1u << 7;
  uint32_t first = 0;
  if (at.size() < 8) return 0;
  std::memcpy(&first, at.data(), sizeof first);
  const OpcodeRow* row = m.by_code[first & 0x7F];
  const bool legal = row && row->op != Op::illegal && (first & compacted || !(first & expansion));
  const int bytes = first & compacted ? 8 : 16;
  return legal || at.size() < size_t(bytes) ? 0 : bytes;
}

}  // namespace vitro::isa
