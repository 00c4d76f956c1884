// Finding, loading and calling libvitro_jit.so. It is never unloaded, and nothing in it is destroyed at exit, so a host
// thread may be inside when the process ends. In a forked child it is not used again if a thread was inside at that
// moment: what it was changing is half done there. PRM: none.
#include "code/compiler.h"

#include <dlfcn.h>
#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <climits>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <string>
#include <utility>

#include "code/build.h"

namespace vitro::code {
namespace {

struct State {
  std::mutex loading;
  bool tried = false;
  Compile* compile = nullptr;
  std::atomic<int> inside{0};
  std::atomic<bool> broken{false};  // left half done by a fork
};
State& state() {
  static State& s = *new State;  // used until the very end
  return s;
}

std::string folder_of(const std::string& path) { return path.substr(0, path.rfind('/')); }

// Where the code that asks stands: the library that a program was given, or a program.
std::string own_folder() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&own_folder), &info) && info.dli_fname && std::strchr(info.dli_fname, '/'))
    return folder_of(info.dli_fname);
  char path[PATH_MAX + 1];
  const ssize_t length = readlink("/proc/self/exe", path, PATH_MAX);
  return length > 0 ? folder_of(std::string(path, size_t(length))) : ".";
}

Compile* open_library() {
  const std::string folder = own_folder();
  for (const char* place : {"/", "/../lib/vitro/", "/../"}) {  // build folder and library folder; program; tests
    const std::string path = folder + place + "libvitro_jit.so";
    if (access(path.c_str(), R_OK) != 0) continue;
    void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    return library ? reinterpret_cast<Compile*>(dlsym(library, compile_symbol)) : nullptr;
  }
  return nullptr;
}

Compile* loaded() {
  State& s = state();
  if (s.broken) return nullptr;
  static const int hooked = pthread_atfork([] { state().loading.lock(); }, [] { state().loading.unlock(); },
                                           [] {
                                             if (state().inside.exchange(0)) state().broken = true;
                                             state().loading.unlock();
                                           });
  static_cast<void>(hooked);
  const std::lock_guard guard(s.loading);
  if (!std::exchange(s.tried, true)) s.compile = open_library();
  return s.compile;
}

// LLVM ends the process when it gets no memory. Under a limit of the address space (`ulimit -v`) programs are therefore
// compiled only while there is more left than it takes: the library and an allocator's arena for a new thread, and some
// 40 KiB per instruction, as measured, of 8 bytes at least.
bool has_room(size_t order_bytes) {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return true;
  unsigned long pages = 0;
  FILE* const file = std::fopen("/proc/self/statm", "re");
  if (!file) return false;
  const bool known = std::fscanf(file, "%lu", &pages) == 1;
  std::fclose(file);
  const rlim_t needed = (rlim_t{128} << 20) + (rlim_t{64} << 10) * (order_bytes / 8);
  return known && rlim_t(pages) * rlim_t(sysconf(_SC_PAGESIZE)) + needed < limit.rlim_cur;
}

}  // namespace

std::vector<std::byte> compile(std::span<const std::byte> order) {
  std::vector<std::byte> bytes;
  Compile* const function = has_compiler && has_room(order.size()) ? loaded() : nullptr;
  if (!function) return bytes;
  const auto take = [](void* context, const std::byte* from, size_t count) {
    static_cast<std::vector<std::byte>*>(context)->assign(from, from + count);
  };
  ++state().inside;
  if (!function(build_name(), order.data(), order.size(), take, &bytes)) bytes.clear();
  --state().inside;
  return bytes;
}

}  // namespace vitro::code
