// The tables put together. PRM: see each of them. Fields of a packet are the rows between it and the next.
#include "decode/tables.h"

namespace vitro::decode {
namespace {

struct Row {
  RowKind kind = RowKind::field;
  Generations generations = 0;
  uint16_t dwords = 0;
  std::string_view whole{};
  DescribedField field{};
};

constexpr DescribedField make_field(std::string_view name, int dword, int hi, int lo, FieldForm form, int count,
                                    int stride) {
  PacketBits bits = dw(dword, hi, lo);
  if (form == FieldForm::address) bits.scale = uint8_t(lo);
  return {name, bits, uint16_t(count), uint16_t(stride), form};
}
constexpr Row make_packet(RowKind kind, Generations generations, std::string_view name, int dwords,
                          std::string_view whole = {}) {
  return {kind, generations, uint16_t(dwords), whole, DescribedField{.name = name}};
}

constexpr FieldForm number = FieldForm::number, flag = FieldForm::flag, integer = FieldForm::signed_number,
                    real = FieldForm::real, pointer = FieldForm::address;

constexpr Row rows[] = {
#define COMMAND(generations, name, dwords) make_packet(RowKind::command, generations, name, dwords),
#define OBJECT(generations, name, dwords) make_packet(RowKind::object, generations, name, dwords),
#define PARTS(generations, name, whole) make_packet(RowKind::parts, generations, name, 0, whole),
#define FIELD(name, dword, hi, lo, form) {.field = make_field(name, dword, hi, lo, form, 1, 0)},
#define FIELDS(name, dword, hi, lo, form, count, stride) \
  {.field = make_field(name, dword, hi, lo, form, count, stride)},
#include "decode/packet_table.def"
#undef COMMAND
#undef OBJECT
#undef PARTS
#undef FIELD
#undef FIELDS
};

constexpr ValueRow value_rows[] = {
#define VALUES(packet, field, generations, spec) {packet, field, generations, spec},
#include "decode/value_table.def"
};

struct Names {
  std::string_view name, values;
};
constexpr Names name_lists[] = {
#define NAMES(name, values) {name, values},
#include "decode/value_table.def"
};

constexpr ListRow list_rows[] = {
#define LIST(packet, from, object, generations) {packet, from, object, generations},
#include "decode/pointer_table.def"
};

constexpr PointerRow pointer_rows[] = {
#define POINTER(packet, field, when, base, target, count, generations) \
  {packet, field, when, base, target, count, generations},
#include "decode/pointer_table.def"
};

}  // namespace

std::span<const TablePacket> packet_table() {
  struct Made {
    std::vector<DescribedField> fields;
    std::vector<TablePacket> packets;
  };
  static const Made made = [] {
    Made m;
    m.fields.reserve(std::size(rows));  // spans of it stay good
    for (const Row& r : rows) {
      if (r.kind != RowKind::field) {
        m.packets.push_back({r.kind, r.generations, {r.field.name, 0, 0, r.dwords, {}}, r.whole});
      } else {
        m.fields.push_back(r.field);
        PacketDescription& d = m.packets.back().description;
        d.fields = std::span(m.fields).last(d.fields.size() + 1);
      }
    }
    return m;
  }();
  return made.packets;
}

std::span<const ValueRow> value_table() { return value_rows; }
std::string_view value_list(std::string_view name) {
  for (const Names& n : name_lists)
    if (n.name == name) return n.values;
  return {};
}
std::span<const ListRow> list_table() { return list_rows; }
std::span<const PointerRow> pointer_table() { return pointer_rows; }

}  // namespace vitro::decode
