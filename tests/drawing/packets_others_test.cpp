// Packets that decide nothing about what is drawn here: caches, partitions of the URB, state of stages that do not run.
// Draws are right with them. And those of stages and units that are not there: draws with them are refused by name.
// Every packet of the 3D pipeline has a case in one of these files. PRM: Gen8 vol 2a, 3DSTATE_*.
#include "packet_cases_test.h"

namespace vitro::drawing {
namespace {

namespace p = commands::three_d;
namespace every = p::every;

// A case whose packet changes nothing about a red target.
PacketCase idle(std::string_view name, std::string_view why, Commands commands) {
  return {.packet = name,
          .decides = why,
          .drawing = whole({1, 0, 0, 1}),
          .commands = commands,
          .looks = {{0, 0, red, red}, {5, 5, red, red}, {31, 31, red, red}}};
}

// The packets of stages.
template <const auto& layout>
PacketCase allocation() {
  return idle(layout.name, "a part of the push constants' memory",
              [](const Drawing&) { return packet<layout>({.constant_buffer_size = 7, .constant_buffer_offset = 3}); });
}
template <const auto& layout>
PacketCase urb() {
  return idle(layout.name, "a part of the URB", [](const Drawing&) {
    return packet<layout>({.number_of_urb_entries = 192, .urb_entry_allocation_size = 3, .urb_starting_address = 9});
  });
}
template <const auto& layout>
PacketCase pointer() {
  return idle(layout.name, "for a stage that does not run", [](const Drawing&) { return packet<layout>({0x2C00}); });
}
template <const auto& layout>
PacketCase edit() {
  return idle(layout.name, "an edit without a binding table pool", [](const Drawing&) {
    Words w = packet<layout>({.binding_table_edit_target = 3, .binding_table_block_clear = 0xFFFF}) +
              packet<every::binding_table_edit_entry>({.surface_state_pointer = 0x55, .binding_table_index = 0});
    ++w[0];
    return w;
  });
}
template <const auto& eight, const auto& nine>
PacketCase constants() {
  return idle(eight.name, "for a stage that does not run", [](const Drawing& d) {
    return packet_of<eight, nine>(d, p::Constant{.read_length = {3, 2, 1, 4}, .buffer = {64, 96, 128, 160}});
  });
}

template <const auto& eight, const auto& nine>
PacketCase gathered_by_an_idle_stage() {
  return idle(eight.name, "constants to gather without a pool", [](const Drawing& d) {
    return packet_of<eight, nine>(d,
                                  p::GatherConstant{.constant_buffer_valid = 0xFFFF, .gather_buffer_offset = 0x1000});
  });
}

TEST(Packets, WithoutAnEffect) {
  run({
          allocation<every::push_constant_alloc_vs>(),
          allocation<every::push_constant_alloc_hs>(),
          allocation<every::push_constant_alloc_ds>(),
          allocation<every::push_constant_alloc_gs>(),
          allocation<every::push_constant_alloc_ps>(),
          urb<every::urb_vs>(),
          urb<every::urb_hs>(),
          urb<every::urb_ds>(),
          urb<every::urb_gs>(),
          pointer<every::binding_table_pointers_hs>(),
          pointer<every::binding_table_pointers_ds>(),
          pointer<every::binding_table_pointers_gs>(),
          pointer<every::sampler_state_pointers_hs>(),
          pointer<every::sampler_state_pointers_ds>(),
          pointer<every::sampler_state_pointers_gs>(),
          constants<p::gen8::constant_hs, p::gen9::constant_hs>(),
          constants<p::gen8::constant_ds, p::gen9::constant_ds>(),
          constants<p::gen8::constant_gs, p::gen9::constant_gs>(),
          gathered_by_an_idle_stage<p::gen8::gather_constant_hs, p::gen9::gather_constant_hs>(),
          gathered_by_an_idle_stage<p::gen8::gather_constant_ds, p::gen9::gather_constant_ds>(),
          gathered_by_an_idle_stage<p::gen8::gather_constant_gs, p::gen9::gather_constant_gs>(),
          edit<every::binding_table_edit_vs>(),
          edit<every::binding_table_edit_hs>(),
          edit<every::binding_table_edit_ds>(),
          edit<every::binding_table_edit_gs>(),
          edit<every::binding_table_edit_ps>(),
          {.packet = "3DSTATE_HIER_DEPTH_BUFFER",
           .decides = "memory of hierarchical depth, which is left alone",
           .drawing = {.places = compact, .attributes = {{1, 0, 0, 1}}, .depth_format = 1},
           .given =
               [](const Drawing& d) {
                 p::DepthBuffer s = depth_buffer(d);
                 s.hierarchical_depth_buffer_enable = true;
                 return packet_of<p::gen8::depth_buffer, p::gen9::depth_buffer>(d, s);
               },
           .commands =
               [](const Drawing&) {
                 return packet<every::hier_depth_buffer>(
                     {.surface_pitch = 127, .surface_base_address = home + second_target});
               },
           .looks = {{5, 5, red, red}},
           .memory = {{compact.depth, 0x3F000000, 0x3F000000}, {second_target, 0, 0}}},
          idle("3DSTATE_MONOFILTER_SIZE", "a filter that nothing samples with",
               [](const Drawing&) {
                 return packet<every::monofilter_size>({.monochrome_filter_height = 7, .monochrome_filter_width = 7});
               }),
          idle("3DSTATE_SAMPLER_PALETTE_LOAD0", "a palette that nothing samples with",
               [](const Drawing&) {
                 return Words{every::sampler_palette_load0.header | 1, 0x123456, 0xFFFFFFFF};
               }),
          idle("3DSTATE_SAMPLER_PALETTE_LOAD1", "a palette that nothing samples with",
               [](const Drawing&) {
                 return Words{every::sampler_palette_load1.header | 1, 0x123456, 0xFFFFFFFF};
               }),
          [] {
            PacketCase c = idle("3DSTATE_RS_CONSTANT_POINTER", "for a resource streamer that does nothing",
                                [](const Drawing&) { return packet<p::gen9::rs_constant_pointer>({}); });
            c.device = "kbl";
            return c;
          }(),
          [] {
            PacketCase c = idle("3DSTATE_URB_CLEAR", "a part of the URB that no draw reads", [](const Drawing&) {
              return packet<p::gen9::urb_clear>({.urb_address = 0, .urb_clear_length = 16});
            });
            c.device = "kbl";
            return c;
          }(),
      },
      false);
}

// --- what is refused

struct Refusal {
  std::string_view packet, reason;
  Commands commands;
  Drawing drawing = whole({1, 0, 0, 1});
};
template <const auto& eight, const auto& nine>
Refusal gathered() {
  return {eight.name, "unsupported: DX9 constants", [](const Drawing& d) {
            return packet_of<eight, nine>(d, p::GatherConstant{.constant_buffer_dx9_enable = true});
          }};
}
template <const auto& eight, const auto& nine>
Refusal stage(std::string_view reason) {
  return {eight.name, reason, [](const Drawing& d) {
            return packet_of<eight, nine>(d, typename std::remove_cvref_t<decltype(eight)>::Struct{.enable = true});
          }};
}
Drawing soft_line() {
  return {.places = compact,
          .topology = 2,
          .positions = {{-1, 0, .5f, 1}, {1, 0, .5f, 1}},
          .attributes = {{1, 0, 0, 1}},
          .line_width = 5 << 7,
          .antialiased = true};
}
const std::vector<Refusal>& refusals() {
  static const std::vector<Refusal> all{
      stage<p::gen8::hs, p::gen9::hs>("unsupported: hull shader"),
      stage<p::gen8::ds, p::gen9::ds>("unsupported: domain shader"),
      stage<p::gen8::gs, p::gen9::gs>("unsupported: geometry shader"),
      {"3DSTATE_TE", "unsupported: tessellator", [](const Drawing&) { return packet<every::te>({.te_enable = true}); }},
      {"3DSTATE_BINDING_TABLE_POOL_ALLOC", "unsupported: hardware binding tables",
       [](const Drawing&) { return packet<every::binding_table_pool_alloc>({.binding_table_pool_enable = true}); }},
      {"3DSTATE_GATHER_POOL_ALLOC", "unsupported: gather constants",
       [](const Drawing&) { return packet<every::gather_pool_alloc>({.gather_pool_enable = true}); }},
      gathered<p::gen8::gather_constant_vs, p::gen9::gather_constant_vs>(),
      gathered<p::gen8::gather_constant_ps, p::gen9::gather_constant_ps>(),
      {"3DSTATE_WM_CHROMAKEY", "unsupported: 3DSTATE_WM_CHROMAKEY",
       [](const Drawing&) { return packet<every::wm_chromakey>({.chromakey_kill_enable = true}); }},
      {"3DSTATE_AA_LINE_PARAMETERS", "unsupported: 3DSTATE_AA_LINE_PARAMETERS",
       [](const Drawing&) { return packet<every::aa_line_parameters>({.aa_coverage_bias = 1}); }, soft_line()},
  };
  return all;
}

TEST(Packets, OfWhatIsNotThereAreRefusedAtTheDraw) {
  for (const Generation& g : generations) {
    Tier tier{"interpreted", make_device(g.device, dispatch::Tiering::off)};
    for (const Refusal& r : refusals()) {
      SCOPED_TRACE(fmt::format("{} {}", g.name, r.packet));
      const PacketCase c{.packet = r.packet, .drawing = r.drawing, .commands = r.commands};
      Drawing like = r.drawing;
      like.device = g.device;
      EXPECT_EQ(name_of(g, r.commands(like)), r.packet);
      const Drawn with = draw(tier, c, g, true), without = draw(tier, c, g, false);
      ASSERT_TRUE(with.fault);
      EXPECT_EQ(with.fault->command, "3DPRIMITIVE");
      EXPECT_EQ(with.fault->reason, r.reason);
      EXPECT_EQ(with.get(texel_at(like, 5, 15)), 0u);
      EXPECT_EQ(text(without.fault), "");
      EXPECT_EQ(without.get(texel_at(like, 5, 15)), red);
      if (!testing::Test::HasFailure()) record("packets", g, r.packet, false);
    }
  }
}

// --- all of them

class EveryPacket : public testing::Environment {
 public:
  void SetUp() override {
    for (const Generation& g : generations)
      for (const streamer::Row& row : command_set(g).rows()) {
        if (row.effect != streamer::Effect::execute) continue;
        const bool drawn = row.name.starts_with("3DSTATE_") || row.name == "3DPRIMITIVE" || row.name == "PIPE_CONTROL";
        const bool refused =
            std::any_of(refusals().begin(), refusals().end(), [&](const Refusal& r) { return r.packet == row.name; });
        if (drawn) promise("packets", g, row.name, !refused);
      }
  }
};
[[maybe_unused]] testing::Environment* const promises = testing::AddGlobalTestEnvironment(new EveryPacket);

}  // namespace
}  // namespace vitro::drawing
