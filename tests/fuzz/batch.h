// What the fuzz target of batches and the program that writes its seeds agree on: how an input becomes a device, an
// engine and memory. Byte 0 chooses the device, byte 1 the engine (bits 0-1) and strict mode (bit 2); the rest is the
// first 8 KB of an object of 64 KB at `base`, and zeros follow. A batch begins at its first byte.
#pragma once

#include <cstddef>
#include <cstdint>

namespace vitro::fuzz {

inline constexpr uint64_t base = 0x10000, object_bytes = 0x10000;
inline constexpr size_t header_bytes = 2, image_bytes = 0x2000;
// Where the seeds have their parts.
inline constexpr uint32_t dynamic_at = 0x400, curbe_at = 0x440, surfaces_at = 0x800, bindings_at = 0xA00,
                          kernel_at = 0xC00, data_at = 0x4000;

}  // namespace vitro::fuzz
