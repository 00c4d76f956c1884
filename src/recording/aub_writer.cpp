// Records of AUB files as bytes; see aub_writer.h.
#include "recording/aub_writer.h"

#include <fmt/format.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string>

namespace vitro::recording {

struct ZstdSink::Stream {
  std::unique_ptr<ZSTD_CStream, size_t (*)(ZSTD_CStream*)> context{ZSTD_createCStream(), ZSTD_freeCStream};
  std::vector<std::byte> out = std::vector<std::byte>(ZSTD_CStreamOutSize());
};

ZstdSink::ZstdSink(Sink sink) : sink_(std::move(sink)), stream_(std::make_unique<Stream>()) {}
ZstdSink::~ZstdSink() = default;

bool ZstdSink::put(std::span<const std::byte> bytes, bool end) {
  ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
  for (;;) {
    ZSTD_outBuffer out{stream_->out.data(), stream_->out.size(), 0};
    const size_t left = ZSTD_compressStream2(stream_->context.get(), &out, &in, end ? ZSTD_e_end : ZSTD_e_continue);
    if (ZSTD_isError(left)) return false;
    if (out.pos && !sink_(std::span(stream_->out).first(out.pos))) return false;
    if (end ? left == 0 : in.pos == in.size) return true;
  }
}

namespace {

constexpr size_t buffer_bytes = 1 << 20;
// What one record carries: less than its length field could say, so that readers need no large buffers.
constexpr size_t data_bytes = 16 * 4096;
constexpr unsigned file_major = 4;

}  // namespace

AubWriter::AubWriter(Sink sink, bool zstd)
    : sink_(std::move(sink)), zstd_(zstd ? std::make_unique<ZstdSink>(sink_) : nullptr) {
  buffer_.reserve(buffer_bytes);
}
AubWriter::~AubWriter() { flush(); }

void AubWriter::put(std::span<const std::byte> bytes) {
  if (failed_) return;
  buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
  if (buffer_.size() < buffer_bytes) return;
  failed_ = !(zstd_ ? zstd_->write(buffer_) : sink_(buffer_));
  buffer_.clear();
}

bool AubWriter::flush() {
  if (failed_) return false;
  if (!buffer_.empty()) {
    failed_ = !(zstd_ ? zstd_->write(buffer_) && zstd_->flush() : sink_(buffer_));
    buffer_.clear();
  }
  return !failed_;
}

void AubWriter::put_padded(std::span<const std::byte> bytes) {
  constexpr std::array<std::byte, 3> padding{};
  put(bytes);
  put(std::span(padding).first(-bytes.size() & 3));
}

void AubWriter::trace_header(uint16_t pci_id, std::string_view program) {
  const std::string text = fmt::format("PCI-ID={:#x} {}", pci_id, program.substr(0, 40));
  constexpr uint32_t fields = 5;
  const auto text_dwords = uint32_t(text.size() / 4 + 1);  // with a zero at the end
  const std::array<uint32_t, fields> head{aub::version_extended | (fields + text_dwords - 1), aub::file_version,
                                          aub::method_physical, 0, 0};
  put(head);
  std::vector<std::byte> padded(text_dwords * 4);
  std::memcpy(padded.data(), text.data(), text.size());
  put(padded);
}

void AubWriter::old_header(uint16_t pci_id, std::string_view program) {
  const std::string text = fmt::format("PCI-ID={:#x}", pci_id);
  constexpr uint32_t fields = 13;
  const auto text_dwords = uint32_t(text.size() / 4 + 1);
  std::vector<uint32_t> head(fields + text_dwords);
  head[0] = aub::old_header | (fields + text_dwords - 2);
  head[1] = file_major << 24;
  std::memcpy(&head[2], program.data(), std::min<size_t>(program.size(), 31));
  head[12] = uint32_t(text.size());
  std::memcpy(&head[13], text.data(), text.size());
  put(head);
}

void AubWriter::comment(std::string_view text) {
  const auto text_dwords = uint32_t(text.size() / 4 + 1);
  const std::array<uint32_t, 2> head{aub::comment | (1 + text_dwords), 0};
  put(head);
  std::vector<std::byte> padded(text_dwords * 4);
  std::memcpy(padded.data(), text.data(), text.size());
  put(padded);
}

void AubWriter::data_records(uint32_t header, uint32_t control, uint64_t address, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const auto piece = bytes.first(std::min(bytes.size(), data_bytes));
    const auto dwords = uint32_t((piece.size() + 3) / 4);
    const std::array<uint32_t, 5> head{header | (4 + dwords), uint32_t(address), uint32_t(address >> 32), control,
                                       uint32_t(piece.size())};
    put(head);
    put_padded(piece);
    bytes = bytes.subspan(piece.size()), address += piece.size();
  }
}

void AubWriter::memory(aub::Space space, uint64_t address, std::span<const std::byte> bytes, uint32_t hint) {
  data_records(aub::memory_write, uint32_t(space) << aub::space_shift | hint << aub::hint_shift, address, bytes);
}

void AubWriter::expect(aub::Space space, uint64_t address, std::span<const std::byte> bytes) {
  data_records(aub::memory_compare, uint32_t(space) << aub::space_shift, address, bytes);
}

void AubWriter::write_register(uint32_t offset, uint32_t value) {
  put(std::array<uint32_t, 6>{aub::register_write | 5, offset, aub::register_size_dword, ~0u, 0, value});
}

void AubWriter::poll_register(uint32_t offset, uint32_t mask, uint32_t value) {
  put(std::array<uint32_t, 6>{aub::register_poll | 5, offset, aub::register_size_dword, mask, 0, value});
}

void AubWriter::old_data(uint64_t address, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const auto piece = bytes.first(std::min(bytes.size(), data_bytes));
    put(std::array<uint32_t, 5>{aub::old_block | 3, aub::old_data_write, 0, uint32_t(address),
                                uint32_t((piece.size() + 3) / 4 * 4)});
    put_padded(piece);
    bytes = bytes.subspan(piece.size()), address += piece.size();
  }
}

void AubWriter::old_commands(commands::Engine engine, uint64_t address, std::span<const uint32_t> commands) {
  // Video enhancement, which has no ring of its own there, does not exist where this form is used.
  constexpr std::array<uint32_t, commands::engine_count> rings{aub::ring_render, aub::ring_copy, aub::ring_video,
                                                               aub::ring_video};
  put(std::array<uint32_t, 5>{aub::old_block | 3, aub::old_command_write | rings[size_t(engine)] << aub::old_type_shift,
                              0, uint32_t(address), uint32_t(commands.size_bytes())});
  put(commands);
}

}  // namespace vitro::recording
