// Render targets: surfaces made ready to be written by pixels. PRM:
// Gen8 vol 7 "Render Target Write", RENDER_SURFACE_STATE (MIP Count / LOD, Minimum Array Element, Render Target View
// Extent); "Multisample Control Surface". A target is one level of a surface and some of its slices.
// The control surface of multisampled targets knows three codes here: all ones (the clear colour), zero (all samples
// are in the first plane) and identity; others that drivers leave in memory are understood when they are read. Not
// modelled: compression of colours; targets that are buffers.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "shared/image/image.h"
#include "shared/image/texels.h"
#include "state/surface.h"

namespace vitro::shared {

using TexelBits = std::array<uint64_t, 2>;

struct RenderTarget {
  Image image{};
  std::string_view unsupported{};
  uint8_t level = 0;
  uint32_t first_slice = 0;  // besides the image's own
  uint32_t slices = 1;
  std::array<TexelBits, 4> channels{};           // bits of red, green, blue and alpha
  std::array<uint8_t, 4> component{0, 1, 2, 3};  // of the texel that each of the shader's goes to
  bool plain = true;                             // each its own
  bool logic = false;                            // logic operations apply
  uint8_t mcs_bytes = 0;                         // of an element of the control surface; 0: there is none
  // Eight pixels can be read and written at once; of several samples, where there is a control surface.
  bool in_lanes = false;
  SurfaceKey key{};
  SurfaceFacts facts{};          // of several samples, planes are slices
  std::byte* control = nullptr;  // the control surface in host memory

  bool is_null() const { return image.is_null(); }
  const ImageLevel& at() const { return image.levels[level]; }
  uint32_t slice(uint32_t layer) const { return first_slice + (layer < slices ? layer : 0); }
};
// Whether lanes may be used is for the memory to say.
RenderTarget render_target(memory::View&, const state::Surface&);
// The same part of a surface to be read only: of a format that no target has, too.
RenderTarget readable_target(const state::Surface&);

// Which plane sample s is in, by the code of its pixel.
enum : uint64_t { mcs_all_in_first = 0 };
uint64_t mcs_identity(unsigned log2_samples);
bool mcs_is_clear(unsigned log2_samples, uint64_t code);
unsigned mcs_plane(unsigned log2_samples, uint64_t code, unsigned sample);

// One pixel of a target: where it is, and its code if there is a control surface.
struct TargetPixel {
  memory::View& memory;
  const RenderTarget& target;
  uint32_t x = 0, y = 0, slice = 0;
  uint64_t code = 0;

  void load_code();
  void store_code(uint64_t code);
  // The bits of a sample, through the code; of a plane.
  TexelBits load(unsigned sample) const;
  void store_plane(unsigned plane, const TexelBits&) const;
  // So that each sample of `kept` is in its own plane, or all are as before if there is no code.
  void spread(uint32_t kept);
};

formats::Rgba decoded(const RenderTarget&, const TexelBits&);
TexelBits encoded(const RenderTarget&, const formats::Rgba&);
TexelBits clear_bits(const RenderTarget&);  // of the clear colour

}  // namespace vitro::shared
