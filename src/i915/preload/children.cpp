// Programs that the program starts (exec*, posix_spawn, system, popen): they run on the emulated GPU too, even if they
// are handed a cleaned environment, and a line on standard error says when one cannot. All of exec must work in the
// child of vfork, so it uses the stack only.
// Not interposed: fork and vfork themselves (the hooks around fork are pthread_atfork's, see inner.cpp), and raw clone.
#include <alloca.h>
#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

#include <atomic>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "base/executable.h"
#include "base/quiet_writes.h"
#include "i915/preload/environment.h"
#include "i915/preload/interpose.h"
#include "i915/preload/paths.h"
#include "i915/preload/raw.h"

extern char** environ;

namespace vitro::preload {

namespace {

using Variables = char* const*;

// One line per program and process: build systems start the same one a thousand times.
bool told_before(const char* path) {
  struct stat status;
  if (raw_fstatat(AT_FDCWD, path, &status, 0) != 0) return true;
  static std::atomic<unsigned long> told[64];
  const unsigned long mark = ((status.st_ino * 0x9e3779b97f4a7c15u) ^ status.st_dev) | 1u;
  return told[mark >> 58].exchange(mark) == mark;
}

void tell(const char* path, Executable kind) {
  if (told_before(path)) return;
  char line[PATH_MAX + 200];
  size_t length = 0;
  for (const char* part : {"vitro: ", path, " ", describe(kind), "; it does not see the emulated GPU\n"}) {
    const size_t size = strlen(part);
    if (length + size > sizeof line) return;
    memcpy(line + length, part, size);
    length += size;
  }
  const QuietWrites quiet;
  raw(SYS_write, 2, line, long(length));
}

// A program about to be started: the line if it cannot see the GPU, and the sanitizer that it is linked with.
SanitizerLibrary look(const char* path) {
  SanitizerLibrary sanitizer;
  if (!path) return sanitizer;
  const int saved = errno;
  const Executable kind = classify_executable(path, &sanitizer);
  if (kind == Executable::is_static || kind == Executable::privileged || kind == Executable::other_machine)
    tell(path, kind);
  errno = saved;
  return sanitizer;
}

// As execvp would find it, on the stack.
SanitizerLibrary look_searched(const char* name) {
  if (!name || !*name) return {};
  if (strchr(name, '/')) return look(name);
  const char* search = getenv("PATH");
  if (!search) search = "/bin:/usr/bin";
  const size_t name_length = strlen(name);
  for (const char* folder = search; folder;) {
    const char* end = strchrnul(folder, ':');
    const size_t length = size_t(end - folder);
    char path[PATH_MAX + 1];
    if (length + 1 + name_length < sizeof path) {
      memcpy(path, folder, length);
      path[length] = '/';
      strcpy(path + length + 1, name);
      if (raw(SYS_access, path + (length ? 0 : 1), 1) == 0) return look(path + (length ? 0 : 1));
    }
    folder = *end ? end + 1 : nullptr;
  }
  return {};
}

SanitizerLibrary look_at_descriptor(int fd) {
  char path[PATH_MAX + 1];
  return path_of(fd, path, sizeof path) > 0 ? look(path) : SanitizerLibrary{};
}

// Below a folder, as execveat finds it.
SanitizerLibrary look_below(int folder, const char* path) {
  if (!path) return {};
  if (!*path) return look_at_descriptor(folder);
  if (*path == '/' || folder == AT_FDCWD) return look(path);
  char whole[2 * PATH_MAX];
  const long length = path_of(folder, whole, PATH_MAX);
  if (length <= 0 || size_t(length) + 1 + strlen(path) >= sizeof whole) return {};
  whole[length] = '/';
  strcpy(whole + length + 1, path);
  return look(whole);
}

// The list must live in the frame of the function that calls exec, hence a macro.
#define COMPLETE(name, variables, sanitizer)                                                                     \
  ChildEnvironment name##_space;                                                                                 \
  name##_space.list =                                                                                            \
      static_cast<char**>(alloca((environment_count(variables) + ChildEnvironment::added + 1) * sizeof(char*))); \
  Variables name = complete(name##_space, variables, sanitizer)

size_t count_arguments(va_list list) {
  size_t count = 1;
  while (va_arg(list, char*)) ++count;
  return count;
}

// Resolved before main, because the child of vfork and a signal handler had better not enter the loader.
auto next_execve() { return NEXT(execve); }
auto next_execvpe() { return NEXT(execvpe); }
auto next_fexecve() { return NEXT(fexecve); }
auto next_execveat() { return NEXT(execveat); }
[[gnu::constructor]] void resolve_early() {
  next_execve();
  next_execvpe();
  next_fexecve();
  next_execveat();
}

// system and popen hand on the program's own environment. If it was cleaned, it is replaced for the duration of the
// call by a complete copy; readers in other threads find the same variables in it.
class CompletedEnviron {
 public:
  CompletedEnviron() : before_(environ) {
    space_.list =
        static_cast<char**>(malloc((environment_count(environ) + ChildEnvironment::added + 1) * sizeof(char*)));
    if (!space_.list) return;
    const size_t count = environment_count(environ);
    Variables completed = complete(space_, environ, look("/bin/sh"));
    bool changed = environment_count(completed) != count;
    for (size_t i = 0; !changed && i < count; ++i) changed = completed[i] != environ[i];
    if (changed) environ = space_.list;
  }
  ~CompletedEnviron() {
    if (environ == space_.list) environ = before_;
    free(space_.list);
  }
  CompletedEnviron(const CompletedEnviron&) = delete;
  CompletedEnviron& operator=(const CompletedEnviron&) = delete;

 private:
  char** before_;
  ChildEnvironment space_;
};

}  // namespace

extern "C" {

int vitro_execve(const char* path, char* const arguments[], char* const variables[]) {
  COMPLETE(list, variables, look(path));
  return next_execve()(path, arguments, list);
}
INTERPOSE(execve, vitro_execve);

int vitro_execv(const char* path, char* const arguments[]) { return vitro_execve(path, arguments, environ); }
INTERPOSE(execv, vitro_execv);

int vitro_execvpe(const char* name, char* const arguments[], char* const variables[]) {
  COMPLETE(list, variables, look_searched(name));
  return next_execvpe()(name, arguments, list);
}
INTERPOSE(execvpe, vitro_execvpe);

int vitro_execvp(const char* name, char* const arguments[]) { return vitro_execvpe(name, arguments, environ); }
INTERPOSE(execvp, vitro_execvp);

// The three with the arguments in a row: counted, gathered, handed on.
#define GATHER(arguments, first)                                                           \
  va_list arguments##_rest;                                                                \
  va_start(arguments##_rest, first);                                                       \
  const size_t arguments##_count = first ? count_arguments(arguments##_rest) : 0;          \
  va_end(arguments##_rest);                                                                \
  char** arguments = static_cast<char**>(alloca((arguments##_count + 1) * sizeof(char*))); \
  arguments[0] = const_cast<char*>(first);                                                 \
  va_start(arguments##_rest, first);                                                       \
  for (size_t i = 1; i <= arguments##_count; ++i) arguments[i] = va_arg(arguments##_rest, char*)

int vitro_execl(const char* path, const char* first, ...) {
  GATHER(arguments, first);
  va_end(arguments_rest);
  return vitro_execve(path, arguments, environ);
}
INTERPOSE(execl, vitro_execl);

int vitro_execlp(const char* name, const char* first, ...) {
  GATHER(arguments, first);
  va_end(arguments_rest);
  return vitro_execvpe(name, arguments, environ);
}
INTERPOSE(execlp, vitro_execlp);

int vitro_execle(const char* path, const char* first, ...) {
  GATHER(arguments, first);
  char* const* variables = va_arg(arguments_rest, char* const*);
  va_end(arguments_rest);
  return vitro_execve(path, arguments, variables);
}
INTERPOSE(execle, vitro_execle);

int vitro_fexecve(int fd, char* const arguments[], char* const variables[]) {
  COMPLETE(list, variables, look_at_descriptor(fd));
  return next_fexecve()(fd, arguments, list);
}
INTERPOSE(fexecve, vitro_fexecve);

int vitro_execveat(int folder, const char* path, char* const arguments[], char* const variables[], int flags) {
  COMPLETE(list, variables, look_below(folder, path));
  return next_execveat()(folder, path, arguments, list, flags);
}
INTERPOSE(execveat, vitro_execveat);

int vitro_posix_spawn(pid_t* child, const char* path, const posix_spawn_file_actions_t* actions,
                      const posix_spawnattr_t* attributes, char* const arguments[], char* const variables[]) {
  COMPLETE(list, variables ? variables : environ, look(path));
  return NEXT_VERSION(posix_spawn, decltype(&::posix_spawn), "GLIBC_2.15")(child, path, actions, attributes, arguments,
                                                                           list);
}
INTERPOSE(posix_spawn, vitro_posix_spawn);

int vitro_posix_spawnp(pid_t* child, const char* name, const posix_spawn_file_actions_t* actions,
                       const posix_spawnattr_t* attributes, char* const arguments[], char* const variables[]) {
  COMPLETE(list, variables ? variables : environ, look_searched(name));
  return NEXT_VERSION(posix_spawnp, decltype(&::posix_spawnp), "GLIBC_2.15")(child, name, actions, attributes,
                                                                             arguments, list);
}
INTERPOSE(posix_spawnp, vitro_posix_spawnp);

int vitro_system(const char* command) {
  const CompletedEnviron completed;
  return NEXT_AS(system, int (*)(const char*))(command);
}
INTERPOSE(system, vitro_system);

FILE* vitro_popen(const char* command, const char* mode) {
  const CompletedEnviron completed;
  return NEXT_AS(popen, FILE * (*)(const char*, const char*))(command, mode);
}
INTERPOSE(popen, vitro_popen);

}  // extern "C"

}  // namespace vitro::preload
