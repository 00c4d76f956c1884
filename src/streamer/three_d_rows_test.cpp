// The 3D pipeline's packets in a batch: what they leave in the state, and what counts as a change. PRM: Gen8 vol 2a
// 3DSTATE_*. Draws are in draws_test.cpp.
#include "commands/three_d_layout_tables.h"

#include "streamer/batch_test.h"

namespace vitro::streamer {
namespace {

using namespace bench;
using namespace commands::three_d;
using state::Group;
using P = state::Pipeline;
namespace t = commands::three_d::every;
namespace t8 = commands::three_d::gen8;
namespace t9 = commands::three_d::gen9;
constexpr uint64_t data = Bench::data_at;

// A packet with some bits set in all of its fields.
template <const auto& layout>
Dwords packet_of(uint32_t seed) {
  Dwords d(size_t(layout.dwords), 0);
  for (size_t k = 1; k < d.size(); ++k) d[k] = seed * uint32_t(2 * k + 1);
  d[0] = layout.header | uint32_t(layout.dwords > 1 ? layout.dwords - 2 : seed & 1);
  return d;
}

uint64_t changes(const P& p) {
  uint64_t all = 0;
  for (const uint32_t v : p.versions) all += v;
  return all;
}

// The packet is unpacked into its place, its group counts, and the same packet once more changes nothing.
template <const auto& layout, class Place>
void latches(const CommandSet& set, Place place, Group group) {
  SCOPED_TRACE(std::string(layout.name) + " " + std::string(set.name));
  Bench b(set);
  const Dwords packet = packet_of<layout>(0x9E3779B1), other = packet_of<layout>(0x7F4A7C14);
  ASSERT_RUNS(b.run(join({packet, end()})));
  EXPECT_TRUE(same(layout, place(b.state.three_d), unpack(layout, packet)));
  EXPECT_FALSE(same(layout, place(b.state.three_d), typename std::remove_cvref_t<decltype(layout)>::Struct{}));
  EXPECT_EQ(b.state.three_d.version(group), 1u);
  EXPECT_EQ(changes(b.state.three_d), 1u);
  ASSERT_RUNS(b.run(join({packet, packet, end()})));
  EXPECT_EQ(changes(b.state.three_d), 1u);
  ASSERT_RUNS(b.run(join({other, packet, end()})));
  EXPECT_EQ(b.state.three_d.version(group), 3u);
}

// A pointer, of which the packet holds the bits above its alignment.
template <class Place>
void points(const CommandSet& set, uint32_t header, uint32_t mask, Place place, Group group) {
  SCOPED_TRACE(header);
  Bench b(set);
  ASSERT_RUNS(b.run(join({{header, 0x12345678}, end()})));
  EXPECT_EQ(place(b.state.three_d), 0x12345678 & mask);
  EXPECT_EQ(b.state.three_d.version(group), 1u);
  ASSERT_RUNS(b.run(join({{header, 0x12345678}, {header, 0x40}, end()})));
  EXPECT_EQ(place(b.state.three_d), 0x40u);
  EXPECT_EQ(changes(b.state.three_d), 2u);
}

#define LATCHES(set, layout, member, group) \
  latches<layout>(                          \
      set, [](P & p) -> auto& { return p.member; }, Group::group)
#define LATCHES_BY_STAGE(set, layout, member, group, each)                                   \
  LATCHES(set, layout##_vs, member[0], group);                                               \
  latches<layout##_hs>(                                                                      \
      set, [](P & p) -> auto& { return p.member[1]; }, Group(int(Group::group) + each));     \
  latches<layout##_ds>(                                                                      \
      set, [](P & p) -> auto& { return p.member[2]; }, Group(int(Group::group) + 2 * each)); \
  latches<layout##_gs>(                                                                      \
      set, [](P & p) -> auto& { return p.member[3]; }, Group(int(Group::group) + 3 * each))
#define LATCHES_BY_FIVE(set, layout, member, group, each) \
  LATCHES_BY_STAGE(set, layout, member, group, each);     \
  latches<layout##_ps>(                                   \
      set, [](P & p) -> auto& { return p.member[4]; }, Group(int(Group::group) + 4 * each))

TEST(ThreeDRows, PacketsOfEveryGeneration) {
  for (const CommandSet* s : later) {
    LATCHES(*s, t::index_buffer, index_buffer, index_buffer);
    LATCHES(*s, t::vf_topology, topology, vertex_fetch);
    LATCHES(*s, t::vf_sgvs, sgvs, vertex_fetch);
    LATCHES(*s, t::vf_statistics, vf_statistics, vertex_fetch);
    LATCHES(*s, t::vs, vs, vs);
    LATCHES(*s, t::te, te, te);
    LATCHES(*s, t::ps_blend, ps_blend, ps);
    LATCHES_BY_FIVE(*s, t::push_constant_alloc, push_constant_allocs, urb, 0);
    LATCHES_BY_FIVE(*s, t::binding_table_edit, binding_table_edits, resource_streamer, 0);
    LATCHES_BY_STAGE(*s, t::urb, urb, urb, 0);
    LATCHES(*s, t::binding_table_pool_alloc, binding_table_pool, resource_streamer);
    LATCHES(*s, t::gather_pool_alloc, gather_pool, resource_streamer);
    LATCHES(*s, t::streamout, streamout, stream_out);
    LATCHES(*s, t::clip, clip, clip);
    LATCHES(*s, t::sbe_swiz, sbe_swiz, setup);
    LATCHES(*s, t::drawing_rectangle, drawing_rectangle, targets);
    LATCHES(*s, t::multisample, multisample, samples);
    LATCHES(*s, t::sample_mask, sample_mask, samples);
    LATCHES(*s, t::aa_line_parameters, aa_line_parameters, lines);
    LATCHES(*s, t::poly_stipple_offset, poly_stipple_offset, lines);
    LATCHES(*s, t::poly_stipple_pattern, poly_stipple_pattern, lines);
    LATCHES(*s, t::wm, wm, windower);
    LATCHES(*s, t::wm_chromakey, wm_chromakey, windower);
    LATCHES(*s, t::monofilter_size, monofilter_size, windower);
    LATCHES(*s, t::hier_depth_buffer, hier_depth_buffer, targets);
    LATCHES(*s, t::stencil_buffer, stencil_buffer, targets);
    LATCHES(*s, t::clear_params, clear_params, targets);
  }
}

#define PACKETS_OF(set, g)                                                          \
  LATCHES_BY_FIVE(set, g::constant, constants, constants_vs, 1);                    \
  LATCHES_BY_FIVE(set, g::gather_constant, gather_constants, resource_streamer, 0); \
  LATCHES(set, g::vf, vf, vertex_fetch);                                            \
  LATCHES(set, g::hs, hs, hs);                                                      \
  LATCHES(set, g::ds, ds, ds);                                                      \
  LATCHES(set, g::gs, gs, gs);                                                      \
  LATCHES(set, g::ps, ps, ps);                                                      \
  LATCHES(set, g::ps_extra, ps_extra, ps);                                          \
  LATCHES(set, g::raster, raster, setup);                                           \
  LATCHES(set, g::sbe, sbe, setup);                                                 \
  LATCHES(set, g::sf, sf, setup);                                                   \
  LATCHES(set, g::wm_depth_stencil, wm_depth_stencil, depth_stencil);               \
  LATCHES(set, g::depth_buffer, depth_buffer, targets);                             \
  LATCHES(set, g::sample_pattern, sample_pattern, samples)

TEST(ThreeDRows, PacketsOfGen8) { PACKETS_OF(commands_gen8, t8); }
TEST(ThreeDRows, PacketsOfGen9) {
  PACKETS_OF(commands_gen9, t9);
  LATCHES(commands_gen9, t9::vf_component_packing, component_packing, vertex_fetch);
  LATCHES(commands_gen9, t9::rs_constant_pointer, rs_constant_pointer, resource_streamer);
}

TEST(ThreeDRows, Pointers) {
  for (const CommandSet* s : later) {
    for (uint32_t k = 0; k < state::shader_stage_count; ++k) {
      const auto group = Group(uint32_t(Group::bindings_vs) + k);
      points(
          *s, 0x78260000 + (k << 16), 0xFFE0, [k](const P& p) { return p.binding_tables[k]; }, group);
      points(
          *s, 0x782B0000 + (k << 16), 0xFFFFFFE0, [k](const P& p) { return p.samplers[k]; }, group);
    }
    points(
        *s, 0x780F0000, 0xFFFFFFE0, [](const P& p) { return p.scissors; }, Group::viewports);
    points(
        *s, 0x78230000, 0xFFFFFFE0, [](const P& p) { return p.cc_viewports; }, Group::viewports);
    points(
        *s, 0x78210000, 0xFFFFFFC0, [](const P& p) { return p.sf_clip_viewports; }, Group::viewports);
  }
}

TEST(ThreeDRows, PointersThatMustBeValid) {
  for (const CommandSet* s : later) {
    Bench b(*s);
    const P& p = b.state.three_d;
    ASSERT_RUNS(b.run(join({{0x78240000, 0x1240}, {0x780E0000, 0x1280}, end()})));
    EXPECT_FALSE(p.has_blend_state || p.has_color_calc_state);
    ASSERT_RUNS(b.run(join({{0x78240000, 0x1241}, {0x780E0000, 0x1281}, end()})));
    EXPECT_TRUE(p.has_blend_state && p.has_color_calc_state);
    ASSERT_RUNS(b.run(join({{0x78240000, 0x5540}, {0x780E0000, 0x5580}, end()})));
    EXPECT_EQ(p.blend_state, 0x1240u);
    EXPECT_EQ(p.color_calc_state, 0x1280u);
  }
}

Dwords vertex_buffer(uint32_t index, bool modify, uint32_t pitch, uint64_t address, uint32_t size) {
  return {index << 26 | uint32_t(modify) << 14 | pitch, uint32_t(address), uint32_t(address >> 32), size};
}

TEST(ThreeDRows, VertexBuffersAreSetByTheirIndex) {
  for (const CommandSet* s : later) {
    Bench b(*s);
    const auto& v = b.state.three_d.vertex_buffers;
    ASSERT_RUNS(b.run(join({{0x78080007},
                            vertex_buffer(2, true, 16, 0x1'0000'1000, 0x100),
                            vertex_buffer(32, true, 8, 0x2000, 0x200),
                            end()})));
    EXPECT_EQ(v[2].buffer_starting_address, 0x1'0000'1000u);
    EXPECT_EQ(v[32].buffer_size, 0x200u);
    EXPECT_EQ(v[0].buffer_pitch, 0);
    EXPECT_EQ(b.state.three_d.version(Group::vertex_buffers), 2u);
    ASSERT_RUNS(b.run(join({{0x78080003}, vertex_buffer(2, false, 24, 0x7777, 0x77), end()})));
    EXPECT_EQ(v[2].buffer_pitch, 24);
    EXPECT_EQ(v[2].buffer_starting_address, 0x1'0000'1000u);
    EXPECT_EQ(v[2].buffer_size, 0x100u);
    const auto fault = b.run(join({{0x78080003}, vertex_buffer(33, true, 8, 0, 0), end()}));
    ASSERT_TRUE(fault);
    EXPECT_EQ(fault->reason, "reserved vertex buffer 33");
  }
}

TEST(ThreeDRows, VertexElementsReplaceAllThatWereThere) {
  for (const CommandSet* s : later) {
    Bench b(*s);
    const P& p = b.state.three_d;
    ASSERT_RUNS(b.run(join({{0x78090005, 0x02400010, 0x11130000, 0x06400020, 0x11130000, 0x02000000, 0}, end()})));
    EXPECT_EQ(p.vertex_element_count, 3);
    EXPECT_EQ(p.vertex_elements[1].vertex_buffer_index, 1);
    const uint32_t version = p.version(Group::vertex_elements);
    ASSERT_RUNS(b.run(join({{0x78090001, 0x02400010, 0x11130000}, end()})));
    EXPECT_EQ(p.vertex_element_count, 1);
    EXPECT_EQ(p.vertex_elements[0].source_element_offset, 16);
    EXPECT_FALSE(p.vertex_elements[1].valid);
    EXPECT_GT(p.version(Group::vertex_elements), version);
    Dwords many(1 + 2 * 35);
    many[0] = 0x78090000 | uint32_t(many.size() - 2);
    EXPECT_TRUE(b.run(join({many, end()})));
  }
}

TEST(ThreeDRows, InstancingBelongsToAnElement) {
  for (const CommandSet* s : later) {
    Bench b(*s);
    ASSERT_RUNS(b.run(join({{0x78490001, 33 | 1 << 8, 5}, end()})));
    EXPECT_TRUE(b.state.three_d.instancing[33].instancing_enable);
    EXPECT_EQ(b.state.three_d.instancing[33].instance_data_step_rate, 5u);
    EXPECT_TRUE(b.run(join({{0x78490001, 34, 5}, end()})));
  }
}

TEST(ThreeDRows, LineStippleGoesOnUnlessToldOtherwise) {
  for (const CommandSet* s : later) {
    Bench b(*s);
    const LineStipple& l = b.state.three_d.line_stipple;
    ASSERT_RUNS(b.run(join({{0x79080001, 1u << 31 | 3 << 21 | 5 << 16 | 0xAAAA, 7}, end()})));
    EXPECT_EQ(std::tuple(l.current_repeat_counter, l.current_stipple_index), std::tuple(3, 5));
    ASSERT_RUNS(b.run(join({{0x79080001, 1 << 21 | 1 << 16 | 0x5555, 9}, end()})));
    EXPECT_EQ(std::tuple(l.current_repeat_counter, l.current_stipple_index), std::tuple(3, 5));
    EXPECT_EQ(l.line_stipple_pattern, 0x5555);
    EXPECT_EQ(l.line_stipple_repeat_count, 9);
  }
}

TEST(ThreeDRows, StreamOutput) {
  for (const CommandSet* s : later) {
    Bench b(*s);
    P& p = b.state.three_d;
    b.at(data) = 0x60;
    const auto buffer = [&](uint32_t n, bool write, uint32_t offset) {
      return Dwords{0x79180006, 1u << 31 | n << 29 | uint32_t(write) << 21, 0x1000, 0, 0xFF, uint32_t(data), 0, offset};
    };
    ASSERT_RUNS(b.run(join({buffer(1, true, 0x40), buffer(2, true, 0xFFFFFFFF), buffer(3, false, 0x80), end()})));
    EXPECT_TRUE(p.so_buffers[1].so_buffer_enable && p.so_buffers[2].so_buffer_enable);
    EXPECT_FALSE(p.so_buffers[0].so_buffer_enable);
    EXPECT_EQ(p.so_buffers[3].surface_size, 0xFFu);
    EXPECT_EQ(std::tuple(b.reg(0x5280), b.reg(0x5284), b.reg(0x5288), b.reg(0x528C)), std::tuple(0u, 0x40u, 0x60u, 0u));
    // Stream 0 has two entries, stream 3 one.
    const Dwords list{0x79170005, 0x1002, 0x01000002, 0x0000000F, 0x20370000, 0x0000001F, 0};
    ASSERT_RUNS(b.run(join({list, end()})));
    EXPECT_EQ(p.so_decl_list.buffer_selects[0], 2);
    ASSERT_EQ(p.so_decls[0].size(), 2u);
    EXPECT_TRUE(p.so_decls[1].empty() && p.so_decls[2].empty());
    ASSERT_EQ(p.so_decls[3].size(), 1u);
    EXPECT_EQ(p.so_decls[0][1].register_index, 1);
    EXPECT_EQ(std::tuple(p.so_decls[3][0].register_index, p.so_decls[3][0].component_mask,
                         p.so_decls[3][0].output_buffer_slot),
              std::tuple(3, 7, 2));
    const uint32_t version = p.version(Group::stream_out);
    ASSERT_RUNS(b.run(join({list, end()})));
    EXPECT_EQ(p.version(Group::stream_out), version);
    // An entry that is promised and not there.
    ASSERT_RUNS(b.run(join({{0x79170003, 0, 0xFF, 0, 0}, end()})));
    EXPECT_EQ(p.so_decls[0].size(), 1u);
  }
}

TEST(ThreeDRows, WhatOnlyIsKept) {
  for (const CommandSet* s : later) {
    Bench b(*s);
    ASSERT_RUNS(b.run(join({{0x79040002, 2u << 30, 5, 6}, {0x79020001, 7, 8}, {0x790C0000, 9}, end()})));
    EXPECT_EQ(b.state.three_d.chroma_keys[2].chromakey_high_value, 6u);
    EXPECT_EQ(b.state.palettes[0], (Dwords{7, 8}));
    EXPECT_EQ(b.state.palettes[1], (Dwords{9}));
  }
  Bench b(commands_gen9);
  b.state.urb.assign(32, 1);
  ASSERT_RUNS(b.run(join({{0x791D0000, 1 << 16 | 2}, end()})));
  EXPECT_EQ(b.state.urb[15], 1u);
  EXPECT_EQ(b.state.urb[16], 0u);
  EXPECT_EQ(b.state.urb[24], 1u);
}

// The constants of DX9, which no draw can use, are all that is kept as packets.
TEST(ThreeDRows, EveryPacketHasARow) {
  for (const CommandSet* s : later)
    for (const Row& r : s->rows())
      if (r.name.starts_with("3D") && s->find(r.header, commands::Engine::render) == &r) {
        EXPECT_EQ(r.effect == Effect::keep, r.name.starts_with("3DSTATE_DX9_")) << r.name;
      }
}

// Packets that say what their rows said last are passed over, but they are commands like others.
TEST(ThreeDRows, RepeatedPacketsCount) {
  for (const CommandSet* set : later) {
    SCOPED_TRACE(set->name);
    Bench b(*set);
    const Dwords one = packet_of<t::sample_mask>(0x9E3779B1), other = packet_of<t::sample_mask>(0x7F4A7C14),
                 samples = packet_of<t::multisample>(0x9E3779B1);
    Dwords all;
    for (int n = 0; n < 3000; ++n) all = join({std::move(all), one, samples});
    all = join({std::move(all), other, one, end()});
    ASSERT_RUNS(b.run(all));
    EXPECT_EQ(changes(b.state.three_d), 4u);
    EXPECT_TRUE(same(t::sample_mask, b.state.three_d.sample_mask, unpack(t::sample_mask, one)));
    EXPECT_EQ(b.counts.commands["3DSTATE_SAMPLE_MASK"], 3002u);
    EXPECT_EQ(b.counts.commands["3DSTATE_MULTISAMPLE"], 3000u);
    b.command_budget = 4000;
    EXPECT_NE(text(b.run(all)).find("hung: 4000 commands"), std::string::npos);
  }
}

}  // namespace
}  // namespace vitro::streamer
