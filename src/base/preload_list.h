// The order of LD_PRELOAD, the loader's list of libraries that come before a program's own. The run time of a sanitizer
// refuses to work unless it is the first library of the process, and takes over functions of the C library itself; so
// it stands before the library of vitro, which it then calls as if it were the C library. Fixed buffers only: the list
// of a child is made in the child of vfork.
#pragma once

#include <cstddef>

#include "base/executable.h"

namespace vitro {

struct Preload {
  const char* list = "";       // the list that the program was to get
  const char* library = "";    // ours
  const char* sanitizer = "";  // the run time that the program is linked with; empty: none
  const char* added = "";      // the run time in the list that is there only because the parent was linked with it
};

// The variable that carries `added` from a process to its children.
constexpr const char* added_sanitizer_variable = "VITRO_ADDED_SANITIZER";

// Writes the list that the program gets to `text`: run times of sanitizers, ours unless it has its place already, and
// the others in their order. False if there is not enough space. `added` is set to what the program's children are not
// to inherit.
bool make_preload_list(const Preload& preload, char* text, size_t size, SanitizerLibrary& added);

}  // namespace vitro
