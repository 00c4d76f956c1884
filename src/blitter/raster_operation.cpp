// Raster operations over rows of bytes. PRM: Gen8 vol 10, "Raster Operations". Codes that drivers use have a loop of
// their own, made from the same expression.
#include "blitter/raster_operation.h"

#include <cstring>

namespace vitro::blitter {
namespace {

using Word = uint64_t;

template <class Operation>
[[gnu::always_inline]] inline void for_each_word(std::byte* __restrict result, const std::byte* __restrict a,
                                                 const std::byte* __restrict b, const std::byte* __restrict c,
                                                 size_t bytes, Operation operation) {
  const auto word = [&](size_t at, size_t n) {
    Word x = 0, y = 0, z = 0;
    std::memcpy(&x, a + at, n), std::memcpy(&y, b + at, n), std::memcpy(&z, c + at, n);
    const Word r = operation(x, y, z);
    std::memcpy(result + at, &r, n);
  };
  size_t at = 0;
  for (; at + sizeof(Word) <= bytes; at += sizeof(Word)) word(at, sizeof(Word));
  if (at < bytes) word(at, bytes - at);
}

using Loop = void (*)(std::byte*, const std::byte*, const std::byte*, const std::byte*, size_t);
template <uint8_t code>
void loop(std::byte* result, const std::byte* p, const std::byte* s, const std::byte* d, size_t bytes) {
  for_each_word(result, p, s, d, bytes,
                [](Word x, Word y, Word z) { return raster_operation<Word>(truth_table<Word>(code), x, y, z); });
}
template <uint8_t... code>
constexpr std::array<Loop, 256> loops_of() {
  std::array<Loop, 256> all{};
  ((all[code] = loop<code>), ...);
  return all;
}
// Black, copies and inversions, the combinations of two operands that X11 and GDI have names for.
constexpr std::array<Loop, 256> loops = loops_of<0x00, 0x0F, 0x11, 0x22, 0x33, 0x44, 0x55, 0x5A, 0x66, 0x77, 0x88, 0x99,
                                                 0xA0, 0xAA, 0xB8, 0xBB, 0xCA, 0xCC, 0xDD, 0xE2, 0xEE, 0xF0, 0xFF>();

}  // namespace

void raster_operation(uint8_t code, std::byte* result, const std::byte* pattern, const std::byte* source,
                      const std::byte* destination, size_t bytes) {
  if (loops[code]) return loops[code](result, pattern, source, destination, bytes);
  const TruthTable<Word> table = truth_table<Word>(code);
  for_each_word(result, pattern, source, destination, bytes,
                [&table](Word p, Word s, Word d) { return raster_operation<Word>(table, p, s, d); });
}

void keep_destination(std::byte* result, const std::byte* mask, const std::byte* destination, size_t bytes) {
  for (size_t n = 0; n < bytes; ++n) result[n] = choose<std::byte>(mask[n], result[n], destination[n]);
}

}  // namespace vitro::blitter
