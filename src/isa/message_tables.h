// The shape of the message tables: rows that recognise a message by bits of its descriptors, and the named fields of
// each. Rows and fields speak of one 64-bit word, the descriptor in 31:0 and the extended descriptor in 63:32. Shared
// by message.cpp and the tables; other rooms use message.h.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/bits.h"
#include "isa/descriptor.h"
#include "isa/instruction.h"
#include "isa/message.h"
#include "isa/message_shape.h"
#include "isa/sampler_message.h"

namespace vitro::isa {

struct MessageMeaning {
  uint16_t value;
  std::string_view text;
  uint32_t number = 0;  // what the value says, in the terms of the field's role
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

// What a field says to those who carry the message out; the number is that of its value's meaning, without meanings
// the value itself.
enum class FieldRole : uint8_t {
  none,
  space,         // an AddressSpace; a value without a meaning is a surface
  slots,         // how many, from bit 8 on which one is the first, and what colours there are for them
  slot_group,    // the first one
  element,       // bytes
  elements,      // of a slot, in a row
  channels,      // of a slot that take part, a bit for each
  block,         // bytes, and from bit 10 on where in the first register
  block_offset,  // in units of the field
  operation,     // an AtomicOp
  answers,       //
  enables,       // a BlockEnables
  acknowledge,   //
  notify,        //
  swizzle,       //
  slot_offsets,  // the payload has offsets for each slot
  slot_masks,    // and masks
  complete,
  used,
  allocate,
  composite_check,  // of Gen6's URB
  line_override,
  line_stride,
  line_offset,
  child,
  select,      // of the thread spawner
  half,        // results or colours in 16 bits
  sampler,     // index
  per_sample,  // of a render target message
  linear,      // of the pixel interpolator, as are these
  sample,
  across,
  down,
};

// What the number of FieldRole::slots says of colours.
inline constexpr uint32_t one_colour = 1 << 16, two_sources = 1 << 17;

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
  FieldRole role = FieldRole::none;
};

struct MessageRow {
  MessageMatch match;
  std::string_view name;  // empty: what matches is reserved, whatever later rows say
  std::span<const MessageFieldLayout> fields;
  MessageShape shape;         // what does not depend on fields; shared_function() wants an action, or `unsupported`
  std::string_view msd = {};  // the document's name
  SamplerForm sampler = {};   // of a sampler message
};

struct SharedFunction {
  std::string_view name = {};
  Bits type = no_bits;                    // of the message, in the descriptor
  std::span<const MessageRow> rows = {};  // searched in order, the first matching row counts
  std::array<uint8_t, 32> first = {};     // by type: where to begin to search
};
// Of rows whose actions are all of a family, or marked unsupported; others do not compile.
consteval SharedFunction shared_function(std::string_view name, Bits type, std::span<const MessageRow> rows,
                                         ActionFamily family) {
  for (const MessageRow& r : rows)
    if (!r.name.empty() && r.shape.action != MessageAction::unsupported &&
        (r.shape.action == MessageAction::reserved || family_of(r.shape.action) != family))
      throw "a row without an action of its shared function";
  SharedFunction f{name, type, rows};
  for (uint64_t t = 0; t < f.first.size() && type.present(); ++t) {
    const uint64_t bits = mask(type).lo;
    while (f.first[t] < rows.size() &&
           ((t << type.lo ^ rows[f.first[t]].match.value) & rows[f.first[t]].match.mask & bits))
      ++f.first[t];
  }
  return f;
}

// Where M0.2 of a barrier message has what.
struct BarrierFields {
  Bits id{27, 24};
  Bits id_high = no_bits;       // the bits above id
  Bits offset = no_bits;        // absent: completion is a notification only, and no register is written
  bool even_offsets = false;    // the lowest bit of the offset is ignored
  Bits count_enable = no_bits;  // the message carries a new count
  Bits count = no_bits;
};

struct MessageTables {
  std::array<SharedFunction, 16> functions;
  BarrierFields barrier = {};
  Bits urb_handle{15, 0};                           // in a dword of the payload
  MessageFieldLayout bindless = {.bits = no_bits};  // replaces a surface field when its condition holds
};

// Null if no row matches.
const MessageRow* find_message(const MessageTables& tables, unsigned sfid, uint64_t word);

// A message that a descriptor names, and its shape.
struct DecodedMessage {
  const MessageRow* row = nullptr;  // null: reserved
  MessageShape shape{};
};
DecodedMessage decode_message(const MessageTables& tables, unsigned sfid, uint32_t desc);

// Whether it may take time until a send's message is taken or answered, or its answer depends on other threads; if its
// descriptors are in registers, whether it may for any that they can be.
bool may_wait(const MessageTables& tables, const Instruction& send);

// A field of a message, and the number of its value's meaning; 0 if it has no such field.
uint32_t field_of(const MessageRow& row, FieldRole role, uint32_t desc);
uint32_t number_of(const MessageRow& row, FieldRole role, uint32_t desc);

// The first field that has a value it does not define, with a role or without; null: there is none.
const MessageFieldLayout* reserved_field(const MessageTables& tables, const MessageRow& row, uint64_t word);

// Null if the table does not name the value.
const MessageMeaning* find_meaning(std::span<const MessageMeaning> meanings, uint64_t value);

}  // namespace vitro::isa
