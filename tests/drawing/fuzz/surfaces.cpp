// Surfaces and samplers by chance: targets, textures, buffers. PRM: Gen8 vol 2d RENDER_SURFACE_STATE, SAMPLER_STATE.
#include "maker.h"

namespace vitro::drawing {

namespace {

constexpr uint32_t align(uint32_t v, uint32_t to) { return (v + to - 1) / to * to; }

// Columns and rows that interleaved samples make of a pixel.
constexpr std::array<std::array<uint32_t, 2>, 5> spreads{{{1, 1}, {2, 1}, {2, 2}, {4, 2}, {4, 4}}};

constexpr const char* common[] = {"R8G8B8A8_UNORM",     "B8G8R8A8_UNORM",    "R8G8B8A8_UNORM_SRGB",
                                  "R16G16B16A16_FLOAT", "R10G10B10A2_UNORM", "B5G6R5_UNORM",
                                  "R8_UNORM",           "R32_FLOAT",         "R32G32B32A32_FLOAT",
                                  "R8G8B8A8_UINT",      "R32_UINT",          "R11G11B10_FLOAT"};

}  // namespace

const formats::Format& Maker::format(uint8_t formats::Uses::*use) {
  for (;;) {
    const formats::Format& f =
        rng_.coin() ? *formats::find(std::string_view(rng_.pick(common))) : rng_.pick(formats::all());
    if (!(f.uses.*use & bit_)) continue;
    const bool can =
        use == &formats::Uses::sampled || use == &formats::Uses::vertex ? f.decode != nullptr : f.encode != nullptr;
    if (can || rng_.one_in(400)) return f;
  }
}

state::Surface Maker::colour(const TargetSet& set, const formats::Format& f) {
  static constexpr uint8_t tilings[] = {0, 2, 3};  // linear, X, Y
  const bool tiles = std::has_single_bit(unsigned(f.bits));
  state::Surface s;
  s.type = state::SurfaceType::two_d;
  s.format = f.code;
  s.tile_mode = !tiles ? 0 : set.log2_samples ? 3 : rng_.pick(tilings);
  s.width_less_1 = set.width - 1, s.height_less_1 = set.height - 1;
  const uint32_t bytes = f.bytes();
  s.pitch_less_1 = align(set.width * bytes, s.tile_mode == 2 ? 512 : s.tile_mode == 3 ? 128 : bytes) - 1;
  s.horizontal_alignment = s.vertical_alignment = 1;
  s.log2_samples = uint8_t(set.log2_samples);
  s.array = set.layers > 1 || rng_.one_in(6);
  s.depth_less_1 = s.view_extent_less_1 = uint16_t(set.layers - 1);
  const uint32_t rows = align(set.height, 4);
  s.qpitch_field = uint16_t(rows >> 2);
  const uint32_t total = align(rows * set.layers << set.log2_samples, 32), size = total * (s.pitch_less_1 + 1);
  const uint32_t at = take(targets_, texture_space, size, 4096);
  if (!at) return {};
  s.base = home + at;
  made_.stretches.push_back({.name = fmt::format("target of {}, {} x {}, {} samples, {} layers, tile mode {}", f.name,
                                                 set.width, set.height, 1 << set.log2_samples, set.layers, s.tile_mode),
                             .at = at,
                             .bytes = size,
                             .format = &f,
                             .pitch = s.pitch_less_1 + 1,
                             .width = set.width,
                             .rows = total,
                             .tile_mode = s.tile_mode});
  if (set.log2_samples && rng_.one_in(3)) {  // with codes
    static constexpr uint32_t sizes[] = {0, 1, 1, 4, 8};
    const uint32_t pitch = align(set.width * sizes[set.log2_samples], 128);
    const uint32_t codes = align(rows * set.layers, 32) * pitch;
    if (const uint32_t mcs = take(targets_, texture_space, codes, 4096)) {
      s.aux_mode = state::AuxMode::ccs_d;
      s.aux_base = home + mcs, s.aux_pitch_less_1 = uint16_t(pitch / 128 - 1);
      s.aux_qpitch_field = uint16_t(rows >> 2);
      if (rng_.below(3)) std::memset(image_.bytes.data() + mcs, rng_.coin() ? 0 : 0xFF, codes);
      s.red_clear = s.alpha_clear = 0x3F800000;
      made_.stretches.push_back({.name = "codes of the target before", .at = mcs, .bytes = codes});
    }
  }
  return s;
}

void Maker::targets() {
  if (!sets_.empty() && rng_.coin()) flush();
  if (!sets_.empty() && rng_.coin()) {  // back to others
    set_ = rng_.below(uint32_t(sets_.size()));
  } else {
    TargetSet t;
    if (rng_.below(10) >= 6) t.log2_samples = 1 + rng_.below(eight_ ? 3 : 4);
    const uint32_t most = t.log2_samples > 2 ? 32 : t.log2_samples ? 72 : most_edge;
    t.width = 1 + rng_.below(most), t.height = 1 + rng_.below(most * 3 / 4);
    if (rng_.coin()) t.width = std::max(t.width, most / 2), t.height = std::max(t.height, most / 2);
    if (layered_) t.layers = 1u << rng_.below(3);
    const uint32_t kind = rng_.below(20);
    const unsigned count = kind == 0 ? 0 : kind < 14 ? 1 : 2 + rng_.below(3);
    for (unsigned n = 0; n < count; ++n) t.colours.push_back(colour(t, format(&formats::Uses::target)));
    const auto [columns, lines] = spreads[t.log2_samples];
    const uint32_t width = t.log2_samples ? align(t.width, 2) * columns : t.width,
                   height = t.log2_samples ? align(t.height, 2) * lines : t.height;
    t.depth.width = uint16_t(t.width - 1), t.depth.height = uint16_t(t.height - 1);
    t.depth.depth = t.depth.render_target_view_extent = uint16_t(t.layers - 1);
    if (rng_.below(5) >= 2) {
      static constexpr uint8_t codes[] = {1, 3, 5};
      const uint8_t code = rng_.pick(codes);
      const uint32_t bytes = code == 5 ? 2 : 4, pitch = align(width * bytes, 128), rows = align(height, 4);
      const uint32_t size = align(rows * t.layers, 32) * pitch;
      if (const uint32_t at = take(targets_, texture_space, size, 4096)) {
        t.has_depth = true;
        t.depth.surface_type = 1, t.depth.surface_format = code;
        t.depth.surface_base_address = home + at, t.depth.surface_pitch = pitch - 1;
        t.depth.surface_qpitch = uint16_t(rows >> 2), t.depth.depth_write_enable = true;
        made_.stretches.push_back({.name = "depth",
                                   .at = at,
                                   .bytes = size,
                                   .format = formats::find(code == 1   ? "R32_FLOAT"
                                                           : code == 3 ? "R24_UNORM_X8_TYPELESS"
                                                                       : "R16_UNORM"),
                                   .pitch = pitch,
                                   .width = width,
                                   .rows = rows * t.layers,
                                   .tile_mode = 3});
      }
    }
    if (rng_.below(5) >= 3) {
      const uint32_t pitch = align(width, 64), rows = align(height, 8), size = align(rows * t.layers, 64) * pitch;
      if (const uint32_t at = take(targets_, texture_space, size, 4096)) {
        t.stencil.stencil_buffer_enable = true;
        t.stencil.surface_base_address = home + at, t.stencil.surface_pitch = 2 * pitch - 1;
        t.stencil.surface_qpitch = uint16_t(rows >> 2);
        t.depth.stencil_write_enable = true;
        if (t.depth.surface_type == 7) t.depth.surface_type = 1, t.depth.surface_format = 1;
        made_.stretches.push_back({.name = "stencil",
                                   .at = at,
                                   .bytes = size,
                                   .format = formats::find("R8_UINT"),
                                   .pitch = pitch,
                                   .width = width,
                                   .rows = rows * t.layers,
                                   .tile_mode = 1});
      }
    }
    sets_.push_back(std::move(t));
    set_ = sets_.size() - 1;
  }
  const TargetSet& t = set();
  emit_of<packets::gen8::depth_buffer, packets::gen9::depth_buffer>(t.depth);
  emit<packets::every::stencil_buffer>(t.stencil);
  emit<packets::every::multisample>({.number_of_multisamples = uint8_t(t.log2_samples),
                                     .pixel_location = uint8_t(rng_.one_in(4)),
                                     .pixel_position_offset_enable = rng_.one_in(8)});
  const auto inside = [&](unsigned size) { return uint16_t(rng_.one_in(4) ? rng_.below(size) : size - 1); };
  emit<packets::every::drawing_rectangle>(
      {.clipped_drawing_rectangle_x_min = uint16_t(rng_.one_in(6) ? rng_.below(t.width) : 0),
       .clipped_drawing_rectangle_y_min = uint16_t(rng_.one_in(6) ? rng_.below(t.height) : 0),
       .clipped_drawing_rectangle_x_max = inside(t.width),
       .clipped_drawing_rectangle_y_max = inside(t.height),
       .drawing_rectangle_origin_x = int16_t(rng_.one_in(8) ? int(rng_.below(20)) - 10 : 0),
       .drawing_rectangle_origin_y = int16_t(rng_.one_in(8) ? int(rng_.below(20)) - 10 : 0)});
  stale_ = true;
}

void Maker::clear() {
  TargetSet& t = set();
  if (!t.has_depth && !t.stencil.stencil_buffer_enable) return;
  t.drawn = true;
  if (rng_.coin()) out_ += packet<packets::every::clear_params>({float(rng_.below(1001)) / 1000, true});
  const auto x = [&] { return uint16_t(rng_.below(t.width + 1)); };
  const auto y = [&] { return uint16_t(rng_.below(t.height + 1)); };
  const bool whole = rng_.coin();
  packets::WmHzOp o{.number_of_multisamples = uint8_t(t.log2_samples),
                    .stencil_clear_value = uint8_t(rng_()),
                    .scissor_rectangle_enable = rng_.one_in(6),
                    .depth_buffer_clear_enable = t.has_depth && rng_.below(4) != 0,
                    .stencil_buffer_clear_enable = t.stencil.stencil_buffer_enable && rng_.below(4) != 0,
                    .clear_rectangle_x_min = whole ? uint16_t(0) : x(),
                    .clear_rectangle_y_min = whole ? uint16_t(0) : y(),
                    .clear_rectangle_x_max = whole ? uint16_t(t.width) : x(),
                    .clear_rectangle_y_max = whole ? uint16_t(t.height) : y(),
                    .sample_mask = uint16_t(rng_.coin() ? 0xFFFF : rng_())};
  out_ += packet<packets::every::wm_hz_op>(o);
  pipe_control(0);
  out_ += packet<packets::every::wm_hz_op>({});
}

// --- what shaders see

state::Surface Maker::buffer(uint32_t at, uint32_t bytes) const {
  state::Surface s;
  s.type = state::SurfaceType::buffer;
  s.format = state::format_raw;
  s.base = home + at;
  const uint32_t n = bytes - 1;
  s.width_less_1 = n & 0x7F, s.height_less_1 = n >> 7 & 0x3FFF, s.depth_less_1 = uint16_t(n >> 21);
  return s;
}

state::Surface Maker::texture() {
  using state::SurfaceType;
  if (rng_.one_in(5)) {  // what was drawn before
    std::vector<state::Surface> all;
    for (size_t n = 0; n < sets_.size(); ++n)
      if (n != set_ && !sets_[n].drawn)
        for (const state::Surface& s : sets_[n].colours)
          if (s.type == SurfaceType::two_d) all.push_back(s);
    if (!all.empty()) return rng_.pick(all);
  }
  const formats::Format& f = format(&formats::Uses::sampled);
  const uint32_t bytes = std::max(f.bytes(), 1u);
  state::Surface s;
  s.format = f.code;
  s.base = home + texture_space + 4096 * rng_.below(64);
  s.horizontal_alignment = uint8_t(1 + rng_.below(3)), s.vertical_alignment = uint8_t(1 + rng_.below(3));
  const uint32_t kind = rng_.below(12), most = rng_.one_in(3) ? 4 : 64;
  s.width_less_1 = rng_.below(most), s.height_less_1 = rng_.below(most);
  s.pitch_less_1 = align((2 * s.width_less_1 + 2) * bytes, 512) - 1;
  s.qpitch_field = uint16_t(align(2 * s.height_less_1 + 8, 16) >> 2);
  s.type = kind == 0   ? SurfaceType::one_d
           : kind == 1 ? SurfaceType::three_d
           : kind < 4  ? SurfaceType::cube
                       : SurfaceType::two_d;
  if (rng_.one_in(16)) {
    s.type = SurfaceType::buffer;
    s.width_less_1 = rng_.below(100), s.height_less_1 = 0;
    s.pitch_less_1 = bytes - 1;
    return s;
  }
  static constexpr uint8_t tilings[] = {0, 2, 3};
  if (std::has_single_bit(unsigned(f.bits))) s.tile_mode = rng_.pick(tilings);
  if (f.bits == 8 && rng_.one_in(8)) s.tile_mode = 1;
  if (rng_.one_in(3)) s.mip_count = uint8_t(rng_.below(6)), s.min_lod = uint8_t(rng_.below(2));
  if (rng_.one_in(6)) s.resource_min_lod = uint16_t(rng_.below(0x300));
  if (rng_.one_in(3) && s.type != SurfaceType::three_d) {
    s.array = true;
    s.depth_less_1 = s.view_extent_less_1 = uint16_t(rng_.below(4));
    s.min_array_element = uint16_t(rng_.below(2));
  }
  if (s.type == SurfaceType::three_d) s.depth_less_1 = s.view_extent_less_1 = uint16_t(rng_.below(8));
  if (s.type == SurfaceType::cube) s.height_less_1 = s.width_less_1, s.cube_faces = 63;
  if (s.type == SurfaceType::two_d && !s.mip_count && rng_.one_in(6)) {
    s.log2_samples = uint8_t(1 + rng_.below(eight_ ? 3 : 4));
    s.width_less_1 /= 2, s.height_less_1 /= 2;
    s.tile_mode = std::has_single_bit(unsigned(f.bits)) ? 3 : 0;
    s.multisample_storage = state::MultisampleStorage(rng_.below(2));
  }
  if (rng_.one_in(3)) {
    using enum state::ChannelSelect;
    static constexpr state::ChannelSelect selects[] = {zero, one, red, green, blue, alpha};
    s.red_select = rng_.pick(selects), s.green_select = rng_.pick(selects);
    s.blue_select = rng_.pick(selects), s.alpha_select = rng_.pick(selects);
  }
  return s;
}

void Maker::bind(Words& table, const state::Surface& s) {
  Words packed(state::surface_dwords);
  surfaces(plain_).encode(s, std::span(packed).first(surfaces(plain_).rules.dwords));
  const uint32_t at = take(surface_, surface_space + 0xF000, uint32_t(packed.size() * 4), 64);
  if (at) image_.put(at, packed);
  table.push_back(at ? at - surface_space : 0);
}

void Maker::bindings() {
  bound_ = {};
  Words table;
  for (const state::Surface& s : set().colours) bind(table, s);
  bound_.targets = unsigned(table.size());
  if (table.empty()) bind(table, {});  // null
  const unsigned textures = rng_.below(4);
  for (unsigned n = 0; n < textures; ++n) {
    const state::Surface s = texture();
    (s.is_buffer() || s.log2_samples ? bound_.loaded : bound_.textures).push_back(unsigned(table.size()));
    bind(table, s);
  }
  bound_.buffers.push_back(unsigned(table.size()));
  bind(table, buffer(input_space + 64 * rng_.below(16), 100 + rng_.below(2000)));
  if (has_uav_) {
    bound_.image = int(table.size()), bind(table, uav_image_);
    bound_.raw = int(table.size()), bind(table, uav_raw_);
    bound_.counters = int(table.size()), bind(table, uav_counters_);
  }
  if (const uint32_t at = take(surface_, surface_space + 0xF000, uint32_t(table.size() * 4), 64)) {
    image_.put(at, table);
    table_ = at - surface_space;
  }
  emit<packets::every::binding_table_pointers_ps>({uint16_t(table_)});
  samplers();
  stale_ = true;
}

void Maker::samplers() {
  using namespace state;
  static constexpr AddressMode modes[] = {AddressMode::wrap,         AddressMode::mirror,      AddressMode::clamp,
                                          AddressMode::clamp_border, AddressMode::mirror_once, AddressMode::half_border,
                                          AddressMode::cube};
  static constexpr MipFilter mips[] = {MipFilter::none, MipFilter::nearest, MipFilter::linear};
  static constexpr MapFilter filters[] = {MapFilter::nearest, MapFilter::linear, MapFilter::linear,
                                          MapFilter::anisotropic};
  bound_.samplers = 1 + rng_.below(3);
  Words all, border(12);
  for (uint32_t& c : border) c = std::bit_cast<uint32_t>(rng_.one_in(10) ? odd() : real(1));
  const uint32_t border_at = object(border);
  for (unsigned n = 0; n < bound_.samplers; ++n) {
    Sampler s;
    s.tcx = rng_.pick(modes), s.tcy = rng_.pick(modes), s.tcz = rng_.pick(modes);
    s.min_filter = s.mag_filter = rng_.pick(filters);
    if (rng_.one_in(4)) s.min_filter = rng_.pick(filters);
    s.mip_filter = rng_.pick(mips);
    s.min_lod_field = rng_.one_in(3) ? uint16_t(rng_.below(600)) : 0;
    s.max_lod_field = rng_.one_in(3) ? uint16_t(rng_.below(600)) : 14 << 8;
    s.base_mip_level_field = rng_.one_in(4) ? uint8_t(rng_.below(6)) : 0;
    s.lod_preclamp = rng_.one_in(3) ? 2 : 0;
    s.lod_clamp_magnification = rng_.one_in(3);
    if (rng_.one_in(4)) s.lod_bias_field = int16_t(int(rng_.below(1024)) - 512);
    s.non_normalized = rng_.one_in(5);
    s.u_min_rounding = s.u_mag_rounding = rng_.coin(), s.v_min_rounding = s.v_mag_rounding = rng_.coin();
    s.r_min_rounding = s.r_mag_rounding = rng_.coin();
    s.shadow_function = ShadowFunction(rng_.below(8));
    s.cube_override = rng_.coin();
    s.maximum_anisotropy = uint8_t(rng_.below(8));
    s.chroma_key_enable = rng_.one_in(12), s.chroma_key_mode = rng_.coin();
    if (!eight_ && rng_.one_in(8)) s.reduction_enable = true, s.reduction = Reduction(rng_.below(4));
    s.border_pointer = border_at;
    Words packed(sampler_dwords);
    drawing::samplers(plain_).encode(s, packed);
    all += packed;
  }
  emit<packets::every::sampler_state_pointers_ps>({object(all)});
}

}  // namespace vitro::drawing
