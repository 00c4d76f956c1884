// Depth and stencil, subspan by subspan. PRM: as depth_stencil.h.
#include "pipeline/depth_stencil.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "lanes/eight.h"
#include "shared/dataport/blend.h"

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

state::Surface common_surface(const Traits& traits, const state::Pipeline& s, unsigned samples) {
  const commands::three_d::DepthBuffer& d = s.depth_buffer;
  state::Surface out;
  out.rules = &traits.surfaces->rules;
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

std::optional<Fault> find_depth_images(const Traits& traits, const state::Pipeline& s, unsigned samples,
                                       DepthImages& out) {
  out = {};
  const commands::three_d::DepthBuffer& d = s.depth_buffer;
  if (d.surface_type == surface_null) return std::nullopt;
  if (d.surface_type > 3) return unsupported_fault("this surface type of a depth buffer");
  if (d.tiled_resource_mode) return unsupported_fault("Yf and Ys tiles of a depth buffer");
  if (d.lod >= shared::max_levels) return unsupported_fault("a level of a depth buffer beyond the last");
  out.level = d.lod;
  state::Surface base = common_surface(traits, s, samples);
  if (d.surface_base_address) {
    const auto row = std::find_if(std::begin(format_rows), std::end(format_rows),
                                  [&](const FormatRow& r) { return r.code == d.surface_format; });
    if (row == std::end(format_rows)) return unsupported_fault("this format of a depth buffer");
    state::Surface depth = base;
    depth.base = d.surface_base_address, depth.pitch_less_1 = d.surface_pitch;
    depth.format = row->surface_format, depth.tile_mode = 3;
    depth.horizontal_alignment = row->horizontal_alignment, depth.vertical_alignment = 1;
    depth.qpitch_field = d.surface_qpitch;
    out.depth = shared::resolve(depth);
    out.format = row->format;
  }
  if (s.stencil_buffer.stencil_buffer_enable) {
    state::Surface stencil = base;
    stencil.base = s.stencil_buffer.surface_base_address, stencil.pitch_less_1 = s.stencil_buffer.surface_pitch;
    stencil.format = r8_uint, stencil.tile_mode = 1;
    stencil.horizontal_alignment = 2, stencil.vertical_alignment = 2;
    stencil.qpitch_field = s.stencil_buffer.surface_qpitch;
    out.stencil = shared::resolve(stencil);
  }
  return std::nullopt;
}

namespace {

// The steps of a format that a depth is, rounded to even: the sum has no bits for less than one step. Of lanes too.
template <class D>
inline void to_steps(double steps, D& depth) {
  depth = depth > 0 ? (depth < 1 ? depth : 1 - D{}) : D{};
  depth = (depth * steps + 0x1p52) - 0x1p52;
}
constexpr double steps_of(DepthFormat format) { return format == DepthFormat::d16_unorm ? 0xFFFF : 0xFFFFFF; }

}  // namespace

uint32_t stored_depth(DepthFormat format, float depth) {
  if (format == DepthFormat::none) return 0;
  if (format == DepthFormat::d32_float) return std::bit_cast<uint32_t>(depth);
  double steps = depth;
  to_steps(steps_of(format), steps);
  return uint32_t(steps);
}

uint8_t stencil_op(unsigned op, uint8_t v, uint8_t reference) {
  constexpr uint8_t (*rows[8])(uint8_t, uint8_t) = {
      [](uint8_t x, uint8_t) { return x; },                                // KEEP
      [](uint8_t, uint8_t) { return uint8_t(0); },                         // ZERO
      [](uint8_t, uint8_t r) { return r; },                                // REPLACE
      [](uint8_t x, uint8_t) { return uint8_t(x == 255 ? 255 : x + 1); },  // INCRSAT
      [](uint8_t x, uint8_t) { return uint8_t(x == 0 ? 0 : x - 1); },      // DECRSAT
      [](uint8_t x, uint8_t) { return uint8_t(x + 1); },                   // INCR
      [](uint8_t x, uint8_t) { return uint8_t(x - 1); },                   // DECR
      [](uint8_t x, uint8_t) { return uint8_t(~x); },                      // INVERT
  };
  return rows[op & 7](v, reference);
}

std::optional<Fault> DepthStencil::begin(const Draw& draw, memory::View& memory) {
  *this = {};
  memory_ = &memory;
  samples_ = draw.samples;
  ranges_ = &draw.objects.depth_ranges;
  const commands::three_d::WmDepthStencil& w = draw.state.wm_depth_stencil;
  const bool wants_depth = w.depth_test_enable || w.depth_buffer_write_enable;
  if (!wants_depth && !w.stencil_test_enable) return std::nullopt;
  if (auto fault = find_depth_images(*draw.traits, draw.state, samples_, images_)) return fault;
  const bool has_depth = images_.format != DepthFormat::none;
  depth_test_ = w.depth_test_enable && has_depth;
  depth_write_ = w.depth_buffer_write_enable && draw.state.depth_buffer.depth_write_enable && has_depth;
  depth_ = depth_test_ || depth_write_;
  depth_function_ = w.depth_test_function;
  stencil_ = w.stencil_test_enable && !images_.stencil.is_null();
  stencil_write_ = stencil_ && w.stencil_buffer_write_enable && draw.state.depth_buffer.stencil_write_enable;
  const bool packet = draw.traits->stencil_reference_in_packet;
  const state::ColorCalcState& cc = draw.objects.color_calc;
  faces_[0] = {w.stencil_test_function,
               w.stencil_fail_op,
               w.stencil_pass_depth_fail_op,
               w.stencil_pass_depth_pass_op,
               w.stencil_test_mask,
               w.stencil_write_mask,
               packet ? w.stencil_reference_value : cc.stencil_reference_value};
  faces_[1] = faces_[0];
  if (w.double_sided_stencil_enable)
    faces_[1] = {w.backface_stencil_test_function,
                 w.backface_stencil_fail_op,
                 w.backface_stencil_pass_depth_fail_op,
                 w.backface_stencil_pass_depth_pass_op,
                 w.backface_stencil_test_mask,
                 w.backface_stencil_write_mask,
                 packet ? w.backface_stencil_reference_value : cc.backface_stencil_reference_value};
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
  const Image& extent = depth_ ? images_.depth : images_.stencil;
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
  const Face& face = faces_[f.back_facing];
  const auto reference = [&](unsigned k) { return f.stencil ? f.stencil[4 * n + k] : face.reference; };
  if (stencil_) {
    stencils.emplace(*memory_, images_.stencil, images_.level, x, y, slice_of(images_.stencil, f.layer), sample);
    stencils->load(stencil);
    for (unsigned k = 0; k < 4; ++k)
      if (!compares(face.function, uint32_t(reference(k) & face.test_mask), stencil[k] & face.test_mask))
        stencil_passed &= ~(1u << k);
    passed = stencil_passed;
  }
  if (depth_) {
    const state::CcViewport& range = (*ranges_)[f.viewport % state::most_viewports];
    depths.emplace(*memory_, images_.depth, images_.level, x, y, slice_of(images_.depth, f.layer), sample);
    if (depth_test_) depths->load(there);
    for (unsigned k = 0; k < 4; ++k) {
      const float z = f.depth[32 * sample + 4 * n + k];
      const float clamped = z > range.minimum_depth ? std::min(z, range.maximum_depth) : range.minimum_depth;
      depth[k] = stored_depth(images_.format, clamped);
      if (depth_test_ && !depth_passes(images_.format, depth_function_, depth[k], there[k])) passed &= ~(1u << k);
    }
    if (depth_write_ && passed) depths->store(depth, passed);
  }
  if (stencil_write_) {
    for (unsigned k = 0; k < 4; ++k) {
      const unsigned op = !(stencil_passed >> k & 1) ? face.fail : !(passed >> k & 1) ? face.depth_fail : face.pass;
      const uint8_t v = stencil_op(op, uint8_t(stencil[k]), reference(k));
      stencil[k] = (stencil[k] & ~uint32_t(face.write_mask)) | (v & face.write_mask);
    }
    stencils->store(stencil, tested);
  }
  lit &= ~((tested & ~passed) << (4 * n));
}

// --- whole blocks

namespace {

using lanes::Floats8;
using lanes::Ints8;

// Eight lanes of a block against two of its rows in memory, which hold them in another order.
struct EightTest {
  DepthFormat format;
  bool tests, writes;
  uint8_t function;
  float minimum, maximum;
};
// Subspans side by side as rows of four, and back.
inline void reorder(const Ints8& from, Ints8& to) { to = __builtin_shuffle(from, Ints8{0, 1, 4, 5, 2, 3, 6, 7}); }

inline void stored_eight(const EightTest& t, const float* depth, Ints8& to) {
  Floats8 z;
  std::memcpy(&z, depth, sizeof z);
  z = z > t.minimum ? (t.maximum < z ? t.maximum - Floats8{} : z) : t.minimum - Floats8{};
  if (t.format == DepthFormat::d32_float) {
    to = Ints8(z);
    return;
  }
  using Doubles4 = double __attribute__((vector_size(32)));
  using Floats4 = float __attribute__((vector_size(16)));
  using Ints4 = int32_t __attribute__((vector_size(16)));
  for (int half = 0; half < 2; ++half) {
    Floats4 four;
    std::memcpy(&four, reinterpret_cast<const std::byte*>(&z) + 16 * half, sizeof four);
    Doubles4 steps = __builtin_convertvector(four, Doubles4);
    to_steps(steps_of(t.format), steps);
    const Ints4 stored = __builtin_convertvector(steps, Ints4);
    std::memcpy(reinterpret_cast<std::byte*>(&to) + 16 * half, &stored, sizeof stored);
  }
}
template <class Host>
inline uint32_t test_eight(const EightTest& t, const float* depth, std::byte* memory, uint32_t lit) {
  Ints8 there, before, stored, passed = Ints8{1, 2, 4, 8, 16, 32, 64, 128};
  passed = (passed & int32_t(lit)) != 0;
  std::memcpy(&there, memory, sizeof there);
  reorder(there, before);
  stored_eight(t, depth, stored);
  if (t.tests) {
    Ints8 yes;
    if (t.format == DepthFormat::d32_float)
      shared::compare(t.function, Floats8(stored), Floats8(before), yes);
    else
      shared::compare(t.function, stored, Ints8(before & 0xFFFFFF), yes);
    passed &= yes;
  }
  if (t.writes) {
    const Ints8 after = passed ? stored : before;
    reorder(after, there);
    std::memcpy(memory, &there, sizeof there);
  }
  return Host::lanes(passed);
}
VITRO_PLAIN_VECTORS uint32_t test_plain(const EightTest& t, const float* depth, std::byte* memory, uint32_t lit) {
  return test_eight<lanes::PlainEight>(t, depth, memory, lit);
}
VITRO_WIDE_VECTORS uint32_t test_wide(const EightTest& t, const float* depth, std::byte* memory, uint32_t lit) {
  return test_eight<lanes::WideEight>(t, depth, memory, lit);
}

}  // namespace

// A block of depths of four bytes is 64 bytes in a row: columns of Y tiles are as wide, and images begin at multiples
// of four.
bool DepthStencil::block(const Fragments& f, Lit& lit) const {
  const bool dwords = images_.format == DepthFormat::d32_float || images_.format == DepthFormat::d24_unorm;
  if (stencil_ || !dwords) return false;
  const shared::ImageLevel& level = images_.depth.levels[images_.level];
  const uint32_t x = f.corners[0].x, y = f.corners[0].y;
  if (x + block_px > level.width || y + block_px > level.height) return false;
  if (samples_ > 1) return samples_of_block(f, lit);
  const uint64_t address = shared::texel_address(images_.depth, level, x, y, slice_of(images_.depth, f.layer), 0);
  constexpr uint32_t bytes = block_pixels * 4;
  std::byte* const p = address % bytes ? nullptr : memory_->at(address, bytes, memory::Access::write);
  if (!p) return false;
  const state::CcViewport& range = (*ranges_)[f.viewport % state::most_viewports];
  const EightTest t{images_.format,  depth_test_,         depth_write_,
                    depth_function_, range.minimum_depth, range.maximum_depth};
  const auto test = lanes::host_has_wide_vectors() ? test_wide : test_plain;
  uint32_t passed = 0;
  for (unsigned half = 0; half < 2; ++half)
    if (const uint32_t some = lit[0] >> (8 * half) & 0xFF)
      passed |= test(t, f.depth + 8 * half, p + bytes / 2 * half, some) << (8 * half);
  lit[0] = passed;
  return true;
}

// Of interleaved samples, two that follow each other stand side by side as two subspans do.
bool DepthStencil::samples_of_block(const Fragments& f, Lit& lit) const {
  if (!images_.depth.interleaved || samples_ > most_samples) return false;
  constexpr uint32_t bytes = 32;  // of two samples of a subspan
  const shared::ImageLevel& level = images_.depth.levels[images_.level];
  const uint32_t slice = slice_of(images_.depth, f.layer);
  std::array<std::byte*, 4 * most_samples / 2> places;
  const unsigned pairs = samples_ / 2;
  for (unsigned n = 0; n < 4; ++n)
    for (unsigned pair = 0; pair < pairs; ++pair) {
      const uint64_t address =
          shared::texel_address(images_.depth, level, f.corners[n].x, f.corners[n].y, slice, 2 * pair);
      std::byte* const p = address % bytes ? nullptr : memory_->at(address, bytes, memory::Access::write);
      if (!p) return false;
      places[n * pairs + pair] = p;
    }
  const state::CcViewport& range = (*ranges_)[f.viewport % state::most_viewports];
  const EightTest t{images_.format,  depth_test_,         depth_write_,
                    depth_function_, range.minimum_depth, range.maximum_depth};
  const auto test = lanes::host_has_wide_vectors() ? test_wide : test_plain;
  for (unsigned n = 0; n < 4; ++n)
    for (unsigned pair = 0; pair < pairs; ++pair) {
      uint32_t &first = lit[2 * pair], &second = lit[2 * pair + 1];
      const uint32_t some = (first >> (4 * n) & 15) | (second >> (4 * n) & 15) << 4;
      if (!some) continue;
      std::array<float, 8> depth;
      std::memcpy(&depth[0], f.depth + 32 * (2 * pair) + 4 * n, 16);
      std::memcpy(&depth[4], f.depth + 32 * (2 * pair + 1) + 4 * n, 16);
      const uint32_t failed = some & ~test(t, depth.data(), places[n * pairs + pair], some);
      first &= ~((failed & 15) << (4 * n)), second &= ~((failed >> 4) << (4 * n));
    }
  return true;
}

void DepthStencil::run(const Fragments& f, Lit& lit) const {
  if (!tests_or_writes()) return;
  if (f.is_block && block(f, lit)) return;
  for (unsigned s = 0; s < samples_; ++s)
    for (unsigned n = 0; n < f.subspans; ++n)
      if (lit[s] >> (4 * n) & 15) subspan(f, n, s, lit[s]);
}

}  // namespace vitro::pipeline
