// A linker for one function and those it calls: ELF for x86-64, sections that are loaded, distances of 32 bits between
// them. PRM: none; System V ABI, AMD64 supplement, chapter 4. Unwind tables are left out: nothing is thrown through
// compiled code.
#include <elf.h>

#include <cstring>
#include <string_view>

#include "eu/jit/image.h"

namespace vitro::eu::jit {
namespace {

class Object {
 public:
  explicit Object(std::span<const std::byte> bytes) : bytes_(bytes) {}

  bool link(Image& image) {
    const Elf64_Ehdr* header = at<Elf64_Ehdr>(0);
    if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_type != ET_REL ||
        header->e_machine != EM_X86_64 || header->e_shentsize != sizeof(Elf64_Shdr))
      return false;
    count_ = header->e_shnum;
    sections_ = at<Elf64_Shdr>(header->e_shoff, count_);
    if (!sections_) return false;
    place_.assign(count_, nowhere);
    return lay_out(image) && relocate(image) && find_function(image);
  }

 private:
  static constexpr uint64_t nowhere = ~uint64_t(0);

  template <class T>
  const T* at(uint64_t offset, uint64_t count = 1) const {
    if (offset > bytes_.size() || count > (bytes_.size() - offset) / sizeof(T)) return nullptr;
    return reinterpret_cast<const T*>(bytes_.data() + offset);
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

  bool relocate(Image& image) const {
    for (size_t n = 0; n < count_; ++n) {
      const Elf64_Shdr& s = sections_[n];
      if (s.sh_type != SHT_RELA || s.sh_info >= count_ || s.sh_link >= count_ || place_[s.sh_info] == nowhere) continue;
      const uint64_t count = s.sh_size / sizeof(Elf64_Rela);
      const Elf64_Rela* relocations = at<Elf64_Rela>(s.sh_offset, count);
      if (!relocations) return false;
      for (uint64_t r = 0; r < count; ++r)
        if (!apply(image, sections_[s.sh_info], place_[s.sh_info], sections_[s.sh_link], relocations[r])) return false;
    }
    return true;
  }

  bool apply(Image& image, const Elf64_Shdr& section, uint64_t place, const Elf64_Shdr& table,
             const Elf64_Rela& r) const {
    const uint64_t number = ELF64_R_SYM(r.r_info);
    const Elf64_Sym* symbols = at<Elf64_Sym>(table.sh_offset, table.sh_size / sizeof(Elf64_Sym));
    if (!symbols || number >= table.sh_size / sizeof(Elf64_Sym)) return false;
    const Elf64_Sym& symbol = symbols[number];
    if (symbol.st_shndx >= count_ || place_[symbol.st_shndx] == nowhere) return false;
    const uint64_t type = ELF64_R_TYPE(r.r_info);
    if (type != R_X86_64_PC32 && type != R_X86_64_PLT32) return false;
    if (section.sh_size < 4 || r.r_offset > section.sh_size - 4) return false;
    const uint64_t at = place + r.r_offset;
    const int64_t distance = int64_t(place_[symbol.st_shndx] + symbol.st_value) + r.r_addend - int64_t(at);
    const int32_t value = int32_t(distance);
    if (value != distance) return false;
    std::memcpy(image.code.data() + at, &value, sizeof value);
    return true;
  }

  bool find_function(Image& image) const {
    for (size_t n = 0; n < count_; ++n) {
      const Elf64_Shdr& s = sections_[n];
      if (s.sh_type != SHT_SYMTAB) continue;
      const uint64_t count = s.sh_size / sizeof(Elf64_Sym);
      const Elf64_Sym* symbols = at<Elf64_Sym>(s.sh_offset, count);
      for (uint64_t i = 0; symbols && i < count; ++i) {
        const Elf64_Sym& symbol = symbols[i];
        if (symbol.st_info != ELF64_ST_INFO(STB_GLOBAL, STT_FUNC) || symbol.st_shndx >= count_ ||
            place_[symbol.st_shndx] == nowhere)
          continue;
        image.start = uint32_t(place_[symbol.st_shndx] + symbol.st_value);
        image.function_bytes = uint32_t(symbol.st_size);
        return true;
      }
    }
    return false;
  }

  std::span<const std::byte> bytes_;
  const Elf64_Shdr* sections_ = nullptr;
  size_t count_ = 0;
  std::vector<uint64_t> place_;  // of each section in the image
};

}  // namespace

bool link(std::span<const std::byte> object, Image& image) { return Object(object).link(image); }

}  // namespace vitro::eu::jit
