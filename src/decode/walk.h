// Reading batches without executing them: command after command, into the batches they start, and along the pointers
// to state, binding tables and kernels. PRM: Gen8 vol 2a MI_BATCH_BUFFER_START; "Batch Buffers". What a command would
// do does not happen, so where predicates or registers decide, both ways are read. Memory is as it is now, not as the
// commands before would have left it.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "commands/engine.h"
#include "decode/language.h"
#include "isa/model.h"
#include "memory/view.h"

namespace vitro::decode {

enum class Kind : uint8_t {
  batch,  // begins here; `text` says which
  command,
  object,   // that the command or object above points to
  entry,    // of a binding table; its surface follows
  kernel,   // `text` is its disassembly
  again,    // was shown before, at `link`
  note,     // something is wrong here
  unknown,  // a dword that begins no command
};

// What is read, one after the other. `depth` says what belongs to what: an item belongs to the last one before it that
// is less deep.
struct Item {
  Kind kind = Kind::note;
  int depth = 0;
  uint64_t address = 0;
  const Packet* packet = nullptr;
  std::span<const uint32_t> dwords{};
  std::string_view text{};
  std::string_view role{};         // the field that pointed here
  int index = -1;                  // of several objects behind one pointer
  std::optional<uint64_t> link{};  // what it points to: the batch that is started, the object that was shown
  bool hung = false;               // an error state says that the engine stood here
};
using Sink = std::function<void(const Item&)>;

// What one context keeps from batch to batch.
struct Context {
  std::array<uint64_t, 6> bases{};  // by Base
  std::vector<std::optional<uint64_t>> remembered{};
};

struct Options {
  bool follow = true;                   // pointers to state and kernels
  std::vector<std::string> filter{};    // words, one of which a command's name must have; empty: all commands
  uint64_t most_commands = 50'000'000;  // of one submission
  std::function<bool()> stop{};         // asked now and then; if it holds, the rest is not shown
};

struct Start {
  commands::Engine engine = commands::Engine::render;
  uint64_t address = 0;
  uint64_t bytes = 0;  // 0: until it ends by itself
  bool ring = false;   // batches return to it
  std::optional<uint64_t> hung{};
};

struct Summary {
  uint64_t commands = 0, dwords = 0, unknown = 0;
  std::optional<uint64_t> truncated{};  // the address of a command that is not there as a whole
};

class Walker {
 public:
  Walker(const Language& language, const isa::Model& model, Options options, Sink sink);
  // `memory` is what batches see, `ring_memory` what a ring is read from.
  Summary walk(memory::View& memory, memory::View& ring_memory, Context& context, const Start& start);

 private:
  struct Place {
    uint64_t address = 0, end = 0;
    int depth = 0;
    bool ring = false, second = false;
  };
  void batch(memory::View& memory, Place place);
  // The dwords of a command or an object; nullopt if not all of them are in memory.
  std::optional<std::span<const uint32_t>> fetch(memory::View& memory, uint64_t address, size_t dwords,
                                                 std::vector<uint32_t>& copy);
  const Packet* find(uint32_t header);
  bool wanted(const Packet& packet);
  void set_bases(const Packet& packet, std::span<const uint32_t> dwords);
  void remember(const Packet& packet, std::span<const uint32_t> dwords);
  // What packets from `at` on, up to the next draw, say about the counts of this one's pointers.
  void look_ahead(memory::View& memory, Place at, const Packet& packet);
  void follow(const Packet& packet, std::span<const uint32_t> dwords, int depth);
  void follow(const Packet& packet, const Pointer& pointer, std::span<const uint32_t> dwords, int depth);
  uint64_t pointed_to(const Pointer& pointer, uint64_t offset) const;
  bool leads_to_memory(const Packet& object, std::span<const uint32_t> dwords) const;
  // `groups`: the last ones may be no objects.
  void show_objects(const Packet& object, std::string_view role, uint64_t address, uint64_t count, bool groups,
                    int depth);
  void show_object(const Packet& object, std::string_view role, uint64_t address, int index, int depth);
  void show_table(std::string_view role, const Packet& surface, uint64_t table, uint64_t count, int depth);
  void show_kernel(std::string_view role, uint64_t address, int depth);
  void note(int depth, uint64_t address, std::string_view text, bool hung = false);
  // Whether these bytes were shown as this at this address; they are from now on.
  bool seen(std::string_view what, uint64_t address, std::span<const std::byte> content);
  uint64_t count_of(const Count& count, const Packet& packet, std::span<const uint32_t> dwords) const;

  const Language& language_;
  const isa::Model& model_;
  Options options_;
  Sink sink_;
  std::unordered_map<const Packet*, bool> wanted_;
  struct Found {
    uint32_t header = 0;
    const Packet* packet = nullptr;
  };
  std::array<Found, 64> found_{};
  commands::Engine engine_ = commands::Engine::render;
  std::map<std::pair<uint64_t, std::string_view>, size_t> shown_;
  // Of the submission that is read.
  memory::View* memory_ = nullptr;
  Context* context_ = nullptr;
  std::vector<std::optional<uint64_t>> ahead_{};  // as Context::remembered, of packets behind
  std::optional<uint64_t> hung_{};
  std::set<std::pair<uint64_t, bool>> open_;  // batches that are being read
  std::map<uint64_t, unsigned> calls_;        // of batches of the second level
  Summary summary_{};
};

}  // namespace vitro::decode
