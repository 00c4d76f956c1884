// Fields of data port descriptors that say how much a message moves: what carries messages out and what describes them
// read the same ones. PRM: Gen8 vol 2a, the MDC_* and MDP_* formats named at the rows. Only the data ports' files
// include this.
#pragma once

#include <array>

#include "base/bits.h"
#include "eu/thread.h"

namespace vitro::shared {

// --- scattered messages
inline constexpr Bits simd16{8, 8}, a64_simd16{12, 12};  // MDC_SM2
inline constexpr Bits byte_size{11, 10};                 // MDC_DS: log2 of the bytes
inline constexpr Bits elements{11, 10};                  // MDC_A64_DS: log2 of elements, or bytes, of a slot
inline constexpr Bits untyped_mode{13, 12};              // MDC_SM3
inline constexpr Bits disabled_channels{11, 8};          // MDC_CMASK
enum UntypedMode : uint8_t { simd4x2, simd16_mode, simd8_mode, reserved_mode };

// --- atomic operations
inline constexpr Bits atomic_op{11, 8}, float_atomic_op{10, 8};      // MDC_AOP*
inline constexpr Bits atomic_answers{13, 13}, atomic_simd8{12, 12};  // MDC_SM2R: 0 is SIMD16

// --- blocks
inline constexpr unsigned oword = 16, hword = 32, max_block = 8 * hword;
inline constexpr Bits oword_blocks{10, 8}, dual_blocks{9, 8};  // MDC_DB_OW, MDC_DB_OWD
inline constexpr Bits hword_blocks{10, 8};                     // MDC_A64_DB_HW: log2
inline constexpr Bits scratch_blocks{13, 12}, scratch_offset{11, 0}, scratch_dwords{16, 16};
inline constexpr uint32_t scratch_base = ~0x3FFu;  // block messages ignore the FFTID below

struct Block {
  unsigned bytes = 0;
  unsigned at = 0;  // in the first register
  unsigned registers() const { return (at + bytes + eu::reg_bytes - 1) / eu::reg_bytes; }
};
// By MDC_DB_OW; the first two are one OWord, to the low or the high half of a register.
inline constexpr std::array<Block, 5> owords{{{oword, 0}, {oword, oword}, {2 * oword}, {4 * oword}, {8 * oword}}};

}  // namespace vitro::shared
