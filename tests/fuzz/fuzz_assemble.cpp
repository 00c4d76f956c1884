// Fuzz target: any text as a program. The first byte chooses generation and options. Diagnostics point into the text;
// what assembles without an error disassembles without one, and that text assembles to the same bytes.
#include <algorithm>
#include <cstdint>

#include "fuzz.h"
#include "isa/assemble.h"
#include "isa/disassemble.h"

using namespace vitro;
using namespace vitro::isa;

static void check_diagnostics(const Model& m, std::string_view text, const Diagnostics& diagnostics) {
  std::vector<size_t> lengths{0};
  for (char c : text)
    if (c == '\n')
      lengths.push_back(0);
    else
      ++lengths.back();
  for (const Diagnostic& d : diagnostics) {
    const std::string shown = render("text", text, d, false);
    fuzz::must_hold(d.line >= 1 && size_t(d.line) <= lengths.size(), m, "a diagnostic names a line of the text", shown);
    // one past the end: something is missing there
    fuzz::must_hold(d.column >= 1 && size_t(d.column) <= lengths[size_t(d.line) - 1] + 1, m,
                    "a diagnostic names a column of its line", shown);
    fuzz::must_hold(d.length >= 1 && !d.message.empty(), m, "a diagnostic has a length and a message", shown);
  }
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const Model& m = *fuzz::models()[data[0] % 3];
  const auto mode = CompactMode(data[0] / 3 % 3);
  const bool check_rules = data[0] / 9 % 2;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const Assembly a = assemble(m, text, {.compact = mode, .validate = check_rules});
  check_diagnostics(m, text, a.diagnostics);
  if (!a.ok()) return 0;

  int errors = 0;
  const std::string listing = disassemble(m, a.code, {}, &errors);
  fuzz::must_hold(errors == 0, m, "what assembles decodes", listing);
  const Assembly again = assemble(m, listing, {.compact = CompactMode::as_written, .validate = false});
  fuzz::must_hold(again.ok(), m, "the disassembly assembles",
                  again.diagnostics.empty() ? listing : render("listing", listing, again.diagnostics.front(), false));
  fuzz::must_hold(again.code == a.code, m, "the disassembly assembles to the same bytes", listing);
  return 0;
}
