// The process's kernel side on first need, its configuration from the environment that `vitro run` sets, the hooks
// around fork, and the report at exit (see inner.h).
#include "i915/preload/inner.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <string>

#include "base/quiet_writes.h"
#include "code/store.h"
#include "i915/preload/environment.h"
#include "i915/preload/raw.h"

namespace vitro::preload {

namespace {

std::atomic<i915::Kernel*> the_kernel{nullptr};
pthread_once_t once = PTHREAD_ONCE_INIT;

bool is_set(const char* name) {
  const char* value = option(name);
  return value && *value && strcmp(value, "0") != 0;
}

void make_kernel() {
  const int saved = errno;
  i915::Options options;
  if (const char* device = option("VITRO_DEVICE"); device && gen::find_platform(device)) options.device = device;
  if (const char* workers = option("VITRO_THREADS")) options.gpu.workers = unsigned(strtoul(workers, nullptr, 10));
  options.gpu.strict = is_set("VITRO_STRICT");
  if (const char* topics = option("VITRO_TRACE"))
    options.gpu.trace = device::parse_topics(topics).value_or(device::Topics{});
  if (const char* execute = option("VITRO_EXECUTE")) options.gpu.execute = strcmp(execute, "off") != 0;
  if (const char* pictures = option("VITRO_PNG_AFTER"))
    options.gpu.pictures = device::parse_pictures(pictures).value_or(std::vector<device::Picture>{});
  if (const char* file = option("VITRO_CAPTURE")) options.gpu.capture.file = file;
  options.gpu.capture.results = is_set("VITRO_CAPTURE_RESULTS");
  if (const char* limit = option("VITRO_HANG_LIMIT")) options.gpu.hang_instructions = strtoull(limit, nullptr, 10);
  if (const char* tiering = option("VITRO_JIT"))
    options.gpu.tier.tiering = dispatch::parse_tiering(tiering).value_or(dispatch::default_tiering);
  const char* cache = option("VITRO_JIT_CACHE");
  const char* cache_folder = option("VITRO_CACHE_DIR");
  options.gpu.tier.store = cache                                    ? strcmp(cache, "off") == 0 ? "" : cache
                           : cache_folder && cache_folder[0] == '/' ? cache_folder
                                                                    : code::default_store_folder();
  if (const char* folder = option("VITRO_JIT_DUMP")) options.gpu.tier.dump = folder;
  options.gpu.tier.tell_perf = is_set("VITRO_JIT_PERF");
  options.gpu.tier.tell_gdb = is_set("VITRO_JIT_GDB");
  if (const char* folder = option("VITRO_VISA")) options.gpu.visa = folder;
  options.gpu.statistics = is_set("VITRO_STATS");
  if (const char* run = option("VITRO_RUN")) options.run = strtoull(run, nullptr, 16);
  i915::Kernel::configure(options);
  the_kernel.store(&i915::Kernel::instance(), std::memory_order_release);
  pthread_atfork([] { kernel().before_fork(); }, [] { kernel().after_fork_in_parent(); },
                 [] {
                   own_process();
                   kernel().after_fork_in_child();
                 });
  errno = saved;
}

// The device number of the file system that memfd_create uses: no other file can be ours.
dev_t memory_file_device() {
  static std::atomic<dev_t> known{0};
  dev_t device = known.load(std::memory_order_relaxed);
  if (device) return device;
  const int fd = int(raw(SYS_memfd_create, "vitro", long(MFD_CLOEXEC)));
  struct stat status;
  if (fd >= 0 && raw_fstat(fd, &status) == 0) known.store(device = status.st_dev, std::memory_order_relaxed);
  if (fd >= 0) raw_close(fd);
  return device;
}

// 0, or the error.
int write_all(int fd, const std::string& text) {
  const QuietWrites quiet;
  for (size_t done = 0; done < text.size();) {
    const long wrote = raw(SYS_write, fd, text.data() + done, long(text.size() - done));
    if (wrote <= 0 && wrote != -EINTR) return int(-wrote);
    if (wrote > 0) done += size_t(wrote);
  }
  return 0;
}

void print_statistics() {
  const char* wanted = option("VITRO_STATS");
  if (!wanted || !*wanted || strcmp(wanted, "0") == 0) return;
  std::string text = kernel().statistics(strcmp(wanted, "json") == 0);
  if (text.empty()) return;
  if (text.back() != '\n') text += '\n';
  const char* const file = option("VITRO_STATS_FILE");
  if (!file) {
    write_all(2, text);
    return;
  }
  const int fd = raw_openat(AT_FDCWD, file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  const int error = fd < 0 ? -fd : write_all(fd, text);
  if (fd >= 0) raw_close(fd);
  if (error) write_all(2, std::string("vitro: no statistics in ") + file + ": " + strerror(error) + "\n");
}

// The file of a capture is made with the first work.
void tell_empty_capture() {
  const char* const file = option("VITRO_CAPTURE");
  static std::atomic<bool> told{false};
  if (!file || !*file || raw(SYS_faccessat, AT_FDCWD, file, F_OK) == 0 || told.exchange(true)) return;
  write_all(
      2, std::string("vitro: ") + program_invocation_short_name + " submitted no work: " + file + " is not written\n");
}

}  // namespace

i915::Kernel& kernel() {
  pthread_once(&once, make_kernel);
  return *the_kernel.load(std::memory_order_acquire);
}

bool kernel_is_up() { return the_kernel.load(std::memory_order_acquire) != nullptr; }

i915::FdInfo identify(int fd) {
  struct stat status;
  if (fd < 0 || raw_fstat(fd, &status) != 0 || !S_ISREG(status.st_mode)) return {};
  if (status.st_dev != memory_file_device()) return {};
  return kernel().identify(fd);
}

bool is_internal(int fd) { return kernel_is_up() && fd >= kernel().lowest_internal() && kernel().is_internal(fd); }

void finish() {
  static std::atomic<bool> finished{false};
  if (!kernel_is_up()) return;
  const int saved = errno;
  if (kernel().batches_submitted() == 0) {
    tell_empty_capture();
    errno = saved;
    return;
  }
  if (finished.exchange(true)) return;
  kernel().shutdown();
  print_statistics();
  errno = saved;
}

}  // namespace vitro::preload
