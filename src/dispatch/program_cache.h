// Kernels ready to run. All that a state packet says of a kernel is where it starts, so its extent is found by walking:
// straight on and along every branch, and over illegal opcodes, until each path ends a thread or comes to a long row of
// them. PRM: Kernel Start Pointer of the state packets and
// of INTERFACE_DESCRIPTOR_DATA. Drivers write new kernels over old ones, so what is kept is compared with memory each
// time it is asked for. The instruction cache's own incoherence is not modelled: a rewritten kernel is new at once,
// unless whoever got one uses it again without asking (media/prepared.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "dispatch/tier.h"
#include "eu/plan.h"
#include "memory/view.h"

namespace vitro::dispatch {

struct Kernel {
  std::vector<std::byte> code;  // as memory held it
  eu::Program program;
  // Its threads may have to wait for others of their group: they must all be there at the same time.
  bool waits = false;
  // Names registers that turn exceptions on.
  bool handles_exceptions = false;
  bool contends = false;      // changes memory that groups share, by atomic operations
  bool loops = true;          // may jump back
  bool unclean = true;        // may write registers that are seldom used: accumulators, notifications...
  bool reads_urb = true;      // may ask for what is in entries of the URB
  bool reads_memory = true;   // may do so, through surfaces or at addresses of its own...
  bool writes_memory = true;  // ...or write it there; targets of pixels are not meant
  uint32_t sip = 0;           // where in the program the system routine begins; 0 if it has none
  uint64_t address = 0;       // where it was found first
  std::unique_ptr<KernelTier> tier = std::make_unique<KernelTier>();
};

// How far a kernel goes, and what it does on the way.
struct Extent {
  size_t bytes = 0;
  bool indirect = false;  // a jump or call whose target is in a register
  bool waits = false;
  bool handles_exceptions = false;
};
inline constexpr size_t kernel_limit_bytes = size_t(16) << 20;
Extent kernel_extent(const isa::Model& model, memory::View& memory, uint64_t address);

class ProgramCache {
 public:
  // Keeps about this many instructions.
  explicit ProgramCache(const isa::Model& model, size_t instruction_limit = 200'000)
      : model_(&model), instruction_limit_(instruction_limit), state_(new State) {}
  ~ProgramCache() { delete state_; }
  ProgramCache(const ProgramCache&) = delete;
  ProgramCache& operator=(const ProgramCache&) = delete;

  // The kernel at an address. If exceptions are on, or the kernel can turn them on, the system routine at `sip` stands
  // behind it (0: there is none).
  std::shared_ptr<const Kernel> find(memory::View& memory, uint64_t address, uint64_t sip = 0, bool exceptions = false);

  // Whether memory still holds this kernel there, and at `sip` the system routine that stands behind it.
  static bool is_at(memory::View& memory, const Kernel& kernel, uint64_t address, uint64_t sip);

  const isa::Model& model() const { return *model_; }
  size_t kernels() const;
  size_t instructions() const;
  // In a forked child: another thread may have held the lock, so all is forgotten.
  void restart_after_fork() { state_ = new State; }

 private:
  using Kept = std::list<std::shared_ptr<const Kernel>>;
  struct State {
    std::mutex lock;
    Kept kept;  // the last one used first
    std::unordered_multimap<uint64_t, Kept::iterator> by_start;
    size_t instructions = 0;
  };
  void evict();

  const isa::Model* model_;
  size_t instruction_limit_;
  State* state_;
};

}  // namespace vitro::dispatch
