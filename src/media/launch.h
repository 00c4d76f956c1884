// What all media and GPGPU threads have in common when they are started: the interface descriptor, the kernel, r0 and
// the constants. PRM: Gen8 vol 7 "Thread Payload"; INTERFACE_DESCRIPTOR_DATA. Worked example: scratch space of code 2
// (4 KB) at offset 0xFFF1B000 makes r0.5 of the thread with FFTID 3 0xFFF1E003.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "media/state.h"

namespace vitro::media {

inline constexpr size_t reg_bytes = eu::reg_bytes;
inline constexpr size_t most_payload_registers = eu::grf_count - 1;

// The dwords of r0 that do not depend on where the thread stands in its dispatch.
struct Header {
  uint32_t samplers = 0;                     // r0.3
  uint32_t bindings = 0;                     // r0.4
  uint32_t scratch = 0, scratch_shift = 10;  // r0.5: base, and the size of one thread's as a power of two
  uint32_t fftid_mask = 0;

  uint32_t r0_5(unsigned fftid) const {
    return ((scratch + (fftid << scratch_shift)) & ~0x3FFu) | (fftid & fftid_mask);
  }
};

struct Launch {
  commands::InterfaceDescriptor descriptor;
  uint32_t descriptor_offset = 0;  // from the dynamic state base
  Header header;
  dispatch::ThreadState state;
  uint32_t slm_bytes = 0;
};

tl::unexpected<Failure> failure(std::string reason);
// From a descriptor in memory, at an offset from the dynamic state base.
tl::expected<Launch, Failure> launch_at(const State&, dispatch::ProgramCache&, const Traits&, const state::Bases&,
                                        memory::View&, uint32_t offset);
// From a descriptor that was loaded.
tl::expected<Launch, Failure> launch_of(const State&, Surroundings&, unsigned number);

// `bytes` of the constants that were loaded, from a register on; what was not loaded is zero.
std::vector<std::byte> read_curbe(const State&, const state::Bases&, memory::View&, uint32_t first_register,
                                  size_t bytes);
// Of indirect data, likewise.
std::vector<std::byte> read_indirect(const state::Bases&, memory::View&, uint32_t start, uint32_t length, size_t bytes);

// A dispatch of such threads, but for its groups and payloads.
dispatch::Work work_for(const State&, Surroundings&, const Launch&);
Outcome run(Surroundings&, const dispatch::Work&);

// The barrier's id in r0.2.
uint32_t barrier_bits(const shared::GatewayLayout&, unsigned id);

}  // namespace vitro::media
