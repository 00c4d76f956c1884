// Scenes and chunks. PRM: none. Entries of chunks are pairs of primitive and bin in the order they came; a counting
// sort over all chunks in their order puts them into lists without changing the order within a bin.
#include "pipeline/scene.h"

#include <algorithm>

namespace vitro::pipeline {

namespace {
constexpr size_t primitives_at_once = 64, most_per_object = 3;
}  // namespace

void Chunk::begin(const Extent& e) {
  extent_ = e;
  place_ = nullptr;
  arena_.clear();
  free_ = {};
  entries_.clear();
  going_on_.clear();
  stipple_anew_ = false;
  stipple_counter_ = 0;
}

unsigned Chunk::add(const RasterState& s, const Object& o, const ScreenCorners* known) {
  if (o.layer >= extent_.layers) return 0;  // such a layer is not there
  if (free_.size() < most_per_object) free_ = arena_.take<RasterPrimitive>(primitives_at_once);
  const std::span<RasterPrimitive, most_per_object> out = free_.first<most_per_object>();
  const unsigned made = known ? set_up(s, o, *known, out) : set_up(s, o, out);
  for (unsigned n = 0; n < made; ++n) {
    RasterPrimitive& p = free_[n];
    p.primitive.place = place_;
    if (p.stippled && p.primitive.drawn_as == ObjectKind::line) count_stipple(p);
    sort(p);
  }
  free_ = free_.subspan(made);
  return made;
}

void Chunk::count_stipple(RasterPrimitive& p) {
  if (p.stroke.stipple_anew) {
    stipple_counter_ = 0;
    stipple_anew_ = true;
  } else if (!stipple_anew_) {
    going_on_.push_back(&p);
  }
  p.stroke.stipple_counter = stipple_counter_;
  stipple_counter_ += stipple_steps(*p.state, p.stroke);
}

void Chunk::sort(const RasterPrimitive& p) {
  const Rectangle r = overlap(p.bounds, {0, 0, extent_.width, extent_.height});
  if (r.empty()) return;
  const int x0 = r.x0 / bin_px, x1 = (r.x1 - 1) / bin_px, y0 = r.y0 / bin_px, y1 = (r.y1 - 1) / bin_px;
  const auto slice = p.state->slices.of(p.primitive.object.layer);
  const bool looks = p.shape == Shape::edges && (x0 != x1 || y0 != y1);
  for (int y = y0; y <= y1; ++y) {
    for (int x = x0; x <= x1; ++x) {
      bool none = false;
      for (unsigned k = 0; looks && k < p.edge_count && !none; ++k)
        none = side(*p.tests, p.edges[k], x * bin_px, y * bin_px, bin_px).none;
      if (!none) entries_.push_back({&p, {slice, uint16_t(x), uint16_t(y)}});
    }
  }
}

void Scene::begin(const Extent& e) {
  clear();
  extent_ = e;
}

Chunk& Scene::chunk() {
  if (used_ == chunks_.size()) chunks_.push_back(std::make_unique<Chunk>());
  Chunk& c = *chunks_[used_++];
  c.begin(extent_);
  return c;
}

size_t Scene::bytes() const {
  size_t bytes = 0;
  for (size_t n = 0; n < used_; ++n) bytes += chunks_[n]->bytes();
  return bytes;
}

void Scene::close() {
  // Bins are counted within the box of those that have something in them.
  BinPlace least{0xFFFF, 0xFFFF, 0xFFFF}, greatest{};
  uint32_t counter = 0;
  size_t entries = 0;
  for (size_t n = 0; n < used_; ++n) {
    Chunk& c = *chunks_[n];
    entries += c.entries_.size();
    for (const Chunk::Entry& e : c.entries_) {
      least = {std::min(least.layer, e.bin.layer), std::min(least.column, e.bin.column),
               std::min(least.row, e.bin.row)};
      greatest = {std::max(greatest.layer, e.bin.layer), std::max(greatest.column, e.bin.column),
                  std::max(greatest.row, e.bin.row)};
    }
    for (RasterPrimitive* p : c.going_on_) p->stroke.stipple_counter += counter;
    counter = c.stipple_anew_ ? c.stipple_counter_ : counter + c.stipple_counter_;
  }
  bins_.clear();
  if (!entries) return;
  const size_t columns = greatest.column - least.column + 1u, rows = greatest.row - least.row + 1u;
  const size_t bins = columns * rows * (greatest.layer - least.layer + 1u);
  const auto number = [&](const BinPlace& p) {
    return (size_t(p.layer - least.layer) * rows + p.row - least.row) * columns + p.column - least.column;
  };
  starts_.assign(bins + 1, 0);
  for (size_t n = 0; n < used_; ++n)
    for (const Chunk::Entry& e : chunks_[n]->entries_) ++starts_[number(e.bin) + 1];
  sorted_.resize(entries);
  for (size_t b = 0; b < bins; ++b) {
    const size_t count = starts_[b + 1];
    starts_[b + 1] += starts_[b];
    if (!count) continue;
    const int x = int(b % columns + least.column) * bin_px, y = int(b / columns % rows + least.row) * bin_px;
    bins_.push_back({.layer = uint16_t(b / columns / rows + least.layer),
                     .pixels = overlap({x, y, x + bin_px, y + bin_px}, {0, 0, extent_.width, extent_.height}),
                     .primitives = {sorted_.data() + starts_[b], count}});
  }
  for (size_t n = 0; n < used_; ++n)
    for (const Chunk::Entry& e : chunks_[n]->entries_) sorted_[starts_[number(e.bin)]++] = e.primitive;
}

void Scene::clear() {
  used_ = 0;
  bins_.clear();
}

}  // namespace vitro::pipeline
