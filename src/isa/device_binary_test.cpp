// Tests of the device binary reader. The files are put together here, record by record, after the layout that the
// compiler writes: a patch-token program bare and in its ELF container, and a zebin of 32 and of 64 bits.
#include "isa/device_binary.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string_view>
#include <utility>

namespace vitro::isa {
namespace {

using File = std::vector<std::byte>;

void put(File& file, uint64_t value, int width) {
  for (int i = 0; i < width; ++i) file.push_back(std::byte(value >> 8 * i));
}
void put(File& file, std::string_view text) {
  for (const char c : text) file.push_back(std::byte(c));
}
void put(File& file, const File& more) { file.insert(file.end(), more.begin(), more.end()); }
void patch(File& file, size_t at, uint64_t value, int width) {
  for (int i = 0; i < width; ++i) file[at + i] = std::byte(value >> 8 * i);
}

// Code bytes that differ from kernel to kernel; what they mean is of no interest here.
File some_code(size_t size, int seed) {
  File code;
  for (size_t i = 0; i < size; ++i) code.push_back(std::byte(seed + 7 * i));
  return code;
}

struct Kernel {
  std::string_view name;  // with its NULs up to a multiple of four
  size_t heap, unpadded;
};
constexpr Kernel add{std::string_view("add\0", 4), 64, 40}, blur{std::string_view("blur\0\0\0\0", 8), 96, 96};

constexpr size_t program_count_at = 16, first_kernel_at = 28 + 12;

File program(std::vector<Kernel> kernels, uint32_t device) {
  File file;
  put(file, "CTNI");
  for (const uint32_t word : {1081u, device, 8u, uint32_t(kernels.size()), 9u, 12u}) put(file, word, 4);
  put(file, std::string_view("program list"));
  for (const Kernel& kernel : kernels) {
    put(file, 0x12345678, 4);          // checksum
    put(file, 0xfeedfacecafebeef, 8);  // hash
    for (const size_t size : {kernel.name.size(), size_t(20), kernel.heap, size_t(4), size_t(32), size_t(136)})
      put(file, size, 4);
    put(file, kernel.unpadded, 4);
    put(file, kernel.name);
    put(file, some_code(kernel.heap, kernel.name[0]));
    put(file, File(4 + 32 + 136 + 20));  // state heaps and patch list
  }
  return file;
}

struct Contents {
  std::string_view name;
  uint32_t type;
  File bytes;
  uint32_t record_size = 0;
};

// Header, contents, section names, and the section headers last, so that every prefix lacks something.
File elf(int bits, uint16_t type, uint16_t machine, std::vector<Contents> sections) {
  const int word = bits / 8, header_size = bits == 32 ? 52 : 64, section_size = bits == 32 ? 40 : 64;
  sections.insert(sections.begin(), Contents{"", 0, {}});
  sections.push_back({".shstrtab", 3, {}});
  std::vector<size_t> names, offsets;
  for (const Contents& section : sections) {
    names.push_back(sections.back().bytes.size());
    put(sections.back().bytes, section.name);
    put(sections.back().bytes, 0, 1);
  }

  size_t end = header_size;
  for (const Contents& section : sections) {
    offsets.push_back(end);
    end += section.bytes.size();
  }
  File file;
  put(file, "\177ELF");
  put(file, bits == 32 ? 1 : 2, 1);
  put(file, 1, 1);
  put(file, 1, 1);
  put(file, File(9));
  put(file, type, 2);
  put(file, machine, 2);
  put(file, 1, 4);
  put(file, 0, word);
  put(file, 0, word);
  put(file, end, word);
  put(file, 0, 4);
  for (const size_t size : {header_size, 0, 0, section_size, int(sections.size()), int(sections.size()) - 1})
    put(file, size, 2);
  for (const Contents& section : sections) put(file, section.bytes);
  for (size_t i = 0; i < sections.size(); ++i) {
    put(file, names[i], 4);
    put(file, sections[i].type, 4);
    put(file, 0, word);
    put(file, 0, word);
    put(file, offsets[i], word);
    put(file, sections[i].bytes.size(), word);
    put(file, 0, 4);
    put(file, 0, 4);
    put(file, 0, word);
    put(file, sections[i].record_size, word);
  }
  return file;
}

File container(File device_binary) {
  return elf(64, 0xff04, 0,
             {{"SPIRV Object", 0xff000009, some_code(33, 1)},
              {"Intel(R) OpenCL Device Binary", 0xff000005, std::move(device_binary)}});
}

File symbol(int bits, int type, int section, uint64_t value, uint64_t size) {
  File file;
  put(file, 0, 4);
  if (bits == 32) put(file, value, 4), put(file, size, 4);
  put(file, type, 1);
  put(file, 0, 1);
  put(file, section, 2);
  if (bits == 64) put(file, value, 8), put(file, size, 8);
  return file;
}

File note(uint32_t type, uint32_t value) {
  File file;
  for (const uint32_t word : {8u, 4u, type}) put(file, word, 4);
  put(file, std::string_view("IntelGT\0", 8));
  put(file, value, 4);
  return file;
}

// Two kernels; the first has a subroutine behind it and padding behind that, the second no symbols at all.
File zebin(int bits, uint32_t product) {
  File symbols = symbol(bits, 0, 0, 0, 0), notes = note(1, product);
  put(symbols, symbol(bits, 2, 1, 0, 32));   // the kernel
  put(symbols, symbol(bits, 2, 1, 32, 24));  // its subroutine
  put(symbols, symbol(bits, 1, 1, 0, 80));   // an object, which says nothing about code
  put(notes, note(2, 0));
  return elf(bits, 1, 205,
             {{".text.add", 1, some_code(80, 'a')},
              {".text.blur", 1, some_code(64, 'b')},
              {".symtab", 2, symbols, bits == 32 ? 16u : 24u},
              {".rel.text.add", 9, some_code(16, 3)},
              {".bss.global", 8, {}},
              {".note.intelgt.compat", 7, notes}});
}

std::string error_of(const File& file) {
  const auto result = read_device_binary(file);
  return result ? "" : result.error().message;
}

void expect_kernel(const DeviceKernel& kernel, std::string_view name, size_t size) {
  EXPECT_EQ(kernel.name, name);
  const File code = some_code(size, name[0]);
  EXPECT_TRUE(std::ranges::equal(kernel.code, code)) << name << " has " << kernel.code.size() << " bytes";
}

void expect_program(const File& file, std::string_view device) {
  ASSERT_TRUE(is_device_binary(file));
  const auto binary = read_device_binary(file);
  ASSERT_TRUE(binary) << binary.error().message;
  EXPECT_EQ(binary->device, device);
  ASSERT_EQ(binary->kernels.size(), 2u);
  expect_kernel(binary->kernels[0], "add", 40);
  expect_kernel(binary->kernels[1], "blur", 96);
}

void expect_zebin(const File& file, std::string_view device) {
  ASSERT_TRUE(is_device_binary(file));
  const auto binary = read_device_binary(file);
  ASSERT_TRUE(binary) << binary.error().message;
  EXPECT_EQ(binary->device, device);
  ASSERT_EQ(binary->kernels.size(), 2u);
  expect_kernel(binary->kernels[0], "add", 56);
  expect_kernel(binary->kernels[1], "blur", 64);
}

std::vector<File> good_files() {
  return {program({add, blur}, 12), container(program({add, blur}, 11)), zebin(64, 19), zebin(32, 16),
          container(zebin(64, 22))};
}

TEST(DeviceBinary, BareProgram) {
  expect_program(program({add, blur}, 12), "Gen9core");
  expect_program(program({add, blur}, 11), "Gen8core");
  expect_program(program({add, blur}, 999), "family 999");
}

TEST(DeviceBinary, ProgramInContainer) { expect_program(container(program({add, blur}, 12)), "Gen9core"); }

TEST(DeviceBinary, ProgramWithoutKernels) {
  const File file = program({}, 12);
  const auto binary = read_device_binary(file);
  ASSERT_TRUE(binary) << binary.error().message;
  EXPECT_TRUE(binary->kernels.empty());
}

TEST(DeviceBinary, Zebin) {
  expect_zebin(zebin(64, 19), "Gen9core");
  expect_zebin(zebin(64, 16), "Gen8core");
  expect_zebin(zebin(32, 22), "Gen9core");
  expect_zebin(zebin(32, 0), "");
  expect_zebin(zebin(64, 4711), "product 4711");
  expect_zebin(container(zebin(64, 18)), "Gen9core");
}

TEST(DeviceBinary, CodeRefersToTheFile) {
  const File file = container(program({add}, 12));
  const auto binary = read_device_binary(file);
  ASSERT_TRUE(binary) << binary.error().message;
  const std::span<const std::byte> code = binary->kernels.at(0).code;
  EXPECT_GE(code.data(), file.data());
  EXPECT_LE(code.data() + code.size(), file.data() + file.size());
}

TEST(DeviceBinary, OtherFilesAreNotRecognised) {
  File host = elf(64, 2, 62, {{".text.main", 1, some_code(16, 1)}}), raw = some_code(160, 5), text;
  put(text, "mov (8|M0) r1.0<1>:f r2.0<8;8,1>:f\n");
  for (const File& file : {File{}, host, raw, text}) {
    EXPECT_FALSE(is_device_binary(file));
    EXPECT_NE(error_of(file).find("not a device binary"), std::string::npos) << error_of(file);
  }
}

TEST(DeviceBinary, ArchivesAreRefusedWithAHint) {
  File archive;
  put(archive, "!<arch>\npad_0/");
  EXPECT_TRUE(is_device_binary(archive));
  EXPECT_NE(error_of(archive).find("ar x"), std::string::npos);
}

TEST(DeviceBinary, ContainerWithoutDeviceCode) {
  const File file = elf(64, 0xff04, 0, {{"SPIRV Object", 0xff000009, some_code(33, 1)}});
  EXPECT_NE(error_of(file).find("holds no device binary"), std::string::npos) << error_of(file);
}

TEST(DeviceBinary, EveryPrefixIsAnError) {
  for (const File& file : good_files()) {
    ASSERT_EQ(error_of(file), "");
    for (size_t size = 0; size < file.size(); ++size) {
      // A copy of its own, so that a sanitizer sees any access behind the cut.
      const File prefix(file.begin(), file.begin() + size);
      EXPECT_NE(error_of(prefix), "") << size << " of " << file.size() << " bytes";
    }
  }
}

TEST(DeviceBinary, TrailingBytesInAProgramAreAnError) {
  File file = program({add}, 12);
  put(file, 0, 3);
  EXPECT_NE(error_of(file).find("3 bytes follow"), std::string::npos) << error_of(file);
}

TEST(DeviceBinary, ContradictionsAreNamed) {
  const struct {
    size_t at;
    uint64_t value;
    int width;
    std::string_view says;
  } cases[] = {
      {program_count_at, 2, 4, "the header of kernel 1"},
      {program_count_at, 0xffffffff, 4, "the header of kernel 1"},
      {program_count_at + 8, 0xfffffff0, 4, "the program's patch list"},
      {first_kernel_at + 12, 0xffffffff, 4, "the name of kernel 0"},
      {first_kernel_at + 12, 0, 4, "kernel 0 has no name"},
      {first_kernel_at + 16, 0xffffffff, 4, "the patch list of 'add'"},
      {first_kernel_at + 20, 0xffffffff, 4, "the kernel heap of 'add'"},
      {first_kernel_at + 24, 1 << 20, 4, "the general state heap of 'add'"},
      {first_kernel_at + 28, 1 << 20, 4, "the dynamic state heap of 'add'"},
      {first_kernel_at + 32, 1 << 20, 4, "the surface state heap of 'add'"},
      {first_kernel_at + 36, 65, 4, "claims 65 bytes of code in a heap of 64"},
  };
  for (const auto& [at, value, width, says] : cases) {
    File file = program({add}, 12);
    patch(file, at, value, width);
    EXPECT_NE(error_of(file).find(says), std::string::npos) << says << ": " << error_of(file);
  }
}

TEST(DeviceBinary, ElfContradictionsAreNamed) {
  const struct {
    size_t at;
    uint64_t value;
    int width;
    std::string_view says;
  } cases[] = {
      {4, 3, 1, "no known word size"},
      {5, 2, 1, "no known word size"},
      {40, ~uint64_t{0}, 8, "the table of section headers"},
      {58, 40, 2, "section headers are 40 bytes long"},
      {60, 0xffff, 2, "the table of section headers"},
      {62, 8, 2, "should hold the section names"},
      {62, 5, 2, "the name of section 0 does not end"},
  };
  for (const auto& [at, value, width, says] : cases) {
    File file = zebin(64, 19);
    patch(file, at, value, width);
    EXPECT_NE(error_of(file).find(says), std::string::npos) << says << ": " << error_of(file);
  }
  // A function that reaches beyond its section, also by a sum that wraps.
  for (const auto& [value, size] : {std::pair<uint64_t, uint64_t>{8, 16}, {~uint64_t{0} - 7, 16}}) {
    const File file =
        elf(64, 1, 205, {{".text.add", 1, some_code(16, 'a')}, {".symtab", 2, symbol(64, 2, 1, value, size), 24}});
    EXPECT_NE(error_of(file).find("a function in '.text.add'"), std::string::npos) << error_of(file);
  }
  const File uneven = elf(64, 1, 205, {{".text.add", 1, some_code(16, 'a')}, {".symtab", 2, some_code(25, 0), 24}});
  EXPECT_NE(error_of(uneven).find("whole symbols"), std::string::npos) << error_of(uneven);
}

// Whatever is damaged, the reader answers; with sanitizers this also shows that it stays inside the file.
TEST(DeviceBinary, DamagedFilesNeverCrash) {
  std::mt19937 random(20);
  size_t errors = 0, sum = 0;
  for (const File& good : good_files()) {
    for (int round = 0; round < 4000; ++round) {
      File file = good;
      for (int flips = 1 + random() % 8; flips-- > 0;) {
        const size_t at = random() % file.size();
        file[at] = random() % 2 ? std::byte(random()) : file[at] ^ std::byte(1 << random() % 8);
      }
      if (random() % 4 == 0) file.resize(random() % file.size());
      file.shrink_to_fit();
      const auto binary = read_device_binary(file);
      errors += !binary;
      if (!binary) continue;
      for (const DeviceKernel& kernel : binary->kernels)
        for (const std::byte b : kernel.code) sum += size_t(b);
    }
  }
  EXPECT_GT(errors, 0u);
  EXPECT_GT(sum, 0u);
}

}  // namespace
}  // namespace vitro::isa
