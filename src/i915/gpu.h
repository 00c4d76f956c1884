// The seam between the kernel's side and the machine: what i915 asks of a GPU. A table of functions, so that tests of
// ioctls, queues and fences run without executing commands. No part of the machine by itself.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "device/device.h"
#include "gen/models.h"

namespace vitro::i915 {

struct Gpu {
  // The hardware state of one engine slot of a context.
  std::function<std::shared_ptr<void>()> create_context;
  std::function<void(void* context)> reset;
  std::function<std::optional<Fault>(void* context, const device::Batch&, const std::function<bool()>& stop)> run;
  std::function<uint64_t()> timestamp;
  std::function<std::string(bool json)> statistics;
};

// A GPU that executes: the device library.
Gpu make_gpu(const gen::Device& device, const device::Options& options);

}  // namespace vitro::i915
