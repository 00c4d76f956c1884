// Finding the clients of one run, who is master among them, and what fdinfo tells of one (see clients.h). Source:
// drm_auth.c, i915_drm_client.c of Linux 6.1, and for the lines about memory drm_file.c of 6.8. There is one region of
// memory, the system's. Of the rules of leases none apply: there is no display to lease.
#include "i915/clients.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <linux/capability.h>
#include <sys/file.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <set>

#include "i915/ioctls.h"
#include "i915/raw.h"

namespace vitro::i915 {
namespace {

constexpr std::string_view arena_link = "/memfd:drm:";
constexpr int lock_tries = 1000;
constexpr int64_t lock_pause_ns = 1'000'000;

// The arenas in another process of the run that have not been seen.
bool find_in_process(KernelState& kernel, const char* pid, std::set<uint64_t>& seen, const VisitClient& visit) {
  const std::string folder = fmt::format("/proc/{}/fd", pid);
  bool found = false;
  raw::for_each_entry(folder.c_str(), [&](const char* name) {
    if (found || name[0] == '.') return;
    const std::string path = folder + "/" + name;
    char link[32] = {};
    if (raw::call(SYS_readlink, raw::of(path.c_str()), raw::of(link), sizeof link) < long(arena_link.size()) ||
        std::strncmp(link, arena_link.data(), arena_link.size()) != 0)
      return;
    struct stat s {};
    if (raw::call(SYS_newfstatat, AT_FDCWD, raw::of(path.c_str()), raw::of(&s), 0) < 0 || !seen.insert(s.st_ino).second)
      return;
    const int fd = raw::open(path.c_str(), O_RDWR | O_CLOEXEC);
    if (fd < 0) return;
    if (const std::shared_ptr<Arena> arena = kernel.arena(fd); arena && arena->head().run == kernel.options.run)
      found = visit(arena, fd);
    raw::close(fd);
  });
  return found;
}

bool is_number(const char* name) { return name[0] >= '0' && name[0] <= '9'; }

// As the kernel prints sizes: in the largest unit that leaves a whole number.
std::string size_text(uint64_t bytes) {
  constexpr const char* units[] = {"", " KiB", " MiB"};
  size_t unit = 0;
  for (; unit < 2 && bytes != 0 && bytes % 1024 == 0; ++unit) bytes /= 1024;
  return fmt::format("{}{}", bytes, units[unit]);
}

struct Memory {
  uint64_t total = 0, shared = 0, active = 0, resident = 0, purgeable = 0;
};

Memory memory_of(Arena& arena) {
  Memory m;
  const ArenaLock lock(arena);
  for (uint32_t i = 1; i < arena.head().next_object; ++i) {
    const ObjectRecord& o = arena.object(i);
    if (o.storage == Storage::none || o.handles == 0) continue;
    m.total += o.bytes;
    if (o.storage == Storage::foreign || o.imports != 0 || o.name != 0 || o.ever_exported) m.shared += o.bytes;
    bool busy = !is_signalled(arena, o.writer);
    for (uint32_t r = 0; r < o.reader_count; ++r) busy = busy || !is_signalled(arena, o.readers[r].fence);
    if (busy) m.active += o.bytes;
    if (o.dont_need) m.purgeable += o.bytes;
  }
  m.resident = std::min(m.total, arena.resident_bytes());
  return m;
}

// By class, as drm-usage-stats.rst spells them.
constexpr const char* engine_names[] = {"render", "copy", "video", "video-enhance"};

bool may_change_master(const Call& call) {
  return (call.head().was_master && call.head().opener == raw::getpid()) || has_capability(CAP_SYS_ADMIN);
}

bool has_other_master(KernelState& kernel, Arena& mine) {
  kernel.collect();  // who was closed is no master
  return find_client(kernel, [&](const std::shared_ptr<Arena>& other, int) {
    return other->inode() != mine.inode() && other->head().minor == mine.head().minor && other->head().is_master;
  });
}

void make_master(Head& h) { h.is_master = h.was_master = h.authenticated = true; }

}  // namespace

bool find_client(KernelState& kernel, const VisitClient& visit) {
  std::vector<std::shared_ptr<Arena>> mine;
  {
    const std::lock_guard guard(kernel.lock);
    for (const auto& [inode, file] : kernel.files) mine.push_back(file->arena);
  }
  std::set<uint64_t> seen;
  for (const auto& arena : mine) {
    seen.insert(arena->inode());
    if (visit(arena, -1)) return true;
  }
  if (kernel.options.run == 0) return false;
  bool found = false;
  raw::for_each_entry("/proc", [&](const char* name) {
    if (!found && is_number(name)) found = find_in_process(kernel, name, seen, visit);
  });
  return found;
}

// An advisory lock on /proc itself: the one thing that all processes of a run can open and that nobody has to make or
// remove. Others may hold it too, but not for long; whoever does is not waited for.
RunLock::RunLock(KernelState& kernel) : guard_(kernel.run_lock) {
  if (kernel.options.run == 0) return;
  fd_ = raw::open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  for (int n = 0; fd_ >= 0 && n < lock_tries && raw::call(SYS_flock, fd_, LOCK_EX | LOCK_NB) == -EWOULDBLOCK; ++n) {
    const timespec pause{0, lock_pause_ns};
    raw::call(SYS_nanosleep, raw::of(&pause), 0);
  }
}
RunLock::~RunLock() {
  if (fd_ >= 0) raw::close(fd_);
}

void open_primary(KernelState& kernel, const std::shared_ptr<Arena>& arena) {
  Head& h = arena->head();
  h.authenticated = has_capability(CAP_SYS_ADMIN);
  const RunLock lock(kernel);
  if (!has_other_master(kernel, *arena)) make_master(h);
}

int set_master(Call& call) {
  if (!may_change_master(call)) return -EACCES;
  const RunLock lock(call.kernel);
  if (call.head().is_master) return 0;
  if (has_other_master(call.kernel, call.arena())) return -EBUSY;
  make_master(call.head());
  return 0;
}

int drop_master(Call& call) {
  if (!may_change_master(call)) return -EACCES;
  const RunLock lock(call.kernel);
  return call.head().is_master.exchange(false) ? 0 : -EINVAL;
}

int get_magic(Call& call, drm_auth& a) {
  const ArenaLock lock(call.arena());
  if (call.head().client_magic == 0) call.head().client_magic = raw::unique_number();
  a.magic = call.head().client_magic;
  return a.magic == 0 ? -ENOMEM : 0;
}

int auth_magic(Call& call, drm_auth& a) {
  const bool found = a.magic != 0 && find_client(call.kernel, [&](const std::shared_ptr<Arena>& other, int) {
                       if (other->head().client_magic != a.magic) return false;
                       other->head().authenticated = true;
                       other->head().client_magic = 0;  // a number is good for once
                       return true;
                     });
  return found ? 0 : -EINVAL;
}

std::string client_lines(Arena& arena, const gen::Platform& platform) {
  // The number of the arena's inode is given to no other file, so it names the client.
  std::string text =
      fmt::format("drm-driver:\ti915\ndrm-pdev:\t0000:00:02.0\ndrm-client-id:\t{}\n", uint32_t(arena.inode()));
  const Memory m = memory_of(arena);
  const struct {
    const char* name;
    uint64_t bytes;
  } amounts[] = {{"total", m.total},
                 {"shared", m.shared},
                 {"active", m.active},
                 {"resident", m.resident},
                 {"purgeable", m.purgeable}};
  for (const auto& a : amounts) text += fmt::format("drm-{}-system0:\t{}\n", a.name, size_text(a.bytes));
  if (!platform.scheduler) return text;  // the kernel measures contexts, which takes execution lists
  for (uint16_t c = 0; c < std::size(engine_names); ++c) {
    const auto capacity = std::count_if(platform.engines.begin(), platform.engines.end(),
                                        [&](const gen::PlatformEngine& e) { return e.engine_class == c; });
    if (capacity == 0) continue;
    text += fmt::format("drm-engine-{}:\t{} ns\n", engine_names[c], arena.head().busy_ns[c].load());
    if (capacity > 1) text += fmt::format("drm-engine-capacity-{}:\t{}\n", engine_names[c], capacity);
  }
  return text;
}

}  // namespace vitro::i915
