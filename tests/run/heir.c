// Two processes with one open device, of which the first is killed in the middle of its work: the other goes on. The
// first prints "ready" and waits for ever, its batch too; the test kills it. The second then waits for the buffer that
// the batch uses, submits work of its own to the same device, and prints what came of it.
#include <errno.h>
#include <fcntl.h>
#include <libdrm/i915_drm.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

enum { size = 4096, address = 0x10000000, place = 0x800 };

static int device;

static void expect(int condition, const char* what) {
  if (condition) return;
  fprintf(stderr, "heir: %s: %s\n", what, strerror(errno));
  exit(1);
}

// The batch's first dwords; the buffer's handle in `handle`.
static volatile uint32_t* submit(const uint32_t* batch, size_t count, uint32_t* handle) {
  struct drm_i915_gem_create create = {.size = size};
  expect(ioctl(device, DRM_IOCTL_I915_GEM_CREATE, &create) == 0, "create");
  struct drm_i915_gem_mmap_offset map = {.handle = create.handle, .flags = I915_MMAP_OFFSET_WB};
  expect(ioctl(device, DRM_IOCTL_I915_GEM_MMAP_OFFSET, &map) == 0, "offset");
  uint32_t* words = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, device, (off_t)map.offset);
  expect(words != MAP_FAILED, "map");
  memcpy(words, batch, count * sizeof *words);
  struct drm_i915_gem_context_create context = {0};
  expect(ioctl(device, DRM_IOCTL_I915_GEM_CONTEXT_CREATE, &context) == 0, "context");
  struct drm_i915_gem_exec_object2 object = {.handle = create.handle, .offset = address, .flags = EXEC_OBJECT_PINNED};
  struct drm_i915_gem_execbuffer2 execbuffer = {.buffers_ptr = (uintptr_t)&object,
                                                .buffer_count = 1,
                                                .flags = I915_EXEC_RENDER | I915_EXEC_NO_RELOC,
                                                .rsvd1 = context.ctx_id};
  expect(ioctl(device, DRM_IOCTL_I915_GEM_EXECBUFFER2, &execbuffer) == 0, "execbuffer");
  *handle = create.handle;
  return words;
}

static int wait_for(uint32_t handle) {
  struct drm_i915_gem_wait wait = {.bo_handle = handle, .timeout_ns = 60000000000};
  return ioctl(device, DRM_IOCTL_I915_GEM_WAIT, &wait);
}

int main(void) {
  // MI_SEMAPHORE_WAIT until a dword that stays 0 is 1; MI_STORE_DATA_IMM; each with MI_BATCH_BUFFER_END.
  static const uint32_t waiting[] = {0x0e00c002, 1, address + place, 0, 0x05000000};
  static const uint32_t storing[] = {0x10000002, address + place, 0, 0x600d, 0x05000000};
  device = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);
  expect(device >= 0, "open");
  int alive[2], begun[2];
  expect(pipe(alive) == 0 && pipe(begun) == 0, "pipe");
  const pid_t child = fork();
  expect(child >= 0, "fork");
  if (child > 0) {
    uint32_t handle;
    submit(waiting, sizeof waiting / 4, &handle);
    expect(write(begun[1], &handle, sizeof handle) == sizeof handle, "write");
    puts("ready");
    fflush(stdout);
    for (;;) pause();
  }
  close(alive[1]);
  uint32_t busy, own;
  char byte;
  expect(read(begun[0], &busy, sizeof busy) == sizeof busy, "read");
  expect(read(alive[0], &byte, 1) == 0, "the first process is still there");
  expect(wait_for(busy) == 0 || errno == EIO, "the buffer of the killed process");
  volatile uint32_t* words = submit(storing, sizeof storing / 4, &own);
  expect(wait_for(own) == 0, "the buffer of this process");
  printf("goes on: %x\n", words[place / 4]);
  return words[place / 4] != 0x600d;
}
