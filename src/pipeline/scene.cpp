// Scenes and chunks. PRM: none. Entries of chunks are pairs of primitive and bin in the order they came; a counting
// sort over all chunks in their order puts them into lists without changing the order within a bin.
#include "pipeline/scene.h"

#include <algorithm>

namespace vitro::pipeline {

namespace {
constexpr size_t primitives_at_once = 64, most_per_object = 3;
int bins_over(int pixels) { return (pixels + bin_px - 1) / bin_px; }
}  // namespace

void Chunk::begin(const Extent& e) {
  extent_ = e;
  columns_ = bins_over(e.width);
  rows_ = bins_over(e.height);
  arena_.clear();
  free_ = {};
  entries_.clear();
  going_on_.clear();
  stipple_anew_ = false;
  stipple_counter_ = 0;
}

unsigned Chunk::add(const RasterState& s, const Object& o) {
  if (o.layer >= extent_.layers) return 0;  // such a layer is not there
  if (free_.size() < most_per_object) free_ = arena_.take<RasterPrimitive>(primitives_at_once);
  const unsigned made = set_up(s, o, free_.first<most_per_object>());
  for (unsigned n = 0; n < made; ++n) {
    RasterPrimitive& p = free_[n];
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
  const uint32_t layer = uint32_t(p.primitive.object.layer) * uint32_t(columns_ * rows_);
  const bool looks = p.shape == Shape::edges && (x0 != x1 || y0 != y1);
  for (int y = y0; y <= y1; ++y) {
    for (int x = x0; x <= x1; ++x) {
      bool none = false;
      for (unsigned k = 0; looks && k < p.edge_count && !none; ++k)
        none = side(*p.tests, p.edges[k], x * bin_px, y * bin_px, bin_px).none;
      if (!none) entries_.push_back({&p, layer + uint32_t(y * columns_ + x)});
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
  const int columns = bins_over(extent_.width), rows = bins_over(extent_.height);
  const size_t per_layer = size_t(columns) * size_t(rows);
  uint32_t last = 0, counter = 0;
  size_t entries = 0;
  for (size_t n = 0; n < used_; ++n) {
    Chunk& c = *chunks_[n];
    entries += c.entries_.size();
    for (const Chunk::Entry& e : c.entries_) last = std::max(last, e.bin);
    for (RasterPrimitive* p : c.going_on_) p->stroke.stipple_counter += counter;
    counter = c.stipple_anew_ ? c.stipple_counter_ : counter + c.stipple_counter_;
  }
  bins_.clear();
  if (!entries) return;
  starts_.assign(size_t(last) + 2, 0);
  for (size_t n = 0; n < used_; ++n)
    for (const Chunk::Entry& e : chunks_[n]->entries_) ++starts_[e.bin + 1];
  sorted_.resize(entries);
  for (size_t b = 0; b <= last; ++b) {
    const size_t count = starts_[b + 1];
    starts_[b + 1] += starts_[b];
    if (!count) continue;
    const int x = int(b % per_layer % size_t(columns)) * bin_px, y = int(b % per_layer / size_t(columns)) * bin_px;
    bins_.push_back({.layer = uint16_t(b / per_layer),
                     .pixels = overlap({x, y, x + bin_px, y + bin_px}, {0, 0, extent_.width, extent_.height}),
                     .primitives = {sorted_.data() + starts_[b], count}});
  }
  for (size_t n = 0; n < used_; ++n)
    for (const Chunk::Entry& e : chunks_[n]->entries_) sorted_[starts_[e.bin]++] = e.primitive;
}

void Scene::clear() {
  used_ = 0;
  bins_.clear();
}

}  // namespace vitro::pipeline
