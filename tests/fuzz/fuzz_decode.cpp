// Fuzz target: any bytes as a program of each generation. Each instruction is an error or gives its bits back; the
// disassembly of a program without errors assembles to the same instructions.
#include <cstdint>
#include <cstring>

#include "fuzz.h"
#include "isa/assemble.h"
#include "isa/disassemble.h"
#include "isa/random_properties.h"

using namespace vitro;
using namespace vitro::isa;

static void check_program(const Model& m, std::span<const std::byte> code) {
  const std::vector<DecodedInstruction> program = decode_program(m, code);
  size_t at = 0;
  bool ok = true;
  for (const DecodedInstruction& d : program) {
    fuzz::must_hold(d.offset == at && d.size > 0, m, "instructions follow each other without a gap");
    at += size_t(d.size);
    ok = ok && d.error.empty();
  }
  fuzz::must_hold(at <= code.size(), m, "decoding stays inside the program");

  int errors = -1;
  const std::string text = disassemble(m, code, {}, &errors);
  fuzz::must_hold((errors == 0) == ok, m, "disassembly counts the errors");
  const Assembly a = assemble(m, text, {.compact = CompactMode::as_written, .validate = false});
  if (!ok) return;
  fuzz::must_hold(a.ok(), m, "disassembly assembles",
                  a.diagnostics.empty() ? text : render("text", text, a.diagnostics.front(), false));
  fuzz::must_hold(a.instructions.size() == program.size(), m, "disassembly has as many instructions", text);
  for (size_t n = 0; n < program.size(); ++n)
    fuzz::must_hold(
        a.instructions[n].instruction == program[n].instruction && a.instructions[n].offset == program[n].offset, m,
        "disassembly assembles to the same instructions", text);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::span<const std::byte> bytes(reinterpret_cast<const std::byte*>(data), size);
  for (const Model* m : fuzz::models()) {
    check_program(*m, bytes);
    for (size_t at = 0; at + 16 <= size && at < 256; at += 16) {
      Word128 w;
      std::memcpy(&w, data + at, sizeof w);
      const std::string broken = broken_word(*m, w);
      fuzz::must_hold(broken.empty(), *m, "a word gives its bits back", broken);
    }
  }
  return 0;
}
