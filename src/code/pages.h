// Pages that hold an image's code: they may be run, but no longer written. PRM: none.
#pragma once

#include <cstddef>
#include <span>

namespace vitro::code {

class Pages {
 public:
  explicit Pages(std::span<const std::byte> code);
  ~Pages();
  Pages(const Pages&) = delete;
  Pages& operator=(const Pages&) = delete;

  std::byte* at() const { return at_; }  // null: there was no memory
  size_t bytes() const { return bytes_; }

 private:
  void release();

  std::byte* at_ = nullptr;
  size_t bytes_ = 0;
};

}  // namespace vitro::code
