// The variables that carry a run's options from `vitro run` to every process of it (VITRO_* and LD_PRELOAD), and how
// they stay in the environment of children although the program hands them a cleaned one.
#pragma once

#include <cstddef>

#include "base/executable.h"

namespace vitro::preload {

// The value that a VITRO_* variable had when the process began; nullptr if it had none or an empty one.
const char* option(const char* name);

// For exec: `variables` with LD_PRELOAD and VITRO_* put back where they are missing. The caller provides the space, so
// that nothing is allocated: the child of vfork must not. Variables that are there keep their values, but for
// LD_PRELOAD, which gets this library and the sanitizer that the child is linked with (base/preload_list.h).
struct ChildEnvironment {
  static constexpr size_t added = 24;  // variables at most
  char** list;                         // of environment_count() + added pointers
  char preload[8192];
  char sanitizer[128];
};
size_t environment_count(char* const variables[]);
char* const* complete(ChildEnvironment& space, char* const variables[], const SanitizerLibrary& sanitizer);

}  // namespace vitro::preload
