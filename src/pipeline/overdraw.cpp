// Finding what is painted over. PRM: as overdraw.h. Draws that paint have one sample, so coverage is of pixels.
#include "pipeline/overdraw.h"

#include <algorithm>
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

namespace {

// Smaller ones are seldom painted over often enough to be kept in between.
constexpr int64_t least_tested = 16 * 16;
constexpr size_t most_tested = 16;

bool is_large(const RasterPrimitive& p, const Rectangle& bin) {
  const Rectangle r = overlap(p.bounds, bin);
  return int64_t(r.x1 - r.x0) * (r.y1 - r.y0) >= least_tested;
}

constexpr unsigned bin_row = bin_px / block_px;  // blocks
unsigned place_of(const Block& b) { return b.y / block_px % bin_row * bin_row + b.x / block_px % bin_row; }

}  // namespace

size_t tested_row_from(const Scene::Bin& bin, size_t first) {
  const RasterPrimitive& one = *bin.primitives[first];
  const auto belongs = [&](const RasterPrimitive& p) {
    const DrawPlace *a = one.primitive.place, *b = p.primitive.place;
    return p.state->plan.covers_passed && p.state->draw == one.state->draw && p.shape == Shape::edges &&
           (a == b || (!one.state->draw->strict && a->mark == b->mark)) && is_large(p, bin.pixels);
  };
  size_t k = first;
  while (k < bin.primitives.size() && k - first < most_tested && belongs(*bin.primitives[k])) ++k;
  return std::max<size_t>(k - first, 1);
}

void TestedBlocks::add(const Blocks& all) {
  for (const Block& b : all)
    if (b.coverage[0]) blocks_.push_back({uint16_t(place_of(b)), b.coverage[0]});
  ends_.push_back(blocks_.size());
}

void TestedBlocks::take_last(const RasterPrimitive& p, const Rectangle& bin, Blocks& to) {
  const size_t end = ends_.back();
  ends_.pop_back();
  to.count = 0;
  const int x = bin.x0 & ~(bin_px - 1), y = bin.y0 & ~(bin_px - 1);
  for (size_t n = ends_.empty() ? 0 : ends_.back(); n < end; ++n) {
    Block& b = to.blocks[to.count++];
    b.primitive = &p.primitive;
    b.x = uint16_t(x + int(blocks_[n].place % bin_row) * block_px);
    b.y = uint16_t(y + int(blocks_[n].place / bin_row) * block_px);
    b.samples = 1, b.has_antialiasing = false;
    b.coverage[0] = blocks_[n].pixels;
  }
}

uint64_t Painted::paint(Blocks& blocks) {
  uint64_t taken = 0;
  size_t kept = 0;
  for (size_t n = 0; n < blocks.count; ++n) {
    Block& b = blocks.blocks[n];
    uint16_t& painted = pixels_[place_of(b)];
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
