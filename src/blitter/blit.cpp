// Blits, block by block. PRM: see blit.h. A block is as wide as a page and as high as a tile: operands are gathered
// into rows beside each other, combined, and put where they belong. What needs no combining is moved at once.
#include "blitter/blit.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include "blitter/raster_operation.h"

namespace vitro::blitter {

Rectangle intersection(const Rectangle& a, const Rectangle& b) {
  return {std::max(a.x1, b.x1), std::max(a.y1, b.y1), std::min(a.x2, b.x2), std::min(a.y2, b.y2)};
}

const Depth& depth(unsigned code) {
  static constexpr Depth depths[] = {{1, 0, {0xFF, 0, 0}},
                                     {2, 0, {0xF800, 0x7E0, 0x1F}},
                                     {2, 0x8000, {0x7C00, 0x3E0, 0x1F}},
                                     {4, 0xFF000000, {0xFF0000, 0xFF00, 0xFF}}};
  return depths[code & 3];
}

namespace {

constexpr int64_t block_bytes = 4096, block_rows = 32, direct_bytes = 16 << 20;

bool between(const Depth& d, uint32_t pixel, const ColorKey& k) {
  const auto inside = [&](uint32_t component) {
    return (pixel & component) >= (k.low & component) && (pixel & component) <= (k.high & component);
  };
  return std::all_of(d.colors.begin(), d.colors.end(), inside) && (!k.with_alpha || inside(d.alpha));
}

// The rows of a block, beside each other; made when they are needed.
class Rows {
 public:
  Rows(int64_t pitch, int64_t rows) : pitch_(pitch), rows_(rows) {}
  std::byte* row(int64_t n) {
    if (!bytes_) bytes_ = std::make_unique_for_overwrite<std::byte[]>(size_t(pitch_ * rows_));
    return bytes_.get() + n * pitch_;
  }

 private:
  int64_t pitch_, rows_;
  std::unique_ptr<std::byte[]> bytes_;
};

bool needs_source(const Blit& b) {
  return b.color_source && (uses_source(b.raster_operation) || (b.key && !b.key->of_destination));
}
// The pixels that go to a rectangle, in bytes.
Box source_box(const Blit& b, const Rectangle& r) {
  const int64_t bytes = int64_t(b.bytes_per_pixel);
  const ColorSource& c = *b.color_source;
  return {(c.x + (r.x1 - b.rectangle.x1)) * bytes, c.y + (r.y1 - b.rectangle.y1), r.width() * bytes, r.height()};
}
Box box_of(const Blit& b, const Rectangle& r) {
  const int64_t bytes = int64_t(b.bytes_per_pixel);
  return {r.x1 * bytes, r.y1, r.width() * bytes, r.height()};
}

class Run {
 public:
  Run(const Blit& b, memory::View& view, const Rectangle& r)
      : b_(b),
        view_(view),
        bytes_(int64_t(b.bytes_per_pixel)),
        box_(box_of(b, r)),
        pitch_(std::min(block_bytes, box_.width)),
        destination_(view, b.destination, box_, memory::Access::write) {
    if (needs_source(b)) {
      from_ = source_box(b, r);
      source_.emplace(view, b.color_source->surface, from_, memory::Access::read);
    }
    masked_ = (bytes_ == 4 && b.written != ~0u) || (b.mono_source && b.mono_source->transparent) ||
              (b.pattern && b.pattern->drawn != ~uint64_t{0}) || b.key;
    reads_destination_ = uses_destination(b.raster_operation) || masked_;
    if (b.pattern) repeat_pattern(*b.pattern);
  }

  Outcome run(const std::function<bool()>& stop) {
    const bool shared = source_ && source_->overlaps(destination_);
    const bool row_by_row = shared || destination_.overlaps_itself();
    const bool upwards =
        shared && b_.color_source->surface.base == b_.destination.base && b_.color_source->y < b_.rectangle.y1;
    if (row_by_row && source_) whole_.resize(size_t(box_.width));
    moves_ = b_.raster_operation == 0xCC && !masked_ && source_;
    // What is only moved from linear memory goes in large pieces, which the host's caches are told about.
    const bool direct = moves_ && !row_by_row && source_->stride() >= 0 && source_->rows(from_);
    const int64_t height = direct ? std::max(block_rows, direct_bytes / box_.width & -block_rows) : block_rows;
    const int64_t end = box_.y + box_.height;
    for (int64_t y = box_.y; y < end;) {
      // Blocks end where tiles do.
      const int64_t rows = row_by_row ? 1 : std::min(height - (y & (block_rows - 1)), end - y);
      const int64_t at = upwards ? box_.y + end - 1 - y : y;
      if (!whole_.empty())
        source_->read({from_.x, from_.y + (at - box_.y), box_.width, 1}, whole_.data(), whole_.size());
      for (int64_t x = box_.x; x < box_.x + box_.width;) {
        const int64_t rest = box_.x + box_.width - x;
        const int64_t width = direct ? rest : std::min(block_bytes - (x & (block_bytes - 1)), rest);
        if (stop && stop()) return tl::unexpected(abandoned_fault());
        block({x, at, width, rows});
        x += width;
      }
      y += rows;
    }
    return {};
  }

 private:
  // Where the rows of an operand are.
  struct Operand {
    const std::byte* at = nullptr;
    int64_t pitch = 0;
    const std::byte* row(int64_t n) const { return at + n * pitch; }
  };

  // Eight pixels longer than a block, which may begin at any of them.
  void repeat_pattern(const Pattern& p) {
    const size_t length = size_t(pitch_ + 8 * bytes_);
    for (auto* rows : {&pattern_rows_, &pattern_masks_}) rows->resize(8 * length);
    for (unsigned y = 0; y < 8; ++y)
      for (size_t at = 0; at < length; at += size_t(bytes_)) {
        const unsigned x = (unsigned(at / size_t(bytes_)) + p.horizontal_seed) & 7;
        const unsigned n = ((y + p.vertical_seed) & 7) * 8 + x;
        const uint32_t mask = p.drawn >> n & 1 ? ~0u : 0;
        std::memcpy(pattern_rows_.data() + y * length + at, &p.pixels[n], size_t(bytes_));
        std::memcpy(pattern_masks_.data() + y * length + at, &mask, size_t(bytes_));
      }
  }
  const std::byte* repeated(const std::vector<std::byte>& rows, int64_t x, int64_t y) const {
    const int64_t length = pitch_ + 8 * bytes_;
    return rows.data() + (y & 7) * length + (x / bytes_ & 7) * bytes_;
  }

  Box source_part(const Box& part) const {
    return {part.x - box_.x + from_.x, part.y - box_.y + from_.y, part.width, part.height};
  }
  Operand color_source(const Box& part) {
    const Box p = source_part(part);
    if (!whole_.empty()) return {whole_.data() + (part.x - box_.x), 0};
    if (const std::byte* rows = source_->rows(p)) return {rows, source_->stride()};
    source_->read(p, sources_.row(0), size_t(pitch_));
    return {sources_.row(0), pitch_};
  }

  // Pixels of both colours for the bits of a row, and the mask if they are to be transparent.
  void expand(const MonoSource& m, const Box& part, int64_t row) {
    const auto x = uint64_t(part.x / bytes_ - b_.rectangle.x1), y = uint64_t(part.y + row - b_.rectangle.y1);
    const uint64_t first = m.first_bit + y * m.line_bits + x, pixels = uint64_t(part.width / bytes_);
    bits_.resize(size_t((first + pixels + 7) / 8 - first / 8));
    if (m.immediate)
      std::copy_n(m.data.begin() + ptrdiff_t(first / 8), bits_.size(), bits_.begin());
    else
      view_.read(m.address + first / 8, bits_);
    const uint32_t colors[2] = {m.background, m.foreground};
    const uint32_t masks[2] = {m.transparent ? 0 : ~0u, ~0u};
    for (uint64_t n = 0; n < pixels; ++n) {
      const uint64_t bit = first % 8 + n;
      const bool set = (uint8_t(bits_[size_t(bit / 8)]) >> (7 - bit % 8) & 1) != 0;
      std::memcpy(sources_.row(row) + n * uint64_t(bytes_), &colors[set], size_t(bytes_));
      std::memcpy(masks_.row(row) + n * uint64_t(bytes_), &masks[set], size_t(bytes_));
    }
  }

  void mask_row(const Box& part, int64_t row, const std::byte* source, const std::byte* destination) {
    std::byte* mask = masks_.row(row);
    if (!b_.mono_source) std::memset(mask, 0xFF, size_t(part.width));
    const auto keep = [&](int64_t at, uint32_t bits) {
      uint32_t m = 0;
      std::memcpy(&m, mask + at, size_t(bytes_));
      m &= bits;
      std::memcpy(mask + at, &m, size_t(bytes_));
    };
    const std::byte* pattern = b_.pattern ? repeated(pattern_masks_, part.x, part.y + row) : nullptr;
    for (int64_t at = 0; at < part.width; at += bytes_) {
      uint32_t bits = b_.written;
      if (pattern && pattern[at] == std::byte{0}) bits = 0;
      if (b_.key) {
        uint32_t pixel = 0;
        std::memcpy(&pixel, (b_.key->of_destination ? destination : source) + at, size_t(bytes_));
        if (between(*b_.depth, pixel, *b_.key) != b_.key->of_destination) bits = 0;
      }
      keep(at, bits);
    }
  }

  void block(const Box& part) {
    if (moves_) return move(part);
    Operand source;
    if (source_) source = color_source(part);
    if (b_.mono_source) {
      for (int64_t row = 0; row < part.height; ++row) expand(*b_.mono_source, part, row);
      source = {sources_.row(0), pitch_};
    }
    if (reads_destination_) destination_.read(part, destinations_.row(0), size_t(pitch_));
    for (int64_t row = 0; row < part.height; ++row) {
      const std::byte* old = destinations_.row(row);  // also stands for operands that there are not
      const std::byte* s = source.at ? source.row(row) : old;
      const std::byte* p = b_.pattern ? repeated(pattern_rows_, part.x, part.y + row) : old;
      raster_operation(b_.raster_operation, results_.row(row), p, s, old, size_t(part.width));
      if (!masked_) continue;
      mask_row(part, row, s, old);
      keep_destination(results_.row(row), masks_.row(row), old, size_t(part.width));
    }
    destination_.write(part, results_.row(0), size_t(pitch_));
  }

  void move(const Box& part) {
    std::byte* const to = destination_.rows(part);
    if (to && destination_.stride() >= 0 && whole_.empty())
      return source_->read(source_part(part), to, size_t(destination_.stride()));
    const Operand source = color_source(part);
    if (source.pitch >= 0) return destination_.write(part, source.at, size_t(source.pitch));
    for (int64_t row = 0; row < part.height; ++row)
      destination_.write({part.x, part.y + row, part.width, 1}, source.row(row), size_t(pitch_));
  }

  const Blit& b_;
  memory::View& view_;
  int64_t bytes_;
  Box box_, from_{};
  int64_t pitch_;  // of the rows of blocks
  Window destination_;
  std::optional<Window> source_{};
  bool masked_ = false, reads_destination_ = false, moves_ = false;
  std::vector<std::byte> whole_, bits_, pattern_rows_, pattern_masks_;
  Rows sources_{pitch_, block_rows}, destinations_{pitch_, block_rows}, results_{pitch_, block_rows},
      masks_{pitch_, block_rows};
};

}  // namespace

Outcome run(const Blit& b, memory::View& view, const std::function<bool()>& stop) {
  const Rectangle r = b.clip ? intersection(b.rectangle, *b.clip) : b.rectangle;
  if (r.empty()) return {};
  if (Outcome ok = check(b.destination, box_of(b, r), "the destination"); !ok) return ok;
  if (needs_source(b))
    if (Outcome ok = check(b.color_source->surface, source_box(b, r), "the source"); !ok) return ok;
  if (b.bytes_per_pixel == 4 && b.written == 0) return {};
  return Run(b, view, r).run(stop);
}

}  // namespace vitro::blitter
