// Records of AUB files and what they do; see aub_reader.h.
#include "recording/aub_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "memory/view.h"
#include "recording/aub.h"
#include "recording/context_image.h"

namespace vitro::recording {
namespace {

constexpr size_t largest_note = 64 << 10;
constexpr uint32_t scattered_writes = 63;

uint64_t qword(const std::vector<uint32_t>& d, size_t low) { return d[low] | uint64_t(d[low + 1]) << 32; }

std::string_view text_of(std::span<const uint32_t> dwords) {
  const auto* const p = reinterpret_cast<const char*>(dwords.data());
  return {p, strnlen(p, dwords.size_bytes())};
}

// "PCI-ID=0x5916 program": what comes after "PCI-ID=".
std::optional<std::string> pci_id_of(std::string_view text) {
  constexpr std::string_view key = "PCI-ID=";
  if (!text.starts_with(key)) return std::nullopt;
  text.remove_prefix(key.size());
  return std::string(text.substr(0, text.find(' ')));
}

// As version_extended numbers devices.
struct NumberedDevice {
  uint32_t number;
  const char* name;
};
constexpr NumberedDevice numbered_devices[] = {{6, "snb"},  {11, "bdw"}, {12, "skl"}, {14, "bxt"},
                                               {16, "kbl"}, {17, "glk"}, {24, "cfl"}};

}  // namespace

AubReader::AubReader(std::unique_ptr<Source> source, const Options& options)
    : source_(std::move(source)),
      options_(options),
      physical_(std::make_shared<Pages>(options.memory_limit)),
      local_(std::make_shared<Pages>(options.memory_limit)),
      tables_(physical_, options.memory_limit) {}

// How many dwords of a record are fields, at most; what follows is data.
const AubReader::Row& AubReader::row(uint32_t header) {
  constexpr uint32_t text = 1 + aub::length_mask;  // all of it
  static constexpr std::pair<uint32_t, Row> known[] = {
      {aub::old_header, {text, &AubReader::read_old_header}},
      {aub::old_block, {6, &AubReader::read_old_block}},
      {aub::version_extended, {text, &AubReader::read_version}},
      {aub::comment, {text, &AubReader::read_comment}},
      {aub::register_write, {7, &AubReader::write_register}},
      {aub::register_compare, {7, &AubReader::compare_register}},
      {aub::register_poll, {7, &AubReader::poll_register}},
      {aub::memory_write, {5, &AubReader::write_memory}},
      {aub::memory_write_scattered, {2 + 3 * scattered_writes, &AubReader::write_scattered}},
      {aub::memory_compare, {5, &AubReader::compare_memory}},
      {aub::memory_poll, {8, &AubReader::poll_memory}},
  };
  // By form and sub-opcode.
  static constexpr auto place = [](uint32_t h) {
    return size_t((h >> 16 & 127) + ((h & aub::opcode_mask) == aub::trace_form ? 128 : 0));
  };
  static constexpr auto rows = [] {
    std::array<Row, 256> all{};
    all.fill({1, &AubReader::ignore});
    for (const auto& [header, row] : known) all[place(header)] = row;
    return all;
  }();
  return rows[place(header)];
}

Result<void> AubReader::data(uint64_t bytes, const std::function<Result<void>(std::span<const std::byte>)>& use) {
  while (bytes) {
    const auto piece = source_->look(size_t(std::min<uint64_t>(bytes, Source::largest_piece)));
    if (!piece) return failure(piece.error().message);
    if (piece->empty()) return failure("the file ends inside this record");
    if (const Result<void> used = use(*piece); !used) return used;
    bytes -= piece->size();
    source_->skip(piece->size());
  }
  return {};
}

Result<bool> AubReader::step() {
  const auto beginning = source_->look(4);
  if (!beginning) return failure(beginning.error().message);
  if (beginning->empty()) return false;
  record_offset_ = source_->offset();
  // What a compressed file's own errors say, too.
  const std::string place = "offset ";
  const auto fail = [&](const std::string& message) {
    return failure(message.starts_with(place) ? message : fmt::format("{}{:#x}: {}", place, record_offset_, message));
  };
  if (beginning->size() < 4) return fail("the file ends inside this record");
  uint32_t header;
  std::memcpy(&header, beginning->data(), 4);
  const uint32_t opcode = header & aub::opcode_mask;
  if (opcode != aub::old_form && opcode != aub::trace_form)
    return fail(fmt::format("{:#010x} is no record of an AUB file", header));
  const uint64_t dwords = (header & aub::length_mask) + (opcode == aub::old_form ? 2 : 1);

  Record& record = record_;
  record.header = header & aub::header_mask;
  const Row& row = AubReader::row(record.header);
  record.fields.resize(size_t(std::min<uint64_t>(dwords, row.field_dwords)));
  const auto fields = source_->look(4 * record.fields.size());
  if (!fields) return failure(fields.error().message);
  if (fields->size() < 4 * record.fields.size()) return fail("the file ends inside this record");
  std::memcpy(record.fields.data(), fields->data(), fields->size());
  source_->skip(fields->size());
  record.data_bytes = 4 * dwords - fields->size();
  if (record.header == aub::old_block) {
    if (record.fields.size() < 5) return fail("this block is too short");
    record.data_bytes += record.fields[4] / 4 * uint64_t{4};
  }
  const uint64_t end = source_->offset() + record.data_bytes;
  if (const Result<void> done = (this->*row.handler)(record); !done) return fail(done.error().message);
  // What the handler had no use for.
  if (end != source_->offset())
    if (const Result<void> rest = data(end - source_->offset(), [](auto) { return Result<void>(); }); !rest)
      return fail(rest.error().message);
  return true;
}

Result<void> AubReader::read_head() {
  // Heads are records of versions, comments and registers, which need no memory.
  while (!device_) {
    const auto beginning = source_->look(4);
    if (!beginning) return failure(beginning.error().message);
    if (beginning->size() < 4) return {};
    uint32_t header;
    std::memcpy(&header, beginning->data(), 4);
    header &= aub::header_mask;
    if (header != aub::old_header && header != aub::version && header != aub::version_extended &&
        header != aub::comment)
      return {};
    if (const Result<bool> more = step(); !more) return failure(more.error().message);
  }
  return {};
}

Result<std::optional<Submission>> AubReader::next() {
  while (ready_.empty()) {
    const Result<bool> more = step();
    if (!more) return failure(more.error().message);
    if (!*more) return std::optional<Submission>();
  }
  std::optional<Submission> s(std::move(ready_.front()));
  ready_.pop_front();
  return s;
}

void AubReader::note(std::string_view text) {
  if (notes_.size() + text.size() > largest_note) return;
  if (!notes_.empty()) notes_ += '\n';
  notes_ += text;
}

Submission AubReader::begin_submission(commands::Engine engine) {
  Submission s;
  s.engine = engine;
  s.offset = record_offset_;
  s.note = std::exchange(notes_, {});
  s.timestamp = std::exchange(timestamp_, std::nullopt);
  return s;
}

// --- heads and comments

Result<void> AubReader::ignore(const Record&) { return {}; }

Result<void> AubReader::read_old_header(const Record& r) {
  constexpr size_t comment_length = 12;
  if (r.fields.size() > comment_length + 1 && r.fields[comment_length] > 0)
    if (const auto id = pci_id_of(text_of(std::span(r.fields).subspan(comment_length + 1)))) device_ = id;
  return {};
}

Result<void> AubReader::read_version(const Record& r) {
  if (r.fields.size() < 5) return failure("the version record is too short");
  for (const NumberedDevice& d : numbered_devices)
    if (d.number == (r.fields[2] >> aub::device_shift & aub::device_mask)) device_ = d.name;
  if (const auto id = pci_id_of(text_of(std::span(r.fields).subspan(5)))) device_ = id;
  return {};
}

Result<void> AubReader::read_comment(const Record& r) {
  if (r.fields.size() < 3) return {};
  const std::string_view text = text_of(std::span(r.fields).subspan(2));
  constexpr std::string_view clock = "vitro: timestamp ";
  if (text.starts_with(clock))
    timestamp_ = std::strtoull(std::string(text.substr(clock.size())).c_str(), nullptr, 0);
  else
    note(text);
  return {};
}

// --- memory

// Page tables are physical memory, whichever of their levels a record names.
Pages* AubReader::pages_of(uint32_t space) const {
  switch (space) {
    case aub::physical:
    case aub::ppgtt_pt:
    case aub::ppgtt_pdp:
    case aub::ppgtt_pd:
    case aub::ppgtt_pml4: return physical_.get();
    case aub::local: return local_.get();
    default: return nullptr;
  }
}

Result<void> AubReader::write(uint32_t space, uint64_t address, std::span<const std::byte> bytes) {
  address = memory::from_canonical(address);
  if (Pages* const pages = pages_of(space)) return pages->write(address, bytes);
  if (space == aub::ggtt_entry) return tables_.write_ggtt_entries(address, bytes);
  if (space != aub::ggtt) return failure(fmt::format("unsupported: a write to address space {}", space));
  while (!bytes.empty()) {
    const size_t n = std::min<size_t>(bytes.size(), memory::page_bytes - address % memory::page_bytes);
    const std::optional<uint64_t> at = tables_.ggtt_address(address);
    if (!at) return failure(fmt::format("a write to {:#x} of the GGTT, where nothing is mapped", address));
    if (const Result<void> done = physical_->write(*at, bytes.first(n)); !done) return done;
    bytes = bytes.subspan(n), address += n;
  }
  return {};
}

Result<void> AubReader::read(uint32_t space, uint64_t address, std::span<std::byte> to) {
  address = memory::from_canonical(address);
  if (const Pages* const pages = pages_of(space)) {
    pages->read(address, to);
    return {};
  }
  if (space != aub::ggtt && space != aub::ppgtt)
    return failure(fmt::format("unsupported: reading address space {}", space));
  const Result<std::shared_ptr<const memory::Table>> table = space == aub::ggtt ? tables_.ggtt() : last_space_;
  if (!table) return failure(table.error().message);
  memory::View(*table).read(address, to);
  return {};
}

Result<void> AubReader::write_data(uint32_t space, uint64_t address, uint64_t bytes) {
  return data(bytes, [&](std::span<const std::byte> piece) {
    const Result<void> done = write(space, address, piece);
    address += piece.size();
    return done;
  });
}

Result<void> AubReader::write_memory(const Record& r) {
  if (r.fields.size() < 5) return failure("this write has no address");
  const uint64_t bytes = r.fields[4];
  if (bytes > r.data_bytes) return failure(fmt::format("a write of {} bytes with {} of data", bytes, r.data_bytes));
  if (r.fields[3] & aub::repeat) return failure("unsupported: a write that repeats its data");
  return write_data(r.fields[3] >> aub::space_shift, qword(r.fields, 1), bytes);
}

Result<void> AubReader::write_scattered(const Record& r) {
  if (r.fields.size() < 2 + 3 * scattered_writes) return failure("this write has no addresses");
  uint64_t left = r.data_bytes;
  for (uint32_t n = 0; n < scattered_writes; ++n) {
    const uint64_t bytes = r.fields[4 + 3 * n];
    if (bytes > left) return failure("writes of more bytes than there is data");
    left -= bytes;
    const Result<void> done = write_data(r.fields[1] >> aub::space_shift, qword(r.fields, 2 + 3 * n), bytes);
    if (!done) return done;
  }
  return {};
}

Result<void> AubReader::compare_memory(const Record& r) {
  if (!options_.check || r.fields.size() < 5) return {};
  const uint32_t control = r.fields[3];
  const uint64_t bytes = r.fields[4];
  if (control & aub::no_read_expect) return {};
  if (control & (aub::crc_compare | aub::repeat)) return failure("unsupported: comparing memory by a checksum");
  if (bytes > r.data_bytes)
    return failure(fmt::format("a comparison of {} bytes with {} of data", bytes, r.data_bytes));
  uint64_t at = qword(r.fields, 1);
  bool equal = true;
  std::vector<std::byte> found;
  const bool wanted = !(control & aub::compare_not_equal);
  const Result<void> done = data(bytes, [&](std::span<const std::byte> piece) -> Result<void> {
    found.resize(piece.size());
    if (const Result<void> done = read(control >> aub::space_shift, at, found); !done) return done;
    const auto differ = std::mismatch(piece.begin(), piece.end(), found.begin()).first;
    if (differ != piece.end()) {
      equal = false;
      const size_t n = size_t(differ - piece.begin());
      if (wanted)
        return failure(fmt::format("memory at {:#x} (space {}) is {:#04x}, not {:#04x} as the recording expects",
                                   at + n, control >> aub::space_shift, unsigned(found[n]), unsigned(piece[n])));
    }
    at += piece.size();
    return {};
  });
  if (!done) return done;
  if (equal != wanted)
    return failure(fmt::format("{} bytes of memory at {:#x} (space {}) are what the recording expects them not to be",
                               bytes, qword(r.fields, 1), control >> aub::space_shift));
  return {};
}

Result<void> AubReader::poll_memory(const Record& r) {
  if (!options_.check || r.fields.size() < 7) return {};
  const uint32_t control = r.fields[3];
  if (control & aub::poll_ignores_timeout) return {};
  const unsigned size = 1u << (control >> 4 & 3);
  uint64_t found = 0;
  const uint64_t mask = qword(r.fields, 4);
  const uint64_t value = r.fields[6] | (r.fields.size() > 7 ? uint64_t(r.fields[7]) << 32 : 0);
  if (const Result<void> done = read(control >> aub::space_shift, qword(r.fields, 1),
                                     std::as_writable_bytes(std::span(&found, 1)).first(size));
      !done)
    return done;
  const bool equal = (found & mask) == (value & mask);
  if (equal != !(control & aub::poll_not_equal))
    return failure(fmt::format("memory at {:#x} (space {}) is {:#x}: the recording waits for {}{:#x} (mask {:#x})",
                               qword(r.fields, 1), control >> aub::space_shift, found, equal ? "other than " : "",
                               value, mask));
  return {};
}

// --- registers

Result<void> AubReader::write_register(const Record& r) {
  if (r.fields.size() < 6) return failure("this register write has no value");
  const uint32_t offset = r.fields[1], value = r.fields[5];
  registers_[offset] = value;
  for (size_t n = 0; n < commands::engine_count; ++n) {
    const uint32_t at = offset - engine_bases[n];
    const commands::Engine engine{uint8_t(n)};
    Port& port = ports_[n];
    if (at == execlist_submit_port) {
      port.dwords[port.filled++] = value;
      if (port.filled < 4) return {};
      port.filled = 0;
    } else if (at == execlist_queue || at == execlist_queue + 4) {
      port.dwords[at == execlist_queue ? 3 : 2] = value;
      return {};
    } else if (at != execlist_control) {
      continue;
    }
    // The second pair is what runs first.
    for (const size_t low : {3, 1})
      if (port.dwords[low] & descriptor_valid)
        if (const Result<void> done = start_context(engine, port.dwords[low] | uint64_t(port.dwords[low - 1]) << 32);
            !done)
          return done;
    port.dwords = {};
    return {};
  }
  return {};
}

Result<void> AubReader::start_context(commands::Engine engine, uint64_t descriptor) {
  const auto ggtt = tables_.ggtt();
  if (!ggtt) return failure(ggtt.error().message);
  const Result<ContextImage> image = read_context_image(*ggtt, descriptor);
  if (!image) return failure(image.error().message);
  const auto space = tables_.ppgtt(image->root);
  if (!space) return failure(space.error().message);
  Submission common = begin_submission(engine);
  common.ggtt = *ggtt;
  common.memory = last_space_ = *space;
  common.context = contexts_.try_emplace(descriptor & context_page_mask, uint32_t(contexts_.size())).first->second;
  const Result<std::vector<Submission>> parts = ring_submissions(*image, common);
  if (!parts) return failure(parts.error().message);
  for (const Submission& s : *parts) ready_.push_back(s);
  // As the hardware does when the context has run: its ring is empty.
  if (image->head_address) memory::View(*ggtt).store(image->head_address, image->tail);
  return {};
}

Result<void> AubReader::check_register(const Record& r, bool equal) {
  const uint32_t offset = r.fields[1];
  const uint32_t mask = r.fields[3], value = r.fields[5];
  // What a recording waits for when it wants an engine to be idle; here it always is.
  for (const uint32_t base : engine_bases)
    if (offset == base + execlist_status || offset == base + execlist_status + 4) return {};
  const auto at = registers_.find(offset);
  if (at == registers_.end())
    return failure(fmt::format("unsupported: looking at register {:#x}, which the recording did not write", offset));
  if (((at->second & mask) == (value & mask)) != equal)
    return failure(fmt::format("register {:#x} is {:#x}: the recording expects {}{:#x} (mask {:#x})", offset,
                               at->second, equal ? "" : "other than ", value, mask));
  return {};
}

Result<void> AubReader::compare_register(const Record& r) {
  if (!options_.check || r.fields.size() < 6 || (r.fields[2] & aub::no_read_expect)) return {};
  return check_register(r, true);
}

Result<void> AubReader::poll_register(const Record& r) {
  if (!options_.check || r.fields.size() < 6 || (r.fields[2] & aub::register_poll_ignores_timeout)) return {};
  return check_register(r, !(r.fields[2] & aub::register_poll_not_equal));
}

// --- the old form: one address space, which needs no page tables

Result<std::shared_ptr<const memory::Table>> AubReader::old_space() {
  std::vector<memory::Range> ranges;
  local_->for_each_run([&](uint64_t start, uint64_t bytes, std::byte* host) {
    if (!ranges.empty() && ranges.back().end() == start && ranges.back().host + ranges.back().bytes == host)
      ranges.back().bytes += bytes;
    else
      ranges.push_back({start, bytes, host, false, local_});
  });
  return std::make_shared<memory::Table>(std::move(ranges));
}

Result<void> AubReader::read_old_block(const Record& r) {
  const uint32_t what = r.fields[1], bytes = r.fields[4] / 4 * 4;
  const uint32_t operation = what & aub::old_operation_mask, space = what >> aub::old_space_shift & aub::old_byte_mask;
  const uint64_t address =
      memory::from_canonical(r.fields[3] | (r.fields.size() > 5 ? uint64_t(r.fields[5]) << 32 : 0));
  if (operation != aub::old_data_write && operation != aub::old_command_write) return {};
  if (space == aub::old_gtt_entry) return {};  // the only mapping that writers make is the identity
  uint64_t at = address;
  const uint64_t header_rest = r.data_bytes - bytes;
  if (const Result<void> rest = data(header_rest, [](auto) { return Result<void>(); }); !rest) return rest;
  const Result<void> written = data(bytes, [&](std::span<const std::byte> piece) {
    const Result<void> done = local_->write(at, piece);
    at += piece.size();
    return done;
  });
  if (!written || operation != aub::old_command_write || bytes == 0) return written;

  struct Ring {
    uint32_t type;
    commands::Engine engine;
  };
  constexpr Ring rings[] = {{aub::ring_render, commands::Engine::render},
                            {aub::ring_video, commands::Engine::video},
                            {aub::ring_copy, commands::Engine::copy}};
  const uint32_t type = what >> aub::old_type_shift & aub::old_byte_mask;
  const auto* const ring =
      std::find_if(std::begin(rings), std::end(rings), [&](const Ring& x) { return x.type == type; });
  if (ring == std::end(rings)) return failure(fmt::format("unsupported: commands for ring type {}", type));
  const auto table = old_space();
  if (!table) return failure(table.error().message);
  Submission common = begin_submission(ring->engine);
  common.memory = common.ggtt = last_space_ = *table;
  std::vector<Submission> parts;
  if (const Result<void> done = split_ring(address, bytes, common, parts); !done) return done;
  for (Submission& s : parts) ready_.push_back(std::move(s));
  return {};
}

}  // namespace vitro::recording
