// The bytes of a recording from its beginning to its end: of a file, of a string, or of what either is compressed with
// zstd from. Read in pieces, so that a file of any length needs little memory. No part of the machine by itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

namespace vitro::recording {

// Whether the first bytes of a file are those of a zstd frame.
bool is_compressed(std::string_view beginning);

class Source {
 public:
  static constexpr size_t largest_piece = size_t{1} << 20;

  static Result<std::unique_ptr<Source>> open(const std::string& path);
  static Result<std::unique_ptr<Source>> from_bytes(std::string bytes);
  virtual ~Source() = default;

  // The next `bytes` bytes, at most largest_piece of them, without taking them: fewer at the end. Good until the next
  // call of any of these.
  Result<std::span<const std::byte>> look(size_t bytes);
  void skip(size_t bytes) { at_ += bytes, offset_ += bytes; }  // of what was looked at
  uint64_t offset() const { return offset_; }                  // of what is read next, uncompressed

  virtual uint64_t position() const = 0;  // in the file, compressed or not
  virtual uint64_t size() const = 0;      // 0: not known

 protected:
  // Puts up to so many bytes there and tells how many. 0: the end.
  virtual Result<size_t> fill(std::span<std::byte> to) = 0;

 private:
  std::unique_ptr<std::byte[]> buffer_{};
  size_t capacity_ = 0, at_ = 0, end_ = 0;
  uint64_t offset_ = 0;
};

}  // namespace vitro::recording
