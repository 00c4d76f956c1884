// The sampling engine (SFID 2): messages that read surfaces through coordinates, filters and level selection, that load
// single texels, and that ask about surfaces. PRM: Gen6 vol 4 part 1 "Sampling Engine"; Gen8 vol 7 "3D Sampler"; Gen9
// likewise with a changed order of ld's parameters and the _lz messages.
// Parameters come in the order a generation's row lists; each is one dword per channel. What a row computes is a plain
// function over a SamplerCall.
// Filtering is done in 32-bit floats with the hardware's 8-bit weights (texel coordinates and LODs are rounded to
// 1/256). Not modelled: anisotropic filters, which fall back on linear ones and are counted; chroma keys; the media
// messages (sample_unorm, sample_8x8, deinterlace), SIMD8D, and messages that end their thread, whose results go to a
// render target: they are named Faults. Caches are not modelled, so a flush of theirs has nothing to do.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/bits.h"
#include "eu/message.h"
#include "shared/environment.h"
#include "shared/image/images.h"
#include "shared/sampler/site.h"
#include "state/sampler.h"

namespace vitro::shared {

inline constexpr uint8_t sampler_sfid = 2;
inline constexpr unsigned max_sampler_lanes = 16;
inline constexpr unsigned bindless_surface = 252;  // instead of a binding table index

enum class Parameter : uint8_t {
  none,
  u,
  v,
  r,
  ai,
  lod,
  bias,
  ref,
  dudx,
  dudy,
  dvdx,
  dvdy,
  drdx,
  drdy,
  si,
  mcs_low,
  mcs_high,
  offu,
  offv,
  mlod,
};
inline constexpr size_t parameter_count = size_t(Parameter::mlod) + 1;
inline constexpr size_t max_parameters = 12;

enum class LodSource : uint8_t { zero, implicit, biased, explicit_, gradients };
enum class Footprint : uint8_t { average, minimum, maximum };

struct SamplerCall;

// One message type. A row without a function is known by name only.
struct SamplerMessage {
  std::string_view name{};
  std::array<Parameter, max_parameters> parameters{};
  eu::Reply (*run)(SamplerCall&) = nullptr;
  LodSource lod = LodSource::zero;
  bool compare = false;
  Footprint footprint = Footprint::average;
  bool surface = true;  // reads or describes one
};

// As the descriptor has it, and SIMD8D, which is SIMD4x2 without a header that says so.
enum class SamplerSimd : uint8_t { simd4x2, simd8, simd16, simd32_64, simd8d };

// One generation's sampling engine.
struct SamplerEngineLayout {
  const state::SurfaceLayout& surface;
  const state::SamplerLayout& sampler;
  Bits type, simd_mode, index;
  Bits half_return;                           // results in 16 bits; absent: always 32
  bool has_bindless = false;                  // binding table index 252: the extended descriptor names the surface
  bool header_chooses_4x2 = false;            // SIMD mode 0 is SIMD8D unless the header says SIMD4x2
  bool pixel_null_mask = false;               // a header may ask for a mask of null pages
  bool flushes_denormals = false;             // of 32-bit floats, in what is filtered
  std::array<SamplerMessage, 64> messages{};  // by type; from 32 on those of SIMD32/64, which has types of its own

  const SamplerMessage& message(uint32_t desc) const {
    const Word128 word{desc, 0};
    const bool wide = SamplerSimd(extract(word, simd_mode)) == SamplerSimd::simd32_64;
    return messages[extract(word, type) + (wide ? 32 : 0)];
  }
};
extern const SamplerEngineLayout sampler_engine_gen6, sampler_engine_gen8, sampler_engine_gen9;

// A sampler state with what derives from it, kept for a dispatch.
struct ResolvedSampler {
  uint64_t dispatch = ~uint64_t{0}, address = 0;
  state::Sampler state{};
  const formats::Format* border_format = nullptr;  // that `border` is for
  formats::Rgba border{};
};

// One generation's engine in front of an environment; belongs to one host thread, as the environment does.
struct SamplingEngine {
  const SamplerEngineLayout& layout;
  Environment& environment;
  Images images;
  std::array<ResolvedSampler, 64> samplers{};
  bool routines = true;  // messages that can be are carried out as such
  std::array<SamplerSite, 32> sites{};

  SamplingEngine(const SamplerEngineLayout& l, Environment& e) : layout(l), environment(e), images(l.surface, e) {}
  SamplingEngine(const SamplingEngine&) = delete;
  SamplingEngine& operator=(const SamplingEngine&) = delete;

  // Puts the engine behind its SFID; it must stay where it is.
  void install(eu::SharedFunctions& functions);
  // The sampler state at an address, and its border colour for a format.
  ResolvedSampler& sampler_at(uint64_t address, const formats::Format* format);
  uint64_t sampler_address(uint32_t desc, uint32_t table) const {
    return environment.bases.dynamic.address + table +
           uint64_t(extract(Word128{desc, 0}, layout.index)) * state::sampler_bytes;
  }
  const Image& image_of(uint32_t desc, uint32_t ex_desc) {
    const unsigned bti = desc & 255;
    return bti == bindless_surface && layout.has_bindless ? images.bindless(ex_desc) : images.bound(bti);
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
