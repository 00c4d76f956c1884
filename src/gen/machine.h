// A whole machine as a value: the instruction set, the commands, the shared functions and the pipelines' peculiarities
// that belong together in one device. Everything above takes its tables from here and never asks for a generation.
#pragma once

#include <cstdint>
#include <span>

#include "dispatch/subslice.h"
#include "gen/models.h"
#include "media/state.h"
#include "pipeline/draw.h"
#include "shared/gateway.h"
#include "shared/urb.h"
#include "state/surface.h"
#include "streamer/streamer.h"

namespace vitro::gen {

struct Machine {
  const isa::Model& model;
  const streamer::CommandSet& commands;
  std::span<const dispatch::FunctionRow> functions;  // data ports and sampler; gateway and spawner belong to dispatch
  const shared::GatewayLayout& gateway;
  const shared::UrbLayout& urb;
  uint32_t urb_bytes;
  const media::Traits& media;
  const state::SurfaceLayout& surfaces;
  const pipeline::Traits* three_d;  // nullptr: draws are unsupported
};

const Machine& machine(const Device& device);

}  // namespace vitro::gen
