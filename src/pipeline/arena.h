// Memory of a scene: given out piece by piece, and all of it back at once when the scene is drained. PRM: none. Belongs
// to one host thread; pieces may be read by others.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <vector>

namespace vitro::pipeline {

class Arena {
 public:
  // Room for `count` values, aligned for vectors; not initialised.
  template <class T>
  std::span<T> take(size_t count) {
    static_assert(std::is_trivially_destructible_v<T>);
    return {reinterpret_cast<T*>(take_bytes(count * sizeof(T))), count};
  }
  size_t bytes() const { return taken_; }
  void clear() {
    taken_ = 0;
    current_ = 0;
    used_ = 0;
  }

 private:
  static constexpr size_t alignment = 64, piece_bytes = size_t(1) << 20;
  struct Piece {
    struct Free {
      void operator()(std::byte* p) const { ::operator delete[](p, std::align_val_t(alignment)); }
    };
    std::unique_ptr<std::byte[], Free> memory;
    size_t bytes = 0;
  };
  std::byte* take_bytes(size_t bytes) {
    bytes = (bytes + alignment - 1) / alignment * alignment;
    while (current_ < pieces_.size() && used_ + bytes > pieces_[current_].bytes) ++current_, used_ = 0;
    if (current_ == pieces_.size()) {
      const size_t all = std::max(bytes, piece_bytes);
      pieces_.push_back({decltype(Piece::memory)(new (std::align_val_t(alignment)) std::byte[all]), all});
    }
    std::byte* at = pieces_[current_].memory.get() + used_;
    used_ += bytes;
    taken_ += bytes;
    return at;
  }

  std::vector<Piece> pieces_{};
  size_t current_ = 0, used_ = 0, taken_ = 0;
};

}  // namespace vitro::pipeline
