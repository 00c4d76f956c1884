// Immediates that are vectors: eight nibbles or four restricted floats in 32 bits. PRM: Gen6 vol 4 part 2 section 5.4
// (DT-04): a restricted float has sign, three bits of exponent with bias 3, four of fraction; only 0x00 and 0x80 are
// zeros.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "base/bits.h"
#include "isa/types.h"

namespace vitro::eu {

constexpr float restricted_float(uint8_t v) {
  const uint32_t sign = uint32_t(v >> 7) << 31;
  if ((v & 0x7F) == 0) return std::bit_cast<float>(sign);
  return std::bit_cast<float>(sign | uint32_t((v >> 4 & 7) + 124) << 23 | uint32_t(v & 15) << 19);
}

// The bits of its elements: words of V and UV, floats of VF.
struct VectorElements {
  isa::Type type = isa::Type::none;  // none: the immediate is no vector
  uint8_t count = 0;
  std::array<uint64_t, 8> bits{};
};
constexpr VectorElements vector_elements(isa::Type type, uint64_t immediate) {
  VectorElements e;
  if (type == isa::Type::vf) {
    e.type = isa::Type::f, e.count = 4;
    for (size_t n = 0; n < 4; ++n) e.bits[n] = std::bit_cast<uint32_t>(restricted_float(uint8_t(immediate >> 8 * n)));
  } else if (type == isa::Type::v || type == isa::Type::uv) {
    e.type = type == isa::Type::v ? isa::Type::w : isa::Type::uw, e.count = 8;
    for (size_t n = 0; n < 8; ++n) {
      const uint64_t nibble = immediate >> 4 * n & 15;
      e.bits[n] = type == isa::Type::v ? uint64_t(sign_extend(nibble, 4)) & 0xFFFF : nibble;
    }
  }
  return e;
}

}  // namespace vitro::eu
