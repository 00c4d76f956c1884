// What kind of recording a file is. An AUB file begins with one of its records, an error state is text.
#include "recording/recording.h"

#include <cstring>

#include "recording/aub.h"
#include "recording/aub_reader.h"
#include "recording/error_state.h"
#include "recording/source.h"

namespace vitro::recording {
namespace {

constexpr size_t enough = 4096;

bool is_aub(std::string_view beginning) {
  uint32_t header = 0;
  if (beginning.size() < sizeof header) return false;
  std::memcpy(&header, beginning.data(), sizeof header);
  const uint32_t opcode = header & aub::opcode_mask;
  return opcode == aub::old_form || opcode == aub::trace_form;
}

Result<std::unique_ptr<Reader>> open_source(Result<std::unique_ptr<Source>> source, const Options& options) {
  if (!source) return failure(source.error().message);
  const auto bytes = (*source)->look(enough);
  if (!bytes) return failure(bytes.error().message);
  const std::string_view beginning(reinterpret_cast<const char*>(bytes->data()), bytes->size());
  if (is_aub(beginning)) {
    auto reader = std::make_unique<AubReader>(std::move(*source), options);
    if (const Result<void> head = reader->read_head(); !head) return failure(head.error().message);
    return reader;
  }
  if (is_error_state(beginning)) return read_error_state(std::move(*source), options);
  return failure("offset 0x0: this is neither an AUB file nor an error state of i915");
}

}  // namespace

bool is_recording(std::string_view beginning) {
  return is_compressed(beginning) || is_aub(beginning) || is_error_state(beginning);
}

Result<std::unique_ptr<Reader>> Reader::open(const std::string& path, const Options& options) {
  return open_source(Source::open(path), options);
}

Result<std::unique_ptr<Reader>> Reader::from_bytes(std::string bytes, const Options& options) {
  return open_source(Source::from_bytes(std::move(bytes)), options);
}

}  // namespace vitro::recording
