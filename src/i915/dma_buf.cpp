// The ioctls of dma-buf descriptors: access by the CPU, and the exchange of implicit fences for sync files. Source:
// drivers/dma-buf/dma-buf.c of Linux 6.1. Names of dma-bufs are accepted and forgotten.
#include <linux/dma-buf.h>

#include <cerrno>

#include "i915/aperture.h"
#include "i915/ioctls.h"
#include "i915/raw.h"

namespace vitro::i915 {
namespace {

int sync(const ObjectRef& object, uint64_t argument) {
  dma_buf_sync s{};
  if (raw::get(s, argument) < 0) return -EFAULT;
  if (s.flags & ~uint64_t(DMA_BUF_SYNC_VALID_FLAGS_MASK)) return -EINVAL;
  if ((s.flags & DMA_BUF_SYNC_RW) == 0) return -EINVAL;
  if (!(s.flags & DMA_BUF_SYNC_END))
    wait_for_object(*object.arena(), object.index(), s.flags & DMA_BUF_SYNC_WRITE, forever_ns);
  settle_aperture(object);
  return 0;
}

int export_sync_file(KernelState& kernel, const ObjectRef& object, uint64_t argument) {
  dma_buf_export_sync_file e{};
  if (raw::get(e, argument) < 0) return -EFAULT;
  if ((e.flags & ~uint32_t(DMA_BUF_SYNC_RW)) || (e.flags & DMA_BUF_SYNC_RW) == 0) return -EINVAL;
  std::vector<FenceRef> fences;
  {
    const ArenaLock lock(*object.arena());
    fences_of(*object.arena(), *object, e.flags & DMA_BUF_SYNC_WRITE, fences);
  }
  std::vector<Dependency> waits;
  for (const FenceRef f : fences) waits.push_back({object.arena(), f});
  const int fd = make_sync_file(kernel, std::move(waits));
  if (fd < 0) return fd;
  e.fd = fd;
  if (raw::put(argument, e) == 0) return 0;
  raw::close(fd);
  return -EFAULT;
}

int import_sync_file(KernelState& kernel, const ObjectRef& object, uint64_t argument) {
  dma_buf_import_sync_file i{};
  if (raw::get(i, argument) < 0) return -EFAULT;
  if ((i.flags & ~uint32_t(DMA_BUF_SYNC_RW)) || (i.flags & DMA_BUF_SYNC_RW) == 0) return -EINVAL;
  std::vector<Dependency> waits;
  if (const int error = sync_file_fences(kernel, i.fd, waits); error < 0) return error;
  Arena& arena = *object.arena();
  FenceRef fence;
  if (const int error = relay(kernel, object.arena(), std::move(waits), fence); error < 0) return error;
  const uint64_t timeline = kernel.new_timeline();
  for (;;) {
    FenceRef blocking;
    {
      const ArenaLock lock(arena);
      blocking = blocking_reader(arena, *object, timeline);
      if (!blocking) {
        publish(arena, *object, fence, timeline, i.flags & DMA_BUF_SYNC_WRITE);
        return 0;
      }
    }
    wait_for_fence(arena, blocking, forever_ns);
  }
}

}  // namespace

int dma_buf_ioctl(KernelState& kernel, const std::shared_ptr<Arena>& arena, int fd, unsigned long request,
                  void* argument) {
  const uint64_t user = reinterpret_cast<uint64_t>(argument);
  ObjectRef object;
  {
    const ArenaLock lock(*arena);
    const uint32_t index = dma_buf_object(*arena, fd);
    if (index == 0) return -EINVAL;
    object = ObjectRef(arena, index);
  }
  if (request == DMA_BUF_IOCTL_SYNC) return sync(object, user);
  if (request == DMA_BUF_SET_NAME_A || request == DMA_BUF_SET_NAME_B) return 0;
  if (request == DMA_BUF_IOCTL_EXPORT_SYNC_FILE) return export_sync_file(kernel, object, user);
  if (request == DMA_BUF_IOCTL_IMPORT_SYNC_FILE) return import_sync_file(kernel, object, user);
  return -ENOTTY;
}

}  // namespace vitro::i915
