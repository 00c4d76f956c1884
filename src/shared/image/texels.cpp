// Which images lie in host memory so that lanes can read and write their texels. PRM: as image.h.
#include "shared/image/texels.h"

#include <algorithm>

namespace vitro::shared {

namespace {

// Places are numbers of 31 bits, coordinates of levels of 16.
constexpr uint64_t most_bytes = uint64_t{1} << 31, most_origin = 1 << 16;

// Bytes of the image from its base to behind the texel at column x (in bytes), row y: no texel of smaller coordinates
// reaches further.
uint64_t reach(const Image& image, uint64_t x, uint64_t y) {
  const memory::TileLayout& t = *image.tiles;
  if (image.tiling == memory::Tiling::linear) return y * image.pitch + x + image.element_bytes;
  return (y >> t.log2_height) * (uint64_t(image.pitch) << t.log2_height) +
         (((x >> t.log2_width) + 1) << (t.log2_width + t.log2_height));
}

}  // namespace

bool find_surface(memory::View& memory, const Image& image, unsigned lod, memory::Access access, SurfaceKey& k,
                  SurfaceFacts& f) {
  if (image.is_null() || !image.unsupported.empty() || image.is_3d() || image.samples > 1) return false;
  const bool writes = access == memory::Access::write;
  if (!(writes ? encodes_in_lanes(*image.format) : decodes_in_lanes(*image.format))) return false;
  k = {.texel = formats::texel_layout(*image.format), .tiling = image.tiling};
  k.one_dimension = image.is_1d() || image.is_buffer();
  k.layered = !image.is_buffer() && (image.array || image.is_cube());
  k.strided = image.element_stride != image.element_bytes;
  k.levels = lod == all_levels && image.level_count > 1;
  const unsigned first = lod == all_levels ? 0 : lod, last = k.levels ? image.level_count - 1u : first;
  if (last >= image.level_count) return false;
  const ImageLevel& l = image.level(first);
  // Slices are side by side or below each other.
  k.slices_across = l.slice_mask == ~0u;
  const uint64_t slice_x = k.slices_across ? l.slice_x : 0, slice_y = k.slices_across ? 0 : l.slice_y;
  const uint64_t first_slice = image.first_slice;
  const uint64_t slices = k.layered ? image.slices : 1, last_slice = first_slice + slices - 1;
  if (slices == 0) return false;
  uint64_t bytes = 0;
  for (unsigned n = first; n <= last; ++n) {
    const ImageLevel& at = image.level(n);
    if (at.width == 0 || at.height == 0) return false;
    const uint64_t right = (at.x + last_slice * slice_x + at.width - 1) * image.element_stride;
    const uint64_t bottom = at.y + last_slice * slice_y + at.height - 1;
    if (right >= most_bytes || bottom >= most_bytes) return false;
    bytes = std::max(bytes, reach(image, right, bottom));
    // Of an image that is no array the slice is always the first one.
    const uint64_t x = at.x + (k.layered ? 0 : first_slice * slice_x),
                   y = at.y + (k.layered ? 0 : first_slice * slice_y);
    if (n == first) f.x = int32_t(x), f.y = int32_t(y);
    if (k.levels && (x >= most_origin || y >= most_origin)) return false;
    f.origins[(n - first) % std::size(f.origins)] = int32_t(uint32_t(x) | uint32_t(y) << 16);
  }
  if (bytes >= most_bytes) return false;
  f.pitch = int32_t(uint64_t(image.pitch) << image.tiles->log2_height), f.stride = int32_t(image.element_stride);
  f.width = int32_t(l.width), f.height = int32_t(l.height), f.slices = int32_t(slices);
  f.first_slice = int32_t(first_slice), f.slice_step = int32_t(k.slices_across ? slice_x : slice_y);
  f.last_level = int32_t(last - first);
  f.srgb = const_cast<std::byte*>(formats::srgb_table());
  f.host = memory.at(image.base, bytes, access);
  return f.host != nullptr;
}

TypedSurface typed_surface(memory::View& memory, const Image& image, memory::Access access) {
  TypedSurface s{.buffer = image.is_buffer()};
  s.found = !memory.strict() && find_surface(memory, image, all_levels, access, s.key, s.facts);
  return s;
}

}  // namespace vitro::shared
