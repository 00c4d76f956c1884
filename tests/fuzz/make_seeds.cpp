// Writes the fuzz targets' seeds: make_seeds OUTDIR SAMPLES. From our own samples and from random instructions, so that
// nothing binary need be kept in the repository. OUTDIR/TARGET/*.
#include <elf.h>
#include <fmt/format.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "../drawing/seeds.h"
#include "../faults/commands.h"
#include "batch.h"
#include "blitter_seeds.h"
#if VITRO_JIT
#include "code_store.h"
#endif
#include "device/device.h"
#include "fuzz.h"
#include "isa/assemble.h"
#include "isa/print.h"
#include "isa/random.h"
#include "recording_seeds.h"
#include "visa/read_text.h"
#include "visa/samples.h"
#include "visa/write_bytes.h"

using namespace vitro;
using namespace vitro::isa;
namespace fs = std::filesystem;

namespace {

void write(const fs::path& file, std::string_view content) {
  std::ofstream(file, std::ios::binary).write(content.data(), std::streamsize(content.size()));
}
std::string_view as_text(const std::vector<std::byte>& code) {
  return {reinterpret_cast<const char*>(code.data()), code.size()};
}

void little_endian(std::string& out, uint64_t v, int bytes) {
  for (int n = 0; n < bytes; ++n) out += char(v >> 8 * n);
}

// Pragmas, which no disassembly shows: each line once, and then programs of them.
constexpr std::string_view pragmas[] = {
    ".declare S Base=r10.2 ElementSize=4 Type=f SrcRegion=<8;8,1> DstRegion=<2>\nmov (8) S(1,2) S[a0.0,1]\n",
    ".declare M ElementSize=4 Type=ud Base=m1\nmov (8) M(2) r1<8;8,1>:ud\nmov (8) M[a0.1] r2<8;8,1>:ud\n",
    ".declare Z Base=r0 ElementSize=4 Type=f Region=<0;1,0>\nmov (8) r1:f Z[a0.0]<1,0>\n",
    ".define two 2\n.define reg r7\nadd (8) reg:d reg:d two:d\n",
    ".default_execution_size (4)\n.default_execution_size_W ( 2 )\nmov r1:f r2:f\nadd r1:w r2:w 3:w\n",
    ".default_register_type f\n.default_source_register_region <8;8,1>\nadd.sat.z.f0.0 (8) r1 r2 r3\n",
    ".kernel k\n.reg_count_total 20\n.reg_count_payload 2\n.code\nif (8)\nmov (8) r1:f r2:f\nelse (8)\n"
    "mov (8) r1:f r3:f\nendif (8)\ndo\nbreak (8)\n(f0.0) while (8)\n.end_code\n.end_kernel\n",
};

// The smallest zebin: an ELF object with one kernel's section and the section names.
std::string zebin(std::string_view code) {
  const std::string names("\0.text.k\0.shstrtab\0", 19);
  const uint64_t code_at = 64, names_at = code_at + code.size(), headers_at = (names_at + names.size() + 7) & ~7ull;
  std::string s(
      "\x7f"
      "ELF\x02\x01\x01",
      7);
  s.resize(16);
  little_endian(s, 1, 2);    // relocatable
  little_endian(s, 205, 2);  // Intel GT
  little_endian(s, 1, 4);
  little_endian(s, 0, 8);
  little_endian(s, 0, 8);
  little_endian(s, headers_at, 8);
  little_endian(s, 0, 4);
  for (int v : {64, 0, 0, 64, 3, 2}) little_endian(s, uint64_t(v), 2);
  s += code;
  s += names;
  s.resize(headers_at + 64);
  auto section = [&](uint32_t name, uint32_t type, uint64_t at, uint64_t size) {
    little_endian(s, name, 4);
    little_endian(s, type, 4);
    little_endian(s, 0, 8);
    little_endian(s, 0, 8);
    little_endian(s, at, 8);
    little_endian(s, size, 8);
    little_endian(s, 0, 8);
    little_endian(s, 1, 8);
    little_endian(s, 0, 8);
  };
  section(1, 1, code_at, code.size());
  section(9, 3, names_at, names.size());
  return s;
}

// Kernels for batches: what they do is less important than which messages they send.
constexpr std::string_view kernels[] = {
    "mov (8|M0) r2.0<1>:ud r1.0<8;8,1>:ud\nmov (8|M0) r3.0<1>:ud 0x12345678:ud\n"
    "send (8|M0) null r2 0xC 0x04026E00\nsend (8|M0) r10 r2 0xC 0x02106E01\n",
    // Byte scattered, OWord block, untyped and float atomics, stateless and A64.
    "send (8|M0) r10 r2 0xA 0x02100800\nsend (8|M0) r10 r0 0xA 0x02180200\nsend (8|M0) r10 r2 0xC 0x0410A500\n"
    "send (8|M0) r10 r2 0xC 0x0411A300\nsend (8|M0) r10 r2 0xA 0x0210C2FF\nsend (8|M0) r10 r2 0xC 0x04146EFF\n",
    // Shared local memory, fence, barrier.
    "send (8|M0) null r2 0xC 0x04026EFE\n(W) send (8|M0) r10 r0 0xA 0x0219E000\n"
    "(W) send (8|M0) null r1 0x3 0x02000004\nwait (1) n0.0<0;1,0>:ud\n",
    // Typed reads and writes, the sampler, media blocks, scratch.
    "send (8|M0) r10 r2 0xC 0x06415002\nsend (8|M0) null r2 0xC 0x0E035002\nsend (8|M0) r10 r2 0x2 0x04420002\n"
    "(W) send (8|M0) r10 r0 0xA 0x02190002\n(W) send (8|M0) r10 r0 0xA 0x021C0000\n",
    // Loops and calls, indirect registers, the URB, the gateway.
    "mov (8|M0) r3.0<1>:d 5:d\nrow:\nadd (8|M0) (gt)f0.0 r3.0<1>:d r3.0<8;8,1>:d -1:d\n"
    "(f0.0) while (8|M0) row\nmov (8|M0) r4.0<1>:ud r[a0.0,0]<8;8,1>:ud\n(W) send (8|M0) null r0 0x6 0x04000007\n"
    "(W) send (8|M0) null r0 0x3 0x02000003\n",
};

// A batch that starts a kernel, with all its state.
std::string compute(const faults::Dialect& d, std::span<const std::byte> code, uint32_t simd, uint32_t threads) {
  using namespace faults;
  constexpr uint64_t at = fuzz::base;
  Words image(fuzz::image_bytes / 4);
  const auto put = [&](uint32_t offset, const Words& w) { std::copy(w.begin(), w.end(), image.begin() + offset / 4); };
  put(0, Words{d.select_gpgpu} + base_addresses(d, {at, at, at, at, at}) +
             vfe_state({.scratch = fuzz::data_at, .scratch_size = 1}) + curbe_load(256, fuzz::curbe_at) +
             descriptor_load(32, fuzz::dynamic_at) + walker({.simd = simd, .threads = threads, .x = 2, .y = 2}) +
             media_flush() + store_dword(at + fuzz::data_at, 7) + end());
  put(fuzz::dynamic_at, interface_descriptor({.kernel = fuzz::kernel_at,
                                              .bindings = fuzz::bindings_at,
                                              .curbe_registers = 1,
                                              .threads = threads,
                                              .slm = d.slm_4k,
                                              .barrier = true}));
  for (uint32_t n = 0; n < 64; ++n) image[fuzz::curbe_at / 4 + n] = n * 4;
  put(fuzz::surfaces_at, raw_buffer(at + fuzz::data_at, 4096));
  put(fuzz::surfaces_at + 64, raw_buffer(at + fuzz::data_at + 4096, 100));
  put(fuzz::surfaces_at + 128, faults::image(at + fuzz::data_at, 32, 8));
  put(fuzz::bindings_at, {fuzz::surfaces_at, fuzz::surfaces_at + 64, fuzz::surfaces_at + 128});
  std::memcpy(image.data() + fuzz::kernel_at / 4, code.data(),
              std::min<size_t>(code.size(), fuzz::image_bytes - fuzz::kernel_at));
  return std::string(reinterpret_cast<const char*>(image.data()), fuzz::image_bytes);
}

// The kernels above, and random instructions, on every device that has GPGPU; every engine gets them.
void write_batches(const fs::path& folder) {
  Rng rng(7);
  char n = 0;
  for (const gen::Device& device : gen::devices()) {
    const Model& m = device.model();
    for (const faults::Dialect& d : faults::dialects) {
      if (d.device != device.name) continue;
      for (size_t k = 0; k < std::size(kernels) + 40; ++k) {
        std::vector<std::byte> code;
        if (k < std::size(kernels)) {
          const Assembly a =
              assemble(m, std::string(kernels[k]) + std::string(faults::end_of_thread), {.validate = false});
          if (!a.ok()) {
            fmt::print(stderr, "{}\n", render("kernel", kernels[k], a.diagnostics.front(), false));
            std::exit(1);
          }
          code = a.code;
        } else {
          for (int i = 0; i < 30; ++i)
            if (const Result<Stored> s = store(m, random_instruction(m, rng)))
              code.insert(code.end(), s->bytes.begin(), s->bytes.begin() + s->size);
          code.resize((code.size() + 15) / 16 * 16);
          const Assembly a = assemble(m, faults::end_of_thread, {.validate = false});
          code.insert(code.end(), a.code.begin(), a.code.end());
        }
        for (int variant = 0; variant < 4; ++variant) {
          const std::string image = compute(d, code, uint32_t(variant) % 3, 1 + uint32_t(variant) / 2 * 3);
          const char engine = k < std::size(kernels) && variant == 3 ? char(k % 4) : char(0);
          write(folder / fmt::format("{}-{}-{}", device.name, k, variant),
                std::string{n, char(engine | (variant & 1) << 2)} + image);
        }
      }
    }
    // Draws.
    for (const faults::Dialect& d : faults::dialects)
      if (d.device == device.name)
        for (const auto& [name, drawing] : drawing::seeds(device.name)) {
          const std::vector<std::byte> memory = drawing::memory_of(drawing);
          write(folder / fmt::format("{}-draw-{}", device.name, name),
                std::string{n, char(0)}.append(as_text(memory).substr(0, fuzz::image_bytes)));
        }
    // Only MI commands, of which every engine has most.
    faults::Words w;
    for (uint32_t op = 0; op < 0x40; ++op)
      w.insert(w.end(), {op << 23 | (op < 0x10 ? 0 : 1), uint32_t(fuzz::base), 0, 0});
    for (char engine = 0; engine < 4; ++engine)
      write(folder / fmt::format("{}-mi-{}", device.name, int(engine)),
            std::string{n, engine} + std::string(reinterpret_cast<const char*>(w.data()), w.size() * 4));
    ++n;
  }
}

// Every command of the blitter.
void write_blits(const fs::path& folder) {
  char n = 0;
  for (const gen::Device& device : gen::devices()) {
    // Addresses have one dword where there are message registers.
    const auto seeds = device.model().mrf_count != 0 ? fuzz::blits<commands::blitter::gen6>(false)
                                                     : fuzz::blits<commands::blitter::gen8>(device.name != "bdw");
    for (const fuzz::BlitSeed& s : seeds) {
      const std::string_view bytes(reinterpret_cast<const char*>(s.batch.data()), s.batch.size() * 4);
      write(folder / fmt::format("{}-{}", device.name, s.name),
            std::string{n, char(device::Engine::copy)}.append(bytes));
    }
    ++n;
  }
}

// Of each meaning the least that has it. What is kept in a file the target knows best itself, so as damage: none.
void write_kept_code([[maybe_unused]] const fs::path& folder) {
#if VITRO_JIT
  const std::vector<std::byte> image = fuzz::kept_image();
  write(folder / "file", std::string(1, fuzz::file) + "vitroji2" + std::string(64, '\0'));
  write(folder / "damage", std::string(1, fuzz::damage));
  write(folder / "image", std::string(1, fuzz::image).append(as_text(image)));
  // The smallest object: a function of 16 bytes that refers to eight bytes of constants.
  struct Object {
    Elf64_Ehdr header{};
    Elf64_Shdr sections[6]{};
    Elf64_Sym symbols[3]{};
    Elf64_Rela relocation{};
    char names[3] = "\0f";
    unsigned char code[16]{}, constants[8]{};
  } o;
  std::memcpy(o.header.e_ident, ELFMAG, SELFMAG);
  o.header.e_type = ET_REL, o.header.e_machine = EM_X86_64;
  o.header.e_shoff = offsetof(Object, sections), o.header.e_shentsize = sizeof(Elf64_Shdr), o.header.e_shnum = 6;
  const auto section = [](uint32_t type, uint64_t flags, uint64_t at, uint64_t size, uint32_t link, uint32_t info) {
    return Elf64_Shdr{.sh_type = type,
                      .sh_flags = flags,
                      .sh_offset = at,
                      .sh_size = size,
                      .sh_link = link,
                      .sh_info = info,
                      .sh_addralign = 8};
  };
  o.sections[1] = section(SHT_PROGBITS, SHF_ALLOC, offsetof(Object, constants), sizeof o.constants, 0, 0);
  o.sections[2] = section(SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, offsetof(Object, code), sizeof o.code, 0, 0);
  o.sections[3] = section(SHT_SYMTAB, 0, offsetof(Object, symbols), sizeof o.symbols, 5, 0);
  o.sections[4] = section(SHT_RELA, 0, offsetof(Object, relocation), sizeof o.relocation, 3, 2);
  o.sections[5] = section(SHT_STRTAB, 0, offsetof(Object, names), sizeof o.names, 0, 0);
  o.symbols[1] = {.st_info = ELF64_ST_INFO(STB_LOCAL, STT_SECTION), .st_shndx = 1};
  o.symbols[2] = {.st_name = 1, .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC), .st_shndx = 2, .st_size = 16};
  o.relocation = {.r_offset = 4, .r_info = ELF64_R_INFO(1, R_X86_64_PC32), .r_addend = -4};
  write(folder / "object",
        std::string(1, fuzz::object).append(std::string_view(reinterpret_cast<const char*>(&o), sizeof o)));
#endif
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    fmt::print(stderr, "usage: make_seeds OUTDIR SAMPLES\n");
    return 2;
  }
  const fs::path out = argv[1];
  for (const char* target : {"decode", "assemble", "device_binary", "batch", "ioctl", "code_store", "aub", "aub_zstd",
                             "error_state", "visa_text", "visa_object"})
    fs::create_directories(out / target);

  for (const fs::directory_entry& e : fs::directory_iterator(argv[2])) {
    if (e.path().extension() != ".asm") continue;
    std::stringstream text;
    text << std::ifstream(e.path()).rdbuf();
    for (size_t n = 0; n < fuzz::models().size(); ++n) {
      const Assembly a = assemble(*fuzz::models()[n], text.str(), {});
      const std::string name = fmt::format("{}-{}", e.path().stem().string(), fuzz::models()[n]->name);
      write(out / "assemble" / name, char(n) + text.str());
      if (!a.ok()) continue;
      write(out / "decode" / name, as_text(a.code));
      write(out / "device_binary" / name, zebin(as_text(a.code)));
    }
  }
  for (size_t n = 0; n < fuzz::models().size(); ++n)
    for (size_t k = 0; k < std::size(pragmas); ++k)
      write(out / "assemble" / fmt::format("pragmas{}-{}", k, fuzz::models()[n]->name),
            char(n) + std::string(pragmas[k]));
  Rng rng(1);
  for (size_t n = 0; n < fuzz::models().size(); ++n) {
    const Model& m = *fuzz::models()[n];
    for (const OpcodeRow* row : m.by_op) {
      if (!row) continue;
      std::string text, code;
      for (int k = 0; k < 6; ++k) {
        const Instruction i = random_instruction(m, *row, rng);
        print(text, m, i);
        text += '\n';
        if (const Result<Stored> s = store(m, i))
          code.append(reinterpret_cast<const char*>(s->bytes.data()), size_t(s->size));
      }
      const std::string name = fmt::format("{}-{}", m.name, row->mnemonic);
      write(out / "assemble" / name, char(n) + text);
      write(out / "decode" / name, code);
    }
  }
  write_batches(out / "batch");
  write_blits(out / "batch");
  write_kept_code(out / "code_store");
  fuzz::write_recordings(out);
  // Every sample of vISA, as text and as object.
  int sample = 0;
  const auto write_visa = [&](std::string_view instruction) {
    const std::string text = visa::sample_kernel(instruction), name = fmt::format("sample{}", sample++);
    write(out / "visa_text" / name, text);
    write(out / "visa_object" / name, as_text(visa::write_bytes(visa::read_text(text).object).bytes));
  };
  for (const std::string_view s : visa::all_samples()) write_visa(s);
  // A request's bytes have no order worth writing down: any bytes are requests.
  for (int k = 0; k < 64; ++k) {
    std::string bytes;
    for (int n = 0; n < 100 + 60 * k; ++n) bytes += char(rng());
    write(out / "ioctl" / fmt::format("random{}", k), bytes);
  }
  return 0;
}
