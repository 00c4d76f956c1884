// Sampler messages as routines: where surface and sampler are of the common kinds, a message is eights of lanes through
// the same few steps (sample_lanes.h), and what the steps need is found once for a descriptor. The
// results are those of sample() and load(), which do everything else. PRM: as sampler.h. Not of this kind, besides what
// sample_lanes.h leaves out: SIMD4x2, results in 16 bits, memory that is strictly checked.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>

#include "code/routines.h"
#include "shared/sampler/sample_lanes.h"

namespace vitro::shared {

struct SamplingEngine;
struct SamplerRequest;

// By what a site is known. Only some bits of the header count, and of the extended descriptor the surface.
struct SiteName {
  static constexpr uint32_t header_bits = 0xC0FFFF;  // offsets, channel masks, null mask, SIMD4x2
  uint32_t desc = 0, ex_desc = 0, header = 0, sampler_table = 0;
  uint32_t room = 0;  // registers of the response
  bool operator==(const SiteName&) const = default;
};

struct SamplerSite {
  SiteName name{};
  // The host's form, for vectors of eight dwords: parameters in, channels out. Null: the message is no routine.
  void (*run)(const SamplerSite&, const uint32_t* in, uint32_t* out) = nullptr;
  code::Routine* routine = nullptr;  // the same as machine code; null: there will be none
  std::atomic<uint32_t> runs{0};     // until somebody has asked for that

  static constexpr unsigned inputs = sample_input_count;
  uint8_t eights = 1;                      // of lanes, and registers of a parameter
  uint8_t channels = 4;                    // of the response
  uint8_t needed = 0;                      // inputs: a bit for each
  std::array<int8_t, inputs> parameter{};  // the register of each of them; -1: none
  SampleKey key{};
  SampleFacts facts{};

  void carry_out(code::Routines*, const SamplerRequest&);
  // For code that sends the message; null if it has to be sent here.
  const void* vectors() const;
  // Code fills all channels that the response has room for.
  bool suits_code() const { return channels == std::min(4u, name.room / eights); }
};

// Fills in a new one what follows from its name.
void find_site(SamplingEngine&, SamplerSite&);

// What a sampler state decides, for an image of this many levels.
void apply_sampler(const state::Sampler&, const Image&, SampleKey&, SampleFacts&);

}  // namespace vitro::shared
