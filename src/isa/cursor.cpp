// The cursor's steps and constant expressions.
#include "isa/cursor.h"

#include <fmt/format.h>

#include <cctype>
#include <charconv>

namespace vitro::isa {
namespace {
bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }
}  // namespace

std::string_view Cursor::word() const {
  size_t e = at_;
  while (e < end_ && is_word(text_[e])) ++e;
  return text_.substr(at_, e - at_);
}
std::string_view Cursor::take_word() {
  skip();
  const std::string_view w = word();
  at_ += w.size();
  return w;
}
std::string Cursor::found() {
  skip();
  if (at_ >= end_) return "the end of the line";
  const std::string_view w = word();
  return fmt::format("'{}'", w.empty() ? text_.substr(at_, 1) : w);
}
void Cursor::expected(std::string_view what) {
  const std::string f = found();
  const size_t n = word().size();
  fail_at(at_, n ? n : 1, fmt::format("found {}, expected {}", f, what));
}
void Cursor::expect(char c, std::string_view what) {
  if (!take(c)) expected(fmt::format("'{}' {}", c, what));
}

uint32_t Cursor::number(std::string_view what, uint32_t limit) {
  const size_t start = at_;
  uint64_t v = 0;
  while (std::isdigit(static_cast<unsigned char>(here()))) {
    v = v * 10 + uint64_t(here() - '0');
    if (v > 0xFFFFFFFF) break;
    ++at_;
  }
  if (at_ == start) expected(what);
  if (v >= limit) fail_at(start, at_ - start, fmt::format("found {}, expected {} below {}", v, what, limit));
  return uint32_t(v);
}

int64_t Cursor::expression() {
  depth_ = 0;
  return binary(0);
}

int64_t Cursor::term() {
  depth_ = 0;
  return factor();
}

int64_t Cursor::binary(int level) {
  // loosest first; shifts are two characters
  static constexpr std::string_view levels[] = {"|", "^", "&", "<>", "+-", "*/%"};
  if (size_t(level) == std::size(levels)) return factor();
  int64_t a = binary(level + 1);
  for (;;) {
    const char c = peek();
    if (c == '\0' || levels[level].find(c) == std::string_view::npos) return a;
    const bool shift = level == 3;
    if (shift && here(1) != c) return a;
    const size_t at = at_;
    at_ += shift ? 2 : 1;
    const int64_t b = binary(level + 1);
    const uint64_t ua = uint64_t(a), ub = uint64_t(b);
    if ((c == '/' || c == '%') && b == 0) fail_at(at, 1, "division by zero");
    switch (c) {
      case '|': a = int64_t(ua | ub); break;
      case '^': a = int64_t(ua ^ ub); break;
      case '&': a = int64_t(ua & ub); break;
      case '<': a = int64_t(ub < 64 ? ua << ub : 0); break;
      case '>': a = int64_t(ub < 64 ? ua >> ub : 0); break;
      case '+': a = int64_t(ua + ub); break;
      case '-': a = int64_t(ua - ub); break;
      case '*': a = int64_t(ua * ub); break;
      // the one quotient that overflows wraps
      case '/': a = b == -1 ? int64_t(-ua) : a / b; break;
      case '%': a = b == -1 ? 0 : a % b; break;
      default: break;
    }
  }
}

int64_t Cursor::factor() {
  if (++depth_ > 200) fail("the expression is nested too deeply");
  struct Leave {
    int& d;
    ~Leave() { --d; }
  } leave{depth_};
  if (take('-')) return int64_t(-uint64_t(factor()));
  if (take('+')) return factor();
  if (take('~')) return ~factor();
  if (take('(')) {
    const int64_t v = binary(0);
    expect(')', "closing the expression");
    return v;
  }
  const size_t start = at_;
  const std::string_view w = word();
  int base = 10;
  std::string_view digits = w;
  if (w.size() > 2 && w[0] == '0' && (w[1] == 'x' || w[1] == 'X')) base = 16, digits = w.substr(2);
  if (w.size() > 2 && w[0] == '0' && (w[1] == 'b' || w[1] == 'B')) base = 2, digits = w.substr(2);
  uint64_t v = 0;
  const auto r = std::from_chars(digits.data(), digits.data() + digits.size(), v, base);
  if (digits.empty() || r.ec == std::errc::invalid_argument || r.ptr != digits.data() + digits.size())
    expected("a number");
  if (r.ec == std::errc::result_out_of_range) fail_at(start, w.size(), fmt::format("{} does not fit 64 bits", w));
  at_ += w.size();
  return int64_t(v);
}

}  // namespace vitro::isa
