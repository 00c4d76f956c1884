// What exec would start: a file looked at as the system's loader would, to tell in advance whether a library can be
// preloaded into it. Uses system calls and fixed buffers only, so that it may run in the child of vfork. Not looked at:
// mount options (nosuid) and security modules.
#pragma once

#include <string>

namespace vitro {

enum class Executable {
  dynamic,       // a 64-bit x86 program, started by the dynamic loader
  missing,       // no such file
  not_runnable,  // a folder, no permission, or no program at all
  is_static,
  privileged,     // setuid, setgid or with file capabilities: the loader ignores the environment
  other_machine,  // a 32-bit program, or one for another processor
};

// The library of a sanitizer's run time that a program is linked with, "libasan.so.8"; empty if there is none.
struct SanitizerLibrary {
  char name[64] = "";
};
// Whether a library, by its name or path, is the run time of a sanitizer that must come before all other libraries.
bool is_sanitizer(const char* library);

// Follows "#!" lines to the interpreter, whose kind counts, and whose sanitizer.
Executable classify_executable(const char* path, SanitizerLibrary* sanitizer = nullptr);
// "is statically linked", for messages; empty for `dynamic`.
const char* describe(Executable kind);

// As execvp looks for it: a name with a slash is a path, others are searched for in `search_path` (PATH). Empty if
// there is none.
std::string find_executable(const std::string& name, const char* search_path);

}  // namespace vitro
