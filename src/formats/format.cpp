// The table of surface formats made out of formats.def: each row gets a decoder and an encoder of its own, instances of
// two templates over the row, so that nothing about a layout is looked up per texel. PRM: SURFACE_FORMAT.
#include "formats/format.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>
#include <utility>

#include "base/bits.h"
#include "formats/blocks.h"
#include "formats/convert.h"
#include "formats/texel.h"
#include "lanes/one.h"

namespace vitro::formats {

namespace {

using enum Component;

constexpr Channel un(Component c, int width) { return {c, Kind::unorm, uint8_t(width)}; }
constexpr Channel sn(Component c, int width) { return {c, Kind::snorm, uint8_t(width)}; }
constexpr Channel ui(Component c, int width) { return {c, Kind::uint, uint8_t(width)}; }
constexpr Channel si(Component c, int width) { return {c, Kind::sint, uint8_t(width)}; }
constexpr Channel sf(Component c, int width) { return {c, Kind::sfloat, uint8_t(width)}; }
constexpr Channel uf(Component c, int width) { return {c, Kind::ufloat, uint8_t(width)}; }
constexpr Channel us(Component c, int width) { return {c, Kind::uscaled, uint8_t(width)}; }
constexpr Channel ss(Component c, int width) { return {c, Kind::sscaled, uint8_t(width)}; }
constexpr Channel sx(Component c, int width) { return {c, Kind::sfixed, uint8_t(width)}; }
constexpr Channel raw(Component c, int width) { return {c, Kind::raw, uint8_t(width)}; }
constexpr Channel mantissa(Component c, int width) { return {c, Kind::mantissa, uint8_t(width)}; }
constexpr Channel exponent(int width) { return {none, Kind::exponent, uint8_t(width)}; }
constexpr Channel pad(int width) { return {none, Kind::pad, uint8_t(width)}; }

constexpr Format plain(uint16_t code, std::string_view name, Space space, auto... channels) {
  Format f{.code = code, .name = name, .space = space};
  for (Channel c : {channels...}) {
    c.lo = uint8_t(f.bits);
    f.bits = uint16_t(f.bits + c.width);
    f.channels[f.channel_count++] = c;
    if (c.kind == Kind::uint || c.kind == Kind::raw) f.numeric = Numeric::uints;
    if (c.kind == Kind::sint) f.numeric = Numeric::sints;
  }
  return f;
}
constexpr Format block(uint16_t code, std::string_view name, Space space, int bits, int width, int height) {
  return {.code = code,
          .name = name,
          .space = space,
          .bits = uint16_t(bits),
          .block_width = uint8_t(width),
          .block_height = uint8_t(height)};
}

constexpr Format rows[] = {
#define FORMAT(code, name, space, ...) plain(code, #name, Space::space, __VA_ARGS__),
#define COMPRESSED(code, name, space, bits, width, height, codec) block(code, #name, Space::space, bits, width, height),
#define UNDECODED(code, name, space, bits, width, height) block(code, #name, Space::space, bits, width, height),
#define YCRCB(code, name) block(code, #name, Space::yuv, 32, 2, 1),
#define BITMAP(code, name) block(code, #name, Space::linear, 8, 8, 1),
#include "formats/formats.def"
#undef FORMAT
#undef COMPRESSED
#undef UNDECODED
#undef YCRCB
#undef BITMAP
};
constexpr size_t row_count = std::size(rows);

// Whether a row has one is told apart from which: sanitizers do not let constants compare functions.
struct RowCodec {
  bool known = false;
  Codec* decode = nullptr;
};
constexpr RowCodec codecs[] = {
#define FORMAT(code, name, space, ...) {},
#define COMPRESSED(code, name, space, bits, width, height, codec) {true, codec},
#define UNDECODED(code, name, space, bits, width, height) {},
#define YCRCB(code, name) {},
#define BITMAP(code, name) {},
#include "formats/formats.def"
#undef FORMAT
#undef COMPRESSED
#undef UNDECODED
#undef YCRCB
#undef BITMAP
};

constexpr auto uses = [] {
  std::array<Uses, row_count> table{};
  size_t at = 0;  // in the order of formats.def
  const auto set = [&](std::string_view name, Uses u) {
    while (rows[at].name != name) ++at;
    table[at] = u;
  };
  constexpr uint8_t no = 0, g9 = 4, g8 = 6, all = 7;
#define USES(name, ...) set(#name, {__VA_ARGS__});
#include "formats/uses.def"
#undef USES
  return table;
}();

// --- decoding

template <Channel c>
uint64_t take(const std::byte* texel) {
  constexpr unsigned first = c.lo / 8, bytes = (c.lo + c.width - 1) / 8 - first + 1, shift = c.lo % 8;
  static_assert(bytes <= 8);
  uint64_t v = 0;
  std::memcpy(&v, texel + first, bytes);
  return v >> shift & ones(c.width);
}

uint32_t srgb_code(uint32_t v, int width) {
  uint32_t f;
  std::memcpy(&f, srgb_table() + 4 * ((size_t(1) << width) + v), 4);
  return f;
}

// What the lanes do not know.
template <Channel c, bool srgb>
uint32_t widen(uint64_t v) {
  const auto f = [](float x) { return std::bit_cast<uint32_t>(x); };
  const auto n = uint32_t(v);
  constexpr lanes::One d;
  if constexpr (c.kind == Kind::unorm && srgb && c.component != a) return srgb_code(n, c.width);
  if constexpr (widens_in_lanes(c)) return Widening<lanes::One>{d}.channel(c, lanes::OneInt::of(n)).v;
  if constexpr (c.kind == Kind::unorm) return f(unorm_to_float(n, c.width));
  if constexpr (c.kind == Kind::snorm) return f(snorm_to_float(n, c.width));
  if constexpr (c.kind == Kind::sfloat) return f(float(std::bit_cast<double>(v)));
  if constexpr (c.kind == Kind::uscaled) return f(float(n));
  return 0;
}

template <size_t row, size_t n>
void decode_channel(const std::byte* texel, Rgba& out) {
  constexpr const Format& format = rows[row];
  if constexpr (n < format.channel_count) {
    constexpr Channel c = format.channels[n];
    if constexpr (c.kind == Kind::mantissa) {
      // The exponent is the last channel.
      constexpr lanes::One d;
      const auto number = [](uint64_t v) { return lanes::OneInt::of(uint32_t(v)); };
      out[size_t(c.component)] =
          Widening<lanes::One>{d}.shared_exponent(number(take<c>(texel)), number(take<format.channels[3]>(texel))).v;
    } else if constexpr (c.kind == Kind::raw && c.width == 64) {
      const uint64_t v = take<c>(texel);
      out[2 * n] = uint32_t(v), out[2 * n + 1] = uint32_t(v >> 32);
    } else if constexpr (c.component != none) {
      const uint32_t v = widen<c, format.space == Space::srgb>(take<c>(texel));
      if constexpr (c.component == l)
        out[0] = out[1] = out[2] = v;
      else if constexpr (c.component == i)
        out[0] = out[1] = out[2] = out[3] = v;
      else
        out[size_t(c.component)] = v;
    }
  }
}

template <size_t row>
void decode_texel(const std::byte* texel, unsigned, unsigned, Rgba& out) {
  out = {0, 0, 0, rows[row].one()};
  decode_channel<row, 0>(texel, out);
  decode_channel<row, 1>(texel, out);
  decode_channel<row, 2>(texel, out);
  decode_channel<row, 3>(texel, out);
}

// Two texels: bytes of luma, of Cb and of Cr. Red is Cr, green is Y, blue is Cb.
template <int y0, int cb, int y1, int cr>
void decode_ycrcb(const std::byte* block, unsigned x, unsigned, Rgba& out) {
  const auto value = [&](int at) { return std::bit_cast<uint32_t>(unorm_to_float(uint32_t(block[at]), 8)); };
  out = {value(cr), value(x ? y1 : y0), value(cb), 0x3F800000};
}
// Eight texels, the first in the highest bit.
void decode_bitmap(const std::byte* block, unsigned x, unsigned, Rgba& out) {
  out = {(uint32_t(*block) >> (7 - x) & 1) * 0x3F800000, 0, 0, 0x3F800000};
}

template <size_t row>
void decode_compressed(const std::byte* block, unsigned x, unsigned y, Rgba& out) {
  codecs[row].decode(rows[row], block, {x, y, 1, 1}, &out);
}
template <size_t row>
void decode_whole(const std::byte* block, Rgba* out) {
  codecs[row].decode(rows[row], block, {0, 0, rows[row].block_width, rows[row].block_height}, out);
}

// --- encoding

template <Channel c, bool srgb>
uint64_t narrow(uint32_t v) {
  const auto f = std::bit_cast<float>(v);
  constexpr lanes::One d;
  if constexpr (c.kind == Kind::unorm && srgb && c.component != a) return float_to_srgb(f, c.width);
  if constexpr (narrows_in_lanes(c)) return Narrowing<lanes::One>{d}.channel(c, lanes::OneInt::of(v)).v;
  if constexpr (c.kind == Kind::unorm) return float_to_unorm(f, c.width);
  if constexpr (c.kind == Kind::snorm) return float_to_snorm(f, c.width);
  if constexpr (c.kind == Kind::sfloat) return std::bit_cast<uint64_t>(double(f));
  if constexpr (c.kind == Kind::ufloat) return float_to_ufloat(f, c.width);
  return 0;
}

template <size_t row, size_t n>
void encode_channel(uint64_t* words, const Rgba& in) {
  constexpr const Format& format = rows[row];
  if constexpr (n < format.channel_count) {
    constexpr Channel c = format.channels[n];
    if constexpr (c.kind == Kind::raw && c.width == 64) {
      words[n] = in[2 * n] | uint64_t(in[2 * n + 1]) << 32;
    } else if constexpr (c.component != none) {
      constexpr size_t from = c.component == l || c.component == i ? 0 : size_t(c.component);
      const uint64_t v = narrow<c, format.space == Space::srgb>(in[from]);
      constexpr unsigned word = c.lo / 64, shift = c.lo % 64;
      words[word] |= v << shift;
      if constexpr (shift + c.width > 64) words[word + 1] |= v >> (64 - shift);
    }
  }
}

template <size_t row>
void encode_texel(std::byte* texel, const Rgba& in) {
  uint64_t words[5] = {};
  encode_channel<row, 0>(words, in);
  encode_channel<row, 1>(words, in);
  encode_channel<row, 2>(words, in);
  encode_channel<row, 3>(words, in);
  std::memcpy(texel, words, rows[row].bits / 8);
}

// --- the table

constexpr bool fits_four_dwords(const Format& f) {
  return !(f.channel_count > 2 && f.channels[0].kind == Kind::raw && f.channels[0].width == 64);
}
constexpr bool writable(const Format& f) {
  for (const Channel& c : f.channels)
    if (c.kind == Kind::uscaled || c.kind == Kind::sscaled || c.kind == Kind::sfixed || c.kind == Kind::mantissa)
      return false;
  return true;
}

template <size_t row>
constexpr Format complete() {
  Format f = rows[row];
  f.uses = uses[row];
  if constexpr (rows[row].channel_count != 0 && fits_four_dwords(rows[row])) {
    f.decode = decode_texel<row>;
    if constexpr (writable(rows[row])) f.encode = encode_texel<row>;
  }
  if constexpr (codecs[row].known) f.decode = decode_compressed<row>, f.decode_whole = decode_whole<row>;
  // Bytes of a pair in memory: luma, Cb, luma, Cr; the swapped orders exchange chroma, or luma with chroma.
  if (f.name == "YCRCB_NORMAL") f.decode = decode_ycrcb<0, 1, 2, 3>;
  if (f.name == "YCRCB_SWAPUV") f.decode = decode_ycrcb<0, 3, 2, 1>;
  if (f.name == "YCRCB_SWAPY") f.decode = decode_ycrcb<1, 0, 3, 2>;
  if (f.name == "YCRCB_SWAPUVY") f.decode = decode_ycrcb<1, 2, 3, 0>;
  if (f.name == "R1_UNORM") f.decode = decode_bitmap;
  return f;
}

constexpr auto table = []<size_t... row>(std::index_sequence<row...>) {
  return std::array<Format, row_count>{complete<row>()...};
}
(std::make_index_sequence<row_count>());

constexpr auto by_code = [] {
  std::array<int16_t, 1024> index;
  index.fill(-1);
  for (size_t n = 0; n < row_count; ++n) index[rows[n].code] = int16_t(n);
  return index;
}();

}  // namespace

const std::byte* srgb_table() {
  static const auto table = [] {
    std::array<float, (2u << most_srgb_bits)> t{};
    for (size_t n = 2; n < t.size(); ++n) {
      const auto codes = std::bit_floor(n);
      t[n] = float(srgb_to_linear(double(n - codes) / double(codes - 1)));
    }
    return t;
  }();
  return reinterpret_cast<const std::byte*>(table.data());
}

TexelLayout texel_layout(const Format& f) {
  TexelLayout t{.channels = f.channels,
                .channel_count = f.channel_count,
                .bytes = uint8_t(f.bytes()),
                .srgb = f.space == Space::srgb,
                .integer = f.integer()};
  for (uint8_t n = 0; n < f.channel_count; ++n) {
    const Component c = f.channels[n].component;
    if (c == none) continue;
    if (c < l) t.component[size_t(c)] = n;
    for (size_t k = 0; c >= l && k < (c == i ? 4 : 3); ++k) t.component[k] = n;
  }
  return t;
}

namespace {

bool all_in_lanes(const Format& f, bool (*known)(const Channel&)) {
  if (!f.decode || f.block_width > 1 || f.block_height > 1) return false;
  if ((f.bits != 8 && f.bits != 16 && f.bits % 32 != 0) || f.bits > 128) return false;
  for (unsigned n = 0; n < f.channel_count; ++n) {
    const Channel& c = f.channels[n];
    if (c.component != none && (c.lo % 32 + c.width > 32 || !known(c))) return false;
  }
  return true;
}

}  // namespace

bool decodes_in_lanes(const Format& f) { return all_in_lanes(f, widens_in_lanes); }
bool encodes_in_lanes(const Format& f) {
  return f.encode && f.space != Space::srgb && all_in_lanes(f, narrows_in_lanes);
}

bool Format::has(Component component) const {
  for (const Channel& c : channels)
    if (c.component == component) return true;
  return false;
}

const Format* find(unsigned code) {
  return code < by_code.size() && by_code[code] >= 0 ? &table[size_t(by_code[code])] : nullptr;
}

const Format* find(std::string_view name) {
  for (const Format& f : table)
    if (f.name == name) return &f;
  return nullptr;
}

std::span<const Format> all() { return table; }

unsigned decode_dwords(const Format& f, const std::byte* texel, std::array<uint32_t, 8>& dwords) {
  if (f.channels[0].kind == Kind::raw && f.channels[0].width == 64) {
    std::memcpy(dwords.data(), texel, f.bytes());
    return f.bytes() / 4;
  }
  assert(f.decode);
  Rgba out;
  f.decode(texel, 0, 0, out);
  std::copy(out.begin(), out.end(), dwords.begin());
  return 4;
}

void decode_block(const Format& f, std::span<const std::byte> block, std::span<Rgba> texels) {
  assert(f.decode && block.size() >= f.bytes() && texels.size() >= f.texels());
  if (f.decode_whole) return f.decode_whole(block.data(), texels.data());
  for (unsigned n = 0; n < f.texels(); ++n) f.decode(block.data(), n % f.block_width, n / f.block_width, texels[n]);
}

}  // namespace vitro::formats
