// A vISA object as bytes, in the version that it says. Routines stand in the file in their order, Gen binaries behind
// them. What a version or the format cannot say is an error at its place: the address of a variable outside of
// addr_add, predicates above 4095, parameters of functions.
#pragma once

#include <cstddef>
#include <vector>

#include "isa/diagnostic.h"
#include "visa/object.h"

namespace vitro::visa {

struct BytesResult {
  std::vector<std::byte> bytes{};
  isa::Diagnostics diagnostics{};
  bool ok() const { return diagnostics.empty(); }
};

BytesResult write_bytes(const Object&);

}  // namespace vitro::visa
