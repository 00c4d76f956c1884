// Packets as text. A command in one line, for traces and reports, or field by field; values are spelled out, and what
// no document allows is flagged. PRM: command reference.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "decode/language.h"

namespace vitro::decode {

// A value as its field says: "Write Immediate Data (1)", "0x1000", "true", "2.5".
void append_value(std::string& out, const Language& language, const Field& field, uint64_t value);
// Whether the field has names and this value has none, which no document allows. Zero is what nobody set, and a single
// name is one value among many.
bool is_unnamed(const Field& field, uint64_t value);

// Bits of a dword that are set and that no field names.
uint32_t reserved_bits(const Packet& packet, std::span<const uint32_t> dwords, size_t dword);

// Calls visit(field, n, value) with every field that the dwords hold; n counts those that stand there several times.
template <class Visit>
void for_each_value(const Packet& packet, std::span<const uint32_t> dwords, Visit&& visit) {
  for (const Field& f : packet.fields)
    for (unsigned n = 0; n < f.count; ++n) {
      const PacketBits b = f.at(n);
      if (size_t(b.hi / 32) >= dwords.size()) break;
      visit(f, n, extract(dwords, b));
    }
}
// Where dwords begin that neither fields nor a list say anything about: data, most often. Those that belong to the
// packet and are zero are left out.
size_t rest_of(const Packet& packet, std::span<const uint32_t> dwords);

// "PIPE_CONTROL: Command Streamer Stall Enable, Post Sync Operation = Write Immediate Data (1)": the fields that are
// not zero.
std::string describe(const Language& language, std::span<const uint32_t> packet, commands::Engine engine);

}  // namespace vitro::decode
