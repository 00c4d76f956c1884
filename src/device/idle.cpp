// Which commands are left out (see idle.h). PRM: the prefixes of the command names in Gen8 vol 2a.
#include "device/idle.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

namespace vitro::device {

streamer::CommandSet idle_commands(const streamer::CommandSet& commands) {
  constexpr std::array<std::string_view, 4> pipelines{"3DPRIMITIVE", "3DSTATE_", "GPGPU_", "MEDIA_"};
  std::vector<streamer::Row> rows(commands.rows().begin(), commands.rows().end());
  for (streamer::Row& row : rows) {
    const bool of_a_pipeline =
        std::any_of(pipelines.begin(), pipelines.end(), [&](std::string_view p) { return row.name.starts_with(p); });
    if (!of_a_pipeline && row.effect != streamer::Effect::unsupported) continue;
    row.effect = streamer::Effect::execute;
    row.run = [](streamer::Execution&, std::span<const uint32_t>) -> streamer::Outcome { return {}; };
    row.drains.reset();
  }
  return {commands.name, commands.registers, commands.traits, {rows}, {}, commands.generation};
}

}  // namespace vitro::device
