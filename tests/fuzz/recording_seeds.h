// Seeds of the fuzz targets that read recordings: small AUB files of both forms, whole and compressed, and error
// states.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

#include "recording/aub_test.h"
#include "recording/aub_writer.h"
#include "recording/error_text.h"

namespace vitro::fuzz {

inline std::string compressed(const std::string& bytes) {
  std::string out;
  recording::ZstdSink sink([&](std::span<const std::byte> b) {
    out.append(reinterpret_cast<const char*>(b.data()), b.size());
    return true;
  });
  sink.write(std::as_bytes(std::span(bytes)));
  sink.flush();
  return out;
}

inline void write_recordings(const std::filesystem::path& folder) {
  using recording::AubFile;
  const std::filesystem::path aub = folder / "aub", error_state = folder / "error_state";
  const auto write = [](const std::filesystem::path& file, const std::string& bytes) {
    std::ofstream(file, std::ios::binary).write(bytes.data(), std::streamsize(bytes.size()));
  };
  constexpr uint64_t batch = AubFile::batch;
  for (const uint32_t base : {0x2000u, 0x22000u, 0x12000u, 0x1A000u}) {
    AubFile f = recording::one_context(base, base == 0x2000 ? 6 : AubFile::physical);
    f.comment("a comment").reg(base + 0x80, 0x10000).poll_reg(base + 0x234, 0x10, 0);
    f.write(AubFile::ggtt, 0x10000, {AubFile::batch_start, uint32_t(batch), uint32_t(batch >> 32), 0});
    f.write(AubFile::ggtt, AubFile::tail_place, {16}).submit(base, 0x11119);
    f.expect(AubFile::physical, 0x200000, {1, 2}).poll(5, batch, 0xFF, 1).expect(0, 0x10000, {9}, 1 << 7);
    write(aub / ("trace" + std::to_string(base)), f.bytes);
    write(aub / ("trace" + std::to_string(base) + ".zst"), compressed(f.bytes));
    // As fuzz_aub_zstd takes them: whole, cut, and with a byte that is another.
    for (const char* damage : {"\1\3", "\2\5", "\0\10"})
      write(folder / "aub_zstd" / ("trace" + std::to_string(base) + '-' + std::to_string(damage[0])),
            std::string(damage, 2) + std::string("\0\xC0\0\x80\1\3", 6) + f.bytes);
  }
  AubFile old;
  old.old_header("PCI-ID=0x126")
      .old_block(1 | 4 << 16, 0, {0x200003})
      .old_block(1, 0x100000, {7, 8, AubFile::batch_end});
  old.old_block(2 | 2 << 8, 0x8000, {0x18800000, 0x100000}).old_block(2 | 4 << 8, 0x8000, {0x18800000, 0x100004});
  write(aub / "old", old.bytes);

  const std::vector<std::byte> memory(256, std::byte{5});
  const std::string head =
      "PCI ID: 0x5916\nrcs0 command stream:\n  ACTHD: 0x00000001 00002008\n"
      "  batch: [0x00000001_00002000, 0x00000001_00003000]\n  BBADDR: 0x00000001_00002011\n";
  write(error_state / "new", head + "rcs0 --- batch = 0x00000001 00002000\ngtt_page_sizes = 0x1000\n" +
                                 recording::error_text(memory) + "bcs0 --- ring = 0x00000000 00100000\n~z!!!!$\n");
  write(error_state / "old",
        head + "render ring --- gtt_offset = 0x00002000\n00000000 :  7a000003\n00000004 :  02000000\n");
}

}  // namespace vitro::fuzz
