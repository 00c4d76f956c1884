// Finding what is painted over. PRM: as overdraw.h. Draws that paint have one sample, so coverage is of pixels.
#include "pipeline/overdraw.h"

#include <bit>

namespace vitro::pipeline {

bool hides(const RasterPrimitive& p, const Rectangle& bin) {
  return p.state->plan.covers && overlap(p.bounds, bin) == bin && covers(p, bin);
}

size_t last_hiding(const Scene::Bin& bin) {
  for (size_t k = bin.primitives.size(); k-- > 1;)
    if (hides(*bin.primitives[k], bin.pixels)) return k;
  return 0;
}

bool is_hidden(const RasterPrimitive& p, const RasterPrimitive& by) {
  return p.state->plan.paints && (p.state->draw == by.state->draw || p.state->draw->ps == by.state->draw->ps);
}

size_t row_from(const Scene::Bin& bin, size_t first) {
  const RasterPrimitive& one = *bin.primitives[first];
  size_t k = first + 1;
  if (!one.state->plan.covers) return 1;
  while (k < bin.primitives.size() && bin.primitives[k]->state->plan.covers && is_hidden(*bin.primitives[k], one)) ++k;
  return k - first;
}

uint64_t Painted::paint(Blocks& blocks) {
  uint64_t taken = 0;
  size_t kept = 0;
  for (size_t n = 0; n < blocks.count; ++n) {
    Block& b = blocks.blocks[n];
    constexpr unsigned in_row = bin_px / block_px;
    uint16_t& painted = pixels_[b.y / block_px % in_row * in_row + b.x / block_px % in_row];
    const uint16_t covered = b.coverage[0];
    taken += unsigned(std::popcount(uint16_t(covered & painted)));
    b.coverage[0] = uint16_t(covered & ~painted);
    painted |= covered;
    if (!b.coverage[0]) continue;
    if (kept != n) blocks.blocks[kept] = b;
    ++kept;
  }
  blocks.count = kept;
  return taken;
}

uint64_t pixels_of(const RasterPrimitive& p, const Rectangle& bin, Blocks& room) {
  const Rectangle r = overlap(p.bounds, bin);
  if (covers(p, r)) return uint64_t(r.x1 - r.x0) * uint64_t(r.y1 - r.y0);
  rasterise(p, bin, room);
  uint64_t count = 0;
  for (const Block& b : room) count += unsigned(std::popcount(b.coverage[0]));
  return count;
}

}  // namespace vitro::pipeline
