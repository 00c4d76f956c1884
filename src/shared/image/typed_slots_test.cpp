// Typed reads and writes carried out for eight slots at once do what the general way does: two guests get the same
// messages, made by chance, and are compared in what they answer and in what is in memory.
#include <gtest/gtest.h>

#include <algorithm>

#include "shared/image/random_surface_test.h"
#include "shared/image/typed.h"

namespace vitro::shared {
namespace {

using test::Chance;

struct Port {
  Guest guest;
  DataPort port;
  std::array<uint32_t, 32> response{};
  explicit Port(const DataPortLayout& l, bool lanes) : guest(l.surface), port(l, guest.environment) {
    port.typed_lanes = lanes;
  }
  eu::Reply send(uint32_t desc, uint32_t channels, std::span<const uint32_t> payload) {
    response.fill(0xDDDDDDDD);
    eu::Message m;
    m.desc = desc, m.channels = channels, m.exec_size = 8;
    m.payload = std::as_bytes(payload);
    m.response = std::as_writable_bytes(std::span(response));
    std::string reason;
    return carry_out(port, 12, m, reason);
  }
  bool in_lanes() const {
    return !guest.bindings->surfaces.all([](const BoundSurface& s) {
      return std::none_of(s.as_typed.begin(), s.as_typed.end(),
                          [](const Once<TypedSurface>& t) { return t.peek() && t.peek()->found; });
    });
  }
};

TEST(TypedSlots, do_what_the_general_way_does) {
  constexpr uint32_t read = 5u << 14, write = 13u << 14;
  for (const DataPortLayout* l : {&dataport_gen8, &dataport_gen9}) {
    Chance chance(3);
    Port eight(*l, true), general(*l, false);
    unsigned count = 0;
    constexpr unsigned times = 4000;
    for (unsigned n = 0; n < times; ++n) {
      if (n % 500 == 0) {
        test::fill_texture(chance, eight.guest);
        general.guest.ram = eight.guest.ram;
      }
      const state::Surface s = test::random_surface(chance, true);
      for (Port* p : {&eight, &general}) p->guest.set_surface(1, s);
      const bool writes = chance.one_in(2);
      uint32_t desc = 1 | (writes ? write : read) | (chance.one_in(4) ? 2u : 1u) << 12;
      if (chance.one_in(3)) desc |= chance.below(15) << 8;
      std::vector<uint32_t> payload;
      if (chance.one_in(3)) {
        desc |= 1u << 19;
        payload = {0, 0, 0, 0, 0, 0, 0, chance.bits()};
      }
      const unsigned coordinates = 1 + chance.below(4);
      for (unsigned k = 0; k < coordinates * 8; ++k)
        payload.push_back(k < 8    ? random_integer(chance, s.width_less_1 + 1)
                          : k < 16 ? random_integer(chance, std::max(s.height_less_1, s.depth_less_1) + 1)
                          : k < 24 ? random_integer(chance, s.depth_less_1 + 1)
                                   : uint32_t(chance.one_in(8)));
      const bool floats = !formats::find(s.format)->integer() && !chance.one_in(8);
      for (unsigned k = 0; k < (writes ? 32u : 0u); ++k)
        payload.push_back(floats ? bits_of(test::random_coordinate(chance, 1.5f) - 0.25f)
                                 : chance.bits() >> chance.below(32));
      const uint32_t channels = chance.one_in(3) ? chance.bits() : 0xFFFF;
      SCOPED_TRACE(n);
      ASSERT_EQ(eight.send(desc, channels, payload), general.send(desc, channels, payload));
      ASSERT_EQ(eight.response, general.response) << formats::find(s.format)->name;
      count += eight.in_lanes();
      if (!writes) continue;
      ASSERT_EQ(std::memcmp(eight.guest.ram.data(), general.guest.ram.data(), 0x60000), 0)
          << formats::find(s.format)->name;
    }
    EXPECT_EQ(std::memcmp(eight.guest.ram.data(), general.guest.ram.data(), guest_bytes), 0);
    EXPECT_GT(count, times / 2);
  }
}

}  // namespace
}  // namespace vitro::shared
