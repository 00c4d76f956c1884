// What surrounds EU code that vitro exec runs by itself: memory as the command line binds it, the data ports, samplers
// and URB of the device, and shared local memory for each group. No part of the machine: there is no dispatch, only
// what its threads would find. An access to memory that is not bound is a Fault, so that mistakes show.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "gen/machine.h"
#include "memory/address_space.h"
#include "memory/view.h"
#include "shared/bindings.h"
#include "shared/urb.h"

namespace vitro::cli {

// ADDRESS=FILE, ADDRESS=FILE:rw or ADDRESS=zero:BYTES. What the program writes stays in memory; files are not changed.
struct Mapping {
  uint64_t address = 0;
  std::string file{};  // empty: zeros
  bool writable = false;
  std::vector<std::byte> bytes{};
};
Result<Mapping> parse_mapping(const std::string& text);

// ADDRESS:BYTES, in whole dwords.
struct ShownMemory {
  uint64_t address = 0, bytes = 0;
};
Result<ShownMemory> parse_shown_memory(const std::string& text);

class Surroundings {
 public:
  static constexpr size_t slm_bytes = 64 << 10;

  Surroundings(const gen::Machine& machine, std::vector<Mapping> mappings, uint64_t surface_base,
               uint32_t binding_table);
  ~Surroundings();
  Surroundings(const Surroundings&) = delete;
  Surroundings& operator=(const Surroundings&) = delete;

  // Data ports, sampler and URB; this must stay where it is.
  void install(eu::SharedFunctions& functions);
  // A thread, whose messages reach the local memory of its group.
  void seat(const eu::Thread& thread, uint32_t group);
  // What programs may write: memory by its address, and the local memory of each group.
  struct Writable {
    uint64_t address = 0;
    bool local = false;  // `address` is the group's number
    std::span<const std::byte> bytes{};
  };
  std::vector<Writable> writable() const;
  // Empty if not all of it is bound.
  std::vector<uint32_t> dwords(const ShownMemory& shown) const;

 private:
  struct Grouped {  // a shared function behind which the environment is that of the sender's group
    eu::SharedFunction function{};
    Surroundings* owner = nullptr;
  };
  static eu::Reply handle(void* context, eu::Thread& sender, eu::Message& message, std::string& reason);

  const gen::Machine& machine_;
  std::vector<Mapping> mappings_;
  memory::AddressSpace space_{};
  memory::View view_;
  shared::Bindings bindings_{};
  shared::Environment environment_{.bindings = &bindings_};
  shared::Urb urb_;
  std::vector<std::pair<void*, const dispatch::FunctionRow*>> contexts_{};
  std::array<Grouped, 16> grouped_{};
  std::unordered_map<const eu::Thread*, uint32_t> groups_{};
  std::map<uint32_t, std::vector<std::byte>> slm_{};
};

}  // namespace vitro::cli
