// From state to draws: which kernels, which stages are shared, what is read from memory. PRM: as make_draw.h.
#include "pipeline/make_draw.h"

#include <gtest/gtest.h>

#include <functional>

#include "dispatch/kernels_test.h"
#include "eu/thread.h"
#include "gen/machine.h"

namespace vitro::pipeline {
namespace {

using state::ShaderStage;
constexpr size_t vs_index = size_t(ShaderStage::vs), ps_index = size_t(ShaderStage::ps);

struct Bench {
  static constexpr uint64_t kernels_at = 0x1'0000'0000, dynamic_at = 0x2'0000'0000, buffers_at = 0x3'0000'0000;
  const gen::Machine& machine;
  std::vector<std::byte> kernels = std::vector<std::byte>(0x1000), dynamic = std::vector<std::byte>(0x1000),
                         buffers = std::vector<std::byte>(0x1000);
  dispatch::ProgramCache programs;
  memory::View view;
  state::Bases bases{};
  state::Pipeline state{};
  commands::three_d::Primitive primitive{.primitive_topology_type = 4, .vertex_count_per_instance = 3};
  DrawPool pool{};
  DrawMaker maker;

  explicit Bench(const char* device = "kbl")
      : machine(gen::machine(*gen::find_device(device))),
        programs(machine.model),
        view(std::make_shared<memory::Table>(std::vector<memory::Range>{
                 {.start = kernels_at, .bytes = kernels.size(), .host = kernels.data()},
                 {.start = dynamic_at, .bytes = dynamic.size(), .host = dynamic.data()},
                 {.start = buffers_at, .bytes = buffers.size(), .host = buffers.data()},
             }),
             true),
        maker{.traits = *machine.three_d,
              .programs = programs,
              .memory = view,
              .bases = bases,
              .run = dispatch::plain_run,
              .pool = pool} {
    bases.instruction.address = kernels_at;
    bases.dynamic.address = dynamic_at;
    for (uint32_t k = 0; k < 4; ++k) put_kernel(0x40 + 0x100 * k, k);
    for (size_t k = 0; k < buffers.size(); ++k) buffers[k] = std::byte(k / 32);
  }
  // Each another.
  void put_kernel(size_t offset, uint32_t value) {
    const std::vector<std::byte> code = dispatch::testing::assembled(
        machine.model, fmt::format("(W) mov (8|M0) r127.0<1>:ud {}:ud\n", value) + dispatch::testing::end());
    std::copy(code.begin(), code.end(), kernels.begin() + std::ptrdiff_t(offset));
  }
  void shade_pixels() {
    state.ps_extra.pixel_shader_valid = true;
    state.ps.dispatch_8 = true;
    state.ps.kernel_start_pointer_0 = 0x140;
    state.ps.kernel_start_pointer_1 = 0x240;
    state.ps.kernel_start_pointer_2 = 0x340;
  }
  void shade_vertices() {
    state.vs.enable = true;
    state.vs.kernel_start_pointer = 0x40;
    state.vs.maximum_number_of_threads = 335;
  }
  // Tests change state and bases without packets: so anything may have changed, unless they say otherwise.
  void change_anything() {
    for (size_t g = 0; g < state::group_count; ++g) state.changed(state::Group(g));
    maker.memory_may_have_changed();
  }
  std::shared_ptr<const Draw> unchanged_draw(bool constant_0_is_address = true) {
    auto d = make_draw(maker, state, primitive, {7, 0x1000, 0x20}, constant_0_is_address);
    EXPECT_TRUE(d) << d.error().reason;
    return d ? (*d)->draw : std::make_shared<const Draw>();
  }
  std::shared_ptr<const Draw> draw(bool constant_0_is_address = true) {
    change_anything();
    return unchanged_draw(constant_0_is_address);
  }
  std::string refusal() {
    change_anything();
    const auto d = make_draw(maker, state, primitive, {}, true);
    return d ? "none" : d.error().reason;
  }
  void put(size_t offset, const std::vector<uint32_t>& dwords) {
    std::memcpy(dynamic.data() + offset, dwords.data(), 4 * dwords.size());
  }
};

// As drivers put the kernels: with one width it is the first, 16 comes third behind another, 32 second.
TEST(MakeDraw, KernelsByWidth) {
  const KernelSlots expected[] = {{-1, -1, -1}, {0, -1, -1}, {-1, 0, -1}, {0, 2, -1},
                                  {-1, -1, 0},  {0, -1, 1},  {-1, 2, 1},  {0, 2, 1}};
  for (unsigned enables = 0; enables < 8; ++enables) {
    const commands::three_d::Ps ps{
        .dispatch_8 = bool(enables & 1), .dispatch_16 = bool(enables & 2), .dispatch_32 = bool(enables & 4)};
    EXPECT_EQ(kernel_slots(ps), expected[enables]) << enables;
  }
}

TEST(MakeDraw, WithoutShaders) {
  Bench b;
  b.state.vs.kernel_start_pointer = 0xFFFF'0000;  // nobody looks there
  const auto d = b.draw();
  EXPECT_FALSE(d->vs || d->ps[0] || d->ps[1] || d->ps[2]);
  const DrawPlace& place = b.maker.last.place;
  EXPECT_EQ(std::tuple(place.number, place.address, place.batch_offset), std::tuple(7u, 0x1000u, 0x20u));
  EXPECT_EQ(d->number, 7u);
  EXPECT_EQ(d->samples, 1u);
  EXPECT_EQ(d->traits, b.machine.three_d);
  EXPECT_EQ(d->memory, b.view.table());
  EXPECT_FALSE(b.view.must_fault());
}

TEST(MakeDraw, Stages) {
  Bench b;
  b.shade_vertices();
  b.shade_pixels();
  b.state.ps.dispatch_16 = true;
  b.state.ps.dispatch_grf_start_register_for_constant_setup_data_0 = 4;
  b.state.ps.dispatch_grf_start_register_for_constant_setup_data_2 = 6;
  b.state.binding_tables = {0x20, 0, 0, 0, 0x40};
  b.state.samplers = {0x60, 0, 0, 0, 0x80};
  b.state.vs.floating_point_mode = 1;
  b.state.vs.per_thread_scratch_space = 2;
  b.state.vs.scratch_space_base_pointer = 0xFFF1B000;
  b.state.ps.vector_mask_enable = true;
  b.state.ps.rounding_mode = 3;
  b.state.ps.single_precision_denormal_mode = 1;
  b.state.ps.single_program_flow = true;
  b.state.ps.software_exception_enable = true;
  const auto d = b.draw();
  ASSERT_TRUE(d->vs && d->ps[0] && d->ps[1]);
  EXPECT_FALSE(d->ps[2]);
  EXPECT_EQ(d->vs->state.kernel->address, Bench::kernels_at + 0x40);
  EXPECT_EQ(d->ps[0]->state.kernel->address, Bench::kernels_at + 0x140);
  EXPECT_EQ(d->ps[1]->state.kernel->address, Bench::kernels_at + 0x340);
  EXPECT_EQ(std::tuple(d->ps_grf_start[0], d->ps_grf_start[1]), std::tuple(4, 6));
  EXPECT_EQ(std::tuple(d->vs->state.binding_table, d->vs->state.sampler_table), std::tuple(0x20u, 0x60u));
  EXPECT_EQ(std::tuple(d->ps[0]->state.binding_table, d->ps[0]->state.sampler_table), std::tuple(0x40u, 0x80u));
  EXPECT_EQ(d->vs->state.cr0, uint32_t(eu::cr_alt_mode));
  EXPECT_EQ(d->ps[0]->state.cr0,
            eu::cr_vector_mask | 3u << eu::cr_rounding_shift | eu::cr_keep_float_denorms | eu::cr_spf);
  EXPECT_EQ(d->ps[0]->state.cr1, 1u << int(eu::Exception::software));
  EXPECT_EQ(d->vs->thread_limit, 336u);
  EXPECT_EQ(d->ps[0]->thread_limit, b.machine.three_d->ps_threads);
  EXPECT_NE(d->vs->ffid, d->ps[0]->ffid);
  EXPECT_EQ(d->headers[vs_index].samplers, 0x62u);
  EXPECT_EQ(d->headers[vs_index].r0_5(3), 0xFFF1E003u);
  EXPECT_EQ(d->headers[ps_index].bindings, 0x40u);
}

TEST(MakeDraw, StagesAreShared) {
  Bench b;
  b.shade_vertices();
  b.shade_pixels();
  const auto first = b.draw();
  b.state.topology.primitive_topology_type = 5;
  auto next = b.draw();
  EXPECT_EQ(next->vs, first->vs);
  EXPECT_EQ(next->ps[0], first->ps[0]);
  // Other samplers are another stage; the way back leads to the first.
  b.state.samplers[ps_index] = 0x40;
  next = b.draw();
  EXPECT_EQ(next->vs, first->vs);
  EXPECT_NE(next->ps[0], first->ps[0]);
  EXPECT_EQ(next->ps[0]->state.kernel, first->ps[0]->state.kernel);
  EXPECT_NE(next->ps[0]->number, first->ps[0]->number);
  b.state.samplers[ps_index] = 0;
  EXPECT_EQ(b.draw()->ps[0], first->ps[0]);
  // Bases belong to a stage.
  b.bases.surface.address = 0x5000;
  next = b.draw();
  EXPECT_NE(next->vs, first->vs);
  EXPECT_EQ(next->vs->bases.surface.address, 0x5000u);
}

// Another binding table is another stage only where the kernel looks at something else in it.
TEST(MakeDraw, OtherBindingTables) {
  Bench b;
  b.shade_vertices();
  // render target write to entry 2, at the end
  const std::string text = "sendc (8|M0) null r112 0x5 0x08031402 {EOT}\n";
  const std::vector<std::byte> code = dispatch::testing::assembled(b.machine.model, text);
  std::copy(code.begin(), code.end(), b.kernels.begin() + 0x40);
  b.bases.surface.address = Bench::buffers_at;
  const auto put_entry = [&](uint32_t table, uint32_t index, uint32_t value) {
    b.view.store<uint32_t>(Bench::buffers_at + table + 4 * index, value);
  };
  const auto stage = [&](uint32_t table) {
    b.state.binding_tables[vs_index] = table;
    b.state.changed(state::Group::bindings_vs);
    return b.unchanged_draw()->vs;
  };
  for (const uint32_t table : {0x100u, 0x200u}) put_entry(table, 2, 0x400);
  put_entry(0x100, 1, 0x440), put_entry(0x200, 1, 0x480), put_entry(0x300, 2, 0x440);
  b.change_anything();
  const auto first = stage(0x100);
  EXPECT_EQ(stage(0x200), first);
  EXPECT_EQ(b.unchanged_draw()->headers[vs_index].bindings, 0x200u);
  EXPECT_NE(stage(0x300), first);
  EXPECT_EQ(stage(0x100), first);
  // Once memory may have changed, a table is only trusted after it was looked at.
  b.maker.memory_may_have_changed();
  put_entry(0x200, 2, 0x440);
  EXPECT_NE(stage(0x200), first);
}

// What was decoded of state objects serves the next draw until they are rewritten; that draw has a stage of its own.
TEST(MakeDraw, SurfacesThatAreRewritten) {
  Bench b;
  b.shade_vertices();
  b.bases.surface.address = Bench::buffers_at;
  const auto bound = [&](const Draw& d) {
    shared::Environment e{.memory = &b.view, .bases = d.bases, .bindings = d.vs->state.bindings.get()};
    return shared::Surfaces(*b.machine.three_d->surfaces, e).bound(0).state;
  };
  b.view.store<uint32_t>(Bench::buffers_at, 0x40);
  const auto first = b.draw();
  EXPECT_EQ(b.draw()->vs, first->vs);  // nothing was read of them
  const auto before = bound(*first);
  EXPECT_EQ(b.draw()->vs, first->vs);
  b.view.store<uint32_t>(Bench::buffers_at + 0x40 + 2 * 4, 0x00070007);
  const auto next = b.draw();
  EXPECT_NE(next->vs, first->vs);
  EXPECT_NE(next->vs->number, first->vs->number);
  EXPECT_EQ(next->vs->state.kernel, first->vs->state.kernel);
  EXPECT_NE(bound(*next).width_less_1, before.width_less_1);
  EXPECT_EQ(bound(*first).width_less_1, before.width_less_1);
  EXPECT_EQ(b.draw()->vs, next->vs);
}

TEST(MakeDraw, KernelsThatAreRewritten) {
  Bench b;
  b.shade_vertices();
  const auto first = b.draw();
  b.put_kernel(0x40, 99);
  EXPECT_EQ(b.unchanged_draw()->vs, first->vs);  // as nothing has said that it could
  b.maker.memory_may_have_changed();
  const auto next = b.unchanged_draw();
  EXPECT_NE(next->vs, first->vs);
  EXPECT_NE(next->vs->state.kernel, first->vs->state.kernel);
  EXPECT_EQ(b.draw()->vs, next->vs);
}

// More stages than are kept: the one used longest ago goes.
TEST(MakeDraw, ManyStages) {
  Bench b;
  b.shade_vertices();
  const auto first = b.draw()->vs;
  for (uint32_t k = 1; k < 100; ++k) {
    b.state.samplers[vs_index] = 32 * k;
    EXPECT_EQ(b.draw()->vs->state.sampler_table, 32 * k);
    b.state.samplers[vs_index] = 0;
    EXPECT_EQ(b.draw()->vs, first) << k;
  }
}

TEST(MakeDraw, Constants) {
  Bench b;
  b.shade_vertices();
  b.shade_pixels();
  auto& c = b.state.constants[vs_index];
  c.read_length = {1, 0, 2, 1};
  c.buffer = {Bench::buffers_at + 32, 0xFFFF'FFFF'0000, Bench::buffers_at + 5 * 32, Bench::buffers_at + 9 * 32};
  b.state.constants[ps_index] = c;
  auto d = b.draw();
  const std::vector<std::byte>& push = d->push[vs_index];
  ASSERT_EQ(push.size(), 128u);
  EXPECT_EQ(std::tuple(push[0], push[32], push[64], push[96]),
            std::tuple(std::byte{1}, std::byte{5}, std::byte{6}, std::byte{9}));
  EXPECT_TRUE(d->push[ps_index].empty());  // Push Constant Enable
  b.state.ps.push_constant_enable = true;
  EXPECT_EQ(b.draw()->push[ps_index], push);
  // As an offset.
  b.state.ps.push_constant_enable = false;
  std::fill(b.dynamic.begin() + 64, b.dynamic.begin() + 96, std::byte{0xAB});
  c.buffer[0] = 64;
  const auto offset = b.draw(false);
  EXPECT_EQ(offset->push[vs_index][31], std::byte{0xAB});
  EXPECT_EQ(offset->push[vs_index][32], std::byte{5});
  EXPECT_FALSE(b.view.must_fault());
  c.read_length = {0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF};
  EXPECT_EQ(b.refusal(), "constants of 262140 registers");
}

TEST(MakeDraw, Objects) {
  for (const char* device : {"bdw", "kbl"}) {
    Bench b(device);
    b.put(0x100, {0x3F800000, 0x40000000});        // m00, m11 of viewport 0
    b.put(0x140, {0x40400000});                    // m00 of viewport 1
    b.put(0x200, {0, 0x3F000000, 0, 0x3F800000});  // depth ranges
    b.put(0x240, {0x00020001, 0x00040003, 5, 6});  // scissors
    b.put(0x280, {0xAB120001, 0x80, 0x3F800000, 0, 0, 0x3F000000});
    b.put(0x2C0, {1u << 31, 1u << 31 | 0x8, 0, 0, 3});  // blend: header, entry 0, entry 1
    b.state.clip.maximum_vp_index = 1;
    b.state.sf_clip_viewports = 0x100, b.state.cc_viewports = 0x200, b.state.scissors = 0x240;
    b.state.color_calc_state = 0x280, b.state.blend_state = 0x2C0;
    EXPECT_EQ(b.draw()->objects.viewports[0].viewport_matrix_element_m00, 0);  // without a transform
    b.state.sf.viewport_transform_enable = true;
    b.state.wm_depth_stencil.depth_test_enable = true;
    b.state.raster.scissor_rectangle_enable = true;
    b.state.has_blend_state = b.state.has_color_calc_state = true;
    const Objects o = b.draw()->objects;
    EXPECT_EQ(o.viewports[0].viewport_matrix_element_m11, 2.0f);
    EXPECT_EQ(o.viewports[1].viewport_matrix_element_m00, 3.0f);
    EXPECT_EQ(o.depth_ranges[0].maximum_depth, 0.5f);
    EXPECT_EQ(o.depth_ranges[1].maximum_depth, 1.0f);
    EXPECT_EQ(o.scissors[0].scissor_rectangle_y_max, 4);
    EXPECT_EQ(o.scissors[1].scissor_rectangle_x_max, 6);
    EXPECT_EQ(o.scissors[2].scissor_rectangle_x_max, 0);
    EXPECT_EQ(o.color_calc.alpha_reference_value, 0x80u);
    EXPECT_EQ(o.color_calc.blend_constant_color_red, 1.0f);
    EXPECT_EQ(o.color_calc.stencil_reference_value, b.machine.three_d->stencil_reference_in_packet ? 0 : 0xAB);
    EXPECT_TRUE(o.blend.alpha_to_coverage_enable);
    EXPECT_TRUE(o.blend_entries[0].color_buffer_blend_enable && o.blend_entries[0].write_disable_alpha);
    EXPECT_TRUE(o.blend_entries[1].post_blend_color_clamp_enable && o.blend_entries[1].pre_blend_color_clamp_enable);
    EXPECT_FALSE(b.view.must_fault());
  }
}

// Commands have one draw until something of it changes: a packet, an object, constants, a surface, a kernel, a base.
TEST(MakeDraw, CommandsShareADraw) {
  Bench b;
  b.shade_vertices();
  b.shade_pixels();
  b.state.sf.viewport_transform_enable = true;
  b.state.has_blend_state = true;
  b.state.sf_clip_viewports = 0x100, b.state.blend_state = 0x200;
  b.state.ps.push_constant_enable = true;
  for (const size_t stage : {vs_index, ps_index}) b.state.constants[stage].read_length = {0, 1, 0, 0};
  b.state.constants[vs_index].buffer[1] = Bench::buffers_at;
  b.state.constants[ps_index].buffer[1] = Bench::buffers_at + 64;
  auto last = b.draw();
  const auto is_same = [&] { return b.unchanged_draw() == last; };
  EXPECT_TRUE(is_same());
  b.maker.memory_may_have_changed();
  EXPECT_TRUE(is_same());
  const std::function<void()> changes[] = {
      [&] { b.put(0x100, {0x3F800000}); },       [&] { b.put(0x204, {0x80000000}); },
      [&] { b.buffers[3] = std::byte{99}; },     [&] { b.buffers[65] = std::byte{99}; },
      [&] { b.put_kernel(0x40, 77); },           [&] { b.put_kernel(0x140, 77); },
      [&] { b.bases.surface.address = 0x5000; },
  };
  for (const auto& change : changes) {
    change();
    EXPECT_TRUE(is_same());  // as long as nothing has said that it could
    b.maker.memory_may_have_changed();
    EXPECT_FALSE(is_same());
    last = b.unchanged_draw();
    EXPECT_TRUE(is_same());
  }
  EXPECT_FALSE(b.unchanged_draw(false) == last);
  // What depends on groups that did not change is the same.
  last = b.unchanged_draw();
  b.state.clip.clip_mode = 3;
  b.state.changed(state::Group::clip);
  auto next = b.unchanged_draw();
  EXPECT_NE(next, last);
  EXPECT_EQ(std::tuple(next->vs, next->ps, next->push), std::tuple(last->vs, last->ps, last->push));
  b.state.constants[ps_index].buffer[1] = Bench::buffers_at + 96;
  b.state.changed(state::Group::constants_ps);
  next = b.unchanged_draw();
  EXPECT_EQ(next->push[vs_index], last->push[vs_index]);
  EXPECT_EQ(next->push[ps_index][0], std::byte{3});
  b.state.vs.enable = false;
  b.state.changed(state::Group::vs);
  next = b.unchanged_draw();
  EXPECT_FALSE(next->vs);
  EXPECT_TRUE(next->push[vs_index].empty());
  EXPECT_EQ(next->ps, last->ps);
}

// A draw that is still in use is left alone, however many follow.
TEST(MakeDraw, DrawsInUse) {
  Bench b;
  std::vector<std::shared_ptr<const Draw>> kept;
  for (uint32_t k = 0; k < 600; ++k) {
    b.state.sample_mask.sample_mask = uint16_t(k);
    const auto d = b.draw();
    if (k % 3 == 0) kept.push_back(d);
  }
  for (uint32_t k = 0; k < kept.size(); ++k) EXPECT_EQ(kept[k]->state.sample_mask.sample_mask, 3 * k);
}

TEST(MakeDraw, Samples) {
  Bench bdw("bdw"), kbl("kbl");
  for (Bench* b : {&bdw, &kbl})
    for (uint8_t code = 0; code < 4; ++code) {
      b->state.multisample.number_of_multisamples = code;
      EXPECT_EQ(b->draw()->samples, 1u << code);
    }
  bdw.state.multisample.number_of_multisamples = kbl.state.multisample.number_of_multisamples = 4;
  EXPECT_EQ(bdw.refusal(), "reserved number of multisamples 4");
  EXPECT_EQ(kbl.draw()->samples, 16u);
}

TEST(MakeDraw, WhatIsRefused) {
  Bench b;
  b.shade_vertices();
  b.state.streamout.so_function_enable = true;
  EXPECT_EQ(b.refusal(), "unsupported: stream output of shaded vertices");
  b.state.vs.enable = false;
  EXPECT_EQ(b.refusal(), "none");
  b.state.gather_constants[0].constant_buffer_dx9_enable = true;
  EXPECT_EQ(b.refusal(), "unsupported: DX9 constants");
  b.state.gather_constants[0] = {};
  b.shade_pixels();
  b.state.ps.dispatch_8 = false;
  EXPECT_EQ(b.refusal(), "a pixel shader without a dispatch width");
  b.state.ps.dispatch_32 = true;
  EXPECT_EQ(b.refusal(), "none");
  b.state.ps.per_thread_scratch_space = 12;
  EXPECT_EQ(b.refusal(), "reserved scratch space size 12");
}

TEST(MakeDraw, Statistics) {
  Statistics a{.ia_vertices = 1, .so_primitives_needed = {0, 2}}, b{.ia_vertices = 3, .ps_depth_count = 4};
  a += b;
  EXPECT_EQ(a, (Statistics{.ia_vertices = 4, .ps_depth_count = 4, .so_primitives_needed = {0, 2}}));
}

}  // namespace
}  // namespace vitro::pipeline
