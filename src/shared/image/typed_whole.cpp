// Typed reads and writes of eight slots as wholes, on surfaces that are planes (plane.h). The results are those of
// typed.cpp, which does everything else: SIMD4x2, writes of some channels only, several levels, memory that is strictly
// checked. PRM: as typed.h.
#include <bit>

#include "shared/image/plane.h"
#include "shared/image/typed.h"

namespace vitro::shared {

namespace {

constexpr uint32_t all_channels_and_simd8 = 0x3F00, low_slots = 0x1000, high_slots = 0x2000, channel_bits = 0xF00;

// What is sent to: found once for a dispatch.
const KeptPlane& plane_of(const DataPortCall& c, memory::Access access) {
  const bool bindless = c.bindless();
  const uint32_t name = (bindless ? c.ex_desc >> 12 << 11 | 1u << 10 : c.bti() << 1) | uint32_t(access);
  KeptPlane& k = c.port.planes[(name * 0x9E3779B1u) >> 28];
  const uint64_t dispatch = c.environment().dispatch_number;
  if (k.dispatch == dispatch && k.name == name) return k;
  k = {.dispatch = dispatch, .name = name};
  const Image& image = bindless ? c.port.images.bindless(c.ex_desc) : c.port.images.bound(c.bti());
  if (c.memory().strict() || image.is_null() || !image.unsupported.empty()) return k;
  k.rules = rules_of(*image.format);
  if (access == memory::Access::write && !image.format->encode) return k;
  k.one_level = image.level_count == 1, k.buffer = image.is_buffer();
  k.one_dimension = k.buffer || image.is_1d();
  k.plane = find_plane(c.memory(), image, 0, access);
  return k;
}

// Where the eight slots are; those outside get place 0 of the plane.
inline void find_places(const DataPortCall& c, const KeptPlane& k, unsigned coordinates, Integers8& places,
                        Integers8& outside) {
  Bits8 at[4]{};
  for (unsigned n = 0; n < 4 && n < coordinates; ++n) get_eight(at[n], c.reg(c.body() + n));
  Bits8 y = at[1], slice = at[2];
  if (k.one_dimension) slice = y, y = Bits8{};
  if (!k.plane.layered) slice = Bits8{};
  outside = (at[0] >= k.plane.width) | (y >= k.plane.height) | (slice >= k.plane.slices);
  if (!k.buffer) outside |= at[3] != 0;
  const Bits8 inside = ~Bits8(outside);
  places_of(k.plane, Integers8(at[0] & inside), Integers8(y & inside), Integers8(slice & inside), places);
}

inline void write_slots(const DataPortCall& c, const KeptPlane& k, unsigned coordinates, uint32_t slots) {
  Integers8 places, outside;
  find_places(c, k, coordinates, places, outside);
  Bits8 texel[4];
  for (unsigned n = 0; n < 4; ++n) get_eight(texel[n], c.reg(c.body() + coordinates + n));
  put_texels(k.plane, k.rules, slots & ~slots_where(outside), places, texel);
}
VITRO_PLAIN_VECTORS void plain_write(const DataPortCall& c, const KeptPlane& k, unsigned coordinates, uint32_t slots) {
  write_slots(c, k, coordinates, slots);
}
VITRO_WIDE_VECTORS void wide_write(const DataPortCall& c, const KeptPlane& k, unsigned coordinates, uint32_t slots) {
  write_slots(c, k, coordinates, slots);
}

inline void read_slots(const DataPortCall& c, const KeptPlane& k, unsigned coordinates, uint32_t slots) {
  Integers8 places, outside;
  find_places(c, k, coordinates, places, outside);
  const uint32_t wanted = ~(c.desc >> 8) & 0xF;
  Bits8 texel[4];
  take_texels(k.plane, k.rules, wanted, places, outside, {0, 0, 0, k.rules.format->one()}, texel);
  for (unsigned n = 0, to = 0; n < 4; ++n)
    if (wanted >> n & 1) put_slots(c.out(to++), slots, texel[n]);
}
VITRO_PLAIN_VECTORS void plain_read(const DataPortCall& c, const KeptPlane& k, unsigned coordinates, uint32_t slots) {
  read_slots(c, k, coordinates, slots);
}
VITRO_WIDE_VECTORS void wide_read(const DataPortCall& c, const KeptPlane& k, unsigned coordinates, uint32_t slots) {
  read_slots(c, k, coordinates, slots);
}

}  // namespace

bool write_whole(DataPortCall& c) {
  const uint32_t kind = c.desc & all_channels_and_simd8;
  if (!c.port.wholes || (kind != low_slots && kind != high_slots) || c.registers() < c.body() + 5) return false;
  const KeptPlane& k = plane_of(c, memory::Access::write);
  const unsigned coordinates = c.registers() - c.body() - 4;
  if (!k.plane.host || (coordinates > 3 && !k.one_level && !k.buffer)) return false;
  const auto write = lanes::host_has_wide_vectors() ? wide_write : plain_write;
  write(c, k, coordinates, c.typed_slots());
  return true;
}

bool read_whole(DataPortCall& c) {
  const uint32_t kind = c.desc & all_channels_and_simd8 & ~channel_bits;
  const auto components = unsigned(4 - std::popcount(c.desc & channel_bits));
  if (!c.port.wholes || (kind != low_slots && kind != high_slots) || c.registers() < c.body() + 1) return false;
  if (!c.answers() || c.response.size() < size_t(components) * eu::reg_bytes) return false;
  const KeptPlane& k = plane_of(c, memory::Access::read);
  const unsigned coordinates = c.registers() - c.body();
  if (!k.plane.host || (coordinates > 3 && !k.one_level && !k.buffer)) return false;
  const auto read = lanes::host_has_wide_vectors() ? wide_read : plain_read;
  read(c, k, coordinates, c.typed_slots());
  return true;
}

}  // namespace vitro::shared
