// One EU thread: everything a program can name, and where its channels stand.
// PRM: Gen6 vol 4 part 2 section 5.2 (GRF-01, MRF-01, ARF-00 and the ARF table), 5.3 (cr0), 5.7 (MK-01, per-channel
// IP); Gen9 vol 6 "Accumulator Registers" (B-31..B-37). Registers are the same struct on every generation; which of
// them a program may name is the model's business.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace vitro::eu {

inline constexpr int reg_bytes = 32;
inline constexpr int grf_count = 128;
inline constexpr int mrf_count = 24;
inline constexpr int max_channels = 32;

// An accumulator register holds 16 slots. A slot keeps an integer with all its bits (33 for words, 64 for dwords, sign
// extended), or the bits of a float; reading it with another type than it was written with is undefined (B-34).
using AccumulatorSlots = std::array<int64_t, 16>;

// Control register bits (cr0.0).
enum Control : uint32_t {
  cr_alt_mode = 1u << 0,     // FPMode: ALT instead of IEEE
  cr_spf = 1u << 2,          // single program flow
  cr_vector_mask = 1u << 3,  // VMask instead of DMask at dispatch
  cr_rounding_shift = 4,     // Gen8+: two bits, nearest even, up, down, to zero
  cr_keep_double_denorms = 1u << 6,
  cr_keep_float_denorms = 1u << 7,
  cr_keep_half_denorms = 1u << 10,
  cr_breakpoint_suppress = 1u << 15,
  cr_master_exception = 1u << 31,
};
// Exception status (31:16) and enable (15:0) bits of cr0.1, as places.
enum class Exception : uint8_t { breakpoint = 15, external_halt = 14, software = 13, illegal_opcode = 12 };

struct alignas(64) Thread {
  std::array<std::byte, grf_count * reg_bytes> grf{};
  std::array<std::byte, mrf_count * reg_bytes> mrf{};
  std::array<AccumulatorSlots, 2> acc{};
  std::array<std::array<uint32_t, 8>, 8> mme{};  // acc2..acc9: two extra exponent bits per channel
  std::array<uint16_t, 16> a0{};
  std::array<uint32_t, 2> flag{};
  std::array<uint32_t, 8> sr{};  // sr0.0-3, sr1.0-3
  std::array<uint32_t, 4> cr{};
  std::array<uint32_t, 3> notify{};
  std::array<uint16_t, 8> tdr{};
  std::array<uint32_t, 4> tm{};
  std::array<uint64_t, 2> sp{};
  std::array<uint32_t, 2> dbg{};

  uint32_t ip = 0;                                 // bytes from the program's start
  uint32_t active = 0;                             // channels whose IP is `ip`
  uint32_t dispatched = 0;                         // channels that take part at all (DMask or VMask)
  uint32_t call_mask = 0;                          // channels inside the innermost call
  uint32_t call_depth = 0;                         // calls not yet returned from
  std::array<uint32_t, max_channels> parked_at{};  // where an inactive channel waits

  bool ended = false;  // EOT was sent

  // At its start, once its registers are filled: sr0.0 and sr0.1, cr0.0 and cr0.1. What is seldom used is left as it
  // is.
  void begin(std::array<uint32_t, 2> state, std::array<uint32_t, 2> control) {
    a0 = {};
    flag = {};
    sr = {state[0], state[1]};
    cr = {control[0], control[1]};
    notify = {};
    ip = call_mask = call_depth = 0;
    ended = false;
  }
  // The channels that take part; each four run in the vector mask if one of them does, unless it is given.
  void enable(uint32_t dispatch_mask, uint32_t vector_mask = 0) {
    uint32_t any = dispatch_mask | dispatch_mask >> 1;
    any = (any | any >> 2) & 0x11111111u;
    sr[2] = dispatch_mask;
    sr[3] = vector_mask ? vector_mask : any * 15;
    active = dispatched = initial_mask();
  }

  bool has(Control bit) const { return cr[0] & bit; }
  bool single_program_flow() const { return has(cr_spf); }
  // Channels at dispatch: the vector mask or the dispatch mask (MK-02).
  uint32_t initial_mask() const { return has(cr_vector_mask) ? sr[3] : sr[2]; }
  int rounding_mode() const { return int(cr[0] >> cr_rounding_shift & 3); }
};

}  // namespace vitro::eu
