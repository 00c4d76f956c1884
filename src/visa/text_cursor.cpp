// Lexical steps and constant expressions of vISA text; see text_cursor.h. The precedence of & ^ | is the grammar's,
// which is not that of C.
#include "visa/text_cursor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace vitro::visa {
namespace {

constexpr int deepest = 64;  // nesting of expressions

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

uint16_t TextCursor::column(size_t at) const {
  return uint16_t(std::min<size_t>(at >= line_begin_ ? at - line_begin_ + 1 : 1, UINT16_MAX));
}

bool TextCursor::skip_comment() {
  if (text_[at_] == '\\') {  // a line that goes on in the next
    size_t end = at_ + 1;
    if (end < text_.size() && text_[end] == '\r') ++end;
    if (end >= text_.size() || text_[end] != '\n') return false;
    at_ = line_begin_ = end + 1;
    ++line_;
    return true;
  }
  const char next = here(1);
  if (next == '/') {
    const void* end = std::memchr(text_.data() + at_, '\n', text_.size() - at_);
    at_ = end ? size_t(static_cast<const char*>(end) - text_.data()) : text_.size();
    return true;
  }
  if (next != '*') return false;
  const size_t end = text_.find("*/", at_ + 2);
  if (end == std::string_view::npos) {
    if (!unclosed_comment_) {
      unclosed_comment_ = true;
      fail_at(at_, 2, "the comment has no end");
    }
    at_ = text_.size();
    return true;
  }
  for (size_t n = at_; n < end; ++n)
    if (text_[n] == '\n') ++line_, line_begin_ = n + 1;
  at_ = end + 2;
  return true;
}

void TextCursor::next_line() {
  if (at_ < text_.size() && text_[at_] == '\n') {
    ++at_;
    ++line_;
    line_begin_ = at_;
  }
}

void TextCursor::drop_line() {
  at_ = std::min(text_.find('\n', at_), text_.size());
  depth_ = 0;
}

void TextCursor::expect(char c) {
  if (!take(c)) expected(fmt::format("'{}'", c));
}

void TextCursor::expected(std::string_view what) {
  if (at_line_end()) fail(fmt::format("the line ends, expected {}", what));
  size_t end = at_;
  while (end < text_.size() && in_name(text_[end])) ++end;
  if (end == at_) ++end;
  fail_at(at_, end - at_, fmt::format("found '{}', expected {}", text_.substr(at_, end - at_), what));
}

std::string_view TextCursor::name_here() const {
  size_t end = at_;
  if (end < text_.size() && text_[end] == '%') ++end;
  if (end >= text_.size() || !starts_name(text_[end])) return {};
  while (end < text_.size() && in_name(text_[end])) ++end;
  return text_.substr(at_, end - at_);
}

std::string_view TextCursor::take_name() {
  skip();
  const std::string_view name = name_here();
  at_ += name.size();
  return name;
}

std::string_view TextCursor::take_word() {
  skip();
  return here() == '%' ? std::string_view{} : take_name();
}

std::string TextCursor::take_quoted() {
  skip();
  const size_t begin = at_;
  if (!take_here('"')) expected("a string in quotes");
  std::string out;
  while (!take_here('"')) {
    const char c = here();
    if (at_end() || c == '\n') fail_at(begin, at_ - begin, "the string has no end");
    step();
    if (c != '\\') {
      out += c;
      continue;
    }
    const char e = here();
    const size_t simple = std::string_view("abefnrtv'\"?\\").find(e);
    if (e && simple != std::string_view::npos) {
      out += "\a\b\x1b\f\n\r\t\v'\"?\\"[simple];
      step();
    } else if (is_decimal(e)) {
      int v = 0;
      for (int n = 0; n < 3 && is_decimal(here()); ++n, step()) v = v * 8 + (here() - '0');
      out += char(v);
    } else if (e == 'x' && hex_digit(here(1)) >= 0) {
      step();
      int v = 0;
      for (int n = 0; n < 2 && hex_digit(here()) >= 0; ++n, step()) v = v * 16 + hex_digit(here());
      out += char(v);
    } else {
      fail_at(at_ - 1, 2, "no such escape in a string");
    }
  }
  if (out.find('\0') != std::string::npos) fail_at(begin, at_ - begin, "a string cannot hold a zero");
  return out;
}

uint64_t TextCursor::take_number(std::string_view what, uint64_t limit) {
  skip();
  const size_t begin = at_;
  uint64_t v = 0;
  bool overflow = false;
  if (here() == '0' && (here(1) == 'x' || here(1) == 'X') && hex_digit(here(2)) >= 0) {
    step(2);
    for (; hex_digit(here()) >= 0; step()) {
      overflow |= v >> 60 != 0;
      v = v << 4 | uint64_t(hex_digit(here()));
    }
  } else if (is_decimal(here())) {
    for (; is_decimal(here()); step()) {
      overflow |= v > (UINT64_MAX - 9) / 10;
      v = v * 10 + uint64_t(here() - '0');
    }
  } else {
    expected(what);
  }
  if (overflow || v > limit) fail_at(begin, at_ - begin, fmt::format("{} is at most {}", what, limit));
  return v;
}

void TextCursor::deeper() {
  if (++depth_ > deepest) {
    depth_ = 0;
    fail(fmt::format("expressions nest at most {} deep", deepest));
  }
}

int64_t TextCursor::conditional(const SizeOf& size_of) {
  deeper();
  int64_t v = binary(size_of, 0);
  if (take('?')) {
    const int64_t yes = binary(size_of, 0);
    expect(':');
    const int64_t no = conditional(size_of);
    v = v ? yes : no;
  }
  --depth_;
  return v;
}

// Levels: & ^ | (== !=) (< > <= >=), all weaker than shifts. Comparisons do not chain.
int64_t TextCursor::binary(const SizeOf& size_of, int level) {
  if (level == 5) return shift(size_of);
  int64_t v = binary(size_of, level + 1);
  for (;;) {
    const char c = peek(), d = here(1);
    if (level <= 2) {
      if (c != "&^|"[level]) return v;
      step();
      const int64_t right = binary(size_of, level + 1);
      v = level == 0 ? v & right : level == 1 ? v ^ right : v | right;
    } else if (level == 3) {
      if (d != '=' || (c != '=' && c != '!')) return v;
      step(2);
      const int64_t right = binary(size_of, level + 1);
      return c == '=' ? v == right : v != right;
    } else {
      if (c != '<' && c != '>') return v;
      const bool equal = d == '=';
      step(equal ? 2 : 1);
      const int64_t right = binary(size_of, level + 1);
      return c == '<' ? (equal ? v <= right : v < right) : (equal ? v >= right : v > right);
    }
  }
}

int64_t TextCursor::shift(const SizeOf& size_of) {
  const auto product = [&] {
    uint64_t v = uint64_t(unary(size_of));
    for (;;) {
      const char c = peek();
      const size_t at = at_;
      // A % in front of a letter begins a name, not a remainder.
      if (c != '*' && c != '/' && !(c == '%' && !starts_name(here(1)))) return int64_t(v);
      step();
      const int64_t right = unary(size_of);
      if (c != '*' && right == 0) fail_at(at, 1, "division by zero");
      if (c == '*')
        v *= uint64_t(right);
      else if (right == -1)
        v = c == '/' ? 0 - v : 0;
      else
        v = uint64_t(c == '/' ? int64_t(v) / right : int64_t(v) % right);
    }
  };
  const auto sum = [&] {
    uint64_t v = uint64_t(product());
    for (;;) {
      const char c = peek();
      if (c != '+' && c != '-') return int64_t(v);
      step();
      const uint64_t right = uint64_t(product());
      v = c == '+' ? v + right : v - right;
    }
  };
  int64_t v = sum();
  const char c = peek();
  if ((c == '<' || c == '>') && here(1) == c) {
    const bool logical = c == '>' && here(2) == '>';
    step(logical ? 3 : 2);
    const int64_t by = sum();
    if (by < 0 || by > 63) fail("shifts go from 0 to 63");
    v = c == '<' ? int64_t(uint64_t(v) << by) : logical ? int64_t(uint64_t(v) >> by) : v >> by;
  }
  return v;
}

int64_t TextCursor::unary(const SizeOf& size_of) {
  deeper();
  int64_t v = 0;
  switch (peek()) {
    case '-': step(), v = int64_t(0 - uint64_t(unary(size_of))); break;
    case '~': step(), v = ~unary(size_of); break;
    case '!': step(), v = !unary(size_of); break;
    default: v = primary(size_of);
  }
  --depth_;
  return v;
}

int64_t TextCursor::primary(const SizeOf& size_of) {
  if (take('(')) {
    const int64_t v = conditional(size_of);
    expect(')');
    return v;
  }
  const size_t begin = at_;
  if (here() == '%') {
    const std::string_view name = take_name();
    if (name == "%DispatchSimd") return size_of(name, begin);
    if (name != "%sizeof")
      fail_at(begin, std::max<size_t>(name.size(), 1), "only %sizeof and %DispatchSimd are numbers");
    const bool parenthesis = take('(');
    skip();
    const size_t at = at_;
    const std::string_view of = take_word();
    if (of.empty()) expected("the name of a variable, or GRF");
    const int64_t v = size_of(of, at);
    if (parenthesis) expect(')');
    return v;
  }
  return int64_t(take_number("a number", UINT64_MAX));
}

}  // namespace vitro::visa
