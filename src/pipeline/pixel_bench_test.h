// A guest with a draw, for tests of the pixel back end: memory with surfaces, a kernel that is assembled from text, and
// a primitive with planes. No part of the machine.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "gen/machine.h"
#include "gen/models.h"
#include "isa/assemble.h"
#include "memory/address_space.h"
#include "pipeline/pixel.h"

namespace vitro::pipeline::pixel_test {

inline constexpr uint64_t home = 0x40'0000, ram_bytes = 4 << 20;
inline constexpr uint32_t surface_heap = 0, kernels = 0x10000, target_at = 0x100000, depth_at = 0x200000,
                          stencil_at = 0x280000, control_at = 0x2C0000;

inline const Traits traits_gen8{.ps_invocation_factor = 4, .surfaces = &state::surface_gen8, .fast_clear_rows = 16};
inline const Traits traits_gen9{
    .has_16_samples = true, .stencil_reference_in_packet = true, .surfaces = &state::surface_gen9};

struct Bench {
  std::vector<std::byte> ram = std::vector<std::byte>(ram_bytes);
  memory::AddressSpace space{};
  std::unique_ptr<memory::View> view{};
  Draw draw{};
  std::array<Slot, 16> vues[3]{};
  Primitive primitive{};

  Bench() {
    const memory::Range range{home, ram_bytes, ram.data()};
    space.bind({&range, 1});
    view = std::make_unique<memory::View>(space.table());
    draw.number = 1;
    draw.traits = &traits_gen9;
    draw.memory = space.table();
    draw.bases.surface.address = home + surface_heap;
    state::Pipeline& s = draw.state;
    s.depth_buffer.surface_type = 7;
    s.sample_mask.sample_mask = 0xFFFF;
    s.wm.statistics_enable = true;
    s.ps_extra.pixel_shader_valid = true;
    s.ps_blend.has_writeable_rt = true;
    s.ps.dispatch_16 = true;
    s.urb[size_t(state::ShaderStage::vs)].urb_entry_allocation_size = 3;
    for (auto& range_of : draw.objects.depth_ranges) range_of = {0, 1};
    for (size_t v = 0; v < 3; ++v) primitive.object.vertices[v] = vues[v].data();
    primitive.object.flat = vues[0].data(), primitive.object.slots = uint16_t(vues[0].size());
    primitive.inverse_w = {0, 0, 1}, primitive.inverse_ws = {1, 1, 1};
  }
  Bench(const Bench&) = delete;

  template <class T = uint32_t>
  T get(uint64_t at) const {
    T v;
    std::memcpy(&v, ram.data() + at, sizeof v);
    return v;
  }
  void bind(unsigned index, const state::Surface& s) {
    const state::SurfaceLayout& layout = *draw.traits->surfaces;
    std::array<uint32_t, state::surface_dwords> packet{};
    layout.encode(s, std::span(packet).first(layout.rules.dwords));
    const uint32_t offset = 0x1000 + 64 * index;
    std::memcpy(ram.data() + surface_heap + offset, packet.data(), sizeof packet);
    std::memcpy(ram.data() + surface_heap + 4 * index, &offset, 4);
  }
  static state::Surface target(std::string_view format, uint32_t width, uint32_t height, uint32_t pitch) {
    state::Surface s;
    s.type = state::SurfaceType::two_d;
    s.format = formats::find(format)->code;
    s.base = home + target_at;
    s.width_less_1 = width - 1, s.height_less_1 = height - 1, s.pitch_less_1 = pitch - 1;
    s.horizontal_alignment = 1, s.vertical_alignment = 1, s.tile_mode = 3;
    return s;
  }
  // The kernel of a width (an index of pixel_lanes).
  void use(unsigned width, const std::string& text) {
    const isa::Model& model = gen::gen9();
    const isa::Assembly a = isa::assemble(model, text, {.validate = false});
    for (const isa::Diagnostic& d : a.diagnostics) ADD_FAILURE() << isa::render("test", text, d, false);
    const uint64_t at = kernels + width * 0x1000;
    std::copy(a.code.begin(), a.code.end(), ram.begin() + ptrdiff_t(at));
    cache.emplace_back(std::make_unique<dispatch::ProgramCache>(model));
    auto stage = std::make_shared<dispatch::Stage>();
    rebind(*stage);
    stage->state.kernel = cache.back()->find(*view, home + at);
    stage->state.cr0 = draw.state.ps.vector_mask_enable ? uint32_t(eu::cr_vector_mask) : 0;
    stage->memory = draw.memory;
    stage->bases = draw.bases;
    draw.ps[width] = stage;
    draw.state.ps.dispatch_8 = draw.ps[0] != nullptr, draw.state.ps.dispatch_16 = draw.ps[1] != nullptr;
    draw.state.ps.dispatch_32 = draw.ps[2] != nullptr;
  }
  std::vector<std::unique_ptr<dispatch::ProgramCache>> cache{};

  static dispatch::SubsliceOptions options() {
    const gen::Machine& m = gen::machine(*gen::find_device("kbl"));
    return {.functions = m.functions, .gateway = &m.gateway};
  }
  Block block(uint16_t x, uint16_t y, uint16_t pixels = 0xFFFF) const {
    Block b{.primitive = &primitive, .x = x, .y = y, .samples = uint8_t(draw.samples)};
    for (unsigned s = 0; s < draw.samples; ++s) b.coverage[s] = pixels;
    return b;
  }
  PixelCounters run(const std::vector<Block>& blocks) {
    PixelBackEnd back(options(), 0);
    ++draw.number;
    const auto check = [](const MaybeFault& f) { EXPECT_FALSE(f) << f->text(); };
    check(back.begin(draw));
    for (const Block& b : blocks) check(back.blocks({&b, 1}));
    check(back.end());
    return back.take_counters();
  }
};

}  // namespace vitro::pipeline::pixel_test
