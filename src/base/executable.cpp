// Reading just enough of ELF files and "#!" lines to know how the system would start them (see executable.h).
#include "base/executable.h"

#include <elf.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstring>

namespace vitro {

namespace {

constexpr int interpreter_depth = 4;  // as many "#!" as Linux follows

// The loader gives up the environment's LD_PRELOAD when the process gains rights by the file.
bool gains_rights(const char* path, const struct stat& status) {
  if ((status.st_mode & S_ISUID) && status.st_uid != getuid()) return true;
  if ((status.st_mode & S_ISGID) && (status.st_mode & S_IXGRP) && status.st_gid != getgid()) return true;
  return getuid() != 0 && getxattr(path, "security.capability", nullptr, 0) > 0;
}

// The dynamic loader itself has no interpreter, but preloads into the program that it is told to run.
bool is_loader(const char* path) {
  const char* slash = strrchr(path, '/');
  const char* name = slash ? slash + 1 : path;
  return strncmp(name, "ld-linux", 8) == 0 || strcmp(name, "ld.so") == 0;
}

bool read_segment(int fd, const Elf64_Ehdr& header, unsigned index, Elf64_Phdr& segment) {
  const off_t offset = off_t(header.e_phoff + index * header.e_phentsize);
  return pread(fd, &segment, sizeof segment, offset) == ssize_t(sizeof segment);
}

// Where in the file an address of the program comes from; -1: nowhere.
off_t offset_of(int fd, const Elf64_Ehdr& header, uint64_t address) {
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr segment;
    if (!read_segment(fd, header, i, segment)) break;
    if (segment.p_type == PT_LOAD && address - segment.p_vaddr < segment.p_filesz)
      return off_t(segment.p_offset + (address - segment.p_vaddr));
  }
  return -1;
}

// The first sanitizer among the libraries that the dynamic section asks for.
void find_sanitizer(int fd, const Elf64_Ehdr& header, const Elf64_Phdr& dynamic, SanitizerLibrary& sanitizer) {
  Elf64_Dyn entries[128];  // a program has about thirty
  const ssize_t got = pread(fd, entries, std::min<uint64_t>(dynamic.p_filesz, sizeof entries), off_t(dynamic.p_offset));
  const Elf64_Dyn* const end = entries + std::max<ssize_t>(got, 0) / ssize_t(sizeof *entries);
  const Elf64_Dyn* const begin = entries;
  const auto* strings = std::find_if(begin, end, [](const Elf64_Dyn& e) { return e.d_tag == DT_STRTAB; });
  const off_t names = strings == end ? -1 : offset_of(fd, header, strings->d_un.d_ptr);
  for (const Elf64_Dyn* entry = begin; names >= 0 && entry != end && entry->d_tag != DT_NULL; ++entry) {
    if (entry->d_tag != DT_NEEDED) continue;
    SanitizerLibrary found;
    if (pread(fd, found.name, sizeof found.name, names + off_t(entry->d_un.d_val)) <= 0) return;
    if (memchr(found.name, 0, sizeof found.name) && is_sanitizer(found.name)) {
      sanitizer = found;
      return;
    }
  }
}

Executable classify_elf(int fd, const char* path, const Elf64_Ehdr& header, SanitizerLibrary* sanitizer) {
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_machine != EM_X86_64) return Executable::other_machine;
  bool has_interpreter = false;
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr segment;
    if (!read_segment(fd, header, i, segment)) return Executable::not_runnable;
    has_interpreter |= segment.p_type == PT_INTERP;
    if (segment.p_type == PT_DYNAMIC && sanitizer) find_sanitizer(fd, header, segment, *sanitizer);
  }
  return has_interpreter || is_loader(path) ? Executable::dynamic : Executable::is_static;
}

Executable classify(const char* path, int depth, SanitizerLibrary* sanitizer) {
  if (access(path, F_OK) != 0) return errno == EACCES ? Executable::not_runnable : Executable::missing;
  struct stat status;
  if (access(path, X_OK) != 0 || stat(path, &status) != 0 || !S_ISREG(status.st_mode)) return Executable::not_runnable;

  const int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return Executable::dynamic;  // may be run but not read: the benefit of the doubt
  char start[256] = {};
  static_assert(sizeof start >= sizeof(Elf64_Ehdr));
  const ssize_t got = read(fd, start, sizeof start - 1);
  Executable kind = Executable::not_runnable;
  if (got >= ssize_t(sizeof(Elf64_Ehdr)) && memcmp(start, ELFMAG, SELFMAG) == 0) {
    Elf64_Ehdr header;
    memcpy(&header, start, sizeof header);
    kind = gains_rights(path, status) ? Executable::privileged : classify_elf(fd, path, header, sanitizer);
  } else if (got > 2 && start[0] == '#' && start[1] == '!') {
    // Linux ignores setuid bits of scripts.
    char* name = start + 2 + strspn(start + 2, " \t");
    name[strcspn(name, " \t\n")] = 0;
    kind = depth > 0 && *name ? classify(name, depth - 1, sanitizer) : Executable::not_runnable;
  } else if (got >= 0) {
    // execvp and shells hand a file without any header to the shell.
    kind = memchr(start, 0, size_t(got)) ? Executable::not_runnable : classify("/bin/sh", 0, sanitizer);
  }
  close(fd);
  return kind;
}

}  // namespace

bool is_sanitizer(const char* library) {
  const char* slash = strrchr(library, '/');
  const char* name = slash ? slash + 1 : library;
  // GCC's libraries, and those of clang -shared-libsan. UndefinedBehaviorSanitizer takes no functions over.
  for (const char* start : {"libasan.so", "libtsan.so", "liblsan.so", "libhwasan.so", "libclang_rt.asan",
                            "libclang_rt.tsan", "libclang_rt.lsan", "libclang_rt.hwasan"})
    if (strncmp(name, start, strlen(start)) == 0) return true;
  return false;
}

Executable classify_executable(const char* path, SanitizerLibrary* sanitizer) {
  return classify(path, interpreter_depth, sanitizer);
}

const char* describe(Executable kind) {
  switch (kind) {
    case Executable::dynamic: return "";
    case Executable::missing: return "is not there";
    case Executable::not_runnable: return "cannot be run";
    case Executable::is_static: return "is statically linked";
    case Executable::privileged: return "is setuid, setgid or has file capabilities";
    case Executable::other_machine: return "is a program for another kind of processor (32-bit?)";
  }
  return "";
}

std::string find_executable(const std::string& name, const char* search_path) {
  if (name.empty()) return {};
  if (name.find('/') != std::string::npos) return access(name.c_str(), F_OK) == 0 ? name : std::string();
  std::string found_unusable;
  for (const char* folder = search_path; folder;) {
    const char* end = strchrnul(folder, ':');
    std::string path = std::string(folder, end);
    path += (path.empty() ? "./" : "/") + name;
    struct stat status;
    if (stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode)) {
      if (access(path.c_str(), X_OK) == 0) return path;
      if (found_unusable.empty()) found_unusable = path;
    }
    folder = *end ? end + 1 : nullptr;
  }
  return found_unusable;
}

}  // namespace vitro
