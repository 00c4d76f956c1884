// Batches for the tests of the decoder, made of packets: small ones that between them have every kind of command, state
// and mistake. Commands that layouts describe are packed with them; the others are dwords.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "commands/engine.h"
#include "memory/view.h"

namespace vitro::decode_test {

using Dwords = std::vector<uint32_t>;

// A stretch of memory with everything in it.
struct Image {
  static constexpr uint64_t start = 0x100000, bytes = 0x20000;
  std::shared_ptr<std::vector<std::byte>> memory = std::make_shared<std::vector<std::byte>>(bytes);

  void put(uint64_t address, const Dwords& dwords) {
    std::memcpy(memory->data() + (address - start), dwords.data(), dwords.size() * 4);
  }
  void put_code(uint64_t address, const std::vector<std::byte>& content) {
    std::memcpy(memory->data() + (address - start), content.data(), content.size());
  }
  memory::View view() const {
    return memory::View(std::make_shared<memory::Table>(
        std::vector<memory::Range>{{.start = start, .bytes = bytes, .host = memory->data(), .owner = memory}}));
  }
};

struct Batch {
  std::string name, device;
  commands::Engine engine = commands::Engine::render;
  Image image{};
  uint64_t bytes = 0;  // 0: until it ends by itself
};

std::vector<Batch> batches();

}  // namespace vitro::decode_test
