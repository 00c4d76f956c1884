// Reader of device binaries: ELF sections, the patch-token program, notes and symbols of a zebin. See the header for
// the forms. Every offset and size comes from the file and is checked against what is there before it is used; the
// checks are written so that no sum of two numbers from the file can wrap.
#include "isa/device_binary.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace vitro::isa {
namespace {

using Bytes = std::span<const std::byte>;

// A little-endian number at a fixed place of a record.
struct Field {
  uint8_t at, width;  // bytes
};

// ---- Records of the ELF file, in its two word sizes ----

struct ElfLayout {
  size_t header_size, section_size, symbol_size;
  Field section_table, section_entry_size, section_count, name_section;                  // in the header
  Field section_name, section_type, section_offset, section_bytes, section_record_size;  // in a section
  Field symbol_info, symbol_section, symbol_value, symbol_bytes;                         // in a symbol
};

constexpr ElfLayout elf32{
    .header_size = 52,
    .section_size = 40,
    .symbol_size = 16,
    .section_table = {32, 4},
    .section_entry_size = {46, 2},
    .section_count = {48, 2},
    .name_section = {50, 2},
    .section_name = {0, 4},
    .section_type = {4, 4},
    .section_offset = {16, 4},
    .section_bytes = {20, 4},
    .section_record_size = {36, 4},
    .symbol_info = {12, 1},
    .symbol_section = {14, 2},
    .symbol_value = {4, 4},
    .symbol_bytes = {8, 4},
};

constexpr ElfLayout elf64{
    .header_size = 64,
    .section_size = 64,
    .symbol_size = 24,
    .section_table = {40, 8},
    .section_entry_size = {58, 2},
    .section_count = {60, 2},
    .name_section = {62, 2},
    .section_name = {0, 4},
    .section_type = {4, 4},
    .section_offset = {24, 8},
    .section_bytes = {32, 8},
    .section_record_size = {56, 8},
    .symbol_info = {4, 1},
    .symbol_section = {6, 2},
    .symbol_value = {8, 8},
    .symbol_bytes = {16, 8},
};

constexpr Field elf_class{4, 1}, elf_data{5, 1}, elf_type{16, 2}, elf_machine{18, 2};
constexpr uint64_t class_32 = 1, class_64 = 2, data_little_endian = 1;
constexpr uint64_t machine_intel_gt = 205;
// The OpenCL object, library and executable, and the zebin's own executable type.
constexpr std::array<uint64_t, 4> device_elf_types{0xff02, 0xff03, 0xff04, 0xff12};

constexpr uint64_t section_null = 0, section_progbits = 1, section_symtab = 2, section_note = 7, section_nobits = 8,
                   section_device_binary = 0xff000005;
constexpr uint64_t symbol_function = 2;
constexpr size_t longest_name = 4096;
constexpr std::string_view text_prefix = ".text.", compatibility_notes = ".note.intelgt.compat";

// ---- Records of the patch-token program ----

constexpr size_t program_header_size = 28;
constexpr Field program_device{8, 4}, program_kernels{16, 4}, program_patches{24, 4};

constexpr size_t kernel_header_size = 40;
constexpr Field kernel_name_size{12, 4}, kernel_patches{16, 4}, kernel_heap{20, 4}, kernel_general_state{24, 4},
    kernel_dynamic_state{28, 4}, kernel_surface_state{32, 4}, kernel_unpadded{36, 4};

constexpr std::string_view elf_magic = "\177ELF", program_magic = "CTNI", archive_magic = "!<arch>\n";

// ---- Targets ----

struct Target {
  uint32_t number;
  std::string_view device;
};
// The compiler's numbers of render core families (patch tokens) ...
constexpr Target core_families[] = {{8, "Gen6core"},   {9, "Gen7core"},    {10, "Gen7_5core"}, {11, "Gen8core"},
                                    {12, "Gen9core"},  {13, "Gen10core"},  {15, "Gen11core"},  {16, "Gen11LPcore"},
                                    {17, "Gen12core"}, {18, "Gen12LPcore"}};
// ... and of products (zebin): Broadwell, Cherryview, Skylake, Kaby Lake, Coffee Lake, Broxton, Gemini Lake.
constexpr Target products[] = {{16, "Gen8core"}, {17, "Gen8core"}, {18, "Gen9core"}, {19, "Gen9core"},
                               {20, "Gen9core"}, {22, "Gen9core"}, {23, "Gen9core"}};

std::string device_name(std::span<const Target> targets, std::string_view kind, uint64_t number) {
  const auto row = std::ranges::find(targets, number, &Target::number);
  return row != targets.end() ? std::string(row->device) : fmt::format("{} {}", kind, number);
}

// ---- Bounds-checked access ----

bool begins_with(Bytes bytes, std::string_view magic) {
  return bytes.size() >= magic.size() &&
         std::ranges::equal(bytes.first(magic.size()), magic, {}, [](std::byte b) { return char(b); });
}

// The caller has made sure that the record holds the field.
uint64_t load(Bytes record, Field field) {
  uint64_t value = 0;
  for (int i = field.width; i-- > 0;) value = value << 8 | uint64_t(record[size_t(field.at) + i]);
  return value;
}

Result<Bytes> slice(Bytes from, uint64_t at, uint64_t size, std::string_view what) {
  if (at > from.size() || size > from.size() - at)
    return failure(fmt::format("device binary is cut off or corrupt: {} needs {} bytes at offset {}, but there are {}",
                               what, size, at, from.size()));
  return from.subspan(at, size);
}

// Text up to its NUL, or to the end of what is there.
std::string_view text(Bytes bytes) {
  const std::string_view all(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return all.substr(0, all.find('\0'));
}

// ---- Patch-token program ----

// Takes records off the front of the program, one after the other, each at a place the sizes before it decide.
struct Cursor {
  Bytes bytes;
  uint64_t at = 0;
  Result<Bytes> take(uint64_t size, std::string_view what) {
    auto taken = slice(bytes, at, size, what);
    if (taken) at += size;
    return taken;
  }
};

Result<DeviceKernel> read_kernel(Cursor& program, uint64_t number) {
  const auto header = program.take(kernel_header_size, fmt::format("the header of kernel {}", number));
  if (!header) return tl::unexpected(header.error());
  const auto name_bytes = program.take(load(*header, kernel_name_size), fmt::format("the name of kernel {}", number));
  if (!name_bytes) return tl::unexpected(name_bytes.error());
  const std::string name(text(*name_bytes));
  if (name.empty()) return failure(fmt::format("device binary is corrupt: kernel {} has no name", number));

  const auto heap = program.take(load(*header, kernel_heap), fmt::format("the kernel heap of '{}'", name));
  if (!heap) return tl::unexpected(heap.error());
  const uint64_t unpadded = load(*header, kernel_unpadded);
  if (unpadded > heap->size())
    return failure(fmt::format("device binary is corrupt: kernel '{}' claims {} bytes of code in a heap of {}", name,
                               unpadded, heap->size()));

  constexpr struct {
    Field size;
    std::string_view what;
  } rest[] = {{kernel_general_state, "general state heap"},
              {kernel_dynamic_state, "dynamic state heap"},
              {kernel_surface_state, "surface state heap"},
              {kernel_patches, "patch list"}};
  for (const auto& [size, what] : rest)
    if (const auto skipped = program.take(load(*header, size), fmt::format("the {} of '{}'", what, name)); !skipped)
      return tl::unexpected(skipped.error());
  return DeviceKernel{name, heap->first(unpadded)};
}

Result<DeviceBinary> read_program(Bytes bytes) {
  Cursor program{bytes};
  const auto header = program.take(program_header_size, "the program header");
  if (!header) return tl::unexpected(header.error());
  if (!begins_with(*header, program_magic))
    return failure("device binary is corrupt: its program does not begin with 'CTNI'");
  if (const auto patches = program.take(load(*header, program_patches), "the program's patch list"); !patches)
    return tl::unexpected(patches.error());

  DeviceBinary result{device_name(core_families, "family", load(*header, program_device)), {}};
  const uint64_t kernels = load(*header, program_kernels);
  for (uint64_t i = 0; i < kernels; ++i) {
    auto kernel = read_kernel(program, i);
    if (!kernel) return tl::unexpected(kernel.error());
    result.kernels.push_back(std::move(*kernel));
  }
  // The sizes lead from record to record, so a wrong one shows at the latest here.
  if (program.at != bytes.size())
    return failure(fmt::format("device binary is corrupt: {} bytes follow its last kernel", bytes.size() - program.at));
  return result;
}

// ---- ELF ----

struct Section {
  std::string_view name;
  uint64_t type, record_size;
  Bytes bytes;  // empty for sections without contents in the file
};

struct Elf {
  const ElfLayout* layout;
  uint64_t type, machine;
  std::vector<Section> sections;
};

Result<Elf> read_elf(Bytes file) {
  const auto identity = slice(file, 0, elf32.header_size, "the ELF header");
  if (!identity) return tl::unexpected(identity.error());
  const uint64_t word_class = load(*identity, elf_class);
  if ((word_class != class_32 && word_class != class_64) || load(*identity, elf_data) != data_little_endian)
    return failure("device binary is corrupt: its ELF header names no known word size and byte order");
  const ElfLayout& layout = word_class == class_32 ? elf32 : elf64;
  const auto header = slice(file, 0, layout.header_size, "the ELF header");
  if (!header) return tl::unexpected(header.error());

  Elf elf{&layout, load(*header, elf_type), load(*header, elf_machine), {}};
  const uint64_t count = load(*header, layout.section_count), stride = load(*header, layout.section_entry_size);
  if (stride != layout.section_size)
    return failure(fmt::format("device binary is corrupt: its section headers are {} bytes long, expected {}", stride,
                               layout.section_size));
  const auto table = slice(file, load(*header, layout.section_table), count * stride, "the table of section headers");
  if (!table) return tl::unexpected(table.error());
  const uint64_t names_at = load(*header, layout.name_section);
  if (names_at >= count)
    return failure(
        fmt::format("device binary is corrupt: section {} of {} should hold the section names", names_at, count));

  for (uint64_t i = 0; i < count; ++i) {
    const Bytes record = table->subspan(i * stride, stride);
    Section section{{}, load(record, layout.section_type), load(record, layout.section_record_size), {}};
    if (section.type != section_null && section.type != section_nobits) {
      const auto bytes = slice(file, load(record, layout.section_offset), load(record, layout.section_bytes),
                               fmt::format("section {}", i));
      if (!bytes) return tl::unexpected(bytes.error());
      section.bytes = *bytes;
    }
    elf.sections.push_back(section);
  }
  const Bytes names = elf.sections[names_at].bytes;
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t at = load(table->subspan(i * stride, stride), layout.section_name);
    // The limit keeps a hostile file from naming all its sections by the same megabytes.
    const Bytes rest = names.subspan(std::min<uint64_t>(at, names.size()));
    const std::string_view name = text(rest.first(std::min(rest.size(), longest_name + 1)));
    if (name.size() == rest.size() || name.size() > longest_name)
      return failure(fmt::format("device binary is cut off or corrupt: the name of section {} does not end", i));
    elf.sections[i].name = name;
  }
  return elf;
}

// ---- Zebin ----

// The target from the notes: a core family if recorded (compilers leave it 0), otherwise a product.
Result<std::string> target_of_notes(Bytes notes) {
  constexpr Field owner_size{0, 4}, description_size{4, 4}, note_type{8, 4}, number{0, 4};
  constexpr uint64_t product_family = 1, core_family = 2;
  const auto padded = [](uint64_t size) { return (size + 3) & ~uint64_t{3}; };
  std::optional<uint64_t> product, core;
  Cursor cursor{notes};
  while (cursor.at < notes.size()) {
    const auto header = cursor.take(12, "a note's header");
    if (!header) return tl::unexpected(header.error());
    const auto owner = cursor.take(padded(load(*header, owner_size)), "a note's owner");
    if (!owner) return tl::unexpected(owner.error());
    const uint64_t size = load(*header, description_size);
    const auto description = cursor.take(padded(size), "a note's description");
    if (!description) return tl::unexpected(description.error());
    if (text(*owner) != "IntelGT" || size != number.width) continue;
    const uint64_t type = load(*header, note_type);
    if (type == product_family) product = load(*description, number);
    if (type == core_family) core = load(*description, number);
  }
  if (core.value_or(0) != 0) return device_name(core_families, "family", *core);
  if (product.value_or(0) != 0) return device_name(products, "product", *product);
  return std::string();
}

// For each section the end of its last function (0: it has none), which is where its code ends and padding begins.
Result<std::vector<uint64_t>> function_ends(const Elf& elf) {
  const ElfLayout& layout = *elf.layout;
  std::vector<uint64_t> ends(elf.sections.size());
  const auto table = std::ranges::find(elf.sections, section_symtab, &Section::type);
  if (table == elf.sections.end()) return ends;
  if (table->record_size != layout.symbol_size || table->bytes.size() % layout.symbol_size != 0)
    return failure("device binary is corrupt: its symbol table is not made of whole symbols");
  for (size_t at = 0; at < table->bytes.size(); at += layout.symbol_size) {
    const Bytes symbol = table->bytes.subspan(at, layout.symbol_size);
    const uint64_t number = load(symbol, layout.symbol_section);
    if ((load(symbol, layout.symbol_info) & 15) != symbol_function || number >= ends.size()) continue;
    const uint64_t value = load(symbol, layout.symbol_value), size = load(symbol, layout.symbol_bytes);
    const Section& code = elf.sections[number];
    if (const auto inside = slice(code.bytes, value, size, fmt::format("a function in '{}'", code.name)); !inside)
      return tl::unexpected(inside.error());
    ends[number] = std::max(ends[number], value + size);
  }
  return ends;
}

Result<DeviceBinary> read_zebin(const Elf& elf) {
  DeviceBinary result;
  const auto notes = std::ranges::find(elf.sections, compatibility_notes, &Section::name);
  if (notes != elf.sections.end() && notes->type == section_note) {
    auto device = target_of_notes(notes->bytes);
    if (!device) return tl::unexpected(device.error());
    result.device = std::move(*device);
  }
  const auto ends = function_ends(elf);
  if (!ends) return tl::unexpected(ends.error());
  for (size_t i = 0; i < elf.sections.size(); ++i) {
    const Section& section = elf.sections[i];
    if (section.type != section_progbits || !section.name.starts_with(text_prefix)) continue;
    const uint64_t size = (*ends)[i] != 0 ? (*ends)[i] : section.bytes.size();
    result.kernels.push_back({std::string(section.name.substr(text_prefix.size())), section.bytes.first(size)});
  }
  return result;
}

}  // namespace

bool is_device_binary(Bytes file) {
  if (begins_with(file, program_magic) || begins_with(file, archive_magic)) return true;
  if (!begins_with(file, elf_magic) || file.size() < elf32.header_size) return false;
  return load(file, elf_machine) == machine_intel_gt ||
         std::ranges::find(device_elf_types, load(file, elf_type)) != device_elf_types.end();
}

Result<DeviceBinary> read_device_binary(Bytes file) {
  if (begins_with(file, archive_magic))
    return failure("this is an archive of binaries for several devices: unpack it with 'ar x' and read one of them");
  if (begins_with(file, program_magic)) return read_program(file);
  if (!is_device_binary(file)) return failure("not a device binary: neither an OpenCL ELF file nor a 'CTNI' program");

  auto elf = read_elf(file);
  if (!elf) return tl::unexpected(elf.error());
  const auto container = std::ranges::find(elf->sections, section_device_binary, &Section::type);
  if (container != elf->sections.end()) {
    if (!begins_with(container->bytes, elf_magic)) return read_program(container->bytes);
    elf = read_elf(container->bytes);  // a zebin may itself be wrapped
    if (!elf) return tl::unexpected(elf.error());
  }
  if (elf->machine != machine_intel_gt)
    return failure("this OpenCL ELF file holds no device binary (perhaps it was compiled to SPIR-V only)");
  return read_zebin(*elf);
}

}  // namespace vitro::isa
