// A scene: the primitives of draws with the same targets, sorted into bins of 64 x 64 pixels of a layer, until they are
// drawn. PRM: none; tiles are our way to let host threads share a target. A bin's list is in the order draw, chunk,
// primitive, whoever filled the chunks, so every pixel sees the API's order.
//
// Chunks are made in order by one thread, and each is filled by any one thread; a chunk may have primitives of several
// small draws. Then close() sorts what they hold, and bins may be taken by any number of threads. RasterStates, draws
// and vertices must stay where they are until clear().
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "pipeline/arena.h"
#include "pipeline/rasterise.h"

namespace vitro::pipeline {

struct Extent {
  int width = 0, height = 0;  // in pixels
  unsigned layers = 1;
};

// Where a bin is.
struct BinPlace {
  uint16_t layer = 0, column = 0, row = 0;
};

// A part of a draw's primitives, or some small draws.
class Chunk {
 public:
  void begin(const Extent&);
  // What is added from now on comes from this command, which stays where it is.
  void begin_draw(const DrawPlace& place) { place_ = &place; }
  // Sets up an object and sorts it into bins; how many primitives it became. Where its vertices are on the screen may
  // be known.
  unsigned add(const RasterState&, const Object&, const ScreenCorners* known = nullptr);
  size_t bytes() const { return arena_.bytes() + entries_.size() * sizeof(Entry); }

 private:
  friend class Scene;
  struct Entry {
    const RasterPrimitive* primitive;
    BinPlace bin;
  };
  void sort(const RasterPrimitive&);
  void count_stipple(RasterPrimitive&);

  Extent extent_{};
  const DrawPlace* place_ = nullptr;
  Arena arena_{};
  std::span<RasterPrimitive> free_{};  // room in the arena
  std::vector<Entry> entries_{};
  // Lines that go on from the chunk before, and the counter of the stipple pattern at the chunk's end.
  std::vector<RasterPrimitive*> going_on_{};
  bool stipple_anew_ = false;
  uint32_t stipple_counter_ = 0;
};

class Scene {
 public:
  static constexpr size_t most_bytes = size_t(32) << 20;

  void begin(const Extent&);
  // A new chunk behind the others. It stays where it is until the scene is cleared.
  Chunk& chunk();
  // Memory taken by all chunks; a scene above most_bytes is to be drained.
  size_t bytes() const;
  bool full() const { return bytes() > most_bytes; }
  bool empty() const { return used_ == 0; }

  // Nothing is added after this. Bins are those with something in them, in the order of layers and rows.
  struct Bin {
    uint16_t layer = 0;
    Rectangle pixels{};  // within the target
    std::span<const RasterPrimitive* const> primitives{};
  };
  void close();
  std::span<const Bin> bins() const { return bins_; }
  void clear();

 private:
  Extent extent_{};
  std::vector<std::unique_ptr<Chunk>> chunks_{};  // kept from scene to scene
  size_t used_ = 0;
  std::vector<uint32_t> starts_{};
  std::vector<const RasterPrimitive*> sorted_{};
  std::vector<Bin> bins_{};
};

}  // namespace vitro::pipeline
