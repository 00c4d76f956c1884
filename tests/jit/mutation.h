// Programs that nobody would write: pieces of real kernels and random instructions one behind the other, with bits
// turned over, fields at their extremes, branches to anywhere. Whether they are legal is not asked. A seed names one.
#pragma once

#include <cstddef>
#include <filesystem>
#include <vector>

#include "base/random.h"
#include "isa/model.h"

namespace vitro::fuzz {

// Kernels as the words of their instructions.
struct Encoded {
  std::vector<std::byte> bytes;  // 8 or 16
};
using Kernel = std::vector<Encoded>;

// Those of all device binaries below a folder; none: there is no such folder.
std::vector<Kernel> read_kernels(const isa::Model& model, const std::filesystem::path& folder);

// A few instructions, without an end.
std::vector<std::byte> mutated_program(const isa::Model& model, const std::vector<Kernel>& kernels, Rng& rng);

}  // namespace vitro::fuzz
