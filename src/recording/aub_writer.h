// AUB files, written record by record. Sources: as for aub.h. Sizes and places that other readers rely on (Mesa's
// aubinator reads context images by index, not by register) are kept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "commands/engine.h"
#include "recording/aub.h"

namespace vitro::recording {

// Where bytes go; false: they could not be written, and nothing more is.
using Sink = std::function<bool(std::span<const std::byte>)>;
// A sink that compresses with zstd. Each flush ends a frame, so that what was flushed can be read whatever comes after.
class ZstdSink {
 public:
  explicit ZstdSink(Sink sink);
  ~ZstdSink();
  bool write(std::span<const std::byte> bytes) { return put(bytes, false); }
  bool flush() { return put({}, true); }

 private:
  bool put(std::span<const std::byte> bytes, bool end);
  struct Stream;
  Sink sink_;
  std::unique_ptr<Stream> stream_;
};

class AubWriter {
 public:
  AubWriter(Sink sink, bool zstd);
  ~AubWriter();

  // The first record, of either form.
  void trace_header(uint16_t pci_id, std::string_view program);
  void old_header(uint16_t pci_id, std::string_view program);
  void comment(std::string_view text);
  // Of any size.
  void memory(aub::Space space, uint64_t address, std::span<const std::byte> bytes, uint32_t hint = 0);
  void expect(aub::Space space, uint64_t address, std::span<const std::byte> bytes);
  void write_register(uint32_t offset, uint32_t value);
  void poll_register(uint32_t offset, uint32_t mask, uint32_t value);
  void old_data(uint64_t address, std::span<const std::byte> bytes);
  void old_commands(commands::Engine engine, uint64_t address, std::span<const uint32_t> commands);
  // What was written so far reaches the file. False: something could not be written.
  bool flush();

 private:
  void put(std::span<const std::byte> bytes);
  void put(std::span<const uint32_t> dwords) { put(std::as_bytes(dwords)); }
  void put_padded(std::span<const std::byte> bytes);
  void data_records(uint32_t header, uint32_t control, uint64_t address, std::span<const std::byte> bytes);

  Sink sink_;
  std::unique_ptr<ZstdSink> zstd_;
  std::vector<std::byte> buffer_{};
  bool failed_ = false;
};

}  // namespace vitro::recording
