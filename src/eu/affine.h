// Straight code as a function of a thread's place. Threads of one kind that differ in a place (x, y) only are followed
// all at once: a model thread runs in the interpreter, and beside its registers stands how each element changes from
// place to place: not at all, by multiples of x and y, or in a way that is not known. The expressions of semantics.def
// are evaluated over a domain of such numbers; no opcode has code of its own here. Messages are left to whoever asks,
// who may put marks into registers, and finds out where they went.
// PRM: none. What is not followed: predicates, conditions, flow, accumulators, registers that are named by others.
// Numbers are multiples of 1/256 below 2^15, so that all that is done with them is exact in a float, too.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "eu/executor.h"

namespace vitro::eu {

// In 1/256: `at` at the model's place, and what a step in x and in y adds; or a mark.
struct AffineValue {
  static constexpr int fraction_bits = 8;
  enum class Kind : uint8_t { unknown, number, mark };
  Kind kind = Kind::unknown;
  int64_t at = 0, dx = 0, dy = 0;
  uint32_t mark = 0;

  bool is_number() const { return kind == Kind::number; }
  bool is_constant() const { return is_number() && dx == 0 && dy == 0; }
  // x + n or y + n, for the model's x or y: all of it in whole steps.
  bool is_x() const { return is_number() && dx == 1 << fraction_bits && dy == 0; }
  bool is_y() const { return is_number() && dy == 1 << fraction_bits && dx == 0; }
  int64_t whole() const { return at >> fraction_bits; }
};

// Places of the threads that are followed, from the model's; with the last ones.
struct PlaceRange {
  int32_t x0 = 0, y0 = 0, x1 = 0, y1 = 0;
};

class AffineThread {
 public:
  // The model is `thread`, filled in by whoever asks. To begin with, nothing is known of its registers.
  AffineThread(const Program& program, const PlaceRange& places);
  Thread thread{};

  // What is said of general registers, by bytes: they are the same everywhere, or unlike; an element of the payload
  // changes by so many whole steps; a dword has a mark.
  void set_same(unsigned first, unsigned bytes) { set_state(first, bytes, same); }
  void set_unknown(unsigned first, unsigned bytes) { set_state(first, bytes, unlike); }
  void set_finite(unsigned first, unsigned bytes) { set_state(first, bytes, finite); }  // floats, unlike but finite
  void set_number(unsigned at, isa::Type type, int dx, int dy);
  void set_mark(unsigned at, uint32_t mark);
  AffineValue element(unsigned at, isa::Type type) const;
  // Whether bytes are everywhere as the model has them.
  bool is_same(unsigned at, unsigned bytes) const;

  // Follows code up to its next message, which is not sent. Null: it cannot be followed so far.
  const Plan* next_message();
  // Goes on behind a message.
  void pass(const Plan& message) { thread.ip = message.next_ip; }

 private:
  enum : uint16_t { same, unlike, finite, first_element };
  struct Element {
    AffineValue value;
    unsigned at = 0;
    isa::Type type = isa::Type::ud;
  };

  void set_state(unsigned first, unsigned bytes, uint16_t state);
  void store(unsigned at, isa::Type type, const AffineValue& value);
  bool step(const Plan& p);
  bool is_flat(const Plan& p, int lane) const;
  bool holds(const AffineValue& value, isa::Type type) const;
  AffineValue source(const Plan& p, int n, int lane, bool& same) const;
  AffineValue stored(const Plan& p, AffineValue value) const;
  int64_t least(const AffineValue& v) const;
  int64_t most(const AffineValue& v) const;

  const Program& program_;
  PlaceRange places_;
  std::vector<Element> elements_{};
  std::array<uint16_t, size_t(grf_count) * reg_bytes> state_;  // of each byte
};

}  // namespace vitro::eu
