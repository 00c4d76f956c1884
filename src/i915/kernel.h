// The kernel's side of an Intel GPU, in the process that uses it: what open, ioctl, mmap and the rest of the system
// calls on a device node, a dma-buf, a syncobj or a sync_file do. Source of the behaviour: Linux 6.1, drm core and
// i915.
//
// There is no server. An open device file is a sparse memfd, the arena (arena.h), that every process which holds a
// descriptor maps; work runs in the process that submits it. Descriptors carry what they are:
//   device     position 0 of the arena
//   syncobj    another open file description of the arena, its position is the syncobj's record
//   dma-buf    another open file description of the arena, its position is the object's storage
//   sync_file  the read end of a pipe: readable or hung up means signalled
// so they are recognised in any process, however received. Nothing here goes through libc functions that a preloaded
// library interposes (raw.h). All functions are safe to call from any thread; errors are negative errno values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "device/device.h"
#include "gen/platform.h"
#include "i915/gpu.h"

struct epoll_event;

namespace vitro::i915 {

inline constexpr int card_minor = 0, render_minor = 128;

struct Options {
  std::string device = "kbl";  // of files that this process opens
  device::Options gpu{};
  bool report = true;  // faults are told on stderr
  uint64_t run = 0;    // names the `vitro run` whose processes share one device; 0: this process alone
};

enum class FdKind : uint8_t { none, device, dma_buf, syncobj, sync_file };

struct FdInfo {
  FdKind kind = FdKind::none;
  int minor = 0;       // device: card_minor or render_minor
  uint64_t bytes = 0;  // dma_buf: the object's size, as lseek(SEEK_END) and fstat shall say
};

// How to answer an mmap on one of our descriptors: fail with `error`, or map `fd` at `offset` with the client's own
// address, length, protection and flags, and then call note_mapped.
struct MapPlan {
  int error = 0;  // negative errno
  int fd = -1;
  uint64_t offset = 0;
  // Not an object of ours (error and fd are unset): map as if we were not here.
  bool foreign = false;
};

class Gate;
class KernelState;

class Kernel {
 public:
  using GpuFactory = std::function<Gpu(const gen::Device&, const device::Options&)>;
  // The one of this process; configure() before the first call of instance() chooses its options.
  static Kernel& instance();
  static void configure(const Options& options);

  explicit Kernel(const Options& options, GpuFactory factory = make_gpu);
  ~Kernel();
  Kernel(const Kernel&) = delete;
  Kernel& operator=(const Kernel&) = delete;

  const gen::Platform& platform() const;

  // A new open file of the device; `flags` as open(2) takes them (O_CLOEXEC, O_NONBLOCK and the access mode count).
  int open(int minor, int flags);

  // What a descriptor is. Pipes are not looked into: they are `none` here, but ioctl() knows sync_file requests on
  // them.
  FdInfo identify(int fd);
  bool owns(int fd) { return identify(fd).kind != FdKind::none; }
  // A descriptor that this library keeps for itself and that the program must neither close nor overwrite (the write
  // ends of sync_files). Close loops (close, close_range, closefrom, dup2) pass them over.
  bool is_internal(int fd);
  // The lowest internal descriptor, or INT_MAX: lets close loops be cheap.
  int lowest_internal();

  // nullopt: the descriptor or the request is not ours, call the real ioctl.
  std::optional<int> ioctl(int fd, unsigned long request, void* argument);

  MapPlan plan_map(int fd, uint64_t offset, size_t bytes, int protection, int flags);
  // After a successful mmap of a plan that was not foreign.
  void note_mapped(const void* address, size_t bytes, int fd, uint64_t offset);
  // Before munmap, MAP_FIXED over, or mremap away, of any range: waits for work that uses a userptr in it, and forgets
  // mappings of objects there. Cheap if neither exists.
  void note_unmapped(const void* address, size_t bytes);
  // Before mprotect of any range: a userptr object there has to be looked at again.
  void note_protected(const void* address, size_t bytes);
  // Before a file is made shorter, which takes the memory behind its mappings away. The file by its inode number.
  void note_truncated(uint64_t inode);
  // lseek on a dma-buf: SEEK_END with 0 gives the size, SEEK_SET with 0 gives 0, else -EINVAL. The real position
  // must not move.
  int64_t seek(int fd, int64_t offset, int whence);

  // Waiting. What to poll in place of a device or a dma-buf, as it is now; nullptr: the descriptor itself.
  std::shared_ptr<Gate> gate(int fd);
  // epoll_ctl on one of these; nullopt: not ours.
  std::optional<int> epoll_control(int set, int operation, int fd, epoll_event* event);
  // Before a program waits on an epoll set, or on descriptors of which one may be such a set. Cheap if there is none.
  // False: some do not change by themselves (Gate::refresh), so it must be called again and again.
  bool refresh_gates();
  // Before a descriptor is closed or replaced: it may be an epoll set, or be in one.
  void forget_watches(int closed);

  // In place of sched_yield. Tells whether it slept, since batches are under way and the caller waits for long.
  bool yield();

  // To be called around fork() (not vfork). The child has no pending work, no threads, and fresh hardware state.
  void before_fork();
  void after_fork_in_parent(bool forked = true);  // false: fork failed
  void after_fork_in_child();

  // Forgets arenas of which this process has no descriptor, mapping, import or pending work any more. open() does it
  // too; call it after a close of an owned descriptor.
  void collect();

  // What the kernel adds to fdinfo for a descriptor of a device, of this process or another; empty for others.
  std::string client_lines(int fd);

  // For sysfs and debugfs. The text of the first hang since the last clear.
  std::string error_state();
  void clear_error_state();

  // At exit: finishes pending work; later submissions still work. Waits no longer than `seconds`.
  void shutdown(double seconds = 30);
  // What was executed, for --stats; empty if nothing was.
  std::string statistics(bool json);
  uint64_t batches_submitted() const;

  KernelState& state() { return *state_; }

 private:
  std::optional<int> answer(int fd, unsigned long request, void* argument);

  std::unique_ptr<KernelState> state_;
};

}  // namespace vitro::i915
