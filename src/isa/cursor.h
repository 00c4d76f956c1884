// A place in a statement of assembly text, with the small steps a parser takes. Failure is an exception inside the
// parser only: it ends the statement, is turned into a Diagnostic, and the next statement goes on.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace vitro::isa {

struct SyntaxError {
  size_t at, length;
  std::string message;
};

class Cursor {
 public:
  Cursor(std::string_view text, size_t at, size_t end) : text_(text), at_(at), end_(end) {}

  size_t at() const { return at_; }
  void go(size_t at) { at_ = at; }
  bool done() {
    skip();
    return at_ >= end_;
  }
  char peek() {
    skip();
    return here();
  }
  // The very next character, blanks included: operands are written without blanks inside.
  char here(size_t ahead = 0) const { return at_ + ahead < end_ ? text_[at_ + ahead] : '\0'; }
  void step(size_t n = 1) { at_ += n; }
  bool take(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  bool take_here(char c) {
    if (here() != c) return false;
    ++at_;
    return true;
  }
  void expect(char c, std::string_view what);

  // Letters, digits and underscores from here on; empty if there are none.
  std::string_view word() const;
  std::string_view take_word();
  // Everything up to the next blank, for messages.
  std::string found();

  [[noreturn]] void fail(std::string message) const { fail_at(at_, 1, std::move(message)); }
  [[noreturn]] void fail_at(size_t at, size_t length, std::string message) const {
    throw SyntaxError{at, length, std::move(message)};
  }
  [[noreturn]] void expected(std::string_view what);

  // An unsigned decimal number right here.
  uint32_t number(std::string_view what, uint32_t limit);
  // A constant expression: + - * / % << >> & | ^ ~ and parentheses over decimal, 0x and 0b numbers.
  int64_t expression();
  // One number, signed or an expression in parentheses: where operands are separated by blanks only.
  int64_t term();

 private:
  void skip() {
    while (at_ < end_ && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\r')) ++at_;
  }
  int64_t binary(int level);
  int64_t factor();

  std::string_view text_;
  size_t at_, end_;
  int depth_ = 0;
};

}  // namespace vitro::isa
