// One call of execbuffer2 while it is checked and put together. Source: gem/i915_gem_execbuffer.c of Linux 6.1; its
// order of checks is kept, so that what is wrong in two ways gives the error that the kernel gives.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "i915/ioctls.h"
#include "i915/state.h"
#include "i915/syncobj.h"

namespace vitro::i915 {

// An object of the list.
struct ExecItem {
  drm_i915_gem_exec_object2 entry{};  // offset as the caller gave it, not sign extended
  ObjectRef object;
  uint64_t address = 0;
  bool placed = false;

  uint64_t bytes() const { return std::max<uint64_t>(object->bytes, entry.pad_to_size); }
};

// What happens to a syncobj when the request is submitted.
struct ExecSignal {
  Syncobj syncobj;
  uint64_t point = 0;  // 0: replace
};

struct Exec {
  Call& call;
  drm_i915_gem_execbuffer2& args;
  std::vector<ExecItem> items;
  std::vector<Dependency> waits;
  std::vector<ExecSignal> signals;
  ContextRecord context{};
  uint32_t context_id = 0, slot = 0;
  const gen::PlatformEngine* engine = nullptr;
  std::shared_ptr<Vm> vm;
  size_t batch = 0;  // among the items
  uint64_t batch_bytes = 0;
  int out_pipe = -1;   // the write end of the out fence
  bool moved = false;  // the list or the relocations are not up to date
  bool submitted = false;
};

int parse_fences(Exec& exec);  // fence array and timeline extension
// These need the VM's lock.
int place(Exec& exec);
int relocate(Exec& exec);

// The command parser: 0, -EINVAL or -EACCES. `address`: where the batch is in the address space.
int check_batch(const gen::BatchRules& rules, std::span<const uint32_t> batch, uint64_t address);

std::shared_ptr<Queue> queue_of(File& file, const ContextRecord& context, uint32_t slot,
                                const gen::PlatformEngine& engine);
}  // namespace vitro::i915
