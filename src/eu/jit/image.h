// A program's machine code as it is kept and passed on: bytes that run wherever they are put, and what their
// surroundings must know of them. The library that makes code (library.h) and the cache on disk speak of it in bytes.
// PRM: none. Not portable: the bytes hold structures as this build lays them out, so whoever keeps them keeps the
// build's name with them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "eu/jit/control.h"

namespace vitro::eu::jit {

struct Image {
  std::vector<std::byte> code;  // and constants; to be put at a multiple of `alignment`
  uint32_t start = 0;           // of the function
  uint32_t function_bytes = 0;
  uint32_t shared = 0;     // where the functions begin that messages share, with their constants: up to the end
  uint32_t mode_mask = 0;  // of cr0.0: what matters
  struct Entry {
    uint32_t ip;
    Mode mode;
  };
  std::vector<Entry> entries;    // where the function can be entered, and in which modes
  std::vector<uint32_t> labels;  // ips at which channels may wait, in order
  std::vector<Transfer> sites;
  std::array<uint64_t, 2> needed{};  // general registers that threads are to be started with, a bit for each
  Counts counts{};

  static constexpr size_t alignment = 64;
};

std::vector<std::byte> to_bytes(const Image& image);
// Nothing: these are not the bytes of an image.
std::optional<Image> to_image(std::span<const std::byte> bytes);

// Makes an image's code of relocatable objects, the first of which has the function: puts their sections one behind the
// other and fills in the distances between them. False: they refer to something that is not in them.
using Object = std::span<const std::byte>;
bool link(std::span<const Object> objects, Image& image);

}  // namespace vitro::eu::jit
