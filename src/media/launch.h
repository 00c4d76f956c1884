// What all media and GPGPU threads have in common when they are started: the interface descriptor, the kernel, r0 and
// the constants. PRM: Gen8 vol 7 "Thread Payload"; INTERFACE_DESCRIPTOR_DATA.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "media/state.h"

namespace vitro::media {

inline constexpr size_t reg_bytes = eu::reg_bytes;
inline constexpr size_t most_payload_registers = eu::grf_count - 1;

// From a descriptor in memory, at an offset from the dynamic state base.
tl::expected<Launch, Fault> launch_at(const State&, dispatch::ProgramCache&, const Traits&, const state::Bases&,
                                      memory::View&, uint32_t offset);
// For a descriptor that was loaded: as it was prepared last if nothing has changed.
tl::expected<Prepared*, Fault> prepare(const State&, Surroundings&, unsigned number);

// The constants that were loaded, from a register on; what was not loaded is zero.
void read_curbe(const State&, const state::Bases&, memory::View&, uint32_t first_register, std::span<std::byte> to);
// Of indirect data, likewise.
void read_indirect(const state::Bases&, memory::View&, uint32_t start, uint32_t length, std::span<std::byte> to);

Outcome run(Surroundings&, const dispatch::Stage&, const dispatch::Threads&);

// The barrier's id in r0.2.
uint32_t barrier_bits(const shared::GatewayLayout&, unsigned id);

}  // namespace vitro::media
