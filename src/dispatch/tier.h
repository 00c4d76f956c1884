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
#include <vector>

#include "dispatch/tiering.h"
#include "eu/jit/jit.h"

namespace vitro::dispatch {

struct Kernel;

// What the tiers know of a kernel. It is used by many host threads at once and belongs to its kernel.
struct KernelTier {
  enum class Wish : uint8_t { nothing, kept_code, code };
  // Code is made for one setting of the float modes; a kernel seldom runs in more than one.
  struct Slot {
    eu::jit::FloatMode mode{};
    std::atomic<const eu::jit::Compiled*> ready{nullptr};
    std::atomic<Wish> asked{Wish::nothing};
    std::atomic<bool> answered{false};  // an order was carried out, or given up
    std::mutex making{};
    // Under the lock.
    bool looked = false, made = false;  // for kept code; or tried in vain
    std::shared_ptr<const eu::jit::Compiled> compiled{};
    std::vector<std::shared_ptr<const void>> symbols{};  // what debuggers were told of it
  };
  static constexpr size_t modes = 4;
  KernelTier();
  std::array<Slot, modes> slots{};
  std::atomic<uint64_t> interpreted{0};  // instructions
};

class Tier {
 public:
  // What messages do, by SFID and descriptor, as far as code may do it itself.
  using Describe = std::function<eu::Transfer(unsigned sfid, uint32_t desc)>;
  // What makes code; tests have others.
  using Generate = std::function<std::vector<std::byte>(const eu::Program&, const eu::jit::Options&)>;
  explicit Tier(const TierOptions& options, Describe describe = {}, Generate generate = eu::jit::generate);
  ~Tier();
  Tier(const Tier&) = delete;
  Tier& operator=(const Tier&) = delete;

  // For threads that start with this cr0.0: where code is when there is some; nullptr: there will be none. Waits for
  // the code if everything is to be compiled, as long as that may take.
  KernelTier::Slot* slot(const std::shared_ptr<const Kernel>& kernel, uint32_t cr0);
  // So many instructions were interpreted because the slot had no code.
  void interpreted(const std::shared_ptr<const Kernel>& kernel, KernelTier::Slot& slot, uint64_t instructions);
  TierCounts counts() const;
  // In a forked child: the host thread of the parent does not exist here.
  void restart_after_fork();

 private:
  struct Workshop;
  std::shared_ptr<Workshop> workshop_;  // host threads may outlive this
};

// How a device wants programs compiled, before anything is known of them.
eu::jit::Options compiling_options(Tier::Describe describe, bool counts_messages);

}  // namespace vitro::dispatch
