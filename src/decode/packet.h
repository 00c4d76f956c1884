// Packets as a decoder knows them: a description made of the layouts that the machine executes, or of the table of
// those it does not, joined with what the values of a field are called and with what its pointers lead to. PRM: Gen6
// vol 2, Gen8 and Gen9 vol 2a and 2d; command and structure reference.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/packet.h"
#include "base/packet_description.h"
#include "commands/engine.h"

namespace vitro::decode {

// How a value is shown.
enum class Form : uint8_t {
  number,
  flag,
  signed_number,
  real,
  address,  // hexadecimal, as offsets, masks and colours
  fixed,    // point, unsigned
  signed_fixed,
  named,
  reg,  // an MMIO offset
};

// Names of a field's values.
class Values {
 public:
  void add(uint64_t value, std::string_view name);
  std::string_view find(uint64_t value) const;  // empty: none
  size_t count() const { return count_; }
  // All of them, in the order of the values.
  std::vector<std::pair<uint64_t, std::string_view>> all() const;

 private:
  std::vector<std::string_view> low_;  // by value
  std::vector<std::pair<uint64_t, std::string_view>> others_;
  size_t count_ = 0;
};

struct Field {
  std::string_view name;
  PacketBits bits{};
  uint16_t count = 1, stride = 0;
  Form form = Form::number;
  uint8_t fraction = 0;  // bits of a number in fixed point
  const Values* values = nullptr;

  PacketBits at(unsigned n) const {
    const auto by = uint16_t(n * stride);
    return {uint16_t(bits.hi + by), uint16_t(bits.lo + by), bits.scale};
  }
};

// What an offset counts from.
enum class Base : uint8_t { general, surface, dynamic, indirect, instruction, bindless, none };
enum class Target : uint8_t { object, binding_table, kernel };

struct Packet;
// How many objects a pointer leads to: `factor` times a field's value, which may be one of another packet, plus `more`.
// With a factor it counts groups, of which the last need not be full.
struct Count {
  int remembered = -1;  // number in Language::remembered(); -1: there is none
  int field = -1;       // of the packet itself
  unsigned factor = 1, divisor = 1, more = 0;
};
struct Pointer {
  uint16_t field = 0;
  int when = -1;  // field that says whether it counts
  Base base = Base::none;
  Target target = Target::object;
  const Packet* object = nullptr;
  Count count{};
};

// What a command does to the one who reads on.
enum class Action : uint8_t { none, start_batch, end_batch, set_bases, draw };

struct Packet {
  std::string_view name;
  uint32_t header = 0, mask = 0;  // of state objects 0
  commands::Engines engines = 0;
  commands::Length length{};
  uint16_t dwords = 0;
  bool described = false;
  std::vector<Field> fields{};
  std::vector<uint32_t> reserved{};  // bits that no field names, of each dword up to the last one with a field
  const Packet* list = nullptr;      // what follows from dword `list_from` on, again and again
  uint16_t list_from = 0;
  std::vector<Pointer> pointers{};
  std::vector<std::pair<uint16_t, uint16_t>> remembers{};  // field, number in Language::remembered()
  bool counted_elsewhere = false;                          // by another packet's field
  Action action = Action::none;

  // -1: none of this name.
  int find(std::string_view field) const;
};

// The value of a field, of which `packet` may hold too little.
std::optional<uint64_t> value_of(const Field& f, std::span<const uint32_t> packet, unsigned n = 0);

}  // namespace vitro::decode
