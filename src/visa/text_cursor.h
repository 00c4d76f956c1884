// A place in vISA text with the small steps a parser takes. A statement ends with its line; comments are blanks, and
// those of C may hold newlines. Failure is an exception inside the reader only: it ends the statement.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace vitro::visa {

struct TextError {
  size_t at, length;
  std::string message;
};

class TextCursor {
 public:
  explicit TextCursor(std::string_view text) : text_(text) {}

  size_t at() const { return at_; }
  void go(size_t at) { at_ = at; }
  uint32_t line() const { return line_; }
  uint16_t column(size_t at) const;

  char here(size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  char peek() {
    skip();
    return here();
  }
  void step(size_t n = 1) { at_ += n; }
  bool take_here(char c) {
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  bool take(char c) {
    skip();
    return take_here(c);
  }
  bool take_here(std::string_view word) {
    if (text_.substr(at_, word.size()) != word) return false;
    at_ += word.size();
    return true;
  }
  void expect(char c);

  bool at_end() const { return at_ >= text_.size(); }
  bool at_line_end() { return skip(), at_ >= text_.size() || text_[at_] == '\n'; }
  void next_line();  // past the end of this one
  void drop_line();  // whatever is left of it

  // A name: letters, digits, underscores, with % in front of predefined ones; empty if there is none.
  std::string_view take_name();
  std::string_view take_word();  // without %
  std::string_view name_here() const;
  std::string take_quoted();
  uint64_t take_number(std::string_view what, uint64_t limit);  // decimal or 0x

  // An expression with C's operators; `closing` stops at a >, which ends a region or an alias.
  using SizeOf = std::function<int64_t(std::string_view name, size_t at)>;
  int64_t expression(const SizeOf& size_of) { return conditional(size_of); }
  int64_t closing_expression(const SizeOf& size_of) { return shift(size_of); }
  int64_t unary(const SizeOf& size_of);

  [[noreturn]] void fail(std::string message) const { fail_at(at_, 1, std::move(message)); }
  [[noreturn]] void fail_at(size_t at, size_t length, std::string message) const {
    throw TextError{at, length, std::move(message)};
  }
  [[noreturn]] void expected(std::string_view what);

  bool unclosed_comment() const { return unclosed_comment_; }

 private:
  void skip() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == ' ' || c == '\t' || c == '\r')
        ++at_;
      else if (c == '/' || c == '\\') {
        if (!skip_comment()) return;
      } else
        return;
    }
  }
  bool skip_comment();
  int64_t conditional(const SizeOf&);
  int64_t binary(const SizeOf&, int level);
  int64_t shift(const SizeOf&);
  int64_t primary(const SizeOf&);
  void deeper();

  std::string_view text_;
  size_t at_ = 0, line_begin_ = 0;
  uint32_t line_ = 1;
  int depth_ = 0;
  bool unclosed_comment_ = false;
};

constexpr bool starts_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
constexpr bool is_decimal(char c) { return c >= '0' && c <= '9'; }
constexpr bool in_name(char c) { return starts_name(c) || is_decimal(c); }

}  // namespace vitro::visa
