// Every command that real batches contain, by name, engine and length, whether or not anything here executes it: so a
// batch can be walked and printed, and what is missing has a name. PRM: Gen8 vol 2a; Gen6 vol 2; public drivers.
#pragma once

#include <span>
#include <string_view>

#include "commands/engine.h"

namespace vitro::commands {

enum class Kind : uint8_t {
  state,  // latched for a fixed function
  work,   // makes a fixed function work
};

struct Listed {
  std::string_view name;
  uint32_t header = 0;
  Engines engines = 0;
  Length length{};
  Kind kind = Kind::state;
};

extern const std::span<const Listed> inventory_gen6, inventory_gen8, inventory_gen9;

}  // namespace vitro::commands
