// A linker for one function and those it calls: ELF for x86-64, sections that are loaded, distances of 32 bits between
// them, also between those of several objects. PRM: none; System V ABI, AMD64 supplement, chapter 4. Unwind tables are
// left out: nothing is thrown through compiled code.
#include <elf.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <string_view>

#include "code/image.h"

namespace vitro::code {
namespace {

struct Function {
  uint64_t place, bytes;
};
using Functions = std::map<std::string_view, Function>;

class Part {
 public:
  explicit Part(Object bytes) : bytes_(bytes) {}

  // Puts it into the image. Its global functions join the others.
  bool place(Image& image, Functions& functions) {
    const Elf64_Ehdr* header = at<Elf64_Ehdr>(0);
    if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_type != ET_REL ||
        header->e_machine != EM_X86_64 || header->e_shentsize != sizeof(Elf64_Shdr))
      return false;
    count_ = header->e_shnum;
    sections_ = at<Elf64_Shdr>(header->e_shoff, count_);
    if (!sections_) return false;
    place_.assign(count_, nowhere);
    if (!lay_out(image)) return false;
    find_functions(functions);
    return true;
  }

  // Once all are placed.
  bool relocate(Image& image, const Functions& functions) const {
    for (size_t n = 0; n < count_; ++n) {
      const Elf64_Shdr& s = sections_[n];
      if (s.sh_type != SHT_RELA || s.sh_info >= count_ || s.sh_link >= count_ || place_[s.sh_info] == nowhere) continue;
      const uint64_t count = s.sh_size / sizeof(Elf64_Rela);
      const Elf64_Rela* relocations = at<Elf64_Rela>(s.sh_offset, count);
      if (!relocations) return false;
      for (uint64_t r = 0; r < count; ++r)
        if (!apply(image, functions, s, relocations[r])) return false;
    }
    return true;
  }

 private:
  static constexpr uint64_t nowhere = ~uint64_t(0);

  template <class T>
  const T* at(uint64_t offset, uint64_t count = 1) const {
    if (offset > bytes_.size() || count > (bytes_.size() - offset) / sizeof(T)) return nullptr;
    const std::byte* place = bytes_.data() + offset;
    return reinterpret_cast<uintptr_t>(place) % alignof(T) ? nullptr : reinterpret_cast<const T*>(place);
  }

  static bool is_loaded(const Elf64_Shdr& s) {
    return (s.sh_flags & SHF_ALLOC) && s.sh_type == SHT_PROGBITS && s.sh_size > 0 && !(s.sh_flags & SHF_WRITE);
  }
  bool is_unwind_table(const Elf64_Shdr& s) const {
    const Elf64_Ehdr* header = at<Elf64_Ehdr>(0);
    if (header->e_shstrndx >= count_) return false;
    const uint64_t name = sections_[header->e_shstrndx].sh_offset + s.sh_name;
    constexpr std::string_view eh_frame = ".eh_frame";
    const char* text = at<char>(name, eh_frame.size() + 1);
    return text && std::string_view(text, eh_frame.size()) == eh_frame;
  }

  // Code first.
  bool lay_out(Image& image) {
    for (const bool code : {true, false})
      for (size_t n = 0; n < count_; ++n) {
        const Elf64_Shdr& s = sections_[n];
        if (!is_loaded(s) || bool(s.sh_flags & SHF_EXECINSTR) != code || is_unwind_table(s)) continue;
        const std::byte* from = at<std::byte>(s.sh_offset, s.sh_size);
        const uint64_t alignment = s.sh_addralign ? s.sh_addralign : 1;
        if (!from || alignment > Image::alignment || (alignment & (alignment - 1))) return false;
        place_[n] = (image.code.size() + alignment - 1) / alignment * alignment;
        image.code.resize(place_[n] + s.sh_size);
        std::memcpy(image.code.data() + place_[n], from, s.sh_size);
      }
    return true;
  }

  bool is_here(const Elf64_Sym& symbol) const { return symbol.st_shndx < count_ && place_[symbol.st_shndx] != nowhere; }

  // A symbol of the table that a section of symbols is; empty: it has none that can be read.
  std::string_view name_of(const Elf64_Shdr& table, const Elf64_Sym& symbol) const {
    if (table.sh_link >= count_) return {};
    const Elf64_Shdr& strings = sections_[table.sh_link];
    const char* all = at<char>(strings.sh_offset, strings.sh_size);
    if (!all || symbol.st_name >= strings.sh_size) return {};
    const std::string_view rest(all + symbol.st_name, strings.sh_size - symbol.st_name);
    return rest.find('\0') == rest.npos ? std::string_view{} : rest.substr(0, rest.find('\0'));
  }

  // Where a symbol is in the image, in this part or in another.
  uint64_t place_of(const Elf64_Shdr& table, const Elf64_Sym& symbol, const Functions& functions) const {
    if (is_here(symbol)) return place_[symbol.st_shndx] + symbol.st_value;
    const std::string_view name = symbol.st_shndx == SHN_UNDEF ? name_of(table, symbol) : std::string_view{};
    const auto known = functions.find(name);
    return name.empty() || known == functions.end() ? nowhere : known->second.place;
  }

  bool apply(Image& image, const Functions& functions, const Elf64_Shdr& relocations, const Elf64_Rela& r) const {
    const Elf64_Shdr &section = sections_[relocations.sh_info], &table = sections_[relocations.sh_link];
    const uint64_t number = ELF64_R_SYM(r.r_info);
    const Elf64_Sym* symbols = at<Elf64_Sym>(table.sh_offset, table.sh_size / sizeof(Elf64_Sym));
    if (!symbols || number >= table.sh_size / sizeof(Elf64_Sym)) return false;
    const uint64_t target = place_of(table, symbols[number], functions);
    const uint64_t type = ELF64_R_TYPE(r.r_info);
    if (target == nowhere || (type != R_X86_64_PC32 && type != R_X86_64_PLT32)) return false;
    if (section.sh_size < 4 || r.r_offset > section.sh_size - 4) return false;
    const uint64_t at = place_[relocations.sh_info] + r.r_offset;
    const int64_t distance = int64_t(target + uint64_t(r.r_addend) - at);
    const int32_t value = int32_t(distance);
    if (value != distance) return false;
    std::memcpy(image.code.data() + at, &value, sizeof value);
    return true;
  }

  void find_functions(Functions& functions) const {
    for (size_t n = 0; n < count_; ++n) {
      const Elf64_Shdr& s = sections_[n];
      if (s.sh_type != SHT_SYMTAB) continue;
      const uint64_t count = s.sh_size / sizeof(Elf64_Sym);
      const Elf64_Sym* symbols = at<Elf64_Sym>(s.sh_offset, count);
      for (uint64_t i = 0; symbols && i < count; ++i)
        if (const Elf64_Sym& f = symbols[i]; f.st_info == ELF64_ST_INFO(STB_GLOBAL, STT_FUNC) && is_here(f))
          functions.emplace(name_of(s, f), Function{place_of(s, f, functions), f.st_size});
    }
  }

  Object bytes_;
  const Elf64_Shdr* sections_ = nullptr;
  size_t count_ = 0;
  std::vector<uint64_t> place_;  // of each section in the image
};

}  // namespace

bool link(std::span<const Object> objects, Image& image) {
  std::vector<Part> parts(objects.begin(), objects.end());
  Functions functions;
  for (Part& p : parts) {
    if (!p.place(image, functions)) return false;
    if (&p != parts.data()) continue;
    if (functions.size() != 1) return false;
    image.start = uint32_t(functions.begin()->second.place);
    image.function_bytes = uint32_t(functions.begin()->second.bytes);
    image.shared = uint32_t(image.code.size());
  }
  return !parts.empty() &&
         std::all_of(parts.begin(), parts.end(), [&](const Part& p) { return p.relocate(image, functions); });
}

}  // namespace vitro::code
