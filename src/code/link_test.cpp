// Tests of the linker: it takes nothing that it cannot put in order.
#include <elf.h>
#include <gtest/gtest.h>

#include <cstring>

#include "code/image.h"

namespace vitro::code {
namespace {

// An object of a function f of 16 bytes that refers to eight bytes of constants with one relocation.
struct Elf {
  Elf64_Ehdr header{};
  Elf64_Shdr sections[6]{};
  Elf64_Sym symbols[4]{};
  Elf64_Rela relocation{};
  char names[5] = "\0f\0g";
  unsigned char code[16]{}, constants[8]{1, 2, 3, 4, 5, 6, 7, 8};

  Elf() {
    std::memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_type = ET_REL, header.e_machine = EM_X86_64;
    header.e_shoff = offsetof(Elf, sections), header.e_shentsize = sizeof(Elf64_Shdr), header.e_shnum = 6;
    header.e_shstrndx = SHN_UNDEF;
    sections[1] = {.sh_type = SHT_PROGBITS,
                   .sh_flags = SHF_ALLOC,
                   .sh_offset = offsetof(Elf, constants),
                   .sh_size = sizeof constants,
                   .sh_addralign = 32};
    sections[2] = {.sh_type = SHT_PROGBITS,
                   .sh_flags = SHF_ALLOC | SHF_EXECINSTR,
                   .sh_offset = offsetof(Elf, code),
                   .sh_size = sizeof code,
                   .sh_addralign = 16};
    sections[3] = {.sh_type = SHT_SYMTAB, .sh_offset = offsetof(Elf, symbols), .sh_size = sizeof symbols, .sh_link = 5};
    sections[4] = {.sh_type = SHT_RELA,
                   .sh_offset = offsetof(Elf, relocation),
                   .sh_size = sizeof relocation,
                   .sh_link = 3,
                   .sh_info = 2};
    sections[5] = {.sh_type = SHT_STRTAB, .sh_offset = offsetof(Elf, names), .sh_size = sizeof names};
    symbols[1] = {.st_info = ELF64_ST_INFO(STB_LOCAL, STT_SECTION), .st_shndx = 1};
    symbols[2] = {.st_name = 1, .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC), .st_shndx = 2, .st_size = sizeof code};
    symbols[3] = {.st_name = 3, .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_NOTYPE)};
    relocation = {.r_offset = 4, .r_info = ELF64_R_INFO(1, R_X86_64_PC32), .r_addend = -4};
  }
  bool link(Image& image) const {
    const Object bytes(reinterpret_cast<const std::byte*>(this), sizeof *this);
    return code::link({&bytes, 1}, image);
  }
};

TEST(Link, FillsInDistances) {
  Image image;
  ASSERT_TRUE(Elf().link(image));
  EXPECT_EQ(image.start, 0u);
  EXPECT_EQ(image.function_bytes, 16u);
  ASSERT_EQ(image.code.size(), 40u);  // the constants at a multiple of 32
  int32_t distance;
  std::memcpy(&distance, image.code.data() + 4, 4);
  EXPECT_EQ(distance, 32 - 4 - 4);
  EXPECT_EQ(image.code[39], std::byte(8));
}

// f of the first object calls g, which is what the second one calls its function.
TEST(Link, FindsFunctionsOfOtherObjects) {
  Elf caller, callee;
  caller.relocation.r_info = ELF64_R_INFO(3, R_X86_64_PLT32);
  callee.symbols[2].st_name = 3, callee.symbols[3].st_name = 1;
  const Object objects[] = {{reinterpret_cast<const std::byte*>(&caller), sizeof caller},
                            {reinterpret_cast<const std::byte*>(&callee), sizeof callee}};
  Image image;
  ASSERT_TRUE(link(objects, image));
  EXPECT_EQ(image.start, 0u);
  ASSERT_EQ(image.code.size(), 72u);
  EXPECT_EQ(image.shared, 40u);
  int32_t distance;
  std::memcpy(&distance, image.code.data() + 4, 4);
  EXPECT_EQ(distance, 48 - 4 - 4);  // behind 40 bytes of the first, at a multiple of 16
  std::memcpy(&distance, image.code.data() + 48 + 4, 4);
  EXPECT_EQ(distance, 64 - 52 - 4);

  EXPECT_FALSE(caller.link(image));
  callee.symbols[2].st_name = 1;  // another f
  Image other;
  EXPECT_FALSE(link(objects, other));
  caller.names[4] = 'g';  // a name without an end
  callee.symbols[2].st_name = 3;
  EXPECT_FALSE(link(objects, other));
  EXPECT_FALSE(link({}, other));
}

TEST(Link, RefusesWhatIsNotInTheObject) {
  const auto refuses = [](auto change) {
    Elf o;
    change(o);
    Image image;
    return !o.link(image);
  };
  EXPECT_TRUE(refuses([](Elf& o) { o.symbols[1].st_shndx = SHN_UNDEF; }));
  EXPECT_TRUE(refuses([](Elf& o) { o.relocation.r_info = ELF64_R_INFO(1, R_X86_64_64); }));
  EXPECT_TRUE(refuses([](Elf& o) { o.relocation.r_info = ELF64_R_INFO(9, R_X86_64_PC32); }));
  EXPECT_TRUE(refuses([](Elf& o) { o.relocation.r_offset = 13; }));
  EXPECT_TRUE(refuses([](Elf& o) { o.relocation.r_addend = int64_t(1) << 40; }));
  EXPECT_TRUE(refuses([](Elf& o) { o.sections[1].sh_addralign = 4096; }));
  EXPECT_TRUE(refuses([](Elf& o) { o.sections[1].sh_size = 1 << 20; }));
  EXPECT_TRUE(refuses([](Elf& o) { o.header.e_shnum = 6000; }));
  EXPECT_TRUE(refuses([](Elf& o) { o.header.e_machine = EM_AARCH64; }));
  EXPECT_TRUE(refuses([](Elf& o) { o.header.e_shoff += 1; }));
  EXPECT_TRUE(refuses([](Elf& o) { o.symbols[1].st_value = ~uint64_t(0) / 2, o.relocation.r_addend = 1; }));
  EXPECT_TRUE(refuses([](Elf& o) { o.symbols[2].st_info = 0; }));
}

}  // namespace
}  // namespace vitro::code
