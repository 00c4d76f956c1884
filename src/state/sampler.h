// SAMPLER_STATE and the border colour it points to. PRM: Gen8 vol 2d SAMPLER_STATE, SAMPLER_BORDER_COLOR_STATE,
// SAMPLER_INDIRECT_STATE; Gen6 vol 4 part 1 SAMPLER_STATE. The fields are as the structure stores them; functions say
// what they mean. Where generations differ (fixed-point LODs, the border colour's many encodings) a layout says how.
// Not modelled: the monochrome filter has a value only.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "formats/format.h"
#include "memory/view.h"
#include "state/bases.h"
#include "state/reads.h"

namespace vitro::state {

enum class MapFilter : uint8_t { nearest = 0, linear = 1, anisotropic = 2, mono = 6 };
enum class MipFilter : uint8_t { none = 0, nearest = 1, linear = 3 };
enum class AddressMode : uint8_t { wrap, mirror, clamp, cube, clamp_border, mirror_once, half_border };
// The result is 0 where the comparison of the texel with the reference holds.
enum class ShadowFunction : uint8_t { always, never, less, equal, lequal, greater, notequal, gequal };
enum class Reduction : uint8_t { standard, comparison, minimum, maximum };

struct Sampler {
  bool disable = false;
  MapFilter min_filter = MapFilter::nearest, mag_filter = MapFilter::nearest;
  MipFilter mip_filter = MipFilter::none;
  int16_t lod_bias_field = 0;
  uint16_t min_lod_field = 0, max_lod_field = 0;
  uint8_t base_mip_level_field = 0;      // U4.1
  uint8_t lod_preclamp = 0;              // 0: none
  bool lod_clamp_magnification = false;  // magnified texels use the mip filter, too
  bool border_mode_dx9 = false;
  bool min_mag_differ = false;  // Gen6
  bool cube_override = false;   // cubes are filtered over their edges whatever the address modes are
  ShadowFunction shadow_function = ShadowFunction::always;
  AddressMode tcx = AddressMode::wrap, tcy = AddressMode::wrap, tcz = AddressMode::wrap;
  bool non_normalized = false;
  uint8_t maximum_anisotropy = 0;
  uint8_t trilinear_quality = 0;
  bool u_min_rounding = false, u_mag_rounding = false, v_min_rounding = false, v_mag_rounding = false,
       r_min_rounding = false, r_mag_rounding = false;
  bool reduction_enable = false;
  Reduction reduction = Reduction::standard;
  uint32_t border_pointer = 0;                              // offset from the dynamic state base
  bool chroma_key_enable = false, chroma_key_mode = false;  // the mode: texels that match become black
  uint8_t chroma_key_index = 0;
  bool ewa = false;  // Anisotropic Algorithm

  // Filled in by decode, from the fields.
  float lod_bias = 0, min_lod = 0, max_lod = 0, base_mip_level = 0;

  // The largest ratio of a pixel's sides.
  float anisotropy() const { return 2.0f * (maximum_anisotropy + 1.0f); }
};

// 3DSTATE_CHROMA_KEY: the least and the largest value of each component, alpha, red, green, blue from the highest byte
// down.
struct ChromaKey {
  uint32_t low = 0, high = 0;
  bool operator==(const ChromaKey&) const = default;
};

inline constexpr int sampler_dwords = 4, sampler_bytes = 16;
inline constexpr int border_dwords = 12;  // of the longest

// A generation's encoding.
struct SamplerLayout {
  Sampler (*decode)(std::span<const uint32_t>) = nullptr;
  void (*encode)(const Sampler&, std::span<uint32_t>) = nullptr;
  // The border colour as a decoded texel of this format has its components, before those that it lacks are filled in.
  formats::Rgba (*border)(std::span<const uint32_t, border_dwords>, const formats::Format&) = nullptr;
  uint8_t border_dwords = 4;
};
extern const SamplerLayout sampler_gen6, sampler_gen8, sampler_gen9;

// The sampler state at an address. Here and below, what is read is noted in `reads`.
Sampler read_sampler(const SamplerLayout&, memory::View&, uint64_t address, Reads* reads = nullptr);
// The border colour of a sampler, clamped to what the format can hold and with the components it lacks.
formats::Rgba read_border(const SamplerLayout&, memory::View&, const Bases&, const Sampler&, const formats::Format&,
                          Reads* reads = nullptr);

}  // namespace vitro::state
