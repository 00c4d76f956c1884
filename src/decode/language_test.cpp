// The tables of the decoder against each other and against what is executed: rows that name something that is not
// there, fields that overlap, names that occur twice; and that every field of every packet is printed.
#include "decode/language.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "decode/printer.h"
#include "decode/tables.h"
#include "decode/text.h"
#include "gen/machine.h"

namespace vitro::decode {
namespace {

struct Known {
  Generations bit;
  const char* device;
  const Language& language;
};
std::vector<Known> all() {
  const auto of = [](const char* device) -> const Language& {
    return gen::machine(*gen::find_device(device)).commands.language();
  };
  return {{G6, "snb", of("snb")}, {G8, "bdw", of("bdw")}, {G9, "kbl", of("kbl")}};
}
std::vector<const Packet*> packets(const Language& l) {
  std::vector<const Packet*> list;
  for (const Packet& p : l.commands()) list.push_back(&p);
  for (const Packet& p : l.objects()) list.push_back(&p);
  return list;
}
bool has(const Language& l, std::string_view packet, std::string_view field) {
  const auto list = packets(l);
  return std::any_of(list.begin(), list.end(), [&](const Packet* p) {
    return (packet == "*" || p->name == packet) && (field.empty() || p->find(field) >= 0);
  });
}

TEST(Language, RowsNameWhatIsThere) {
  for (const Known& k : all()) {
    for (const ValueRow& r : value_table()) {
      if (!(r.generations & k.bit)) continue;
      EXPECT_TRUE(has(k.language, r.packet, r.field)) << k.device << " " << r.packet << " " << r.field;
    }
    for (const ListRow& r : list_table()) {
      if (!(r.generations & k.bit)) continue;
      EXPECT_TRUE(has(k.language, r.packet, "")) << k.device << " " << r.packet;
      EXPECT_TRUE(k.language.find_object(r.object)) << k.device << " " << r.object;
    }
    for (const PointerRow& r : pointer_table()) {
      if (!(r.generations & k.bit)) continue;
      EXPECT_TRUE(has(k.language, r.packet, r.field)) << k.device << " " << r.packet << " " << r.field;
      EXPECT_TRUE(r.when.empty() || has(k.language, r.packet, r.when)) << k.device << " " << r.packet << " " << r.when;
      EXPECT_TRUE(r.target == "kernel" || r.target == "binding table" || k.language.find_object(r.target))
          << k.device << " " << r.target;
    }
  }
}

TEST(Language, CountsOfPointersAreFound) {
  for (const Known& k : all())
    for (const Packet* p : packets(k.language))
      for (const Pointer& to : p->pointers)
        EXPECT_TRUE(to.count.more || to.count.field >= 0 || to.count.remembered >= 0) << k.device << " " << p->name;
}

// Packets of the table that no command has would be dead.
TEST(Language, PacketsOfTheTableAreUsed) {
  for (const Known& k : all())
    for (const TablePacket& t : packet_table()) {
      if (!(t.generations & k.bit)) continue;
      EXPECT_TRUE(has(k.language, t.description.name, "")) << k.device << " " << t.description.name;
    }
}

TEST(Language, FieldsHaveTheirOwnNamesAndBits) {
  for (const Known& k : all())
    for (const Packet* p : packets(k.language)) {
      std::set<std::string_view> names;
      std::vector<bool> used(32u * p->dwords);
      for (const Field& f : p->fields) {
        EXPECT_TRUE(names.insert(f.name).second) << k.device << " " << p->name << ": " << f.name;
        ASSERT_LE(f.bits.width(), 64) << p->name << ": " << f.name;
        for (unsigned n = 0; n < f.count; ++n)
          for (unsigned bit = f.at(n).lo; bit <= f.at(n).hi; ++bit) {
            ASSERT_LT(bit, used.size()) << k.device << " " << p->name << ": " << f.name;
            EXPECT_FALSE(used[bit]) << k.device << " " << p->name << ": " << f.name;
            used[bit] = true;
          }
      }
    }
}

// What real batches have is described; the few that no public source describes are listed here.
TEST(Language, CommandsAreDescribed) {
  const std::set<std::string_view> unknown{"MFX_AES_STATE", "MI_OVERLAY_FLIP", "VEBOX_TILING_CONVERT"};
  for (const Known& k : all())
    for (const Packet& p : k.language.commands())
      EXPECT_TRUE(p.described || unknown.count(p.name)) << k.device << " " << p.name;
}

// With all bits set, every field shows, once for each of its elements, and no bit is left over.
TEST(Language, EveryFieldIsPrinted) {
  for (const Known& k : all())
    for (const Packet* p : packets(k.language)) {
      std::string text;
      const auto printer = text_printer(
          k.language, [&](std::string_view more) { text += more; }, false, false);
      std::vector<uint32_t> dwords(p->dwords, ~0u);
      printer->item({.kind = Kind::object, .packet = p, .dwords = dwords});
      printer->finish();
      size_t at = 0;
      for (const Field& f : p->fields)
        for (unsigned n = 0; n < f.count; ++n) {
          std::string line = "    " + std::string(f.name) + (f.count > 1 ? "[" + std::to_string(n) + "]" : "") + ": ";
          const size_t found = text.find(line, at);
          ASSERT_NE(found, text.npos) << k.device << " " << p->name << ": " << line << "\n" << text;
          at = found + 1;
        }
      for (size_t d = 0; d < p->reserved.size(); ++d)
        EXPECT_EQ(p->reserved[d] != 0, text.find("DW" + std::to_string(d) + ": reserved bits") != text.npos) << p->name;
    }
}

TEST(Language, RegistersHaveNames) {
  const Language& l = all()[2].language;
  EXPECT_EQ(register_name(l.registers(), 0x2600), "CS_GPR");
  EXPECT_EQ(register_name(l.registers(), 0x2608), "CS_GPR+8");
  EXPECT_EQ(register_name(l.registers(), 0x22600), "CS_GPR");
  EXPECT_EQ(register_name(l.registers(), 0x3), "");
  EXPECT_EQ(register_name(l.registers(), uint64_t(1) << 40), "");
}

TEST(Text, ValuesAreSpelledOut) {
  const Language& l = all()[2].language;
  Values names;
  names.add(3, "THREE");
  names.add(5000, "MANY");
  const auto shown = [&](Field f, uint64_t v) {
    std::string text;
    append_value(text, l, f, v);
    return text;
  };
  EXPECT_EQ(shown({.bits = dw(0, 31, 0)}, 1000), "1000");
  EXPECT_EQ(shown({.bits = dw(0, 31, 0)}, 0x12345678), "0x12345678");
  EXPECT_EQ(shown({.bits = dw(0, 7, 0), .form = Form::signed_number}, 0xFF), "-1");
  EXPECT_EQ(shown({.bits = dw(0, 0, 0), .form = Form::flag}, 1), "true");
  EXPECT_EQ(shown({.bits = dw(0, 31, 0), .form = Form::real}, 0x3FC00000), "1.5");
  EXPECT_EQ(shown({.bits = dw(0, 11, 0), .form = Form::fixed, .fraction = 8}, 0x180), "1.5");
  EXPECT_EQ(shown({.bits = dw(0, 11, 0), .form = Form::signed_fixed, .fraction = 8}, 0xF80), "-0.5");
  EXPECT_EQ(shown({.bits = dw(0, 31, 0), .form = Form::named, .values = &names}, 3), "THREE (3)");
  EXPECT_EQ(shown({.bits = dw(0, 31, 0), .form = Form::named, .values = &names}, 5000), "MANY (5000)");
  EXPECT_EQ(shown({.bits = dw(0, 31, 0), .form = Form::named, .values = &names}, 4), "4 (reserved value)");
  EXPECT_EQ(shown({.bits = dw(0, 31, 0), .form = Form::named, .values = &names}, 0), "0");
  EXPECT_EQ(shown({.bits = dw(0, 22, 2), .form = Form::reg}, 0x2358), "TIMESTAMP (0x2358)");
}

}  // namespace
}  // namespace vitro::decode
