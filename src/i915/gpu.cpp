// The GPU that executes, from the device library. No part of the machine by itself.
#include "i915/gpu.h"

#include <atomic>

#include "device/capture.h"

namespace vitro::i915 {

namespace {

struct Hardware {
  std::shared_ptr<device::Context> context;
  uint64_t number = 0;
};

}  // namespace

Gpu make_gpu(const gen::Device& device, const device::Options& options) {
  const auto d = std::make_shared<device::Device>(device, options);
  std::shared_ptr<device::Capture> capture;
  if (!options.capture.file.empty()) capture = std::make_shared<device::Capture>(device, options);
  const auto contexts = std::make_shared<std::atomic<uint64_t>>(0);
  return {
      .create_context =
          [d, contexts] {
            return std::make_shared<Hardware>(Hardware{d->create_context(), contexts->fetch_add(1)});
          },
      .reset = [d](void* context) { d->reset(*static_cast<Hardware*>(context)->context); },
      .run = [d, capture](void* context, const device::Batch& batch,
                          const std::function<bool()>& stop) -> std::optional<Fault> {
        const Hardware& hardware = *static_cast<Hardware*>(context);
        if (capture) capture->record(hardware.number, batch, stop);
        return d->run(*hardware.context, batch, stop);
      },
      .timestamp = [d] { return d->timestamp(); },
      .statistics = [d](bool json) { return d->statistics(json); },
  };
}

}  // namespace vitro::i915
