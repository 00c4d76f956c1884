// The chunks of a PNG file: header, one piece of data, end. Numbers are big-endian; the data is a zlib stream of stored
// blocks (RFC 1950, RFC 1951), each row with the filter "none" before it.
#include "base/png.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <string_view>

namespace vitro {
namespace {

using Bytes = std::vector<std::byte>;

void append(Bytes& to, std::initializer_list<unsigned> bytes) {
  for (const unsigned b : bytes) to.push_back(std::byte(b));
}
void append_number(Bytes& to, uint32_t n) { append(to, {n >> 24, n >> 16 & 0xFF, n >> 8 & 0xFF, n & 0xFF}); }

constexpr std::array<uint32_t, 256> crc_steps = [] {
  std::array<uint32_t, 256> steps{};
  for (uint32_t n = 0; n < 256; ++n) {
    uint32_t c = n;
    for (int bit = 0; bit < 8; ++bit) c = c >> 1 ^ (c & 1 ? 0xEDB88320 : 0);
    steps[n] = c;
  }
  return steps;
}();

uint32_t crc32(std::span<const std::byte> bytes) {
  uint32_t c = ~0u;
  for (const std::byte b : bytes) c = c >> 8 ^ crc_steps[(c ^ uint32_t(b)) & 0xFF];
  return ~c;
}

uint32_t adler32(std::span<const std::byte> bytes) {
  constexpr uint32_t prime = 65521;
  uint32_t a = 1, b = 0;
  for (const std::byte byte : bytes) {
    a = (a + uint32_t(byte)) % prime;
    b = (b + a) % prime;
  }
  return b << 16 | a;
}

void append_chunk(Bytes& to, std::string_view name, std::span<const std::byte> data) {
  append_number(to, uint32_t(data.size()));
  const size_t start = to.size();
  for (const char c : name) to.push_back(std::byte(c));
  to.insert(to.end(), data.begin(), data.end());
  append_number(to, crc32(std::span(to).subspan(start)));
}

Bytes stored(std::span<const std::byte> data) {
  constexpr size_t most = 0xFFFF;  // bytes of a block
  Bytes out;
  out.reserve(data.size() + data.size() / most * 5 + 16);
  append(out, {0x78, 0x01});
  const uint32_t sum = adler32(data);
  do {
    const size_t size = std::min(data.size(), most);
    const unsigned n = unsigned(size);
    append(out, {size == data.size(), n & 0xFF, n >> 8, ~n & 0xFF, ~n >> 8 & 0xFF});
    out.insert(out.end(), data.begin(), data.begin() + std::ptrdiff_t(size));
    data = data.subspan(size);
  } while (!data.empty());
  append_number(out, sum);
  return out;
}

}  // namespace

std::vector<std::byte> make_png(uint32_t width, uint32_t height, std::span<const uint8_t> rgba) {
  const size_t row = size_t(4) * width;
  Bytes rows;
  rows.reserve((row + 1) * height);
  for (size_t y = 0; y < height; ++y) {
    rows.push_back(std::byte(0));
    const auto pixels = std::as_bytes(rgba.subspan(y * row, row));
    rows.insert(rows.end(), pixels.begin(), pixels.end());
  }
  Bytes header, file;
  append_number(header, width);
  append_number(header, height);
  append(header, {8, 6, 0, 0, 0});  // bits of a channel, RGBA; no other way of compressing, filtering or interlacing
  append(file, {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'});
  append_chunk(file, "IHDR", header);
  append_chunk(file, "IDAT", stored(rows));
  append_chunk(file, "IEND", {});
  return file;
}

}  // namespace vitro
