// Tests of kept machine code: it runs after a way through bytes, other bytes are refused, and the linker takes nothing
// that it cannot put in order.
#include "eu/jit/image.h"

#include <elf.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>

#include "eu/executor.h"
#include "gen/models.h"
#include "isa/assemble.h"

namespace vitro::eu::jit {
namespace {

Program program_of(const std::string& text) {
  const isa::Assembly a = isa::assemble(gen::gen9(), text, {.validate = false});
  EXPECT_TRUE(a.ok());
  return Program(gen::gen9(), a.code);
}
constexpr const char* adds =
    "add (8|M0) r3.0<1>:d r2.0<8;8,1>:d 7:w\nadd (8|M0) r3.0<1>:d r3.0<8;8,1>:d r3.0<8;8,1>:d\n";

TEST(Image, RunsAfterAWayThroughBytes) {
  const Program program = program_of(adds);
  const std::vector<std::byte> bytes = generate(program);
  ASSERT_FALSE(bytes.empty());
  const std::optional<Image> image = to_image(bytes);
  ASSERT_TRUE(image);
  EXPECT_EQ(to_bytes(*image), bytes);
  const auto compiled = load(program, bytes);
  ASSERT_TRUE(compiled);
  EXPECT_EQ(compiled->counts().instructions, 2);
  EXPECT_EQ(compiled->code().size(), image->function_bytes);
  Thread t{};
  t.dispatched = t.active = t.sr[2] = t.sr[3] = 0xFF;
  const uint32_t five = 5;
  std::memcpy(t.grf.data() + 2 * reg_bytes, &five, 4);
  const SharedFunctions none{};
  Executor x{.thread = t, .program = program, .functions = none};
  compiled->run(x, 2);
  uint32_t result;
  std::memcpy(&result, t.grf.data() + 3 * reg_bytes, 4);
  EXPECT_EQ(result, 24u);
}

// In children: LLVM ends the process when it gets no memory.
TEST(Image, WithoutRoomNothingIsGenerated) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers do not work within a limit of the address space";
#endif
  const Program program = program_of(adds);
  for (const rlim_t mib : {0, 4, 16, 20, 24, 28, 32, 48, 64, 128, 160, 1024}) {
    const pid_t child = fork();
    if (child == 0) {
      unsigned long pages = 0;
      if (FILE* file = std::fopen("/proc/self/statm", "re"); !file || std::fscanf(file, "%lu", &pages) != 1) _exit(2);
      const rlim_t most = rlim_t(pages) * rlim_t(sysconf(_SC_PAGESIZE)) + (mib << 20);
      const rlimit limit{most, most};
      setrlimit(RLIMIT_AS, &limit);
      _exit(generate(program).empty() ? 1 : 0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_TRUE(WIFEXITED(status)) << mib;
    EXPECT_EQ(WEXITSTATUS(status), mib < 160 ? 1 : 0) << mib;
  }
}

TEST(Image, OtherBytesAreRefused) {
  const Program program = program_of(adds);
  const std::vector<std::byte> bytes = generate(program);
  EXPECT_FALSE(load(program, {}));
  for (size_t n = 0; n < bytes.size(); n += 7) EXPECT_FALSE(load(program, std::span(bytes).first(n)));
  std::vector<std::byte> longer = bytes;
  longer.push_back({});
  EXPECT_FALSE(load(program, longer));
}

// What to_bytes() would never say, and what is said of another program.
TEST(Image, NonsenseIsRefused) {
  const Program program = program_of(adds);
  const auto refuses = [&](auto change) {
    std::optional<Image> image = to_image(generate(program));
    image->sites = {Transfer{}, Transfer{}};
    image->labels = {0, 16};
    EXPECT_TRUE(load(program, to_bytes(*image)));
    change(*image);
    return !load(program, to_bytes(*image));
  };
  const auto set = [](auto& member, int value) { std::memset(&member, value, sizeof member); };
  EXPECT_TRUE(refuses([](Image& i) { i.start = uint32_t(i.code.size()); }));
  EXPECT_TRUE(refuses([](Image& i) { i.function_bytes = uint32_t(i.code.size() - i.start + 1); }));
  EXPECT_TRUE(refuses([](Image& i) { i.shared = uint32_t(i.code.size()) + 1; }));
  EXPECT_TRUE(refuses([](Image& i) { i.code.clear(); }));
  EXPECT_TRUE(refuses([](Image& i) { i.labels = {16, 0}; }));
  EXPECT_TRUE(refuses([](Image& i) { i.labels = {16, 16}; }));
  EXPECT_TRUE(refuses([](Image& i) { i.entries.push_back({4, {}}); }));
  EXPECT_TRUE(refuses([](Image& i) { i.entries.push_back({1 << 20, {}}); }));
  EXPECT_TRUE(refuses([](Image& i) { i.counts.instructions = 3; }));
  EXPECT_TRUE(refuses([](Image& i) { i.counts.emitted = -1; }));
  EXPECT_TRUE(refuses([](Image& i) { i.counts.milliseconds = -1; }));
  EXPECT_TRUE(refuses([&](Image& i) { set(i.counts.milliseconds, 0xFF); }));
  EXPECT_TRUE(refuses([&](Image& i) { set(i.sites[1].kind, 100); }));
  EXPECT_TRUE(refuses([&](Image& i) { set(i.sites[1].operation, 100); }));
  EXPECT_TRUE(refuses([&](Image& i) { set(i.sites[0].wide, 2); }));
  EXPECT_TRUE(refuses([&](Image& i) { set(i.sites[0].alone, 0x80); }));
  EXPECT_TRUE(refuses([](Image& i) { i.sites[0].slots = 33; }));
  EXPECT_TRUE(refuses([](Image& i) { i.sites[0].place = 8; }));
}

// An object of a function f of 16 bytes that refers to eight bytes of constants with one relocation.
struct Object {
  Elf64_Ehdr header{};
  Elf64_Shdr sections[6]{};
  Elf64_Sym symbols[4]{};
  Elf64_Rela relocation{};
  char names[5] = "\0f\0g";
  unsigned char code[16]{}, constants[8]{1, 2, 3, 4, 5, 6, 7, 8};

  Object() {
    std::memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_type = ET_REL, header.e_machine = EM_X86_64;
    header.e_shoff = offsetof(Object, sections), header.e_shentsize = sizeof(Elf64_Shdr), header.e_shnum = 6;
    header.e_shstrndx = SHN_UNDEF;
    sections[1] = {.sh_type = SHT_PROGBITS,
                   .sh_flags = SHF_ALLOC,
                   .sh_offset = offsetof(Object, constants),
                   .sh_size = sizeof constants,
                   .sh_addralign = 32};
    sections[2] = {.sh_type = SHT_PROGBITS,
                   .sh_flags = SHF_ALLOC | SHF_EXECINSTR,
                   .sh_offset = offsetof(Object, code),
                   .sh_size = sizeof code,
                   .sh_addralign = 16};
    sections[3] = {
        .sh_type = SHT_SYMTAB, .sh_offset = offsetof(Object, symbols), .sh_size = sizeof symbols, .sh_link = 5};
    sections[4] = {.sh_type = SHT_RELA,
                   .sh_offset = offsetof(Object, relocation),
                   .sh_size = sizeof relocation,
                   .sh_link = 3,
                   .sh_info = 2};
    sections[5] = {.sh_type = SHT_STRTAB, .sh_offset = offsetof(Object, names), .sh_size = sizeof names};
    symbols[1] = {.st_info = ELF64_ST_INFO(STB_LOCAL, STT_SECTION), .st_shndx = 1};
    symbols[2] = {.st_name = 1, .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC), .st_shndx = 2, .st_size = sizeof code};
    symbols[3] = {.st_name = 3, .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_NOTYPE)};
    relocation = {.r_offset = 4, .r_info = ELF64_R_INFO(1, R_X86_64_PC32), .r_addend = -4};
  }
  bool link(Image& image) const {
    const jit::Object bytes(reinterpret_cast<const std::byte*>(this), sizeof *this);
    return jit::link({&bytes, 1}, image);
  }
};

TEST(Link, FillsInDistances) {
  Image image;
  ASSERT_TRUE(Object().link(image));
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
  Object caller, callee;
  caller.relocation.r_info = ELF64_R_INFO(3, R_X86_64_PLT32);
  callee.symbols[2].st_name = 3, callee.symbols[3].st_name = 1;
  const jit::Object objects[] = {{reinterpret_cast<const std::byte*>(&caller), sizeof caller},
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
    Object o;
    change(o);
    Image image;
    return !o.link(image);
  };
  EXPECT_TRUE(refuses([](Object& o) { o.symbols[1].st_shndx = SHN_UNDEF; }));
  EXPECT_TRUE(refuses([](Object& o) { o.relocation.r_info = ELF64_R_INFO(1, R_X86_64_64); }));
  EXPECT_TRUE(refuses([](Object& o) { o.relocation.r_info = ELF64_R_INFO(9, R_X86_64_PC32); }));
  EXPECT_TRUE(refuses([](Object& o) { o.relocation.r_offset = 13; }));
  EXPECT_TRUE(refuses([](Object& o) { o.relocation.r_addend = int64_t(1) << 40; }));
  EXPECT_TRUE(refuses([](Object& o) { o.sections[1].sh_addralign = 4096; }));
  EXPECT_TRUE(refuses([](Object& o) { o.sections[1].sh_size = 1 << 20; }));
  EXPECT_TRUE(refuses([](Object& o) { o.header.e_shnum = 6000; }));
  EXPECT_TRUE(refuses([](Object& o) { o.header.e_machine = EM_AARCH64; }));
  EXPECT_TRUE(refuses([](Object& o) { o.header.e_shoff += 1; }));
  EXPECT_TRUE(refuses([](Object& o) { o.symbols[1].st_value = ~uint64_t(0) / 2, o.relocation.r_addend = 1; }));
  EXPECT_TRUE(refuses([](Object& o) { o.symbols[2].st_info = 0; }));
}

}  // namespace
}  // namespace vitro::eu::jit
