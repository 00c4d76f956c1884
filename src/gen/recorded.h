// Which device here stands for the one that a recording names. Those of the same generation with other numbers of EUs
// run as one of ours: what a batch does depends on neither. Sources: Linux include/drm/i915_pciids.h.
#pragma once

#include <string_view>

#include "gen/models.h"

namespace vitro::gen {

// A name (kbl, skl), the kernel's name of a platform (KABYLAKE), or a PCI id (0x5916, 22806). nullptr: there is none.
const Device* find_recorded(std::string_view text);

}  // namespace vitro::gen
