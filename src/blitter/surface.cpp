// Rectangles of surfaces in memory. PRM: see surface.h. Usually a rectangle lies in one object and is reached directly;
// where nothing is bound, or objects meet, its pieces go one by one through the view, which reads zeros and drops
// writes.
#include "blitter/surface.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace vitro::blitter {

using memory::Tiling;

Outcome check(const Surface& s, const Box& box, std::string_view which) {
  if (s.tiling == Tiling::linear) return {};
  const auto wrong = [&](std::string_view what) {
    return tl::unexpected<Fault>(Fault{.reason = fmt::format("{} is tiled and {}", which, what)});
  };
  const memory::TileShape tile = memory::tile_shape(s.tiling, s.bits_per_pixel);
  if (s.base % 4096) return wrong(fmt::format("begins at 0x{:x}, which is no multiple of 4 KB", s.base));
  if (s.pitch <= 0 || s.pitch % tile.width)
    return wrong(fmt::format("has a pitch of {} bytes, which is no number of tiles of {}", s.pitch, tile.width));
  if (box.x < 0 || box.y < 0) return wrong("its rectangle begins before its first row or column");
  return {};
}

Window::Window(memory::View& view, const Surface& s, const Box& box, memory::Access access)
    : view_(view), surface_(s), layout_(memory::tile_layout(s.tiling, s.bits_per_pixel)) {
  if (s.tiling == Tiling::linear) {
    const int64_t last = (box.height - 1) * s.pitch;
    first_ = box.y * s.pitch + box.x + std::min<int64_t>(0, last);
    bytes_ = std::abs(last) + box.width;
    overlaps_itself_ = std::abs(s.pitch) < box.width;
  } else {
    const int w = layout_.log2_width, h = layout_.log2_height;
    const int64_t band = s.pitch << h;
    overlaps_itself_ = s.pitch < box.x + box.width;
    origin_x_ = box.x >> w << w, origin_y_ = box.y >> h << h;
    first_ = (box.y >> h) * band + (box.x >> w << (w + h));
    bytes_ = ((box.y + box.height - 1) >> h) * band + ((((box.x + box.width - 1) >> w) + 1) << (w + h)) - first_;
  }
  host_ = view.at(s.base + uint64_t(first_), uint64_t(bytes_), access);
}

memory::TileRectangle Window::in_tiles(const Box& p) const {
  return {uint32_t(p.x - origin_x_), uint32_t(p.y - origin_y_), uint32_t(p.width), uint32_t(p.height)};
}

std::byte* Window::rows(const Box& p) const {
  if (!host_ || surface_.tiling != Tiling::linear) return nullptr;
  return host_ + (p.y * surface_.pitch + p.x - first_);
}

// Calls move(address, offset among the rows `pitch` apart, bytes).
template <class Move>
void Window::for_each_piece(const Box& p, size_t pitch, Move move) {
  const bool linear = surface_.tiling == Tiling::linear;
  const int64_t run = linear ? p.width : int64_t(layout_.column[0].mask) + 1;
  for (int64_t row = 0; row < p.height; ++row)
    for (int64_t done = 0; done < p.width;) {
      const int64_t x = p.x + done, y = p.y + row;
      const int64_t n = linear ? p.width : std::min(run - x % run, p.width - done);
      const uint64_t at = linear ? uint64_t(y * surface_.pitch + x)
                                 : memory::tiled_offset(layout_, uint64_t(x), uint64_t(y), uint32_t(surface_.pitch));
      move(surface_.base + at, size_t(row) * pitch + size_t(done), size_t(n));
      done += n;
    }
}

namespace {

void copy_rows(std::byte* to, int64_t to_pitch, const std::byte* from, int64_t from_pitch, const Box& p) {
  if (to_pitch == p.width && from_pitch == p.width) {
    std::memcpy(to, from, size_t(p.width * p.height));
    return;
  }
  for (int64_t row = 0; row < p.height; ++row)
    std::memcpy(to + row * to_pitch, from + row * from_pitch, size_t(p.width));
}

}  // namespace

void Window::read(const Box& p, std::byte* to, size_t pitch) {
  if (const std::byte* from = rows(p)) {
    copy_rows(to, int64_t(pitch), from, surface_.pitch, p);
  } else if (host_) {
    memory::copy_from_tiled(surface_.tiling, host_, uint32_t(surface_.pitch), in_tiles(p), to, pitch,
                            surface_.bits_per_pixel);
  } else {
    for_each_piece(p, pitch, [&](uint64_t at, size_t place, size_t n) { view_.read(at, {to + place, n}); });
  }
}

void Window::write(const Box& p, const std::byte* from, size_t pitch) {
  if (std::byte* to = rows(p)) {
    copy_rows(to, surface_.pitch, from, int64_t(pitch), p);
  } else if (host_) {
    memory::copy_to_tiled(surface_.tiling, host_, uint32_t(surface_.pitch), in_tiles(p), from, pitch,
                          surface_.bits_per_pixel);
  } else {
    for_each_piece(p, pitch, [&](uint64_t at, size_t place, size_t n) { view_.write(at, {from + place, n}); });
  }
}

bool Window::overlaps(const Window& o) const {
  if (!host_ || !o.host_) return true;  // pieces that are bound elsewhere are not looked at
  const auto from = uint64_t(reinterpret_cast<uintptr_t>(host_)),
             other = uint64_t(reinterpret_cast<uintptr_t>(o.host_));
  return from - other < uint64_t(o.bytes_) || other - from < uint64_t(bytes_);
}

}  // namespace vitro::blitter
