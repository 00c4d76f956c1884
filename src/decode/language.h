// The language that a generation's batches are written in: its commands by their first dword, its state objects by
// name, its registers and its instruction set. PRM: Gen6, Gen8, Gen9 command references.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "decode/packet.h"
#include "registers/file.h"

namespace vitro::decode {

// What a generation has that is no command: a row of the tables counts if it has the generation's bit.
struct Generation {
  unsigned bit = 0;
  std::span<const PacketDescription* const> objects;
};
extern const Generation gen6, gen8, gen9;

// A command as the streamer knows it. Without a description it is looked up in the table of those that nothing
// executes.
struct Source {
  std::string_view name;
  uint32_t header = 0, mask = 0;
  commands::Engines engines = 0;
  commands::Length length{};
  const PacketDescription* description = nullptr;
};

class Language {
 public:
  Language(const Generation& generation, const registers::Table& registers, std::span<const Source> commands);
  Language(const Language&) = delete;
  Language& operator=(const Language&) = delete;

  // The command of this engine, or of any if it has none; nullptr if nothing begins so.
  const Packet* find(uint32_t header, commands::Engine engine) const;
  const Packet* find_object(std::string_view name) const;
  const std::deque<Packet>& commands() const { return commands_; }
  const std::deque<Packet>& objects() const { return objects_; }
  const registers::Table& registers() const { return registers_; }
  // How many values of packets are kept for later ones.
  size_t remembered() const { return remembered_.size(); }

 private:
  void describe(Packet& p, const PacketDescription& d, const Generation& g);
  void describe_values(Packet& p, const Generation& g);
  void join_lists(const Generation& g);
  void join_pointers(const Generation& g);
  Count count_of(const Packet& p, std::string_view text);
  const Values* values(std::string_view text);

  const registers::Table& registers_;
  std::deque<Packet> commands_, objects_;
  std::unordered_map<uint32_t, std::vector<const Packet*>> by_header_;
  std::map<std::string, Values, std::less<>> values_;        // by what the table says
  std::deque<std::string> names_;                            // of values, that are made of others
  std::map<std::string, uint16_t, std::less<>> remembered_;  // "PACKET.Field"
};

// "CS_GPR+8", or empty if no table names it.
std::string register_name(const registers::Table& table, uint64_t mmio);

}  // namespace vitro::decode
