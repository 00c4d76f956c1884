// A device that accepts everything and executes nothing (`--execute=off`): what passes there passes on any device.
#pragma once

#include "streamer/streamer.h"

namespace vitro::device {

// The same commands, of which those of the pipelines (3D, media, GPGPU) and those that are unsupported do nothing. What
// drivers wait for, flushes and the streamer's own stores, still happens.
streamer::CommandSet idle_commands(const streamer::CommandSet& commands);

}  // namespace vitro::device
