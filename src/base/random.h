// Random numbers for tests, generators and benchmarks: small, fast and the same everywhere, so that a seed names a run.
// The generator is xoshiro256** by Blackman and Vigna, seeded through splitmix64; both are in the public domain. No
// part of the machine. Not for cryptography.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <iterator>

namespace vitro {

class Rng {
 public:
  explicit constexpr Rng(uint64_t seed) {
    for (uint64_t& s : state_) {
      seed += 0x9E3779B97F4A7C15;
      uint64_t z = seed;
      z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
      z = (z ^ z >> 27) * 0x94D049BB133111EB;
      s = z ^ z >> 31;
    }
  }

  constexpr uint64_t operator()() {
    const uint64_t result = std::rotl(state_[1] * 5, 7) * 9, t = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= t;
    state_[3] = std::rotl(state_[3], 45);
    return result;
  }

  // 0 .. n-1. The bias of the multiplication is below 2^-32 for the small n of our uses.
  constexpr uint32_t below(uint32_t n) { return uint32_t(((*this)() >> 32) * n >> 32); }
  constexpr bool one_in(uint32_t n) { return below(n) == 0; }
  constexpr bool coin() { return one_in(2); }
  // An element of an array, a span or a string_view.
  template <class Container>
  constexpr const auto& pick(const Container& c) {
    return c[below(uint32_t(std::size(c)))];
  }
  // Values as programs have them: small ones, powers of two, all ones and arbitrary bits, at most `bits` wide.
  constexpr uint64_t interesting(int bits) {
    const uint64_t all = bits >= 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1;
    switch (below(6)) {
      case 0: return below(16) & all;
      case 1: return (uint64_t{1} << below(uint32_t(bits))) & all;
      case 2: return ~uint64_t{below(16)} & all;
      case 3: return (all >> 1) + below(2);
      default: return (*this)() & all;
    }
  }

 private:
  uint64_t state_[4]{};
};

}  // namespace vitro
