// Packets of vertex fetch, of the vertex shader and of stream output, and draws themselves. PRM: Gen8 vol 2a
// 3DPRIMITIVE, 3DSTATE_VERTEX_*, _VF_*, _INDEX_BUFFER, _VS, _CONSTANT_VS, _SO_*.
#include "packet_cases_test.h"

namespace vitro::drawing {
namespace {

namespace p = commands::three_d;
namespace every = p::every;

// Six vertices: a triangle over the left half of the upper rows and one over the right.
const std::vector<Vector> two_triangles{{-1, -1, .5f, 1}, {0, -1, .5f, 1}, {-1, 0, .5f, 1},
                                        {0, -1, .5f, 1},  {1, -1, .5f, 1}, {0, 0, .5f, 1}};

Words element(uint8_t buffer, std::array<uint8_t, 4> controls) {
  return packet<every::vertex_element_state>({.source_element_format = 0,  // R32G32B32A32_FLOAT
                                              .valid = true,
                                              .vertex_buffer_index = buffer,
                                              .component_3_control = controls[3],
                                              .component_2_control = controls[2],
                                              .component_1_control = controls[1],
                                              .component_0_control = controls[0]});
}
constexpr std::array<uint8_t, 4> source{1, 1, 1, 1};

std::vector<std::byte> as_bytes(std::array<uint32_t, 4> v) {
  std::vector<std::byte> b(16);
  std::memcpy(b.data(), v.data(), 16);
  return b;
}
// Integers as they are, from the provoking vertex.
Drawing numbers(std::string_view target, std::array<uint32_t, 4> attribute) {
  return {.places = compact, .raw_attributes = as_bytes(attribute), .shade = Shade::flat, .target_format = target};
}

TEST(Packets, Fetch) {
  run({
      {.packet = "3DPRIMITIVE",
       .decides = "which vertices are drawn",
       .drawing = {.places = compact, .positions = two_triangles, .attributes = {{1, 0, 0, 1}}, .indices = {0, 1, 2}},
       .commands =
           [](const Drawing&) {
             return packet<every::primitive>({.primitive_topology_type = 4,
                                              .vertex_count_per_instance = 3,
                                              .start_vertex_location = 3,
                                              .instance_count = 1});
           },
       .looks = {{2, 2, red, red}, {18, 2, red, 0}, {30, 30, 0, 0}}},
      {.packet = "3DPRIMITIVE",
       .decides = "Base Vertex Location",
       .drawing = {.places = compact, .positions = two_triangles, .attributes = {{1, 0, 0, 1}}, .indices = {0, 1, 2}},
       .commands =
           [](const Drawing&) {
             return packet<every::primitive>({.primitive_topology_type = 4,
                                              .vertex_access_type = 1,
                                              .vertex_count_per_instance = 3,
                                              .instance_count = 1,
                                              .base_vertex_location = 3});
           },
       .looks = {{2, 2, red, red}, {18, 2, red, 0}}},
      {.packet = "3DPRIMITIVE",
       .decides = "Indirect Parameter Enable: what registers say is drawn",
       .drawing = {.places = compact, .positions = two_triangles, .attributes = {{1, 0, 0, 1}}, .indices = {0, 1, 2}},
       .given =
           [](const Drawing&) {  // MI_LOAD_REGISTER_IMM: start vertex, vertices, instances, first one, base
             return Words{0x11000009, 0x2430, 3, 0x2434, 3, 0x2438, 1, 0x243C, 0, 0x2440, 0};
           },
       .commands =
           [](const Drawing&) {
             return packet<every::primitive>({.indirect_parameter_enable = true, .primitive_topology_type = 4});
           },
       .looks = {{2, 2, red, red}, {18, 2, red, 0}}},
      {.packet = "3DSTATE_VERTEX_BUFFERS",
       .decides = "where attributes are",
       .drawing = whole({1, 0, 0, 1}),
       .commands =
           [](const Drawing&) {
             return Words{every::vertex_buffers.header | 3} +
                    packet<every::vertex_buffer_state>({.buffer_pitch = 16,
                                                        .address_modify_enable = true,
                                                        .vertex_buffer_index = 1,
                                                        .buffer_starting_address = home + data_at,
                                                        .buffer_size = 48});
           },
       .looks = {{5, 5, green, red}},
       .put =
           [](const Drawing&, Image& image) {
             const Vector v{0, 1, 0, 1};
             for (uint32_t n = 0; n < 3; ++n) image.put(data_at + 16 * n, v.data(), sizeof v);
           }},
      {.packet = "3DSTATE_VERTEX_BUFFERS",
       .decides = "Buffer Size: what lies behind it is zero",
       .drawing = whole({1, 0, 0, 1}),
       .commands =
           [](const Drawing&) {
             return Words{every::vertex_buffers.header | 3} +
                    packet<every::vertex_buffer_state>({.buffer_pitch = 16,
                                                        .address_modify_enable = true,
                                                        .vertex_buffer_index = 1,
                                                        .buffer_starting_address = home + attributes_at,
                                                        .buffer_size = 15});
           },
       .looks = {{5, 5, 0, red}}},
      {.packet = "3DSTATE_VERTEX_ELEMENTS",
       .decides = "components that are stored",
       .drawing = whole({1, 0, 0, 1}),
       .commands =
           [](const Drawing&) {  // 0, 1, 0, 1
             return Words{every::vertex_elements.header | 3} + element(0, source) + element(1, {2, 3, 2, 3});
           },
       .looks = {{5, 5, green, red}}},
      {.packet = "3DSTATE_INDEX_BUFFER",
       .decides = "where indices are, and their size",
       .drawing = {.places = compact, .positions = two_triangles, .attributes = {{1, 0, 0, 1}}, .indices = {0, 1, 2}},
       .commands =
           [](const Drawing&) {
             return packet<every::index_buffer>(
                 {.index_format = 2, .buffer_starting_address = home + data_at, .buffer_size = 12});
           },
       .looks = {{2, 2, 0, red}, {18, 2, red, 0}},
       .put =
           [](const Drawing&, Image& image) {
             image.put(data_at, {3, 4, 5});
           }},
      {.packet = "3DSTATE_VF",
       .decides = "the index that cuts strips",
       .drawing = {.places = compact,
                   .topology = 5,  // TRISTRIP
                   .positions = {{-1, -1, .5f, 1}, {1, -1, .5f, 1}, {-1, 1, .5f, 1}, {1, 1, .5f, 1}},
                   .attributes = {{1, 0, 0, 1}},
                   .indices = {0, 1, 2, 3}},
       .commands =
           [](const Drawing& d) {
             return packet_of<p::gen8::vf, p::gen9::vf>(d,
                                                        p::Vf{.indexed_draw_cut_index_enable = true, .cut_index = 3});
           },
       .looks = {{2, 2, red, red}, {29, 29, 0, red}}},
      {.packet = "3DSTATE_VF_TOPOLOGY",
       .decides = "points instead of a triangle",
       .drawing = {.places = compact,
                   .positions = {{at_pixel(8.5f), at_pixel(8.5f), .5f, 1},
                                 {at_pixel(24.5f), at_pixel(8.5f), .5f, 1},
                                 {at_pixel(8.5f), at_pixel(24.5f), .5f, 1}},
                   .attributes = {{1, 0, 0, 1}}},
       .commands = [](const Drawing&) { return packet<every::vf_topology>({1}); },
       .looks = {{8, 8, red, red}, {24, 8, red, 0}, {12, 12, 0, red}}},
      {.packet = "3DSTATE_VF_INSTANCING",
       .decides = "attributes that belong to instances",
       .drawing = {.places = compact, .instances = 5, .shade = Shade::flat},
       .commands =
           [](const Drawing&) {
             return packet<every::vf_instancing>(
                 {.vertex_element_index = 1, .instancing_enable = true, .instance_data_step_rate = 2});
           },
       .looks = {{5, 5, blue, red}}},  // the last one is instance 4, with the third attribute
      {.packet = "3DSTATE_VF_INSTANCING",
       .decides = "a step rate of 0: the first attribute for all",
       .drawing = {.places = compact, .instances = 3},
       .commands =
           [](const Drawing&) {
             return packet<every::vf_instancing>({.vertex_element_index = 1, .instancing_enable = true});
           },
       .looks = {{31, 31, red, 0xFF7E7E04}}},
      {.packet = "3DSTATE_VF_SGVS",
       .decides = "VertexID and InstanceID in an element: components of the source go where there is room",
       .drawing =
           [] {
             Drawing d = numbers("R32G32B32A32_UINT", {70, 71, 72, 73});
             d.positions = two_triangles;
             d.instances = 3;
             return d;
           }(),
       .commands =
           [](const Drawing&) {
             return packet<every::vf_sgvs>({.vertexid_element_offset = 1,
                                            .vertexid_component_number = 0,
                                            .vertexid_enable = true,
                                            .instanceid_element_offset = 1,
                                            .instanceid_component_number = 2,
                                            .instanceid_enable = true});
           },
       .memory =
           [] {
             const Drawing d = numbers("R32G32B32A32_UINT", {});
             const uint64_t first = texel_at(d, 2, 2), second = texel_at(d, 18, 2);
             return std::vector<Left>{{first, 0, 70},  {first + 4, 70, 71},  {first + 8, 2, 72}, {first + 12, 71, 73},
                                      {second, 3, 70}, {second + 4, 70, 71}, {second + 8, 2, 72}};
           }()},
      {.packet = "3DSTATE_VF_COMPONENT_PACKING",
       .decides = "which components of an element there are",
       .drawing = numbers("R32G32_UINT", {1, 2, 3, 4}),
       .given =
           [](const Drawing& d) {
             p::VfComponentPacking all;
             all.vertex_element_enables.fill(15);
             return packet_of<p::gen8::vf, p::gen9::vf>(d, p::Vf{.component_packing_enable = true}) +
                    packet<p::gen9::vf_component_packing>(all);
           },
       .commands =
           [](const Drawing&) {
             p::VfComponentPacking some;
             some.vertex_element_enables.fill(15);
             some.vertex_element_enables[1] = 0b1010;  // the second and the fourth one
             return packet<p::gen9::vf_component_packing>(some);
           },
       .memory =
           [] {
             const uint64_t at = texel_at(numbers("R32G32_UINT", {}), 5, 5);
             return std::vector<Left>{{at, 2, 1}, {at + 4, 4, 2}};
           }(),
       .device = "kbl"},
      {.packet = "3DSTATE_VF_STATISTICS",
       .decides = "whether IA_VERTICES_COUNT counts",
       .drawing =
           [] {
             Drawing d = whole({1, 0, 0, 1});
             d.last = end_of_pipe() + store_register(0x2310, result_at);
             return d;
           }(),
       .commands = [](const Drawing&) { return packet<every::vf_statistics>({false}); },
       .looks = {{5, 5, red, red}},
       .memory = {{result_at, 0, 3}}},
  });
}

// --- the vertex shader

Words second_vs(const Drawing&) {
  p::Vs vs = vertex_shader();
  vs.kernel_start_pointer = second_vs_at;
  return packet<every::vs>(vs);
}
// A register of constants before the vertex: it is the colour.
std::string constants_as_colour() {
  std::string text;
  for (unsigned c = 0; c < 4; ++c) text += fmt::format("mov (8|M0) r{}.0<1>:ud r2.{}<0;1,0>:ud\n", 40 + c, c);
  for (unsigned c = 0; c < 4; ++c) text += fmt::format("mov (8|M0) r{}.0<1>:ud r{}.0<8;8,1>:ud\n", 2 + c, 3 + c);
  for (unsigned c = 0; c < 4; ++c) text += fmt::format("mov (8|M0) r{}.0<1>:ud r{}.0<8;8,1>:ud\n", 6 + c, 40 + c);
  return text + vertex_kernel();
}
// The colour is sampled at (1.25, 0.5), level 0: sample_l by sampler 0 from surface 1.
std::string texel_as_colour() {
  return "mov (8|M0) r40.0<1>:f 0.0:f\nmov (8|M0) r41.0<1>:f 1.25:f\nmov (8|M0) r42.0<1>:f 0.5:f\n"
         "send (8|M0) r6 r40 0x2 0x06422001\n" +
         vertex_kernel();
}
void put_two_textures(const Drawing& d, Image& image) {
  put_texture(d, image, d.places.texture, red, green);
  put_texture(d, image, second_target, blue, white);
  state::Surface second = texture_surface(d);
  second.base = home + second_target;
  put_surface(d, image, data_at, second);
  image.put(more_data_at + 4, {data_at});  // a binding table with it in the place of the first
  state::Sampler clamps;
  clamps.tcx = clamps.tcy = state::AddressMode::clamp;
  put_sampler(d, image, data_at + 128, clamps);
}

TEST(Packets, VertexShader) {
  run({
      {.packet = "3DSTATE_VS",
       .decides = "which kernel runs",
       .drawing = whole({1, 0, 0, 1}),
       .commands = second_vs,
       .looks = {{5, 5, green, red}},
       .second_vs = set_attribute({0, 1, 0, 1}) + vertex_kernel()},
      {.packet = "3DSTATE_CONSTANT_VS",
       .decides = "what a thread has before its vertices",
       .drawing = whole({1, 0, 0, 1}),
       .given =
           [](const Drawing& d) {
             return second_vs(d) + packet_of<p::gen8::constant_vs, p::gen9::constant_vs>(
                                       d, p::Constant{.read_length = {1}, .buffer = {data_at}});
           },
       .commands =
           [](const Drawing& d) {
             return packet_of<p::gen8::constant_vs, p::gen9::constant_vs>(
                 d, p::Constant{.read_length = {0, 0, 0, 1}, .buffer = {0, 0, 0, home + more_data_at}});
           },
       .looks = {{5, 5, blue, green}},
       .second_vs = constants_as_colour(),
       .put =
           [](const Drawing&, Image& image) {
             const Vector one{0, 1, 0, 1}, other{0, 0, 1, 1};
             image.put(data_at, one.data(), sizeof one);
             image.put(more_data_at, other.data(), sizeof other);
           }},
      {.packet = "3DSTATE_BINDING_TABLE_POINTERS_VS",
       .decides = "which surface a vertex shader samples",
       .drawing = whole({1, 0, 0, 1}),
       .given =
           [](const Drawing& d) {
             return second_vs(d) + packet<every::sampler_state_pointers_vs>({dynamic_at + 256}) +
                    packet<every::binding_table_pointers_vs>({bindings_at});
           },
       .commands = [](const Drawing&) { return packet<every::binding_table_pointers_vs>({more_data_at}); },
       .looks = {{5, 5, blue, red}},
       .second_vs = texel_as_colour(),
       .put = put_two_textures},
      {.packet = "3DSTATE_SAMPLER_STATE_POINTERS_VS",
       .decides = "which sampler a vertex shader has",
       .drawing = whole({1, 0, 0, 1}),
       .given =
           [](const Drawing& d) {
             return second_vs(d) + packet<every::sampler_state_pointers_vs>({dynamic_at + 256}) +
                    packet<every::binding_table_pointers_vs>({bindings_at});
           },
       .commands = [](const Drawing&) { return packet<every::sampler_state_pointers_vs>({data_at + 128}); },
       .looks = {{5, 5, green, red}},
       .second_vs = texel_as_colour(),
       .put = put_two_textures},
  });
}

// --- stream output: vertices as they are fetched, without a shader

Words unshaded(const Drawing&) {
  return packet<every::vs>({}) + Words{every::vertex_elements.header | 5} + element(0, {2, 2, 2, 2}) +
         element(0, source) + element(1, source);
}
Words streamout(bool counts = false) {
  p::Streamout s{.so_statistics_enable = counts, .rendering_disable = true, .so_function_enable = true};
  s.stream_vertex_read_length[0] = 1;
  s.buffer_surface_pitch[0] = 16;
  return packet<every::streamout>(s);
}
Words so_buffer(uint32_t at, uint32_t offset = 0) {
  return packet<every::so_buffer>({.stream_offset_write_enable = true,
                                   .so_buffer_enable = true,
                                   .surface_base_address = home + at,
                                   .surface_size = 12 - 1,
                                   .stream_offset = offset});
}
Words so_decls(uint8_t slot) {
  p::SoDeclList list;
  list.buffer_selects[0] = 1;
  list.entries[0] = 1;
  Words w = packet<every::so_decl_list>(list) + packet<every::so_decl>({.component_mask = 15, .register_index = slot}) +
            Words{0};
  w[0] += 2;
  return w;
}
Drawing streamed() {
  return {.places = compact, .raw_attributes = as_bytes({0x3F800000, 0, 0, 0x3F800000})};  // red
}
constexpr uint32_t one_f = 0x3F800000, minus_one_f = 0xBF800000, three_f = 0x40400000, half_f = 0x3F000000;

TEST(Packets, StreamOutput) {
  run({
      {.packet = "3DSTATE_STREAMOUT",
       .decides = "whether vertices go to memory, and whether they are drawn",
       .drawing = streamed(),
       .given = [](const Drawing& d) { return unshaded(d) + so_buffer(result_at) + so_decls(1); },
       .commands = [](const Drawing&) { return streamout(); },
       .looks = {{5, 5, 0, red}},
       .memory = {{result_at, minus_one_f, 0},
                  {result_at + 8, half_f, 0},
                  {result_at + 16, three_f, 0},
                  {result_at + 44, one_f, 0}}},
      {.packet = "3DSTATE_SO_BUFFER",
       .decides = "where vertices go",
       .drawing = streamed(),
       .given = [](const Drawing& d) { return unshaded(d) + so_buffer(result_at) + so_decls(1) + streamout(); },
       .commands = [](const Drawing&) { return so_buffer(more_data_at); },
       .memory = {{result_at, 0, minus_one_f}, {more_data_at, minus_one_f, 0}, {more_data_at + 16, three_f, 0}}},
      {.packet = "3DSTATE_STREAMOUT",
       .decides = "SO Statistics Enable: SO_NUM_PRIMS_WRITTEN0 counts",
       .drawing =
           [] {
             Drawing d = streamed();
             d.last = end_of_pipe() + store_register(0x5200, data_at);
             return d;
           }(),
       .given = [](const Drawing& d) { return unshaded(d) + so_buffer(result_at) + so_decls(1) + streamout(); },
       .commands = [](const Drawing&) { return streamout(true); },
       .memory = {{result_at, minus_one_f, minus_one_f}, {data_at, 1, 0}}},
      {.packet = "3DSTATE_SO_BUFFER",
       .decides = "Stream Offset: nothing is written if not all has room",
       .drawing = streamed(),
       .given = [](const Drawing& d) { return unshaded(d) + so_buffer(result_at) + so_decls(1) + streamout(); },
       .commands = [](const Drawing&) { return so_buffer(result_at, 16); },
       .memory = {{result_at, 0, minus_one_f}, {result_at + 16, 0, three_f}}},
      {.packet = "3DSTATE_SO_DECL_LIST",
       .decides = "which slot is written",
       .drawing = streamed(),
       .given = [](const Drawing& d) { return unshaded(d) + so_buffer(result_at) + so_decls(1) + streamout(); },
       .commands = [](const Drawing&) { return so_decls(2); },
       .memory = {{result_at, one_f, minus_one_f}, {result_at + 8, 0, half_f}, {result_at + 16, one_f, three_f}}},
  });
}

}  // namespace
}  // namespace vitro::drawing
