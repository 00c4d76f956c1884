// What the messages of a pixel thread need to know about it: where its pixels are, which of their samples are still to
// be written, how outputs are blended, and how its primitive is interpolated. PRM: Gen8 vol 7 "Pixel Shader Thread
// Payload", "Render Target Write", "Pixel Interpolator". Whoever dispatches pixel threads fills in a context for a draw
// and a record for each thread; they belong to one host thread, as the environment that refers to them does. Compiled
// code goes from thread to thread by itself: it says which record is the current one, and reads it.
// Lanes that execute and samples that are lit are two things: a lane without a lit sample runs for the sake of
// derivatives only, and writes nothing.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "state/three_d_objects.h"

namespace vitro::shared {

inline constexpr unsigned most_pixel_lanes = 32, most_pixel_samples = 16, lanes_of_subspan = 4;

// A place in a pixel, from its upper left corner.
struct PixelPlace {
  float x = 0.5f, y = 0.5f;
};

// A value that is linear in screen space.
struct ScreenPlane {
  float dx = 0, dy = 0, c = 0;
  float at(float x, float y) const { return c + dx * x + dy * y; }
};

// Weights of a primitive's second and third vertex.
struct Weights {
  float b1 = 0, b2 = 0;
};
struct Barycentrics {
  ScreenPlane l1{}, l2{}, inverse_w{};
  ScreenPlane n1{}, n2{};  // for attributes without perspective
  std::array<float, 3> inverse_ws{};
  float origin_x = 0, origin_y = 0;

  Weights linear(float x, float y) const {
    return {n1.at(x - origin_x, y - origin_y), n2.at(x - origin_x, y - origin_y)};
  }
  Weights perspective(float x, float y) const {
    x -= origin_x, y -= origin_y;
    const float inverse = inverse_w.at(x, y);
    return {l1.at(x, y) * inverse_ws[1] / inverse, l2.at(x, y) * inverse_ws[2] / inverse};
  }
};

// One thread of a draw.
struct PixelThread {
  struct Subspan {
    uint16_t x = 0, y = 0;  // of its upper left pixel
  };
  std::array<Subspan, most_pixel_lanes / lanes_of_subspan> subspans{};
  uint32_t layer = 0;  // of the primitive
  // Its render target messages have nothing to do but to blend and write colours, of whole pixels: all samples are lit
  // as the first ones are.
  uint32_t only_colours = 0;
  std::array<uint32_t, most_pixel_samples> lit{};  // by sample, a bit for each lane: what tests have left of those...
  std::array<uint32_t, most_pixel_samples> covered{};    // ...that the primitive covers
  int sample = -1;                                       // that it was dispatched for; below zero: for whole pixels
  uint32_t tested = 0;                                   // lanes whose late tests are over
  const Barycentrics* barycentrics = nullptr;            // of the primitive
  std::array<uint8_t, most_pixel_lanes> antialiasing{};  // coverage of lines' pixels, 0 to 255
  bool has_antialiasing = false;

  unsigned x(unsigned lane) const { return subspans[lane / lanes_of_subspan].x + (lane & 1); }
  unsigned y(unsigned lane) const { return subspans[lane / lanes_of_subspan].y + (lane >> 1 & 1); }
};

struct PixelContext;

// Tests that wait for what the thread computes. `lit` has the samples, by sample a bit for each lane, that the message
// leaves; those that fail are taken out of it. `depth` and `stencil` are null where the thread computes none; they are
// indexed by lane.
struct LateTests {
  void (*run)(void* context, PixelContext& pixels, std::array<uint32_t, most_pixel_samples>& lit, const float* depth,
              const uint8_t* stencil) = nullptr;
  void* context = nullptr;
};

// What colours are blended with.
struct ColourState {
  state::BlendState blend{};
  std::array<state::BlendStateEntry, 8> blend_entries{};
  state::ColorCalcState color_calc{};
  bool operator==(const ColourState&) const = default;
};

// A draw, and which of its threads runs.
struct PixelContext : ColourState {
  unsigned samples = 1;
  std::array<PixelPlace, most_pixel_samples> places{};  // of samples
  PixelPlace pixel{};                                   // of a pixel as a whole
  bool alpha_to_coverage = false;                       // as the blend state says and the shader allows
  // What messages without a header have in their payload.
  bool gives_depth = false, gives_omask = false, gives_stencil = false;
  LateTests late{};
  unsigned lanes = 8;  // of its threads: 8, 16 or 32
  PixelThread* thread = nullptr;

  // The pixel itself if it is covered wholly, or not at all; else the first sample that is.
  PixelPlace centroid(unsigned lane) const {
    unsigned count = 0, first = 0;
    for (unsigned s = samples; s-- > 0;)
      if (thread->covered[s] >> lane & 1) ++count, first = s;
    return count == 0 || count == samples ? pixel : places[first];
  }
};

}  // namespace vitro::shared
