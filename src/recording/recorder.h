// What a GPU is given to do, put down as an AUB file while it is done: memory once, its changes after, and each batch
// with the execlists that start it. The recorder has a copy of all memory as the file leaves it: physical pages, of
// which page tables make each context's address space. Whoever records also executes there, so that the copy is what a
// replay will find. The form for memory traces where contexts have address spaces of their own, else the old one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "commands/engine.h"
#include "memory/address_space.h"
#include "recording/aub_writer.h"
#include "recording/page_tables.h"
#include "recording/pages.h"

namespace vitro::recording {

struct RecorderOptions {
  bool zstd = false;
  bool expectations = false;  // what each batch leaves in memory is put down, too, to be compared at replay
  bool old_form = false;
  uint16_t pci_id = 0;
  std::string program{};
};

class Recorder {
 public:
  Recorder(Sink sink, RecorderOptions options);

  struct Batch {
    commands::Engine engine = commands::Engine::render;
    uint64_t context = 0;  // any number that tells it from others
    uint64_t address = 0;
    uint64_t timestamp = 0;
    std::vector<memory::Range> objects{};  // what it may use
  };
  // Puts down what changed, and the batch. Gives the batch's memory in the copy, for it to be executed there; nullptr:
  // the copy can grow no further.
  std::shared_ptr<const memory::Table> begin(const Batch& batch);
  // After it was executed in the copy.
  void end(const Batch& batch, const std::string& fault);
  // False: not all of it is in the file.
  bool flush() { return writer_.flush(); }

 private:
  struct Block {  // of the program's memory, and where it is in the copy
    uint64_t bytes = 0, address = 0;
  };
  struct Context {
    uint32_t number = 0;
    uint64_t pml4 = 0;
    std::map<uint64_t, Block> mapped{};            // by virtual address
    std::map<uint64_t, uint64_t> tables{};         // by level and virtual address: where each table is
    std::map<commands::Engine, uint64_t> rings{};  // in the GGTT, with the image behind them
  };

  Context& context(uint64_t key);
  std::optional<uint64_t> place(const memory::Range& range);
  bool copy(const memory::Range& range, uint64_t address, bool all);
  void map(Context& context, uint64_t start, uint64_t address, uint64_t bytes);
  uint64_t table(Context& context, unsigned level, uint64_t start);
  uint64_t ring(Context& context, commands::Engine engine);
  void write_ggtt(uint64_t address, std::span<const uint32_t> dwords, uint32_t hint = 0);
  void submit(Context& context, const Batch& batch);
  uint64_t new_pages(uint64_t bytes);
  template <class F>
  void for_each_page(const Batch& batch, F&& visit);

  RecorderOptions options_;
  AubWriter writer_;
  std::shared_ptr<Pages> physical_;
  uint64_t next_physical_ = memory::page_bytes, next_ggtt_ = 1 << 20;
  std::map<const std::byte*, Block> blocks_{};  // by host memory
  std::map<uint64_t, Context> contexts_{};
  Context* current_ = nullptr;
  std::vector<std::byte> before_{};  // the copy of the batch's objects before it was executed
};

}  // namespace vitro::recording
