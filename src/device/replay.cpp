// Submissions of a recording as batches of a device, and checksums of what they leave; see replay.h.
#include "device/replay.h"

#include <algorithm>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace vitro::device {

Result<std::optional<Replay::Step>> Replay::step(const std::function<bool()>& stop, const Device::Observer& observer) {
  Result<std::optional<recording::Submission>> next = reader_.next();
  if (!next) return failure(next.error().message);
  if (!*next) return std::optional<Step>();
  Step step{.number = ++number_, .submission = std::move(**next)};
  const recording::Submission& s = step.submission;
  if (before) before(step.number, s);
  std::shared_ptr<Context>& context = contexts_[s.context];
  if (!context) context = device_.create_context();
  Batch batch{.engine = Engine(s.engine), .ppgtt = s.memory, .ggtt = s.ggtt, .address = s.address, .bytes = s.bytes};
  if (s.ring) batch.ring = true, batch.address = s.ring->address, batch.bytes = s.ring->bytes;
  batch.timestamp = s.timestamp;
  step.fault = device_.run(*context, batch, stop, observer);
  if (step.fault) device_.reset(*context);
  return std::optional<Step>(std::move(step));
}

void Digest::update(const memory::Table& space, const std::function<void(uint64_t, uint64_t)>& tell) {
  for (const memory::Range& r : space.ranges())
    for (uint64_t at = 0; at < r.bytes; at += memory::page_bytes) {
      const uint64_t sum = XXH3_64bits(r.host + at, size_t(std::min(memory::page_bytes, r.bytes - at)));
      const auto [known, is_new] = checksums_.try_emplace(r.host + at, sum);
      if (!is_new && known->second == sum) continue;
      known->second = sum;
      tell(r.start + at, sum);
    }
}

}  // namespace vitro::device
