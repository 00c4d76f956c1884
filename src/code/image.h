// Machine code as it is kept and passed on: bytes that run wherever they are put, and what those who enter them must
// know of them. The compiler (compiler.h) and the store on disk (store.h) speak of it in bytes.
// PRM: none. Not portable: the bytes hold structures as this build lays them out, so whoever keeps them keeps the
// build's name with them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace vitro::code {

struct Image {
  std::vector<std::byte> code;  // and constants; to be put at a multiple of `alignment`
  uint32_t start = 0;           // of the function
  uint32_t function_bytes = 0;
  uint32_t shared = 0;           // where the functions begin that it calls, with their constants: up to the end
  std::vector<std::byte> facts;  // whoever enters the function knows how to read them

  static constexpr size_t alignment = 64;
};

std::vector<std::byte> to_bytes(const Image& image);
// Nothing: these are not the bytes of an image.
std::optional<Image> to_image(std::span<const std::byte> bytes);

// Makes an image's code of relocatable objects, the first of which has the function: puts their sections one behind the
// other and fills in the distances between them. False: they refer to something that is not in them.
using Object = std::span<const std::byte>;
bool link(std::span<const Object> objects, Image& image);

}  // namespace vitro::code
