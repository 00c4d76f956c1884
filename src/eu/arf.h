// Architecture registers as bytes: what a program reads when it names one, and what a write does.
// PRM: Gen6 vol 4 part 2 section 5.2; Gen8/9 the same with ce, tm, dbg, sp and a second flag.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "eu/thread.h"
#include "isa/model.h"

namespace vitro::eu {

using ArfImage = std::array<std::byte, 4 * reg_bytes>;

// The register's bytes from its sub-register 0; unpopulated sub-registers read as zero.
void read_arf(const Thread&, const isa::Model&, uint8_t reg, ArfImage&);
// Writes `bytes` at `offset`; read-only and unpopulated parts drop what is written. A write to ip jumps.
void write_arf(Thread&, const isa::Model&, uint8_t reg, int offset, std::span<const std::byte> bytes);

}  // namespace vitro::eu
