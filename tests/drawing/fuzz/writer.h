// What shaders are written with: values, each a row of registers for the lanes that a half of the program runs, and the
// statements that turn some into others. No part of the machine.
#pragma once

#include <fmt/format.h>

#include <functional>
#include <string>
#include <vector>

#include "base/random.h"
#include "isa/instruction.h"
#include "isa/model.h"

namespace vitro::drawing {

// Registers: values below, then what messages answer with, and what they are given.
inline constexpr unsigned end_of_values = 78, answers_at = 78, counters_at = 90, payload_at = 94, last_payload_at = 112;

class Writer {
 public:
  Writer(const isa::Model& model, Rng& rng);

  template <class... T>
  void line(fmt::format_string<T...> f, T&&... t) {
    text += fmt::format(f, std::forward<T>(t)...);
    text += '\n';
  }
  std::string exec() const { return fmt::format("({}|M{})", width, group); }
  std::string exec(unsigned lanes, unsigned more) const { return fmt::format("({}|M{})", lanes, group + more); }
  static std::string whole(unsigned reg, const char* type) { return fmt::format("r{}.0<8;8,1>:{}", reg, type); }
  unsigned row() const { return width / 8; }
  unsigned value() { return rng.pick(values); }
  float number();

  // Values from `first` on, which `give` makes: it writes the line that fills a register.
  void begin(unsigned first, unsigned count, const std::function<void(unsigned reg)>& give);
  // One of the opcode table, from values to a value.
  void arithmetic();
  // About so many, with branches around some of them; `other` may write one instead.
  void statements(unsigned count, const std::function<void()>& other, unsigned depth = 0);
  // To a register of a payload, in all lanes.
  void put_float(unsigned reg, float scale);
  void put_integer(unsigned reg, uint32_t mask);
  void put(unsigned reg);

  const isa::Model& m;
  Rng& rng;
  std::string text;
  unsigned width = 16, group = 0;
  std::vector<unsigned> values;

 private:
  bool settle(const isa::OpcodeRow& row, isa::Instruction& i);
  bool runs(const isa::Instruction& i) const;
  void compare();

  std::vector<const isa::OpcodeRow*> rows_;
  unsigned labels_ = 0;
};

}  // namespace vitro::drawing
