// Which of the two tiers runs a thread: the interpreter, at once, or machine code (eu/jit) once a kernel has proved to
// be worth it. Code is made by one host thread in the background; whoever starts or continues a thread takes what is
// ready by then, so a long dispatch changes over while it runs. PRM: none; nothing of this can be seen by a program but
// in time. Deliberately not done: giving code up again other than with its kernel.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>

#include "eu/jit/jit.h"

namespace vitro::dispatch {

struct Kernel;

enum class Tiering : uint8_t {
  off,        // everything is interpreted
  on,         // every kernel is compiled before its first thread runs
  automatic,  // kernels that run long enough are compiled in the background
};
// "off", "on" or "auto"; nothing: neither.
std::optional<Tiering> parse_tiering(std::string_view text);
inline constexpr Tiering default_tiering = eu::jit::available() ? Tiering::automatic : Tiering::off;

// What the tiers know of a kernel. It is used by many host threads at once and belongs to its kernel.
struct KernelTier {
  // Code is made for one setting of the float modes; a kernel seldom runs in more than one.
  struct Slot {
    eu::jit::FloatMode mode{};
    std::atomic<const eu::jit::Compiled*> ready{nullptr};
    std::atomic<bool> asked{false};
    std::mutex making{};
    bool made = false;                                    // under the lock: or tried in vain
    std::shared_ptr<const eu::jit::Compiled> compiled{};  // under the lock
  };
  static constexpr size_t modes = 4;
  KernelTier();
  std::array<Slot, modes> slots{};
  std::atomic<uint64_t> interpreted{0};  // instructions
};

struct TierOptions {
  Tiering tiering = Tiering::off;
  // A kernel is compiled after so many interpreted instructions for each one it has: making code for one takes as long.
  uint64_t patience = 2000;
};

class Tier {
 public:
  // What messages do, by SFID and descriptor, as far as code may do it itself.
  using Describe = std::function<eu::Transfer(unsigned sfid, uint32_t desc)>;
  explicit Tier(const TierOptions& options, Describe describe = {});
  ~Tier();
  Tier(const Tier&) = delete;
  Tier& operator=(const Tier&) = delete;

  // For threads that start with this cr0.0: where code is when there is some; nullptr: there will be none. Waits for
  // the code if everything is to be compiled.
  KernelTier::Slot* slot(const Kernel& kernel, uint32_t cr0);
  // So many instructions were interpreted because the slot had no code.
  void interpreted(const std::shared_ptr<const Kernel>& kernel, KernelTier::Slot& slot, uint64_t instructions);
  // In a forked child: the host thread of the parent does not exist here.
  void restart_after_fork();

 private:
  struct Workshop;
  TierOptions options_;
  Describe describe_;
  Workshop* workshop_;
};

}  // namespace vitro::dispatch
