// Objects made of the program's own memory: making them, whether the memory is there, and what becomes of them when it
// is protected, unmapped or cut off. Source: i915_gem_userptr.c of Linux 6.1, whose notifier learns of every change;
// here the program's own calls tell (Kernel::note_unmapped and its kin). Not noticed: changes past these calls, by the
// C library's allocator, by system calls of the program's own, or by another process that truncates a file.
#include <fmt/format.h>
#include <linux/mman.h>
#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "i915/ioctls.h"
#include "i915/raw.h"

namespace vitro::i915 {
namespace {

struct MapsLine {
  uint64_t start = 0, end = 0, inode = 0;
  bool readable = false, writable = false;
  std::string_view name;
};

template <class Visit>
void for_each_mapping(Visit&& visit) {
  const std::string maps = raw::read_text("/proc/self/maps", 64 << 20);
  for (size_t at = 0; at < maps.size();) {
    MapsLine m;
    char* rest = nullptr;
    m.start = std::strtoull(maps.c_str() + at, &rest, 16);
    m.end = std::strtoull(rest + 1, &rest, 16);
    m.readable = rest[1] == 'r';
    m.writable = rest[2] == 'w';
    // After the rights: offset, device and inode.
    const char* field = rest + 1;
    for (int n = 0; n < 3; ++n) field = std::strchr(field, ' ') + 1;
    m.inode = std::strtoull(field, nullptr, 10);
    const size_t newline = std::min(maps.find('\n', at), maps.size()), name = maps.find_first_of("/[", at);
    if (name < newline) m.name = std::string_view(maps).substr(name, newline - name);
    visit(m);
    at = newline + 1;
  }
}

// Whether the whole range is mapped with at least these rights. What can be written can be read, as the processor has
// it.
bool is_accessible(uint64_t address, uint64_t bytes, bool write) {
  uint64_t covered = address;
  for_each_mapping([&](const MapsLine& m) {
    if (m.start <= covered && covered < m.end && (m.writable || (m.readable && !write))) covered = m.end;
  });
  return covered >= address + bytes;
}

// As get_user_pages finds it: also that there is something behind each page, which is not so behind the end of a file.
bool can_be_pinned(uint64_t address, uint64_t bytes, bool write) {
  const int error =
      raw::madvise(reinterpret_cast<void*>(address), bytes, write ? MADV_POPULATE_WRITE : MADV_POPULATE_READ);
  // EINVAL: no right to write, or a mapping of a kind that cannot be filled in advance, or a kernel that cannot do it.
  return error == 0 || (error == -EINVAL && is_accessible(address, bytes, write));
}

// Whether a mapping has no pages of memory behind it, but a device, or something of the kernel.
bool is_special(const MapsLine& m) {
  if (!m.name.starts_with("[v") && !m.name.starts_with("/dev/")) return false;
  const std::string smaps = raw::read_text("/proc/self/smaps", 64 << 20);
  size_t at = smaps.find(fmt::format("{:x}-{:x} ", m.start, m.end));
  at = smaps.find("VmFlags:", at == std::string::npos ? smaps.size() : at);
  if (at == std::string::npos) return false;
  const std::string_view flags = std::string_view(smaps).substr(at, smaps.find('\n', at) - at);
  return flags.find(" pf") != flags.npos || flags.find(" mm") != flags.npos;
}

// As the probe of the kernel: looks at the mappings, touches nothing.
bool is_mapped(uint64_t address, uint64_t bytes) {
  if (raw::msync(reinterpret_cast<void*>(address), bytes, MS_ASYNC) == -ENOMEM) return false;
  bool special = false;
  for_each_mapping(
      [&](const MapsLine& m) { special = special || (m.start < address + bytes && address < m.end && is_special(m)); });
  return !special;
}

}  // namespace

int gem_userptr(Call& call, drm_i915_gem_userptr& u) {
  constexpr uint32_t known = I915_USERPTR_READ_ONLY | I915_USERPTR_PROBE | uint32_t(I915_USERPTR_UNSYNCHRONIZED);
  if (u.flags & ~known) return -EINVAL;
  if (u.user_size / page_bytes > INT_MAX) return -E2BIG;
  if (u.user_size == 0 || (u.user_ptr | u.user_size) % page_bytes) return -EINVAL;
  constexpr uint64_t user_end = (uint64_t{1} << 47) - page_bytes;
  if (u.user_ptr > user_end || u.user_size > user_end - u.user_ptr) return -EFAULT;
  if (u.flags & uint32_t(I915_USERPTR_UNSYNCHRONIZED)) return -ENODEV;
  const bool read_only = u.flags & I915_USERPTR_READ_ONLY;
  if (read_only && !call.platform().read_only_pages) return -ENODEV;
  if ((u.flags & I915_USERPTR_PROBE) && !is_mapped(u.user_ptr, u.user_size)) return -EFAULT;
  ObjectRef object;
  {
    const ArenaLock lock(call.arena());
    const uint32_t index = call.arena().new_record();
    if (index == 0) return -ENOMEM;
    ObjectRecord& o = call.arena().object(index);
    o.storage = Storage::user;
    o.bytes = u.user_size;
    o.user_address = u.user_ptr;
    o.user_process = raw::getpid();
    o.read_only = read_only;
    o.caching = I915_CACHING_CACHED;
    u.handle = call.arena().new_handle(index);
    if (u.handle == 0) {
      call.arena().free_object(index);
      return -ENOSPC;
    }
    object = ObjectRef(call.file->arena, index);
  }
  call.kernel.add_userptr(object);
  return 0;
}

bool user_pages_present(const ObjectRef& object) {
  if (object->storage != Storage::user) return true;
  if (object->user_process != raw::process()) return false;
  if (!object->pages_seen) {
    if (!can_be_pinned(object->user_address, object->bytes, !object->read_only)) return false;
    object->pages_seen = 1;
  }
  // Holes that came later: looks at the mappings only, writes nothing back.
  return raw::msync(reinterpret_cast<void*>(object->user_address), object->bytes, MS_ASYNC) != -ENOMEM;
}

// As the kernel's notifier: waits for the work that uses the pages, and the GPU finds nothing there until the object is
// submitted again, which looks at the memory anew.
void KernelState::forget_user_pages(uint64_t address, uint64_t end) {
  if (user_count == 0) return;
  std::vector<std::shared_ptr<ObjectRef>> used;
  std::vector<std::shared_ptr<File>> open_files;
  {
    const std::lock_guard guard(lock);
    for (const auto& [key, object] : users) {
      const ObjectRecord& o = **object;
      if (o.user_address < end && address < o.user_address + o.bytes) used.push_back(object);
    }
    if (used.empty()) return;
    for (const auto& [inode, f] : files) open_files.push_back(f);
  }
  std::vector<std::shared_ptr<Vm>> vms;
  for (const auto& f : open_files) {
    const std::lock_guard guard(f->lock);
    for (const auto& [serial, vm] : f->vms) vms.push_back(vm);
  }
  for (const auto& o : used) {
    for (const auto& vm : vms) {
      const std::lock_guard guard(vm->lock);  // nothing is submitted that still finds the pages
      (*o)->pages_seen = 0;
      vm->unbind(key_of(*o));
    }
    wait_for_object(*o->arena(), o->index(), true, forever_ns);
  }
}

void KernelState::forget_truncated(uint64_t inode) {
  if (user_count == 0) return;
  std::vector<MapsLine> lines;
  for_each_mapping([&](const MapsLine& m) {
    if (m.inode == inode && inode != 0) lines.push_back(m);
  });
  for (const MapsLine& m : lines) forget_user_pages(m.start, m.end);
}

void KernelState::add_userptr(const ObjectRef& object) {
  const std::lock_guard guard(lock);
  users[key_of(object)] = std::make_shared<ObjectRef>(object.arena(), object.index());
  user_count = users.size();
}

void KernelState::remove_userptr(const ObjectKey& key) {
  std::shared_ptr<ObjectRef> last;
  const std::lock_guard guard(lock);
  const auto found = users.find(key);
  if (found == users.end()) return;
  last = std::move(found->second);
  users.erase(found);
  user_count = users.size();
}

}  // namespace vitro::i915
