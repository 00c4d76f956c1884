// Finding the functions behind the door (LD_PRELOAD library): what the C library, or another preloaded library after
// ours, defines under a name that we took.
#include <dlfcn.h>

#include "i915/preload/interpose.h"

namespace vitro::preload {

void* find_next(const char* name, const char* version, void** slot) {
  void* found = __atomic_load_n(slot, __ATOMIC_ACQUIRE);
  if (found) return found;
  // Threads that meet here find the same, so the last store may win.
  found = version ? dlvsym(RTLD_NEXT, name, version) : dlsym(RTLD_NEXT, name);
  __atomic_store_n(slot, found, __ATOMIC_RELEASE);
  return found;
}

}  // namespace vitro::preload
