// Reading operands: registers, regions, swizzles, immediates in every notation.
#include "isa/operand_text.h"

#include <fmt/format.h>

#include <bit>
#include <cctype>
#include <cmath>
#include <cstdlib>

#include "base/half.h"
#include "isa/names.h"

namespace vitro::isa {
namespace {

bool digit(char c) { return std::isdigit(static_cast<unsigned char>(c)); }

struct RegisterName {
  RegFile file;
  uint8_t reg;
};

// r12, m3, acc0, null, ip ... from a whole word.
std::optional<RegisterName> register_named(const Model& m, std::string_view word) {
  size_t letters = word.size();
  while (letters > 0 && digit(word[letters - 1])) --letters;
  const std::string_view name = word.substr(0, letters), digits = word.substr(letters);
  if (digits.size() > 3 || (digits.size() > 1 && digits[0] == '0')) return {};
  unsigned n = 0;
  for (char c : digits) n = n * 10 + unsigned(c - '0');
  if (!digits.empty() && n < 256 && (name == "r" || (name == "m" && m.mrf_count)))
    return RegisterName{name == "r" ? RegFile::grf : RegFile::mrf, uint8_t(n)};
  for (const ArfRow& r : m.arfs)
    if (name == r.name && n < r.count && (digits.empty() ? !r.numbered : r.numbered || n == 0))
      return RegisterName{RegFile::arf, arf_reg(r.kind, int(n) + r.first)};
  return {};
}

Type parse_type(Cursor& c) {
  const size_t at = c.at();
  const std::string_view w = c.take_word();
  for (int t = 0; t < type_count; ++t)
    if (w == info(Type(t)).name) return Type(t);
  c.go(at);
  c.expected("a type (ub b uw w ud d uq q hf f df, or v uv vf for immediates)");
}

void parse_region(Cursor& c, RegionText& r) {
  r.at = c.at();
  c.step();
  int count = 0;
  char separators[2]{};
  for (;;) {
    if (c.peek() == '>') break;
    r.n[count++] = uint8_t(c.number("a stride or width", 64));
    const char s = c.peek();
    if (s != ';' && s != ',') break;
    if (count == 3) break;
    separators[count - 1] = s;
    c.step();
  }
  c.expect('>', "closing the region");
  r.length = c.at() - r.at;
  using enum RegionText::Shape;
  if (count == 1) r.shape = one;
  if (count == 2) r.shape = separators[0] == ';' ? pair : indexed;
  if (count == 3 && separators[0] == ';' && separators[1] == ',') r.shape = full;
  if (r.shape == none)
    c.fail_at(r.at, r.length, "expected a region <VertStride;Width,HorzStride>, <Width,HorzStride> or <HorzStride>");
}

void parse_indirect(Cursor& c, const Model& m, Operand& o) {
  o.indirect = true;
  o.file = RegFile::grf;
  c.expect('[', "opening the address");
  if (c.take_word() != "a0") c.expected("an address register a0.n");
  c.expect('.', "and the number of the address sub-register");
  o.addr_subreg = uint8_t(c.number("an address sub-register", m.address_subregs));
  const char s = c.peek();
  if (s == ',' || s == '+' || s == '-') {
    const size_t at = c.at();
    if (s != '-') c.step();
    const int64_t v = c.expression();
    if (v < -512 || v > 511) c.fail_at(at, c.at() - at, fmt::format("found the offset {}, expected -512 to 511", v));
    o.addr_imm = int16_t(v);
  }
  c.expect(']', "closing the address");
}

// After the register: .3 .3b .mme2 .nomme .xyzw, in this order around the region.
void parse_suffixes(Cursor& c, OperandText& t) {
  if (c.here() == '.' && digit(c.here(1))) {
    c.step();
    t.subreg = c.number("a sub-register", 32);
    if (c.here() == 'b' && !std::isalnum(static_cast<unsigned char>(c.here(1)))) {
      t.subreg_in_bytes = true;
      c.step();
    }
  }
  if (c.here() == '<') parse_region(c, t.region);
  if (c.here() == '.') {
    c.step();
    const size_t at = c.at();
    const std::string_view w = c.word();
    if (w == "nomme") {
      t.mme = no_mme;
    } else if (w.size() == 4 && w.substr(0, 3) == "mme" && w[3] >= '0' && w[3] <= '7') {
      t.mme = uint8_t(w[3] - '0');
    } else if (w == "0" ||
               (!w.empty() && w.size() <= 4 && w.find_first_not_of(channel_letters) == std::string_view::npos)) {
      t.channels = w;
    } else {
      c.go(at);
      c.expected("a sub-register, a swizzle or write mask of x y z w, or .mme0 to .mme7 and .nomme");
    }
    c.step(w.size());
  }
  if (c.here() == ':') {
    c.step();
    t.type = parse_type(c);
  }
}

// --- immediates ---

struct Literal {
  enum class Kind { integer, bits, real, nan } kind = Kind::integer;  // bits: written as 0x or 0b
  int64_t integer = 0;
  double real = 0;
  bool negative = false, quiet = false;
  uint64_t payload = 0;
};

// Length of a floating point number at the cursor, 0 if it is not one: it has a fraction or an exponent.
size_t float_length(const Cursor& c) {
  size_t n = 0;
  auto digits = [&](auto is) {
    const size_t start = n;
    while (is(c.here(n))) ++n;
    return n - start;
  };
  auto exponent = [&](char lower) {
    if ((c.here(n) | 32) != lower) return false;
    const size_t sign = c.here(n + 1) == '+' || c.here(n + 1) == '-' ? 1 : 0;
    if (!digit(c.here(n + 1 + sign))) return false;
    n += 1 + sign;
    digits(digit);
    return true;
  };
  if (c.here() == '0' && (c.here(1) | 32) == 'x') {
    n = 2;
    auto hex = [](char x) { return std::isxdigit(static_cast<unsigned char>(x)) != 0; };
    if (!digits(hex)) return 0;
    if (c.here(n) == '.') ++n, digits(hex);
    return exponent('p') ? n : 0;
  }
  const size_t whole = digits(digit);
  bool is_float = false;
  if (c.here(n) == '.' && (digit(c.here(n + 1)) || (whole && c.here(n + 1) == ':')))
    ++n, digits(digit), is_float = true;
  if ((whole || is_float) && exponent('e')) is_float = true;
  return is_float ? n : 0;
}

Literal parse_literal(Cursor& c) {
  Literal l;
  c.peek();
  const size_t start = c.at();
  if (c.here() == '-' || c.here() == '+') {
    l.negative = c.here() == '-';
    c.step();
    c.peek();
  }
  const std::string_view w = c.word();
  if (w == "inf" || w == "infinity") {
    c.step(w.size());
    l.kind = Literal::Kind::real;
    l.real = l.negative ? -INFINITY : INFINITY;
    return l;
  }
  if (w == "qnan" || w == "snan" || w == "nan") {
    c.step(w.size());
    l.kind = Literal::Kind::nan;
    l.quiet = w != "snan";
    if (c.take_here('(')) {
      l.payload = uint64_t(c.expression());
      c.expect(')', "closing the payload");
    } else if (!l.quiet) {
      c.expected("'(' and the payload of the signalling NaN");
    }
    return l;
  }
  if (const size_t n = float_length(c)) {
    std::string text;
    for (size_t k = 0; k < n; ++k) text += c.here(k);
    l.kind = Literal::Kind::real;
    l.real = std::strtod(text.c_str(), nullptr);
    if (l.negative) l.real = -l.real;
    c.step(n);
    return l;
  }
  l.kind = c.here() == '0' && (c.here(1) == 'x' || c.here(1) == 'X' || c.here(1) == 'b' || c.here(1) == 'B')
               ? Literal::Kind::bits
               : Literal::Kind::integer;
  c.go(start);
  l.integer = c.expression();
  return l;
}

uint64_t nan_bits(const Literal& l, int exponent_bits, int mantissa_bits, bool& fits) {
  const uint64_t quiet = uint64_t{1} << (mantissa_bits - 1);
  fits = l.payload < quiet && (l.quiet || l.payload != 0);
  return uint64_t(l.negative) << (exponent_bits + mantissa_bits) | ones(exponent_bits) << mantissa_bits |
         (l.quiet ? quiet : 0) | l.payload;
}

uint64_t literal_value(Cursor& c, const Literal& l, Type t, size_t at) {
  const size_t length = c.at() - at;
  const int bits = info(t).is_vector_imm ? 32 : 8 * size_of(t);
  const bool floating = is_float(t) && !info(t).is_vector_imm;
  if (l.kind == Literal::Kind::nan && floating) {
    bool fits = false;
    const uint64_t v = t == Type::df  ? nan_bits(l, 11, 52, fits)
                       : t == Type::f ? nan_bits(l, 8, 23, fits)
                                      : nan_bits(l, 5, 10, fits);
    if (!fits) c.fail_at(at, length, "the payload of the NaN does not fit its type, or is zero in a signalling NaN");
    return v;
  }
  if (l.kind == Literal::Kind::real && floating) {
    if (t == Type::df) return std::bit_cast<uint64_t>(l.real);
    if (t == Type::f) return std::bit_cast<uint32_t>(float(l.real));
    return double_to_half(l.real);
  }
  if (l.kind == Literal::Kind::real || l.kind == Literal::Kind::nan)
    c.fail_at(at, length, fmt::format("found a floating point number, expected an integer for :{}", info(t).name));
  if (floating && l.kind == Literal::Kind::integer)
    c.fail_at(
        at, length,
        fmt::format("found an integer for :{0}, expected a number with a fraction (1.0:{0}) or its bits (0x3C00:{0})",
                    info(t).name));
  const int64_t low = bits == 64 ? INT64_MIN : -(int64_t{1} << (bits - 1));
  if (bits < 64 && (l.integer < low || l.integer > int64_t(ones(bits))))
    c.fail_at(at, length, fmt::format("{} does not fit :{}", l.integer, info(t).name));
  return uint64_t(l.integer) & ones(bits);
}

bool at_literal(Cursor& c) {
  const size_t start = c.at();
  char first = c.peek();
  bool result = digit(first);
  if (first == '-' || first == '+' || first == '~') {
    const bool complement = first == '~';
    c.step();
    first = c.peek();
    result = digit(first) || first == '-' || first == '~';
    if (!complement) {
      const std::string_view w = c.word();
      result = result || w == "inf" || w == "qnan" || w == "snan" || w == "nan" || w == "infinity";
    }
    if (first == '(') {
      c.step();
      c.peek();
      result = c.word() != "abs";
    }
  } else if (first == '(') {
    c.step();
    c.peek();
    result = c.word() != "abs";
  } else if (first == '.') {
    result = digit(c.here(1));
  } else {
    const std::string_view w = c.word();
    result = result || w == "inf" || w == "qnan" || w == "snan" || w == "nan" || w == "infinity";
  }
  c.go(start);
  return result;
}

}  // namespace

bool at_register(Cursor& c, const Model& m) {
  c.peek();
  const std::string_view w = c.word();
  const bool indirect = (w == "r" || (w == "m" && m.mrf_count)) && c.here(1) == '[';
  return indirect || register_named(m, w).has_value();
}

OperandText parse_register_operand(Cursor& c, const Model& m, bool modifiers) {
  OperandText t;
  c.peek();
  t.at = c.at();
  if (modifiers) {
    if (c.take('-') || c.take('~')) t.operand.negate = true;
    c.peek();
    if (c.here() == '(') {
      c.step();
      if (c.take_word() != "abs") c.expected("(abs) or an operand");
      c.expect(')', "after abs");
      t.operand.abs = true;
    }
  }
  c.peek();
  if (!at_register(c, m))
    c.expected(m.mrf_count ? "a register (r0, m0, acc0, null ...)" : "a register (r0, acc0, null ...)");
  const std::string_view w = c.word();
  c.step(w.size());
  if (w == "r" || (w == "m" && c.here() == '[')) {
    parse_indirect(c, m, t.operand);
    if (w == "m") t.operand.file = RegFile::mrf;
  } else {
    const RegisterName r = *register_named(m, w);
    t.operand.file = r.file;
    t.operand.reg = r.reg;
    const unsigned count = r.file == RegFile::grf ? m.grf_count : r.file == RegFile::mrf ? m.mrf_count : 256;
    if (r.reg >= count)
      c.fail_at(c.at() - w.size(), w.size(), fmt::format("found {}, expected a number below {}", w, count));
  }
  parse_suffixes(c, t);
  t.length = c.at() - t.at;
  return t;
}

OperandText parse_source_operand(Cursor& c, const Model& m) {
  c.peek();
  if (!at_literal(c)) return parse_register_operand(c, m, true);
  OperandText t;
  t.at = c.at();
  t.is_immediate = true;
  t.operand.file = RegFile::imm;
  const Literal l = parse_literal(c);
  const size_t end = c.at();
  if (!c.take_here(':')) c.expected("':' and the type of the immediate");
  t.type = parse_type(c);
  t.operand.type = *t.type;
  const size_t after = c.at();
  c.go(end);
  t.imm = literal_value(c, l, *t.type, t.at);
  c.go(after);
  t.length = after - t.at;
  return t;
}

void parse_flag(Cursor& c, const Model& m, Instruction& i) {
  c.peek();
  const size_t at = c.at();
  const std::string_view w = c.take_word();
  if (w.size() != 2 || w[0] != 'f' || !digit(w[1])) {
    c.go(at);
    c.expected("a flag register f0.0");
  }
  i.flag_reg = uint8_t(w[1] - '0');
  if (i.flag_reg >= m.flag_regs)
    c.fail_at(at, 2, fmt::format("found {}, expected a flag register below f{}", w, m.flag_regs));
  if (c.here() == '.' && digit(c.here(1))) {
    c.step();
    i.flag_subreg = uint8_t(c.number("a flag sub-register", 2));
  }
}

}  // namespace vitro::isa
