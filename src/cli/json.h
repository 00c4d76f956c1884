// Instructions as JSON, for scripts: the fields of isa::Instruction under their PRM names, and the text.
#pragma once

#include <nlohmann/json.hpp>

#include "isa/model.h"

namespace vitro::cli {

nlohmann::ordered_json to_json(const isa::Model&, const isa::Instruction&, size_t offset, int size);

}  // namespace vitro::cli
