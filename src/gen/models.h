// The devices vitro knows and the generation each belongs to: the only place that says so.
#pragma once

#include <span>
#include <string_view>

#include "isa/model.h"

namespace vitro::gen {

const isa::Model& gen6();
const isa::Model& gen8();
const isa::Model& gen9();
const isa::Model& gen9_lp();  // low power: Broxton, Apollo Lake

struct Device {
  std::string_view name;   // as the command line takes it
  std::string_view title;  // as Intel calls it
  const isa::Model& (*model)();
};
std::span<const Device> devices();
const Device* find_device(std::string_view name);

}  // namespace vitro::gen
