// A program with a mistake of its choice in it, made after it has used the device: for the tests that sanitizers work
// under `vitro run`. Usage: mistakes none|overflow|race|leak|shift
#include <fcntl.h>
#include <libdrm/i915_drm.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

enum { size = 4096, value = 0x600d };

// A batch of the device writes a value, and the program reads it.
static uint32_t use_device(void) {
  const int fd = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);
  struct drm_i915_gem_create create = {.size = size};
  if (fd < 0 || ioctl(fd, DRM_IOCTL_I915_GEM_CREATE, &create)) return 0;
  struct drm_i915_gem_mmap_offset map = {.handle = create.handle, .flags = I915_MMAP_OFFSET_WB};
  if (ioctl(fd, DRM_IOCTL_I915_GEM_MMAP_OFFSET, &map)) return 0;
  volatile uint32_t* words = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)map.offset);
  if (words == MAP_FAILED) return 0;
  const uint32_t batch[] = {0x10000002, 0x10000800, 0, value, 0x05000000};  // MI_STORE_DATA_IMM, MI_BATCH_BUFFER_END
  for (size_t i = 0; i < sizeof batch / 4; ++i) words[i] = batch[i];
  struct drm_i915_gem_exec_object2 object = {
      .handle = create.handle, .offset = 0x10000000, .flags = EXEC_OBJECT_PINNED};
  struct drm_i915_gem_execbuffer2 submit = {
      .buffers_ptr = (uintptr_t)&object, .buffer_count = 1, .flags = I915_EXEC_RENDER | I915_EXEC_NO_RELOC};
  struct drm_i915_gem_wait wait = {.bo_handle = create.handle, .timeout_ns = -1};
  if (ioctl(fd, DRM_IOCTL_I915_GEM_EXECBUFFER2, &submit) || ioctl(fd, DRM_IOCTL_I915_GEM_WAIT, &wait)) return 0;
  const uint32_t result = words[0x800 / 4];
  munmap((void*)words, size);
  close(fd);
  return result;
}

static int shared_number;
static void* count(void* unused) {
  for (int i = 0; i < 1000; ++i) ++shared_number;
  return unused;
}

int main(int argc, char** argv) {
  const char* mistake = argc > 1 ? argv[1] : "none";
  const uint32_t result = use_device();
  if (result != value) {
    fprintf(stderr, "mistakes: the device wrote %x\n", result);
    return 3;
  }
  puts("the device works");
  fflush(stdout);
  if (strcmp(mistake, "overflow") == 0) {
    volatile char* memory = malloc(10);
    memory[10 + argc - 2] = 1;
    free((void*)memory);
  } else if (strcmp(mistake, "race") == 0) {
    pthread_t threads[2];
    for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, count, NULL);
    for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  } else if (strcmp(mistake, "leak") == 0) {
    void* volatile memory = malloc(1000);
    memory = NULL;
  } else if (strcmp(mistake, "shift") == 0) {
    volatile int amount = 40 + argc;
    printf("%d\n", 1 << amount);
  }
  return 0;
}
