// The clients of the device: the open files of one `vitro run`, in this process and in others. The kernel keeps them in
// one list; here each is an arena, and those of other processes are found by their descriptors in /proc. Source of the
// behaviour: drm_auth.c, drm_gem.c, i915_drm_client.c of Linux 6.1. Clients of other users, and of processes that may
// not be looked into, are not seen. See docs/decisions/0007-arena.md.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "i915/state.h"

namespace vitro::i915 {

// Calls `visit` for each client until it returns true, those of this process first; tells whether one did. `fd` is a
// descriptor of the arena for the time of the call, or -1 if this process has one anyway.
using VisitClient = std::function<bool(const std::shared_ptr<Arena>& arena, int fd)>;
bool find_client(KernelState& kernel, const VisitClient& visit);

// Held while it is decided who is master, among all processes of the run.
class RunLock {
 public:
  explicit RunLock(KernelState& kernel);
  ~RunLock();
  RunLock(const RunLock&) = delete;
  RunLock& operator=(const RunLock&) = delete;

 private:
  const std::lock_guard<std::mutex> guard_;
  int fd_ = -1;
};

// Opening the card: it becomes master if nobody is.
void open_primary(KernelState& kernel, const std::shared_ptr<Arena>& arena);

// What fdinfo tells of a client, one line each.
std::string client_lines(Arena& arena, const gen::Platform& platform);

}  // namespace vitro::i915
