// The inventory: names, headers and lengths that real batches need, checked against packets as drivers write them.
#include "commands/inventory.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace vitro::commands {
namespace {

const Listed* find(std::span<const Listed> list, std::string_view name) {
  for (const Listed& l : list)
    if (l.name == name) return &l;
  return nullptr;
}

TEST(Inventory, HeadersAreUniqueOnEachEngine) {
  for (const auto& list : {inventory_gen6, inventory_gen8, inventory_gen9})
    for (size_t engine = 0; engine < engine_count; ++engine) {
      std::map<uint32_t, std::string_view> seen;
      for (const Listed& l : list) {
        EXPECT_NE(l.engines, 0) << l.name;
        EXPECT_EQ(l.header & ~header_mask(l.header), 0u) << l.name;
        if (!(l.engines >> engine & 1)) continue;
        const auto [at, fresh] = seen.emplace(l.header, l.name);
        EXPECT_TRUE(fresh) << l.name << " and " << at->second;
      }
    }
}

// First dwords of packets in batches of Mesa and of the media drivers.
TEST(Inventory, KnowsRealPackets) {
  struct Case {
    std::string_view name;
    uint32_t header;
    uint32_t dwords;
    bool gen6, gen8, gen9;
  };
  const Case cases[] = {
      {"3DSTATE_VS", 0x78100004, 6, true, false, false},
      {"3DSTATE_VS", 0x78100007, 9, false, true, true},
      {"3DSTATE_PS", 0x7820000A, 12, false, true, true},
      {"3DSTATE_CONSTANT_PS", 0x78170009, 11, false, true, true},
      {"3DSTATE_DEPTH_BUFFER", 0x79050005, 7, true, false, false},
      {"3DSTATE_DEPTH_BUFFER", 0x78050006, 8, false, true, true},
      {"3DSTATE_VF_STATISTICS", 0x680B0001, 1, false, true, true},
      {"3DSTATE_VERTEX_ELEMENTS", 0x78090043, 69, false, true, true},
      {"3DSTATE_SO_DECL_LIST", 0x79170101, 259, false, true, true},
      {"3DPRIMITIVE", 0x7B000005, 7, false, true, true},
      {"3DSTATE_VF_COMPONENT_PACKING", 0x78550003, 5, false, false, true},
      {"XY_SRC_COPY_BLT", 0x54F00008, 10, true, true, true},
      {"MFX_PIPE_MODE_SELECT", 0x70000003, 5, true, true, true},
      {"MFX_SURFACE_STATE", 0x70010004, 6, true, true, true},
      {"VDENC_WEIGHTSOFFSETS_STATE", 0x70880001, 3, false, false, true},
      {"MFX_JPEG_HUFF_TABLE_STATE", 0x77020033, 53, false, true, true},
      {"HCP_PIPE_MODE_SELECT", 0x73800002, 4, false, false, true},
      {"VEBOX_STATE", 0x7402000A, 12, false, true, true},
      {"MEDIA_OBJECT", 0x71000004, 6, true, true, true},
  };
  const auto check = [](std::span<const Listed> list, const Case& c) {
    const Listed* found = find(list, c.name);
    ASSERT_TRUE(found) << c.name;
    EXPECT_EQ(found->header, c.header & header_mask(c.header)) << c.name;
    EXPECT_EQ(found->length.dwords(c.header), c.dwords) << c.name;
  };
  for (const Case& c : cases) {
    if (c.gen6) check(inventory_gen6, c);
    if (c.gen8) check(inventory_gen8, c);
    if (c.gen9) check(inventory_gen9, c);
  }
}

TEST(Inventory, TellsWorkFromState) {
  for (const char* work : {"3DPRIMITIVE", "XY_COLOR_BLT", "MFD_AVC_BSD_OBJECT", "VEB_DI_IECP", "HCP_BSD_OBJECT"})
    EXPECT_EQ(find(inventory_gen9, work)->kind, Kind::work) << work;
  for (const char* state : {"3DSTATE_VS", "XY_SETUP_BLT", "MFX_QM_STATE", "VEBOX_STATE", "HCP_PIC_STATE"})
    EXPECT_EQ(find(inventory_gen9, state)->kind, Kind::state) << state;
}

TEST(Engine, LengthsAreBiasedByTwo) {
  EXPECT_EQ(one_dword.dwords(0xFFFFFFFF), 1u);
  EXPECT_EQ(length8.dwords(0x7A000004), 6u);
  EXPECT_EQ(length6.dwords(0x13000083), 5u);  // bit 7 is another field
  EXPECT_EQ((Length{0xFF, 4}.dwords(0x1B200001)), 4u);
}

}  // namespace
}  // namespace vitro::commands
