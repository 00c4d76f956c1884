// The layouts of RENDER_SURFACE_STATE and SAMPLER_STATE, for those who print them. PRM: Gen8 vol 2d; see surface.h and
// sampler.h. Of a surface of several planes, some of the fields stand for where the planes start.
#pragma once

#include "base/packet_description.h"

namespace vitro::state {

const PacketDescription& describe_surface_gen6();
const PacketDescription& describe_surface_gen8();
const PacketDescription& describe_surface_gen9();
const PacketDescription& describe_surface_planes();
const PacketDescription& describe_sampler_gen6();
const PacketDescription& describe_sampler_gen8();
const PacketDescription& describe_sampler_gen9();

}  // namespace vitro::state
