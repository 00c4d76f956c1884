// The front end as a whole: a vertex shader from text, chunks against one walk over all vertices, instances, the
// vertex cache, stream output, and draws as drivers make them for their own purposes.
#include "pipeline/front_end.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>

#include "base/random.h"
#include "dispatch/kernels_test.h"

namespace vitro::pipeline {
namespace {

constexpr uint8_t src = 1, zero = 2, one_fp = 3;
constexpr uint32_t one = 0x3F800000;
uint32_t bits(float f) { return std::bit_cast<uint32_t>(f); }

struct Bench {
  static constexpr uint64_t address = 0x100000;
  std::vector<uint32_t> words = std::vector<uint32_t>(256 << 10);
  std::shared_ptr<memory::Table> table = std::make_shared<memory::Table>(memory::Table(
      {{.start = address, .bytes = words.size() * 4, .host = reinterpret_cast<std::byte*>(words.data())}}));
  Draw draw{};
  commands::three_d::Primitive primitive{};
  UrbArena urb{shared::urb_gen8};
  dispatch::Runner runner{{.gateway = &shared::gateway_gen9, .urb = urb.function()}};
  FrontEnd front_end{runner, urb, 3};
  Arena arena{};
  Statistics statistics{};
  dispatch::Counts counts{};
  StreamOutState out{};
  std::vector<Object> objects{};

  Bench() {
    draw.memory = table;
    state::Pipeline& s = draw.state;
    s.vertex_buffers[0] = {.buffer_pitch = 16, .buffer_starting_address = address, .buffer_size = 512 << 10};
    s.topology.primitive_topology_type = 4;
    s.urb[0].urb_entry_allocation_size = 1;
    s.vf_statistics.statistics_enable = true;
    s.clip.statistics_enable = true;
    s.vs.statistics_enable = true;
    s.sf.triangle_strip_list_provoking_vertex_select = 2;
    s.sf.triangle_fan_provoking_vertex_select = 2;
    s.sf.line_strip_list_provoking_vertex_select = 1;
    primitive.instance_count = 1;
    for (uint32_t n = 0; n < 128 << 10; ++n) words[n] = bits(float(n));
  }
  void element(std::array<uint8_t, 4> controls, uint16_t format = 0, uint8_t buffer = 0, uint16_t offset = 0) {
    state::Pipeline& s = draw.state;
    s.vertex_elements[s.vertex_element_count++] = {.source_element_offset = offset,
                                                   .source_element_format = format,
                                                   .valid = true,
                                                   .vertex_buffer_index = buffer,
                                                   .component_3_control = controls[3],
                                                   .component_2_control = controls[2],
                                                   .component_1_control = controls[1],
                                                   .component_0_control = controls[0]};
  }
  // Header, then what the buffer has.
  void pass_through() {
    element({zero, zero, zero, zero});
    element({src, src, src, src});
  }
  void shade(const std::string& text) {
    const isa::Model& model = gen::gen9();
    const std::vector<std::byte> code = dispatch::testing::assembled(model, text);
    eu::Program program(model, code);
    auto stage = std::make_shared<dispatch::Stage>();
    rebind(*stage);
    stage->ffid = 9;
    stage->memory = table;
    stage->state.kernel = std::make_shared<const dispatch::Kernel>(
        dispatch::Kernel{.code = code, .program = std::move(program), .waits = true, .unclean = false, .address = 0});
    draw.vs = stage;
    draw.state.vs.enable = draw.state.vs.simd8_dispatch_enable = true;
  }
  void index(const std::vector<uint32_t>& indices) {
    std::copy(indices.begin(), indices.end(), words.begin() + (128 << 10));
    draw.state.index_buffer = {.index_format = 2,
                               .buffer_starting_address = address + (512 << 10),
                               .buffer_size = uint32_t(indices.size() * 4)};
    primitive.vertex_access_type = 1;
    primitive.vertex_count_per_instance = uint32_t(indices.size());
  }
  tl::expected<Front, Fault> front() const {
    memory::View memory(draw.memory);
    Front f;
    if (auto set = set_draw(f, draw, primitive, memory, false); !set) return tl::unexpected(set.error());
    return f;
  }
  std::optional<Fault> run(const RasterState* raster = nullptr) {
    auto front = this->front();
    if (!front) return front.error();
    front->raster = raster;
    chunks = front->chunks();
    for (uint64_t n = 0; n < chunks; ++n) {
      const auto fault = front_end.run_chunk(draw, *front, front->chunk(n), arena,
                                             {[](void* to, const Object& o, const ScreenCorners* known) {
                                                Bench& b = *static_cast<Bench*>(to);
                                                b.objects.push_back(o);
                                                if (b.set_up_with) b.set_up_object(o, known);
                                              },
                                              this},
                                             statistics, counts, &out);
      if (fault) return fault;
    }
    return std::nullopt;
  }
  uint64_t chunks = 0;

  // What setup makes of the objects.
  const RasterState* set_up_with = nullptr;
  std::vector<RasterPrimitive> primitives{};
  void set_up_object(const Object& o, const ScreenCorners* known) {
    std::array<RasterPrimitive, 3> made;
    const unsigned count = known ? set_up(*set_up_with, o, *known, made) : set_up(*set_up_with, o, made);
    primitives.insert(primitives.end(), made.begin(), made.begin() + count);
  }
};

// Push constants in r2; position = element 0 times r2.0; slot 2 = element 1.
std::string kernel() {
  std::string text = "mov (8|M0) r20.0<1>:ud r1.0<8;8,1>:ud\nmov (8|M0) r30.0<1>:ud r1.0<8;8,1>:ud\n";
  for (int c = 0; c < 4; ++c) {
    text += fmt::format("mul (8|M0) r{}.0<1>:f r{}.0<8;8,1>:f r2.0<0;1,0>:f\n", 21 + c, 3 + c);
    text += fmt::format("mov (8|M0) r{}.0<1>:f r{}.0<8;8,1>:f\n", 31 + c, 7 + c);
  }
  return text + "send (8|M0) null r20 0x6 0x0A080017\nsend (8|M0) null r30 0x26 0x0A080027 {EOT}\n";
}
void use_kernel(Bench& b) {
  b.element({src, src, src, src});
  b.element({src, zero, zero, one_fp}, 0, 0, 4);
  b.shade(kernel());
  b.draw.state.vs.dispatch_grf_start_register_for_urb_data = 2;
  b.draw.state.vs.vertex_urb_entry_read_length = 1;
  b.draw.push[0].resize(32);
  const float two = 2;
  std::memcpy(b.draw.push[0].data(), &two, 4);
}

TEST(FrontEnd, ShadesVertices) {
  for (uint32_t count : {3u, 8u, 20u, 24u, 3000u}) {
    Bench b;
    use_kernel(b);
    b.primitive.vertex_count_per_instance = count;
    b.primitive.start_vertex_location = 5;
    const auto fault = b.run();
    ASSERT_FALSE(fault) << fault->text();
    ASSERT_EQ(b.objects.size(), count / 3);
    for (uint32_t n = 0; n < count / 3; ++n)
      for (uint32_t k = 0; k < 3; ++k) {
        const Slot* v = b.objects[n].vertices[k];
        const auto at = float(4 * (5 + 3 * n + k));
        EXPECT_EQ(v[0], Slot{});
        EXPECT_EQ(v[1], (Slot{bits(2 * at), bits(2 * (at + 1)), bits(2 * (at + 2)), bits(2 * (at + 3))}));
        EXPECT_EQ(v[2], (Slot{bits(at + 1), 0, 0, one}));
        EXPECT_EQ(v[3], Slot{});
      }
    EXPECT_EQ(b.statistics.vs_invocations, count);
    EXPECT_EQ(b.statistics.ia_vertices, count);
    EXPECT_EQ(b.statistics.ia_primitives, count / 3);
    EXPECT_EQ(b.statistics.cl_invocations, count / 3);
    EXPECT_EQ(b.statistics.cl_primitives, count / 3);
  }
}

// An entry is as large as what is read of it, by the stage's fields or by SBE's.
TEST(FrontEnd, EntriesHaveWhatIsRead) {
  Bench b;
  use_kernel(b);
  state::Pipeline& s = b.draw.state;
  s.vs.vertex_urb_entry_output_read_offset = 1, s.vs.vertex_urb_entry_output_length = 20;
  EXPECT_EQ(b.front()->entry_slots, 42u);
  s.sbe.vertex_urb_entry_read_offset = 3, s.sbe.force_vertex_urb_entry_read_offset = true;
  s.sbe.vertex_urb_entry_read_length = 25;
  EXPECT_EQ(b.front()->entry_slots, 46u);
  s.sbe.force_vertex_urb_entry_read_length = true;
  EXPECT_EQ(b.front()->entry_slots, 56u);
}

TEST(FrontEnd, FindsShadedVerticesAgain) {
  for (const bool disabled : {false, true}) {
    Bench b;
    use_kernel(b);
    b.draw.state.vs.vertex_cache_disable = disabled;
    b.index({0, 1, 2, 2, 1, 3, 1000, 3, 1});
    b.primitive.instance_count = 2;
    ASSERT_FALSE(b.run());
    ASSERT_EQ(b.objects.size(), 6u);
    EXPECT_EQ(b.statistics.vs_invocations, disabled ? 18u : 10u);
    EXPECT_EQ(b.objects[2].vertices[0][1][0], bits(8000));
    if (!disabled) {
      EXPECT_EQ(b.objects[0].vertices[2], b.objects[1].vertices[0]);
      EXPECT_NE(b.objects[0].vertices[2], b.objects[4].vertices[0]) << "instances share none";
    }
  }
}

// A thread that reads its entry finds its input there; what lies outside of entries does nothing.
TEST(FrontEnd, UrbReadsAndBounds) {
  Bench b;
  b.element({src, src, src, src});
  std::string text = "mov (8|M0) r20.0<1>:ud r1.0<8;8,1>:ud\n";
  text += "send (8|M0) r21 r1 0x6 0x02480008\n";    // reads four dwords of slot 0
  text += "send (8|M0) null r20 0x6 0x0A080017\n";  // to slot 1
  text += "send (8|M0) null r20 0x6 0x0A0807F7\n";  // far beyond the entry
  text += "add (8|M0) r40.0<1>:ud r1.0<8;8,1>:ud 0x4000:uw\n";
  text += "send (8|M0) null r40 0x6 0x0A080017\n";  // of entries there are not
  text += "send (8|M0) r21 r40 0x6 0x02480008\n";   // zeros
  text += "send (8|M0) null r20 0x26 0x0A080027 {EOT}\n";
  b.shade(text);
  b.draw.state.vs.dispatch_grf_start_register_for_urb_data = 2;
  b.primitive.vertex_count_per_instance = 3;
  const auto fault = b.run();
  ASSERT_FALSE(fault) << fault->text();
  ASSERT_EQ(b.objects.size(), 1u);
  EXPECT_EQ(b.objects[0].vertices[1][1], (Slot{bits(4), bits(5), bits(6), bits(7)}));
  EXPECT_EQ(b.objects[0].vertices[1][2], Slot{});
}

// What an assembler gives that sees all vertices one after the other.
struct Expected {
  std::array<uint32_t, 3> vertices{};
  uint8_t provoking = 0, edges = 0;
  uint32_t id = 0;
  bool begins = false;
  bool operator==(const Expected&) const = default;
};
Expected expected_of(const Object& o, uint32_t (*name)(const Slot*)) {
  Expected e{.provoking = o.provoking, .edges = o.edges, .id = o.primitive_id, .begins = o.strip_begins};
  for (unsigned n = 0; n < vertices_of(o.kind); ++n) e.vertices[n] = name(o.vertices[n]);
  return e;
}

TEST(FrontEnd, LooksForCutsOnlyUntilToldToStop) {
  int asked = 0;
  const std::function<bool()> stop = [&] { return ++asked == 3; };
  Bench b;
  b.pass_through();
  b.draw.state.vf = {.indexed_draw_cut_index_enable = true, .cut_index = 0xFFFFFFFF};
  b.index({0, 1, 2});
  b.primitive.vertex_count_per_instance = 0xFFFFFFFF;  // most of them beyond the buffer
  b.draw.stop = &stop;
  const auto fault = b.run();
  ASSERT_TRUE(fault);
  EXPECT_TRUE(fault->hung);
  EXPECT_EQ(asked, 3);
}

TEST(FrontEnd, ChunksGiveTheSameObjects) {
  Rng random(3);
  for (unsigned code : {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 18, 22})
    for (const uint32_t cuts : {0u, 2000u, 40u, 4u})
      for (const uint32_t count : {100u, 1500u, 5003u}) {
        Bench b;
        b.pass_through();
        b.draw.state.vs.vertex_cache_disable = count == 1500;
        b.draw.state.topology.primitive_topology_type = uint8_t(code);
        b.draw.state.vf = {.indexed_draw_cut_index_enable = cuts != 0, .cut_index = 0xFFFFFFFF};
        std::vector<uint32_t> indices(count);
        for (uint32_t& i : indices) i = cuts && random.one_in(cuts) ? 0xFFFFFFFF : random.below(700);
        b.index(indices);
        b.primitive.instance_count = 2;
        const auto fault = b.run();
        ASSERT_FALSE(fault) << fault->text();
        EXPECT_EQ(b.chunks, count == 100 ? 1u : 4u);

        std::vector<Expected> expected;
        std::vector<Slot> named(700);
        for (uint32_t n = 0; n < 700; ++n) named[n][0] = n;
        for (int instance = 0; instance < 2; ++instance) {
          Assembler a(**find_topology(code), {1, 2, 2});
          bool start = true;
          for (uint32_t n = 0; n < count; ++n) {
            if (indices[n] == 0xFFFFFFFF) {
              start = true;
              continue;
            }
            a.push({&named[indices[n]]}, start, n + 1 == count || indices[n + 1] == 0xFFFFFFFF,
                   [&](const Object& o) { expected.push_back(expected_of(o, [](const Slot* v) { return (*v)[0]; })); });
            start = false;
          }
          EXPECT_EQ(b.statistics.ia_primitives, 2 * a.counted()) << code;
        }
        ASSERT_EQ(b.objects.size(), expected.size()) << code << " " << cuts;
        for (size_t n = 0; n < expected.size(); ++n)
          ASSERT_EQ(expected_of(b.objects[n], [](const Slot* v) { return uint32_t(float_of(v[1][0])) / 4; }),
                    expected[n])
              << code << " " << cuts << " " << n;
      }
}

// Triangles at random places, of which many are not to be seen, are cut or are small: those that are dropped before
// they are objects would have become nothing, and the others become the same.
TEST(FrontEnd, TrianglesAtOnceAreAsOthers) {
  Rng random(11);
  const auto between = [&](float a, float b) { return a + (b - a) * float(random.below(1 << 20)) / float(1 << 20); };
  for (const unsigned code : {4, 5, 6, 11, 12, 13})
    for (const uint8_t cull : {1, 2, 3})
      for (const float size : {0.01f, 0.3f, 4.0f}) {
        std::vector<RasterPrimitive> primitives[2];
        Statistics statistics[2];
        std::vector<uint32_t> places(4 * 1500);
        for (size_t n = 0; n < places.size(); n += 4) {
          const float w = random.one_in(50) ? between(-1, 0.1f) : between(0.5f, 2);
          const float x = between(-size, size), y = between(-size, size), z = between(-0.2f, 1.1f);
          const float bad = random.one_in(300) ? INFINITY : 0;
          const std::array<float, 4> p = {(x + bad) * w, y * w, z * w, w};
          for (size_t c = 0; c < 4; ++c) places[n + c] = bits(p[c]);
        }
        std::vector<uint32_t> indices(9000);
        for (size_t n = 0; n < indices.size(); ++n)
          indices[n] = n > 2 && random.one_in(3) ? indices[n - 1 - random.below(2)] : random.below(1500);
        for (const bool at_once : {false, true}) {
          Bench b;
          b.pass_through();
          std::copy(places.begin(), places.end(), b.words.begin());
          b.index(indices);
          state::Pipeline& s = b.draw.state;
          s.topology.primitive_topology_type = uint8_t(code);
          s.clip.clip_enable = s.clip.viewport_xy_clip_test_enable = s.clip.guardband_clip_test_enable = true;
          s.clip.api_mode = 1;
          s.raster.viewport_z_clip_test_enable = true;
          s.raster.cull_mode = cull;
          s.sf.viewport_transform_enable = true;
          s.drawing_rectangle = {.clipped_drawing_rectangle_x_max = 399, .clipped_drawing_rectangle_y_max = 299};
          b.draw.objects.viewports[0] = {.viewport_matrix_element_m00 = 200,
                                         .viewport_matrix_element_m11 = -150,
                                         .viewport_matrix_element_m22 = 1,
                                         .viewport_matrix_element_m30 = 200,
                                         .viewport_matrix_element_m31 = 150,
                                         .x_min_clip_guardband = -2,
                                         .x_max_clip_guardband = 2,
                                         .y_min_clip_guardband = -2,
                                         .y_max_clip_guardband = 2,
                                         .x_max_viewport = 399,
                                         .y_max_viewport = 299};
          const auto raster = raster_state(b.draw);
          ASSERT_TRUE(raster) << raster.error().reason;
          b.set_up_with = &*raster;
          ASSERT_FALSE(b.run(at_once ? &*raster : nullptr));
          if (!at_once) {
            EXPECT_GT(b.objects.size(), 1000u);
          }
          primitives[at_once] = b.primitives;
          statistics[at_once] = b.statistics;
          for (RasterPrimitive& p : primitives[at_once]) {  // entries are elsewhere
            for (const Slot*& v : p.primitive.object.vertices) v = nullptr;
            p.primitive.object.flat = nullptr;
          }
        }
        EXPECT_EQ(statistics[0].cl_invocations, statistics[1].cl_invocations);
        EXPECT_EQ(statistics[0].cl_primitives, statistics[1].cl_primitives);
        EXPECT_EQ(statistics[0].ia_vertices, statistics[1].ia_vertices);
        ASSERT_EQ(primitives[0].size(), primitives[1].size()) << code << " " << int(cull) << " " << size;
        EXPECT_GT(primitives[0].size(), 20u);
        for (size_t n = 0; n < primitives[0].size(); ++n) {
          const RasterPrimitive &p = primitives[0][n], &q = primitives[1][n];
          ASSERT_EQ(p.bounds, q.bounds) << n;
          ASSERT_TRUE(std::equal(p.edges.begin(), p.edges.begin() + 3, q.edges.begin())) << n;
          ASSERT_EQ(p.primitive.object.primitive_id, q.primitive.object.primitive_id);
          ASSERT_EQ(p.primitive.object.provoking, q.primitive.object.provoking);
          ASSERT_EQ(p.primitive.back_facing, q.primitive.back_facing);
          for (const auto plane : {&Primitive::l1, &Primitive::l2, &Primitive::z, &Primitive::inverse_w}) {
            const Plane &a = p.primitive.*plane, &c = q.primitive.*plane;
            ASSERT_EQ(std::tie(a.dx, a.dy, a.c), std::tie(c.dx, c.dy, c.c)) << n;
          }
          ASSERT_EQ(p.primitive.inverse_ws, q.primitive.inverse_ws);
        }
      }
}

TEST(FrontEnd, SmallInstancesShareChunks) {
  Bench b;
  b.element({zero, zero, zero, zero});
  b.element({src, src, src, one_fp});
  b.draw.state.sgvs = {.instanceid_element_offset = 0, .instanceid_component_number = 1, .instanceid_enable = true};
  b.draw.state.topology.primitive_topology_type = 15;
  b.primitive.vertex_count_per_instance = 3;
  b.primitive.instance_count = 1000;
  ASSERT_FALSE(b.run());
  EXPECT_EQ(b.chunks, 3u);
  ASSERT_EQ(b.objects.size(), 1000u);
  for (uint32_t n = 0; n < 1000; ++n) {
    EXPECT_EQ(b.objects[n].kind, ObjectKind::rectangle);
    EXPECT_EQ(b.objects[n].layer, n);
    EXPECT_EQ(b.objects[n].primitive_id, 0u);
  }
}

// As a driver copies memory: points, each one element wide, without a shader.
TEST(FrontEnd, StreamsOutWithoutAShader) {
  Bench b;
  b.element({src, src, src, src}, 2);
  state::Pipeline& s = b.draw.state;
  s.topology.primitive_topology_type = 1;
  s.streamout = {.rendering_disable = true, .so_function_enable = true, .buffer_surface_pitch = {16, 0, 0, 0}};
  s.so_buffers[0] = {.stream_offset_write_enable = true,
                     .so_buffer_enable = true,
                     .surface_base_address = Bench::address + (768 << 10),
                     .surface_size = 4 * 2000 - 1};
  s.so_decl_list.buffer_selects[0] = 1;
  s.so_decls[0] = {{.component_mask = 15}};
  b.primitive.vertex_count_per_instance = 2500;
  memory::View view(b.table);
  b.out.write_offsets[0] = 77;
  set_write_offset(s.so_buffers[0], view, b.out);
  ASSERT_FALSE(b.run());
  EXPECT_TRUE(b.objects.empty());
  for (uint32_t n = 0; n < 8000; ++n) ASSERT_EQ(b.words[(192 << 10) + n], bits(float(n)));
  EXPECT_EQ(b.words[(192 << 10) + 8000], 0u) << "does not fit";
  EXPECT_EQ(b.out.write_offsets[0], 32000u);
}

TEST(StreamOut, DeclarationsHolesAndOverflow) {
  std::vector<uint32_t> memory(1024);
  memory::View view(std::make_shared<memory::Table>(
      memory::Table({{.start = 0x1000, .bytes = 4096, .host = reinterpret_cast<std::byte*>(memory.data())}})));
  state::Pipeline s;
  s.streamout = {.so_statistics_enable = true,
                 .so_function_enable = true,
                 .stream_vertex_read_offset = {1, 0, 0, 0},
                 .buffer_surface_pitch = {24, 4, 0, 0}};
  s.so_buffers[0] = {.so_buffer_enable = true, .surface_base_address = 0x1000, .surface_size = 100};
  s.so_buffers[1] = {.stream_output_buffer_offset_address_enable = true,
                     .stream_offset_write_enable = true,
                     .so_buffer_index = 1,
                     .so_buffer_enable = true,
                     .surface_base_address = 0x1800,
                     .surface_size = 6,
                     .stream_output_buffer_offset_address = 0x1F00,
                     .stream_offset = 0xFFFFFFFF};
  s.so_decl_list.buffer_selects[0] = 3;
  s.so_decls[0] = {{.component_mask = 0b0101, .register_index = 0},
                   {.component_mask = 0b0011, .hole_flag = true},
                   {.component_mask = 0b1000, .register_index = 1, .output_buffer_slot = 1},
                   {.component_mask = 0b0010, .register_index = 1}};
  std::array<Slot, 4> a{}, c{};
  a[2] = {1, 2, 3, 4}, a[3] = {5, 6, 7, 8};
  c[2] = {11, 12, 13, 14}, c[3] = {15, 16, 17, 18};
  const std::array<const Slot*, 2> line{a.data(), c.data()};
  memory[0xF00 / 4] = 8;
  StreamOutState out;
  Statistics statistics;
  set_write_offset(s.so_buffers[1], view, out);
  for (int n = 0; n < 3; ++n) stream_out(s, line, 4, view, out, statistics);
  EXPECT_EQ(std::vector(memory.begin(), memory.begin() + 12),
            (std::vector<uint32_t>{1, 3, 0, 0, 6, 0, 11, 13, 0, 0, 16, 0}));
  EXPECT_EQ(std::vector(memory.begin() + 0x200, memory.begin() + 0x208),
            (std::vector<uint32_t>{0, 0, 8, 18, 8, 18, 0, 0}));
  EXPECT_EQ(statistics.so_primitives_needed[0], 3u);
  EXPECT_EQ(statistics.so_primitives_written[0], 2u);
  EXPECT_EQ(out.write_offsets, (std::array<uint32_t, 4>{96, 24, 0, 0}));
  store_write_offsets(s, view, out);
  EXPECT_EQ(memory[0xF00 / 4], 24u);
}

TEST(FrontEnd, RefusedByName) {
  const auto refused = [](auto change) {
    Bench b;
    b.pass_through();
    change(b.draw);
    b.primitive.vertex_count_per_instance = 3;
    const auto fault = b.run();
    return fault ? fault->unsupported : "nothing";
  };
  EXPECT_EQ(refused([](Draw&) {}), "nothing");
  EXPECT_EQ(refused([](Draw& d) { d.state.gs.enable = true; }), "geometry shader");
  EXPECT_EQ(refused([](Draw& d) { d.state.hs.enable = true; }), "hull shader");
  EXPECT_EQ(refused([](Draw& d) { d.state.vs.enable = true; }), "SIMD4x2 dispatch of vertex shaders");
  EXPECT_EQ(refused([](Draw& d) { d.state.topology.primitive_topology_type = 40; }), "topology PATCHLIST_9");
}

// Any numbers in state give a Fault or objects.
TEST(FrontEnd, SurvivesAnyState) {
  Rng random(5);
  unsigned ran = 0;
  for (int round = 0; round < 300; ++round) {
    Bench b;
    b.pass_through();
    b.element({uint8_t(random.below(5)), uint8_t(random.below(5)), uint8_t(random.below(5)), uint8_t(random.below(5))},
              uint16_t(random.below(0x200)), uint8_t(random.below(40)), uint16_t(random.below(2048)));
    state::Pipeline& s = b.draw.state;
    s.topology.primitive_topology_type = uint8_t(1 + random.below(16));
    s.vertex_buffers[0].buffer_pitch = uint16_t(random.below(2049));
    s.sgvs = {.vertexid_element_offset = uint8_t(random.below(64)),
              .vertexid_component_number = uint8_t(random.below(4)),
              .vertexid_enable = random.coin(),
              .instanceid_element_offset = uint8_t(random.below(64)),
              .instanceid_component_number = uint8_t(random.below(4)),
              .instanceid_enable = random.coin()};
    s.clip.clip_enable = random.coin();
    s.clip.clip_mode = uint8_t(random.below(8));
    s.clip.viewport_xy_clip_test_enable = random.coin();
    s.clip.guardband_clip_test_enable = random.coin();
    s.clip.user_clip_distance_clip_test_enable_bitmask = uint8_t(random());
    s.clip.non_perspective_barycentric_enable = random.coin();
    s.raster.viewport_z_clip_test_enable = random.coin();
    for (state::SfClipViewport& v : b.draw.objects.viewports) {
      v.x_min_clip_guardband = std::bit_cast<float>(uint32_t(random()));
      v.x_max_clip_guardband = std::bit_cast<float>(uint32_t(random()));
      v.y_max_clip_guardband = float(random.below(100));
    }
    for (uint32_t n = 0; n < 4096; ++n) b.words[n] = uint32_t(random()) & (random.coin() ? 0xBFFFFFFF : 0xFFFFFFFF);
    b.primitive.vertex_count_per_instance = random.below(300);
    b.primitive.start_vertex_location = random.one_in(4) ? uint32_t(random()) : random.below(100);
    b.primitive.instance_count = random.below(4);
    ran += !b.run();
  }
  EXPECT_GT(ran, 50u);
}

}  // namespace
}  // namespace vitro::pipeline
