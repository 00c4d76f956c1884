// Rows of data port messages that Gen8 and Gen9 share, and how a row recognises its descriptor. PRM: Gen8 vol 2a, the
// MSD_* named at the rows. Only the tables include this.
#pragma once

#include <array>

#include "shared/dataport/messages.h"
#include "shared/image/typed.h"

namespace vitro::shared::rows {

using Row = DataPortMessage;

// Bits of the descriptor and the value they must have.
struct Match {
  uint32_t mask, value;
  friend constexpr Match operator&(Match a, Match b) { return {a.mask | b.mask, a.value | b.value}; }
};
constexpr Match at(Bits b, uint32_t value) { return {uint32_t(mask(b).lo), value << b.lo}; }
constexpr Row row(Match m, std::string_view name, eu::Reply (*run)(DataPortCall&),
                  eu::Transfer (*describe)(const DataPortLayout&, uint32_t) = nullptr) {
  return {m.mask, m.value, name, run, describe};
}

inline constexpr Bits type{18, 14}, rc_type{17, 14};
constexpr Match dc(uint32_t t) { return at(type, t); }
inline constexpr Match legacy_simd = at({9, 9}, 1);

template <size_t a, size_t b>
constexpr std::array<Row, a + b> both(const std::array<Row, a>& x, const std::array<Row, b>& y) {
  std::array<Row, a + b> all{};
  for (size_t n = 0; n < a; ++n) all[n] = x[n];
  for (size_t n = 0; n < b; ++n) all[a + n] = y[n];
  return all;
}

// --- data cache 0
inline constexpr std::array dc0 = std::to_array<Row>({
    row(dc(0x0), "oword block read", oword_block_read, transfer::oword_block_read),  // MSD0R_OWB
    row(dc(0x1), "unaligned oword block read", unaligned_oword_block_read,
        transfer::unaligned_oword_block_read),                     // MSD0R_OWUB
    row(dc(0x2), "oword dual block read", oword_dual_block_read),  //
    row(dc(0x3) & legacy_simd, "dword scattered read", dword_scattered_read, transfer::dword_scattered_read),  //
    row(dc(0x4), "byte scattered read", byte_scattered_read, transfer::byte_scattered_read),  // MSD0R_BS
    row(dc(0x7), "memory fence", memory_fence, transfer::memory_fence),                       // MSD_MEMFENCE
    row(dc(0x8), "oword block write", oword_block_write, transfer::oword_block_write),        // MSD0W_OWB
    row(dc(0xa), "oword dual block write", oword_dual_block_write),                           // MSD0W_OWDB
    row(dc(0xb) & legacy_simd, "dword scattered write", dword_scattered_write,
        transfer::dword_scattered_write),                                                             // MSD0W_DWS
    row(dc(0xc), "byte scattered write", byte_scattered_write, transfer::byte_scattered_write),       // MSD0W_BS
    row(at({18, 17}, 2), "scratch block read", scratch_block_read, transfer::scratch_block_read),     // MSD0R_HWB
    row(at({18, 17}, 3), "scratch block write", scratch_block_write, transfer::scratch_block_write),  // MSD0W_HWB
});

// --- data cache 1
constexpr Match scattered(uint32_t t, uint32_t subtype) { return dc(t) & at({9, 8}, subtype); }
constexpr Match block(uint32_t t, uint32_t subtype) { return dc(t) & at({12, 11}, subtype); }
constexpr Match a64_atomics(uint32_t t, uint32_t qword) { return dc(t) & at({12, 12}, qword); }

inline constexpr std::array dc1 = std::to_array<Row>({
    row(dc(0x01), "untyped surface read", untyped_read, transfer::untyped_read),     //
    row(dc(0x02), "untyped atomic", untyped_atomic, transfer::untyped_atomic),       //
    row(dc(0x03), "untyped atomic simd4x2", untyped_atomic_4x2),                     // MSD1*_DWAI*_4x2
    row(dc(0x04), "media block read", media_block_read),                             // MSD1R_MB
    row(dc(0x05), "typed surface read", typed_read),                                 // MSD1R_TS
    row(dc(0x06), "typed atomic", typed_atomic),                                     // MSD1*_DWTAI*
    row(dc(0x07), "typed atomic simd4x2", typed_atomic_4x2),                         // MSD1*_DWTAI*_4x2
    row(dc(0x09), "untyped surface write", untyped_write, transfer::untyped_write),  // MSD1W_US
    row(dc(0x0a), "media block write", media_block_write),                           // MSD1W_MB
    row(dc(0x0b), "atomic counter", atomic_counter),                                 // MSD1*_DWAC*
    row(dc(0x0c), "atomic counter simd4x2", atomic_counter_4x2),                     // MSD1*_DWAC*_4x2
    row(dc(0x0d), "typed surface write", typed_write),                               // MSD1W_TS
    row(scattered(0x10, 0), "a64 byte scattered read", a64_byte_scattered_read, transfer::a64_byte_scattered_read),  //
    row(scattered(0x10, 1), "a64 dword scattered read", a64_dword_scattered_read,
        transfer::a64_dword_scattered_read),  // MSD1R_A64_DWS
    row(scattered(0x10, 2), "a64 qword scattered read", a64_qword_scattered_read,
        transfer::a64_qword_scattered_read),                                                  //
    row(dc(0x11), "a64 untyped surface read", a64_untyped_read, transfer::a64_untyped_read),  // MSD1R_A64_US
    row(a64_atomics(0x12, 0), "a64 untyped dword atomic", a64_dword_atomic,
        transfer::a64_dword_atomic),  // MSD1*_A64_DWAI*
    row(a64_atomics(0x12, 1), "a64 untyped qword atomic", a64_qword_atomic,
        transfer::a64_qword_atomic),                                                      // MSD1*_A64_QWAI*
    row(a64_atomics(0x13, 0), "a64 untyped dword atomic simd4x2", a64_dword_atomic_4x2),  // MSD1*_A64_DWAI*_4x2
    row(a64_atomics(0x13, 1), "a64 untyped qword atomic simd4x2", a64_qword_atomic_4x2),  // MSD1*_A64_QWAI*_4x2
    row(block(0x14, 0), "a64 oword block read", a64_oword_block_read, transfer::a64_oword_block_read),  // MSD1R_A64_OWB
    row(block(0x14, 1), "a64 unaligned oword block read", a64_unaligned_oword_block_read,
        transfer::a64_unaligned_oword_block_read),                                // MSD1R_A64_OWUB
    row(block(0x14, 2), "a64 oword dual block read", a64_oword_dual_block_read),  // MSD1R_A64_OWDB
    row(block(0x14, 3), "a64 hword block read", a64_hword_block_read, transfer::a64_hword_block_read),  // MSD1R_A64_HWB
    row(block(0x15, 0), "a64 oword block write", a64_oword_block_write,
        transfer::a64_oword_block_write),                                           // MSD1W_A64_OWB
    row(block(0x15, 2), "a64 oword dual block write", a64_oword_dual_block_write),  // MSD1W_A64_OWDB
    row(block(0x15, 3), "a64 hword block write", a64_hword_block_write,
        transfer::a64_hword_block_write),                                                        // MSD1W_A64_HWB
    row(dc(0x19), "a64 untyped surface write", a64_untyped_write, transfer::a64_untyped_write),  // MSD1W_A64_US
    row(scattered(0x1a, 0), "a64 byte scattered write", a64_byte_scattered_write,
        transfer::a64_byte_scattered_write),  // MSD1W_A64_BS
    row(scattered(0x1a, 1), "a64 dword scattered write", a64_dword_scattered_write,
        transfer::a64_dword_scattered_write),  // MSD1W_A64_DWS
    row(scattered(0x1a, 2), "a64 qword scattered write", a64_qword_scattered_write,
        transfer::a64_qword_scattered_write),  // MSD1W_A64_QWS
});

// --- read-only data cache
inline constexpr std::array dcro = std::to_array<Row>({
    row(dc(0), "constant oword block read", oword_block_read, transfer::oword_block_read),  // MSD_CC_OWB
    row(dc(1), "constant unaligned oword block read", unaligned_oword_block_read,
        transfer::unaligned_oword_block_read),                            // MSD_CC_OWUB
    row(dc(2), "constant oword dual block read", oword_dual_block_read),  //
    row(dc(3) & legacy_simd, "constant dword scattered read", dword_scattered_read, transfer::dword_scattered_read),  //
});

}  // namespace vitro::shared::rows
