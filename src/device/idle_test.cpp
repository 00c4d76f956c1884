// A device that executes nothing: what drivers wait for happens, the rest does not, whatever it says. The packets are
// written by hand.
#include "device/idle.h"

#include <gtest/gtest.h>

#include <array>
#include <memory>

#include "device/device.h"
#include "gen/machine.h"
#include "gen/models.h"

namespace vitro::device {
namespace {

TEST(Idle, OnlyTheStreamerItselfWorks) {
  constexpr uint64_t batch_at = 0x10000, data_at = 0x20000;
  std::array<uint32_t, 1024> batch{
      0x7A000004, 1u << 20 | 1u << 14,
      data_at,    0,
      11,         0,           // PIPE_CONTROL writes 11
      0x78090000, 0xFFFFFFFF,  // 3DSTATE_VERTEX_ELEMENTS, one
      0x78520003, 0xFFFFFFFF,
      0,          0,
      0,  // 3DSTATE_WM_HZ_OP, all of them
      0x7B000005, 0,
      0xFFFFFFFF, 0,
      0xFFFFFFFF, 0,
      0,  // 3DPRIMITIVE
      0x7105000D, 0,
      0,          0,
      0,          0,
      0,          1,
      0,          0,
      1,          0,
      1,          ~0u,
      ~0u,  // GPGPU_WALKER
      0x10000002, data_at + 8,
      0,          22,  // MI_STORE_DATA_IMM
      0x05000000,      // MI_BATCH_BUFFER_END
  };
  for (const char* name : {"bdw", "kbl"}) {
    std::array<uint32_t, 1024> data{};
    Device device(*gen::find_device(name), {.workers = 1, .execute = false});
    const auto context = device.create_context();
    const auto table = std::make_shared<memory::Table>(
        std::vector<memory::Range>{{batch_at, sizeof batch, reinterpret_cast<std::byte*>(batch.data())},
                                   {data_at, sizeof data, reinterpret_cast<std::byte*>(data.data())}});
    const auto fault = device.run(*context, {.ppgtt = table, .ggtt = table, .address = batch_at});
    ASSERT_FALSE(fault) << to_text(*fault);
    EXPECT_EQ(data[0], 11u);
    EXPECT_EQ(data[2], 22u);
  }
}

TEST(Idle, NothingIsUnsupported) {
  for (const gen::Device& d : gen::devices()) {
    const streamer::CommandSet& all = gen::machine(d).commands;
    const streamer::CommandSet idle = idle_commands(all);
    ASSERT_EQ(idle.rows().size(), all.rows().size());
    size_t changed = 0;
    for (const streamer::Row& row : idle.rows()) {
      EXPECT_NE(row.effect, streamer::Effect::unsupported) << row.name;
      for (size_t e = 0; e < commands::engine_count; ++e) {
        const streamer::Row* found = all.find(row.header, commands::Engine(e));
        ASSERT_EQ(found != nullptr, idle.find(row.header, commands::Engine(e)) != nullptr);
        if (found) changed += found->run != idle.find(row.header, commands::Engine(e))->run;
        if (found && found->name.starts_with("MI_") && found->effect == streamer::Effect::execute) {
          EXPECT_EQ(found->run, idle.find(row.header, commands::Engine(e))->run) << found->name;
        }
      }
    }
    EXPECT_GT(changed, 0u);
  }
}

}  // namespace
}  // namespace vitro::device
