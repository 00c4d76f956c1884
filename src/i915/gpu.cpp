// The GPU that executes, from the device library. No part of the machine by itself.
#include "i915/gpu.h"

namespace vitro::i915 {

Gpu make_gpu(const gen::Device& device, const device::Options& options) {
  const auto d = std::make_shared<device::Device>(device, options);
  return {
      .create_context = [d] { return std::shared_ptr<void>(d->create_context()); },
      .reset = [d](void* context) { d->reset(*static_cast<device::Context*>(context)); },
      .run = [d](void* context, const device::Batch& batch, const std::function<bool()>& stop) -> std::optional<Fault> {
        return d->run(*static_cast<device::Context*>(context), batch, stop);
      },
      .timestamp = [d] { return d->timestamp(); },
      .statistics = [d](bool json) { return d->statistics(json); },
  };
}

}  // namespace vitro::i915
