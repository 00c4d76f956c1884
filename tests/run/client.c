// A client of the kernel's interface for the tests of `vitro run`, without libdrm and without a driver. Each argument
// is a step; the program prints what it saw and exits with 1 and a line at the first step that fails. Steps work on one
// open device ("open") and one buffer object ("create") with a pattern in it ("fill").
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <libdrm/drm.h>
#include <libdrm/i915_drm.h>
#include <linux/close_range.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

static int device = -1, exported = -1;
static uint32_t handle;
static uint32_t* map;
enum { size = 65536 };
static const char* self;

#define CHECK(condition)                                                                   \
  do {                                                                                     \
    if (!(condition)) {                                                                    \
      fprintf(stderr, "client: line %d: %s: %s\n", __LINE__, #condition, strerror(errno)); \
      exit(1);                                                                             \
    }                                                                                      \
  } while (0)

static int chipset(int fd) {
  int value = 0;
  struct drm_i915_getparam get = {.param = I915_PARAM_CHIPSET_ID, .value = &value};
  return ioctl(fd, DRM_IOCTL_I915_GETPARAM, &get) ? -1 : value;
}

static void* map_object(int fd, uint32_t object) {
  struct drm_i915_gem_mmap_offset get = {.handle = object, .flags = I915_MMAP_OFFSET_WB};
  CHECK(ioctl(fd, DRM_IOCTL_I915_GEM_MMAP_OFFSET, &get) == 0);
  void* at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)get.offset);
  CHECK(at != MAP_FAILED);
  return at;
}

static void step_open(void) {
  device = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);
  CHECK(device >= 0);
  printf("chipset %04x\n", (unsigned)chipset(device));
}

static void step_create(void) {
  struct drm_i915_gem_create create = {.size = size};
  CHECK(ioctl(device, DRM_IOCTL_I915_GEM_CREATE, &create) == 0);
  handle = create.handle;
  map = map_object(device, handle);
}

static void step_fill(void) {
  for (uint32_t i = 0; i < size / 4; ++i) map[i] = i * 2654435761u;
}

static void check_pattern(const uint32_t* words) {
  for (uint32_t i = 0; i < size / 4; ++i) CHECK(words[i] == i * 2654435761u);
}

static void step_check(void) { check_pattern(map); }

static void step_status(void) {
  struct stat status;
  CHECK(fstat(device, &status) == 0 && S_ISCHR(status.st_mode));
  CHECK(major(status.st_rdev) == 226 && minor(status.st_rdev) == 128);
  CHECK(stat("/dev/dri/card0", &status) == 0 && S_ISCHR(status.st_mode) && minor(status.st_rdev) == 0);
  struct statx extended;
  CHECK(statx(device, "", AT_EMPTY_PATH, STATX_BASIC_STATS, &extended) == 0);
  CHECK(S_ISCHR(extended.stx_mode) && extended.stx_rdev_major == 226 && extended.stx_rdev_minor == 128);
  CHECK(statx(AT_FDCWD, "/dev/dri/card0", 0, STATX_BASIC_STATS, &extended) == 0 && S_ISCHR(extended.stx_mode));
  CHECK(syscall(SYS_newfstatat, AT_FDCWD, "/dev/dri/renderD128", &status, 0) == 0 && S_ISCHR(status.st_mode));
  char link[64], name[64] = "";
  snprintf(link, sizeof link, "/proc/self/fd/%d", device);
  CHECK(readlink(link, name, sizeof name - 1) > 0 && strcmp(name, "/dev/dri/renderD128") == 0);
  CHECK(access("/dev/dri/renderD128", R_OK | W_OK) == 0);
  CHECK(access("/dev/dri/renderD128", X_OK) == -1 && errno == EACCES);
  CHECK(access("/dev/dri/card1", F_OK) == -1 && errno == ENOENT);
}

// As libudev goes: from "/" by openat, and sysfs must be sysfs.
static void step_walk(void) {
  static const char* const parts[] = {"sys", "devices", "pci0000:00", "0000:00:02.0", "drm", "card0"};
  int fd = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
  for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i) {
    const int next = openat(fd, parts[i], O_PATH | O_NOFOLLOW | O_CLOEXEC);
    CHECK(next >= 0);
    close(fd);
    fd = next;
  }
  struct statfs system;
  CHECK(fstatfs(fd, &system) == 0 && system.f_type == 0x62656572);
  const int file = openat(fd, "dev", O_RDONLY);
  char text[16] = "";
  CHECK(file >= 0 && read(file, text, sizeof text - 1) > 0 && strcmp(text, "226:0\n") == 0);
  CHECK(openat(fd, "dev", O_WRONLY) == -1 && errno == EACCES);
  CHECK(openat(fd, "error", O_RDONLY) >= 0);
  close(file);
  close(fd);
}

static int ends_with_digit(const struct dirent* entry) { return entry->d_name[strlen(entry->d_name) - 1] == '8'; }

static void step_list(void) {
  static const char* const places[][2] = {{"/dev", "dri"},
                                          {"/sys/class", "drm"},
                                          {"/sys/dev/char", "226:128"},
                                          {"/sys/bus/pci/devices", "0000:00:02.0"},
                                          {"/dev/dri", "card0"},
                                          {"/sys/module", "i915"}};
  for (size_t i = 0; i < sizeof places / sizeof *places; ++i) {
    DIR* folder = opendir(places[i][0]);
    CHECK(folder);
    int times = 0;
    for (struct dirent* entry; (entry = readdir(folder));) times += strcmp(entry->d_name, places[i][1]) == 0;
    rewinddir(folder);
    for (struct dirent* entry; (entry = readdir(folder));) times += strcmp(entry->d_name, places[i][1]) == 0;
    closedir(folder);
    if (times != 2) fprintf(stderr, "client: %s listed %d times in %s\n", places[i][1], times, places[i][0]);
    CHECK(times == 2);
  }
  struct dirent** entries;
  CHECK(scandir("/dev/dri", &entries, ends_with_digit, alphasort) == 1);
  CHECK(strcmp(entries[0]->d_name, "renderD128") == 0 && entries[0]->d_type == DT_CHR);
  glob_t found = {0};
  CHECK(glob("/dev/dri/by-path/*-render", 0, NULL, &found) == 0 && found.gl_pathc == 1);
  char* real = realpath(found.gl_pathv[0], NULL);
  CHECK(real && strcmp(real, "/dev/dri/renderD128") == 0);
  globfree(&found);
  real = realpath("/sys/dev/char/226:128/device", NULL);
  CHECK(real && strcmp(real, "/sys/devices/pci0000:00/0000:00:02.0") == 0);
  CHECK(chdir("/sys/class/drm/card0") == 0);
  char here[4096];
  CHECK(getcwd(here, sizeof here) && strcmp(here, "/sys/devices/pci0000:00/0000:00:02.0/drm/card0") == 0);
  CHECK(access("device/vendor", R_OK) == 0 && access("/sys/class/drm/../../../etc/passwd", F_OK) != 2);
  CHECK(chdir("/dev") == 0 && access("dri/card0", R_OK) == 0 && chdir("/") == 0);
}

static void step_dup(void) {
  const int copy = dup(device);
  CHECK(copy >= 0 && close(device) == 0 && chipset(copy) > 0);
  device = fcntl(copy, F_DUPFD_CLOEXEC, 100);
  CHECK(device >= 100 && close(copy) == 0 && chipset(device) > 0);
  CHECK(dup2(device, 90) == 90 && chipset(90) > 0 && close(90) == 0 && chipset(90) < 0 && errno == EBADF);
  CHECK(lseek(device, 0, SEEK_END) == 0 && chipset(device) > 0);
}

static void step_export(void) {
  struct drm_prime_handle prime = {.handle = handle, .flags = DRM_CLOEXEC | DRM_RDWR};
  CHECK(ioctl(device, DRM_IOCTL_PRIME_HANDLE_TO_FD, &prime) == 0);
  exported = prime.fd;
  CHECK(lseek(exported, 0, SEEK_END) == size && lseek(exported, 0, SEEK_SET) == 0);
  struct stat status;
  CHECK(fstat(exported, &status) == 0 && status.st_size == size);
  uint32_t* words = mmap(NULL, size, PROT_READ, MAP_SHARED, exported, 0);
  CHECK(words != MAP_FAILED);
  check_pattern(words);
  CHECK(munmap(words, size) == 0);
}

// The buffer in a dma-buf, seen through an open device of this process.
static void import_and_check(int fd) {
  const int other = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);
  CHECK(other >= 0);
  struct drm_prime_handle prime = {.fd = fd};
  CHECK(ioctl(other, DRM_IOCTL_PRIME_FD_TO_HANDLE, &prime) == 0);
  uint32_t* words = map_object(other, prime.handle);
  check_pattern(words);
  words[0] = 0xc0ffee;
  munmap(words, size);
  close(other);
}

static void expect_child(pid_t child, int code) {
  int status = 0;
  CHECK(child > 0 && waitpid(child, &status, 0) == child);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != code) {
    fprintf(stderr, "client: child ended with status %x\n", (unsigned)status);
    exit(1);
  }
}

static void step_fork(void) {
  const pid_t child = fork();
  if (child == 0) {
    CHECK(chipset(device) > 0);
    step_check();
    map[1] = 1234;
    struct drm_i915_gem_create create = {.size = 4096};
    CHECK(ioctl(device, DRM_IOCTL_I915_GEM_CREATE, &create) == 0);
    _exit(7);
  }
  expect_child(child, 7);
  CHECK(map[1] == 1234);
  map[1] = 2654435761u;
}

static void step_vfork(void) {
  const pid_t child = vfork();
  if (child == 0) {
    execl(self, self, "open", (char*)NULL);
    _exit(99);
  }
  expect_child(child, 0);
}

static void step_spawn_clean(void) {
  char* const arguments[] = {(char*)self, (char*)"open", NULL};
  char* const nothing[] = {NULL};
  pid_t child = 0;
  CHECK(posix_spawn(&child, self, NULL, NULL, arguments, nothing) == 0);
  expect_child(child, 0);
}

static void step_exec_clean(void) {
  char* const nothing[] = {NULL};
  const pid_t child = fork();
  if (child == 0) {
    execle(self, self, "open", "status", (char*)NULL, nothing);
    _exit(99);
  }
  expect_child(child, 0);
}

static void step_system_clean(void) {
  char command[4200];
  snprintf(command, sizeof command, "%s open", self);
  char** before = environ;
  clearenv();
  CHECK(system(command) == 0);
  FILE* pipe = popen(command, "r");
  char line[64] = "";
  CHECK(pipe && fgets(line, sizeof line, pipe) && strncmp(line, "chipset ", 8) == 0 && pclose(pipe) == 0);
  environ = before;
}

// The device and the dma-buf go on over exec, under their numbers.
static void step_inherit(void) {
  char numbers[2][16];
  snprintf(numbers[0], 16, "%d", dup(device));
  snprintf(numbers[1], 16, "%d", dup(exported));
  const pid_t child = fork();
  if (child == 0) {
    execl(self, self, "inherited", numbers[0], numbers[1], (char*)NULL);
    _exit(99);
  }
  expect_child(child, 0);
  CHECK(map[0] == 0xc0ffee);
  map[0] = 0;
  close(atoi(numbers[0]));
  close(atoi(numbers[1]));
}

static void step_inherited(int device_number, int buffer_number) {
  struct stat status;
  CHECK(chipset(device_number) > 0 && fstat(device_number, &status) == 0 && S_ISCHR(status.st_mode));
  CHECK(lseek(buffer_number, 0, SEEK_END) == size);
  import_and_check(buffer_number);
}

// To a process that was there before the buffer was: descriptors over a socket.
static void step_send(void) {
  int ends[2];
  CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
  const pid_t child = fork();
  struct iovec data = {.iov_base = (char[1]){0}, .iov_len = 1};
  union {
    struct cmsghdr header;
    char space[CMSG_SPACE(2 * sizeof(int))];
  } control = {0};
  struct msghdr message = {
      .msg_iov = &data, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control.space};
  if (child == 0) {
    close_range(3, (unsigned)ends[1] - 1, 0);
    closefrom(ends[1] + 1);
    CHECK(recvmsg(ends[1], &message, 0) == 1);
    int got[2];
    memcpy(got, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof got);
    step_inherited(got[0], got[1]);
    exit(0);
  }
  control.header.cmsg_level = SOL_SOCKET;
  control.header.cmsg_type = SCM_RIGHTS;
  control.header.cmsg_len = CMSG_LEN(2 * sizeof(int));
  memcpy(CMSG_DATA(&control.header), (int[2]){device, exported}, 2 * sizeof(int));
  CHECK(sendmsg(ends[0], &message, 0) == 1);
  expect_child(child, 0);
  CHECK(map[0] == 0xc0ffee);
  map[0] = 0;
  close(ends[0]);
  close(ends[1]);
}

// What was closed is closed, and a device opened afterwards works.
static void step_close_all(void) {
  CHECK(close_range(3, ~0u, CLOSE_RANGE_CLOEXEC) == 0 && chipset(device) > 0);
  closefrom(3);
  CHECK(chipset(device) < 0 && errno == EBADF);
  CHECK(close_range(3, ~0u, 0) == 0 && close_range(5, 4, 0) == -1 && errno == EINVAL);
  step_check();  // the mapping stays
  step_open();
  step_create();
}

// The smallest batch: it only ends.
static void step_submit(void) {
  struct drm_i915_gem_create create = {.size = size};
  CHECK(ioctl(device, DRM_IOCTL_I915_GEM_CREATE, &create) == 0);
  uint32_t* batch = map_object(device, create.handle);
  batch[0] = 0x05000000;  // MI_BATCH_BUFFER_END
  struct drm_i915_gem_exec_object2 object = {.handle = create.handle};
  struct drm_i915_gem_execbuffer2 submit = {
      .buffers_ptr = (uintptr_t)&object, .buffer_count = 1, .batch_len = 8, .flags = I915_EXEC_RENDER};
  CHECK(ioctl(device, DRM_IOCTL_I915_GEM_EXECBUFFER2, &submit) == 0);
  struct drm_i915_gem_wait wait = {.bo_handle = create.handle, .timeout_ns = -1};
  CHECK(ioctl(device, DRM_IOCTL_I915_GEM_WAIT, &wait) == 0);
}

// Prints what the kernel tells about this client of the device.
static void step_busy(void) {
  char name[64], line[256];
  snprintf(name, sizeof name, "/proc/self/fdinfo/%d", device);
  FILE* file = fopen(name, "r");
  CHECK(file != NULL);
  while (fgets(line, sizeof line, file)) fputs(line, stdout);
  fclose(file);
}

// A child that submits, and ends without the C library's exit.
static void step_submit_in_child(void) {
  const pid_t child = fork();
  if (child == 0) {
    step_submit();
    _exit(0);
  }
  expect_child(child, 0);
}

// Work that keeps a dma-buf busy for a while: the batch waits for a dword that is still 0.
static uint32_t* submit_waiting(void) {
  struct drm_i915_gem_create create = {.size = size};
  CHECK(ioctl(device, DRM_IOCTL_I915_GEM_CREATE, &create) == 0);
  uint32_t* batch = map_object(device, create.handle);
  const uint32_t words[] = {0x0e00c002, 1, 0x10000800, 0, 0x05000000};  // MI_SEMAPHORE_WAIT: until dword 512 equals 1
  memcpy(batch, words, sizeof words);
  struct drm_i915_gem_exec_object2 objects[2] = {
      {.handle = handle, .offset = 0x20000000, .flags = EXEC_OBJECT_PINNED | EXEC_OBJECT_WRITE},
      {.handle = create.handle, .offset = 0x10000000, .flags = EXEC_OBJECT_PINNED}};
  struct drm_i915_gem_execbuffer2 submit = {
      .buffers_ptr = (uintptr_t)objects, .buffer_count = 2, .flags = I915_EXEC_RENDER | I915_EXEC_NO_RELOC};
  CHECK(ioctl(device, DRM_IOCTL_I915_GEM_EXECBUFFER2, &submit) == 0);
  return batch + 512;
}

// Neither reads nor writes reach what is behind a device or a dma-buf.
static void step_transfer(void) {
  char byte = 1;
  struct iovec part = {.iov_base = &byte, .iov_len = 1};
  CHECK(write(device, &byte, 1) == -1 && errno == EINVAL);
  CHECK(pwrite(device, &byte, 1, 0) == -1 && errno == EINVAL);
  const int flags = fcntl(device, F_GETFL);
  CHECK(fcntl(device, F_SETFL, flags | O_NONBLOCK) == 0);
  CHECK(read(device, &byte, 1) == -1 && errno == EAGAIN);
  CHECK(fcntl(device, F_SETFL, flags) == 0);
  CHECK(read(exported, &byte, 1) == -1 && errno == EINVAL);
  CHECK(write(exported, &byte, 1) == -1 && errno == EINVAL);
  CHECK(writev(exported, &part, 1) == -1 && errno == EINVAL);
  CHECK(pread(exported, &byte, 1, 0) == -1 && errno == ESPIPE);
  CHECK(pwrite(exported, &byte, 1, 0) == -1 && errno == ESPIPE);
  CHECK(syscall(SYS_write, exported, &byte, 1) == -1 && errno == EINVAL);
  CHECK(syscall(SYS_writev, exported, &part, 1) == -1 && errno == EINVAL);
  CHECK(syscall(SYS_pwritev, exported, &part, 1, 0L, 0L) == -1 && errno == ESPIPE);
  CHECK(syscall(SYS_preadv2, exported, &part, 1, -1L, -1L, 0) == -1 && errno == EINVAL);
  CHECK(ftruncate(exported, 0) == -1 && errno == EINVAL && ftruncate(device, 0) == -1 && errno == EINVAL);
  CHECK(chipset(device) > 0 && lseek(exported, 0, SEEK_END) == size);
}

static void interrupt(int number) { (void)number; }

// A device has no events: whoever reads it waits until a signal comes.
static void step_read_device(void) {
  struct sigaction action = {.sa_handler = interrupt};
  CHECK(sigaction(SIGALRM, &action, NULL) == 0);
  struct itimerval soon = {.it_value = {.tv_usec = 50000}};
  CHECK(setitimer(ITIMER_REAL, &soon, NULL) == 0);
  char event[64];
  CHECK(read(device, event, sizeof event) == -1 && errno == EINTR);
}

static void step_poll(void) {
  int ends[2];
  CHECK(pipe(ends) == 0 && write(ends[1], "", 1) == 1);
  struct pollfd fds[4] = {{.fd = device, .events = POLLIN | POLLOUT},
                          {.fd = exported, .events = POLLIN | POLLOUT},
                          {.fd = -1},
                          {.fd = ends[0], .events = POLLIN}};
  CHECK(poll(fds, 4, -1) == 2 && fds[0].revents == 0 && fds[1].revents == (POLLIN | POLLOUT));
  CHECK(fds[3].revents == POLLIN);
  uint32_t* const latch = submit_waiting();
  CHECK(poll(fds, 4, 0) == 1 && fds[1].revents == 0 && fds[3].revents == POLLIN);
  CHECK(poll(fds, 2, 20) == 0);
  fd_set readable, writable;
  FD_ZERO(&readable);
  FD_ZERO(&writable);
  FD_SET(exported, &readable), FD_SET(ends[0], &readable), FD_SET(exported, &writable);
  struct timeval time = {.tv_sec = 5};
  CHECK(select(64, &readable, &writable, NULL, &time) == 1 && FD_ISSET(ends[0], &readable));
  CHECK(!FD_ISSET(exported, &readable) && !FD_ISSET(exported, &writable));
  // The same past the C library's functions.
  const struct timespec soon = {.tv_nsec = 20000000}, late = {.tv_sec = 60};
  struct timespec left = soon;
  CHECK(syscall(SYS_ppoll, fds, 2, &left, NULL, 8) == 0 && syscall(SYS_poll, fds, 2, 20) == 0);
  FD_ZERO(&writable);
  FD_SET(exported, &writable);
  time = (struct timeval){.tv_usec = 20000};
  CHECK(syscall(SYS_select, 64, NULL, &writable, NULL, &time) == 0 && !FD_ISSET(exported, &writable));
  FD_SET(exported, &writable), left = soon;
  CHECK(syscall(SYS_pselect6, 64, NULL, &writable, NULL, &left, NULL) == 0 && !FD_ISSET(exported, &writable));
  const int set = epoll_create1(EPOLL_CLOEXEC);
  struct epoll_event event = {.events = EPOLLIN, .data = {.fd = exported}}, got;
  CHECK(epoll_ctl(set, EPOLL_CTL_ADD, exported, &event) == 0);
  CHECK(epoll_ctl(set, EPOLL_CTL_ADD, exported, &event) == -1 && errno == EEXIST);
  CHECK(epoll_ctl(set, EPOLL_CTL_ADD, device, &event) == 0 && epoll_wait(set, &got, 1, 20) == 0);
  CHECK(syscall(SYS_epoll_pwait, set, &got, 1, 20, NULL, 8) == 0);
  CHECK(syscall(SYS_epoll_pwait2, set, &got, 1, &soon, NULL, 8) == 0);
  __atomic_store_n(latch, 1, __ATOMIC_SEQ_CST);
  CHECK(syscall(SYS_epoll_pwait2, set, &got, 1, &late, NULL, 8) == 1 && got.data.fd == exported);
  CHECK(epoll_wait(set, &got, 1, 60000) == 1 && got.data.fd == exported && got.events == EPOLLIN);
  fds[1].events = POLLOUT;
  CHECK(poll(fds + 1, 1, 60000) == 1 && fds[1].revents == POLLOUT);
  FD_SET(exported, &readable), FD_SET(exported, &writable), FD_CLR(ends[0], &readable);
  CHECK(select(64, &readable, &writable, NULL, NULL) == 2 && FD_ISSET(exported, &writable));
  CHECK(syscall(SYS_ppoll, fds + 1, 1, NULL, NULL, 8) == 1 && fds[1].revents == POLLOUT);
  CHECK(syscall(SYS_pselect6, 64, NULL, &writable, NULL, NULL, NULL) == 1 && FD_ISSET(exported, &writable));
  CHECK(epoll_ctl(set, EPOLL_CTL_DEL, exported, NULL) == 0 && epoll_wait(set, &got, 1, 0) == 0);
  CHECK(epoll_ctl(set, EPOLL_CTL_ADD, exported, &event) == 0);
  const int copy = dup(exported);
  CHECK(close(exported) == 0 && epoll_wait(set, &got, 1, 0) == 0);
  exported = copy;
  close(set), close(ends[0]), close(ends[1]);
}

static const struct {
  const char* name;
  void (*run)(void);
} steps[] = {{"open", step_open},
             {"create", step_create},
             {"fill", step_fill},
             {"check", step_check},
             {"status", step_status},
             {"walk", step_walk},
             {"list", step_list},
             {"dup", step_dup},
             {"export", step_export},
             {"fork", step_fork},
             {"vfork", step_vfork},
             {"spawn-clean", step_spawn_clean},
             {"exec-clean", step_exec_clean},
             {"system-clean", step_system_clean},
             {"inherit", step_inherit},
             {"send", step_send},
             {"close-all", step_close_all},
             {"transfer", step_transfer},
             {"read-device", step_read_device},
             {"poll", step_poll},
             {"submit", step_submit},
             {"busy", step_busy},
             {"submit-in-child", step_submit_in_child}};

int main(int argc, char** argv) {
  self = argv[0];
  setvbuf(stdout, NULL, _IONBF, 0);
  if (argc == 4 && strcmp(argv[1], "inherited") == 0) {
    step_inherited(atoi(argv[2]), atoi(argv[3]));
    return 0;
  }
  for (int i = 1; i < argc; ++i) {
    size_t s = 0;
    while (s < sizeof steps / sizeof *steps && strcmp(steps[s].name, argv[i]) != 0) ++s;
    if (s == sizeof steps / sizeof *steps) {
      fprintf(stderr, "client: no step %s\n", argv[i]);
      return 2;
    }
    steps[s].run();
  }
  return 0;
}
