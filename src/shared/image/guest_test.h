// A little guest for tests of images, typed messages and samplers: memory at a fixed address, base addresses, a binding
// table with surface states, sampler states and border colours, all encoded by the layouts of the generation under
// test.
#pragma once

#include <array>
#include <bit>
#include <cstring>
#include <span>
#include <vector>

#include "formats/format.h"
#include "memory/address_space.h"
#include "memory/view.h"
#include "shared/bindings.h"
#include "state/sampler.h"
#include "state/surface.h"

namespace vitro::shared {

inline constexpr uint64_t guest_base = 0x40000, guest_bytes = 4 << 20;
inline constexpr uint64_t surface_heap = guest_base, dynamic_heap = guest_base + 0x10000;
inline constexpr uint64_t texture_base = guest_base + 0x20000;
inline constexpr uint32_t binding_table = 0x40, sampler_table = 0x100, border_offset = 0x800;

inline uint32_t bits_of(float f) { return std::bit_cast<uint32_t>(f); }
inline float float_of(uint32_t v) { return std::bit_cast<float>(v); }

struct Guest {
  const state::SurfaceLayout& layout;
  std::vector<std::byte> ram = std::vector<std::byte>(guest_bytes);
  memory::AddressSpace space{};
  memory::View view;
  std::unique_ptr<Bindings> bindings{};
  Environment environment{};

  explicit Guest(const state::SurfaceLayout& l) : layout(l), view(bound(space, ram)) {
    environment.memory = &view;
    environment.bases.surface.address = surface_heap;
    environment.bases.dynamic.address = dynamic_heap;
    environment.bases.bindless_surface.address = surface_heap;
    environment.binding_table = binding_table;
    environment.sampler_table = sampler_table;
    rebind();
  }
  Guest(const Guest&) = delete;

  void rebind() {
    bindings = std::make_unique<Bindings>();
    environment.bindings = bindings.get();
  }
  static std::shared_ptr<const memory::Table> bound(memory::AddressSpace& space, std::vector<std::byte>& ram) {
    space.bind(std::array{memory::Range{guest_base, ram.size(), ram.data()}});
    return space.table();
  }

  // Surface `index` of the binding table, with its state at 0x1000 + 64 * index; as a bindless handle: ExDesc.
  uint32_t set_surface(unsigned index, const state::Surface& s) {
    std::array<uint32_t, state::surface_dwords> packet{};
    layout.encode(s, std::span(packet).first(layout.rules.dwords));
    const uint32_t offset = 0x1000 + 64 * index;
    view.write(surface_heap + offset, std::as_bytes(std::span(packet)));
    view.store<uint32_t>(surface_heap + binding_table + 4 * index, offset);
    rebind();
    return offset / 64 << 12;
  }
  void set_sampler(const state::SamplerLayout& samplers, unsigned index, state::Sampler s,
                   std::array<float, 4> border = {}) {
    s.border_pointer = border_offset;
    std::array<uint32_t, state::sampler_dwords> packet{};
    samplers.encode(s, packet);
    view.write(dynamic_heap + sampler_table + 16 * index, std::as_bytes(std::span(packet)));
    // Gen6 keeps floats behind one dword.
    const uint32_t at = samplers.border_dwords > 4 ? 4 : 0;
    for (uint32_t n = 0; n < 4; ++n) view.store(dynamic_heap + border_offset + at + 4 * n, border[n]);
    rebind();
  }

  template <class T>
  void put(uint64_t address, std::initializer_list<T> values) {
    for (const T& v : values) view.store(address, v), address += sizeof v;
  }
};

// A 2D surface without tiles at texture_base. Fields that a generation lacks are left out by its layout.
inline state::Surface plain_2d(std::string_view format, uint32_t width, uint32_t height, uint32_t pitch) {
  state::Surface s;
  s.type = state::SurfaceType::two_d;
  s.format = formats::find(format)->code;
  s.base = texture_base;
  s.width_less_1 = width - 1, s.height_less_1 = height - 1, s.pitch_less_1 = pitch - 1;
  s.horizontal_alignment = 1, s.vertical_alignment = 1;
  return s;
}

// The tiling of surfaces is encoded in two ways.
inline void set_tiling(state::Surface& s, state::TileMode mode) {
  static constexpr uint8_t codes[] = {0, 1, 2, 3, 3, 3};
  s.tile_mode = codes[size_t(mode)];
  s.tiled_resource_mode = mode == state::TileMode::yf ? 1 : mode == state::TileMode::ys ? 2 : 0;
  s.tiled = mode == state::TileMode::x || mode == state::TileMode::y;
  s.tile_walk_y = mode == state::TileMode::y;
}

// As the hardware would see it.
inline state::Surface through(const state::SurfaceLayout& layout, const state::Surface& s) {
  std::array<uint32_t, state::surface_dwords> packet{};
  layout.encode(s, std::span(packet).first(layout.rules.dwords));
  return layout.decode(std::span(packet).first(layout.rules.dwords));
}

}  // namespace vitro::shared
