// Raster operations: what becomes of a bit of pattern, of source and of destination. PRM: Gen8 vol 10, "Raster
// Operations", which are the ternary codes of GDI: the code is the truth table, bit 4p + 2s + d of it the result. One
// expression over words of bits; where the code is known to the compiler, what is left of it is one or two
// instructions.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace vitro::blitter {

constexpr bool uses_pattern(uint8_t code) { return ((code >> 4 ^ code) & 0x0F) != 0; }
constexpr bool uses_source(uint8_t code) { return ((code >> 2 ^ code) & 0x33) != 0; }
constexpr bool uses_destination(uint8_t code) { return ((code >> 1 ^ code) & 0x55) != 0; }

// Of each bit one of two.
template <class Word>
constexpr Word choose(Word which, Word one, Word zero) {
  return zero ^ (which & (one ^ zero));
}
template <class Word>
using TruthTable = std::array<Word, 8>;  // the bits of a code, each as a word of equal bits
template <class Word>
constexpr TruthTable<Word> truth_table(uint8_t code) {
  TruthTable<Word> t{};
  for (unsigned n = 0; n < 8; ++n) t[n] = code >> n & 1 ? Word(~Word(0)) : Word(0);
  return t;
}
template <class Word>
constexpr Word raster_operation(const TruthTable<Word>& t, Word p, Word s, Word d) {
  const Word with_pattern = choose<Word>(s, choose<Word>(d, t[7], t[6]), choose<Word>(d, t[5], t[4]));
  const Word without = choose<Word>(s, choose<Word>(d, t[3], t[2]), choose<Word>(d, t[1], t[0]));
  return choose<Word>(p, with_pattern, without);
}

// Bytes of operands, and the result. All of the operands are as long as the result, also those that the code does not
// use, and none overlaps it.
void raster_operation(uint8_t code, std::byte* result, const std::byte* pattern, const std::byte* source,
                      const std::byte* destination, size_t bytes);
// Where a bit of the mask is zero, the destination's takes the result's place.
void keep_destination(std::byte* result, const std::byte* mask, const std::byte* destination, size_t bytes);

}  // namespace vitro::blitter
