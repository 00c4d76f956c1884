// Facts of the binary format that both directions need. Document: "Header"; where the document and Intel's reader
// differ, the reader decides: names have 16-bit lengths from 3.7 on, alignments have four bits.
#pragma once

#include "visa/object.h"

namespace vitro::visa {

inline constexpr uint32_t object_magic = 0x41534943;  // "CISA"

// Where versions differ.
constexpr bool wide_ids(uint32_t v) { return v >= version(3, 4); }
constexpr bool wide_input_count(uint32_t v) { return v >= version(3, 5); }
constexpr bool wide_name_length(uint32_t v) { return v >= version(3, 7); }
constexpr bool wide_sampler_op(uint32_t v) { return v >= version(4, 0); }
constexpr bool typed_with_execution(uint32_t v) { return v >= version(3, 2); }  // gather4_typed, scatter4_typed

// The sampler's operation with its flags: as in 4.0, and in one byte before.
constexpr uint16_t from_narrow_op(uint8_t b) { return uint16_t((b & 31) | (b >> 5 & 7) << 8); }
constexpr uint8_t to_narrow_op(uint16_t w) { return uint8_t((w & 31) | (w >> 8 & 7) << 5); }

}  // namespace vitro::visa
