// Depth and stencil, subspan by subspan where buffers are not as depth_eights.h wants them. PRM: as depth_stencil.h.
#include "pipeline/depth_stencil.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "pipeline/raster_state.h"
#include "shared/compare.h"

namespace vitro::pipeline {

namespace {

using shared::compares;
using shared::Image;

constexpr uint8_t surface_null = 7;
constexpr unsigned r32_float = 0x0D8, r24_unorm_x8 = 0x0D9, r16_unorm = 0x10A, r8_uint = 0x143;

// 3DSTATE_DEPTH_BUFFER Surface Format.
struct FormatRow {
  uint8_t code;
  DepthFormat format;
  uint16_t surface_format;
  uint8_t horizontal_alignment;  // as surface state encodes it
};
constexpr FormatRow format_rows[] = {{1, DepthFormat::d32_float, r32_float, 1},
                                     {3, DepthFormat::d24_unorm, r24_unorm_x8, 1},
                                     {5, DepthFormat::d16_unorm, r16_unorm, 2}};

state::Surface common_surface(const state::SurfaceRules& rules, const state::Pipeline& s, unsigned samples) {
  const commands::three_d::DepthBuffer& d = s.depth_buffer;
  state::Surface out;
  out.rules = &rules;
  out.type = state::SurfaceType(d.surface_type);
  out.array = true;
  out.width_less_1 = d.width, out.height_less_1 = d.height, out.depth_less_1 = d.depth;
  out.mip_count = d.lod;
  out.min_array_element = d.minimum_array_element;
  out.view_extent_less_1 = d.render_target_view_extent;
  out.log2_samples = uint8_t(std::countr_zero(samples));
  out.multisample_storage = state::MultisampleStorage::interleaved;
  return out;
}

}  // namespace

std::optional<Fault> find_depth_surfaces(const state::SurfaceRules& rules, const state::Pipeline& s, unsigned samples,
                                         DepthSurfaces& out) {
  out = {};
  const commands::three_d::DepthBuffer& d = s.depth_buffer;
  if (d.surface_type == surface_null) return std::nullopt;
  if (d.surface_type > 3) return unsupported_fault("this surface type of a depth buffer");
  if (d.tiled_resource_mode) return unsupported_fault("Yf and Ys tiles of a depth buffer");
  if (d.lod >= shared::max_levels) return unsupported_fault("a level of a depth buffer beyond the last");
  const state::Surface base = common_surface(rules, s, samples);
  if (d.surface_base_address) {
    const auto row = std::find_if(std::begin(format_rows), std::end(format_rows),
                                  [&](const FormatRow& r) { return r.code == d.surface_format; });
    if (row == std::end(format_rows)) return unsupported_fault("this format of a depth buffer");
    state::Surface& depth = out.depth = base;
    depth.base = d.surface_base_address, depth.pitch_less_1 = d.surface_pitch;
    depth.format = row->surface_format, depth.tile_mode = 3;
    depth.horizontal_alignment = row->horizontal_alignment, depth.vertical_alignment = 1;
    depth.qpitch_field = d.surface_qpitch;
    out.format = row->format;
  }
  if (s.stencil_buffer.stencil_buffer_enable) {
    state::Surface& stencil = out.stencil = base;
    stencil.base = s.stencil_buffer.surface_base_address, stencil.pitch_less_1 = s.stencil_buffer.surface_pitch;
    stencil.format = r8_uint, stencil.tile_mode = 1;
    stencil.horizontal_alignment = 2, stencil.vertical_alignment = 2;
    stencil.qpitch_field = s.stencil_buffer.surface_qpitch;
  }
  return std::nullopt;
}

std::optional<Fault> find_depth_images(const Traits& traits, const state::Pipeline& s, unsigned samples,
                                       DepthImages& out) {
  out = {};
  DepthSurfaces surfaces;
  if (auto fault = find_depth_surfaces(traits.surfaces->rules, s, samples, surfaces)) return fault;
  out.level = s.depth_buffer.lod;
  out.format = surfaces.format;
  const auto of_view = [&](const state::Surface& surface, shared::Image& image) {
    image = shared::resolve(surface);
    if (surface.base) image.slices = s.depth_buffer.render_target_view_extent + 1u;
  };
  of_view(surfaces.depth, out.depth);
  of_view(surfaces.stencil, out.stencil);
  return std::nullopt;
}

namespace {

constexpr double steps_of(DepthFormat format) { return format == DepthFormat::d16_unorm ? 0xFFFF : 0xFFFFFF; }

}  // namespace

uint32_t stored_depth(DepthFormat format, float depth) {
  if (format == DepthFormat::none) return 0;
  if (format == DepthFormat::d32_float) return std::bit_cast<uint32_t>(depth);
  // Rounded to even: the sum has no bits for less than one step.
  const double inside = depth > 0 ? (depth < 1 ? depth : 1) : 0;
  return uint32_t((inside * steps_of(format) + 0x1p52) - 0x1p52);
}

std::optional<Fault> DepthStencil::begin(const Draw& draw, memory::View& memory) {
  *this = {};
  memory_ = &memory;
  tests_.samples = draw.samples;
  tests_.ranges = &draw.objects.depth_ranges;
  const commands::three_d::WmDepthStencil& w = draw.state.wm_depth_stencil;
  const bool wants_depth = w.depth_test_enable || w.depth_buffer_write_enable;
  if (!wants_depth && !w.stencil_test_enable) return std::nullopt;
  if (auto fault = find_depth_images(*draw.traits, draw.state, tests_.samples, images_)) return fault;
  const bool has_depth = images_.format != DepthFormat::none;
  tests_.depth_test = w.depth_test_enable && has_depth;
  tests_.depth_write = w.depth_buffer_write_enable && draw.state.depth_buffer.depth_write_enable && has_depth;
  tests_.depth = tests_.depth_test || tests_.depth_write;
  tests_.depth_function = w.depth_test_function;
  tests_.stencil = w.stencil_test_enable && !images_.stencil.is_null();
  tests_.stencil_write =
      tests_.stencil && w.stencil_buffer_write_enable && draw.state.depth_buffer.stencil_write_enable;
  const bool packet = draw.traits->stencil_reference_in_packet;
  const state::ColorCalcState& cc = draw.objects.color_calc;
  tests_.faces[0] = {w.stencil_test_function,
                     w.stencil_fail_op,
                     w.stencil_pass_depth_fail_op,
                     w.stencil_pass_depth_pass_op,
                     w.stencil_test_mask,
                     w.stencil_write_mask,
                     packet ? w.stencil_reference_value : cc.stencil_reference_value};
  tests_.faces[1] = tests_.faces[0];
  if (w.double_sided_stencil_enable)
    tests_.faces[1] = {w.backface_stencil_test_function,
                       w.backface_stencil_fail_op,
                       w.backface_stencil_pass_depth_fail_op,
                       w.backface_stencil_pass_depth_pass_op,
                       w.backface_stencil_test_mask,
                       w.backface_stencil_write_mask,
                       packet ? w.backface_stencil_reference_value : cc.backface_stencil_reference_value};
  tests_.format = images_.format;
  const SamplePlaces places = sample_places(draw);
  for (size_t s = 0; s < places.at.size(); ++s) tests_.places[s] = in_pixels(places.at[s]);
  in_eights_ = tests_or_writes() && eights_.find(memory, tests_, images_.depth, images_.stencil, images_.level);
  return std::nullopt;
}

namespace {

// The four texels of a subspan, wherever they are.
struct Four {
  memory::View& memory;
  uint64_t address;
  unsigned bytes;               // of a texel
  std::array<uint8_t, 4> at{};  // from the address on

  Four(memory::View& m, const Image& image, uint32_t level, uint32_t x, uint32_t y, uint32_t slice, unsigned sample)
      : memory(m),
        address(shared::texel_address(image, image.levels[level], x, y, slice, sample)),
        bytes(image.element_bytes) {
    if (image.tiling == memory::Tiling::w)
      at = {0, 1, 2, 3};
    else
      at = {0, uint8_t(bytes), 16, uint8_t(16 + bytes)};
  }
  void load(std::array<uint32_t, 4>& v) const {
    const std::byte* const p = memory.at(address, at[3] + bytes, memory::Access::read);
    for (size_t n = 0; n < 4; ++n) {
      v[n] = 0;
      if (p)
        std::memcpy(&v[n], p + at[n], bytes);
      else
        memory.read(address + at[n], std::as_writable_bytes(std::span(&v[n], 1)).first(bytes));
    }
  }
  void store(const std::array<uint32_t, 4>& v, uint32_t which) const {
    std::byte* const p = memory.at(address, at[3] + bytes, memory::Access::write);
    for (size_t n = 0; n < 4; ++n) {
      if (!(which >> n & 1)) continue;
      if (p)
        std::memcpy(p + at[n], &v[n], bytes);
      else
        memory.write(address + at[n], std::as_bytes(std::span(&v[n], 1)).first(bytes));
    }
  }
};

bool depth_passes(DepthFormat format, unsigned function, uint32_t depth, uint32_t there) {
  if (format == DepthFormat::d32_float)
    return compares(function, std::bit_cast<float>(depth), std::bit_cast<float>(there));
  return compares(function, depth, format == DepthFormat::d24_unorm ? there & 0xFFFFFF : there);
}

uint32_t slice_of(const Image& image, uint32_t layer) { return layer < image.slices ? layer : 0; }

}  // namespace

void DepthStencil::subspan(const Fragments& f, unsigned n, unsigned sample, uint32_t& lit) const {
  const Image& extent = tests_.depth ? images_.depth : images_.stencil;
  const shared::ImageLevel& level = extent.levels[images_.level];
  const uint32_t x = f.corners[n].x, y = f.corners[n].y;
  uint32_t lanes = lit >> (4 * n) & 15, inside = 0;
  for (unsigned k = 0; k < 4; ++k) inside |= uint32_t(x + (k & 1) < level.width && y + (k >> 1) < level.height) << k;
  // What is outside of the buffer is neither tested nor stored.
  const uint32_t tested = lanes & inside;
  if (!tested) return;
  uint32_t stencil_passed = tested, passed = tested;
  std::array<uint32_t, 4> stencil{}, depth{}, there{};
  std::optional<Four> stencils, depths;
  const StencilFace& face = tests_.faces[f.back_facing];
  const auto reference = [&](unsigned k) { return f.stencil ? f.stencil[4 * n + k] : face.reference; };
  if (tests_.stencil) {
    stencils.emplace(*memory_, images_.stencil, images_.level, x, y, slice_of(images_.stencil, f.layer), sample);
    stencils->load(stencil);
    for (unsigned k = 0; k < 4; ++k)
      if (!compares(face.function, uint32_t(reference(k) & face.test_mask), stencil[k] & face.test_mask))
        stencil_passed &= ~(1u << k);
    passed = stencil_passed;
  }
  if (tests_.depth) {
    const state::CcViewport& range = tests_.range(f.viewport);
    depths.emplace(*memory_, images_.depth, images_.level, x, y, slice_of(images_.depth, f.layer), sample);
    if (tests_.depth_test) depths->load(there);
    for (unsigned k = 0; k < 4; ++k) {
      const float z = f.depth[32 * sample + 4 * n + k];
      const float clamped = z > range.minimum_depth ? std::min(z, range.maximum_depth) : range.minimum_depth;
      depth[k] = stored_depth(images_.format, clamped);
      if (tests_.depth_test && !depth_passes(images_.format, tests_.depth_function, depth[k], there[k]))
        passed &= ~(1u << k);
    }
    if (tests_.depth_write && passed) depths->store(depth, passed);
  }
  if (tests_.stencil_write) {
    for (unsigned k = 0; k < 4; ++k) {
      const unsigned op = !(stencil_passed >> k & 1) ? face.fail : !(passed >> k & 1) ? face.depth_fail : face.pass;
      const uint8_t v = stencil_op(op, uint8_t(stencil[k]), reference(k));
      stencil[k] = (stencil[k] & ~uint32_t(face.write_mask)) | (v & face.write_mask);
    }
    stencils->store(stencil, tested);
  }
  lit &= ~((tested & ~passed) << (4 * n));
}

void DepthStencil::find_depths(const Primitive& p, const Fragments& f, float* depth) const {
  pipeline::find_depths(tests_, p, f, depth);
}

void DepthStencil::run(const Fragments& f, Lit& lit) const {
  if (!tests_or_writes()) return;
  if (in_eights_) return run_eights(tests_, eights_, f, lit);
  for (unsigned s = 0; s < tests_.samples; ++s)
    for (unsigned n = 0; n < f.subspans; ++n)
      if (lit[s] >> (4 * n) & 15) subspan(f, n, s, lit[s]);
}

void DepthStencil::run(std::span<const Block> all, uint16_t* passed) const {
  if (all.empty()) return;
  if (tests_or_writes() && in_eights_) return run_eights(tests_, eights_, all, passed);
  Lit lit;
  for (const Block& b : all) {
    lit[0] = b.coverage[0];
    run(b, lit);
    *passed++ = uint16_t(lit[0]);
  }
}

void DepthStencil::run(const Block& b, Lit& lit) const {
  if (!tests_or_writes()) return;
  if (in_eights_ && tests_.samples > 1) return run_eights(tests_, eights_, b, lit);
  if (in_eights_) {
    uint16_t passed = 0;
    Block one = b;
    one.coverage[0] = uint16_t(lit[0]);
    run_eights(tests_, eights_, {&one, 1}, &passed);
    lit[0] = passed;
    return;
  }
  const Object& o = b.primitive->object;
  Fragments f{.subspans = 4, .layer = o.layer, .viewport = o.viewport, .back_facing = b.primitive->back_facing};
  for (unsigned n = 0; n < 4; ++n)
    f.corners[n] = {uint16_t(b.x + block_x(int(4 * n))), uint16_t(b.y + block_y(int(4 * n)))};
  std::array<float, 32 * most_samples> depths;
  find_depths(*b.primitive, f, depths.data());
  f.depth = depths.data();
  run(f, lit);
}

}  // namespace vitro::pipeline
