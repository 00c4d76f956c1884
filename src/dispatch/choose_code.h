// Which of a kernel's images its threads run: its own code, or fused code for the routines that its messages lead to.
// PRM: none; nothing of this can be seen by a program but in time. What messages lead to is known by the windows that
// the first thread with some tables leaves behind.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "dispatch/fused.h"
#include "dispatch/tier.h"

namespace vitro::dispatch {

struct Kernel;

// Of the threads of one subslice.
class CodeChoice {
 public:
  // Whose code it is.
  struct Of {
    Tier& tier;
    const std::shared_ptr<const Kernel>& kernel;
    KernelTier::Slot& slot;
  };
  // The code with the routines in it that messages lead to, if there is such; else the kernel's own, whose windows
  // these are. They are told which of their routines it has. `run`: instructions that were run before, with all tables.
  const eu::Compiled& choose(const Of& of, const eu::Compiled& own, std::span<eu::Window> windows, uint64_t run);
  // Whether nothing has run with these tables; the next time something has.
  bool is_first() { return std::exchange(is_new_, false); }
  // What was run until now counts for the code that was wanted.
  void count(const Of& of, uint64_t run);
  // From now on with other tables, whose windows lead nowhere yet.
  void begin_tables();
  // Instructions are counted from nothing again.
  void restart_count() { counted_ = 0; }

 private:
  void find_routines(const Of& of, const eu::Compiled& own, std::span<const eu::Window> windows);

  bool is_new_ = true;
  std::vector<const std::byte*> keys_{};  // by routine site, as they were when this was found
  std::vector<RoutineInUse> in_use_{};
  FusedCode* code_ = nullptr;              // null: none is known
  const eu::Compiled* nearest_ = nullptr;  // while that is not ready
  const eu::Compiled* windows_are_for_ = nullptr;
  uint64_t counted_ = 0;  // instructions
};

}  // namespace vitro::dispatch
