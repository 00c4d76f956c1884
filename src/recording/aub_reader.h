// An AUB file, record by record, of both forms (some writers mix them). What the records do to memory is done at once;
// those that start a context, or fill a ring, give submissions.
#pragma once

#include <array>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "recording/page_tables.h"
#include "recording/pages.h"
#include "recording/recording.h"
#include "recording/source.h"

namespace vitro::recording {

class AubReader : public Reader {
 public:
  AubReader(std::unique_ptr<Source> source, const Options& options);
  // Reads what comes before the first submission's memory: version and device.
  Result<void> read_head();

  Result<std::optional<Submission>> next() override;
  std::optional<std::string> device() const override { return device_; }
  uint64_t position() const override { return source_->position(); }
  uint64_t size() const override { return source_->size(); }

  // What a record is: its dwords after the header as far as they are fields, and the bytes of data behind them.
  struct Record {
    uint32_t header = 0;
    std::vector<uint32_t> fields{};  // dwords, the header among them
    uint64_t data_bytes = 0;         // not read yet
  };
  using Handler = Result<void> (AubReader::*)(const Record&);

 private:
  Result<bool> step();  // false: the end
  Result<void> data(uint64_t bytes, const std::function<Result<void>(std::span<const std::byte>)>& use);

  Result<void> ignore(const Record&);
  Result<void> read_old_header(const Record&);
  Result<void> read_old_block(const Record&);
  Result<void> read_version(const Record&);
  Result<void> read_comment(const Record&);
  Result<void> write_register(const Record&);
  Result<void> compare_register(const Record&);
  Result<void> poll_register(const Record&);
  Result<void> write_memory(const Record&);
  Result<void> write_scattered(const Record&);
  Result<void> compare_memory(const Record&);
  Result<void> poll_memory(const Record&);
  struct Row {
    uint32_t field_dwords = 1;
    Handler handler = nullptr;
  };
  static const Row& row(uint32_t header);

  Pages* pages_of(uint32_t space) const;  // nullptr: its addresses have to be translated
  Result<void> write(uint32_t space, uint64_t address, std::span<const std::byte> bytes);
  Result<void> write_data(uint32_t space, uint64_t address, uint64_t bytes);  // what stands next in the record
  Result<void> read(uint32_t space, uint64_t address, std::span<std::byte> to);
  Result<void> start_context(commands::Engine engine, uint64_t descriptor);
  Result<std::shared_ptr<const memory::Table>> old_space();
  Result<void> check_register(const Record& r, bool equal);
  Submission begin_submission(commands::Engine engine);
  void note(std::string_view text);

  std::unique_ptr<Source> source_;
  Options options_;
  std::shared_ptr<Pages> physical_, local_;
  PageTables tables_;
  std::shared_ptr<const memory::Table> last_space_{};  // of the latest submission
  std::map<uint32_t, uint32_t> registers_{};           // as the recording wrote them
  struct Port {
    std::array<uint32_t, 4> dwords{};
    unsigned filled = 0;
  };
  std::array<Port, commands::engine_count> ports_{};
  std::map<uint64_t, uint32_t> contexts_{};  // by their place in the GGTT
  std::deque<Submission> ready_{};
  std::string notes_{};
  std::optional<std::string> device_{};
  std::optional<uint64_t> timestamp_{};
  uint64_t record_offset_ = 0;
  Record record_{};  // the one that is read
};

}  // namespace vitro::recording
