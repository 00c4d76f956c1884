// Gates: what stands in for a device or a dma-buf where a program waits for descriptors (poll, select, epoll). The
// files behind our descriptors are always ready, and epoll does not take them; a gate is one end of a socket pair that
// is readable and writable exactly when the kernel would say so. Source of the behaviour: dma_buf_poll in
// drivers/dma-buf/dma-buf.c and drm_poll in drm_file.c of Linux 6.1: a dma-buf can be read when its writers are done
// and written when everybody is; a device has events to read only with a display, so never.
// A gate follows its object by a thread, which exists while the object is busy. Work that is submitted later is seen
// when the program waits the next time (refresh), as the kernel looks at the object only then.
#pragma once

#include <sys/epoll.h>

#include <memory>
#include <mutex>

#include "i915/arena.h"

namespace vitro::i915 {

class KernelState;

class Gate : public std::enable_shared_from_this<Gate> {
 public:
  // For a dma-buf's object, or for a device (no object). nullptr: no descriptors are left.
  static std::shared_ptr<Gate> make(KernelState& kernel, ObjectRef object);
  ~Gate();
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;

  // What to wait on; internal, and never to be read or written.
  int end() const { return near_; }
  // Looks at the object now, and follows it if it is busy. False: there is no thread that could follow it.
  bool refresh();

 private:
  Gate(KernelState& kernel, ObjectRef object) : kernel_(kernel), object_(std::move(object)) {}
  bool update(bool check_owners);  // whether nothing is left to follow
  void follow();

  KernelState& kernel_;
  ObjectRef object_;
  int near_ = -1, far_ = -1;
  std::mutex lock_;
  bool readable_ = false, writable_ = true, followed_ = false;
};

// A gate in a program's epoll set.
struct Watch {
  std::shared_ptr<Gate> gate;
  int fd = -1;  // internal: an epoll set knows a file by the descriptor too, so each watch has its own
};

}  // namespace vitro::i915
