// What one process knows beside the arenas: which it has mapped, the hardware state of contexts, the address spaces of
// VMs, queues of requests, client mappings and descriptors of its own. Source of the behaviour: Linux i915
// (gem/i915_gem_context.c, gt/intel_context.c). The hardware state of a context and the bindings of a VM belong to a
// process: a child that shares a context by fork starts it from its default state.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "gen/platform.h"
#include "i915/arena.h"
#include "i915/completion.h"
#include "i915/fence.h"
#include "i915/gate.h"
#include "i915/kernel.h"
#include "memory/address_space.h"

namespace vitro::i915 {

struct File;

// An object as other rooms of this process know it: arena's inode and index.
using ObjectKey = std::pair<uint64_t, uint32_t>;
inline ObjectKey key_of(const ObjectRef& o) { return {o.arena()->inode(), o.index()}; }

struct Binding {
  uint64_t start = 0, bytes = 0;
  std::shared_ptr<ObjectRef> object;
};

struct Vm {
  std::mutex lock;  // held from placement to submission
  memory::AddressSpace space;
  std::map<uint64_t, Binding> by_address;
  std::map<ObjectKey, uint64_t> by_object;

  void unbind(const ObjectKey& key);
};

// A buffer whose contents an error state shows.
struct Capture {
  std::string kind;  // batch, user
  uint64_t address = 0, bytes = 0;
};

struct Request {
  std::shared_ptr<File> file;
  device::Batch batch;
  std::vector<Dependency> waits;
  std::vector<Signal> signals;
  std::vector<Capture> captures;
  std::vector<ObjectRef> tiled;  // that may be mapped through the aperture
  uint32_t context = 0;
  int64_t submitted_ns = 0;
};

// Runs the requests of one engine slot of a context, in order, on a thread that exists while there is something to do
// (queue.cpp).
struct Queue : std::enable_shared_from_this<Queue> {
  KernelState* kernel = nullptr;
  uint64_t timeline = 0;
  device::Engine engine = device::Engine::render;
  std::string engine_name;
  std::shared_ptr<void> hardware;  // of the Gpu, made at the first request

  std::mutex lock;
  std::condition_variable called, room;  // for the thread while it sleeps; for who waits until the queue is shorter
  std::deque<Request> requests;
  std::atomic<uint32_t> arrivals{0};  // how many requests came, for the thread while it is awake and has none
  unsigned expected = 0;              // requests that will come: their submitters rely on the thread
  bool has_thread = false, asleep = false;
  std::atomic<bool> cancelled{false};
};

// A place in a queue for one more request: there is room, and a thread that will run it. Given back if nothing comes.
class RingSpace {
 public:
  RingSpace() = default;
  ~RingSpace();
  RingSpace(const RingSpace&) = delete;
  RingSpace& operator=(const RingSpace&) = delete;
  // 0, -EWOULDBLOCK if there is no room and the descriptor does not wait for some, -ENOMEM if no thread can be had.
  int take(const std::shared_ptr<Queue>& queue, int fd);

 private:
  std::shared_ptr<Queue> queue_;
};

struct Context {
  std::map<uint32_t, std::shared_ptr<Queue>> queues;  // by engine slot; all by slot 0 in a single timeline
};

// The arena of an imported object, with a descriptor to map it for the client.
struct ForeignArena {
  std::shared_ptr<Arena> arena;
  int fd = -1;  // internal
};

struct File {
  ~File();
  KernelState* kernel = nullptr;
  std::shared_ptr<Arena> arena;
  const gen::Platform* platform = nullptr;

  std::mutex lock;
  std::map<uint64_t, std::shared_ptr<Context>> contexts;  // by serial
  std::map<uint64_t, std::shared_ptr<Vm>> vms;            // by serial
  std::map<uint64_t, ForeignArena> foreign_arenas;        // by inode, of imports

  std::shared_ptr<Context> context(uint64_t serial);
  std::shared_ptr<Vm> vm(uint64_t serial);
};

struct ClientMapping {
  uint64_t end = 0;
  std::shared_ptr<ObjectRef> object;
};

class KernelState {
 public:
  KernelState(const Options& options, Kernel::GpuFactory factory);
  ~KernelState();

  Options options;
  const gen::Platform* platform = nullptr;

  // The file behind a descriptor, nullptr if it is none of ours.
  std::shared_ptr<File> file(int fd);
  std::shared_ptr<File> file(const std::shared_ptr<Arena>& arena);
  std::shared_ptr<Arena> arena(int fd);
  std::shared_ptr<Gpu> gpu(const std::string& device);
  void collect();
  void collect_if_many();  // when there are twice as many files as the last time left: asking takes long then

  void map_client(uint64_t address, uint64_t bytes, const ObjectRef& object);
  void unmap_client(uint64_t address, uint64_t bytes);
  void forget_user_pages(uint64_t address, uint64_t end);
  void forget_truncated(uint64_t inode);

  void add_userptr(const ObjectRef& object);
  void remove_userptr(const ObjectKey& key);

  // Moves a descriptor out of the program's way and keeps it. Gives its new number.
  int add_internal(int fd);
  void remove_internal(int fd);  // and closes it

  // Runs `work` on a thread of its own. False: there is none to be had, and nothing was done.
  [[nodiscard]] bool spawn(std::function<void()> work);
  // To a queue in which the caller has a place.
  void submit(Queue& queue, Request request);
  uint64_t new_timeline();
  // Where a batch of a queue goes wrong: resets and bans as the kernel does.
  void hang(Queue& queue, const Request& request, const Fault& fault);
  void report(const std::string& line);
  void report_once(const std::string& line);  // however often it is asked to

  void before_fork();
  void after_fork_in_parent(bool forked);
  void after_fork_in_child();
  void finish(double seconds);

  std::mutex run_lock;  // of RunLock (clients.h); taken before all others
  std::mutex gpu_lock;  // of gpus; taken before the other
  std::mutex lock;
  std::map<uint64_t, std::shared_ptr<File>> files;        // by inode
  std::map<uint64_t, std::weak_ptr<Arena>> arenas;        // by inode
  std::map<std::string, std::shared_ptr<Gpu>> gpus;       // by device
  std::map<uint64_t, ClientMapping> mappings;             // by address
  std::map<ObjectKey, std::shared_ptr<ObjectRef>> users;  // userptr objects of this process
  std::set<int> internal;
  std::set<std::string> reported;
  size_t files_left = 8;                                   // by collect()
  std::map<uint64_t, std::vector<Dependency>> sync_files;  // by the pipe's inode, those made here
  std::string error_state;
  std::atomic<size_t> mapping_count{0}, user_count{0};
  std::atomic<uint64_t> submitted{0}, timelines{0};
  // Of the batches submitted, in the same numbers; a futex for the threads that rest until one ends (resting.cpp).
  std::atomic<uint32_t> ended{0}, resting{0};
  void note_end();
  static thread_local uint32_t own_submissions;  // of the calling thread
  std::atomic<int> hangs{0};

  std::mutex gates_lock;                           // taken before those below
  Followers followers;                             // its lock is taken before those of arenas, and before `lock`
  std::map<ObjectKey, std::weak_ptr<Gate>> gates;  // a device's has no object
  std::map<std::pair<int, int>, Watch> watches;    // by epoll set and descriptor
  std::atomic<size_t> watch_count{0};

  // Threads and requests that are alive.
  std::mutex work_lock;
  std::condition_variable work_changed;
  int threads = 0, requests = 0;
  bool ending = false;
  std::vector<std::weak_ptr<Queue>> queues;

 private:
  Kernel::GpuFactory factory_;
};

// One call of an ioctl on a device file.
struct Call {
  KernelState& kernel;
  const std::shared_ptr<File>& file;
  int fd;

  Arena& arena() const { return *file->arena; }
  Head& head() const { return file->arena->head(); }
  const gen::Platform& platform() const { return *file->platform; }
};

// The object behind a handle, in the arena it lives in. Empty: there is none.
ObjectRef find_object(const Call& call, uint32_t handle);
// The place of a handle's object in the file's own arena, which is its mmap offset.
uint64_t mmap_offset(const Call& call, uint32_t handle);
// Host memory of an object's storage; for userptr only in the process that made it (nullptr elsewhere).
std::byte* host_memory(const ObjectRef& object);
// Of a userptr object: whether its memory is (still) there with the rights it needs. True for all others.
bool user_pages_present(const ObjectRef& object);
int close_handle(const Call& call, uint32_t handle);

// Keeps another arena of which this file holds an object or a syncobj. `fd`: any descriptor of it; -1: one that this
// process has.
int remember_foreign(const Call& call, const std::shared_ptr<Arena>& arena, int fd);
// The object that a dma-buf names, 0 if it is gone. Needs the lock.
uint32_t dma_buf_object(Arena& arena, int fd);

// The record of a context, nullptr if there is none. Needs the lock.
ContextRecord* find_context(const Call& call, uint32_t id);
// Makes a context's choices final, as its first use does. Needs the lock.
int finalise(const Call& call, ContextRecord& context);
// Frees the record of a destroyed context whose work has ended. Needs the lock.
void release_context(File& file, uint32_t id);
bool has_capability(int capability);

// Sync files, in sync_file.cpp; execbuffer and syncobjs need them too.
// 0 and what to wait for (nothing if it has signalled); -EINVAL if the descriptor is no sync_file.
int sync_file_fences(KernelState& kernel, int fd, std::vector<Dependency>& out);
// 0: active, 1: signalled, negative: signalled with an error.
int status_of(const Dependency& dependency);
// A sync_file that signals after all of them. Negative errno on failure.
int make_sync_file(KernelState& kernel, std::vector<Dependency> fences);
// A sync_file that complete() signals by way of `write_end`, an internal descriptor. Negative errno on failure.
int make_pipe(KernelState& kernel, int& write_end);
// What a sync_file stands for, so that it need not be waited for where it is used here.
void name_pipe(KernelState& kernel, int sync_file, const std::vector<Dependency>& fences);
// Makes `out` a fence of `arena` that signals after all of them. 0 or a negative errno. Needs no lock.
int relay(KernelState& kernel, const std::shared_ptr<Arena>& arena, std::vector<Dependency> fences, FenceRef& out);

}  // namespace vitro::i915
