// Telling perf and gdb where compiled code is. PRM: none; Linux tools/perf/Documentation/jit-interface.txt, and the GDB
// manual, "JIT Compilation Interface": its names and structures are gdb's. Lines and variables are not told.
#include "code/symbols.h"

#include <elf.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <mutex>
#include <vector>

extern "C" {

struct jit_code_entry {
  jit_code_entry *next_entry, *prev_entry;
  const char* symfile_addr;
  uint64_t symfile_size;
};
struct jit_descriptor {
  uint32_t version, action_flag;
  jit_code_entry *relevant_entry, *first_entry;
};

[[gnu::noinline, gnu::used]] void __jit_debug_register_code() { asm volatile("" ::: "memory"); }
[[gnu::used]] jit_descriptor __jit_debug_descriptor{1, 0, nullptr, nullptr};

}  // extern "C"

namespace vitro::code {
namespace {

enum Action : uint32_t { registers = 1, unregisters = 2 };
enum Section { none, text, symbols, names, section_count };

// An object file that says nothing but where a function is and what it is called.
std::vector<char> object_of(const std::string& name, std::span<const std::byte> code) {
  const std::string section_names(std::string("\0.text\0.symtab\0.strtab\0", 23));
  const std::string all_names = section_names + name + '\0';
  struct File {
    Elf64_Ehdr header{};
    Elf64_Shdr sections[section_count]{};
    Elf64_Sym symbols[2]{};
  } f;
  std::memcpy(f.header.e_ident, ELFMAG, SELFMAG);
  f.header.e_ident[EI_CLASS] = ELFCLASS64, f.header.e_ident[EI_DATA] = ELFDATA2LSB;
  f.header.e_ident[EI_VERSION] = EV_CURRENT;
  f.header.e_type = ET_EXEC, f.header.e_machine = EM_X86_64, f.header.e_version = EV_CURRENT;
  f.header.e_ehsize = sizeof f.header, f.header.e_shoff = offsetof(File, sections);
  f.header.e_shentsize = sizeof f.sections[0], f.header.e_shnum = section_count, f.header.e_shstrndx = names;
  const uint64_t address = reinterpret_cast<uint64_t>(code.data());
  f.sections[text] = {.sh_name = 1,
                      .sh_type = SHT_NOBITS,
                      .sh_flags = SHF_ALLOC | SHF_EXECINSTR,
                      .sh_addr = address,
                      .sh_size = code.size(),
                      .sh_addralign = 16};
  f.sections[symbols] = {.sh_name = 7,
                         .sh_type = SHT_SYMTAB,
                         .sh_offset = offsetof(File, symbols),
                         .sh_size = sizeof f.symbols,
                         .sh_link = names,
                         .sh_info = 1,
                         .sh_addralign = 8,
                         .sh_entsize = sizeof f.symbols[0]};
  f.sections[names] = {
      .sh_name = 15, .sh_type = SHT_STRTAB, .sh_offset = sizeof f, .sh_size = all_names.size(), .sh_addralign = 1};
  f.symbols[1] = {.st_name = Elf64_Word(section_names.size()),
                  .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
                  .st_shndx = text,
                  .st_value = address,
                  .st_size = code.size()};
  std::vector<char> bytes(sizeof f + all_names.size());
  std::memcpy(bytes.data(), &f, sizeof f);
  std::memcpy(bytes.data() + sizeof f, all_names.data(), all_names.size());
  return bytes;
}

std::mutex& list_lock() {
  static std::mutex& lock = *new std::mutex;
  return lock;
}

struct Entry {
  std::vector<char> object;
  jit_code_entry entry{};

  Entry(const std::string& name, std::span<const std::byte> code) : object(object_of(name, code)) {
    const std::lock_guard guard(list_lock());
    jit_descriptor& d = __jit_debug_descriptor;
    entry = {d.first_entry, nullptr, object.data(), object.size()};
    if (entry.next_entry) entry.next_entry->prev_entry = &entry;
    d.first_entry = &entry;
    tell(registers);
  }
  ~Entry() {
    const std::lock_guard guard(list_lock());
    if (entry.next_entry) entry.next_entry->prev_entry = entry.prev_entry;
    (entry.prev_entry ? entry.prev_entry->next_entry : __jit_debug_descriptor.first_entry) = entry.next_entry;
    tell(unregisters);
  }
  Entry(const Entry&) = delete;
  Entry& operator=(const Entry&) = delete;

  void tell(Action action) {
    __jit_debug_descriptor.relevant_entry = &entry;
    __jit_debug_descriptor.action_flag = action;
    __jit_debug_register_code();
  }
};

}  // namespace

void tell_perf(const std::string& name, std::span<const std::byte> code) {
  FILE* file = std::fopen(fmt::format(P_tmpdir "/perf-{}.map", getpid()).c_str(), "ae");
  if (!file) return;
  const std::string line = fmt::format("{:x} {:x} {}\n", reinterpret_cast<uintptr_t>(code.data()), code.size(), name);
  std::fwrite(line.data(), 1, line.size(),
              file);  // at once, for other threads append, too
  std::fclose(file);
}

std::shared_ptr<const void> tell_gdb(const std::string& name, std::span<const std::byte> code) {
  return std::make_shared<const Entry>(name, code);
}

}  // namespace vitro::code
