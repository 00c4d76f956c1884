// Routines: work of fixed functions with state folded in, as machine code for eight lanes. Whoever needs one asks for
// it by its key, the bytes that decide which instructions run, and does the work by other means until it is there. PRM:
// none. Used by many host threads at once.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "code/pages.h"

namespace vitro::code {

// What a key begins with.
enum class RoutineKind : uint8_t {
  sample,  // shared/sampler/sample_lanes.h
  target,  // shared/dataport/target_lanes.h
};

// Facts are a record of numbers; what goes in and comes out are vectors of eight dwords, one behind the other in
// memory. An image begins with a function that has them in registers, which only compiled code can call.
using RoutineCode = void (*)(const void* facts, const uint32_t* in, uint32_t* out);

struct Routine {
  std::vector<std::byte> key;
  std::atomic<RoutineCode> code{nullptr};  // null: not yet, or never
  const void* vectors = nullptr;           // if there is code: the function over registers
  std::atomic<uint32_t> uses{0};           // by other means
  std::atomic<bool> asked{false}, answered{false};
  std::unique_ptr<const Pages> pages{};  // of the code
};

// Puts an image's code where it can run. False: these are not the bytes of an image.
bool load(Routine& routine, std::span<const std::byte> image);

class Routines {
 public:
  // `make` gets a routine when it was used so often by other means, and may wait for its code.
  Routines(uint32_t uses, std::function<void(Routine&)> make) : uses_(uses), make_(std::move(make)) {}

  // Stays for as long as this. Null: there are too many.
  Routine* find(std::span<const std::byte> key);
  void used(Routine& routine, uint32_t times) {
    if (routine.asked.load(std::memory_order_relaxed)) return;
    if (routine.uses.fetch_add(times, std::memory_order_relaxed) + times < uses_) return;
    if (!routine.asked.exchange(true)) make_(routine);
  }

 private:
  static constexpr size_t most_ = 4096;
  uint32_t uses_;
  std::function<void(Routine&)> make_;
  std::mutex lock_;
  std::map<std::string, std::unique_ptr<Routine>, std::less<>> all_;
};

}  // namespace vitro::code
