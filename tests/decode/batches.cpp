// The batches themselves. Where things stand: the batch at the start of the image, a second one, surfaces, dynamic
// state and kernels behind it, each in a region of its own that STATE_BASE_ADDRESS names.
#include "batches.h"

#include "base/packet.h"
#include "commands/blitter_layout_tables.h"
#include "commands/interface_descriptor.h"
#include "commands/media_layouts.h"
#include "commands/mi_layouts.h"
#include "commands/pipe.h"
#include "commands/three_d_layout_tables.h"
#include "gen/models.h"
#include "isa/assemble.h"
#include "state/sampler.h"
#include "state/surface.h"
#include "state/three_d_objects.h"

namespace vitro::decode_test {
namespace {

using commands::Engine;
namespace m = commands::media_fields;
namespace t = commands::three_d::every;

constexpr uint64_t batch_at = Image::start, second_at = Image::start + 0x4000, third_at = Image::start + 0x6000,
                   surfaces_at = Image::start + 0x8000, dynamic_at = Image::start + 0xC000,
                   kernels_at = Image::start + 0x10000;

template <const auto& layout>
Dwords packet(const typename std::remove_cvref_t<decltype(layout)>::Struct& s) {
  Dwords d(size_t(layout.dwords));
  pack(layout, s, std::span(d));
  return d;
}
Dwords join(std::initializer_list<Dwords> parts) {
  Dwords all;
  for (const Dwords& p : parts) all.insert(all.end(), p.begin(), p.end());
  return all;
}
const Dwords end{0x05000000};

std::vector<std::byte> kernel(std::string_view device) {
  const gen::Device* d = gen::find_device(device);
  const isa::Model& model = d->model();
  const std::string text =
      model.mrf_count ? "mov (8|M0) m1.0<1>:ud r0.0<8;8,1>:ud\nsend (8|M0) null m1 0x27 0x02000010 {EOT}\n"
                      : "mov (8|M0) r127.0<1>:ud r0.0<8;8,1>:ud\nsend (8|M0) null r127 0x27 0x02000010 {EOT}\n";
  return isa::assemble(model, text).code;
}

Dwords bases() {
  commands::StateBaseAddress s{};
  s.surface_modify = s.dynamic_modify = s.instruction_modify = s.general_modify = true;
  s.surface = surfaces_at;
  s.dynamic = dynamic_at;
  s.instruction = kernels_at;
  s.dynamic_size_modify = true;
  s.dynamic_size = 0x1000;
  return packet<commands::gen8::state_base_address>(s);
}

Dwords surface(const state::SurfaceLayout& layout) {
  state::Surface s;
  s.type = state::SurfaceType::two_d;
  s.format = 0x0C7;  // R8G8B8A8_UNORM
  s.width_less_1 = 255;
  s.height_less_1 = 127;
  s.pitch_less_1 = 1023;
  s.tile_mode = 3;
  s.base = 0x4000000;
  Dwords d(layout.rules.dwords);
  layout.encode(s, d);
  return d;
}
Dwords sampler(const state::SamplerLayout& layout) {
  state::Sampler s;
  s.min_filter = s.mag_filter = state::MapFilter::linear;
  s.mip_filter = state::MipFilter::linear;
  s.max_lod_field = 14 << 8;
  s.lod_bias_field = -128;
  s.tcx = state::AddressMode::clamp;
  s.tcy = state::AddressMode::mirror;
  s.border_pointer = 0x200;
  Dwords d(state::sampler_dwords);
  layout.encode(s, d);
  return d;
}

Batch memory_interface() {
  Batch b{"memory_interface", "kbl"};
  namespace g = commands::gen9;
  b.image.put(
      batch_at,
      join({packet<g::mi_noop>({.id = 0x1234, .write_id = true}),
            {0x11000003, 0x2600, 5, 0x2358, 0},  // MI_LOAD_REGISTER_IMM of two registers
            packet<g::mi_store_register_mem>({.predicate = true, .offset = 0x2358, .address = 0x4000}),
            packet<g::mi_load_register_mem>({.offset = 0x2438, .address = 0x5000}),
            packet<g::mi_load_register_reg>({.source = 0x2600, .destination = 0x22600}),
            packet<g::mi_semaphore_wait>({.compare = 1, .poll = true, .data = 7, .address = 0x6000}),
            {0x10000002, 0x7000, 0, 0xCAFE},                               // MI_STORE_DATA_IMM
            {0x0D000003, 0x08008000, 0x08008401, 0x10000000, 0x18000831},  // MI_MATH: load, load, add, store
            packet<g::mi_predicate>({.compare = 2, .combine = 0, .load = 3}),
            packet<g::mi_atomic>(
                {.opcode = 7, .size = 1, .return_data = true, .inline_data = true, .address = 0x8000, .operand1_0 = 1}),
            packet<g::mi_conditional_batch_buffer_end>({.compare = true, .data = 3, .address = 0x9000}),
            packet<g::mi_report_perf_count>({.address = 0xA000, .id = 99}),
            packet<g::mi_flush_dw>({.notify = true, .post_sync = 1, .address = 0xB000, .data_low = 1, .data_high = 2}),
            end}));
  return b;
}

Batch pipe(std::string name, std::string device) {
  Batch b{std::move(name), std::move(device)};
  namespace g = commands::gen9;
  b.image.put(batch_at, join({packet<g::pipeline_select>({.pipeline = 2, .mask = 3}),
                              packet<g::pipe_control>({.flush_dc = true,
                                                       .stall_cs = true,
                                                       .post_sync = 1,
                                                       .address = 0x4000,
                                                       .data_low = 0xDEADBEEF,
                                                       .data_high = 0}),
                              bases(), packet<g::state_prefetch>({.count = 1, .pointer = 0x40}), end}));
  return b;
}

Batch compute(std::string device, const state::SurfaceLayout& surfaces, const state::SamplerLayout& samplers) {
  Batch b{"compute_" + device, device};
  commands::InterfaceDescriptor d;
  d.kernel_start = 0;
  d.sampler_table = 0x100;
  d.sampler_count = 1;
  d.binding_table = 0x40;
  d.binding_count = 2;
  d.threads = 4;
  d.barrier = true;
  b.image.put(dynamic_at + 0x40, packet<commands::descriptor_fields::gen8>(d));
  b.image.put(dynamic_at + 0x100, sampler(samplers));
  b.image.put(dynamic_at + 0x200, {0x3F800000, 0, 0, 0x3F000000});
  b.image.put(surfaces_at + 0x40, {0x80, 0x80});
  b.image.put(surfaces_at + 0x80, surface(surfaces));
  b.image.put_code(kernels_at, kernel(device));
  commands::MediaVfeState v;
  v.urb_entries = 2;
  v.maximum_threads = 167;
  v.curbe_allocation = 8;
  commands::GpgpuWalker w;
  w.simd = 1;
  w.end_x = 16;
  w.end_y = w.end_z = 1;
  w.right_mask = w.bottom_mask = 0xFFFF;
  b.image.put(batch_at, join({bases(), packet<m::vfe_gen8>(v), packet<m::curbe_load>({.length = 64, .start = 0x300}),
                              packet<m::interface_descriptor_load>({.length = 32, .start = 0x40}),
                              packet<m::gpgpu_walker>(w), packet<m::state_flush_gen8>({}), end}));
  return b;
}

Batch draw(std::string device, const state::SurfaceLayout& surfaces, const state::SamplerLayout& samplers) {
  using namespace commands::three_d;
  Batch b{"draw_" + device, device};
  b.image.put(dynamic_at + 0x400,
              packet<state::every::blend_state>({.alpha_test_function = 2, .alpha_test_enable = true}));
  b.image.put(dynamic_at + 0x404, packet<state::every::blend_state_entry>({.color_blend_function = 0,
                                                                           .destination_blend_factor = 19,
                                                                           .source_blend_factor = 3,
                                                                           .color_buffer_blend_enable = true}));
  b.image.put(dynamic_at + 0x480, packet<state::gen8::color_calc_state>({.blend_constant_color_red = 0.5f}));
  b.image.put(dynamic_at + 0x500, packet<state::every::sf_clip_viewport>(
                                      {.viewport_matrix_element_m00 = 128, .viewport_matrix_element_m11 = -64}));
  b.image.put(dynamic_at + 0x580, packet<state::every::cc_viewport>({.minimum_depth = 0, .maximum_depth = 1}));
  b.image.put(dynamic_at + 0x5C0, packet<state::every::scissor_rect>({.scissor_rectangle_x_max = 255}));
  b.image.put(dynamic_at + 0x100, sampler(samplers));
  b.image.put(surfaces_at + 0x40, {0x80});
  b.image.put(surfaces_at + 0x80, surface(surfaces));
  b.image.put_code(kernels_at + 0x40, kernel(device));
  b.image.put_code(kernels_at + 0x80, kernel(device));
  Dwords vertex_buffers = packet<t::vertex_buffers>({});
  vertex_buffers[0] |= 3;
  Dwords vertex_elements = packet<t::vertex_elements>({});
  vertex_elements[0] |= 1;
  Vs vs;
  vs.kernel_start_pointer = 0x40;
  vs.enable = vs.simd8_dispatch_enable = true;
  vs.maximum_number_of_threads = 335;
  Ps ps;
  ps.kernel_start_pointer_0 = 0x80;
  ps.dispatch_8 = true;
  ps.binding_table_entry_count = 1;
  ps.sampler_count = 1;
  Clip clip;
  clip.clip_enable = true;
  clip.api_mode = 0;
  b.image.put(
      batch_at,
      join({bases(), packet<t::clip>(clip), packet<t::viewport_state_pointers_sf_clip>({0x500}),
            packet<t::viewport_state_pointers_cc>({0x580}), packet<t::scissor_state_pointers>({0x5C0}),
            packet<t::blend_state_pointers>({.blend_state_pointer_valid = true, .blend_state_pointer = 0x400}),
            packet<t::cc_state_pointers>({.color_calc_state_pointer_valid = true, .color_calc_state_pointer = 0x480}),
            vertex_buffers,
            packet<t::vertex_buffer_state>({.buffer_pitch = 16,
                                            .address_modify_enable = true,
                                            .buffer_starting_address = 0x12345000,
                                            .buffer_size = 4096}),
            vertex_elements,
            packet<t::vertex_element_state>({.source_element_format = 0,
                                             .valid = true,
                                             .component_3_control = 3,
                                             .component_2_control = 1,
                                             .component_1_control = 1,
                                             .component_0_control = 1}),
            packet<t::vs>(vs), packet<t::binding_table_pointers_ps>({0x40}),
            packet<t::sampler_state_pointers_ps>({0x100}),
            device == "bdw" ? packet<commands::three_d::gen8::ps>(ps) : packet<commands::three_d::gen9::ps>(ps),
            packet<t::binding_table_pointers_ps>({0x40}), packet<t::vf_topology>({.primitive_topology_type = 5}),
            packet<t::primitive>({.vertex_access_type = 1, .vertex_count_per_instance = 6, .instance_count = 1}),
            end}));
  return b;
}

// Two shaders one after the other, whose pointers come before them, as Mesa writes them: of the tables and samplers
// each has its own number. Behind the samplers, and behind the one entry of the blend state, there is something else;
// once it could be a sampler, but for a border colour where no memory is.
Batch shaders() {
  using namespace commands::three_d;
  Batch b{"shaders", "kbl"};
  const auto shader = [](uint8_t entries, uint8_t samplers) {
    Ps ps;
    ps.kernel_start_pointer_0 = 0x80;
    ps.dispatch_8 = true;
    ps.binding_table_entry_count = entries;
    ps.sampler_count = samplers;
    return packet<commands::three_d::gen9::ps>(ps);
  };
  const auto clip = [](uint8_t maximum) {
    Clip c;
    c.maximum_vp_index = maximum;
    return packet<t::clip>(c);
  };
  const Dwords draw = packet<t::primitive>({.vertex_count_per_instance = 3, .instance_count = 1});
  for (uint64_t n = 0; n < 2; ++n)
    b.image.put(dynamic_at + 0x580 + 8 * n,
                packet<state::every::cc_viewport>({.minimum_depth = 0, .maximum_depth = 1}));
  b.image.put(dynamic_at + 0x404, packet<state::every::blend_state_entry>({.source_blend_factor = 3}));
  b.image.put(dynamic_at + 0x40C, {0xFFFFFFFF, 0xFFFFFFFF});
  b.image.put(dynamic_at + 0x100, sampler(state::sampler_gen9));
  b.image.put(dynamic_at + 0x110, sampler(state::sampler_gen9));
  b.image.put(dynamic_at + 0x120, {0xFFFFFFFF, 0x12345678, 0xFFFFFFFF, 0xFFFFFFFF});
  b.image.put(dynamic_at + 0x130, sampler(state::sampler_gen9));
  b.image.put(dynamic_at + 0x300, sampler(state::sampler_gen9));
  b.image.put(dynamic_at + 0x500, sampler(state::sampler_gen9));
  b.image.put(dynamic_at + 0x520, {0, 0, 0xFFFFC0, 0x124});
  b.image.put(surfaces_at + 0x40, {0x80, 0x80, 0x80, 0x80});
  b.image.put(surfaces_at + 0x60, {0x80, 0x80, 0x80});
  b.image.put(surfaces_at + 0x80, surface(state::surface_gen9));
  b.image.put_code(kernels_at + 0x80, kernel("kbl"));
  b.image.put(batch_at,
              join({bases(), packet<t::viewport_state_pointers_cc>({0x580}), clip(1),
                    packet<t::blend_state_pointers>({.blend_state_pointer_valid = true, .blend_state_pointer = 0x400}),
                    packet<t::wm>({.barycentric_interpolation_mode = 9}), packet<t::binding_table_pointers_ps>({0x40}),
                    packet<t::sampler_state_pointers_ps>({0x100}), shader(3, 1), draw,
                    packet<t::binding_table_pointers_ps>({0x60}), packet<t::sampler_state_pointers_ps>({0x300}),
                    shader(1, 0), draw, packet<t::viewport_state_pointers_cc>({0x588}), draw, clip(0), shader(1, 1),
                    packet<t::sampler_state_pointers_ps>({0x500}), end}));
  return b;
}

Batch old_draw() {
  Batch b{"draw_snb", "snb"};
  commands::StateBaseAddress s{};
  s.surface_modify = s.dynamic_modify = s.instruction_modify = true;
  s.surface = surfaces_at;
  s.dynamic = dynamic_at;
  s.instruction = kernels_at;
  b.image.put_code(kernels_at + 0x40, kernel("snb"));
  b.image.put(surfaces_at + 0x40, {0x80});
  b.image.put(surfaces_at + 0x80, surface(state::surface_gen6));
  b.image.put(dynamic_at + 0x100, {0x00000000, 0x00000000, 0x3F800000, 0x3F800000, 0x3F800000, 0x3F800000});
  b.image.put(dynamic_at + 0x140, {0x80000000 | 3 << 5 | 19, 0x00000003});
  b.image.put(dynamic_at + 0x180, {0x88000000, 0x0000FFFF, 0x08000000});
  b.image.put(batch_at, join({packet<commands::gen6::state_base_address>(s),
                              {0x78050001, 0x00200100, 0x00000000},              // 3DSTATE_URB
                              {0x780D1C02, 0, 0, 0},                             // 3DSTATE_VIEWPORT_STATE_POINTERS
                              {0x780E0002, 0x141, 0x181, 0x101},                 // 3DSTATE_CC_STATE_POINTERS
                              {0x78100004, 0x40, 0, 0, 0x00100800, 0x3A000401},  // 3DSTATE_VS
                              {0x78011002, 0, 0, 0x40},                          // 3DSTATE_BINDING_TABLE_POINTERS
                              {0x78090001, 0x02000000, 0x11130000},              // 3DSTATE_VERTEX_ELEMENTS
                              {0x7B001404, 3, 0, 1, 0, 0},                       // 3DPRIMITIVE, sequential
                              end}));
  return b;
}

Batch blits(std::string device) {
  Batch b{"blits_" + device, device, Engine::copy};
  commands::Blt c{};
  c.byte_mask = 3;
  c.depth = 3;
  c.raster_operation = 0xCC;
  c.destination_pitch = 1024;
  c.x2 = 64, c.y2 = 32;
  c.destination = 0x10000;
  c.source = 0x20000;
  c.source_pitch = 1024;
  Dwords fast;
  if (device == "kbl")
    fast = packet<commands::blitter::gen9::xy_fast_copy>({.depth = 3, .destination_pitch = 256, .x2 = 8, .y2 = 8});
  b.image.put(
      batch_at,
      join({packet<commands::blitter::gen8::src_copy>(c), packet<commands::blitter::gen8::xy_color>(c),
            packet<commands::blitter::gen8::setup_clip>(c), fast, packet<commands::gen8::mi_flush_dw>({}), end}));
  return b;
}

Batch video() {
  Batch b{"video", "kbl", Engine::video};
  b.image.put(batch_at, join({{0x70000003, 0x00000202, 0, 0, 0},                        // MFX_PIPE_MODE_SELECT
                              {0x70010004, 0, 0x01DF027F << 4, 0x4000027B, 0x01E0, 0},  // MFX_SURFACE_STATE
                              {0x71030008, 2, 0, 0, 0, 0, 0, 0, 0, 0},                  // MFX_AVC_SLICE_STATE
                              {0x73800001, 0x1, 0},                                     // HCP_PIPE_MODE_SELECT
                              {0x68000100},                                             // MFX_WAIT
                              end}));
  return b;
}

Batch video_enhancement() {
  Batch b{"video_enhancement", "kbl", Engine::video_enhance};
  b.image.put(batch_at, join({{0x74000007, 0, 0x077C27F0, 0x00001000, 0, 0, 0, 0, 0},  // VEBOX_SURFACE_STATE
                              {0x7403000A, 0x0000027F, 0x1000, 0, 0x2000, 0, 0, 0, 0, 0, 0, 0},
                              end}));
  return b;
}

Batch chains() {
  Batch b{"chains", "kbl"};
  namespace g = commands::gen9;
  const auto start = [](uint64_t to, bool second) {
    return packet<g::mi_batch_buffer_start>({.ppgtt = true, .second_level = second, .address = to});
  };
  b.image.put(batch_at, join({start(second_at, true), packet<g::mi_noop>({}), start(third_at, false)}));
  b.image.put(second_at, join({packet<g::mi_arb_check>({}), end}));
  b.image.put(third_at, join({start(second_at, true), start(batch_at, false)}));
  return b;
}

Batch mistakes() {
  Batch b{"mistakes", "bdw"};
  Dwords control = packet<commands::gen8::pipe_control>({.post_sync = 3});
  control[1] |= 1 << 6 | 1u << 31;              // reserved
  b.image.put(batch_at, join({{0x7FFF0000, 0},  // no command of the render engine
                              {0x0F800000, 0},  // no MI command
                              control,
                              {0x30000000},           // no such type
                              {0x78260000, 0xFFE0},   // a binding table that is nowhere
                              {0x7B000005, 0, 0}}));  // cut off
  b.bytes = 4 * (2 + 2 + 6 + 1 + 2 + 3);
  return b;
}

}  // namespace

std::vector<Batch> batches() {
  return {memory_interface(),
          pipe("pipe", "kbl"),
          compute("bdw", state::surface_gen8, state::sampler_gen8),
          compute("kbl", state::surface_gen9, state::sampler_gen9),
          draw("bdw", state::surface_gen8, state::sampler_gen8),
          draw("kbl", state::surface_gen9, state::sampler_gen9),
          shaders(),
          old_draw(),
          blits("bdw"),
          blits("kbl"),
          video(),
          video_enhancement(),
          chains(),
          mistakes()};
}

}  // namespace vitro::decode_test
