// Naming of messages: what the descriptors of a send mean to the shared function they address. The disassembler's
// comments and the emulator's traces come from here; nothing here executes a message. PRM: Gen6 vol 4 part 2 table 8-16
// (SFIDs), chapters 1 and 2 (GW-02, URB-04); Gen8 vol 2a, the 90 message descriptors (MSD); Gen9 enumerations SFID and
// "Shared Function ID". The tables stand in message_tables_*.cpp. Not modelled: payload layouts, header contents, and
// whether a message is legal in its context.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace vitro::isa {

// The message tables of one generation.
struct MessageTables;
extern const MessageTables messages_gen6, messages_gen8, messages_gen9;

struct MessageField {
  std::string_view name;
  uint32_t value;
  std::string_view meaning;  // empty if the value is a plain number; "reserved" if the field does not define it
};

struct MessageInfo {
  std::string_view shared_function;  // empty if the SFID is reserved
  std::string_view name;             // "reserved message" if the shared function does not define the encoding
  unsigned mlen, ex_mlen, rlen;
  bool header;
  std::vector<MessageField> fields;
};

MessageInfo describe_message(const MessageTables& tables, unsigned sfid, uint32_t ex_desc, uint32_t desc);

// "dc0", "sampler", ...; empty if the SFID is reserved.
std::string_view shared_function_name(const MessageTables& tables, unsigned sfid);

// One line for a disassembly comment: "dc1: untyped surface read, simd16, mask xy--, bti 1; mlen 2, rlen 4".
void append_message_comment(std::string& out, const MessageTables& tables, unsigned sfid, uint32_t ex_desc,
                            uint32_t desc);
std::string message_comment(const MessageTables& tables, unsigned sfid, uint32_t ex_desc, uint32_t desc);

// The same when the descriptor is in a0: only the shared function is known.
void append_message_comment_indirect(std::string& out, const MessageTables& tables, unsigned sfid);
std::string message_comment_indirect(const MessageTables& tables, unsigned sfid);

}  // namespace vitro::isa
