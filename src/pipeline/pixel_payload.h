// Payloads of pixel threads: r0, positions and masks, barycentrics, depth and the rest that the state asks for, push
// constants, and setup data of attributes. PRM: Gen8 vol 7 "Pixel Shader Thread Payload", "Setup Backend (SBE)";
// 3DSTATE_SBE, 3DSTATE_SBE_SWIZ, 3DSTATE_WM, 3DSTATE_PS, 3DSTATE_PS_EXTRA. Constants and setup data stand at the
// programmed register, whatever is before it. Not modelled: wrapping the shortest way of attributes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/fault.h"
#include "eu/thread.h"
#include "pipeline/draw.h"
#include "shared/pixel_context.h"

namespace vitro::pipeline {

// Places that values are interpolated at.
enum class InterpolationPlace : uint8_t { pixel = 0, centroid = 2, sample = 3 };

// Which width of kernel; draw.ps has them in this order.
inline constexpr std::array<unsigned, 3> pixel_lanes = {8, 16, 32};

// What threads of one width get, for a draw.
struct PixelLayout {
  unsigned width = 0;        // an index of pixel_lanes
  unsigned start = 0;        // register of push constants and setup data
  uint8_t barycentrics = 0;  // a bit for each mode
  bool depth = false, w = false;
  InterpolationPlace zw = InterpolationPlace::pixel;
  uint8_t offsets = 0;  // Position XY Offset Select; 0: none
  bool coverage = false, tested_coverage = false;
  unsigned own = 0;  // registers from r0 on that each thread has of its own
  unsigned push_registers = 0, attributes = 0;
  uint32_t r0_0 = 0, color_calc = 0;
  dispatch::ThreadHeader header{};

  unsigned lanes() const { return pixel_lanes[width]; }
  unsigned setup_at() const { return start + push_registers; }
  // Whether registers of another one have the same meaning.
  bool same_registers(const PixelLayout& l) const {
    return width == l.width && start == l.start && own == l.own && barycentrics == l.barycentrics &&
           push_registers == l.push_registers && attributes == l.attributes;
  }
};
// How threads of a width follow each other in compiled code, whose constants start at a register; not at all if parts
// of the payload overlap.
code::ChainForm pixel_chain(const state::Pipeline&, unsigned width, unsigned start);
std::optional<Fault> find_pixel_layout(const Draw&, unsigned width, PixelLayout&);

// Where samples are, and the pixel as a whole.
void find_sample_places(const Draw&, shared::PixelContext&);

// Setup data of a primitive: 16 dwords for each attribute.
inline constexpr size_t setup_dwords = 16, most_attributes = 32;
struct alignas(eu::reg_bytes) SetupData : std::array<uint32_t, most_attributes * setup_dwords> {};
void set_up_attributes(const Draw&, const Primitive&, unsigned attributes, SetupData& to);
void set_barycentrics(const Primitive&, shared::Barycentrics&);

// The registers that are their own, of threads of one primitive, one thread behind the other; and the others.
struct PixelThreads {
  const PixelLayout& layout;
  const Primitive& primitive;
  shared::PixelContext& pixels;  // is told of each
  unsigned fftid = 0;
  std::span<shared::PixelThread> threads{};
  const uint32_t* masks = nullptr;  // for dispatch, of each
};
void fill_own_registers(const PixelThreads&, std::byte* to);
void fill_common_registers(const PixelLayout&, std::span<const std::byte> push, const SetupData& setup, std::byte* grf);

}  // namespace vitro::pipeline
