// Finding, loading and calling libvitro_jit.so. It is never unloaded, and nothing in it is destroyed at exit, so a host
// thread may be inside when the process ends. In a forked child it is not used again if a thread was inside at that
// moment: what it was changing is half done there. PRM: none.
#include "eu/jit/library.h"

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

namespace vitro::eu::jit {
namespace {

struct State {
  std::mutex loading;
  bool tried = false;
  Generate* generate = nullptr;
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

Generate* open_library() {
  const std::string folder = own_folder();
  for (const char* place : {"/", "/../lib/vitro/", "/../"}) {  // build folder and library folder; program; tests
    const std::string path = folder + place + "libvitro_jit.so";
    if (access(path.c_str(), R_OK) != 0) continue;
    void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    return library ? reinterpret_cast<Generate*>(dlsym(library, generate_symbol)) : nullptr;
  }
  return nullptr;
}

Generate* loaded() {
  State& s = state();
  if (s.broken) return nullptr;
  static const int hooked = pthread_atfork([] { state().loading.lock(); }, [] { state().loading.unlock(); },
                                           [] {
                                             if (state().inside.exchange(0)) state().broken = true;
                                             state().loading.unlock();
                                           });
  static_cast<void>(hooked);
  const std::lock_guard guard(s.loading);
  if (!std::exchange(s.tried, true)) s.generate = open_library();
  return s.generate;
}

// LLVM ends the process when it gets no memory. Under a limit of the address space (`ulimit -v`) programs are therefore
// compiled only while there is more left than it takes: the library and an allocator's arena for a new thread, and some
// 40 KiB per instruction, as measured.
bool has_room(size_t instructions) {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return true;
  unsigned long pages = 0;
  FILE* const file = std::fopen("/proc/self/statm", "re");
  if (!file) return false;
  const bool known = std::fscanf(file, "%lu", &pages) == 1;
  std::fclose(file);
  const rlim_t needed = (rlim_t{128} << 20) + (rlim_t{64} << 10) * instructions;
  return known && rlim_t(pages) * rlim_t(sysconf(_SC_PAGESIZE)) + needed < limit.rlim_cur;
}

}  // namespace

std::vector<std::byte> generate(const Program& program, const Options& options) {
  std::vector<std::byte> bytes;
  Generate* const function = program.plans().empty() || !has_room(program.plans().size()) ? nullptr : loaded();
  if (!function) return bytes;
  const auto take = [](void* context, const std::byte* from, size_t count) {
    static_cast<std::vector<std::byte>*>(context)->assign(from, from + count);
  };
  ++state().inside;
  if (!function(build_name(), program, options, take, &bytes)) bytes.clear();
  --state().inside;
  return bytes;
}

}  // namespace vitro::eu::jit
