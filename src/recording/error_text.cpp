// Both ways of error_text.h.
#include "recording/error_text.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <cstring>

namespace vitro::recording {
namespace {

constexpr char first_digit = '!', zero_dword = 'z', compressed = ':', plain = '~';
constexpr unsigned base = 85, digits_of_dword = 5;

void append_ascii85(std::string& out, std::span<const std::byte> bytes) {
  for (size_t at = 0; at < bytes.size(); at += 4) {
    uint32_t v = 0;
    std::memcpy(&v, bytes.data() + at, std::min<size_t>(4, bytes.size() - at));
    if (v == 0) {
      out += zero_dword;
      continue;
    }
    char digits[digits_of_dword];
    for (int i = digits_of_dword - 1; i >= 0; --i, v /= base) digits[i] = char(first_digit + v % base);
    out.append(digits, digits_of_dword);
  }
}

Result<std::vector<std::byte>> from_ascii85(std::string_view text, uint64_t limit) {
  std::vector<std::byte> out;
  for (size_t at = 0; at < text.size();) {
    uint64_t v = 0;
    if (text[at] == zero_dword) {
      ++at;
    } else {
      if (text.size() - at < digits_of_dword) return failure("the data ends inside a dword");
      for (unsigned n = 0; n < digits_of_dword; ++n, ++at) {
        if (text[at] < first_digit || text[at] >= char(first_digit + base))
          return failure(fmt::format("'{}' is no digit of ascii85", text[at]));
        v = v * base + unsigned(text[at] - first_digit);
      }
      if (v > UINT32_MAX) return failure("a number of ascii85 is larger than a dword");
    }
    if (out.size() + 4 > limit) return failure(fmt::format("more than {} bytes of memory", limit));
    const auto dword = uint32_t(v);
    const auto* const bytes = reinterpret_cast<const std::byte*>(&dword);
    out.insert(out.end(), bytes, bytes + 4);
  }
  return out;
}

Result<std::vector<std::byte>> inflated(std::span<const std::byte> bytes, uint64_t limit) {
  std::vector<std::byte> out;
  z_stream stream{};
  if (inflateInit(&stream) != Z_OK) return failure("zlib cannot be used");
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(bytes.data()));
  stream.avail_in = uInt(bytes.size());
  int result = Z_OK;
  while (result == Z_OK) {
    constexpr size_t step = 64 << 10;
    const size_t had = out.size();
    if (had >= limit) break;
    out.resize(had + step);
    stream.next_out = reinterpret_cast<Bytef*>(out.data() + had);
    stream.avail_out = step;
    result = inflate(&stream, Z_NO_FLUSH);
    out.resize(had + step - stream.avail_out);
    if (result == Z_BUF_ERROR) break;
  }
  inflateEnd(&stream);
  if (out.size() > limit || result == Z_OK) return failure(fmt::format("more than {} bytes of memory", limit));
  if (result == Z_BUF_ERROR) return failure("the compressed data ends too early");
  if (result != Z_STREAM_END) return failure("the compressed data is damaged");
  return out;
}

std::vector<std::byte> deflated(std::span<const std::byte> bytes) {
  uLongf size = compressBound(uLong(bytes.size()));
  std::vector<std::byte> out(size);
  if (compress2(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()),
                uLong(bytes.size()), Z_BEST_SPEED) != Z_OK)
    return {};
  out.resize(size);
  return out;
}

}  // namespace

std::string error_text(std::span<const std::byte> memory) {
  const std::vector<std::byte> packed = deflated(memory);
  std::string out(1, packed.empty() ? plain : compressed);
  append_ascii85(out, packed.empty() ? memory : packed);
  return out + '\n';
}

Result<std::vector<std::byte>> memory_of_error_text(std::string_view line, uint64_t limit) {
  if (line.empty() || (line[0] != compressed && line[0] != plain)) return failure("this is no data");
  auto bytes = from_ascii85(line.substr(1), limit);
  if (!bytes || line[0] == plain) return bytes;
  return inflated(*bytes, limit);
}

}  // namespace vitro::recording
