// The texels of an image that lies in host memory, over a lane domain: from coordinates to places, and from bits to
// components and back. Sampler and typed messages use it for eight lanes at a time and in compiled code. What decides
// which instructions run is the key; numbers are facts. PRM: as image.h and formats/texel.h.
// Not here, and therefore left to image.h texel by texel: volumes, several samples, blocks of texels, formats that
// lanes do not know, and images that are not contiguous in host memory.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "formats/texel.h"
#include "lanes/domain.h"
#include "shared/image/image.h"

namespace vitro::shared {

// Plain bytes.
struct SurfaceKey {
  formats::TexelLayout texel{};
  memory::Tiling tiling = memory::Tiling::linear;
  uint8_t one_dimension = 0;
  uint8_t layered = 0;        // the slice counts
  uint8_t slices_across = 0;  // slices are side by side, else below each other
  uint8_t strided = 0;        // texels are apart by other than their size
  uint8_t levels = 0;         // lanes choose levels
  bool operator==(const SurfaceKey&) const = default;
};

struct SurfaceFacts {
  std::byte* host = nullptr;                  // of the image's base
  std::byte* srgb = nullptr;                  // formats::srgb_table()
  int32_t pitch = 0;                          // bytes of a row of texels, or of tiles
  int32_t stride = 0;                         // bytes from texel to texel
  int32_t width = 0, height = 0, slices = 0;  // that coordinates are checked against, of the first level
  int32_t x = 0, y = 0;                       // of its first texel
  int32_t first_slice = 0, slice_step = 0;    // texels or rows
  int32_t last_level = 0;
  int32_t origins[16]{};  // of levels: x, and y above it in 16 bits
};

// A surface that typed messages of one access are sent to.
struct TypedSurface {
  bool found = false, buffer = false;
  SurfaceKey key{};
  SurfaceFacts facts{};
};

// Which levels are to be had: all of them, or one.
inline constexpr unsigned all_levels = ~0u;
// False: the image is not of this kind, or cannot be accessed so.
bool find_surface(memory::View&, const Image&, unsigned lod, memory::Access, SurfaceKey&, SurfaceFacts&);
TypedSurface typed_surface(memory::View&, const Image&, memory::Access);

template <class D>
struct Texels {
  using F = typename D::F;
  using I = typename D::I;
  using M = typename D::M;
  using Components = std::array<I, 4>;
  const D& d;
  const SurfaceKey& k;
  typename D::template Record<SurfaceFacts> f;

  const memory::TileLayout& tiles = memory::tile_layout(k.tiling, k.texel.bytes * 8u);

  // Extents of a level.
  I width(I level) const { return minified(d.fact(f, &SurfaceFacts::width), level); }
  I height(I level) const { return minified(d.fact(f, &SurfaceFacts::height), level); }
  // The first texel of a slice.
  struct Origin {
    I x, y;
  };
  Origin origin(I level, I slice) const {
    Origin o{d.fact(f, &SurfaceFacts::x), d.fact(f, &SurfaceFacts::y)};
    if (k.levels) {
      const I both = d.lookup(f, &SurfaceFacts::origins, level);
      o = {both & 0xFFFF, d.shift_right(both, int32_t(16))};
    }
    if (!k.layered) return o;
    const I along = (slice + d.fact(f, &SurfaceFacts::first_slice)) * d.fact(f, &SurfaceFacts::slice_step);
    return k.slices_across ? Origin{o.x + along, o.y} : Origin{o.x, o.y + along};
  }
  // A place is the sum of a column's part and a row's.
  I column(const Origin& o, I x) const { return memory::tile_column(d, tiles, texel_bytes(o.x + x)); }
  I row(const Origin& o, I y) const { return memory::tile_row(d, tiles, o.y + y, d.fact(f, &SurfaceFacts::pitch)); }

  // Components `wanted` of the texels at places, all of which must be in the surface.
  Components load(unsigned wanted, I place) const {
    const typename D::Pointer host = d.fact(f, &SurfaceFacts::host);
    const formats::TexelLayout& t = k.texel;
    Components out{d.i(0), d.i(0), d.i(0), d.i(0)};
    unsigned at = ~0u, two = ~0u;  // which dword, and which two
    I dword = d.i(0);
    std::pair<I, I> both{dword, dword};
    for (unsigned c = 0; c < 4; ++c) {
      if (!(wanted >> c & 1)) continue;
      if (!t.has(c)) {
        out[c] = d.i(int32_t(t.instead(c)));
        continue;
      }
      if (const unsigned n = t.of(c).lo / 32; n != at) {
        const auto from = [&](unsigned bytes) { return bytes ? place + int32_t(bytes) : place; };
        at = n;
        if (t.bytes % 8 == 0) {
          if (n / 2 != two) both = d.gather_two(host, from(n / 2 * 8));
          two = n / 2;
          dword = n % 2 ? both.second : both.first;
        } else {
          dword = d.gather_all(host, from(4 * n), t.bytes < 4 ? t.bytes : 4);
        }
      }
      out[c] = formats::decode_component(d, t, c, dword, d.fact(f, &SurfaceFacts::srgb));
    }
    return out;
  }
  void store(I place, M lanes, const Components& in) const {
    const typename D::Pointer host = d.fact(f, &SurfaceFacts::host);
    const unsigned bytes = k.texel.bytes;
    for (unsigned n = 0; n < (bytes + 3) / 4; ++n)
      d.scatter_low(host, n ? place + int32_t(4 * n) : place, formats::encode_dword(d, k.texel, n, in), lanes,
                    bytes < 4 ? int(bytes) : 4);
  }

  // --- by integer coordinates, as ld and typed messages have them

  // Where those inside are; others have the place of the first texel.
  struct Place {
    I at;
    M inside;
  };
  Place place(I x, I y, I slice, I lod) const {
    if (k.one_dimension) slice = y, y = d.i(0);
    if (!k.layered) slice = d.i(0);
    M inside = !d.less_unsigned(d.fact(f, &SurfaceFacts::last_level), lod);
    const auto kept = [&](I v) { return d.select(inside, v, d.i(0)); };
    if (k.levels) lod = kept(lod);
    inside = inside & d.less_unsigned(x, width(lod)) & d.less_unsigned(y, height(lod));
    if (k.layered) inside = inside & d.less_unsigned(slice, d.fact(f, &SurfaceFacts::slices));
    const Origin o = origin(lod, k.layered ? kept(slice) : slice);
    return {column(o, kept(x)) + row(o, kept(y)), inside};
  }

 private:
  I minified(I extent, I level) const { return k.levels ? d.max(d.shift_right(extent, level), d.i(1)) : extent; }
  I texel_bytes(I x) const {
    if (k.strided) return x * d.fact(f, &SurfaceFacts::stride);
    const unsigned bytes = k.texel.bytes;
    if (bytes & (bytes - 1)) return x * int32_t(bytes);
    return bytes == 1 ? x : d.shift_left(x, int32_t(std::countr_zero(bytes)));
  }
};

}  // namespace vitro::shared
