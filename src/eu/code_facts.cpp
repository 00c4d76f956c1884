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
  uint32_t host_flushes;
  code::ChainForm chain;
  uint16_t unused;
  std::array<uint64_t, 2> needed;
  CodeCounts counts;
};

bool has_meaning(const CodeCounts& c) {
  for (const int count : {c.instructions, c.emitted, c.called, c.left})
    if (count < 0) return false;
  for (const double time : {c.milliseconds, c.emit_milliseconds, c.optimise_milliseconds})
    if (!std::isfinite(time) || time < 0) return false;
  return true;
}

bool has_meaning(const CodeFacts& f) {
  if (!has_meaning(f.counts)) return false;
  for (size_t n = 1; n < f.labels.size(); ++n)
    if (f.labels[n - 1] >= f.labels[n]) return false;
  for (size_t n = 1; n < f.fused.size(); ++n)
    if (f.fused[n - 1].instruction >= f.fused[n].instruction) return false;
  return true;
}

}  // namespace

std::vector<std::byte> to_bytes(const CodeFacts& f) {
  std::vector<std::byte> bytes;
  const Head head{f.entries.size(), f.labels.size(), f.sites.size(), f.mode_mask, f.host_flushes, f.chain, 0,
                  f.needed,         f.counts};
  code::append(bytes, head);
  code::append(bytes, f.entries);
  code::append(bytes, f.labels);
  code::append(bytes, f.sites);
  code::append_routines(bytes, f.fused);
  return bytes;
}

std::optional<CodeFacts> to_facts(std::span<const std::byte> bytes) {
  Head head;
  if (!code::take(bytes, head)) return std::nullopt;
  CodeFacts f{.mode_mask = uint32_t(head.mode_mask),
              .host_flushes = head.host_flushes != 0,
              .chain = head.chain,
              .needed = head.needed,
              .counts = head.counts};
  if (!code::take(bytes, head.entries, f.entries) || !code::take(bytes, head.labels, f.labels) ||
      !code::take(bytes, head.sites, f.sites) || !code::take_routines(bytes, f.fused) || !bytes.empty() ||
      !has_meaning(f))
    return std::nullopt;
  return f;
}

}  // namespace vitro::eu
