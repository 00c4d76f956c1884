// Packets of pixel shaders, of depth and stencil, and of blending; and what PIPE_CONTROL counts. PRM: Gen8 vol 2a
// 3DSTATE_PS*, _CONSTANT_PS, _BLEND_STATE_POINTERS, _CC_STATE_POINTERS, _DEPTH_BUFFER, _STENCIL_BUFFER, _CLEAR_PARAMS,
// _WM_HZ_OP, _WM_DEPTH_STENCIL, _CHROMA_KEY; PIPE_CONTROL.
#include "packet_cases_test.h"

namespace vitro::drawing {
namespace {

namespace p = commands::three_d;
namespace every = p::every;

Words with_ps(const Drawing& d, void (*change)(p::Ps&)) {
  p::Ps ps = pixel_shader(d);
  change(ps);
  return packet_of<p::gen8::ps, p::gen9::ps>(d, ps);
}
Words with_ps_extra(const Drawing& d, void (*change)(p::PsExtra&)) {
  p::PsExtra s{.attribute_enable = true, .pixel_shader_valid = true};
  change(s);
  return packet_of<p::gen8::ps_extra, p::gen9::ps_extra>(d, s);
}
Words with_depth_tests(const Drawing& d, void (*change)(p::WmDepthStencil&)) {
  p::WmDepthStencil s = depth_tests(d);
  change(s);
  return packet_of<p::gen8::wm_depth_stencil, p::gen9::wm_depth_stencil>(d, s);
}
Words one_more_draw(const Drawing&) {
  return packet<every::primitive>({.primitive_topology_type = 4, .vertex_count_per_instance = 3, .instance_count = 1});
}

// The colour is a register of constants, which come before setup data.
std::string constants_as_colour() {
  std::string text;
  for (unsigned c = 0; c < 4; ++c) text += fmt::format("mov (16|M0) r{}.0<1>:ud r6.{}<0;1,0>:ud\n", 112 + 2 * c, c);
  return text + "sendc (16|M0) null r112 0x5 0x10031000 {EOT}\n";
}
Drawing textured(Vector coordinates) {
  return {.places = compact, .attributes = {coordinates}, .shade = Shade::textured};
}

TEST(Packets, PixelShader) {
  run({
      {.packet = "3DSTATE_PS",
       .decides = "which kernel runs",
       .drawing = whole({1, 0, 0, 1}),
       .commands =
           [](const Drawing& d) { return with_ps(d, [](p::Ps& s) { s.kernel_start_pointer_0 = second_ps_at; }); },
       .looks = {{5, 5, green, red}},
       .second_ps = pixel_kernel_of({0, 1, 0, 1})},
      {.packet = "3DSTATE_PS",
       .decides = "fast clears, in their scale",
       .drawing = {.places = compact,
                   .topology = 15,
                   .positions = {{1, 1, 0, 1}, {0, 1, 0, 1}, {0, 0, 0, 1}},
                   .attributes = {{1, 0, 0, 1}}},
       .commands =
           [](const Drawing& d) { return with_ps(d, [](p::Ps& s) { s.render_target_fast_clear_enable = true; }); },
       .looks = {{0, 0, green, red}, {5, 5, green, 0}, {31, 31, green, 0}},
       .put =
           [](const Drawing& d, Image& image) {
             state::Surface s = target_surface(d);
             s.green_clear = s.alpha_clear = surfaces(d).rules.clear_colour_is_bits ? 1 : 0x3F800000;
             put_surface(d, image, surfaces_at, s);
           }},
      {.packet = "3DSTATE_CONSTANT_PS",
       .decides = "what a thread has before its setup data",
       .drawing = whole({1, 0, 0, 1}),
       .given =
           [](const Drawing& d) {
             return with_ps(d,
                            [](p::Ps& s) { s.kernel_start_pointer_0 = second_ps_at, s.push_constant_enable = true; }) +
                    packet_of<p::gen8::constant_ps, p::gen9::constant_ps>(
                        d, p::Constant{.read_length = {1}, .buffer = {data_at}});
           },
       .commands =
           [](const Drawing& d) {
             return packet_of<p::gen8::constant_ps, p::gen9::constant_ps>(
                 d, p::Constant{.read_length = {0, 0, 0, 1}, .buffer = {0, 0, 0, home + more_data_at}});
           },
       .looks = {{5, 5, blue, green}},
       .second_ps = constants_as_colour(),
       .put =
           [](const Drawing&, Image& image) {
             const Vector one{0, 1, 0, 1}, other{0, 0, 1, 1};
             image.put(data_at, one.data(), sizeof one);
             image.put(more_data_at, other.data(), sizeof other);
           }},
      {.packet = "3DSTATE_PS_EXTRA",
       .decides = "whether there is a pixel shader",
       .drawing = whole({1, 0, 0, 1}),
       .commands = [](const Drawing& d) { return packet_of<p::gen8::ps_extra, p::gen9::ps_extra>(d, p::PsExtra{}); },
       .looks = {{5, 5, 0, red}}},
      {.packet = "3DSTATE_PS_EXTRA",
       .decides = "whether depth or W is in the payload",
       .drawing = whole({1, 0, 0, 1}),
       .given =
           [](const Drawing& d) {
             return with_ps(d,
                            [](p::Ps& s) {
                              s.kernel_start_pointer_0 = second_ps_at;
                              s.dispatch_grf_start_register_for_constant_setup_data_0 = 8;
                            }) +
                    with_ps_extra(d, [](p::PsExtra& s) { s.pixel_shader_uses_source_w = true; });
           },
       .commands =
           [](const Drawing& d) {
             return with_ps_extra(d, [](p::PsExtra& s) { s.pixel_shader_uses_source_depth = true; });
           },
       .looks = {{5, 5, 0xFF000080, red}},  // 0.5, not 1
       .second_ps = "mov (16|M0) r112.0<1>:f r6.0<8;8,1>:f\nmov (16|M0) r114.0<1>:f 0.0:f\n"
                    "mov (16|M0) r116.0<1>:f 0.0:f\nmov (16|M0) r118.0<1>:f 1.0:f\n"
                    "sendc (16|M0) null r112 0x5 0x10031000 {EOT}\n"},
      {.packet = "3DSTATE_PS_BLEND",
       .decides = "whether there is a render target to write",
       .drawing = whole({1, 0, 0, 1}),
       .commands = [](const Drawing&) { return packet<every::ps_blend>({}); },
       .looks = {{5, 5, 0, red}}},
      {.packet = "3DSTATE_BINDING_TABLE_POINTERS_PS",
       .decides = "which surface is the render target",
       .drawing = whole({1, 0, 0, 1}),
       .commands = [](const Drawing&) { return packet<every::binding_table_pointers_ps>({data_at}); },
       .looks = {{5, 5, 0, red}},
       .memory = {{in_second_target(whole({}), 5, 5), red, 0}, {in_second_target(whole({}), 31, 31), red, 0}},
       .put =
           [](const Drawing& d, Image& image) {
             state::Surface s = target_surface(d);
             s.base = home + second_target;
             put_surface(d, image, more_data_at, s);
             image.put(data_at, {more_data_at, more_data_at});
           }},
      {.packet = "3DSTATE_SAMPLER_STATE_POINTERS_PS",
       .decides = "which sampler there is",
       .drawing = textured({1.25f, .5f, 0, 1}),
       .commands = [](const Drawing&) { return packet<every::sampler_state_pointers_ps>({data_at}); },
       .looks = {{5, 5, green, red}},  // clamped, not wrapped
       .put =
           [](const Drawing& d, Image& image) {
             put_texture(d, image, d.places.texture, red, green);
             state::Sampler clamps;
             clamps.tcx = clamps.tcy = state::AddressMode::clamp;
             put_sampler(d, image, data_at, clamps);
           }},
      {.packet = "3DSTATE_CHROMA_KEY",
       .decides = "which texels become black",
       .drawing = textured({.5f, .5f, 0, 1}),
       .commands =
           [](const Drawing&) {  // alpha, red, green, blue
             return packet<every::chroma_key>(
                 {.chromakey_table_index = 2, .chromakey_low_value = 0xF0103050, .chromakey_high_value = 0xFF305070});
           },
       .looks = {{5, 5, 0, 0xFF604020}},
       .put =
           [](const Drawing& d, Image& image) {
             put_texture(d, image, d.places.texture, 0xFF604020, 0xFF604020);
             state::Sampler keyed;
             keyed.chroma_key_enable = keyed.chroma_key_mode = true;
             keyed.chroma_key_index = 2;
             put_sampler(d, image, dynamic_at + 256, keyed);
           }},
  });
}

TEST(Packets, Blending) {
  run({
      {.packet = "3DSTATE_BLEND_STATE_POINTERS",
       .decides = "which components are written",
       .drawing = whole({1, 1, 1, 1}),
       .commands =
           [](const Drawing&) {
             return packet<every::blend_state_pointers>({true, data_at});
           },
       .looks = {{5, 5, 0xFFFF00FF, white}},
       .put =
           [](const Drawing&, Image& image) {
             image.put(data_at, packet<state::every::blend_state>({}) +
                                    packet<state::every::blend_state_entry>({.write_disable_green = true}));
           }},
      {.packet = "3DSTATE_BLEND_STATE_POINTERS",
       .decides = "Logic Op: exclusive or",
       .drawing = whole({1, 1, 1, 1}),
       .commands =
           [](const Drawing&) {
             return packet<every::blend_state_pointers>({true, data_at});
           },
       .looks = {{5, 5, 0xF0F0F0F0, white}},
       .put =
           [](const Drawing& d, Image& image) {
             for (uint32_t n = 0; n < edge * target_pitch(d); n += 4) image.put(d.places.target + n, {0x0F0F0F0F});
             image.put(data_at,
                       packet<state::every::blend_state>({}) +
                           packet<state::every::blend_state_entry>({.logic_op_function = 6, .logic_op_enable = true}));
           }},
      {.packet = "3DSTATE_CC_STATE_POINTERS",
       .decides = "the constant colour of blending",
       .drawing =
           [] {
             Drawing d = whole({1, 1, 1, 1});
             d.blends = true;
             d.source_factor = 7;  // that colour
             return d;
           }(),
       .commands =
           [](const Drawing&) {
             return packet<every::cc_state_pointers>({true, data_at});
           },
       .looks = {{5, 5, green, 0}},  // alpha, too, has the colour's factor
       .put =
           [](const Drawing& d, Image& image) {
             image.put(data_at,
                       packet_of<state::gen8::color_calc_state, state::gen9::color_calc_state>(
                           d, state::ColorCalcState{.blend_constant_color_green = 1, .blend_constant_color_alpha = 1}));
           }},
  });
}

// --- depth and stencil

Drawing with_depth(std::vector<Vector> positions) {
  return {.places = compact, .positions = std::move(positions), .attributes = {{1, 0, 0, 1}}, .depth_format = 1};
}
Drawing with_stencil(std::vector<Vector> positions) {
  return {.places = compact, .positions = std::move(positions), .attributes = {{1, 0, 0, 1}}, .stencil = true};
}
const std::vector<Vector> everywhere{{-1, -1, .5f, 1}, {3, -1, .5f, 1}, {-1, 3, .5f, 1}};
constexpr uint32_t half = 0x3F000000, quarter = 0x3E800000, three_quarters = 0x3F400000;
uint64_t depth_at(uint32_t x, uint32_t y) {
  return compact.depth + memory::tiled_offset(memory::Tiling::y, x * 4, y, 128);
}
uint64_t stencil_at(uint32_t x, uint32_t y) {  // with those around it
  return compact.stencil + memory::tiled_offset(memory::Tiling::w, x, y, 128);
}
// An operation on a rectangle that ends at a place, and the end of it.
Words hz_op(p::WmHzOp op, uint16_t x, uint16_t y) {
  op.clear_rectangle_x_max = x, op.clear_rectangle_y_max = y;
  op.sample_mask = 0xFFFF;
  return packet<every::wm_hz_op>(op) + end_of_pipe() + packet<every::wm_hz_op>({});
}

TEST(Packets, DepthAndStencil) {
  run({
      {.packet = "3DSTATE_DEPTH_BUFFER",
       .decides = "where depth is",
       .drawing = with_depth(everywhere),
       .commands =
           [](const Drawing& d) {
             p::DepthBuffer s = depth_buffer(d);
             s.surface_base_address = home + second_target;
             return packet_of<p::gen8::depth_buffer, p::gen9::depth_buffer>(d, s);
           },
       .looks = {{5, 5, red, red}},
       .memory = {{compact.depth, 0, half}, {second_target, half, 0}}},
      {.packet = "3DSTATE_STENCIL_BUFFER",
       .decides = "where stencil is",
       .drawing = with_stencil(everywhere),
       .commands =
           [](const Drawing& d) {
             p::StencilBuffer s = stencil_buffer(d);
             s.surface_base_address = home + second_target;
             return packet<every::stencil_buffer>(s);
           },
       .looks = {{5, 5, red, red}},
       .memory = {{compact.stencil, 0, 0x5A5A5A5A}, {second_target, 0x5A5A5A5A, 0}}},
      {.packet = "3DSTATE_WM_DEPTH_STENCIL",
       .decides = "Depth Test Function: never",
       .drawing = with_depth(everywhere),
       .commands =
           [](const Drawing& d) {
             return with_depth_tests(d, [](p::WmDepthStencil& s) { s.depth_test_function = 1; });
           },
       .looks = {{5, 5, 0, red}},
       .memory = {{compact.depth, 0, half}}},
      {.packet = "3DSTATE_WM_DEPTH_STENCIL",
       .decides = "what becomes of stencil",
       .drawing = with_stencil(everywhere),
       .commands =
           [](const Drawing& d) {  // increased, in some of its bits
             return with_depth_tests(
                 d, [](p::WmDepthStencil& s) { s.stencil_pass_depth_pass_op = 3, s.stencil_write_mask = 0x0F; });
           },
       .looks = {{5, 5, red, red}},
       .memory = {{compact.stencil, 0x41414141, 0x5A5A5A5A}},
       .put =
           [](const Drawing& d, Image& image) {
             for (uint32_t n = 0; n < 64 * 64; n += 4) image.put(d.places.stencil + n, {0x40404040});
           }},
      {.packet = "3DSTATE_WM_DEPTH_STENCIL",
       .decides = "Stencil Test Function: equal",
       .drawing = with_stencil(everywhere),
       .commands =
           [](const Drawing& d) {
             return with_depth_tests(d, [](p::WmDepthStencil& s) { s.stencil_test_function = 3; });
           },
       .looks = {{5, 5, 0, red}},
       .memory = {{compact.stencil, 0, 0x5A5A5A5A}}},
      {.packet = "3DSTATE_WM_DEPTH_STENCIL",
       .decides = "Double Sided Stencil: what back faces do",
       .drawing = with_stencil({{-1, -1, .5f, 1}, {-1, 3, .5f, 1}, {3, -1, .5f, 1}}),
       .commands =
           [](const Drawing& d) {
             return with_depth_tests(d, [](p::WmDepthStencil& s) {
               s.double_sided_stencil_enable = true;
               s.backface_stencil_pass_depth_pass_op = 7;  // inverted
               s.backface_stencil_write_mask = 0xFF, s.backface_stencil_test_mask = 0xFF;
             });
           },
       .looks = {{5, 5, red, red}},
       .memory = {{compact.stencil, 0xFFFFFFFF, 0x5A5A5A5A}}},
      {.packet = "3DSTATE_CC_STATE_POINTERS",
       .decides = "the reference value of stencil",
       .drawing = with_stencil(everywhere),
       .commands =
           [](const Drawing&) {
             return packet<every::cc_state_pointers>({true, data_at});
           },
       .looks = {{5, 5, red, red}},
       .memory = {{compact.stencil, 0x21212121, 0x5A5A5A5A}},
       .put =
           [](const Drawing&, Image& image) {
             image.put(data_at, packet<state::gen8::color_calc_state>({.stencil_reference_value = 0x21}));
           },
       .device = "bdw"},
      {.packet = "3DSTATE_WM_HZ_OP",
       .decides = "stencil that is cleared",
       .drawing = with_stencil(from_x(16)),
       .commands =
           [](const Drawing&) {
             return hz_op({.stencil_clear_value = 0x77, .stencil_buffer_clear_enable = true}, 8, 4);
           },
       .memory = {{stencil_at(0, 0), 0x77777777, 0},
                  {stencil_at(6, 2), 0x77777777, 0},
                  {stencil_at(8, 2), 0, 0},
                  {stencil_at(6, 4), 0, 0},
                  {stencil_at(16, 0), 0x5A5A5A5A, 0x5A5A5A5A}}},
      {.packet = "3DSTATE_WM_HZ_OP",
       .decides = "depth that is cleared",
       .drawing = with_depth(from_x(16)),
       .commands = [](const Drawing&) { return hz_op({.depth_buffer_clear_enable = true}, 8, 4); },
       .memory = {{depth_at(0, 0), three_quarters, 0},
                  {depth_at(7, 3), three_quarters, 0},
                  {depth_at(8, 3), 0, 0},
                  {depth_at(7, 4), 0, 0},
                  {depth_at(16, 0), half, half}}},
      {.packet = "3DSTATE_CLEAR_PARAMS",
       .decides = "what depth is cleared to",
       .drawing = with_depth(from_x(16)),
       .commands =
           [](const Drawing&) {
             return packet<every::clear_params>({.depth_clear_value = .25f, .depth_clear_value_valid = true});
           },
       .after = [](const Drawing&) { return hz_op({.depth_buffer_clear_enable = true}, 8, 4); },
       .memory = {{depth_at(0, 0), quarter, three_quarters}, {depth_at(16, 0), half, half}}},
      {.packet = "PIPE_CONTROL",
       .decides = "whether PS_DEPTH_COUNT is written to memory",
       .drawing = whole({1, 0, 0, 1}),
       .given = one_more_draw,
       .commands =
           [](const Drawing&) {  // Write PS Depth Count, Depth Stall
             return Words{0x7A000004, 2 << 14 | 1 << 13, uint32_t(home) + result_at, 0, 0, 0};
           },
       .looks = {{5, 5, red, red}},
       .memory = {{result_at, 32 * 32, 0}}},
      {.packet = "3DSTATE_WM",
       .decides = "whether PS_DEPTH_COUNT counts",
       .drawing = whole({1, 0, 0, 1}),
       .commands =
           [](const Drawing& d) {
             p::Wm wm = windower(d);
             wm.statistics_enable = false;
             return packet<every::wm>(wm);
           },
       .after = [](const Drawing& d) { return one_more_draw(d) + end_of_pipe() + store_register(0x2350, result_at); },
       .looks = {{5, 5, red, red}},
       .memory = {{result_at, 0, 32 * 32}}},
  });
}

}  // namespace
}  // namespace vitro::drawing
