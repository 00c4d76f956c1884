// Pictures as PNG files. No part of the machine. Rows are stored as they are: what writes a picture lives inside of
// other programs and should bring no library with it. The demonstration has libpng, and small files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace vitro {

// Of 4 * width * height bytes: red, green, blue and alpha of each pixel, row after row from the top.
std::vector<std::byte> make_png(uint32_t width, uint32_t height, std::span<const uint8_t> rgba);

}  // namespace vitro
