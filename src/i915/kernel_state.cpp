// The process's own state: which arenas it has mapped, GPUs, client mappings, internal descriptors, threads, and what
// fork does to them. Source of the behaviour: Linux drm_file.c. When the last descriptor of a file
// in this process is closed, nobody tells us, so files are collected by looking which descriptors there are.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "base/abandon.h"
#include "base/host_thread.h"
#include "base/quiet_writes.h"
#include "i915/aperture.h"
#include "i915/raw.h"
#include "i915/state.h"

namespace vitro::i915 {
namespace {

int internal_fd_base() {
  rlimit limit{};
  raw::call(SYS_prlimit64, 0, RLIMIT_NOFILE, 0, raw::of(&limit));
  return int(std::min<rlim_t>(limit.rlim_cur * 3 / 4, 900));
}

}  // namespace

void Vm::unbind(const ObjectKey& key) {
  const auto found = by_object.find(key);
  if (found == by_object.end()) return;
  const auto at = by_address.find(found->second);
  space.unbind(at->second.start, at->second.bytes);
  by_address.erase(at);
  by_object.erase(found);
}

File::~File() {
  for (auto& [inode, foreign] : foreign_arenas) kernel->remove_internal(foreign.fd);
}

std::shared_ptr<Context> File::context(uint64_t serial) {
  const std::lock_guard guard(lock);
  std::shared_ptr<Context>& c = contexts[serial];
  if (!c) c = std::make_shared<Context>();
  return c;
}

std::shared_ptr<Vm> File::vm(uint64_t serial) {
  const std::lock_guard guard(lock);
  std::shared_ptr<Vm>& v = vms[serial];
  if (!v) v = std::make_shared<Vm>();
  return v;
}

KernelState::KernelState(const Options& o, Kernel::GpuFactory factory)
    : options(o), platform(gen::find_platform(o.device)), factory_(std::move(factory)) {
  if (!platform) platform = gen::find_platform("kbl"), options.device = "kbl";
}

KernelState::~KernelState() {
  finish(30);
  std::vector<std::shared_ptr<Queue>> alive;
  {
    const std::lock_guard guard(work_lock);
    ending = true;
    for (const auto& q : queues)
      if (auto queue = q.lock()) alive.push_back(std::move(queue));
  }
  for (const auto& q : alive) {
    const std::lock_guard guard(q->lock);
    q->cancelled = true;
    q->called.notify_all();
  }
  alive.clear();
  std::unique_lock guard(work_lock);
  work_changed.wait(guard, [&] { return threads == 0; });
  guard.unlock();
  watches.clear();
  mappings.clear();
  users.clear();
  files.clear();  // while the rest, which files use when they go, is here
  for (const int fd : internal) raw::close(fd);
}

std::shared_ptr<Arena> KernelState::arena(int fd) {
  uint64_t inode = 0;
  if (!Arena::may_be(fd, inode)) return nullptr;
  {
    const std::lock_guard guard(lock);
    const auto known = arenas.find(inode);
    std::shared_ptr<Arena> a = known == arenas.end() ? nullptr : known->second.lock();
    if (!a && (a = Arena::adopt(fd))) arenas[inode] = a;
    if (a) {
      a->remember_descriptor(fd);
      return a;
    }
  }
  if (Arena::recognise(fd, inode)) report_once("an open device cannot be used: there is no address space left for it");
  return nullptr;
}

std::shared_ptr<File> KernelState::file(int fd) {
  const std::shared_ptr<Arena> a = arena(fd);
  return a ? file(a) : nullptr;
}

std::shared_ptr<File> KernelState::file(const std::shared_ptr<Arena>& a) {
  const std::lock_guard guard(lock);
  std::shared_ptr<File>& f = files[a->inode()];
  if (!f) {
    f = std::make_shared<File>();
    f->kernel = this;
    f->arena = a;
    f->platform = gen::find_platform(f->arena->head().device);
    if (!f->platform) f->platform = platform;
  }
  return f;
}

std::shared_ptr<Gpu> KernelState::gpu(const std::string& device) {
  // Its own lock: a device that is made may open files, which asks us about descriptors.
  const std::lock_guard guard(gpu_lock);
  std::shared_ptr<Gpu>& g = gpus[device];
  if (!g) {
    device::Options o = options.gpu;
    o.remark = [this](const std::string& line) { report(line); };
    g = std::make_shared<Gpu>(factory_(*gen::find_device(device), o));
  }
  return g;
}

void KernelState::collect() {
  std::vector<std::shared_ptr<File>> gone;
  {
    const std::lock_guard guard(lock);
    if (files.empty()) return;
  }
  std::set<uint64_t> inodes;
  bool told = false;
  raw::for_each_descriptor([&](int fd) {
    struct stat s {};
    if (raw::fstat(fd, &s) == 0 && S_ISREG(s.st_mode)) inodes.insert(s.st_ino);
    told = true;
  });
  if (!told) return;
  std::unique_lock guard(lock);
  for (auto f = files.begin(); f != files.end();) {
    if (!inodes.contains(f->first) && f->second.use_count() == 1) {
      gone.push_back(std::move(f->second));
      f = files.erase(f);
    } else {
      ++f;
    }
  }
  guard.unlock();
  gone.clear();  // gives back objects and descriptors, which takes locks
  guard.lock();
  std::erase_if(arenas, [](const auto& a) { return a.second.expired(); });
  files_left = std::max<size_t>(files.size(), 8);
}

void KernelState::collect_if_many() {
  {
    const std::lock_guard guard(lock);
    if (files.size() < 2 * files_left) return;
  }
  collect();
}

void KernelState::map_client(uint64_t address, uint64_t bytes, const ObjectRef& object) {
  const std::lock_guard guard(lock);
  mappings[address] = {address + bytes, std::make_shared<ObjectRef>(object.arena(), object.index())};
  mapping_count = mappings.size();
}

void KernelState::unmap_client(uint64_t address, uint64_t bytes) {
  const uint64_t end = address + (bytes + page_bytes - 1) / page_bytes * page_bytes;
  forget_user_pages(address, end);
  if (mapping_count == 0) return;
  std::vector<std::shared_ptr<ObjectRef>> gone;
  std::unique_lock guard(lock);
  auto m = mappings.upper_bound(address);
  if (m != mappings.begin() && std::prev(m)->second.end > address) --m;
  while (m != mappings.end() && m->first < end) {
    const uint64_t start = m->first;
    const ClientMapping old = m->second;
    m = mappings.erase(m);
    if (start < address) mappings[start] = {address, old.object};
    if (old.end > end) mappings[end] = {old.end, old.object};
    gone.push_back(old.object);
  }
  mapping_count = mappings.size();
  guard.unlock();
  for (const auto& object : gone) settle_aperture(*object);  // while what was written is still there to be read
}

int KernelState::add_internal(int fd) {
  static const int base = internal_fd_base();
  const int high = raw::fcntl(fd, F_DUPFD_CLOEXEC, base);
  if (high >= 0) {
    raw::close(fd);
    fd = high;
  }
  const std::lock_guard guard(lock);
  internal.insert(fd);
  return fd;
}

void KernelState::remove_internal(int fd) {
  if (fd < 0) return;
  const std::lock_guard guard(lock);
  if (internal.erase(fd)) raw::close(fd);
}

bool KernelState::spawn(std::function<void()> work) {
  struct Start {
    KernelState* kernel;
    std::function<void()> work;
  };
  auto start = std::make_unique<Start>(Start{this, std::move(work)});
  const auto run = [](void* given) -> void* {
    std::unique_ptr<Start> mine(static_cast<Start*>(given));
    KernelState& kernel = *mine->kernel;
    mine->work();
    mine.reset();
    const std::lock_guard guard(kernel.work_lock);
    --kernel.threads;
    kernel.work_changed.notify_all();
    return nullptr;
  };
  {
    const std::lock_guard guard(work_lock);
    ++threads;
  }
  pthread_t thread;
  if (start_host_thread(thread, run, start.get()) == 0) {
    static_cast<void>(start.release());
    pthread_detach(thread);
    return true;
  }
  const std::lock_guard guard(work_lock);
  --threads;
  work_changed.notify_all();
  return false;
}

uint64_t KernelState::new_timeline() { return uint64_t(raw::getpid()) << 32 | ++timelines; }

void KernelState::report(const std::string& line) {
  if (!options.report) return;
  const std::string text = "vitro: " + line + "\n";
  const QuietWrites quiet;
  raw::write(2, text.data(), text.size());
}

void KernelState::report_once(const std::string& line) {
  {
    const std::lock_guard guard(lock);
    if (!reported.insert(line).second) return;
  }
  report(line);
}

void KernelState::finish(double seconds) {
  std::unique_lock guard(work_lock);
  work_changed.wait_for(guard, std::chrono::duration<double>(seconds), [&] { return requests == 0; });
}

void KernelState::before_fork() {
  run_lock.lock();
  gates_lock.lock();
  followers.lock.lock();
  gpu_lock.lock();
  lock.lock();
  for (const auto& [inode, f] : files) f->lock.lock();
  work_lock.lock();  // the last, as in queue_of
  for (const auto& [inode, weak] : arenas)
    if (const auto a = weak.lock()) a->before_fork();
  // The child's mappings count from now on, whoever of the two is faster.
  for (const auto& [address, m] : mappings) m.object->arena()->ref(m.object->index());
}

void KernelState::after_fork_in_parent(bool forked) {
  for (const auto& [inode, weak] : arenas)
    if (const auto a = weak.lock()) a->after_fork_in_parent();
  if (!forked)
    for (const auto& [address, m] : mappings) m.object->arena()->unref(m.object->index());
  for (const auto& [inode, f] : files) f->lock.unlock();
  work_lock.unlock();
  lock.unlock();
  gpu_lock.unlock();
  followers.lock.unlock();
  gates_lock.unlock();
  run_lock.unlock();
}

void KernelState::after_fork_in_child() {
  raw::forget_process();
  for (const auto& [inode, weak] : arenas)
    if (const auto a = weak.lock()) a->after_fork_in_child();
  for (const auto& [inode, f] : files) {
    abandon(f->contexts);
    abandon(f->vms);
    f->lock.unlock();
  }
  abandon(gpus);
  abandon(queues);
  abandon(followers.by_fence);
  abandon(gates);
  abandon(watches);
  watch_count = 0;
  abandon(users);  // they name memory of the parent
  user_count = 0;
  sync_files.clear();
  // Only descriptors of arenas are the child's business; the write ends of sync_files are the parent's promise.
  std::set<int> keep;
  for (const auto& [inode, f] : files)
    for (const auto& [foreign_inode, foreign] : f->foreign_arenas) keep.insert(foreign.fd);
  for (const int fd : internal)
    if (!keep.contains(fd)) raw::close(fd);
  internal = std::move(keep);
  threads = requests = 0;
  ended = uint32_t(submitted);
  resting = 0;
  new (&work_changed) std::condition_variable;  // without the parent's waiters
  work_lock.unlock();
  lock.unlock();
  gpu_lock.unlock();
  followers.lock.unlock();
  gates_lock.unlock();
  run_lock.unlock();
}

}  // namespace vitro::i915
