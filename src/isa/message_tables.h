// The shape of the message tables: rows that recognise a message by bits of its descriptors, and the named fields of
// each. Rows and fields speak of one 64-bit word, the descriptor in 31:0 and the extended descriptor in 63:32. Shared
// by message.cpp and the tables; other rooms use message.h.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/bits.h"
#include "isa/message.h"

namespace vitro::isa {

struct MessageMeaning {
  uint16_t value;
  std::string_view text;
};

// How a comment shows a field. Values without a meaning are reserved in labelled, bare and option fields.
enum class FieldText : uint8_t {
  number,    // "offset 5 hwords"; a value that has a meaning shows that instead
  surface,   // as number; a binding table index, which some generations can replace by a bindless surface
  hex,       // "control 0x1f"
  labelled,  // "mask xy--"
  bare,      // "simd16"
  option,    // as bare, but 0 is the ordinary case and not shown
  flag,      // "return" when set, otherwise nothing
};

// Some bits of the word and the value that they must have.
struct MessageMatch {
  uint64_t mask = 0, value = 0;
  constexpr bool operator()(uint64_t word) const { return (word & mask) == value; }
  friend constexpr MessageMatch operator&(MessageMatch a, MessageMatch b) {
    return {a.mask | b.mask, a.value | b.value};
  }
};

struct MessageFieldLayout {
  std::string_view name;
  Bits bits;
  FieldText text = FieldText::number;
  std::span<const MessageMeaning> meanings = {};
  std::string_view unit = {};  // follows a number
  MessageMatch when = {};      // the field exists only then
  Bits high = no_bits;         // upper bits of the value, where it is split
};

struct MessageRow {
  MessageMatch match;
  std::string_view name;  // empty: what matches is reserved, whatever later rows say
  std::span<const MessageFieldLayout> fields;
};

struct SharedFunction {
  std::string_view name = {};
  // Searched in order, the first matching row counts.
  std::array<std::span<const MessageRow>, 3> rows = {};
};

struct MessageTables {
  std::array<SharedFunction, 16> functions;
  MessageFieldLayout bindless = {.bits = no_bits};  // replaces a surface field when its condition holds
};

// Null if no row matches.
const MessageRow* find_message(const MessageTables& tables, unsigned sfid, uint64_t word);

// Null if the table does not name the value.
const MessageMeaning* find_meaning(std::span<const MessageMeaning> meanings, uint64_t value);

}  // namespace vitro::isa
