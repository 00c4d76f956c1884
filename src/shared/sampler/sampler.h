// The sampling engine (SFID 2): messages that read surfaces through coordinates, filters and level selection, that load
// single texels, and that ask about surfaces. PRM: Gen6 vol 4 part 1 "Sampling Engine"; Gen8 vol 7 "3D Sampler"; Gen9
// likewise with a changed order of ld's parameters and the _lz messages.
// Parameters come in the order that a row of the message table lists; each is one dword per channel. What a row
// computes is a plain function over a SamplerCall.
// Filtering is done in 32-bit floats with the hardware's 8-bit weights (texel coordinates and LODs are rounded to
// 1/256). Not modelled: the monochrome filter, the media messages (sample_unorm, sample_8x8, deinterlace), SIMD8D,
// which no document describes, and messages that end their thread, whose results go to a render target: they are named
// Faults. Caches are not modelled, so a flush of theirs has nothing to do.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/bits.h"
#include "eu/message.h"
#include "isa/message_tables.h"
#include "shared/bindings.h"

namespace vitro::shared {

inline constexpr uint8_t sampler_sfid = 2;
inline constexpr unsigned max_sampler_lanes = 16;

using isa::Footprint, isa::LodSource, isa::Parameter;
using isa::max_parameters, isa::parameter_count;

struct SamplerCall;

// What a message of an action does; an action of isa/actions.def without one does not compile.
template <isa::MessageAction action>
eu::Reply act(SamplerCall&) = delete;
#define SAMPLER_ACTION(name, ...) \
  template <>                     \
  eu::Reply act<isa::MessageAction::name>(SamplerCall&);
#include "isa/actions.def"

// One generation's sampling engine.
struct SamplerEngineLayout {
  const state::SurfaceLayout& surface;
  const state::SamplerLayout& sampler;
  const isa::MessageTables& messages;
  uint32_t sampler_pointer_mask = ~31u;  // of M0.3
  bool header_chooses_4x2 = false;       // SIMD mode 0 is SIMD8D unless the header says SIMD4x2
  bool pixel_null_mask = false;          // a header may ask for a mask of null pages
  bool flushes_denormals = false;        // of 32-bit floats, in what is filtered
};
extern const SamplerEngineLayout sampler_engine_gen6, sampler_engine_gen8, sampler_engine_gen9;

// One generation's engine in front of an environment; belongs to one host thread, as the environment does.
struct SamplingEngine {
  const SamplerEngineLayout& layout;
  Environment& environment;
  Surfaces surfaces;
  bool routines = true;  // messages that can be are carried out as such
  // Of what the bindings have no room for.
  std::unique_ptr<ResolvedSampler> spare_sampler{};
  std::unique_ptr<SamplerSite> spare_site{};

  SamplingEngine(const SamplerEngineLayout& l, Environment& e) : layout(l), environment(e), surfaces(l.surface, e) {}
  SamplingEngine(const SamplingEngine&) = delete;
  SamplingEngine& operator=(const SamplingEngine&) = delete;

  // Puts the engine behind its SFID; it must stay where it is.
  void install(eu::SharedFunctions& functions);
  // What a message is carried out with as a routine; null if it is none.
  SamplerSite* site_of(const SiteName&);
  // The sampler state at an address, and its border colour for a format.
  const ResolvedSampler& sampler_at(uint64_t address, const formats::Format* format);
  uint64_t sampler_address(const isa::MessageRow& row, uint32_t desc, uint32_t table) const {
    return environment.bases.dynamic.address + table +
           uint64_t(isa::field_of(row, isa::FieldRole::sampler, desc)) * state::sampler_bytes;
  }
};

// What a message is made of; `payload` and `second` are whole registers, `response` may be empty or be the payload.
struct SamplerRequest {
  uint32_t desc = 0, ex_desc = 0;
  uint32_t channels = 0;  // from bit 0
  std::span<const std::byte> payload{}, second{};
  std::span<std::byte> response{};
};
eu::Reply run_sampler_message(SamplingEngine&, const SamplerRequest&, std::string& reason);

}  // namespace vitro::shared
