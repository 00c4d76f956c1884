// Commands as text, for error reports and traces: the name, and the fields that are not zero under their PRM names.
#include <fmt/format.h>

#include <algorithm>

#include "streamer/streamer.h"

namespace vitro::streamer {

void append_field(std::string& text, std::string_view name, uint64_t value) {
  if (!value) return;
  if (!text.empty()) text += ", ";
  text += value < 10 ? fmt::format("{} = {}", name, value) : fmt::format("{} = 0x{:x}", name, value);
}

void append_dwords(std::string& text, std::span<const uint32_t> packet, size_t from) {
  constexpr size_t most = 16;
  if (from >= packet.size()) return;
  if (!text.empty()) text += ", ";
  text += fmt::format("DW{}.. =", from);
  for (size_t i = from; i < std::min(packet.size(), from + most); ++i) text += fmt::format(" 0x{:x}", packet[i]);
  if (packet.size() > from + most) text += " ...";
}

std::string describe(const CommandSet& commands, std::span<const uint32_t> packet, commands::Engine engine) {
  if (packet.empty()) return "nothing";
  const Row* row = commands.find(packet[0], engine);
  if (!row) row = commands.find_anywhere(packet[0]);
  if (!row) return fmt::format("invalid command 0x{:08x}", packet[0]);
  const size_t dwords = row->length.dwords(packet[0]);
  std::string text(row->name);
  if (row->fields) {
    const std::string fields = row->fields(packet.first(std::min(dwords, packet.size())));
    if (!fields.empty()) text += ": " + fields;
  } else if (dwords > 1) {
    text += fmt::format(" ({} dwords)", dwords);
  }
  if (packet.size() < dwords) text += fmt::format(" [only {} of {} dwords]", packet.size(), dwords);
  return text;
}

}  // namespace vitro::streamer
