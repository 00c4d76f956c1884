// Fuzz target: any bytes as a batch, with its state, kernels and surfaces, on each device and engine. Whatever it is,
// it ends, with or without a Fault that has a reason, and the device goes on: the batch that follows in the same
// context, once it is reset, does what it says. Limits are low, so that endless work ends soon; work of many short
// threads ends because its caller asks for it.
#include <chrono>
#include <cstring>
#include <memory>
#include <vector>

#include "batch.h"
#include "device/device.h"
#include "fuzz.h"
#include "gen/models.h"
#include "memory/view.h"

using namespace vitro;
using Clock = std::chrono::steady_clock;

namespace {

constexpr uint64_t after = 0x40000;  // of the batch that follows

device::Device& device_of(unsigned choice) {
  static std::vector<std::unique_ptr<device::Device>> all = [] {
    std::vector<std::unique_ptr<device::Device>> made;
    for (const bool strict : {false, true})
      for (const gen::Device& d : gen::devices())
        made.push_back(
            std::make_unique<device::Device>(d, device::Options{.workers = 1,
                                                                .strict = strict,
                                                                .statistics = true,
                                                                .hang_instructions = 3000,
                                                                .semaphore_patience = std::chrono::milliseconds(2)}));
    return made;
  }();
  return *all[choice % all.size()];
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < fuzz::header_bytes) return 0;
  const unsigned kinds = unsigned(gen::devices().size());
  device::Device& d = device_of(data[0] % kinds + (data[1] >> 2 & 1) * kinds);
  const isa::Model& model = d.kind().model();

  std::vector<std::byte> object(fuzz::object_bytes);
  std::memcpy(object.data(), data + fuzz::header_bytes, std::min(size - fuzz::header_bytes, fuzz::image_bytes));
  std::vector<uint32_t> next(1024);
  constexpr uint32_t result = after + 0x800;
  // MI_STORE_DATA_IMM: on the oldest device a dword that must be zero stands before the address, else its upper half
  // behind it.
  const bool old = model.mrf_count != 0;
  const uint32_t follows[5] = {0x10000002, old ? 0 : result, old ? result : 0, 0xC0FFEE, 0x05000000};
  const auto table = std::make_shared<memory::Table>(std::vector<memory::Range>{
      {.start = fuzz::base, .bytes = object.size(), .host = object.data()},
      {.start = after, .bytes = next.size() * 4, .host = reinterpret_cast<std::byte*>(next.data())},
  });

  const auto context = d.create_context();
  const auto deadline = Clock::now() + std::chrono::milliseconds(40);
  device::Batch batch{.engine = device::Engine(data[1] & 3), .ppgtt = table, .ggtt = table, .address = fuzz::base};
  const auto fault = d.run(*context, batch, [&] { return Clock::now() > deadline; });
  if (fault) fuzz::must_hold(!fault->reason.empty() && !device::to_text(*fault).empty(), model, "a Fault has a reason");
  d.reset(*context);
  std::memcpy(next.data(), follows, sizeof follows);
  next[0x200] = 0;
  batch.address = after;
  const auto again = d.run(*context, batch);
  fuzz::must_hold(!again && next[0x200] == 0xC0FFEE, model, "the context works after its reset",
                  again ? device::to_text(*again) : "");
  return 0;
}
