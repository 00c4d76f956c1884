// Which bytes hardware takes for the illegal opcode. PRM: Gen6 vol 4 part 2 sections 6.4.1 and 6.4.2; Gen8 vol 2a,
// illegal.
#pragma once

#include <cstddef>
#include <span>

#include "isa/model.h"

namespace vitro::isa {

// The bytes of an illegal opcode, whatever else stands there: code 0, a code without a row, or one with bit 7 set,
// which is part of the opcode in a native instruction. 0: it is none of these, or cut off.
int illegal_opcode_bytes(const Model&, std::span<const std::byte> at);

}  // namespace vitro::isa
