// The library's public face: a GPU, its logical contexts, and batches that run on its engines.
// A batch runs synchronously on the calling host thread, with the device's workers for its EU threads; queues, fences
// and the order between batches belong to the caller (src/i915 for programs, tools for captures). Batches of different
// contexts may run at the same time on several host threads; batches of one context must not.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "device/trace.h"
#include "dispatch/tiering.h"
#include "memory/address_space.h"
#include "state/surface.h"

namespace vitro::gen {
struct Device;
}

namespace vitro::device {

// As the kernel counts engine classes (I915_ENGINE_CLASS_*).
enum class Engine : uint8_t { render, copy, video, video_enhance };
inline constexpr size_t engine_count = 4;

// All batches as an AUB file (device/capture.h).
struct CaptureOptions {
  std::string file{};    // empty: none; compressed if it ends with .zst
  bool results = false;  // with what each batch leaves in memory
};

struct Options {
  unsigned workers = 0;  // host threads that run EU threads; 0: one per processor
  bool strict = false;   // accesses to unmapped addresses are Faults
  bool execute = true;   // else batches end well and nothing is drawn or computed (device/idle.h)
  bool statistics = false;
  dispatch::TierOptions tier{.tiering = dispatch::default_tiering};
  std::string visa{};  // a folder of IGC's dumps, from whose vISA kernels run (visa/dumps.h); empty: none
  Topics trace{};
  std::vector<Picture> pictures{};
  size_t scene_bytes = 0;    // of draws that are put off, before their pixels are drawn; 0: default
  CaptureOptions capture{};  // for who hands batches to the device
  std::function<void(const std::string& line)> remark{};  // told what is worth a line, each once
  uint64_t hang_instructions =
      0;  // EU instructions of one thread, and commands of one batch, after which it counts as hung; 0: default
  std::chrono::milliseconds semaphore_patience{0};  // after which a batch that waits counts as hung; 0: default
};

std::string to_text(const Fault&);

struct Batch {
  Engine engine = Engine::render;
  std::shared_ptr<const memory::Table> ppgtt{}, ggtt{};
  uint64_t address = 0;
  uint64_t bytes = 0;  // 0: not known
  bool ring = false;   // part of a ring, in the GGTT: it is privileged, and ends after its bytes
  // What the clock says when it begins; it then goes on by one with every look at it, so that the same batch finds the
  // same times again. Else time passes.
  std::optional<uint64_t> timestamp{};
  std::vector<uint64_t> objects{};  // addresses in ranges of the PPGTT that it may use, for who records it; none: all
};

class Context;
class Impl;

class Device {
 public:
  Device(const gen::Device& device, const Options& options);
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  const gen::Device& kind() const;
  // A logical context with default state on every engine.
  std::shared_ptr<Context> create_context();
  // Gives the context its default state again, after a reset.
  void reset(Context& context);

  // nullopt: the batch ran to its end. `stop` is asked now and then; true abandons the batch (the process ends, or the
  // caller declares it hung) and is reported as a Fault.
  std::optional<Fault> run(Context& context, const Batch& batch, const std::function<bool()>& stop = {});
  // The same, and tells of each command before it runs; all that was drawn before is in memory then.
  using Observer = std::function<void(uint64_t address, std::span<const uint32_t> packet)>;
  std::optional<Fault> run(Context& context, const Batch& batch, const std::function<bool()>& stop,
                           const Observer& observer);

  // What the commands before left in a context, for observers: a register; the depth or the stencil buffer of a draw.
  uint32_t register_value(Context& context, Engine engine, uint32_t mmio) const;
  Result<state::Surface> depth_surface(Context& context, bool stencil) const;

  // In a forked child: the host threads of the parent do not exist here.
  void restart_after_fork();

  // The GPU's clock: 36 bits at the device's rate, the same wherever it is read.
  uint64_t timestamp() const;

  // Draws so far, if they are told or made pictures of.
  uint64_t draws() const;
  // What was executed so far, as text or as JSON, for --stats.
  std::string statistics(bool json) const;

 private:
  std::unique_ptr<Impl> impl_;
};

}  // namespace vitro::device
