// Placing variables. Documents: as storage.h.
#include "visa/storage.h"

#include <algorithm>
#include <array>

#include "visa/names.h"

namespace vitro::visa {
namespace {

constexpr uint32_t rounded(uint32_t bytes) { return (bytes + root_alignment - 1) / root_alignment * root_alignment; }

uint32_t bytes_of(Type type, uint32_t elements) { return row(type).bytes * elements; }

std::array<VariablePlace, predefined_variables> predefined_places() {
  std::array<VariablePlace, predefined_variables> places{};
  uint32_t at = 0;
  for (uint32_t id = 0; id < std::size(predefined); ++id) {
    const uint32_t bytes = bytes_of(predefined[id].type, predefined[id].elements);
    places[id] = {
        .at = at, .bytes = bytes, .root_at = at, .root_bytes = bytes, .root = id, .shared = true, .null = id == 0};
    at += rounded(bytes);
  }
  return places;
}

}  // namespace

uint32_t Storage::shared_bytes() {
  static const uint32_t bytes = [] {
    uint32_t all = 0;
    for (const VariablePlace& p : predefined_places()) all = std::max(all, p.at + rounded(p.bytes));
    return all;
  }();
  return bytes;
}

Storage::Storage(const Routine& routine) {
  const auto shared = predefined_places();
  places_.assign(shared.begin(), shared.end());
  for (uint32_t n = 0; n < routine.variables.size(); ++n) {
    const Variable& v = routine.variables[n];
    VariablePlace p{.bytes = bytes_of(v.type, v.elements), .root = predefined_variables + n};
    if (!v.alias) {
      p.at = p.root_at = bytes_;
      p.root_bytes = p.bytes;
      bytes_ += rounded(p.bytes);
    }
    places_.push_back(p);
  }
  // Aliases may name variables that are declared behind them; a cycle is left without bytes.
  for (uint32_t n = 0; n < routine.variables.size(); ++n) {
    if (!routine.variables[n].alias) continue;
    uint32_t id = predefined_variables + n, offset = 0;
    size_t steps = 0;
    while (id >= predefined_variables && id - predefined_variables < routine.variables.size() &&
           routine.variables[id - predefined_variables].alias && steps++ <= routine.variables.size()) {
      const Variable& v = routine.variables[id - predefined_variables];
      offset += v.alias_offset;
      id = v.alias;
    }
    VariablePlace& p = places_[predefined_variables + n];
    if (id >= places_.size() || steps > routine.variables.size()) {
      p.bytes = 0;
      continue;
    }
    const VariablePlace root = places_[id];
    p.at = root.at + offset;
    p.root_at = root.root_at, p.root_bytes = root.root_bytes;
    p.root = root.root, p.shared = root.shared, p.null = root.null;
    // what of it lies in its root
    const uint32_t end = root.at + root.bytes;
    p.bytes = p.at >= end ? 0 : std::min(p.bytes, end - p.at);
  }
}

}  // namespace vitro::visa
