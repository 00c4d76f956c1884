// The copy behind a mapping through the aperture. It stands in the arena, so that all processes that map an object this
// way see the same, and beside it what both sides were when they were last equal: a byte of the copy that differs from
// that was written by the CPU, a byte of the object that does was written by the GPU or through another mapping. So no
// write is lost, whichever side it was on, and nobody has to say who wrote. See aperture.h for when this happens.
// Bytes of the view that lie in tiles behind the object's end (its last row of tiles may be cut off) are nowhere, as on
// the machine: there the padding of the fence is.
#include "i915/aperture.h"

#include <cstring>

#include "memory/tiling.h"

namespace vitro::i915 {
namespace {

// As I915_TILING_* counts; with the bytes that follow each other both in a row and in a tile.
struct Layout {
  memory::Tiling tiling;
  uint32_t run;
};
constexpr Layout layouts[] = {{memory::Tiling::linear, 512}, {memory::Tiling::x, 512}, {memory::Tiling::y, 16}};

// Calls visit(offset in the view, offset in the object, bytes) for all that is in both.
template <class Visit>
void for_each_run(const ObjectRecord& o, Visit&& visit) {
  const Layout& layout = layouts[o.tiling];
  for (uint64_t at = 0; at < o.bytes; at += layout.run) {
    const uint64_t in_object =
        layout.tiling == memory::Tiling::linear
            ? at
            : memory::tiled_offset(layout.tiling, uint32_t(at % o.stride), uint32_t(at / o.stride), o.stride);
    if (in_object + layout.run <= o.bytes) visit(at, in_object, layout.run);
  }
}

void merge(std::byte* copy, std::byte* before, std::byte* object, uint32_t bytes) {
  for (uint32_t i = 0; i < bytes; ++i) {
    const std::byte written = copy[i], other = object[i];
    if (written != before[i])
      object[i] = before[i] = written;
    else if (other != before[i])
      copy[i] = before[i] = other;
  }
}

}  // namespace

uint64_t aperture_view(Arena& arena, uint32_t object) {
  ObjectRecord& o = arena.object(object);
  if (o.aperture) return o.aperture;
  if (o.tiling == 0) return o.offset;
  if (!arena.add_aperture(o)) return 0;
  settle_aperture(arena, object);
  return o.aperture;
}

void settle_aperture(Arena& arena, uint32_t object) {
  if (arena.object(object).aperture == 0) return;
  const ArenaLock lock(arena);
  const ObjectRecord& o = arena.object(object);
  std::byte* const copy = arena.aperture(o);
  std::byte* const memory = arena.storage(o);
  if (!copy || !memory) return;  // not mapped here and cannot be: whoever has both mapped does it
  std::byte* const before = copy + o.bytes;
  for_each_run(o, [&](uint64_t at, uint64_t in_object, uint32_t bytes) {
    if (std::memcmp(copy + at, before + at, bytes) || std::memcmp(memory + in_object, before + at, bytes))
      merge(copy + at, before + at, memory + in_object, bytes);
  });
}

void change_tiling(Arena& arena, uint32_t object, uint8_t tiling, uint32_t stride) {
  settle_aperture(arena, object);
  ObjectRecord& o = arena.object(object);
  o.tiling = tiling;
  o.stride = stride;
  if (o.aperture == 0) return;
  std::byte* const copy = arena.aperture(o);
  const std::byte* const memory = arena.storage(o);
  if (!copy || !memory) return;
  for_each_run(o, [&](uint64_t at, uint64_t in_object, uint32_t bytes) {
    std::memcpy(copy + at, memory + in_object, bytes);
    std::memcpy(copy + o.bytes + at, copy + at, bytes);
  });
}

}  // namespace vitro::i915
