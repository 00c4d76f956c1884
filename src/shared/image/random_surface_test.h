// Surfaces and coordinates by chance, for tests that compare messages carried out by lanes with the general way. What
// they hold is chance, too: bytes, or numbers near one. No part of the machine.
#pragma once

#include <cmath>
#include <limits>
#include <random>

#include "shared/image/guest_test.h"

namespace vitro::shared::test {

struct Chance {
  std::mt19937 engine;
  explicit Chance(unsigned seed) : engine(seed) {}
  uint32_t bits() { return uint32_t(engine()); }
  uint32_t below(uint32_t n) { return bits() % n; }
  bool one_in(uint32_t n) { return below(n) == 0; }
  template <class T, size_t n>
  const T& of(const T (&all)[n]) {
    return all[below(n)];
  }
};

inline void fill_texture(Chance& chance, Guest& guest) {
  constexpr size_t first = texture_base - guest_base, bytes = 0x80000;
  const bool numbers = chance.one_in(2);
  for (size_t at = 0; at < bytes; at += 4) {
    const uint32_t v = numbers ? bits_of(float(int32_t(chance.below(4001)) - 2000) / 1000) : chance.bits();
    std::memcpy(guest.ram.data() + first + at, &v, 4);
  }
}

// The common formats half of the time, else any that has a decoder.
inline const formats::Format& random_format(Chance& chance) {
  static constexpr const char* common[] = {
      "R8G8B8A8_UNORM",    "R8G8B8A8_UINT",      "R8G8B8A8_SINT",      "R8G8B8A8_SNORM", "B8G8R8A8_UNORM",
      "B8G8R8X8_UNORM",    "R32_FLOAT",          "R32_UINT",           "R32_SINT",       "R32G32B32A32_FLOAT",
      "R32G32B32A32_UINT", "R32G32B32A32_SINT",  "R16_FLOAT",          "R8_UNORM",       "R8_UINT",
      "R8_SINT",           "R16G16B16A16_FLOAT", "R16G16B16A16_UNORM", "R16_UNORM",      "R8G8_UNORM",
      "R32G32_FLOAT",      "A8_UNORM",           "L8_UNORM",           "I8_UNORM"};
  if (chance.one_in(2)) return *formats::find(std::string_view(chance.of(common)));
  const auto all = formats::all();
  for (;;) {
    const formats::Format& f = all[chance.below(uint32_t(all.size()))];
    if (f.decode) return f;
  }
}

inline state::Surface random_surface(Chance& chance, bool buffers) {
  using state::ChannelSelect;
  state::Surface s;
  const formats::Format& f = random_format(chance);
  const uint32_t bytes = std::max(f.bytes(), 1u);
  s.format = f.code;
  s.base = texture_base;
  s.horizontal_alignment = s.vertical_alignment = 1;
  if (buffers && chance.one_in(6)) {
    s.type = state::SurfaceType::buffer;
    s.width_less_1 = chance.below(100);
    s.pitch_less_1 = bytes - 1 + (chance.one_in(4) ? 16 : 0);
    return s;
  }
  const bool one_dimension = chance.one_in(4);
  s.type = one_dimension ? state::SurfaceType::one_d : state::SurfaceType::two_d;
  s.width_less_1 = chance.below(chance.one_in(3) ? 4 : 70), s.height_less_1 = one_dimension ? 0 : chance.below(40);
  static constexpr state::TileMode tilings[] = {state::TileMode::linear, state::TileMode::x, state::TileMode::y};
  set_tiling(s, chance.of(tilings));
  s.pitch_less_1 = (2 * s.width_less_1 + 2) * bytes / 512 * 512 + 512 - 1;
  if (chance.one_in(3)) {
    s.array = true;
    s.depth_less_1 = s.view_extent_less_1 = uint16_t(chance.below(4));
    s.min_array_element = uint16_t(chance.below(2));
    s.qpitch_field = uint16_t(16 + chance.below(4));
  }
  if (chance.one_in(3)) s.mip_count = uint8_t(chance.below(3)), s.min_lod = uint8_t(chance.below(2));
  if (chance.one_in(3)) {
    static constexpr ChannelSelect selects[] = {ChannelSelect::zero,  ChannelSelect::one,  ChannelSelect::red,
                                                ChannelSelect::green, ChannelSelect::blue, ChannelSelect::alpha};
    s.red_select = chance.of(selects), s.green_select = chance.of(selects);
    s.blue_select = chance.of(selects), s.alpha_select = chance.of(selects);
  }
  return s;
}

// In a unit of `size`: mostly inside or near, sometimes far away or no number.
inline float random_coordinate(Chance& chance, float size) {
  static constexpr float odd[] = {std::numeric_limits<float>::quiet_NaN(),
                                  std::numeric_limits<float>::infinity(),
                                  -std::numeric_limits<float>::infinity(),
                                  0x1p22f,
                                  -0x1p22f,
                                  0x1p30f,
                                  -0x1p31f,
                                  3e38f,
                                  -0.0f,
                                  1e-40f,
                                  -1e-40f,
                                  -2e-38f};
  const float unit = float(chance.bits()) * 0x1p-32f;
  switch (chance.below(8)) {
    case 0: return chance.of(odd);
    case 1: return (unit - 0.5f) * size * 1e4f;
    case 2: return std::floor(unit * size * 4) * 0.5f - size / 2;
    case 3: return (unit - 0.5f) * size * 6;
    default: return unit * size;
  }
}
inline uint32_t random_integer(Chance& chance, uint32_t size) {
  switch (chance.below(8)) {
    case 0: return chance.bits();
    case 1: return size + chance.below(4);
    case 2: return 0 - chance.below(4);
    default: return chance.below(size);
  }
}

}  // namespace vitro::shared::test
