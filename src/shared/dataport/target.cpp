// Finding render targets, and reading and writing their pixels one by one. PRM: as target.h.
#include "shared/dataport/target.h"

#include <algorithm>
#include <cstring>

#include "base/bits.h"
#include "shared/image/samples.h"

namespace vitro::shared {

namespace {

void take_bits(const formats::Format& f, std::array<TexelBits, 4>& channels) {
  for (unsigned n = 0; n < f.channel_count; ++n) {
    const formats::Channel& c = f.channels[n];
    if (c.component == formats::Component::none) continue;
    // luminance and intensity are red's
    TexelBits& bits = channels[c.component >= formats::Component::l ? 0 : size_t(c.component)];
    for (unsigned b = c.lo; b < unsigned(c.lo) + c.width && b < 128; ++b) bits[b / 64] |= uint64_t(1) << b % 64;
  }
}

// Where the shader's components go, if the selects are a permutation.
bool take_selects(const Image& image, std::array<uint8_t, 4>& component) {
  unsigned seen = 0;
  std::array<uint8_t, 4> to{};
  for (size_t c = 0; c < 4; ++c) {
    const unsigned select = unsigned(image.selects[c]);
    if (select < 4 || seen >> (select - 4) & 1) return true;
    seen |= 1u << (select - 4);
    to[c] = uint8_t(select - 4);
  }
  component = to;
  return image.plain_selects;
}

bool has_logic(const formats::Format& f) {
  const bool bits = f.channel_count > 0 && (f.channels[0].kind == formats::Kind::unorm ||
                                            f.channels[0].kind == formats::Kind::snorm || f.integer());
  return bits && f.space != formats::Space::srgb;
}

// All of the control surface of a target in host memory, or null.
std::byte* find_control(memory::View& memory, const RenderTarget& t) {
  const Image& image = t.image;
  if (image.interleaved || !t.mcs_bytes) return nullptr;
  const memory::TileShape tile = memory::tile_shape(memory::Tiling::y);
  const uint64_t rows = uint64_t(image.first_slice + image.slices - 1) * image.mcs_qpitch + t.at().height;
  const uint64_t bytes = (rows + tile.height - 1) / tile.height * tile.height * image.mcs_pitch;
  return bytes >> 31 ? nullptr : memory.at(image.mcs_base, bytes, memory::Access::write);
}

constexpr uint8_t mcs_sizes[] = {0, 1, 1, 4, 8};   // by log2 of samples
constexpr uint8_t plane_bits[] = {0, 1, 2, 4, 4};  // of a code
constexpr uint64_t clear_codes[] = {0, 0x3, 0xFF, 0xFFFFFFFF, ~uint64_t(0)};

}  // namespace

RenderTarget readable_target(const state::Surface& surface) {
  RenderTarget t;
  state::Surface s = surface;
  s.min_lod = 0;
  t.image = resolve(s);
  if (t.image.is_null()) return t;
  t.unsupported = t.image.unsupported;
  if (t.unsupported.empty() && t.image.is_buffer()) t.unsupported = "a buffer as render target";
  if (t.unsupported.empty() && s.mip_count >= max_levels) t.unsupported = "a level beyond the last";
  if (t.unsupported.empty() && t.image.format->bits > 128) t.unsupported = t.image.format->name;
  if (!t.unsupported.empty()) return t;
  // What has blocks is no target, and MIP Count / LOD counts its levels.
  t.level = t.image.block_width > 1 || t.image.block_height > 1 ? 0 : s.mip_count;
  const bool volume = t.image.is_3d();
  if (volume && !s.rules->volumes_are_arrays) t.first_slice = s.min_array_element;
  t.slices = s.target_slices();
  t.plain = take_selects(t.image, t.component);
  if (t.image.mcs_base) t.mcs_bytes = mcs_sizes[t.image.log2_samples];
  return t;
}

RenderTarget render_target(memory::View& memory, const state::Surface& surface) {
  RenderTarget t = readable_target(surface);
  if (t.image.is_null() || !t.unsupported.empty()) return t;
  const formats::Format& f = *t.image.format;
  if (!f.encode || f.block_width > 1 || f.block_height > 1) t.unsupported = f.name;
  if (!t.unsupported.empty()) return t;
  take_bits(f, t.channels);
  t.logic = has_logic(f);
  if (t.image.samples > 1) t.control = find_control(memory, t);
  t.in_lanes =
      !memory.strict() && t.plain && decodes_in_lanes(f) && (t.image.samples == 1 || t.control) &&
      find_surface(memory, t.control ? planes_of(t.image) : t.image, t.level, memory::Access::write, t.key, t.facts);
  // The view's own number of slices is another than a sampler's; of one dimension, lanes take y for the slice.
  if (t.key.one_dimension || (t.key.layered && t.slices > t.image.slices)) t.in_lanes = false;
  return t;
}

uint64_t mcs_identity(unsigned log2_samples) {
  constexpr uint64_t codes[] = {0, 0x2, 0xE4, 0x76543210, 0xFEDCBA9876543210};
  return codes[log2_samples];
}
bool mcs_is_clear(unsigned log2_samples, uint64_t code) {
  return log2_samples && (code & clear_codes[log2_samples]) == clear_codes[log2_samples];
}
unsigned mcs_plane(unsigned log2_samples, uint64_t code, unsigned sample) {
  const unsigned bits = plane_bits[log2_samples];
  return unsigned(code >> (bits * sample)) & ((1u << log2_samples) - 1);
}

void TargetPixel::load_code() {
  code = 0;
  if (!target.mcs_bytes) return;
  const uint64_t at = mcs_address(target.image, x, y, slice, target.mcs_bytes);
  memory.read(at, std::as_writable_bytes(std::span(&code, 1)).first(target.mcs_bytes));
}
void TargetPixel::store_code(uint64_t c) {
  code = c;
  const uint64_t at = mcs_address(target.image, x, y, slice, target.mcs_bytes);
  memory.write(at, std::as_bytes(std::span(&code, 1)).first(target.mcs_bytes));
}
TexelBits TargetPixel::load(unsigned sample) const {
  const Image& image = target.image;
  if (target.mcs_bytes) {
    if (mcs_is_clear(image.log2_samples, code)) return clear_bits(target);
    sample = mcs_plane(image.log2_samples, code, sample);
  }
  TexelBits bits{};
  const uint64_t at = texel_address(image, target.at(), x, y, slice, sample);
  if (const std::byte* p = memory.at(at, image.element_bytes, memory::Access::read))
    std::memcpy(bits.data(), p, image.element_bytes);
  else
    memory.read(at, std::as_writable_bytes(std::span(bits)).first(image.element_bytes));
  return bits;
}
void TargetPixel::store_plane(unsigned plane, const TexelBits& bits) const {
  const Image& image = target.image;
  const uint64_t at = texel_address(image, target.at(), x, y, slice, plane);
  if (std::byte* p = memory.at(at, image.element_bytes, memory::Access::write))
    std::memcpy(p, bits.data(), image.element_bytes);
  else
    memory.write(at, std::as_bytes(std::span(bits)).first(image.element_bytes));
}
void TargetPixel::spread(uint32_t kept) {
  const Image& image = target.image;
  if (!target.mcs_bytes || code == mcs_identity(image.log2_samples)) return;
  std::array<TexelBits, 16> before;
  for (unsigned s = 0; s < image.samples; ++s)
    if (kept >> s & 1) before[s] = load(s);
  for (unsigned s = 0; s < image.samples; ++s)
    if (kept >> s & 1) store_plane(s, before[s]);
  store_code(mcs_identity(image.log2_samples));
}

formats::Rgba decoded(const RenderTarget& t, const TexelBits& bits) {
  formats::Rgba texel, out;
  t.image.format->decode(reinterpret_cast<const std::byte*>(bits.data()), 0, 0, texel);
  for (size_t c = 0; c < 4; ++c) out[c] = texel[t.component[c]];
  return out;
}
TexelBits encoded(const RenderTarget& t, const formats::Rgba& colour) {
  formats::Rgba texel;
  for (size_t c = 0; c < 4; ++c) texel[t.component[c]] = colour[c];
  std::array<std::byte, 64> block{};
  t.image.format->encode(block.data(), texel);
  TexelBits bits;
  std::memcpy(bits.data(), block.data(), sizeof bits);
  return bits;
}

TexelBits clear_bits(const RenderTarget& t) {
  std::array<std::byte, 64> block{};
  t.image.format->encode(block.data(), t.image.clear_colour);
  TexelBits bits;
  std::memcpy(bits.data(), block.data(), sizeof bits);
  return bits;
}

}  // namespace vitro::shared
