// The public face: tells descriptors apart and hands calls to whom they concern. Source of the behaviour: the file
// operations of Linux drm_file.c, dma-buf.c and sync_file.c.
#include "i915/kernel.h"

#include <fcntl.h>
#include <linux/ioctl.h>

#include <cerrno>
#include <climits>
#include <new>

#include "i915/aperture.h"
#include "i915/clients.h"
#include "i915/ioctl_trace.h"
#include "i915/ioctls.h"
#include "i915/raw.h"
#include "i915/state.h"

namespace vitro::i915 {

Kernel::Kernel(const Options& options, GpuFactory factory)
    : state_(std::make_unique<KernelState>(options, std::move(factory))) {}
Kernel::~Kernel() = default;

const gen::Platform& Kernel::platform() const { return *state_->platform; }

int Kernel::open(int minor, int flags) {
  state_->collect_if_many();
  int fd = -1;
  std::string why;
  const std::shared_ptr<Arena> arena = Arena::create(minor, state_->platform->device, fd, why);
  if (!arena) {
    if (!why.empty()) state_->report_once("the device cannot be opened: " + why);
    return fd;
  }
  {
    const std::lock_guard guard(state_->lock);
    state_->arenas[arena->inode()] = arena;
  }
  if (!(flags & O_CLOEXEC)) raw::fcntl(fd, F_SETFD, 0);
  if (flags & O_NONBLOCK) raw::fcntl(fd, F_SETFL, O_NONBLOCK);
  {  // the default context and its address space
    const ArenaLock lock(*arena);
    Head& h = arena->head();
    h.run = state_->options.run;
    h.opener = raw::getpid();
    h.vms[1] = {1, arena->new_serial()};
    ContextRecord& c = h.contexts[0];
    c = {};
    c.in_use = c.finalised = c.bannable = c.recoverable = c.persistent = true;
    c.vm = 1;
    c.serial = arena->new_serial();
  }
  state_->file(fd);
  if (minor == card_minor) open_primary(*state_, arena);
  return fd;
}

namespace {

FdKind kind_at(int64_t position) {
  if (position >= int64_t(storage_start)) return FdKind::dma_buf;
  return position >= int64_t(syncobj_tag_start) ? FdKind::syncobj : FdKind::device;
}

}  // namespace

FdInfo Kernel::identify(int fd) {
  const std::shared_ptr<Arena> arena = state_->arena(fd);
  if (!arena) return {};
  FdInfo info{.kind = kind_at(raw::lseek(fd, 0, SEEK_CUR)), .minor = int(arena->head().minor)};
  if (info.kind == FdKind::dma_buf) try {
      const ArenaLock lock(*arena);
      if (const uint32_t object = dma_buf_object(*arena, fd)) info.bytes = arena->object(object).bytes;
    } catch (const std::bad_alloc&) {  // its record cannot be mapped: of unknown size
    }
  return info;
}

bool Kernel::is_internal(int fd) {
  const std::lock_guard guard(state_->lock);
  return state_->internal.contains(fd);
}

int Kernel::lowest_internal() {
  const std::lock_guard guard(state_->lock);
  return state_->internal.empty() ? INT_MAX : *state_->internal.begin();
}

std::optional<int> Kernel::ioctl(int fd, unsigned long request, void* argument) {
  try {
    return answer(fd, request, argument);
  } catch (const std::bad_alloc&) {  // also from a table of the arena that cannot grow; the caller is a C program
    const std::shared_ptr<Arena> arena = state_->arena(fd);
    if (const std::string why = arena ? arena->shortage() : ""; !why.empty()) state_->report_once("no memory: " + why);
    return -ENOMEM;
  }
}

std::optional<int> Kernel::answer(int fd, unsigned long request, void* argument) {
  const unsigned type = _IOC_TYPE(request);
  const auto told = [&](int result) {
    if (state_->options.gpu.trace.ioctls) device::write_trace(describe_ioctl(fd, request, nullptr, result));
    return result;
  };
  if (type == '>') {
    const std::optional<int> result = sync_file_ioctl(*state_, fd, request, argument);
    return result ? told(*result) : result;
  }
  if (type != 'd' && type != 'b') return std::nullopt;
  const std::shared_ptr<Arena> arena = state_->arena(fd);
  if (!arena) return std::nullopt;
  const FdKind kind = kind_at(raw::lseek(fd, 0, SEEK_CUR));
  if (kind == FdKind::dma_buf && type == 'b') return told(dma_buf_ioctl(*state_, arena, fd, request, argument));
  if (kind != FdKind::device || type != 'd') return -ENOTTY;
  const std::shared_ptr<File> file = state_->file(arena);
  Call call{*state_, file, fd};
  const int result = device_ioctl(call, request, argument);
  arena->reap(fd);
  return result;
}

MapPlan Kernel::plan_map(int fd, uint64_t offset, size_t bytes, int, int) try {
  const std::shared_ptr<Arena> arena = state_->arena(fd);
  if (!arena) return {.foreign = true};
  const FdKind kind = kind_at(raw::lseek(fd, 0, SEEK_CUR));
  if (kind == FdKind::syncobj) return {.error = -ENODEV};
  if (bytes == 0) return {.error = -EINVAL};
  const bool aperture = kind == FdKind::device && (offset & aperture_flag);
  offset &= ~aperture_flag;
  ObjectRef object;
  uint64_t within = 0;
  {
    const ArenaLock lock(*arena);
    const uint32_t index = kind == FdKind::dma_buf ? dma_buf_object(*arena, fd) : arena->find_by_offset(offset);
    if (index == 0) return {.error = -EINVAL};
    const ObjectRecord& o = arena->object(index);
    within = kind == FdKind::dma_buf ? offset : offset - o.offset;
    if (within > o.bytes || bytes > (o.bytes - within + page_bytes - 1) / page_bytes * page_bytes)
      return {.error = -EINVAL};
    if (o.storage != Storage::foreign) {
      object = ObjectRef(arena, index);
    } else {
      const std::shared_ptr<File> file = state_->file(fd);
      const std::lock_guard guard(file->lock);
      const auto foreign = file->foreign_arenas.find(o.foreign_inode);
      if (foreign == file->foreign_arenas.end()) return {.error = -EINVAL};
      fd = foreign->second.fd;
      object = ObjectRef(foreign->second.arena, o.foreign_object);
    }
  }
  const ArenaLock lock(*object.arena());
  settle_aperture(object);
  const uint64_t start = aperture ? aperture_view(*object.arena(), object.index()) : object->offset;
  if (start == 0) return {.error = -ENOMEM};
  return {.fd = fd, .offset = start + within};
} catch (const std::bad_alloc&) {
  return {.error = -ENOMEM};
}

void Kernel::note_mapped(const void* address, size_t bytes, int fd, uint64_t offset) {
  const std::shared_ptr<Arena> arena = state_->arena(fd);
  if (!arena) return;
  ObjectRef object;
  {
    const ArenaLock lock(*arena);
    const bool dma_buf = kind_at(raw::lseek(fd, 0, SEEK_CUR)) == FdKind::dma_buf;
    uint32_t index = dma_buf ? dma_buf_object(*arena, fd) : arena->find_by_offset(offset & ~aperture_flag);
    if (index == 0) return;
    std::shared_ptr<Arena> home = arena;
    if (const ObjectRecord& o = arena->object(index); o.storage == Storage::foreign) {
      const std::shared_ptr<File> file = state_->file(fd);
      const std::lock_guard guard(file->lock);
      const auto foreign = file->foreign_arenas.find(o.foreign_inode);
      if (foreign == file->foreign_arenas.end()) return;
      home = foreign->second.arena;
      index = o.foreign_object;
    }
    object = ObjectRef(home, index);
  }
  state_->map_client(reinterpret_cast<uint64_t>(address), (bytes + page_bytes - 1) / page_bytes * page_bytes, object);
}

void Kernel::note_unmapped(const void* address, size_t bytes) {
  if (state_->mapping_count == 0 && state_->user_count == 0) return;
  state_->unmap_client(reinterpret_cast<uint64_t>(address), bytes);
}

void Kernel::note_protected(const void* address, size_t bytes) {
  const uint64_t start = reinterpret_cast<uint64_t>(address);
  state_->forget_user_pages(start, start + (bytes + page_bytes - 1) / page_bytes * page_bytes);
}

void Kernel::note_truncated(uint64_t inode) { state_->forget_truncated(inode); }

int64_t Kernel::seek(int fd, int64_t offset, int whence) {
  const FdInfo info = identify(fd);
  if (info.kind != FdKind::dma_buf) return -ESPIPE;
  if (offset != 0 || (whence != SEEK_END && whence != SEEK_SET)) return -EINVAL;
  return whence == SEEK_END ? int64_t(info.bytes) : 0;
}

void Kernel::before_fork() { state_->before_fork(); }
void Kernel::after_fork_in_parent(bool forked) { state_->after_fork_in_parent(forked); }
void Kernel::after_fork_in_child() { state_->after_fork_in_child(); }
void Kernel::collect() { state_->collect(); }

std::string Kernel::client_lines(int fd) try {
  const std::shared_ptr<Arena> arena = state_->arena(fd);
  if (!arena) return {};
  const gen::Platform* const platform = gen::find_platform(arena->head().device);
  return i915::client_lines(*arena, platform ? *platform : *state_->platform);
} catch (const std::bad_alloc&) {
  return {};
}

std::string Kernel::error_state() {
  const std::lock_guard guard(state_->lock);
  return state_->error_state.empty() ? "No error state collected\n" : state_->error_state;
}
void Kernel::clear_error_state() {
  const std::lock_guard guard(state_->lock);
  state_->error_state.clear();
}

void Kernel::shutdown(double seconds) { state_->finish(seconds); }

std::string Kernel::statistics(bool json) {
  std::map<std::string, std::shared_ptr<Gpu>> gpus;
  {
    const std::lock_guard guard(state_->gpu_lock);
    gpus = state_->gpus;
  }
  std::string text;
  for (const auto& [device, gpu] : gpus) text += gpu->statistics(json);
  return text;
}

uint64_t Kernel::batches_submitted() const { return state_->submitted; }

}  // namespace vitro::i915
