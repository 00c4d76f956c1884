// ASTC in two dimensions with colours of low dynamic range. PRM: SURFACE_FORMAT (ASTC_LDR_2D_*, Gen9). The format
// description defines every bit of the result: rows in sRGB have eight bits, the others half floats that are cut.
// Blocks that it calls illegal, and those with endpoints or an extent of high dynamic range, are magenta as a whole.
#include "formats/blocks.h"

namespace vitro::formats {

namespace {

// --- sequences of numbers with a range that is not a power of two

// Numbers of `bits` bits below a digit of 3 or 5 values.
struct Range {
  uint8_t values = 0;  // of the digit: 0 none, 3, 5
  uint8_t bits = 0;
  constexpr unsigned size(unsigned count) const {
    return count * bits + (values == 3 ? (8 * count + 4) / 5 : values == 5 ? (7 * count + 2) / 3 : 0);
  }
};
constexpr Range weight_ranges[2][8] = {{{}, {}, {0, 1}, {3, 0}, {0, 2}, {5, 0}, {3, 1}, {0, 3}},
                                       {{}, {}, {5, 1}, {3, 2}, {0, 4}, {5, 2}, {3, 3}, {0, 5}}};
// The widest first.
constexpr Range colour_ranges[] = {{0, 8}, {3, 6}, {5, 5}, {0, 7}, {3, 5}, {5, 4}, {0, 6}, {3, 4}, {5, 3},
                                   {0, 5}, {3, 3}, {5, 2}, {0, 4}, {3, 2}, {5, 1}, {0, 3}, {3, 1}};

// Five digits in eight bits.
constexpr std::array<uint8_t, 5> trits(unsigned t) {
  const auto bit = [](unsigned v, int n) { return v >> n & 1; };
  unsigned c, d[5];
  if ((t >> 2 & 7) == 7) {
    c = (t >> 5 & 7) << 2 | (t & 3), d[4] = d[3] = 2;
  } else {
    c = t & 31;
    if ((t >> 5 & 3) == 3)
      d[4] = 2, d[3] = bit(t, 7);
    else
      d[4] = bit(t, 7), d[3] = t >> 5 & 3;
  }
  if ((c & 3) == 3)
    d[2] = 2, d[1] = bit(c, 4), d[0] = bit(c, 3) << 1 | (bit(c, 2) & ~bit(c, 3));
  else if ((c >> 2 & 3) == 3)
    d[2] = 2, d[1] = 2, d[0] = c & 3;
  else
    d[2] = bit(c, 4), d[1] = c >> 2 & 3, d[0] = bit(c, 1) << 1 | (bit(c, 0) & ~bit(c, 1));
  return {uint8_t(d[0]), uint8_t(d[1]), uint8_t(d[2]), uint8_t(d[3]), uint8_t(d[4])};
}
// Three digits in seven.
constexpr std::array<uint8_t, 3> quints(unsigned q) {
  const auto bit = [](unsigned v, int n) { return v >> n & 1; };
  unsigned c, d2;
  if ((q >> 1 & 3) == 3 && (q >> 5 & 3) == 0)
    return {4, 4, uint8_t(bit(q, 0) << 2 | (bit(q, 4) & ~bit(q, 0)) << 1 | (bit(q, 3) & ~bit(q, 0)))};
  if ((q >> 1 & 3) == 3)
    d2 = 4, c = (q >> 3 & 3) << 3 | (~(q >> 5) & 3) << 1 | bit(q, 0);
  else
    d2 = q >> 5 & 3, c = q & 31;
  if ((c & 7) == 5) return {uint8_t(c >> 3), 4, uint8_t(d2)};
  return {uint8_t(c & 7), uint8_t(c >> 3), uint8_t(d2)};
}

struct Number {
  uint8_t digit = 0, low = 0;
};
// `count` numbers from bit `at` of the word up. Behind them all bits count as zero.
void read_sequence(const Word128& word, unsigned at, Range r, unsigned count, Number* out) {
  const unsigned bits = r.size(count);
  const unsigned end = at + bits;
  const Word128 only = word & Word128{ones(int(std::min(end, 64u))), end > 64 ? ones(int(end - 64)) : 0};
  BitReader next{only, at};
  if (r.values == 0)
    for (unsigned n = 0; n < count; ++n) out[n] = {0, uint8_t(next(r.bits))};
  // How many bits of the digits stand behind each number's own bits.
  constexpr uint8_t of_trits[] = {2, 2, 1, 2, 1}, of_quints[] = {3, 2, 2};
  const unsigned group = r.values == 3 ? 5 : 3;
  for (unsigned n = 0; r.values && n < count; n += group) {
    unsigned digits = 0, have = 0;
    uint8_t low[5]{};
    for (unsigned k = 0; k < group; ++k) {
      low[k] = uint8_t(next(r.bits));
      const unsigned more = r.values == 3 ? of_trits[k] : of_quints[k];
      digits |= next(more) << have, have += more;
    }
    const auto three = trits(digits);
    const auto five = quints(digits & 127);
    for (unsigned k = 0; k < group && n + k < count; ++k) out[n + k] = {r.values == 3 ? three[k] : five[k], low[k]};
  }
}

// Numbers with a digit become eight bits, or six, by a pattern of their bits but the lowest, a factor of the digit, and
// the lowest bit, which inverts. The pattern names bits from a, the lowest.
struct Spread {
  const char* pattern;
  uint16_t factor;
};
constexpr Spread spread_colour[2][7] = {
    {{},
     {"000000000", 204},
     {"b000b0bb0", 93},
     {"cb000cbcb", 44},
     {"dcb000dcb", 22},
     {"edcb000ed", 11},
     {"fedcb000f", 5}},
    {{}, {"000000000", 113}, {"b0000bb00", 54}, {"cb0000cbc", 26}, {"dcb0000dc", 13}, {"edcb0000e", 6}, {}}};
constexpr Spread spread_weight[2][4] = {{{}, {"0000000", 50}, {"b000b0b", 23}, {"cb000cb", 11}},
                                        {{}, {"0000000", 28}, {"b0000b0", 13}, {}}};

constexpr unsigned spread(const Spread& s, Number v, unsigned width) {
  unsigned pattern = 0;
  for (const char* p = s.pattern; *p; ++p) pattern = pattern << 1 | (*p == '0' ? 0 : v.low >> (*p - 'a') & 1);
  const unsigned inverted = v.low & 1 ? unsigned(ones(int(width + 1))) : 0;
  const unsigned t = (v.digit * s.factor + pattern) ^ inverted;
  return (inverted & 1u << (width - 1)) | t >> 2;
}

constexpr unsigned repeated(unsigned v, unsigned bits, unsigned width) {
  unsigned out = 0, have = 0;
  for (; have < width; have += bits) out = out << bits | v;
  return out >> (have - width);
}
unsigned colour_value(Range r, Number v) {
  if (r.values == 0) return repeated(v.low, r.bits, 8);
  return spread(spread_colour[r.values == 5][r.bits], v, 8);
}
// 0 to 64.
unsigned weight_value(Range r, Number v) {
  constexpr uint8_t digits[2][5] = {{0, 32, 63}, {0, 16, 32, 47, 63}};
  const unsigned w = r.values == 0 ? repeated(v.low, r.bits, 6)
                     : r.bits == 0 ? digits[r.values == 5][v.digit]
                                   : spread(spread_weight[r.values == 5][r.bits], v, 6);
  return w + (w > 32);
}

// --- endpoints

using Four = std::array<int, 4>;
struct Endpoints {
  Four low{}, high{};
};

Four clamped(Four v) {
  for (int& c : v) c = std::clamp(c, 0, 255);
  return v;
}
Four contracted(const Four& v) { return clamped({(v[0] + v[2]) >> 1, (v[1] + v[2]) >> 1, v[2], v[3]}); }
// A base of eight bits takes the highest bit of a signed difference, which is left with six.
void transfer(int& difference, int& base) {
  base = base >> 1 | (difference & 128);
  difference = difference >> 1 & 63;
  if (difference & 32) difference -= 64;
}

constexpr bool high_range(unsigned mode) { return 0b1100'1000'1000'1100 >> mode & 1; }

Endpoints endpoints(unsigned mode, std::array<int, 8> v) {
  constexpr Four magenta{255, 0, 255, 255};
  if (high_range(mode)) return {magenta, magenta};
  const bool alpha = mode >= 12;
  switch (mode) {
    case 0: return {{v[0], v[0], v[0], 255}, {v[1], v[1], v[1], 255}};
    case 1: {
      const int low = v[0] >> 2 | (v[1] & 192), high = std::min(low + (v[1] & 63), 255);
      return {{low, low, low, 255}, {high, high, high, 255}};
    }
    case 4: return {{v[0], v[0], v[0], v[2]}, {v[1], v[1], v[1], v[3]}};
    case 5: {
      transfer(v[1], v[0]), transfer(v[3], v[2]);
      const int high = v[0] + v[1];
      return {{v[0], v[0], v[0], v[2]}, clamped({high, high, high, v[2] + v[3]})};
    }
    case 6:
    case 10:
      return {{v[0] * v[3] >> 8, v[1] * v[3] >> 8, v[2] * v[3] >> 8, mode == 10 ? v[4] : 255},
              {v[0], v[1], v[2], mode == 10 ? v[5] : 255}};
    case 8:
    case 12: {
      const Four low{v[0], v[2], v[4], alpha ? v[6] : 255}, high{v[1], v[3], v[5], alpha ? v[7] : 255};
      if (v[1] + v[3] + v[5] >= v[0] + v[2] + v[4]) return {low, high};
      return {contracted(high), contracted(low)};
    }
    default: {  // 9, 13
      for (size_t n = 0; n < (alpha ? 8 : 6); n += 2) transfer(v[n + 1], v[n]);
      const Four low{v[0], v[2], v[4], alpha ? v[6] : 255};
      const Four high{v[0] + v[1], v[2] + v[3], v[4] + v[5], alpha ? v[6] + v[7] : 255};
      if (v[1] + v[3] + v[5] >= 0) return {low, clamped(high)};
      return {contracted(high), contracted(low)};
    }
  }
}

// --- partitions

uint32_t hash52(uint32_t v) {
  v ^= v >> 15, v -= v << 17, v += v << 7, v += v << 4, v ^= v >> 5;
  v += v << 16, v ^= v >> 7, v ^= v >> 3, v ^= v << 6, v ^= v >> 17;
  return v;
}

struct Partitions {
  unsigned count;
  bool small;
  std::array<uint32_t, 8> factors{};
  uint32_t number;
  Partitions(uint32_t seed, unsigned partitions, bool is_small)
      : count(partitions), small(is_small), number(hash52(seed + (partitions - 1) * 1024)) {
    const uint32_t one = seed & 2 ? 4 : 5, other = count == 3 ? 6 : 5;
    const uint32_t even = seed & 1 ? one : other, odd = seed & 1 ? other : one;
    for (uint32_t n = 0; n < 8; ++n) {
      const uint32_t f = number >> 4 * n & 15;
      factors[n] = f * f >> (n % 2 ? odd : even);
    }
  }
  unsigned at(uint32_t x, uint32_t y) const {
    if (count == 1) return 0;
    if (small) x <<= 1, y <<= 1;
    unsigned best = 0;
    uint32_t most = 0;
    for (unsigned n = 0; n < count; ++n) {
      const uint32_t v = (factors[2 * n] * x + factors[2 * n + 1] * y + (number >> (14 - 4 * n))) & 63;
      if (n == 0 || v > most) best = n, most = v;
    }
    return best;
  }
};

// --- blocks

// The fields of a block mode.
struct Grid {
  unsigned width = 0, height = 0;
  Range range{};
  bool two_planes = false;
  bool legal = false;
};
Grid grid_of(uint32_t mode) {
  const auto bits = [&](int hi, int lo) { return unsigned(mode >> lo & ones(hi - lo + 1)); };
  Grid g;
  unsigned range = bits(4, 4), wide = bits(9, 9);
  const unsigned a = bits(6, 5), b = bits(8, 7);
  g.two_planes = bits(10, 10);
  g.legal = true;
  if (bits(1, 0)) {
    range |= bits(1, 0) << 1;
    switch (bits(3, 2)) {
      case 0: g.width = b + 4, g.height = a + 2; break;
      case 1: g.width = b + 8, g.height = a + 2; break;
      case 2: g.width = a + 2, g.height = b + 8; break;
      default:
        if (b & 2)
          g.width = (b & 1) + 2, g.height = a + 2;
        else
          g.width = a + 2, g.height = (b & 1) + 6;
    }
  } else {
    range |= bits(3, 2) << 1;
    switch (b) {
      case 0: g.width = 12, g.height = a + 2; break;
      case 1: g.width = a + 2, g.height = 12; break;
      case 2: g.width = a + 6, g.height = bits(10, 9) + 6, wide = 0, g.two_planes = false; break;
      default: g.width = a ? 10 : 6, g.height = a ? 6 : 10, g.legal = a < 2;
    }
  }
  g.legal &= range > 1;
  g.range = weight_ranges[wide][range];
  return g;
}

Word128 reversed(const Word128& w) {
  const auto swap = [](uint64_t v) {
    uint64_t out = 0;
    for (int n = 0; n < 64; ++n) out = out << 1 | (v >> n & 1);
    return out;
  };
  return {swap(w.hi), swap(w.lo)};
}

struct Block {
  bool legal = false;
  bool constant = false;
  std::array<unsigned, 4> colour{};  // of a constant block, 16 bits
  Grid grid{};
  uint8_t weights[64 + 64]{};  // one plane, or two in turns; zeros behind
  unsigned second_plane = 4;   // the component that has its own weights
  std::array<Endpoints, 4> ends{};
  Partitions partitions{0, 1, false};
  unsigned width, height;

  Block(const Word128& w, unsigned block_width, unsigned block_height) : width(block_width), height(block_height) {
    if (field(w, 0, 9) == 0x1FC)
      extent(w);
    else
      read(w);
  }

  void extent(const Word128& w) {
    constant = true;
    const uint32_t s0 = field(w, 12, 13), s1 = field(w, 25, 13), t0 = field(w, 38, 13), t1 = field(w, 51, 13);
    const bool everywhere = (s0 & s1 & t0 & t1) == 0x1FFF;
    legal = field(w, 9, 1) == 0 && field(w, 10, 2) == 3 && (everywhere || (s0 < s1 && t0 < t1));
    for (unsigned c = 0; c < 4; ++c) colour[c] = field(w, 64 + 16 * c, 16);
  }

  void read(const Word128& w) {
    grid = grid_of(field(w, 0, 11));
    const unsigned planes = grid.two_planes ? 2 : 1, count = planes * grid.width * grid.height;
    const unsigned weight_bits = grid.range.size(count);
    const unsigned parts = field(w, 11, 2) + 1;
    if (!grid.legal || grid.width > width || grid.height > height || count > 64 || weight_bits < 24 ||
        weight_bits > 96 || (parts == 4 && planes == 2))
      return;
    Number numbers[64];
    read_sequence(reversed(w), 0, grid.range, count, numbers);
    for (unsigned n = 0; n < count; ++n) weights[n] = uint8_t(weight_value(grid.range, numbers[n]));

    // Below the weights stand, downwards, the rest of the endpoint modes and the component of the second plane.
    unsigned top = 128 - weight_bits, at = parts == 1 ? 17 : 29;
    std::array<unsigned, 4> modes{};
    if (parts == 1) {
      modes[0] = field(w, 13, 4);
    } else {
      partitions = {field(w, 13, 10), parts, width * height < 31};
      const unsigned same = field(w, 23, 2);
      if (same) {
        const unsigned more = 3 * parts - 4;
        if (top < at + more) return;
        top -= more;
        const unsigned all = field(w, 25, 4) | field(w, top, more) << 4;
        for (unsigned n = 0; n < parts; ++n) modes[n] = (same - 1 + (all >> n & 1)) << 2 | (all >> (parts + 2 * n) & 3);
      } else {
        modes.fill(field(w, 25, 4));
      }
    }
    if (planes == 2) {
      if (top < at + 2) return;
      top -= 2, second_plane = field(w, top, 2);
    }

    unsigned values = 0;
    for (unsigned n = 0; n < parts; ++n) values += 2 * (modes[n] / 4) + 2;
    if (values > 18 || top < at) return;
    const Range* range = nullptr;
    for (const Range& r : colour_ranges)
      if (!range && r.size(values) <= top - at) range = &r;
    if (!range) return;
    Number ends_numbers[18];
    read_sequence(w, at, *range, values, ends_numbers);
    const Number* from = ends_numbers;
    for (unsigned n = 0; n < parts; ++n) {
      std::array<int, 8> v{};
      for (unsigned k = 0; k < 2 * (modes[n] / 4) + 2; ++k) v[k] = int(colour_value(*range, *from++));
      ends[n] = endpoints(modes[n], v);
    }
    legal = true;
  }

  // The weights of a texel, from the four around it in the grid.
  std::array<int, 2> weights_at(unsigned x, unsigned y) const {
    const auto place = [](unsigned at, unsigned extent, unsigned cells) {
      return ((1024 + extent / 2) / (extent - 1) * at * (cells - 1) + 32) >> 6;
    };
    const unsigned gx = place(x, width, grid.width), gy = place(y, height, grid.height);
    const unsigned fx = gx & 15, fy = gy & 15, both = (fx * fy + 8) >> 4;
    const unsigned planes = grid.two_planes ? 2 : 1, from = (gy >> 4) * grid.width + (gx >> 4);
    std::array<int, 2> out{};
    for (unsigned p = 0; p < planes; ++p) {
      // What is outside the grid has no share.
      const auto weight = [&](unsigned n) { return unsigned(weights[n * planes + p]); };
      out[p] = int((weight(from) * (16 - fx - fy + both) + weight(from + 1) * (fx - both) +
                    weight(from + grid.width) * (fy - both) + weight(from + grid.width + 1) * both + 8) >>
                   4);
    }
    return out;
  }

  // Sixteen bits for each component.
  std::array<unsigned, 4> at(unsigned x, unsigned y, bool srgb) const {
    if (constant) return colour;
    const auto weight = weights_at(x, y);
    const Endpoints& e = ends[partitions.at(x, y)];
    std::array<unsigned, 4> out;
    for (unsigned c = 0; c < 4; ++c) {
      const auto wide = [&](int v) { return srgb ? v << 8 | 128 : v * 257; };
      const int w = weight[c == second_plane];
      out[c] = unsigned(wide(e.low[c]) * (64 - w) + wide(e.high[c]) * w + 32) >> 6;
    }
    return out;
  }
};

// 65535 means one, the others are 65536ths, and a half float is cut.
uint32_t cut_to_half(unsigned v) {
  if (v == 65535) return float_one;
  const int surplus = std::bit_width(v) - 11;
  if (surplus > 0) v = v >> surplus << surplus;
  return std::bit_cast<uint32_t>(float(v) / 65536);
}

}  // namespace

void astc_ldr(const Format& f, const std::byte* from, const Window& w, Rgba* out) {
  const Block block(block_word(from, 16), f.block_width, f.block_height);
  if (!block.legal) return fill(w, out, [](unsigned, unsigned) { return Rgba{float_one, 0, float_one, float_one}; });
  fill(w, out, [&](unsigned x, unsigned y) {
    const bool srgb = f.space == Space::srgb;
    const auto v = block.at(x, y, srgb);
    if (!srgb) return Rgba{cut_to_half(v[0]), cut_to_half(v[1]), cut_to_half(v[2]), cut_to_half(v[3])};
    return rgba(f, {{int(v[0] >> 8), int(v[1] >> 8), int(v[2] >> 8)}, int(v[3] >> 8)});
  });
}

}  // namespace vitro::formats
