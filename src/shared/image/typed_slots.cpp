// Typed reads, writes and atomic operations of eight slots, on surfaces whose texels lanes can reach (texels.h). The
// results are those of typed.cpp, which does everything else: SIMD4x2, writes of some channels only, memory that is
// strictly checked. PRM: as typed.h.
#include <bit>

#include "lanes/eight.h"
#include "shared/dataport/atomics.h"
#include "shared/image/texels.h"
#include "shared/image/typed.h"

namespace vitro::shared {

namespace {

constexpr uint8_t all_channels = 15;

const TypedSurface* surface_of(const DataPortCall& c, memory::Access access) {
  const TypedSurface& s = c.bound().typed(c.memory(), access);
  return s.found ? &s : nullptr;
}

// One message under way.
struct Slots {
  const DataPortCall& c;
  const TypedSurface& surface;
  unsigned coordinates;  // registers of them
  uint32_t slots;
};

template <class Host>
struct OnSlots {
  using D = lanes::Eight<Host>;
  using I = typename D::I;
  static constexpr D d{};
  const Slots& m;
  const Texels<D> texels{d, m.surface.key, &m.surface.facts};

  I reg(unsigned n) const {
    I v;
    std::memcpy(&v.v, m.c.reg(m.c.body() + n), sizeof v.v);
    return v;
  }
  typename Texels<D>::Place place() const {
    const auto coordinate = [&](unsigned n) { return n < m.coordinates ? reg(n) : d.i(0); };
    return texels.place(coordinate(0), coordinate(1), coordinate(2), m.surface.buffer ? d.i(0) : coordinate(3));
  }
  void write() const {
    const auto at = place();
    texels.store(at.at, at.inside & d.mask(m.slots),
                 {reg(m.coordinates), reg(m.coordinates + 1), reg(m.coordinates + 2), reg(m.coordinates + 3)});
  }
  void read() const {
    const auto at = place();
    const unsigned wanted = m.c.shape.positions;
    const auto texel = texels.load(wanted, at.at);
    for (unsigned n = 0, to = 0; n < 4; ++n) {
      if (!(wanted >> n & 1)) continue;
      I before;
      std::memcpy(&before.v, m.c.out(to), sizeof before.v);
      const auto& format = m.surface.key.texel;
      const I v = d.select(at.inside, texel[n], d.i(format.has(n) ? 0 : int32_t(format.instead(n))));
      const I all = d.select(d.mask(m.slots), v, before);
      std::memcpy(m.c.out(to++), &all.v, sizeof all.v);
    }
  }
  void places(std::array<int32_t, 8>& at, uint32_t& inside) const {
    const auto p = place();
    std::memcpy(at.data(), &p.at.v, sizeof p.at.v);
    inside = d.lanes(p.inside);
  }
};

VITRO_PLAIN_VECTORS void write_plain(const Slots& m) { OnSlots<lanes::PlainEight>{m}.write(); }
VITRO_WIDE_VECTORS void write_wide(const Slots& m) { OnSlots<lanes::WideEight>{m}.write(); }
VITRO_PLAIN_VECTORS void read_plain(const Slots& m) { OnSlots<lanes::PlainEight>{m}.read(); }
VITRO_WIDE_VECTORS void read_wide(const Slots& m) { OnSlots<lanes::WideEight>{m}.read(); }
VITRO_PLAIN_VECTORS void places_plain(const Slots& m, std::array<int32_t, 8>& at, uint32_t& inside) {
  OnSlots<lanes::PlainEight>{m}.places(at, inside);
}
VITRO_WIDE_VECTORS void places_wide(const Slots& m, std::array<int32_t, 8>& at, uint32_t& inside) {
  OnSlots<lanes::WideEight>{m}.places(at, inside);
}

}  // namespace

bool write_slots(DataPortCall& c) {
  if (!c.port.typed_lanes || c.shape.pair() || c.shape.positions != all_channels) return false;
  if (c.registers() < c.body() + 5) return false;
  const TypedSurface* const s = surface_of(c, memory::Access::write);
  if (!s) return false;
  const auto write = lanes::host_has_wide_vectors() ? write_wide : write_plain;
  write({c, *s, c.registers() - c.body() - 4, c.typed_slots()});
  return true;
}

bool read_slots(DataPortCall& c) {
  const auto components = unsigned(std::popcount(c.shape.positions));
  if (!c.port.typed_lanes || c.shape.pair() || c.registers() < c.body() + 1) return false;
  if (!c.answers() || c.response.size() < size_t(components) * eu::reg_bytes) return false;
  const TypedSurface* const s = surface_of(c, memory::Access::read);
  if (!s) return false;
  const auto read = lanes::host_has_wide_vectors() ? read_wide : read_plain;
  read({c, *s, c.registers() - c.body(), c.typed_slots()});
  return true;
}

bool atomic_slots(DataPortCall& c, AtomicOp op, unsigned operands, uint32_t slots, bool answers) {
  const TypedSurface* const s = c.port.typed_lanes ? surface_of(c, memory::Access::write) : nullptr;
  if (!s || s->key.texel.bytes != 4) return false;
  const unsigned coordinates = c.registers() - c.body() - operands, first = c.body() + coordinates;
  std::array<int32_t, 8> at;
  uint32_t inside = 0;
  (lanes::host_has_wide_vectors() ? places_wide : places_plain)({c, *s, coordinates, slots}, at, inside);
  std::array<uint32_t, 8> source[2]{};
  for (unsigned n = 0; n < operands; ++n) c.copy(first + n, 1, source[n].data());
  for (uint32_t m = slots; m; m &= m - 1) {
    const auto slot = unsigned(std::countr_zero(m));
    uint32_t result = 0;
    if (inside >> slot & 1) {
      const auto host = reinterpret_cast<uintptr_t>(s->facts.host) + uintptr_t(at[slot]);
      result = atomic_dword(op, reinterpret_cast<std::byte*>(host & ~uintptr_t{3}), source[0][slot], source[1][slot]);
    }
    if (answers) std::memcpy(c.out(0) + 4 * slot, &result, 4);
  }
  return true;
}

}  // namespace vitro::shared
