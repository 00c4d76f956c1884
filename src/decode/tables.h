// The tables that say what layouts do not: packets that nothing executes, names of values, lists behind packets, and
// where pointers lead. PRM: Gen6, Gen8 and Gen9 command references. Rows name the generations they hold for.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "base/packet_description.h"

namespace vitro::decode {

using Generations = unsigned;
inline constexpr Generations G6 = 1, G8 = 2, G9 = 4, G68 = G6 | G8, G69 = G6 | G9, G89 = G8 | G9, G689 = G6 | G8 | G9;

// A packet of packet_table.def; its fields are the rows that follow.
enum class RowKind : uint8_t { field, command, object, parts };
struct TablePacket {
  RowKind kind = RowKind::command;
  Generations generations = 0;
  PacketDescription description{};
  std::string_view whole{};  // of parts: the field they stand for
};
std::span<const TablePacket> packet_table();

// What the values of a field are: names, or how a number is to be read. See value_table.def.
struct ValueRow {
  std::string_view packet, field;
  Generations generations = 0;
  std::string_view spec;
};
std::span<const ValueRow> value_table();
// The names behind "@list" in a spec of the table; empty if they come from elsewhere.
std::string_view value_list(std::string_view name);

struct ListRow {
  std::string_view packet;
  int from = 0;
  std::string_view object;
  Generations generations = 0;
};
std::span<const ListRow> list_table();

struct PointerRow {
  std::string_view packet, field, when, base, target, count;
  Generations generations = 0;
};
std::span<const PointerRow> pointer_table();

}  // namespace vitro::decode
