// Commands as text, for error reports and traces: what the decoder says of them, in one line.
#include "decode/text.h"
#include "streamer/streamer.h"

namespace vitro::streamer {

std::string describe(const CommandSet& commands, std::span<const uint32_t> packet, commands::Engine engine) {
  return decode::describe(commands.language(), packet, engine);
}

}  // namespace vitro::streamer
