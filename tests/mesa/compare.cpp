// Compares a capture of Mesa's shader compiler with our decoder: `compare DEVICE CAPTURE MINIMUM`.
// For every instruction: the bytes decode and encode to themselves, the uncompacted form means the same, and every
// field Mesa prints agrees with the decoded instruction (agreement.h). Exit 1 on any difference, or when the capture
// has fewer than MINIMUM instructions.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>

#include "agreement.h"
#include "gen/models.h"
#include "isa/assemble.h"
#include "isa/disassemble.h"
#include "isa/model.h"
#include "isa/validate.h"
#include "mesa_text.h"

namespace vitro::mesa {
namespace {

constexpr int reports_per_kind = 5;

struct Tally {
  int passed = 0, failed = 0;
  std::map<std::string, int> kinds;  // of faults: what stands before the colon
  std::vector<int> op_seen = std::vector<int>(isa::op_count);
  ExceptionUse used = ExceptionUse(exceptions().size());
};

std::string hex(std::span<const std::byte> bytes) {
  std::string out;
  for (std::byte b : bytes) out += fmt::format("{:02x} ", unsigned(b));
  return out;
}

Result<std::string> encoding_fault(const isa::Model& model, const isa::Instruction& i, const Line& line) {
  const Result<isa::Stored> stored = store(model, i);
  if (!stored) return failure("encode: " + stored.error().message);
  const std::span<const std::byte> bytes(stored->bytes.data(), size_t(stored->size));
  if (!std::ranges::equal(bytes, line.bytes)) return "encode: gives " + hex(bytes);
  if (!i.compacted) return std::string();

  isa::Instruction wide = i;
  wide.compacted = false;
  const Result<isa::Stored> native = store(model, wide);
  if (!native) return failure("encode uncompacted: " + native.error().message);
  const Result<isa::Fetched> again = fetch(model, native->bytes);
  if (!again) return failure("decode uncompacted: " + again.error().message);
  if (again->instruction != wide) return "decode uncompacted: is something else: " + hex(native->bytes);
  return std::string();
}

// The validator has its own place below; here only the bytes count.
constexpr isa::AssembleOptions assemble_options{.compact = isa::CompactMode::as_written, .validate = false};

// The text of one instruction, assembled again; branches have their distance as a number.
std::string text_fault(const isa::Model& model, const isa::Instruction& i, const Line& line) {
  const std::string text = to_text(model, i);
  const isa::Assembly assembly = assemble(model, text, assemble_options);
  for (const isa::Diagnostic& d : assembly.diagnostics)
    if (d.severity == isa::Diagnostic::Severity::error) return fmt::format("assemble: '{}': {}", text, d.message);
  if (!std::ranges::equal(assembly.code, line.bytes))
    return fmt::format("text: '{}' assembles to {}", text, hex(assembly.code));
  return "";
}

// The text of the whole program, with labels, assembled again.
bool text_returns(const isa::Model& model, const Program& program) {
  std::vector<std::byte> code;
  for (const Line& line : program.lines) code.insert(code.end(), line.bytes.begin(), line.bytes.end());
  const isa::Assembly assembly = assemble(model, disassemble(model, code), assemble_options);
  return assembly.ok() && assembly.code == code;
}

// What is wrong with one instruction, a line each; empty: nothing.
std::vector<std::string> faults(const isa::Model& model, const Program& program, const Line& line, Tally& tally) {
  const Result<isa::Fetched> fetched = fetch(model, line.bytes);
  if (!fetched) return {"decode: " + fetched.error().message};
  const isa::Instruction& i = fetched->instruction;
  tally.op_seen[size_t(i.op)]++;
  std::vector<std::string> out;
  const Result<std::string> encoding = encoding_fault(model, i, line);
  if (const std::string fault = encoding ? *encoding : encoding.error().message; !fault.empty()) out.push_back(fault);
  if (const std::string fault = text_fault(model, i, line); !fault.empty()) out.push_back(fault);
  for (const isa::Violation& v : validate(model, i))
    if (is_error(v)) out.push_back(fmt::format("breaks rule {}: {}", v.rule->id, v.rule->statement));

  const Result<Instruction> mesa = parse_instruction(line.text);
  if (!mesa) {
    out.push_back("Mesa's text is not understood: " + mesa.error().message);
    return out;
  }
  for (const Mismatch& m : disagreements(model, program, line, *mesa, i, tally.used))
    out.push_back(fmt::format("{}: Mesa has '{}', we have '{}'", m.field, m.mesa, m.ours));
  return out;
}

int compare(const isa::Model& model, const std::vector<Program>& programs, int minimum) {
  Tally tally;
  for (const Program& program : programs) {
    const int failed_before = tally.failed;
    for (const Line& line : program.lines) {
      const std::vector<std::string> wrong = faults(model, program, line, tally);
      if (wrong.empty()) {
        tally.passed++;
        continue;
      }
      tally.failed++;
      bool report = false;
      for (const std::string& w : wrong) report |= tally.kinds[w.substr(0, w.find(':'))]++ < reports_per_kind;
      if (!report) continue;
      fmt::print("{} at {}:\n  {}\n  {}\n", program.name, line.offset, hex(line.bytes), line.text);
      for (const std::string& w : wrong) fmt::print("    {}\n", w);
    }
    if (tally.failed == failed_before && !text_returns(model, program)) {
      tally.failed++;
      fmt::print("{}: every instruction's text assembles to its bytes, but not the program's with labels\n",
                 program.name);
    }
  }
  for (const auto& [kind, count] : tally.kinds) fmt::print("{} times: {}\n", count, kind);
  for (size_t n = 0; n < exceptions().size(); n++)
    if (tally.used[n])
      fmt::print("{} differences of {} excepted: {}\n", tally.used[n], exceptions()[n].field, exceptions()[n].reason);
  const auto ops = std::ranges::count_if(tally.op_seen, [](int n) { return n > 0; });
  fmt::print("{} programs, {} different opcodes\n", programs.size(), ops);
  fmt::print("{} passed, {} failed\n", tally.passed, tally.failed);
  if (tally.passed + tally.failed < minimum) {
    fmt::print("fewer than {} instructions\n", minimum);
    return 1;
  }
  return tally.failed ? 1 : 0;
}

int run(int argc, char** argv) {
  if (argc != 4) {
    fmt::print(stderr, "usage: {} DEVICE CAPTURE MINIMUM\n", argv[0]);
    return 2;
  }
  const gen::Device* device = gen::find_device(argv[1]);
  if (!device) {
    fmt::print(stderr, "unknown device {}\n", argv[1]);
    return 2;
  }
  const Result<std::vector<Program>> programs = read_listing(argv[2]);
  if (!programs) {
    fmt::print(stderr, "{}\n", programs.error().message);
    return 1;
  }
  return compare(device->model(), *programs, std::atoi(argv[3]));
}

}  // namespace
}  // namespace vitro::mesa

int main(int argc, char** argv) { return vitro::mesa::run(argc, argv); }
