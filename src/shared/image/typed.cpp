// Typed surface read, write and atomic messages. PRM: as typed.h. A message's payload is U, V, R, LOD, as many as are
// there, then components or operands; how many of them the descriptor and the operation say, the rest are coordinates.
#include "shared/image/typed.h"

#include <algorithm>
#include <array>
#include <bit>

#include "shared/dataport/atomics.h"
#include "shared/image/image.h"

namespace vitro::shared {

namespace {

using formats::Rgba;

constexpr unsigned slots = 8;

// U, V, R and LOD of each slot; those that were not sent are zero.
using Coordinates = std::array<std::array<uint32_t, slots>, 4>;

struct Place {
  const ImageLevel* level = nullptr;  // null: out of bounds
  uint32_t x = 0, y = 0, slice = 0;
};

Place place_of(const Image& image, uint32_t u, uint32_t v, uint32_t r, uint32_t lod) {
  if (image.is_buffer()) lod = 0;
  if (lod >= image.level_count) return {};
  const ImageLevel& l = image.level(lod);
  Place p{&l, u, v, r};
  if (image.is_buffer()) p.y = p.slice = 0;
  if (image.is_1d()) p.y = 0, p.slice = v;
  const bool layered = image.array || image.is_cube();
  if (!image.is_3d() && !layered) p.slice = 0;
  const uint32_t slice_count = image.is_3d() ? l.depth : image.slices;
  if (p.x >= l.width || p.y >= l.height || p.slice >= slice_count) return {};
  return p;
}

// Gathers the coordinates of `count` slots; SIMD4x2 has those of a slot side by side in one register.
Coordinates coordinates_of(const DataPortCall& c, unsigned registers, bool pairs) {
  Coordinates at{};
  for (unsigned n = 0; n < std::min(registers, 4u) && !pairs; ++n) std::memcpy(at[n].data(), c.reg(c.body() + n), 32);
  for (unsigned n = 0; n < 4 && pairs; ++n)
    for (unsigned slot = 0; slot < 2; ++slot) at[n][slot] = c.dword(c.body(), slot * 4 + n);
  return at;
}

struct Typed {
  const Image& image;
  Coordinates at;
  uint32_t mask;  // slots that take part
  bool pairs;     // SIMD4x2

  Place operator[](unsigned slot) const { return place_of(image, at[0][slot], at[1][slot], at[2][slot], at[3][slot]); }
};

}  // namespace

template <>
eu::Reply act<isa::MessageAction::typed_read>(DataPortCall& c) {
  if (read_slots(c)) return eu::Reply::done;
  const uint32_t off = ~unsigned(c.shape.positions) & 15;
  const bool pairs = c.shape.pair();
  const Image& image = c.bound().image();
  if (!image.is_null() && !image.unsupported.empty()) return c.unsupported("{}", image.unsupported);
  const Typed t{image, coordinates_of(c, c.registers() - c.body(), pairs),
                pairs ? eu::slots_4x2(c.channels) : c.typed_slots(), pairs};
  if (!c.answers()) return c.done();
  for (uint32_t m = t.mask; m; m &= m - 1) {
    const auto slot = unsigned(std::countr_zero(m));
    Rgba texel{};
    if (!image.is_null()) {
      const Place p = t[slot];
      if (p.level)
        load_texel(c.memory(), image, *p.level, p.x, p.y, p.slice, 0, texel);
      else if (!image.format->has(formats::Component::a) && !image.format->has(formats::Component::i))
        texel[3] = image.format->one();
    }
    for (unsigned n = 0, to = 0; n < 4; ++n) {
      if (pairs) {
        const unsigned at = slot * 4 + n;
        if (!(off >> n & 1) && (c.channels >> at & 1)) std::memcpy(c.out(0) + 4 * at, &texel[n], 4);
      } else if (!(off >> n & 1)) {
        std::memcpy(c.out(to++) + 4 * slot, &texel[n], 4);
      }
    }
  }
  return c.done();
}

namespace {

void store_texel(DataPortCall& c, const Image& image, const Place& p, const Rgba& texel) {
  const uint64_t address = texel_address(image, *p.level, p.x, p.y, p.slice);
  if (std::byte* to = c.memory().at(address, image.element_bytes, memory::Access::write)) {
    image.format->encode(to, texel);
    return;
  }
  std::array<std::byte, 64> copy{};
  image.format->encode(copy.data(), texel);
  c.memory().write(address, std::span(copy).first(image.element_bytes));
}

}  // namespace

template <>
eu::Reply act<isa::MessageAction::typed_write>(DataPortCall& c) {
  if (write_slots(c)) return eu::Reply::done;
  const uint32_t off = ~unsigned(c.shape.positions) & 15;
  const bool pairs = c.shape.pair();
  const unsigned data = c.shape.rows(c.shape.given());
  const Image& image = c.bound().image();
  if (image.is_null()) return c.done();
  if (!image.unsupported.empty()) return c.unsupported("{}", image.unsupported);
  if (!image.format->encode) return c.unsupported("writing {}", image.format->name);
  const unsigned coordinates = c.registers() - c.body() - data, first = c.body() + coordinates;
  const Typed t{image, coordinates_of(c, coordinates, pairs), pairs ? eu::slots_4x2(c.channels) : c.typed_slots(),
                pairs};
  for (uint32_t m = t.mask; m; m &= m - 1) {
    const auto slot = unsigned(std::countr_zero(m));
    const Place p = t[slot];
    if (!p.level) continue;
    const uint32_t kept = pairs ? off | (~c.channels >> (slot * 4) & 0xF) : off;
    Rgba texel{};
    // What is not sent stays as it is.
    if (kept) load_texel(c.memory(), image, *p.level, p.x, p.y, p.slice, 0, texel);
    for (unsigned n = 0, from = 0; n < 4; ++n) {
      if (pairs && !(kept >> n & 1)) texel[n] = c.dword(first, slot * 4 + n);
      if (!pairs && !(off >> n & 1)) texel[n] = c.dword(first + from++, slot);
    }
    store_texel(c, image, p, texel);
  }
  return c.done();
}

namespace {

// Atomic between host threads; unmapped memory reads as zero and keeps nothing.
uint32_t perform(memory::View& memory, uint64_t address, AtomicOp op, uint32_t s0, uint32_t s1) {
  address &= ~uint64_t{3};
  if (std::byte* p = memory.at(address, 4, memory::Access::write)) return atomic_dword(op, p, s0, s1);
  auto word = memory.load<uint32_t>(address);
  const uint32_t result = atomic_dword(op, reinterpret_cast<std::byte*>(&word), s0, s1);
  memory.store(address, word);
  return result;
}

}  // namespace

template <>
eu::Reply act<isa::MessageAction::typed_atomic>(DataPortCall& c) {
  const AtomicOp op = c.shape.operation;
  const bool pairs = c.shape.pair(), answer = c.shape.answers && c.answers();
  const unsigned sources = c.shape.given(), operands = c.shape.rows(sources);
  const Image& image = c.bound().image();
  if (!image.is_null() && !image.unsupported.empty()) return c.unsupported("{}", image.unsupported);
  if (!image.is_null() && image.format->bits != 32) return c.unsupported("an atomic on {}", image.format->name);
  const uint32_t mask = pairs ? eu::slots_4x2(c.channels) : c.typed_slots();
  if (!pairs && atomic_slots(c, op, operands, mask, answer)) return eu::Reply::done;
  const unsigned coordinates = c.registers() - c.body() - operands, first = c.body() + coordinates;
  const Typed t{image, coordinates_of(c, coordinates, pairs), mask, pairs};
  std::array<std::array<uint32_t, slots>, 2> source{};
  for (unsigned n = 0; n < sources; ++n)
    for (unsigned slot = 0; slot < (pairs ? 2 : slots); ++slot)
      source[n][slot] = pairs ? c.dword(first, slot * 4 + n) : c.dword(first + n, slot);
  for (uint32_t m = t.mask; m; m &= m - 1) {
    const auto slot = unsigned(std::countr_zero(m));
    const Place p = image.is_null() ? Place{} : t[slot];
    uint32_t result = 0;
    if (p.level)
      result =
          perform(c.memory(), texel_address(image, *p.level, p.x, p.y, p.slice), op, source[0][slot], source[1][slot]);
    if (answer) std::memcpy(c.out(0) + 4 * (pairs ? slot * 4 : slot), &result, 4);
  }
  return c.done();
}

}  // namespace vitro::shared
