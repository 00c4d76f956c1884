// Tables of packets of the 3D pipeline with what each decides: pixels of the target and dwords of memory, as they are
// with the packet and without it. Both are written down by hand from what the documents say of the packet's fields.
// PRM: Gen8 vol 2a, 3DSTATE_*. A packet counts for docs/coverage.md when everything that its case names was seen, by
// the interpreter and by machine code.
#pragma once

#include "bench_test.h"
#include "memory/tiling.h"
#include "streamer/streamer.h"

namespace vitro::drawing {

inline constexpr uint32_t red = 0xFF0000FF, green = 0xFF00FF00, blue = 0xFFFF0000, white = 0xFFFFFFFF;
// What a case puts besides the drawing: kernels, objects, tables, and a second target.
inline constexpr Places compact{
    .target = 0x10000, .depth = 0x14000, .stencil = 0x18000, .texture = 0x1C000, .bytes = 0x30000};
inline constexpr uint32_t second_vs_at = 0x2000, second_ps_at = 0x2400, data_at = 0x2800, more_data_at = 0x2C00,
                          result_at = 0x3000, second_target = 0x20000;

using Commands = Words (*)(const Drawing&);
using Put = void (*)(const Drawing&, Image&);

struct Look {  // at a pixel of the target
  uint32_t x, y, with, without, sample = 0;
};
struct Left {  // a dword of memory
  uint64_t at;
  uint32_t with, without;
};
struct PacketCase {
  std::string_view packet, decides;
  Drawing drawing{};
  Commands given = nullptr;  // before the packet, and there without it, too
  Commands commands = nullptr;
  Commands after = nullptr;
  std::vector<Look> looks{};
  std::vector<Left> memory{};
  std::string second_vs{}, second_ps{};
  Put put = nullptr;
  std::string_view device{};  // one alone
};

inline const streamer::CommandSet& command_set(const Generation& g) {
  return g.bit == 2 ? streamer::commands_gen8 : streamer::commands_gen9;
}
inline std::string_view name_of(const Generation& g, const Words& packet) {
  const streamer::Row* row = packet.empty() ? nullptr : command_set(g).find_anywhere(packet[0]);
  return row ? row->name : "none";
}
// The devices of a generation: one that interprets, one that compiles what it runs, and one that puts routines into it.
struct Tier {
  std::string_view name;
  std::unique_ptr<device::Device> device;
  uint64_t compiled_threads = 0, fused = 0;
};
inline std::vector<Tier> tiers(const Generation& g) {
  std::vector<Tier> all;
  all.push_back({"interpreted", make_device(g.device, dispatch::Tiering::off)});
#if VITRO_JIT
  all.push_back({"compiled", make_device(g.device, dispatch::Tiering::on)});
  all.push_back({"fused", make_device(g.device, dispatch::Tiering::on, dispatch::Fusing::at_once)});
#endif
  return all;
}

// The drawing of a case, with its packet or without.
inline Drawn draw(Tier& tier, const PacketCase& c, const Generation& g, bool with) {
  Drawing d = c.drawing;
  d.device = g.device;
  if (c.given) d.before += c.given(d);
  if (with) d.before += c.commands(d);
  if (c.after) d.before += c.after(d);
  const auto put = [&](std::vector<std::byte>& memory) {
    Image image{std::move(memory)};
    const isa::Model& model = gen::find_device(g.device)->model();
    for (const auto& [text, at] : {std::pair(&c.second_vs, second_vs_at), std::pair(&c.second_ps, second_ps_at)}) {
      if (text->empty()) continue;
      const auto code = assembled(model, *text);
      image.put(at, code.data(), code.size());
    }
    if (c.put) c.put(d, image);
    memory = std::move(image.bytes);
  };
  Drawn drawn = draw_on(*tier.device, d, put);
  tier.compiled_threads += drawn.compiled_threads, tier.fused += drawn.fused;
  return drawn;
}

// Cases of packets that decide something, or of such that must change nothing.
inline void run(const std::vector<PacketCase>& cases, bool decides = true) {
  for (const Generation& g : generations) {
    std::vector<Tier> devices = tiers(g);
    for (const PacketCase& c : cases) {
      if (!c.device.empty() && c.device != g.device) continue;
      SCOPED_TRACE(fmt::format("{} {}: {}", g.name, c.packet, c.decides));
      Drawing like = c.drawing;
      like.device = g.device;
      EXPECT_EQ(name_of(g, c.commands(like)), c.packet);
      bool right = true, differs = false, drawn = false;
      for (Tier& tier : devices)
        for (const bool with : {true, false}) {
          const Drawn d = draw(tier, c, g, with);
          const std::string which = fmt::format("{}, {}", with ? "with" : "without", tier.name);
          EXPECT_EQ(text(d.fault), "") << which;
          right &= !d.fault;
          const auto expect = [&](uint32_t is, uint32_t on, uint32_t off, const std::string& where) {
            EXPECT_EQ(fmt::format("{:08X}", is), fmt::format("{:08X}", with ? on : off)) << which << ", " << where;
            right &= is == (with ? on : off);
            differs |= on != off, drawn |= on != 0;
          };
          for (const Look& l : c.looks)
            expect(d.get(texel_at(like, l.x, l.y, l.sample)), l.with, l.without,
                   fmt::format("({}, {}) sample {}", l.x, l.y, l.sample));
          for (const Left& l : c.memory) expect(d.get(l.at), l.with, l.without, fmt::format("memory {:X}", l.at));
        }
      EXPECT_TRUE(decides ? differs : drawn && !differs) << "the case says nothing";
      if (right && (decides ? differs : drawn && !differs)) record("packets", g, c.packet);
    }
    for (const Tier& tier : devices) {
      EXPECT_EQ(tier.compiled_threads != 0, tier.name != "interpreted");
      EXPECT_EQ(tier.fused != 0, tier.name == "fused");
    }
  }
}

// --- what cases are made of

// A triangle that covers the whole target.
inline Drawing whole(Vector colour) { return {.places = compact, .attributes = {colour}}; }
// One that covers the pixels from a place on, in pixels.
inline std::vector<Vector> from_x(float x) {
  const float at = x / 16 - 1;
  return {{at, -1, .5f, 1}, {at + 8, -1, .5f, 1}, {at, 7, .5f, 1}};
}
inline constexpr float at_pixel(float p) { return p / 16 - 1; }

// Gives a component of an attribute register, in all lanes, a number.
inline std::string set_attribute(Vector v) {
  std::string text;
  for (unsigned c = 0; c < 4; ++c) text += fmt::format("mov (8|M0) r{}.0<1>:f {:.4f}:f\n", 6 + c, v[c]);
  return text;
}
inline std::string pixel_kernel_of(Vector v) {
  std::string text;
  for (unsigned c = 0; c < 4; ++c) text += fmt::format("mov (16|M0) r{}.0<1>:f {:.4f}:f\n", 112 + 2 * c, v[c]);
  return text + "sendc (16|M0) null r112 0x5 0x10031000 {EOT}\n";
}

inline Words end_of_pipe() { return {0x7A000004, 1 << 20 | 1 << 12 | 1 << 1 | 1 << 0, 0, 0, 0, 0}; }
// The low half of a register, to memory.
inline Words store_register(uint32_t mmio, uint32_t at) { return {0x12000002, mmio, uint32_t(home) + at, 0}; }

inline uint64_t in_second_target(const Drawing& d, uint32_t x, uint32_t y) {
  return texel_at(d, x, y) - d.places.target + second_target;
}
inline void put_surface(const Drawing& d, Image& image, uint32_t at, const state::Surface& s) {
  Words packed(state::surface_dwords);
  surfaces(d).encode(s, std::span(packed).first(surfaces(d).rules.dwords));
  image.put(at, packed);
}
inline void put_sampler(const Drawing& d, Image& image, uint32_t at, const state::Sampler& s) {
  Words packed(state::sampler_dwords);
  samplers(d).encode(s, packed);
  image.put(at, packed);
}
// Left half of one colour, right half of another.
inline void put_texture(const Drawing& d, Image& image, uint32_t at, uint32_t left, uint32_t right) {
  for (uint32_t y = 0; y < d.texture_edge; ++y)
    for (uint32_t x = 0; x < d.texture_edge; ++x)
      image.put(at + (y * d.texture_edge + x) * 4, {x < d.texture_edge / 2 ? left : right});
}

}  // namespace vitro::drawing
