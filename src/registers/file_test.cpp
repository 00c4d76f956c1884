// The register tables and the rules of access. PRM: Gen8 vol 2c.
#include "registers/file.h"

#include <gtest/gtest.h>

#include <set>

namespace vitro::registers {
namespace {

const Table* const tables[] = {&registers_gen6, &registers_gen8, &registers_gen9};

TEST(Registers, AreFoundAtEveryEngine) {
  for (const uint32_t base : engine_bases) {
    const Found low = find(registers_gen9, base + 0x358), high = find(registers_gen9, base + 0x35C);
    ASSERT_TRUE(low.reg && high.reg);
    EXPECT_EQ(low.reg->name, "TIMESTAMP");
    EXPECT_EQ(low.dword, 0u);
    EXPECT_EQ(high.dword, 1u);
    EXPECT_EQ(find(registers_gen9, base + 0x67C).dword, 31u);  // GPR15's high half
  }
  EXPECT_EQ(find(registers_gen8, 0x7034).reg->name, "L3CNTLREG");
  EXPECT_FALSE(find(registers_gen8, 0x6ABC).reg);
  EXPECT_FALSE(find(registers_gen6, 0x2600).reg);  // no general registers
  EXPECT_FALSE(find(registers_gen8, 0x20D8).reg);
  EXPECT_EQ(find(registers_gen9, 0x20D8).reg->name, "CS_DEBUG_MODE2");
}

TEST(Registers, DoNotOverlap) {
  for (const Table* table : tables) {
    std::set<uint32_t> seen;
    for (const auto& part : table->parts)
      for (const Register& r : part)
        for (const uint32_t base : engine_bases) {
          for (uint32_t i = 0; i < r.dwords; ++i)
            EXPECT_TRUE(seen.insert(r.offset + 4 * i + (r.per_engine ? base : 0)).second) << r.name;
          if (!r.per_engine) break;
        }
  }
}

TEST(Registers, StartWithTheirResetValue) {
  const File file(registers_gen8, engine_bases[0]);
  EXPECT_EQ(file.get(0x206C), 0xFFFFFFFFu);
  EXPECT_EQ(file.get(0x2600), 0u);
}

TEST(Registers, HoldValuesInsideAndOutsideTheEnginesWindow) {
  File file(registers_gen9, engine_bases[1]);
  file.set(0x22600, 5);
  file.set(0x2600, 6);
  file.set64(0x5200, 0x7'0000'0008);
  EXPECT_EQ(file.get(0x22600), 5u);
  EXPECT_EQ(file.get(0x2600), 6u);
  EXPECT_EQ(file.get64(0x5200), 0x7'0000'0008u);
  EXPECT_EQ(file.gpr(0), 5u);
  file.set_gpr(15, 0x9'0000'000A);
  EXPECT_EQ(file.get(0x22678), 10u);
  EXPECT_EQ(file.get(0x2267C), 9u);
}

TEST(Registers, MergeByTheirAccess) {
  constexpr uint32_t all = 0xFFFFFFFF;
  EXPECT_EQ(merged({"rw", 0, 1, Access::read_write}, 0x11223344, 0xAABBCCDD, all), 0xAABBCCDDu);
  EXPECT_EQ(merged({"rw", 0, 1, Access::read_write}, 0x11223344, 0xAABBCCDD, 0x0000FF00), 0x1122CC44u);
  EXPECT_EQ(merged({"ro", 0, 1, Access::read_only}, 0x11223344, 0xAABBCCDD, all), 0x11223344u);
  EXPECT_EQ(merged({"m", 0, 1, Access::masked}, 0x0F0F, 0x00FF0000, all), 0x0F00u);
  EXPECT_EQ(merged({"m", 0, 1, Access::masked}, 0x0F00, 0xF000FFFF, all), 0xFF00u);
}

}  // namespace
}  // namespace vitro::registers
