// Values of fields and their names. PRM: command reference; a field that a packet is too short for has no value.
#include "decode/packet.h"

#include <algorithm>

namespace vitro::decode {
namespace {

constexpr uint64_t most_low = 1024;

}  // namespace

void Values::add(uint64_t value, std::string_view name) {
  ++count_;
  if (value >= most_low) {
    others_.emplace_back(value, name);
    return;
  }
  if (low_.size() <= value) low_.resize(value + 1);
  low_[value] = name;
}

std::string_view Values::find(uint64_t value) const {
  if (value < low_.size()) return low_[value];
  for (const auto& [number, name] : others_)
    if (number == value) return name;
  return {};
}

std::vector<std::pair<uint64_t, std::string_view>> Values::all() const {
  std::vector<std::pair<uint64_t, std::string_view>> list;
  for (size_t n = 0; n < low_.size(); ++n)
    if (!low_[n].empty()) list.emplace_back(n, low_[n]);
  list.insert(list.end(), others_.begin(), others_.end());
  std::sort(list.begin(), list.end());
  return list;
}

int Packet::find(std::string_view field) const {
  for (size_t n = 0; n < fields.size(); ++n)
    if (fields[n].name == field) return int(n);
  return -1;
}

std::optional<uint64_t> value_of(const Field& f, std::span<const uint32_t> packet, unsigned n) {
  const PacketBits b = f.at(n);
  if (size_t(b.hi / 32) >= packet.size()) return std::nullopt;
  return extract(packet, b);
}

}  // namespace vitro::decode
