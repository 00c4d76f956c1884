// AUB files for tests, put together dword by dword, apart from the writer that is tested with them.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace vitro::recording {

class AubFile {
 public:
  static constexpr uint32_t physical = 2, ggtt = 0, ggtt_entry = 4;
  static constexpr uint32_t batch_start = 0x18800101, batch_end = 0x05000000;
  static constexpr uint64_t batch = 0x7F0012345000;  // of one_context()
  static constexpr uint32_t tail_place = 0x12000 + 4 * 7;

  AubFile& dwords(std::initializer_list<uint32_t> d) {
    for (const uint32_t v : d) bytes.append(reinterpret_cast<const char*>(&v), 4);
    return *this;
  }
  AubFile& qwords(const std::vector<uint64_t>& d) {
    for (const uint64_t v : d) bytes.append(reinterpret_cast<const char*>(&v), 8);
    return *this;
  }
  AubFile& text(std::string_view t) {
    bytes += t;
    bytes.append(-bytes.size() & 3, '\0');
    return *this;
  }

  // --- the memory-trace form
  AubFile& version(uint32_t device, std::string_view program) {
    const auto n = uint32_t((program.size() + 3) / 4);
    return dwords({0xF70E0000 | (4 + n), 1, device << 8 | 1 << 18, 0, 0}).text(program);
  }
  AubFile& write(uint32_t space, uint64_t address, std::initializer_list<uint32_t> data) {
    const auto n = uint32_t(data.size());
    return dwords({0xF7060000 | (4 + n), uint32_t(address), uint32_t(address >> 32), space << 28, 4 * n}).dwords(data);
  }
  AubFile& entries(uint32_t space, uint64_t address, const std::vector<uint64_t>& data) {
    const auto n = uint32_t(2 * data.size());
    return dwords({0xF7060000 | (4 + n), uint32_t(address), uint32_t(address >> 32), space << 28, 4 * n}).qwords(data);
  }
  AubFile& expect(uint32_t space, uint64_t address, std::initializer_list<uint32_t> data, uint32_t control = 0) {
    const auto n = uint32_t(data.size());
    return dwords({0xF7040000 | (4 + n), uint32_t(address), uint32_t(address >> 32), space << 28 | control, 4 * n})
        .dwords(data);
  }
  AubFile& poll(uint32_t space, uint64_t address, uint32_t mask, uint32_t value, uint32_t control = 0) {
    return dwords(
        {0xF7050006, uint32_t(address), uint32_t(address >> 32), space << 28 | 2 << 4 | control, mask, 0, value});
  }
  AubFile& reg(uint32_t offset, uint32_t value) { return dwords({0xF7030005, offset, 2 << 16, ~0u, 0, value}); }
  AubFile& poll_reg(uint32_t offset, uint32_t mask, uint32_t value) {
    return dwords({0xF7020005, offset, 2 << 16, mask, 0, value});
  }
  AubFile& comment(std::string_view t) { return dwords({0xF7080000 | uint32_t(1 + (t.size() + 3) / 4), 0}).text(t); }
  // The ports of an engine: what runs second, and first.
  AubFile& submit(uint32_t base, uint32_t descriptor) {
    return reg(base + 0x230, 0).reg(base + 0x230, 0).reg(base + 0x230, 0).reg(base + 0x230, descriptor);
  }

  // --- the old form
  AubFile& old_header(std::string_view comment) {
    const auto n = uint32_t((comment.size() + 3) / 4);
    dwords({0xE0850000 | (11 + n), 4 << 24});
    bytes.append(32, '\0');
    return dwords({0, 0, uint32_t(comment.size())}).text(comment);
  }
  AubFile& old_block(uint32_t what, uint32_t address, std::initializer_list<uint32_t> data) {
    return dwords({0xE0C10003, what, 0, address, uint32_t(4 * data.size())}).dwords(data);
  }

  std::string bytes{};
};

// One context: page tables in the physical space, as space `table_space` names them, ring at 0x10000 of the GGTT, its
// image behind it, and a batch whose page is at 0x200000.
inline AubFile one_context(uint32_t base = 0x2000, uint32_t table_space = AubFile::physical) {
  constexpr uint32_t physical = AubFile::physical, ggtt = AubFile::ggtt, batch_end = AubFile::batch_end;
  AubFile f;
  f.version(12, "NEO");
  const auto at = [](unsigned shift) { return 8 * (AubFile::batch >> shift & 511); };
  f.entries(table_space == physical ? physical : 10, 0x1000 + at(39), {0x2003});
  f.entries(table_space == physical ? physical : 8, 0x2000 + at(30), {0x3003});
  f.entries(table_space == physical ? physical : 9, 0x3000 + at(21), {0x4003});
  f.entries(table_space == physical ? physical : 6, 0x4000 + at(12), {0x200003, 0x201003});
  f.entries(AubFile::ggtt_entry, 0x10 * 8, {0x300001, 0x301001, 0x302001});
  f.write(physical, 0x200000, {1, 2, 3, batch_end});
  // Image: nothing, then registers.
  f.write(ggtt, 0x12000,
          {0, 0x11001000 | 9, base + 0x244, 9, base + 0x34, 0, base + 0x30, 0, base + 0x38, 0x10000, base + 0x3C, 1});
  f.write(ggtt, 0x12000 + 4 * 0x21, {0x11001000 | 3, base + 0x274, 0, base + 0x270, 0x1000, batch_end});
  return f;
}

}  // namespace vitro::recording
