// Vertex fetch: every format that a vertex may have, component controls, system-generated values, bounds, instances
// and indices.
#include "pipeline/vertex_fetch.h"

#include <gtest/gtest.h>

#include <cstring>

#include "base/random.h"

namespace vitro::pipeline {
namespace {

constexpr uint8_t nostore = 0, src = 1, zero = 2, one_fp = 3, one_int = 4;
constexpr uint32_t one = 0x3F800000;

struct Bench {
  static constexpr uint64_t address = 0x10000;
  std::vector<std::byte> bytes = std::vector<std::byte>(memory::page_bytes);
  state::Pipeline state{};
  commands::three_d::Primitive primitive{};
  memory::View view{std::make_shared<memory::Table>(
      memory::Table({{.start = address, .bytes = bytes.size(), .host = bytes.data()}}))};

  Bench() {
    state.vertex_buffers[0] = {.buffer_pitch = 32, .buffer_starting_address = address, .buffer_size = 4096};
    Rng random(7);
    for (std::byte& b : bytes) b = std::byte(random());
  }
  void element(uint16_t format, std::array<uint8_t, 4> controls, uint16_t offset = 0) {
    state.vertex_elements[state.vertex_element_count++] = {.source_element_offset = offset,
                                                           .source_element_format = format,
                                                           .valid = true,
                                                           .component_3_control = controls[3],
                                                           .component_2_control = controls[2],
                                                           .component_1_control = controls[1],
                                                           .component_0_control = controls[0]};
  }
  VertexInput input() {
    auto made = make_vertex_input(state, primitive, view);
    EXPECT_TRUE(made) << made.error().reason;
    return made ? *made : VertexInput{};
  }
  // As an entry, and as lanes of registers, of which it is the third.
  std::vector<Slot> fetch(const VertexKey& key) {
    const VertexInput i = input();
    std::vector<Slot> slots(i.slots + 1, Slot{0xABAD1DEA, 0, 0, 0});
    edge = fetch_entries(i, view, {&key, 1}, slots.data()) & 1;
    EXPECT_EQ(slots.back()[0], 0xABAD1DEA) << "wrote past its slots";
    slots.pop_back();
    const std::array<VertexKey, 3> keys = {VertexKey{.index = 2}, {.index = 5, .id = 1}, key};
    const unsigned first = slots.size() > 1;
    std::vector<std::array<uint32_t, 8>> registers(4 * (slots.size() + 1) + 1, {0xABAD1DEA});
    const unsigned edges =
        fetch_registers(i, view, keys, first, unsigned(slots.size()) + 1 - first, registers[0].data());
    EXPECT_EQ(edges >> 2 & 1, unsigned(edge));
    EXPECT_EQ(registers[4 * (slots.size() + 1 - first)][0], 0xABAD1DEA) << "wrote past its slots";
    for (size_t n = first; n < slots.size() + 1; ++n)
      for (size_t c = 0; c < 4; ++c) {
        EXPECT_EQ(registers[4 * (n - first) + c][2], n < slots.size() ? slots[n][c] : 0) << n << " " << c;
        EXPECT_EQ(registers[4 * (n - first) + c][3], 0u);
      }
    return slots;
  }
  bool edge = true;
  uint32_t dword(size_t at) const {
    uint32_t v;
    std::memcpy(&v, bytes.data() + at, 4);
    return v;
  }
};

TEST(VertexFetch, EveryFormat) {
  unsigned fetched = 0;
  for (const formats::Format& f : formats::all()) {
    Bench b;
    const bool wide = f.channels[0].kind == formats::Kind::raw && f.channels[0].width == 64;
    if (wide || f.block_width != 1) continue;
    b.element(f.code, {src, src, src, src}, 4);
    if (!f.decode) {
      EXPECT_EQ(make_vertex_input(b.state, b.primitive, b.view).error().unsupported,
                "vertex format " + std::string(f.name));
      continue;
    }
    for (uint32_t n = 0; n < 20; ++n) {
      formats::Rgba expected;
      f.decode(b.bytes.data() + 32 * n + 4, 0, 0, expected);
      ASSERT_EQ(b.fetch({.index = n})[0], expected) << f.name;
    }
    ++fetched;
  }
  EXPECT_GT(fetched, 150u);
}

TEST(VertexFetch, FormatsByHand) {
  const auto fetched = [](const char* format, std::initializer_list<uint8_t> bytes) {
    Bench b;
    size_t n = 0;
    for (uint8_t v : bytes) b.bytes[n++] = std::byte(v);
    b.element(formats::find(format)->code, {src, src, src, src});
    return b.fetch({})[0];
  };
  const auto f = [](float v) { return std::bit_cast<uint32_t>(v); };
  EXPECT_EQ(fetched("R8G8B8A8_UNORM", {0, 255, 51, 102}), (Slot{0, one, f(0.2f), f(0.4f)}));
  EXPECT_EQ(fetched("B8G8R8A8_UNORM", {0, 255, 51, 102}), (Slot{f(0.2f), one, 0, f(0.4f)}));
  EXPECT_EQ(fetched("R16G16_SSCALED", {0xFE, 0xFF, 5, 0}), (Slot{f(-2), f(5), 0, one}));
  EXPECT_EQ(fetched("R8G8_USCALED", {200, 3}), (Slot{f(200), f(3), 0, one}));
  EXPECT_EQ(fetched("R16G16B16_FLOAT", {0, 0x3C, 0, 0xC0, 0, 0x38}), (Slot{one, f(-2), f(0.5f), one}));
  EXPECT_EQ(fetched("R10G10B10A2_SINT", {0xFF, 0x07, 0x00, 0xE0}), (Slot{0xFFFFFFFF, 1, 0xFFFFFE00, 0xFFFFFFFF}));
  EXPECT_EQ(fetched("R10G10B10A2_USCALED", {0xFF, 0x07, 0x00, 0xE0}), (Slot{f(1023), f(1), f(512), f(3)}));
  EXPECT_EQ(fetched("R32G32_SFIXED", {0, 0x80, 1, 0, 0, 0, 0xFF, 0xFF}), (Slot{f(1.5f), f(-1), 0, one}));
  EXPECT_EQ(fetched("R8G8B8_UINT", {1, 2, 255}), (Slot{1, 2, 255, 1}));
}

TEST(VertexFetch, ComponentsTakeTheSourceInOrder) {
  Bench b;
  b.element(0x000, {zero, src, one_fp, src});
  b.element(0x000, {src, one_int, nostore, nostore}, 16);
  const auto v = b.fetch({.index = 3});
  EXPECT_EQ(v[0], (Slot{0, b.dword(96), one, b.dword(100)}));
  EXPECT_EQ(v[1], (Slot{b.dword(112), 1, 0, 0}));
}

TEST(VertexFetch, SystemGeneratedValues) {
  Bench b;
  b.element(0x000, {src, src, src, src});
  b.state.sgvs = {.vertexid_element_offset = 0,
                  .vertexid_component_number = 1,
                  .vertexid_enable = true,
                  .instanceid_element_offset = 3,
                  .instanceid_component_number = 3,
                  .instanceid_enable = true};
  const auto v = b.fetch({.index = 2, .id = 77, .instance = 9});
  ASSERT_EQ(v.size(), 4u);
  EXPECT_EQ(v[0], (Slot{b.dword(64), 77, b.dword(68), b.dword(72)})) << "what is overwritten takes none of the source";
  EXPECT_EQ(v[1], Slot{});
  EXPECT_EQ(v[2], Slot{});
  EXPECT_EQ(v[3], (Slot{0, 0, 0, 9}));
}

TEST(VertexFetch, SixtyFourBits) {
  Bench b;
  b.element(0x0A1, {src, zero, nostore, nostore});
  b.element(0x0A1, {src, zero, zero, zero}, 8);
  b.element(0x021, {src, src, nostore, nostore});
  b.element(0x1BC, {src, src, src, src});
  b.element(0x1BD, {src, src, src, zero});
  const auto v = b.fetch({.index = 1});
  ASSERT_EQ(v.size(), 8u);
  EXPECT_EQ(v[0], (Slot{b.dword(32), b.dword(36), 0, 0}));
  EXPECT_EQ(v[1], (Slot{b.dword(40), b.dword(44), 0, 0}));
  EXPECT_EQ(v[2], Slot{});
  EXPECT_EQ(v[3], (Slot{b.dword(32), b.dword(36), b.dword(40), b.dword(44)}));
  EXPECT_EQ(v[5], (Slot{b.dword(48), b.dword(52), b.dword(56), b.dword(60)}));
  EXPECT_EQ(v[7], (Slot{b.dword(48), b.dword(52), 0, 0}));
}

TEST(VertexFetch, OutsideOfBuffersIsZero) {
  Bench b;
  b.element(0x000, {src, src, src, src});
  b.element(0x0C7, {src, src, src, src}, 28);
  b.element(0x040, {src, src, src, one_fp});
  b.state.vertex_buffers[0].buffer_size = 63;
  auto v = b.fetch({.index = 1});
  EXPECT_EQ(v[0], (Slot{b.dword(32), b.dword(36), b.dword(40), b.dword(44)}));
  EXPECT_EQ(v[1], Slot{}) << "the last byte is missing";
  v = b.fetch({.index = 0xFFFFFFFF});
  EXPECT_EQ(v[0], Slot{});
  EXPECT_EQ(v[2], (Slot{0, 0, 0, one}));
  b.state.vertex_buffers[0].null_vertex_buffer = true;
  EXPECT_EQ(b.fetch({})[0], Slot{});
  // A buffer of which only the beginning is there.
  b.state.vertex_buffers[0] = {
      .buffer_pitch = 16, .buffer_starting_address = Bench::address + 4096 - 16, .buffer_size = 64};
  EXPECT_EQ(b.fetch({.index = 0})[0][3], b.dword(4092));
  EXPECT_EQ(b.fetch({.index = 1})[0], Slot{});
}

TEST(VertexFetch, Instances) {
  Bench b;
  b.primitive.start_instance_location = 2;
  for (uint32_t rate : {0u, 1u, 3u}) {
    b.element(0x0D7, {src, zero, zero, zero});
    b.state.instancing[b.state.vertex_element_count - 1u] = {.instancing_enable = true,
                                                             .instance_data_step_rate = rate};
  }
  const auto v = b.fetch({.index = 50, .instance = 7});
  EXPECT_EQ(v[0][0], b.dword(32 * 2));
  EXPECT_EQ(v[1][0], b.dword(32 * 9));
  EXPECT_EQ(v[2][0], b.dword(32 * 4));
}

TEST(VertexFetch, EdgeFlagIsNotStored) {
  Bench b;
  b.element(0x000, {src, src, src, src});
  b.element(0x143, {src, nostore, nostore, nostore}, 16);  // R8_UINT
  b.state.vertex_elements[1].edge_flag_enable = true;
  b.bytes[16] = std::byte(0);
  b.bytes[48] = std::byte(1);
  EXPECT_EQ(b.fetch({.index = 0}).size(), 1u);
  EXPECT_FALSE(b.edge);
  b.fetch({.index = 1});
  EXPECT_TRUE(b.edge);
}

TEST(VertexFetch, PacksComponents) {
  Bench b;
  b.element(0x000, {src, src, src, src});
  b.element(0x000, {src, src, src, src}, 16);
  b.state.vf.component_packing_enable = true;
  b.state.component_packing.vertex_element_enables[0] = 0b0101;
  b.state.component_packing.vertex_element_enables[1] = 0b1110;
  const auto v = b.fetch({});
  ASSERT_EQ(v.size(), 2u);
  EXPECT_EQ(v[0], (Slot{b.dword(0), b.dword(8), b.dword(20), b.dword(24)}));
  EXPECT_EQ(v[1], (Slot{b.dword(28), 0, 0, 0}));
}

TEST(VertexFetch, RefusedByName) {
  const auto reason = [](uint16_t format, uint8_t control) {
    Bench b;
    b.element(format, {control, zero, zero, zero});
    const auto made = make_vertex_input(b.state, b.primitive, b.view);
    return made ? "nothing" : made.error().reason;
  };
  EXPECT_EQ(reason(0x000, 7), "unsupported: VFCOMP_STORE_PID");
  EXPECT_EQ(reason(0x000, 5), "vertex component control 5 is reserved");
  EXPECT_EQ(reason(0x1FE, src), "vertex format 0x1fe is reserved");
}

TEST(VertexStream, Indices) {
  for (unsigned format : {0u, 1u, 2u}) {
    Bench b;
    const unsigned size = 1u << format;
    const uint32_t all = uint32_t((uint64_t(1) << 8 * size) - 1);
    b.state.index_buffer = {
        .index_format = uint8_t(format), .buffer_starting_address = Bench::address + 64, .buffer_size = 10 * size};
    b.state.vf = {.indexed_draw_cut_index_enable = true, .cut_index = all};
    b.primitive = {.vertex_access_type = 1,
                   .vertex_count_per_instance = 20,
                   .start_vertex_location = 3,
                   .base_vertex_location = -2};
    std::memcpy(b.bytes.data() + 64 + 4 * size, &all, size);
    const auto s = make_vertex_stream(b.state, b.primitive, b.view);
    ASSERT_TRUE(s);
    uint32_t expected = 0;
    std::memcpy(&expected, b.bytes.data() + 64 + 3 * size, size);
    EXPECT_EQ(s->id_at(b.view, 0), expected);
    EXPECT_EQ(s->index_of(expected), expected - 2);
    EXPECT_FALSE(s->is_cut(expected));
    EXPECT_TRUE(s->is_cut(s->id_at(b.view, 1)));
    EXPECT_EQ(s->id_at(b.view, 7), 0u) << "past the end";
    EXPECT_EQ(s->id_at(b.view, 0xFFFFFFFF), 0u);
    std::array<uint32_t, 9> row{};
    s->read(b.view, 0, row);
    for (uint32_t n = 0; n < row.size(); ++n) EXPECT_EQ(row[n], s->id_at(b.view, n)) << n;
  }
  Bench b;
  b.state.index_buffer.index_format = 3;
  b.primitive.vertex_access_type = 1;
  EXPECT_EQ(make_vertex_stream(b.state, b.primitive, b.view).error().reason, "index format 3 is reserved");
  b.primitive = {.vertex_count_per_instance = 5, .start_vertex_location = 10, .base_vertex_location = 100};
  const auto s = make_vertex_stream(b.state, b.primitive, b.view);
  EXPECT_EQ(s->id_at(b.view, 2), 2u);
  EXPECT_EQ(s->index_of(2), 12u);
}

}  // namespace
}  // namespace vitro::pipeline
