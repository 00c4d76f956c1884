// Whether a level of an image is a plane, and what the rules of a format's components are. PRM: as plane.h.
#include "shared/image/plane.h"

#include <bit>

#include "base/bits.h"

namespace vitro::shared {

namespace {

using formats::Component;
using formats::Kind;
using memory::Tiling;

// Places are numbers of 31 bits.
constexpr uint64_t most_bytes = uint64_t{1} << 31;

// Bytes of the image from its base to behind the element at column x (in bytes), row y: no other element of smaller
// coordinates reaches further.
uint64_t reach(const Image& image, uint64_t x, uint64_t y) {
  const uint64_t pitch = image.pitch;
  if (image.tiling == Tiling::x) return (y >> 3) * pitch * 8 + ((x >> 9) + 1) * 4096;
  if (image.tiling == Tiling::y) return (y >> 5) * pitch * 32 + ((x >> 7) + 1) * 4096;
  return y * pitch + x + image.element_bytes;
}

}  // namespace

Plane find_plane(memory::View& memory, const Image& image, unsigned lod, memory::Access access) {
  if (image.is_null() || !image.unsupported.empty() || image.is_3d() || image.samples > 1) return {};
  if (image.block_width > 1 || image.block_height > 1 || lod >= image.level_count) return {};
  if (image.tiling != Tiling::linear && image.tiling != Tiling::x && image.tiling != Tiling::y) return {};
  const ImageLevel& l = image.level(lod);
  Plane p{.tiling = image.tiling, .layered = image.array || image.is_cube()};
  p.width = l.width, p.height = l.height, p.slices = image.slices;
  if (image.is_buffer()) p.layered = false, p.slices = 1;
  // Slices are side by side or below each other, whichever of the two it is: other levels of volumes mix them.
  const bool across = l.slice_mask == ~0u;
  if (!across && (l.slice_mask != 0 || l.slice_shift != 0)) return {};
  const uint64_t slice_x = across ? l.slice_x : 0, slice_y = across ? 0 : l.slice_y;
  const uint64_t first = image.first_slice, last = first + (p.layered ? uint64_t{p.slices} - 1 : 0);
  if (p.width == 0 || p.height == 0 || p.slices == 0) return {};
  const uint64_t right = (l.x + last * slice_x + p.width - 1) * image.element_stride;
  const uint64_t bottom = l.y + last * slice_y + p.height - 1;
  if (right >= most_bytes || bottom >= most_bytes) return {};
  const uint64_t bytes = reach(image, right, bottom);
  if (bytes >= most_bytes) return {};
  const unsigned tile_rows = image.tiling == Tiling::x ? 8 : image.tiling == Tiling::y ? 32 : 1;
  p.pitch = int32_t(image.pitch * tile_rows), p.stride = int32_t(image.element_stride);
  p.x = int32_t(l.x + (p.layered ? 0 : first * slice_x)), p.y = int32_t(l.y + (p.layered ? 0 : first * slice_y));
  p.first_slice = int32_t(first), p.slice_x = int32_t(slice_x), p.slice_y = int32_t(slice_y);
  p.host = memory.at(image.base, bytes, access);
  return p;
}

namespace {

using Rule = ComponentRule;

// A channel as a rule; a constant if it cannot be one.
Rule rule_of(const formats::Channel& c, bool srgb) {
  Rule r{.dword = uint8_t(c.lo / 32), .shift = uint8_t(c.lo % 32), .width = c.width};
  if (r.shift + c.width > 32) return {};
  r.mask = uint32_t(ones(c.width));
  if (c.kind == Kind::unorm && c.width <= 16 && (!srgb || c.component == Component::a))
    r.kind = Rule::Kind::unorm, r.most = float(r.mask);
  if (c.kind == Kind::snorm && c.width <= 16) r.kind = Rule::Kind::snorm, r.most = float(r.mask >> 1);
  if (c.kind == Kind::uint || (c.kind == Kind::raw && c.width <= 32)) r.kind = Rule::Kind::bits;
  if (c.kind == Kind::sint) r.kind = Rule::Kind::sint;
  if (c.kind == Kind::sfloat && c.width == 32) r.kind = Rule::Kind::bits;
  if (c.kind == Kind::sfloat && c.width == 16) r.kind = Rule::Kind::half;
  return r;
}

}  // namespace

TexelRules rules_of(const formats::Format& f) {
  TexelRules out{.format = &f, .bytes = uint8_t(f.bytes())};
  const bool sized = f.bits == 8 || f.bits == 16 || f.bits % 32 == 0;
  out.decodes = f.decode && f.block_width == 1 && f.block_height == 1 && sized && f.bits <= 128;
  out.components[3].value = f.one();
  out.encodes = out.decodes && f.encode;
  for (unsigned n = 0; n < f.channel_count; ++n) {
    const formats::Channel& c = f.channels[n];
    if (c.component == Component::none) {
      // Unused bits are written as zeros, which needs a word of them.
      if (c.kind != Kind::pad) out.decodes = out.encodes = false;
      if (c.lo % 32 == 0 && c.lo) out.encodes = false;
      continue;
    }
    const Rule r = rule_of(c, f.space == formats::Space::srgb);
    if (r.kind == Rule::Kind::constant) out.decodes = out.encodes = false;
    if (r.kind == Rule::Kind::snorm || r.kind == Rule::Kind::half) out.encodes = false;
    const bool one_for_many = c.component == Component::l || c.component == Component::i;
    if (!one_for_many) out.components[size_t(c.component)] = r;
    if (one_for_many) out.components[0] = out.components[1] = out.components[2] = r, out.encodes = false;
    if (c.component == Component::i) out.components[3] = r;
  }
  // Components of one dword must be neighbours to be put together.
  for (unsigned c = 0, dword = 0; c < 4; ++c) {
    const Rule& r = out.components[c];
    if (r.kind == Rule::Kind::constant) continue;
    if (r.dword < dword || r.dword > dword + 1) out.encodes = false;
    dword = r.dword;
  }
  return out;
}

}  // namespace vitro::shared
