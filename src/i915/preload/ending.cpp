// The end of a process (exit, _exit): pending work is finished and the statistics that were asked for are printed,
// once. A process that is killed, or that execs another program, prints none. _exit is allowed in signal handlers,
// where waiting for work is not, so it only stops for statistics.
#include <unistd.h>

#include <cstdlib>

#include "i915/preload/environment.h"
#include "i915/preload/inner.h"
#include "i915/preload/interpose.h"
#include "i915/preload/raw.h"

namespace vitro::preload {

namespace {

// The child of vfork shares our memory but is another process: its _exit ends nothing of ours.
int process = 0;
[[gnu::constructor]] void remember_process() { process = raw_getpid(); }

[[gnu::destructor]] void at_exit() { finish(); }

}  // namespace

// After fork; also tells which process `finish` belongs to.
void own_process() { process = raw_getpid(); }

extern "C" {

[[noreturn]] void vitro_exit_now(int code) {
  if (option("VITRO_STATS") && process == raw_getpid()) finish();
  for (;;) raw(SYS_exit_group, code);
}
INTERPOSE(_exit, vitro_exit_now);
INTERPOSE(_Exit, vitro_exit_now);

}  // extern "C"

}  // namespace vitro::preload
