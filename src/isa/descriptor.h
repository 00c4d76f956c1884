// What stands in the same bits of every message's descriptors, whatever the shared function and the generation. PRM:
// Gen6 vol 4 part 2 table 8-15; Gen9 split sends (ExDesc[9:6] is zero where there are none); Gen8 vol 2a MDC_BTS, which
// all messages with a surface have.
#pragma once

#include <cstdint>

#include "base/bits.h"

namespace vitro::isa {

inline constexpr Bits mlen_bits{28, 25}, rlen_bits{24, 20}, header_bits{19, 19}, surface_bits{7, 0};
inline constexpr Bits ex_mlen_bits{9, 6};  // of the extended descriptor

constexpr unsigned mlen(uint32_t desc) { return unsigned(extract({desc, 0}, mlen_bits)); }
constexpr unsigned rlen(uint32_t desc) { return unsigned(extract({desc, 0}, rlen_bits)); }
constexpr bool has_header(uint32_t desc) { return extract({desc, 0}, header_bits) != 0; }
constexpr unsigned surface_index(uint32_t desc) { return unsigned(extract({desc, 0}, surface_bits)); }
constexpr unsigned ex_mlen(uint32_t ex_desc) { return unsigned(extract({ex_desc, 0}, ex_mlen_bits)); }

}  // namespace vitro::isa
