// The order in which MEDIA_OBJECT_WALKER visits a picture: five loops, each stepping by a vector. PRM: Gen8 vol 2a
// MEDIA_OBJECT_WALKER, which lacks the tests of the loops; what is here is a model that covers every pattern known
// encoders program, each place once. Not modelled: Dual Mode, Repel and the Local End of Gen6.
#pragma once

#include <cstdint>
#include <vector>

#include "commands/media.h"

namespace vitro::media {

struct Visit {
  uint16_t x = 0, y = 0;
  uint8_t color = 0;
  uint32_t group = 0;  // numbers groups from 0, if Group ID Loop Select makes any; else each visit is its own
};

// False: more places than a picture can have (the loops never get anywhere).
bool visits(const commands::MediaObjectWalker& walker, std::vector<Visit>& out);

}  // namespace vitro::media
