// Numbers shared out among host threads so that each goes through neighbours: what they stand for lies side by side in
// memory, and lines that two processors take turns at cost several times as much as those that one has for itself.
// Each host thread begins with an equal part, takes its numbers in order, and when it has none left takes half of what
// another one has left, the later half. Who does the same again has the same part again, and finds it in its caches.
// PRM: none, as pool.h.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cassert>
#include <cstdint>
#include <optional>

namespace vitro::dispatch {

class Ranges {
 public:
  static constexpr unsigned most = 16;  // host threads with a part of their own; others take one number at a time

  Ranges(uint64_t count, unsigned workers) : used_(std::clamp(workers, 1u, most)) {
    assert(count <= UINT32_MAX);
    for (uint64_t k = 0; k < used_; ++k) parts_[k].word = pack(count * k / used_, count * (k + 1) / used_);
  }

  // The next number for this host thread; nothing: all have been taken, or are being taken by others.
  std::optional<uint64_t> take(unsigned worker) {
    if (worker < used_)
      if (const auto n = take_first(parts_[worker])) return n;
    return take_from_others(worker);
  }
  bool left() const {
    return std::any_of(parts_.begin(), parts_.begin() + used_,
                       [](const Part& p) { return left(p.word.load(std::memory_order_relaxed)) != 0; });
  }

 private:
  // From the lower half up to the upper one. What a word says is free to be taken, however often it has changed
  // meanwhile.
  struct Part {
    alignas(64) std::atomic<uint64_t> word{0};
  };
  static uint64_t pack(uint64_t first, uint64_t end) { return end << 32 | first; }
  static uint64_t first(uint64_t word) { return word & UINT32_MAX; }
  static uint64_t end(uint64_t word) { return word >> 32; }
  static uint64_t left(uint64_t word) { return end(word) - first(word); }

  static std::optional<uint64_t> take_first(Part& p) {
    uint64_t word = p.word.load(std::memory_order_relaxed);
    while (left(word))
      if (p.word.compare_exchange_weak(word, pack(first(word) + 1, end(word)), std::memory_order_relaxed))
        return first(word);
    return std::nullopt;
  }
  std::optional<uint64_t> take_from_others(unsigned worker) {
    for (;;) {
      Part* from = nullptr;
      uint64_t word = 0;
      for (unsigned k = 0; k < used_; ++k) {
        const uint64_t w = parts_[k].word.load(std::memory_order_relaxed);
        if (left(w) > left(word)) from = &parts_[k], word = w;
      }
      if (!from) return std::nullopt;
      const uint64_t half = worker < used_ ? (left(word) + 1) / 2 : 1, begin = end(word) - half;
      if (!from->word.compare_exchange_weak(word, pack(first(word), begin), std::memory_order_relaxed)) continue;
      if (worker < used_) parts_[worker].word.store(pack(begin + 1, begin + half), std::memory_order_relaxed);
      return begin;
    }
  }

  unsigned used_;
  std::array<Part, most> parts_{};
};

}  // namespace vitro::dispatch
