// The message that an instruction is: shared function, descriptor, and what of which operand stands where in payload
// and response. Made of the rows of the project's one message table (isa/message_tables.h): a row is chosen by its name
// and its fields are set by what they mean. What runs an instruction and what may one day compile it see the same.
// Documents: the pages of the message instructions; Gen8 vol 2a, the MSD_* formats.
// Not lowered: VME, AVS and the messages that Gen8 and Gen9 have no row for; they are refused by name.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "isa/message_tables.h"
#include "visa/object.h"
#include "visa/storage.h"

namespace vitro::visa {

// A raw operand: bytes of a variable from a place on.
struct RawPlace {
  bool null = true, shared = false;
  uint32_t at = 0;     // as VariablePlace
  uint32_t bytes = 0;  // up to the end of the variable
  uint32_t variable = 0;
};

// An element of each slot, one behind the other in registers.
struct SlotRow {
  RawPlace raw{};            // null: zeros
  uint32_t offset = 0;       // in the variable, of the first slot
  uint16_t at = 0;           // bytes from the begin of payload or response
  uint16_t distance = 4;     // in the variable, from one slot to the next
  uint8_t bytes = 4;         // of an element, in the variable
  uint8_t in_registers = 4;  // and in registers: what is more is zero
  uint8_t unit = 1;          // offsets count so many bytes
  bool place = false;        // an offset: the operand that is the same for all is added
};

// A dword of the header, or a qword, that an operand gives.
struct HeaderField {
  uint8_t dword = 0;
  int8_t source = -1;  // operand of the operation; -1: none
  uint32_t value = 0;  // else
  uint8_t unit = 1;    // the operand counts so many
};

// Bytes as they stand.
struct BytesRow {
  RawPlace raw{};
  uint32_t offset = 0;
  uint16_t at = 0;
  uint16_t bytes = 0;
};

struct LoweredMessage {
  std::string_view name{};  // of the row
  uint8_t sfid = 0;
  uint32_t desc = 0, ex_desc = 0;
  uint8_t slots = 8;          // of a message; an operation of more channels sends several
  bool header = false;        // with r0 in it, but for the fields
  bool plain_header = false;  // zeros instead of r0
  bool all = false;           // whatever the channels
  bool has_surface = false, has_sampler = false;
  uint16_t surface = 0, sampler = 0;
  int8_t added = -1;  // operand that is added to all places
  uint8_t mlen = 0, rlen = 0;
  std::vector<HeaderField> fields{};
  std::vector<SlotRow> payload{}, response{};
  std::vector<BytesRow> blocks{}, answers{};
  bool keeps_rest = false;  // the response is what was there where the message does not write
};

// What the messages of an instruction need besides its row.
struct MessageContext {
  const isa::MessageTables& tables;
  const Routine& routine;
  const Storage& storage;
};

bool is_message(const Instruction&);
// The operands that are scalars (offsets, addresses) are `sources` of the operation in their order; their places in
// the instruction are returned, too. An error names what is not supported.
struct Lowered {
  std::vector<LoweredMessage> messages{};  // one, or as many as a block needs
  std::vector<uint8_t> scalars{};          // operands of the instruction
};
Result<Lowered> lower(const MessageContext&, const Instruction&);

RawPlace raw_place(const Storage&, const Operand&);

// The descriptor of a row, with its fields set; without lengths and surface.
struct WantedField {
  isa::FieldRole role;
  uint32_t number;
};
struct Descriptor {
  uint8_t sfid = 0;
  uint32_t desc = 0, ex_desc = 0;
};
Result<Descriptor> descriptor(const isa::MessageTables&, std::string_view function, std::string_view row,
                              std::span<const WantedField>);

}  // namespace vitro::visa
