// The way from the interposed functions to the kernel's side (i915/kernel.h): made on first need, so that a program
// without a GPU's descriptor pays for one fstat at most and starts no thread.
#pragma once

#include "i915/kernel.h"

namespace vitro::preload {

// The kernel of this process, configured from the environment (VITRO_*).
i915::Kernel& kernel();
// Whether somebody needed it already. If not, no descriptor or mapping can be one that it has to be told about.
bool kernel_is_up();

// What a descriptor is; cheap for all that are not memory files.
i915::FdInfo identify(int fd);

// A descriptor that the kernel's side keeps for itself.
bool is_internal(int fd);

// In the child of fork: it is a process of its own, whose end is to be told (ending.cpp).
void own_process();

// At the end of the process, once: finishes pending work and prints the statistics that were asked for.
void finish();

}  // namespace vitro::preload
