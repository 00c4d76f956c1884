// A test double of an i915 device, for LD_PRELOAD: Mesa's Intel drivers initialise on it and compile their shaders.
// It executes no work at all: every batch is accepted, its fences are signalled at once, and no memory changes.
// Needs no root and leaves nothing behind: the device is one anonymous sparse file, and a buffer object is a range of
// it, so that a plain mmap of the device maps the buffer. libdrm's enumeration is answered here rather than through a
// forged sysfs. Deliberately absent: everything Mesa can do without (engine and region queries, tiling, PRIME, KMS).
// The device is chosen by the environment variable STUB_I915_PCI_ID (hexadecimal).
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <libdrm/drm.h>
#include <libdrm/i915_drm.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <xf86drm.h>

#define RENDER_NODE "/dev/dri/renderD128"
#define EXPORT __attribute__((visibility("default")))
enum { MAX_BUFFERS = 1 << 16, MAX_SYNCOBJS = 1 << 16, PAGE = 4096 };
static const uint64_t arena_size = 1ull << 40;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int arena = -1;
static ino_t arena_inode;
static uint64_t arena_used;
static struct { uint64_t offset, size; } buffers[MAX_BUFFERS];  // by handle; 0 is no buffer, a free handle has size 0
static uint32_t last_buffer, last_syncobj, last_context;
static uint8_t signalled[MAX_SYNCOBJS];

static uint16_t pci_id(void) {
  const char* id = getenv("STUB_I915_PCI_ID");
  return id ? (uint16_t)strtoul(id, NULL, 16) : 0;
}

static int open_device(int flags) {
  pthread_mutex_lock(&lock);
  if (arena < 0) {
    struct stat status;
    arena = memfd_create("i915", MFD_CLOEXEC);
    if (arena < 0 || ftruncate(arena, (off_t)arena_size) || syscall(SYS_fstat, arena, &status)) abort();
    arena_inode = status.st_ino;
  }
  pthread_mutex_unlock(&lock);
  return fcntl(arena, flags & O_CLOEXEC ? F_DUPFD_CLOEXEC : F_DUPFD, 3);
}

static int is_device(int fd) {
  struct stat device, status;
  return arena >= 0 && !syscall(SYS_fstat, arena, &device) && !syscall(SYS_fstat, fd, &status) &&
         status.st_dev == device.st_dev && status.st_ino == arena_inode;
}

static int create_buffer(uint64_t* size, uint32_t* handle) {
  if (!*size || last_buffer + 1 >= MAX_BUFFERS) return -ENOMEM;
  *size = (*size + PAGE - 1) & ~(uint64_t)(PAGE - 1);
  *handle = ++last_buffer;
  buffers[*handle].offset = arena_used;
  buffers[*handle].size = *size;
  arena_used += *size;
  return 0;
}

static int close_buffer(uint32_t handle) {
  if (handle >= MAX_BUFFERS || !buffers[handle].size) return -EINVAL;
  fallocate(arena, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)buffers[handle].offset,
            (off_t)buffers[handle].size);
  buffers[handle].size = 0;
  return 0;
}

static void answer(char* to, __kernel_size_t* length, const char* text) {
  const size_t room = *length;
  *length = strlen(text);
  if (to && room) memcpy(to, text, room < *length ? room : *length);
}

static int version(struct drm_version* v) {
  v->version_major = 1;
  v->version_minor = 6;
  answer(v->name, &v->name_len, "i915");
  answer(v->date, &v->date_len, "20201103");
  answer(v->desc, &v->desc_len, "Intel Graphics");
  return 0;
}

static int getparam(struct drm_i915_getparam* p) {
  static const struct {
    int param, value;
  } params[] = {{I915_PARAM_HAS_EXECBUF2, 1},
                {I915_PARAM_HAS_BSD, 1},
                {I915_PARAM_HAS_BLT, 1},
                {I915_PARAM_HAS_RELAXED_FENCING, 1},
                {I915_PARAM_HAS_LLC, 1},
                {I915_PARAM_HAS_WAIT_TIMEOUT, 1},
                {I915_PARAM_HAS_EXEC_NO_RELOC, 1},
                {I915_PARAM_HAS_EXEC_HANDLE_LUT, 1},
                {I915_PARAM_HAS_EXEC_SOFTPIN, 1},
                {I915_PARAM_HAS_EXEC_BATCH_FIRST, 1},
                {I915_PARAM_HAS_EXEC_FENCE_ARRAY, 1},
                {I915_PARAM_HAS_CONTEXT_ISOLATION, 1},
                {I915_PARAM_MMAP_GTT_VERSION, 4},
                {I915_PARAM_REVISION, 2},
                {I915_PARAM_SLICE_MASK, 1},
                {I915_PARAM_SUBSLICE_MASK, 7},
                {I915_PARAM_EU_TOTAL, 24},
                {I915_PARAM_SUBSLICE_TOTAL, 3}};
  if (p->param == I915_PARAM_CHIPSET_ID) return *p->value = pci_id(), 0;
  for (size_t i = 0; i < sizeof params / sizeof *params; i++)
    if (params[i].param == p->param) return *p->value = params[i].value, 0;
  return -EINVAL;
}

static int create_context(struct drm_i915_gem_context_create_ext* c, size_t size) {
  // Mesa probes for protected content before it asks for an ordinary context.
  if (size >= sizeof *c && c->flags & I915_CONTEXT_CREATE_FLAGS_USE_EXTENSIONS)
    for (struct i915_user_extension* e = (void*)(uintptr_t)c->extensions; e; e = (void*)(uintptr_t)e->next_extension)
      if (e->name == I915_CONTEXT_CREATE_EXT_SETPARAM &&
          ((struct drm_i915_gem_context_create_ext_setparam*)e)->param.param == I915_CONTEXT_PARAM_PROTECTED_CONTENT)
        return -ENODEV;
  c->ctx_id = ++last_context;
  return 0;
}

static int context_getparam(struct drm_i915_gem_context_param* p) {
  switch (p->param) {
    case I915_CONTEXT_PARAM_GTT_SIZE: p->value = 1ull << 48; return 0;
    case I915_CONTEXT_PARAM_PRIORITY: p->value = 0; return 0;
    case I915_CONTEXT_PARAM_VM: p->value = 1; return 0;
    default: return -EINVAL;
  }
}

static int execbuffer(struct drm_i915_gem_execbuffer2* e) {
  if (e->flags & I915_EXEC_FENCE_ARRAY) {
    const struct drm_i915_gem_exec_fence* fences = (void*)(uintptr_t)e->cliprects_ptr;
    for (uint32_t i = 0; i < e->num_cliprects; i++)
      if (fences[i].flags & I915_EXEC_FENCE_SIGNAL) signalled[fences[i].handle % MAX_SYNCOBJS] = 1;
  }
  return 0;
}

static int syncobj_wait(const struct drm_syncobj_wait* w) {
  const uint32_t* handles = (void*)(uintptr_t)w->handles;
  for (uint32_t i = 0; i < w->count_handles; i++)
    if (!signalled[handles[i] % MAX_SYNCOBJS]) return -ETIME;  // nothing that is still to run could signal it
  return 0;
}

static int set_syncobjs(const struct drm_syncobj_array* a, uint8_t value) {
  const uint32_t* handles = (void*)(uintptr_t)a->handles;
  for (uint32_t i = 0; i < a->count_handles; i++) signalled[handles[i] % MAX_SYNCOBJS] = value;
  return 0;
}

static int device_ioctl(unsigned long request, void* argument) {
  switch (_IOC_NR(request)) {
    case _IOC_NR(DRM_IOCTL_VERSION): return version(argument);
    case _IOC_NR(DRM_IOCTL_GET_CAP): {
      struct drm_get_cap* cap = argument;
      cap->value = cap->capability == DRM_CAP_PRIME || cap->capability == DRM_CAP_SYNCOBJ;
      return 0;
    }
    case _IOC_NR(DRM_IOCTL_GEM_CLOSE): return close_buffer(((struct drm_gem_close*)argument)->handle);
    case _IOC_NR(DRM_IOCTL_SYNCOBJ_CREATE): {
      struct drm_syncobj_create* c = argument;
      if (last_syncobj + 1 >= MAX_SYNCOBJS) return -ENOMEM;
      c->handle = ++last_syncobj;
      signalled[c->handle] = c->flags & DRM_SYNCOBJ_CREATE_SIGNALED;
      return 0;
    }
    case _IOC_NR(DRM_IOCTL_SYNCOBJ_DESTROY): return 0;
    case _IOC_NR(DRM_IOCTL_SYNCOBJ_WAIT): return syncobj_wait(argument);
    case _IOC_NR(DRM_IOCTL_SYNCOBJ_SIGNAL): return set_syncobjs(argument, 1);
    case _IOC_NR(DRM_IOCTL_SYNCOBJ_RESET): return set_syncobjs(argument, 0);
    case _IOC_NR(DRM_IOCTL_I915_GETPARAM): return getparam(argument);
    case _IOC_NR(DRM_IOCTL_I915_GEM_CREATE): {
      struct drm_i915_gem_create* c = argument;
      uint64_t size = c->size;
      const int result = create_buffer(&size, &c->handle);
      c->size = size;
      return result;
    }
    case _IOC_NR(DRM_IOCTL_I915_GEM_MMAP_OFFSET): {
      struct drm_i915_gem_mmap_offset* m = argument;
      if (m->handle >= MAX_BUFFERS || !buffers[m->handle].size) return -ENOENT;
      m->offset = buffers[m->handle].offset;
      return 0;
    }
    case _IOC_NR(DRM_IOCTL_I915_GEM_MADVISE): return ((struct drm_i915_gem_madvise*)argument)->retained = 1, 0;
    case _IOC_NR(DRM_IOCTL_I915_GEM_BUSY): return ((struct drm_i915_gem_busy*)argument)->busy = 0, 0;
    case _IOC_NR(DRM_IOCTL_I915_GEM_SET_DOMAIN):
    case _IOC_NR(DRM_IOCTL_I915_GEM_SET_TILING):
    case _IOC_NR(DRM_IOCTL_I915_GEM_SET_CACHING):
    case _IOC_NR(DRM_IOCTL_I915_GEM_WAIT):
    case _IOC_NR(DRM_IOCTL_I915_GEM_CONTEXT_DESTROY):
    case _IOC_NR(DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM): return 0;
    case _IOC_NR(DRM_IOCTL_I915_GEM_CONTEXT_CREATE): return create_context(argument, _IOC_SIZE(request));
    case _IOC_NR(DRM_IOCTL_I915_GEM_CONTEXT_GETPARAM): return context_getparam(argument);
    case _IOC_NR(DRM_IOCTL_I915_GEM_GET_APERTURE): {
      struct drm_i915_gem_get_aperture* a = argument;
      a->aper_size = a->aper_available_size = 2ull << 30;
      return 0;
    }
    case _IOC_NR(DRM_IOCTL_I915_GET_RESET_STATS): {
      struct drm_i915_reset_stats* s = argument;
      s->reset_count = s->batch_active = s->batch_pending = 0;
      return 0;
    }
    case _IOC_NR(DRM_IOCTL_I915_GEM_EXECBUFFER2): return execbuffer(argument);
    default: return -EINVAL;
  }
}

EXPORT int ioctl(int fd, unsigned long request, ...) {
  va_list more;
  va_start(more, request);
  void* argument = va_arg(more, void*);
  va_end(more);
  if (_IOC_TYPE(request) != DRM_IOCTL_BASE || !is_device(fd)) return (int)syscall(SYS_ioctl, fd, request, argument);
  pthread_mutex_lock(&lock);
  const int result = device_ioctl(request, argument);
  pthread_mutex_unlock(&lock);
  if (result >= 0) return result;
  errno = -result;
  return -1;
}

static int open_path(const char* path, int flags, mode_t mode) {
  if (!strcmp(path, RENDER_NODE)) return open_device(flags);
  return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

#define OPEN(name)                                                             \
  EXPORT int name(const char* path, int flags, ...) {                          \
    va_list more;                                                              \
    va_start(more, flags);                                                     \
    const mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, int) : 0; \
    va_end(more);                                                              \
    return open_path(path, flags, mode);                                       \
  }
OPEN(open)
OPEN(open64)

// One device with a render node only. A single allocation, because the real drmFreeDevice frees just that.
static drmDevicePtr new_device(void) {
  struct {
    drmDevice device;
    drmPciBusInfo bus;
    drmPciDeviceInfo info;
    char* nodes[DRM_NODE_MAX];
    char render_node[sizeof RENDER_NODE];
  }* d = calloc(1, sizeof *d);
  memcpy(d->render_node, RENDER_NODE, sizeof RENDER_NODE);
  d->nodes[DRM_NODE_RENDER] = d->render_node;
  d->bus = (drmPciBusInfo){.dev = 2};
  d->info = (drmPciDeviceInfo){.vendor_id = 0x8086, .device_id = pci_id(), .revision_id = 2};
  d->device = (drmDevice){.nodes = d->nodes,
                          .available_nodes = 1 << DRM_NODE_RENDER,
                          .bustype = DRM_BUS_PCI,
                          .businfo.pci = &d->bus,
                          .deviceinfo.pci = &d->info};
  return &d->device;
}

EXPORT int drmGetDevices2(uint32_t flags, drmDevicePtr devices[], int max_devices) {
  (void)flags;
  if (devices && max_devices > 0) devices[0] = new_device();
  return 1;
}

EXPORT int drmGetDevice2(int fd, uint32_t flags, drmDevicePtr* device) {
  (void)flags;
  if (!is_device(fd)) return -EINVAL;
  *device = new_device();
  return 0;
}
