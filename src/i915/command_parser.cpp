// The command parser of execbuffer2: looks at a batch before an engine runs that has no protection of its own (the
// blitter of kbl and apl). Source: i915_cmd_parser.c of Linux 6.1. What is allowed is a table of the platform
// (gen/batch_rules.h). A command that nobody knows, one that is longer than the batch, a missing end and a jump to
// somewhere else are -EINVAL; a register or a bit that is not allowed is -EACCES.
#include <algorithm>
#include <cerrno>

#include "i915/execbuffer.h"

namespace vitro::i915 {
namespace {

constexpr uint32_t batch_end = 0x05000000;  // MI_BATCH_BUFFER_END, with nothing in its other bits
constexpr uint32_t register_mask = 0x007ffffc;
constexpr uint32_t length_bias = 2;

const gen::BatchRule* find_rule(const gen::BatchRules& rules, uint32_t header) {
  for (const gen::BatchRule& r : rules.commands)
    if (header >> 23 == r.opcode) return &r;  // the client in front of it is MI, 0
  return nullptr;
}

bool is_allowed(const gen::BatchRules& rules, const gen::BatchRule& rule, std::span<const uint32_t> command) {
  if ((command[0] & rule.operand_mask) != rule.operand_expected) return false;
  const size_t step = rule.register_step ? rule.register_step : command.size();
  for (size_t i = rule.register_at; i != 0 && i < command.size(); i += step) {
    const uint32_t named = command[i] & register_mask;
    if (std::none_of(rules.registers.begin(), rules.registers.end(),
                     [&](const gen::RegisterRange& r) { return named >= r.first && named <= r.last; }))
      return false;
  }
  return true;
}

}  // namespace

int check_batch(const gen::BatchRules& rules, std::span<const uint32_t> batch, uint64_t address) {
  std::vector<bool> seen(batch.size());  // where commands begin
  for (size_t at = 0; at < batch.size();) {
    const uint32_t header = batch[at];
    if (header == batch_end) return 0;
    const gen::BatchRule* const rule = find_rule(rules, header);
    const auto& clients = rules.clients;
    if (!rule && std::find(clients.begin(), clients.end(), header >> 29) == clients.end()) return -EINVAL;
    const size_t dwords =
        rule && rule->dwords ? rule->dwords : (header & (rule ? rule->length_mask : rules.length_mask)) + length_bias;
    if (dwords > batch.size() - at) return -EINVAL;
    if (rule && !is_allowed(rules, *rule, batch.subspan(at, dwords))) return -EACCES;
    if (rule && rule->jumps) {
      const uint64_t offset = (batch[at + 1] | uint64_t(batch[at + 2]) << 32) - address;
      if (dwords != 3 || offset >= batch.size() * 4) return -EINVAL;
      return offset / 4 == at || seen[offset / 4] ? 0 : -EINVAL;
    }
    seen[at] = true;
    at += dwords;
  }
  return -EINVAL;
}

}  // namespace vitro::i915
