// Recordings of what a GPU was given to do: AUB files in both forms, compressed with zstd or not, and the error states
// of i915. A Reader turns each into the same thing, one Submission after the other: a batch, the engine it is for, and
// memory as it is at that moment. Sources: Mesa's intel_aub.h, aub_read.c and aub_mem.c; Intel's aubstream; Linux
// i915_gpu_error.c. Not modelled: display records, encrypted or compressed blocks inside AUB files, and memory of the
// device itself (no device here has any).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "commands/engine.h"
#include "memory/address_space.h"

namespace vitro::recording {

// What an engine executes next. It is good until the next one is asked for: memory goes on changing then.
struct Submission {
  commands::Engine engine = commands::Engine::render;
  uint64_t address = 0;                           // of the batch
  uint64_t bytes = 0;                             // 0: until MI_BATCH_BUFFER_END
  uint32_t context = 0;                           // counts the contexts of the recording
  std::shared_ptr<const memory::Table> memory{};  // what the batch sees
  std::shared_ptr<const memory::Table> ggtt{};    // the global space; the same as `memory` where there is only one
  // The part of the ring, in the global space, that started the batch, up to what starts the next one. If it starts
  // none, the submission is this part itself. Rings are privileged; batches return to them.
  struct Ring {
    uint64_t address = 0, bytes = 0;
  };
  std::optional<Ring> ring{};
  std::optional<uint64_t> active_head{};  // error states: the address of the command where the engine hung
  std::optional<uint64_t> timestamp{};    // captures of vitro: what the GPU's clock says when the batch begins
  std::string note{};                     // comments of the recording since the submission before, lines
  uint64_t offset = 0;                    // where it stands in the (uncompressed) file
};

struct Options {
  // Records that compare memory or wait for it are checked when they are met, so after what was executed before them;
  // one that does not hold is an error. Off for those who only look.
  bool check = false;
  // Bytes of memory that a recording may fill; more is an error.
  uint64_t memory_limit = uint64_t{8} << 30;
};

class Reader {
 public:
  // A file, or the bytes of one. What it is shows at its beginning.
  static Result<std::unique_ptr<Reader>> open(const std::string& path, const Options& options = {});
  static Result<std::unique_ptr<Reader>> from_bytes(std::string bytes, const Options& options = {});
  virtual ~Reader() = default;

  // nullopt: the recording is over. Errors name the offset in the file.
  virtual Result<std::optional<Submission>> next() = 0;
  // What the recording says of the device, as far as it was read (after open: its head): a name (kbl, skl), the
  // kernel's name (KABYLAKE), or a PCI id (0x5916). gen::find_recorded() knows them.
  virtual std::optional<std::string> device() const = 0;
  // How far it is, for those who wait: bytes of the file, as it lies on the disk.
  virtual uint64_t position() const = 0;
  virtual uint64_t size() const = 0;
};

// Whether the first bytes of a file are those of a recording.
bool is_recording(std::string_view beginning);

}  // namespace vitro::recording
