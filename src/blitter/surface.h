// Surfaces as the blitter addresses them: a base, a pitch, a tiling and rectangles of bytes. PRM: Gen8 vol 10,
// "Destination and source: base, pitch and coordinates"; vol 5 for the tiles (memory/tiling.h). Rectangles are moved by
// rows, and rows of tiles by the pieces that are contiguous.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tl/expected.hpp>

#include "base/fault.h"
#include "memory/tiling.h"
#include "memory/view.h"

namespace vitro::blitter {

using Outcome = tl::expected<void, Fault>;

struct Surface {
  uint64_t base = 0;
  int64_t pitch = 0;  // bytes; only of linear surfaces less than zero
  memory::Tiling tiling = memory::Tiling::linear;
  unsigned bits_per_pixel = 8;
};
// Columns are bytes.
struct Box {
  int64_t x = 0, y = 0, width = 0, height = 0;
};

// What a surface must hold: a Fault that says what is wrong, if a rectangle of a tiled one cannot be.
Outcome check(const Surface& surface, const Box& box, std::string_view which);

// A rectangle of a surface for reading or writing. Parts of it have the surface's coordinates.
class Window {
 public:
  Window(memory::View& view, const Surface& surface, const Box& box, memory::Access access);

  void read(const Box& part, std::byte* to, size_t pitch);
  void write(const Box& part, const std::byte* from, size_t pitch);
  // The rows of a linear rectangle where they are, `stride()` apart; nullptr if that is not possible.
  std::byte* rows(const Box& part) const;
  int64_t stride() const { return surface_.pitch; }
  // Whether anything that lies between their first and their last bytes is the same memory.
  bool overlaps(const Window& other) const;
  // Whether rows of the rectangle share memory with each other, since the pitch is too small for them.
  bool overlaps_itself() const { return overlaps_itself_; }

 private:
  template <class Move>
  void for_each_piece(const Box& part, size_t pitch, Move move);
  memory::TileRectangle in_tiles(const Box& part) const;

  memory::View& view_;
  Surface surface_;
  const memory::TileLayout& layout_;
  int64_t origin_x_ = 0, origin_y_ = 0;  // of tiles: where the first byte of `host_` lies
  int64_t first_ = 0, bytes_ = 0;        // from the base
  std::byte* host_ = nullptr;            // of the first byte, if all is in one piece
  bool overlaps_itself_ = false;
};

}  // namespace vitro::blitter
