// What the rows of sampler messages say beside their action: the parameters in their order, and what is made of them.
// PRM: Gen6 vol 4 part 1 "Payload Parameters"; Gen8 vol 7 and Gen9 likewise, with another order of ld's parameters.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace vitro::isa {

enum class Parameter : uint8_t {
  none,
  u,
  v,
  r,
  ai,
  lod,
  bias,
  ref,
  dudx,
  dudy,
  dvdx,
  dvdy,
  drdx,
  drdy,
  si,
  mcs_low,
  mcs_high,
  offu,
  offv,
  mlod,
};
inline constexpr size_t parameter_count = size_t(Parameter::mlod) + 1;
inline constexpr size_t max_parameters = 12;

enum class LodSource : uint8_t { zero, implicit, biased, explicit_, gradients };
enum class Footprint : uint8_t { average, minimum, maximum };

struct SamplerForm {
  std::array<Parameter, max_parameters> parameters{};
  LodSource lod = LodSource::zero;
  bool compare = false;
  Footprint footprint = Footprint::average;
  bool surface = true;  // reads or describes one
  bool kills = false;   // the response ends with a mask of pixels that no chroma key killed

  // Which one it is; -1: it has none.
  int8_t position(Parameter p) const {
    for (size_t n = 0; n < max_parameters && parameters[n] != Parameter::none; ++n)
      if (parameters[n] == p) return int8_t(n);
    return -1;
  }
};

}  // namespace vitro::isa
