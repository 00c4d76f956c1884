// Writes the fuzz targets' seeds: make_seeds OUTDIR SAMPLES. From our own samples and from random instructions, so that
// nothing binary need be kept in the repository. OUTDIR/{decode,assemble,device_binary}/*.
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "fuzz.h"
#include "isa/assemble.h"
#include "isa/print.h"
#include "isa/random.h"

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

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    fmt::print(stderr, "usage: make_seeds OUTDIR SAMPLES\n");
    return 2;
  }
  const fs::path out = argv[1];
  for (const char* target : {"decode", "assemble", "device_binary"}) fs::create_directories(out / target);

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
  return 0;
}
