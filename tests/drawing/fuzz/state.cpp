// The parts of the pipeline's state by chance, and draws. PRM: Gen8 vol 2a, 3DSTATE_*.
#include "maker.h"
#include "memory/tiling.h"
#include "pipeline/topology.h"
#include "shared/dataport/blend.h"

namespace vitro::drawing {

using namespace commands::three_d;

namespace {

// All that are not refused.
const std::vector<uint8_t>& drawn_topologies() {
  static const std::vector<uint8_t> all = [] {
    std::vector<uint8_t> found;
    for (unsigned code = 0; code < 64; ++code)
      if (pipeline::find_topology(code)) found.push_back(uint8_t(code));
    return found;
  }();
  return all;
}
constexpr uint8_t rectlist = 15;

const std::vector<uint8_t>& codes(bool (*is)(unsigned), unsigned end) {
  static std::array<std::vector<uint8_t>, 2> both;
  std::vector<uint8_t>& all = both[end > 16];
  if (all.empty())
    for (unsigned code = 0; code < end; ++code)
      if (is(code)) all.push_back(uint8_t(code));
  return all;
}

}  // namespace

// --- vertices

std::vector<Vector> Maker::positions(unsigned count) {
  std::vector<Vector> all;
  const uint32_t kind = rng_.below(8);
  std::array<float, 4> box{};
  for (unsigned n = 0; n < count; ++n) {
    if (topology_ == rectlist) {  // in pixels: neither clipped nor transformed
      if (n % 3 == 0) {
        const auto end = [&](unsigned size) { return float(rng_.below(size * 2 + 3)) / 2; };
        box = {end(set().width), end(set().height), end(set().width), end(set().height)};
      }
      const float depth = float(rng_.below(1001)) / 1000;
      all.push_back({n % 3 == 0 ? box[2] : box[0], n % 3 == 2 ? box[1] : box[3], depth, 1});
      continue;
    }
    if (n && rng_.one_in(10)) {  // degenerate
      all.push_back(all[rng_.below(n)]);
      continue;
    }
    Vector v{real(1.2f), real(1.2f), .5f + real(.5f), 1};
    if (kind == 1) v[3] = .5f + float(rng_.below(2000)) / 1000;
    if (kind == 2) v = {real(30), real(30), real(2), real(2)};      // far out, and behind the eye
    if (kind == 3) v[0] *= 1e4f, v[1] *= 1e4f;                      // beyond the guard band
    if (kind == 4) v = {real(1), real(1), real(1.5f), real(1.5f)};  // through the eye
    if (kind == 5) v = {std::round(v[0] * 16) / 16, std::round(v[1] * 16) / 16, .5f, 1};
    if (kind == 6 && rng_.one_in(4)) v[rng_.below(4)] = odd();
    for (unsigned c = 0; c < 2; ++c)
      if (kind == 1) v[c] *= v[3];
    all.push_back(v);
  }
  return all;
}

void Maker::vertices() {
  topology_ = rng_.coin() ? uint8_t(4 + rng_.below(3)) : rng_.pick(drawn_topologies());
  vertex_count_ = 3 + rng_.below(rng_.one_in(4) ? 60 : 14);
  emit<every::vf_topology>({topology_});

  // buffers: the first has positions
  const unsigned inputs = 1 + rng_.below(4), buffers = 1 + rng_.below(3);
  struct Element {
    const formats::Format* format;
    uint8_t buffer;
    uint16_t offset;
  };
  static constexpr const char* position_formats[] = {"R32G32B32A32_FLOAT", "R32G32B32A32_FLOAT", "R32G32B32A32_FLOAT",
                                                     "R32G32B32_FLOAT",    "R32G32_FLOAT",       "R16G16B16A16_FLOAT"};
  std::vector<Element> elements{{formats::find(std::string_view(rng_.pick(position_formats))), 0, 0}};
  if (topology_ == rectlist) elements[0].format = formats::find("R32G32B32A32_FLOAT");
  for (unsigned n = 1; n < inputs; ++n)
    elements.push_back(
        {&format(&formats::Uses::vertex), uint8_t(rng_.below(buffers)), uint16_t(16 + 4 * rng_.below(6))});
  out_ += Words{every::vertex_buffers.header | (4 * buffers - 1)};
  for (unsigned n = 0; n < buffers; ++n) {
    const uint32_t pitch = n && rng_.one_in(8) ? 0 : 64, bytes = vertex_count_ * 64;
    const uint32_t at = take(inputs_, count_space, bytes, 64);
    for (uint32_t k = 0; k < bytes; k += 4) {
      const uint32_t v = rng_.one_in(12)  ? std::bit_cast<uint32_t>(odd())
                         : rng_.one_in(3) ? uint32_t(rng_())
                                          : std::bit_cast<uint32_t>(real(1.5f));
      image_.put(at + k, &v, 4);
    }
    if (n == 0) {
      const std::vector<Vector> all = positions(vertex_count_);
      for (uint32_t k = 0; k < all.size(); ++k) {
        std::array<std::byte, 16> packed{};
        formats::Rgba bits;
        std::memcpy(bits.data(), all[k].data(), 16);
        if (elements[0].format->encode)
          elements[0].format->encode(packed.data(), bits);
        else
          std::memcpy(packed.data(), bits.data(), 16);
        image_.put(at + 64 * k, packed.data(), 16);
      }
    }
    const uint32_t size = rng_.one_in(8) ? rng_.below(bytes + 1) : bytes;
    emit<every::vertex_buffer_state>({.buffer_pitch = uint16_t(pitch),
                                      .null_vertex_buffer = n > 0 && rng_.one_in(16),
                                      .address_modify_enable = true,
                                      .vertex_buffer_index = uint8_t(n),
                                      .buffer_starting_address = home + at,
                                      .buffer_size = size});
  }
  const bool edge_flags = rng_.one_in(12);
  out_ += Words{every::vertex_elements.header | (2 * (inputs + edge_flags) - 1)};
  for (unsigned n = 0; n < inputs; ++n) {
    const Element& e = elements[n];
    static constexpr uint8_t controls[] = {0, 1, 2, 3, 4};  // nothing, source, 0, 1.0, 1
    std::array<uint8_t, 4> control{1, 1, 1, 1};
    const unsigned channels = e.format->channel_count;
    if (n == 0) control = {1, 1, uint8_t(channels > 2 ? 1 : 2), uint8_t(channels > 3 ? 1 : 3)};
    if (n && rng_.one_in(3))
      for (uint8_t& c : control) c = rng_.pick(controls);
    out_ += packet<every::vertex_element_state>({.source_element_offset = e.offset,
                                                 .source_element_format = e.format->code,
                                                 .valid = true,
                                                 .vertex_buffer_index = e.buffer,
                                                 .component_3_control = control[3],
                                                 .component_2_control = control[2],
                                                 .component_1_control = control[1],
                                                 .component_0_control = control[0]});
  }
  if (edge_flags)
    out_ += packet<every::vertex_element_state>({.source_element_offset = uint16_t(4 * rng_.below(16)),
                                                 .edge_flag_enable = true,
                                                 .source_element_format = formats::find("R32_UINT")->code,
                                                 .valid = true,
                                                 .component_0_control = 1});
  for (unsigned n = 0; n < inputs; ++n)
    emit<every::vf_instancing>({.vertex_element_index = uint8_t(n),
                                .instancing_enable = n > 0 && rng_.one_in(6),
                                .instance_data_step_rate = rng_.below(3)});
  emit<every::vf_sgvs>({.vertexid_element_offset = uint8_t(rng_.below(inputs)),
                        .vertexid_component_number = uint8_t(rng_.below(4)),
                        .vertexid_enable = inputs > 1 && rng_.one_in(6),
                        .instanceid_element_offset = uint8_t(inputs - 1),
                        .instanceid_component_number = uint8_t(rng_.below(4)),
                        .instanceid_enable = inputs > 1 && rng_.one_in(5)});
  emit<every::vf_statistics>({rng_.below(8) != 0});

  // indices
  indexed_ = rng_.coin();
  const uint8_t index_format = uint8_t(rng_.below(3));
  static constexpr uint32_t cuts[] = {0xFF, 0xFFFF, 0xFFFFFFFF};
  const bool cut = rng_.coin();
  emit_of<gen8::vf, gen9::vf>(Vf{.indexed_draw_cut_index_enable = cut, .cut_index = cuts[index_format]});
  if (indexed_) {
    index_count_ = topology_ == rectlist ? 3 : 3 + rng_.below(40);
    std::vector<std::byte> bytes;
    for (unsigned n = 0; n < index_count_; ++n) {
      uint32_t i = topology_ == rectlist ? n : rng_.below(vertex_count_);
      if (topology_ != rectlist && rng_.one_in(12)) i = rng_.coin() ? cuts[index_format] : rng_.below(300);
      for (unsigned k = 0; k < 1u << index_format; ++k) bytes.push_back(std::byte(i >> 8 * k));
    }
    const uint32_t at = take(inputs_, count_space, uint32_t(bytes.size()), 64);
    image_.put(at, bytes.data(), bytes.size());
    const uint32_t size = uint32_t(rng_.one_in(8) ? rng_.below(uint32_t(bytes.size()) + 1) : bytes.size());
    out_ += packet<every::index_buffer>(
        {.index_format = index_format, .buffer_starting_address = home + at, .buffer_size = size});
  }

  // the shader
  VertexForm f{.start = 2 + rng_.below(2), .push = rng_.one_in(3) ? 1 + rng_.below(2) : 0, .inputs = inputs};
  attributes_ = 1 + rng_.below(4);
  f.slots = 2 + attributes_;
  if (rng_.one_in(4)) f.slots += 2;  // more than is read
  f.layers = layered_ ? set().layers : 1;
  f.viewports = layered_ && rng_.coin() ? 4 : 1;
  f.header = rng_.one_in(3) || f.layers > 1 || f.viewports > 1;
  viewports_ = f.viewports;
  emit<every::urb_vs>({.number_of_urb_entries = 64,
                       .urb_entry_allocation_size = uint16_t((f.slots + 3) / 4 - 1),
                       .urb_starting_address = 4});
  emit<every::vs>({.kernel_start_pointer = kernel(random_vertex_shader(model_, rng_, f)),
                   .floating_point_mode = rng_.one_in(16),
                   .vertex_urb_entry_read_length = uint8_t((inputs + 1) / 2),
                   .dispatch_grf_start_register_for_urb_data = uint8_t(f.start),
                   .enable = true,
                   .simd8_dispatch_enable = true,
                   .statistics_enable = rng_.below(8) != 0,
                   .maximum_number_of_threads = 15,
                   .user_clip_distance_cull_test_enable_bitmask = uint8_t(rng_.one_in(10) ? rng_() : 0),
                   .user_clip_distance_clip_test_enable_bitmask = uint8_t(rng_.one_in(10) ? rng_() : 0),
                   .vertex_urb_entry_output_length = uint8_t((attributes_ + 1) / 2),
                   .vertex_urb_entry_output_read_offset = 1});
  Constant c;
  if (f.push) c.read_length[3] = uint16_t(f.push), c.buffer[3] = home + input_space + 32 * rng_.below(64);
  out_ += packet_of<gen8::constant_vs, gen9::constant_vs>(plain_, c);
  flat_ = rng_.coin() ? 0 : uint32_t(rng_()) & 15;
  Sbe sbe{.primitive_id_override_attribute_select = uint8_t(rng_.below(4)),
          .vertex_urb_entry_read_offset = 1,
          .vertex_urb_entry_read_length = uint8_t((attributes_ + 1) / 2),
          .primitive_id_override_component_x = rng_.one_in(12),
          .primitive_id_override_component_w = rng_.one_in(12),
          .point_sprite_texture_coordinate_origin = uint8_t(rng_.below(2)),
          .attribute_swizzle_enable = rng_.one_in(4),
          .number_of_sf_output_attributes = uint8_t(attributes_),
          .force_vertex_urb_entry_read_offset = true,
          .force_vertex_urb_entry_read_length = true,
          .point_sprite_texture_coordinate_enable = rng_.one_in(4) ? uint32_t(rng_()) & 15 : 0,
          .constant_interpolation_enable = flat_};
  sbe.attribute_active_component_format.fill(3);
  emit_of<gen8::sbe, gen9::sbe>(sbe);
  SbeSwiz swiz;
  for (size_t n = 0; n < 16; ++n) {
    swiz.source_attribute[n] = uint8_t(rng_.below(attributes_ + 1)), swiz.swizzle_select[n] = uint8_t(rng_.below(4));
    swiz.constant_source[n] = uint8_t(rng_.below(4));
    swiz.component_override_x[n] = rng_.one_in(6), swiz.component_override_z[n] = rng_.one_in(6);
  }
  out_ += packet<every::sbe_swiz>(swiz);
  stale_ = true;
}

// --- clipping, setup, rasterising

void Maker::primitives() {
  const auto provoking = [&] { return uint8_t(rng_.below(3)); };
  const uint8_t line = uint8_t(rng_.below(2)), fan = provoking(), strip = provoking();
  static constexpr uint8_t modes[] = {0, 0, 0, 0, 0, 0, 3, 4};  // normal, reject all, accept all
  emit<every::clip>({.statistics_enable = rng_.below(8) != 0,
                     .early_cull_enable = rng_.one_in(4),
                     .triangle_fan_provoking_vertex_select = fan,
                     .line_strip_list_provoking_vertex_select = line,
                     .triangle_strip_list_provoking_vertex_select = strip,
                     .non_perspective_barycentric_enable = rng_.below(3) != 0,
                     .perspective_divide_disable = rng_.one_in(24),
                     .clip_mode = rng_.pick(modes),
                     .guardband_clip_test_enable = rng_.below(4) != 0,
                     .viewport_xy_clip_test_enable = rng_.below(6) != 0,
                     .api_mode = uint8_t(rng_.below(2)),
                     .clip_enable = rng_.below(12) != 0,
                     .maximum_vp_index = uint8_t(viewports_ - 1),
                     .force_zero_rta_index_enable = !layered_,
                     .maximum_point_width = uint16_t(rng_.coin() ? 0x7FF : rng_.below(0x7FF)),
                     .minimum_point_width = uint16_t(1 + rng_.below(16))});
  const bool solid = rng_.below(4) != 0;
  Raster r{.viewport_z_clip_test_enable = rng_.below(3) != 0,
           .scissor_rectangle_enable = rng_.one_in(3),
           .antialiasing_enable = rng_.one_in(4),
           .back_face_fill_mode = uint8_t(solid ? 0 : rng_.below(3)),
           .front_face_fill_mode = uint8_t(solid ? 0 : rng_.below(3)),
           .global_depth_offset_enable_point = rng_.one_in(4),
           .global_depth_offset_enable_wireframe = rng_.one_in(4),
           .global_depth_offset_enable_solid = rng_.one_in(4),
           .dx_multisample_rasterization_mode = uint8_t(rng_.one_in(4) ? rng_.below(4) : 0),
           .dx_multisample_rasterization_enable = rng_.below(4) != 0,
           .smooth_point_enable = rng_.one_in(6),
           .force_multisampling = uint8_t(rng_.one_in(10)),
           .cull_mode = uint8_t(rng_.coin() ? 1 : rng_.below(4)),
           .front_winding = uint8_t(rng_.below(2)),
           .api_mode = uint8_t(rng_.below(3)),
           .global_depth_offset_constant = real(100),
           .global_depth_offset_scale = real(2),
           .global_depth_offset_clamp = rng_.coin() ? 0 : real(.1f),
           .viewport_z_near_clip_test_enable = rng_.below(3) != 0,
           .conservative_rasterization_enable = !eight_ && rng_.one_in(8),
           .viewport_z_far_clip_test_enable = rng_.below(3) != 0};
  emit_of<gen8::raster, gen9::raster>(r);
  static constexpr uint32_t widths[] = {0, 1 << 7, 1 << 7, 3 << 6, 3 << 7, 7 << 7};
  Sf sf{.viewport_transform_enable = topology_ != rectlist || rng_.coin(),
        .statistics_enable = rng_.below(8) != 0,
        .legacy_global_depth_bias_enable = rng_.one_in(4),
        .line_end_cap_antialiasing_region_width = uint8_t(rng_.below(4)),
        .line_width = rng_.pick(widths),
        .point_width = uint16_t(rng_.coin() ? 8 : 1 + rng_.below(200)),
        .point_width_source = uint8_t(rng_.below(2)),
        .vertex_sub_pixel_precision_select = uint8_t(rng_.one_in(4)),
        .smooth_point_enable = rng_.one_in(6),
        .aa_line_distance_mode = uint8_t(rng_.below(2)),
        .triangle_fan_provoking_vertex_select = fan,
        .line_strip_list_provoking_vertex_select = line,
        .triangle_strip_list_provoking_vertex_select = strip,
        .last_pixel_enable = rng_.coin()};
  emit_of<gen8::sf, gen9::sf>(sf);
  emit<every::line_stipple>({.line_stipple_pattern = uint16_t(rng_()),
                             .line_stipple_repeat_count = uint16_t(1 + rng_.below(4)),
                             .line_stipple_inverse_repeat_count = (1u << 16) / (1 + rng_.below(4))});
  if (rng_.one_in(3)) {
    PolyStipplePattern rows;
    for (uint32_t& row : rows.pattern_row) row = uint32_t(rng_());
    out_ += packet<every::poly_stipple_pattern>(rows);
    emit<every::poly_stipple_offset>({uint8_t(rng_.below(32)), uint8_t(rng_.below(32))});
  }
}

void Maker::viewports() {
  const TargetSet& t = set();
  Words sf, cc, scissors;
  for (unsigned n = 0; n < 4; ++n) {
    const float x = float(t.width) / 2, y = float(t.height) / 2;
    state::SfClipViewport v{x, y, .5f, x, y, .5f, -8, 8, -8, 8, 0, float(t.width) - 1, 0, float(t.height) - 1};
    if (rng_.one_in(3)) v.viewport_matrix_element_m00 *= real(1.5f), v.viewport_matrix_element_m11 *= real(1.5f);
    if (rng_.one_in(4)) v.viewport_matrix_element_m30 += real(10), v.viewport_matrix_element_m31 += real(10);
    if (rng_.one_in(4)) v.viewport_matrix_element_m22 = 1, v.viewport_matrix_element_m32 = 0;
    if (rng_.one_in(4)) v.x_min_viewport = real(x) + x, v.x_max_viewport = real(x) + x;
    if (rng_.one_in(40)) v.viewport_matrix_element_m00 = odd();
    sf += packet<state::every::sf_clip_viewport>(v);
    if (n == 0) note<state::every::sf_clip_viewport>(sf);
    state::CcViewport c{0, 1};
    if (rng_.one_in(3)) c = {real(.5f) + .3f, real(.5f) + .7f};
    cc += packet<state::every::cc_viewport>(c);
    const auto limit = [&](unsigned size) { return uint16_t(rng_.below(size + 2)); };
    state::ScissorRect s{0, 0, uint16_t(t.width), uint16_t(t.height)};
    if (rng_.coin()) s = {limit(t.width), limit(t.height), limit(t.width), limit(t.height)};
    scissors += packet<state::every::scissor_rect>(s);
  }
  emit<every::viewport_state_pointers_sf_clip>({object(sf)});
  emit<every::viewport_state_pointers_cc>({object(cc)});
  emit<every::scissor_state_pointers>({object(scissors)});
}

void Maker::samples() {
  emit<every::sample_mask>({uint16_t(rng_.below(3) ? 0xFFFF : rng_())});
  SamplePattern p{.samples_16 = {0xC75A7599, 0xB3DBAD36, 0x2C42816E, 0x10E0FE02},
                  .samples_8_high = 0x7FD51B93,
                  .samples_8_low = 0x5B5D3B95,
                  .samples_4 = 0xAE2AE662,
                  .samples_2 = 0x44CC,
                  .samples_1 = 0x88};
  if (rng_.one_in(3)) {
    for (uint32_t& four : p.samples_16) four = uint32_t(rng_());
    p.samples_8_high = uint32_t(rng_()), p.samples_8_low = uint32_t(rng_()), p.samples_4 = uint32_t(rng_());
    p.samples_2 = uint16_t(rng_()), p.samples_1 = uint8_t(rng_());
  }
  out_ += packet_of<gen8::sample_pattern, gen9::sample_pattern>(plain_, p);
}

// --- pixels

void Maker::pixels() {
  stale_ = false;
  const bool many = set().log2_samples != 0;
  PixelForm f;
  f.attributes = attributes_;
  f.flat = flat_;
  f.barycentrics = uint8_t(rng_.one_in(3) ? rng_.below(64) & (rng_.coin() ? 9 : 63) : 1);
  while (std::popcount(f.barycentrics) > 2) f.barycentrics &= uint8_t(f.barycentrics - 1);
  f.depth = rng_.one_in(4), f.w = rng_.one_in(6), f.offsets = rng_.one_in(6), f.coverage = rng_.one_in(6);
  f.push = rng_.one_in(3) ? 1 + rng_.below(3) : 0;
  f.kills = rng_.one_in(4);
  f.omask = many && rng_.one_in(4);
  f.computes_depth = rng_.one_in(6);
  f.computes_stencil = !eight_ && set().stencil.stencil_buffer_enable && rng_.one_in(6);
  f.dual = bound_.targets <= 1 && rng_.one_in(8);
  f.has_uav = has_uav_ && rng_.coin();
  f.pulls = rng_.one_in(4);
  f.reads_target = !eight_ && rng_.one_in(6);
  bound_.operation = 0x700;                                         // add
  static constexpr uint8_t widths[] = {2, 2, 2, 1, 1, 4, 3, 5, 7};  // of 8, 16, 32
  const uint8_t enabled = rng_.pick(widths);

  Ps ps{.rounding_mode = uint8_t(rng_.one_in(16) ? rng_.below(4) : 0),
        .floating_point_mode = uint8_t(rng_.one_in(16)),
        .binding_table_entry_count = 4,
        .single_precision_denormal_mode = uint8_t(rng_.one_in(4)),
        .vector_mask_enable = rng_.coin(),
        .dispatch_8 = bool(enabled & 1),
        .dispatch_16 = bool(enabled & 2),
        .dispatch_32 = bool(enabled & 4),
        .position_xy_offset_select = uint8_t(f.offsets ? 2 + rng_.below(2) : 0),
        .push_constant_enable = f.push != 0,
        .maximum_number_of_threads_per_psd = 63};
  static constexpr std::array<std::array<int, 3>, 8> slots{
      {{-1, -1, -1}, {0, -1, -1}, {-1, 0, -1}, {0, 2, -1}, {-1, -1, 0}, {0, -1, 1}, {-1, 2, 1}, {0, 2, 1}}};
  text_ = "lanes";
  for (unsigned n = 0; n < 3; ++n) {
    const int slot = slots[enabled][n];
    if (slot < 0) continue;
    f.lanes = 8u << n;
    const unsigned eights = f.lanes == 8 ? 1 : 2, lists = f.lanes == 32 ? 2 : 1;
    const unsigned list =
        unsigned(std::popcount(f.barycentrics)) * 2 * eights + (f.depth + f.w + f.coverage) * eights + f.offsets;
    f.start = 1 + lists + lists * list + (rng_.one_in(4) ? rng_.below(3) : 0);
    const uint32_t at = kernel(random_pixel_shader(model_, rng_, f, bound_));
    const uint8_t start = uint8_t(f.start);
    if (slot == 0) ps.kernel_start_pointer_0 = at, ps.dispatch_grf_start_register_for_constant_setup_data_0 = start;
    if (slot == 1) ps.kernel_start_pointer_1 = at, ps.dispatch_grf_start_register_for_constant_setup_data_1 = start;
    if (slot == 2) ps.kernel_start_pointer_2 = at, ps.dispatch_grf_start_register_for_constant_setup_data_2 = start;
    text_ += fmt::format(" {} (at {:#x})", f.lanes, at);
  }
  emit_of<gen8::ps, gen9::ps>(ps);
  PsExtra x{.pixel_shader_uses_input_coverage_mask = eight_ && f.coverage,
            .pixel_shader_has_uav = f.has_uav,
            .pixel_shader_is_per_sample = many && rng_.one_in(4),
            .attribute_enable = attributes_ != 0,
            .pixel_shader_uses_source_w = f.w,
            .pixel_shader_uses_source_depth = f.depth,
            .pixel_shader_computed_depth_mode = uint8_t(f.computes_depth ? 1 + rng_.below(3) : 0),
            .pixel_shader_kills_pixel = f.kills,
            .omask_present_to_render_target = f.omask,
            .pixel_shader_does_not_write_to_rt = rng_.one_in(24),
            .pixel_shader_valid = !rng_.one_in(24),
            .input_coverage_mask_state = uint8_t(!eight_ && f.coverage ? (rng_.coin() ? 1 : 3) : 0),
            .pixel_shader_pulls_bary = f.pulls,
            .pixel_shader_computes_stencil = f.computes_stencil};
  emit_of<gen8::ps_extra, gen9::ps_extra>(x);
  emit<every::wm>({.force_kill_pixel_enable = uint8_t(rng_.one_in(12) ? rng_.below(3) : 0),
                   .point_rasterization_rule = uint8_t(rng_.below(2)),
                   .line_stipple_enable = rng_.one_in(4),
                   .polygon_stipple_enable = rng_.one_in(6),
                   .line_antialiasing_region_width = uint8_t(rng_.below(4)),
                   .line_end_cap_antialiasing_region_width = uint8_t(rng_.below(4)),
                   .barycentric_interpolation_mode = f.barycentrics,
                   .position_zw_interpolation_mode = uint8_t(rng_.one_in(3) ? 2 + rng_.below(2) : 0),
                   .force_thread_dispatch_enable = uint8_t(rng_.one_in(10) ? rng_.below(3) : 0),
                   .early_depth_stencil_control = uint8_t(rng_.one_in(4) ? rng_.below(3) : 0),
                   .legacy_diamond_line_rasterization = rng_.coin(),
                   .statistics_enable = rng_.below(8) != 0});
  Constant c;
  if (f.push) c.read_length[2] = uint16_t(f.push), c.buffer[2] = home + input_space + 32 * rng_.below(64);
  out_ += packet_of<gen8::constant_ps, gen9::constant_ps>(plain_, c);
  // constants arrive with the table
  out_ += packet<every::binding_table_pointers_ps>({uint16_t(table_)});
}

void Maker::tests() {
  const auto operation = [&] { return uint8_t(rng_.below(8)); };
  const bool depth = set().has_depth || rng_.one_in(8), stencil = set().stencil.stencil_buffer_enable;
  WmDepthStencil t{.depth_buffer_write_enable = depth && rng_.below(4) != 0,
                   .depth_test_enable = depth && rng_.below(4) != 0,
                   .stencil_buffer_write_enable = stencil && rng_.below(4) != 0,
                   .stencil_test_enable = stencil && rng_.below(4) != 0,
                   .double_sided_stencil_enable = rng_.coin(),
                   .depth_test_function = uint8_t(rng_.below(8)),
                   .stencil_test_function = uint8_t(rng_.coin() ? 0 : rng_.below(8)),
                   .backface_stencil_pass_depth_pass_op = operation(),
                   .backface_stencil_pass_depth_fail_op = operation(),
                   .backface_stencil_fail_op = operation(),
                   .backface_stencil_test_function = uint8_t(rng_.below(8)),
                   .stencil_pass_depth_pass_op = operation(),
                   .stencil_pass_depth_fail_op = operation(),
                   .stencil_fail_op = operation(),
                   .backface_stencil_write_mask = uint8_t(rng_()),
                   .backface_stencil_test_mask = uint8_t(rng_()),
                   .stencil_write_mask = uint8_t(rng_.coin() ? 0xFF : rng_()),
                   .stencil_test_mask = uint8_t(rng_.coin() ? 0xFF : rng_()),
                   .backface_stencil_reference_value = uint8_t(rng_()),
                   .stencil_reference_value = uint8_t(rng_())};
  emit_of<gen8::wm_depth_stencil, gen9::wm_depth_stencil>(t);
}

void Maker::blending() {
  const auto factor = [&] { return rng_.pick(codes(shared::is_blend_factor, 32)); };
  const auto function = [&] { return rng_.pick(codes(shared::is_blend_function, 8)); };
  const bool blends = rng_.coin();
  const state::BlendState all{.alpha_test_function = uint8_t(rng_.below(8)),
                              .alpha_test_enable = rng_.one_in(8),
                              .alpha_to_one_enable = rng_.one_in(10),
                              .independent_alpha_blend_enable = rng_.coin(),
                              .alpha_to_coverage_enable = rng_.one_in(8)};
  Words w = packet<state::every::blend_state>(all);
  note<state::every::blend_state>(w);
  state::BlendStateEntry first{};
  for (unsigned n = 0; n < 8; ++n) {
    const bool mask = rng_.one_in(4);
    state::BlendStateEntry e{.write_disable_blue = mask && rng_.coin(),
                             .write_disable_green = mask && rng_.coin(),
                             .write_disable_red = mask && rng_.coin(),
                             .write_disable_alpha = mask && rng_.coin(),
                             .alpha_blend_function = function(),
                             .destination_alpha_blend_factor = factor(),
                             .source_alpha_blend_factor = factor(),
                             .color_blend_function = function(),
                             .destination_blend_factor = factor(),
                             .source_blend_factor = factor(),
                             .color_buffer_blend_enable = blends && rng_.below(4) != 0,
                             .post_blend_color_clamp_enable = rng_.coin(),
                             .pre_blend_color_clamp_enable = rng_.coin(),
                             .color_clamp_range = uint8_t(rng_.below(3)),
                             .pre_blend_source_only_clamp_enable = rng_.one_in(4),
                             .logic_op_function = uint8_t(rng_.below(16)),
                             .logic_op_enable = rng_.one_in(8)};
    if (n == 0)
      first = e;
    else if (rng_.coin())
      e = first;  // as without independent blending
    w += packet<state::every::blend_state_entry>(e);
    note<state::every::blend_state_entry>(packet<state::every::blend_state_entry>(e), n);
  }
  emit<every::blend_state_pointers>({true, object(w)});
  const state::ColorCalcState c{.alpha_test_format = uint8_t(rng_.below(2)),
                                .backface_stencil_reference_value = uint8_t(rng_()),
                                .stencil_reference_value = uint8_t(rng_()),
                                .alpha_reference_value = std::bit_cast<uint32_t>(.5f + real(.5f)),
                                .blend_constant_color_red = real(1),
                                .blend_constant_color_green = .25f,
                                .blend_constant_color_blue = real(3),
                                .blend_constant_color_alpha = .5f};
  const Words calc = packet_of<state::gen8::color_calc_state, state::gen9::color_calc_state>(plain_, c);
  note<state::gen8::color_calc_state>(calc);
  emit<every::cc_state_pointers>({true, object(calc)});
  emit<every::ps_blend>({.independent_alpha_blend_enable = all.independent_alpha_blend_enable,
                         .alpha_test_enable = all.alpha_test_enable,
                         .destination_blend_factor = first.destination_blend_factor,
                         .source_blend_factor = first.source_blend_factor,
                         .destination_alpha_blend_factor = first.destination_alpha_blend_factor,
                         .source_alpha_blend_factor = first.source_alpha_blend_factor,
                         .color_buffer_blend_enable = first.color_buffer_blend_enable,
                         .has_writeable_rt = !rng_.one_in(16),
                         .alpha_to_coverage_enable = all.alpha_to_coverage_enable});
}

void Maker::draw() {
  set().drawn = true;
  const uint32_t count = indexed_ ? index_count_ : vertex_count_;
  Primitive p{.primitive_topology_type = topology_,
              .vertex_access_type = uint8_t(indexed_),
              .vertex_count_per_instance = rng_.one_in(8) ? rng_.below(2 * count) : count,
              .start_vertex_location = rng_.one_in(8) ? rng_.below(count) : 0,
              .instance_count = rng_.one_in(4) ? rng_.below(4) : 1,
              .start_instance_location = rng_.one_in(8) ? rng_.below(4) : 0,
              .base_vertex_location = rng_.one_in(8) ? int32_t(rng_.below(8)) - 4 : 0};
  out_ += packet<every::primitive>(p);
  const TargetSet& t = set();
  std::string text = fmt::format("{} of {} vertices, {} instances, {}{} x {}, {} samples, {} targets:", topology_,
                                 p.vertex_count_per_instance, p.instance_count, indexed_ ? "indexed, " : "", t.width,
                                 t.height, 1 << t.log2_samples, t.colours.size());
  for (const state::Surface& s : t.colours)
    text += fmt::format(" {} (tile mode {})", formats::find(s.format)->name, s.tile_mode);
  text += fmt::format("; depth format {}, stencil {}; {}", t.has_depth ? t.depth.surface_format : 0,
                      t.stencil.stencil_buffer_enable, text_);
  std::string all;
  for (const auto& [name, fields] : state_) all += fmt::format("    {}:{}\n", name, fields);
  made_.draws.push_back({uint32_t(out_.size() * 4), std::move(text), std::move(all)});
}

}  // namespace vitro::drawing
