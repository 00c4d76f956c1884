// The facts of machine code as bytes: a head with the numbers of what follows. PRM: none.
#include "eu/code_facts.h"

#include <cmath>
#include <cstring>
#include <initializer_list>

#include "code/bytes.h"

namespace vitro::eu {
namespace {

struct Head {
  uint64_t entries, labels, sites, mode_mask;
  std::array<uint64_t, 2> needed;
  CodeCounts counts;
};

// Members that are not any bits, asked without reading them as what they are meant to be.
bool has_meaning(const Transfer& t) {
  const auto byte = [](const auto& member) {
    static_assert(sizeof member == 1);
    uint8_t value;
    std::memcpy(&value, &member, 1);
    return value;
  };
  for (const bool* flag :
       {&t.ends_thread, &t.plain, &t.writes, &t.header, &t.wide, &t.header_adds, &t.header_masks, &t.answers, &t.alone})
    if (byte(*flag) > 1) return false;
  constexpr uint8_t no_place = 255, header_dwords = 8, most_slots = 32;
  return byte(t.kind) <= uint8_t(Transfer::Kind::nothing) &&
         byte(t.operation) <= uint8_t(Transfer::Operation::float_exchange) && t.slots <= most_slots &&
         (t.place < header_dwords || t.place == no_place) && t.at < reg_bytes;
}

bool has_meaning(const CodeCounts& c) {
  for (const int count : {c.instructions, c.emitted, c.called, c.left})
    if (count < 0) return false;
  for (const double time : {c.milliseconds, c.emit_milliseconds, c.optimise_milliseconds})
    if (!std::isfinite(time) || time < 0) return false;
  return true;
}

bool has_meaning(const CodeFacts& f) {
  if (!has_meaning(f.counts)) return false;
  for (const Transfer& t : f.sites)
    if (!has_meaning(t)) return false;
  for (size_t n = 1; n < f.labels.size(); ++n)
    if (f.labels[n - 1] >= f.labels[n]) return false;
  return true;
}

}  // namespace

std::vector<std::byte> to_bytes(const CodeFacts& f) {
  std::vector<std::byte> bytes;
  const Head head{f.entries.size(), f.labels.size(), f.sites.size(), f.mode_mask, f.needed, f.counts};
  code::append(bytes, &head, 1);
  code::append(bytes, f.entries.data(), f.entries.size());
  code::append(bytes, f.labels.data(), f.labels.size());
  code::append(bytes, f.sites.data(), f.sites.size());
  return bytes;
}

std::optional<CodeFacts> to_facts(std::span<const std::byte> bytes) {
  Head head;
  if (!code::take(bytes, head)) return std::nullopt;
  CodeFacts f{.mode_mask = uint32_t(head.mode_mask), .needed = head.needed, .counts = head.counts};
  if (!code::take(bytes, head.entries, f.entries) || !code::take(bytes, head.labels, f.labels) ||
      !code::take(bytes, head.sites, f.sites) || !bytes.empty() || !has_meaning(f))
    return std::nullopt;
  return f;
}

}  // namespace vitro::eu
