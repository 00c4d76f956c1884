// Round trips and exchange: bytes to struct to bytes; bytes to text to bytes; through iga64 in both directions.
#include "checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "isa/assemble.h"
#include "isa/layout.h"
#include "isa/print.h"
#include "isa/validate.h"

namespace vitro::iga {
namespace {

// What compilers emit although the generation does not have it: the decoder must say exactly this.
struct ReservedInUse {
  std::string_view device, message, reason;
};
constexpr ReservedInUse reserved_in_use[] = {
    {"bdw", "Opcode: reserved value 0x33", "IGC emits sends with -cl-opt-disable, which Gen8 does not have"},
};

bool is_reserved_in_use(std::string_view device, std::string_view message) {
  return std::any_of(std::begin(reserved_in_use), std::end(reserved_in_use),
                     [&](const ReservedInUse& r) { return r.device == device && r.message == message; });
}

std::string hex(std::span<const std::byte> bytes) {
  std::string s;
  for (size_t n = bytes.size(); n-- > 0;)
    fmt::format_to(std::back_inserter(s), "{:02x}{}", unsigned(bytes[n]), n % 4 == 0 && n ? " " : "");
  return s;
}

std::string first_errors(const isa::Diagnostics& diagnostics, std::string_view text) {
  std::string s;
  int n = 0;
  for (const isa::Diagnostic& d : diagnostics) {
    if (d.severity != isa::Diagnostic::Severity::error || ++n > 3) continue;
    size_t from = 0;
    for (int line = 1; line < d.line; ++line) from = text.find('\n', from) + 1;
    fmt::format_to(std::back_inserter(s), "\n    {}:{}: {}\n    {}", d.line, d.column, d.message,
                   text.substr(from, text.find('\n', from) - from));
  }
  return s;
}

// Where two programs part, with the instruction of each.
std::string first_difference(const isa::Model& m, std::span<const std::byte> a, std::span<const std::byte> b) {
  size_t at = 0;
  while (at < a.size() && at < b.size()) {
    const Result<isa::Fetched> x = isa::fetch(m, a.subspan(at)), y = isa::fetch(m, b.subspan(at));
    const size_t size = x ? size_t(x->size) : 16;
    if (!x || !y || x->size != y->size ||
        !std::equal(a.begin() + long(at), a.begin() + long(at + size), b.begin() + long(at)))
      return fmt::format(" at {:#x}:\n    {}  {}\n    {}  {}", at,
                         hex(a.subspan(at, std::min<size_t>(16, a.size() - at))),
                         x ? isa::to_text(m, x->instruction) : x.error().message,
                         hex(b.subspan(at, std::min<size_t>(16, b.size() - at))),
                         y ? isa::to_text(m, y->instruction) : y.error().message);
    at += size;
  }
  return fmt::format(": {} and {} bytes", a.size(), b.size());
}

bool equal(std::span<const std::byte> a, std::span<const std::byte> b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin());
}

void expect_same(Run& run, std::string_view kernel, std::string_view what, std::span<const std::byte> is,
                 std::span<const std::byte> wanted) {
  const bool same = equal(is, wanted);
  expect(run, same, kernel, same ? std::string{} : fmt::format("{}{}", what, first_difference(run.model, is, wanted)));
}

// Each instruction by itself, and the only place where a reserved encoding may stand.
void check_instructions(Run& run, std::string_view kernel, std::span<const isa::DecodedInstruction> program,
                        std::span<const std::byte> code) {
  size_t reserved = 0;
  for (const isa::DecodedInstruction& d : program) {
    ++run.sum.instructions;
    run.sum.compact_in_corpus += d.instruction.compacted;
    const auto bytes = code.subspan(d.offset, size_t(d.size));
    if (!d.error.empty()) {
      const bool known = is_reserved_in_use(run.device, d.error);
      reserved += known;
      expect(run, known, kernel, fmt::format("decoding at {:#x}: {}: {}", d.offset, d.error, hex(bytes)));
      continue;
    }
    const Result<isa::Stored> s = isa::store(run.model, d.instruction);
    const bool same = s && equal(std::span(s->bytes).first(size_t(s->size)), bytes);
    expect(run, same, kernel,
           same ? std::string{}
                : fmt::format("fetch and store at {:#x}:\n    {}\n    {}", d.offset, hex(bytes),
                              s ? hex(std::span(s->bytes).first(size_t(s->size))) : s.error().message));
    // what a real compiler writes breaks no rule; advice is for remarks
    std::string broken;
    for (const isa::Violation& v : isa::validate(run.model, d.instruction))
      if (is_error(v)) broken += fmt::format(" {}", v.rule->id);
    expect(run, broken.empty(), kernel,
           broken.empty()
               ? std::string{}
               : fmt::format("rules broken at {:#x}:{}: {}", d.offset, broken, isa::to_text(run.model, d.instruction)));
  }
  run.sum.reserved += reserved;
  run.sum.kernels_with_reserved += reserved != 0;
}

// The same program with a nop for each reserved encoding, so that all others go through the checks of whole programs.
Bytes without_reserved(const isa::Model& m, std::span<const isa::DecodedInstruction> program,
                       std::span<const std::byte> code) {
  Bytes out(code.begin(), code.end());
  isa::Instruction nop;
  nop.op = isa::Op::nop;
  const isa::Stored s = *isa::store(m, nop);
  for (const isa::DecodedInstruction& d : program)
    if (!d.error.empty()) std::memcpy(&out[d.offset], s.bytes.data(), size_t(d.size));
  return out;
}

// Bytes to text to bytes: everything comes back, ignored bits too.
void check_own_text(Run& run, std::string_view kernel, std::span<const std::byte> code) {
  const std::string text = isa::disassemble(run.model, code);
  const isa::Assembly a = isa::assemble(run.model, text, {.validate = false});
  if (expect(run, a.ok(), kernel, a.ok() ? "" : "assembling our text:" + first_errors(a.diagnostics, text)))
    expect_same(run, kernel, "our text assembled", a.code, code);
}

Word128 native(const isa::Model& m, isa::Instruction i) {
  i.compacted = false;
  const Result<Word128> w = isa::encode(m, i);
  return w ? *w : Word128{};
}

// What iga64 does not give back as it was must be bits that mean nothing.
void check_reference(Run& run, std::string_view kernel, std::span<const isa::DecodedInstruction> program,
                     std::span<const std::byte> code, std::span<const std::byte> reference) {
  if (equal(code, reference)) return;
  const std::vector<isa::DecodedInstruction> others = isa::decode_program(run.model, reference);
  if (!expect(run, program.size() == others.size(), kernel, "iga64 gives back another number of instructions")) return;
  for (size_t n = 0; n < program.size(); ++n) {
    const isa::DecodedInstruction &a = program[n], &b = others[n];
    if (!expect(run, b.error.empty() && a.offset == b.offset && a.size == b.size, kernel,
                fmt::format("iga64 gives back another size at {:#x}", a.offset)))
      return;
    if (equal(code.subspan(a.offset, size_t(a.size)), reference.subspan(b.offset, size_t(b.size)))) continue;
    ++run.sum.changed_by_iga;
    const Word128 difference = native(run.model, a.instruction) ^ native(run.model, b.instruction);
    if (!difference) {
      ++run.sum.reencoded;
      continue;
    }
    const Word128 uncovered = difference & ~isa::ignored_mask(run.model, a.instruction);
    expect(run, !uncovered, kernel,
           fmt::format("iga64 changes bits {:016x}:{:016x}{}", uncovered.hi, uncovered.lo,
                       first_difference(run.model, code.subspan(a.offset), reference.subspan(b.offset))));
    const int format = int(run.model.row(a.instruction.op)->format);
    for (const isa::IgnoredField& f : run.model.encoding->layout->ignored)
      if ((f.formats >> format & 1) && (mask(f.bits) & difference))
        ++run.sum.changed_field[fmt::format("{} {}", isa::mnemonic(a.instruction.op), f.name)];
  }
}

// Our text to iga64 and its text to us: both give what iga64 gives with its own.
void check_exchange(Run& run, std::string_view kernel, std::span<const std::byte> code, const std::string& iga_text,
                    std::span<const std::byte> reference) {
  const std::string text = isa::disassemble(run.model, code, {.print = {.iga = true}});
  const Result<Bytes> c = assemble(run.iga, text);
  if (expect(run, c.has_value(), kernel, c ? "" : "iga64 on our text: " + c.error().message))
    expect_same(run, kernel, "our text assembled by iga64", *c, reference);
  const isa::Assembly d = isa::assemble(run.model, iga_text, {.validate = false});
  if (expect(run, d.ok(), kernel, d.ok() ? "" : "assembling iga64's text:" + first_errors(d.diagnostics, iga_text)))
    expect_same(run, kernel, "iga64's text assembled by us", d.code, reference);
}

}  // namespace

bool expect(Run& run, bool holds, std::string_view kernel, std::string_view what) {
  constexpr size_t most_printed = 40;
  ++(holds ? run.sum.passed : run.sum.failed);
  if (!holds && run.sum.failed <= most_printed) fmt::print("{} {}: {}\n", run.device, kernel, what);
  return holds;
}

void check_kernel(Run& run, std::string_view name, std::span<const std::byte> code) {
  ++run.sum.kernels;
  code = isa::without_padding(code);
  std::vector<isa::DecodedInstruction> program = isa::decode_program(run.model, code);
  if (!expect(run, !program.empty(), name, "no instructions")) return;
  check_instructions(run, name, program, code);

  const Bytes subject = without_reserved(run.model, program, code);
  program = isa::decode_program(run.model, subject);
  check_own_text(run, name, subject);

  const Result<std::string> text = disassemble(run.iga, subject);
  if (!expect(run, text.has_value(), name, text ? "" : "iga64 -d: " + text.error().message)) return;
  const Result<Bytes> reference = assemble(run.iga, *text);
  if (!expect(run, reference.has_value(), name, reference ? "" : "iga64 -a: " + reference.error().message)) return;
  check_reference(run, name, program, subject, *reference);
  check_exchange(run, name, subject, *text, *reference);
  check_compaction(run, name, program, *text);
}

}  // namespace vitro::iga
