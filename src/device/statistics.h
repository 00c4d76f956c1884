// What a device has executed so far, for --stats: commands, threads, instructions, messages, time, and by name
// everything that is not supported. Batches of several host threads add to it, each when it is done.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "device/device.h"
#include "dispatch/work.h"
#include "memory/view.h"
#include "pipeline/scene_renderer.h"
#include "streamer/streamer.h"
#include "visa/dumps.h"

namespace vitro::device {

// Of one batch, or of all of them.
struct Tally {
  streamer::Counts commands{};
  dispatch::Counts threads{};
  pipeline::SceneCounts scenes{};
  memory::Misses misses{};  // of the command streamer itself
  std::array<uint64_t, engine_count> batches{};
  uint64_t faults = 0;
  std::map<std::string, uint64_t> fault_reasons{};
  std::chrono::nanoseconds streaming{};  // time in commands; that in EU threads is part of it

  Tally& operator+=(const Tally& other);
};

class Statistics {
 public:
  void add(const Tally& tally) {
    const std::lock_guard guard(lock_);
    total_ += tally;
  }
  // What a batch did that nobody has been told of yet, for people: illegal opcodes, by kernel.
  std::vector<std::string> untold(const Tally& tally);
  std::string text(std::string_view device, unsigned workers, const dispatch::TierCounts& tier,
                   const std::optional<visa::DumpCounts>& dumps) const;
  std::string json(std::string_view device, unsigned workers, const dispatch::TierCounts& tier,
                   const std::optional<visa::DumpCounts>& dumps) const;

 private:
  mutable std::mutex lock_;
  Tally total_{};
  std::set<std::string> told_{};
};

}  // namespace vitro::device
