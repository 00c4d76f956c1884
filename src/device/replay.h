// A recording executed: its submissions one after the other, each in the context that it names, on the memory that the
// recording filled. No part of the machine by itself.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "device/device.h"
#include "recording/recording.h"

namespace vitro::device {

class Replay {
 public:
  Replay(recording::Reader& reader, Device& device) : reader_(reader), device_(device) {}

  struct Step {
    uint64_t number = 0;  // from 1
    recording::Submission submission{};
    std::optional<Fault> fault{};
  };
  // Executes the next submission. nullopt: there is none. After a Fault its context has its default state.
  Result<std::optional<Step>> step(const std::function<bool()>& stop = {}, const Device::Observer& observer = {});
  // Of the submission that is executed.
  Context& context(const recording::Submission& s) const { return *contexts_.at(s.context); }
  // Called with each submission before it is executed.
  std::function<void(uint64_t number, const recording::Submission&)> before{};

 private:
  recording::Reader& reader_;
  Device& device_;
  std::map<uint32_t, std::shared_ptr<Context>> contexts_{};
  uint64_t number_ = 0;
};

// Which pages have other contents than the last time, by checksums: how two executions are compared.
class Digest {
 public:
  // Calls `tell` with each page of the space that is new or was changed, in the order of addresses.
  void update(const memory::Table& space, const std::function<void(uint64_t address, uint64_t checksum)>& tell);

 private:
  std::map<const std::byte*, uint64_t> checksums_{};  // by host memory, which spaces share
};

}  // namespace vitro::device
