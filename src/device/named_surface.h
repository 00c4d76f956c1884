// Surfaces for people to look at, by what names them in memory: a RENDER_SURFACE_STATE, or a blit whose destination is
// meant, each by its address. No part of the machine by itself.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "gen/models.h"
#include "memory/view.h"
#include "state/surface.h"

namespace vitro::device {

// "surface@ADDRESS", "blit@ADDRESS", or "blit_y@ADDRESS" where BCS_SWCTRL made tiles of the destination Y.
Result<state::Surface> named_surface(const gen::Device& device, memory::View& memory, std::string_view name);
// Its bytes, row after row, without tiles and without what is between the end of a row and the next.
Result<std::vector<std::byte>> surface_bytes(memory::View& memory, const state::Surface& surface);

}  // namespace vitro::device
