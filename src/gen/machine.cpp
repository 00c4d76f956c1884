// Which tables make up which device. PRM: Gen6 (Sandy Bridge), Gen8 (Broadwell), Gen9 (Kaby Lake, Apollo Lake). The URB
// of Gen8 and later is a part of the L3 cache whose size its configuration says; here it is as large as it can be.
#include "gen/machine.h"

#include <array>
#include <cstdlib>

#include "shared/dataport/dataport.h"
#include "shared/pixel_interpolator.h"
#include "shared/sampler/sampler.h"

namespace vitro::gen {
namespace {

using dispatch::function_row;
using shared::DataPort;
using shared::PixelInterpolator;
using shared::SamplingEngine;

constexpr std::array functions_gen6{function_row<DataPort, shared::dataport_gen6>(),
                                    function_row<SamplingEngine, shared::sampler_engine_gen6>()};
constexpr std::array functions_gen8{function_row<DataPort, shared::dataport_gen8>(),
                                    function_row<SamplingEngine, shared::sampler_engine_gen8>(),
                                    function_row<PixelInterpolator, shared::pixel_interpolator_gen8>()};
constexpr std::array functions_gen9{function_row<DataPort, shared::dataport_gen9>(),
                                    function_row<SamplingEngine, shared::sampler_engine_gen9>(),
                                    function_row<PixelInterpolator, shared::pixel_interpolator_gen9>()};
template <const auto& layout>
state::ColorCalcState color_calc(std::span<const uint32_t> object) {
  return unpack(layout, object);
}
// Threads of the pixel shader: as many as drivers provide scratch space for (64 for each of the places that start
// them).
constexpr pipeline::Traits three_d_gen8{.ps_invocation_factor = 4,
                                        .color_calc = color_calc<state::gen8::color_calc_state>,
                                        .ps_threads = 384,
                                        .constant_address_register = registers::cs::instpm,
                                        .constant_address_bit = 1 << 6,
                                        .surfaces = &state::surface_gen8,
                                        .fast_clear_rows = 16};
constexpr pipeline::Traits three_d_gen9{.has_16_samples = true,
                                        .stencil_reference_in_packet = true,
                                        .color_calc = color_calc<state::gen9::color_calc_state>,
                                        .ps_threads = 256,
                                        .constant_address_register = registers::cs::debug_mode2,
                                        .constant_address_bit = 1 << 4,
                                        .surfaces = &state::surface_gen9};

constexpr uint32_t urb_bytes_l3 = 384 << 10;

struct Row {
  const isa::Model& (*model)();
  Machine machine;
};

}  // namespace

const Machine& machine(const Device& device) {
  static const std::array rows{
      Row{gen6,
          {gen6(), streamer::commands_gen6, functions_gen6, shared::gateway_gen6, shared::urb_gen6,
           shared::urb_bytes_gen6_gt2, media::traits_gen6, state::surface_gen6, nullptr}},
      Row{gen8,
          {gen8(), streamer::commands_gen8, functions_gen8, shared::gateway_gen8, shared::urb_gen8, urb_bytes_l3,
           media::traits_gen8, state::surface_gen8, &three_d_gen8}},
      Row{gen9,
          {gen9(), streamer::commands_gen9, functions_gen9, shared::gateway_gen9, shared::urb_gen8, urb_bytes_l3,
           media::traits_gen9, state::surface_gen9, &three_d_gen9}},
      Row{gen9_lp,
          {gen9_lp(), streamer::commands_gen9, functions_gen9, shared::gateway_gen9, shared::urb_gen8, urb_bytes_l3,
           media::traits_gen9_lp, state::surface_gen9, &three_d_gen9}},
  };
  for (const Row& r : rows)
    if (r.model == device.model) return r.machine;
  std::abort();  // every device names one of the models above
}

}  // namespace vitro::gen
