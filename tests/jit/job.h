// A program as a device gets it: a batch with all its state, a kernel, surfaces and constants, in memory between pages
// that nobody may touch. On Gen8 and later it is started by GPGPU_WALKER, on Gen6 by MEDIA_OBJECT_WALKER, for a few
// threads each, so that those after the first find the windows that it has asked for. No part of the machine.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/random.h"
#include "device/device.h"
#include "gen/models.h"
#include "guarded.h"

namespace vitro::fuzz {

// What a batch has left behind.
struct Outcome {
  std::optional<Fault> fault{};
  std::vector<std::byte> memory{};
};

// The code around the program: what it begins with, and the end, which puts registers into memory.
std::vector<std::byte> whole_kernel(const isa::Model& model, std::span<const std::byte> program, Rng& rng);

// A device and memory for batches. Both tiers run each job: one device compiles everything, the other one nothing.
class Bench {
 public:
  Bench(const gen::Device& kind, Edge edge);
  // Fills memory for a job; the same seed, the same memory.
  void prepare(std::span<const std::byte> kernel, uint64_t seed);
  Outcome run(bool compiled);
  // Kernels so far.
  struct Counts {
    uint64_t compiled = 0, refused = 0, given_up = 0;
  };
  Counts counts() const;

 private:
  struct Object {
    uint64_t address;
    size_t bytes;
    std::byte* host;
    std::vector<std::byte> content{};  // at the beginning
  };
  const gen::Device& kind_;
  Edge edge_;
  std::vector<Object> objects_;
  device::Device compiling_, interpreting_;
  std::shared_ptr<device::Context> contexts_[2];
};

}  // namespace vitro::fuzz
