// A batch of draws by chance: state packets, objects, surfaces, shaders and geometry, all in one stretch of memory, by
// the tables of formats, topologies, opcodes, messages and blending. Draws that follow each other share most of their
// state. What hardware would leave to chance is not drawn: no two places of memory that are written in one scene
// overlap, and what is sampled is not drawn to meanwhile. No part of the machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "formats/format.h"

namespace vitro::drawing {

// A stretch of memory that draws write.
struct Stretch {
  std::string name{};
  uint32_t at = 0, bytes = 0;
  const formats::Format* format = nullptr;  // of its elements; none: dwords, floats maybe
  uint32_t pitch = 0, width = 0, rows = 0;  // in elements, but for the pitch
  uint8_t tile_mode = 0;
};

struct RandomBatch {
  std::string_view device{};
  std::vector<std::byte> memory{};
  std::vector<Stretch> stretches{};
  struct Draw {
    uint32_t end = 0;  // of its commands: where the batch may be cut off
    std::string text{};
    std::string state{};  // if it was asked for
  };
  std::vector<Draw> draws{};
  std::vector<std::string> kernels{};  // as text
};

// The same seed, the same batch. `device` may be empty: then the seed says which one.
RandomBatch random_batch(uint64_t seed, std::string_view device = {}, bool describes = false);
// The memory with a batch that ends behind its first `draws` draws.
std::vector<std::byte> cut_off(const RandomBatch&, size_t draws);

}  // namespace vitro::drawing
