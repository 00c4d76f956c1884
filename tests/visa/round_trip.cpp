// round_trip OUT DEVICE FILE...: each file is a kernel's vISA text as IGC dumps it for a device, read together with its
// functions beside it. Text to object to bytes to object to text must give the same text, and bytes of every version
// the same bytes; the checker finds nothing that is an error or undefined. What GenX_IR shall compare is written to
// OUT/N/text/k.visaasm and OUT/N/bytes/k.isa. Exit status 1 if something differs. round_trip OUT --samples does the
// same with our samples of instructions, a kernel for every few of them.
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "visa/check.h"
#include "visa/read_bytes.h"
#include "visa/read_text.h"
#include "visa/samples.h"
#include "visa/write_bytes.h"
#include "visa/write_text.h"

using namespace vitro;
namespace fs = std::filesystem;

namespace {

std::string read(const fs::path& file) {
  std::stringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}
void write(const fs::path& file, std::string_view content) {
  fs::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary).write(content.data(), std::streamsize(content.size()));
}

std::string first_difference(std::string_view a, std::string_view b) {
  size_t line = 1;
  while (!a.empty() && !b.empty()) {
    const std::string_view x = a.substr(0, a.find('\n')), y = b.substr(0, b.find('\n'));
    if (x != y) return fmt::format("line {}:\n  {}\n  {}", line, x, y);
    a.remove_prefix(std::min(x.size() + 1, a.size())), b.remove_prefix(std::min(y.size() + 1, b.size()));
    ++line;
  }
  return fmt::format("line {}: one of them ends", line);
}

struct Counts {
  size_t files = 0, broken = 0, instructions = 0, differences = 0;
};

// Empty, or what is wrong.
std::string compare(const std::string& text, uint8_t device, std::vector<std::byte>& bytes, Counts& counts) {
  visa::TextResult read = visa::read_text(text);
  if (!read.ok()) return isa::render("text", text, read.diagnostics.front(), false);
  for (const visa::Finding& f : visa::check(read.object, device)) {
    if (f.rule->verdict != visa::Verdict::differs)
      return fmt::format("line {}: {} [{}]", f.place.line, f.message, f.rule->id);
    ++counts.differences;
  }
  for (const visa::Routine& r : read.object.routines) counts.instructions += r.instructions.size();
  for (const uint32_t version : {0x306u, 0x307u, 0x400u, 0x401u}) {
    visa::Object object = read.object;
    object.major = uint8_t(version >> 8), object.minor = uint8_t(version);
    visa::BytesResult made = visa::write_bytes(object);
    if (!made.ok()) return isa::render("text", text, made.diagnostics.front(), false);
    const Result<visa::Object> again = visa::read_bytes(made.bytes);
    if (!again) return again.error().message;
    if (visa::write_bytes(*again).bytes != made.bytes) return fmt::format("version {:x}: other bytes", version);
    bytes = std::move(made.bytes);
    if (version != visa::version(read.object)) continue;
    const std::string back = visa::write_text(*again);
    if (back != text) return first_difference(text, back);
  }
  return {};
}

// Several in one kernel, since GenX_IR takes its time to start.
constexpr size_t samples_together = 8;

struct SampleText {
  std::string text;
  uint8_t genx_ir;
};
std::vector<SampleText> sample_texts() {
  std::vector<SampleText> texts;
  for (size_t n = 0; n < std::size(visa::sample_instructions);) {
    std::string lines;
    for (size_t k = 0; k < samples_together && n < std::size(visa::sample_instructions); ++k, ++n)
      lines += fmt::format("{}{}", k ? "\n    " : "", visa::sample_instructions[n]);
    texts.push_back({visa::sample_kernel(lines), visa::same_code | visa::same_print});
  }
  for (const visa::SingleSample& s : visa::single_samples)
    if (s.genx_ir) texts.push_back({visa::sample_kernel(s.text), s.genx_ir});
  return texts;
}

void write_for_genx(const fs::path& out, const std::string& text, const std::vector<std::byte>& bytes) {
  write(out / "text/k.visaasm", text);
  write(out / "bytes/k.isa", {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  if (argv[2] == std::string_view("--samples")) {
    size_t n = 0;
    for (const auto& [text, genx_ir] : sample_texts()) {
      const visa::TextResult read = visa::read_text(text);
      if (!read.ok()) return fmt::print("{}", isa::render("sample", text, read.diagnostics.front(), false)), 1;
      const fs::path out = fs::path(argv[1]) / std::to_string(n++);
      write_for_genx(out, text, visa::write_bytes(read.object).bytes);
      write(out / "judged",
            fmt::format("{} {}", genx_ir & visa::same_code ? "code" : "", genx_ir & visa::same_print ? "print" : ""));
    }
    fmt::print("{} samples\n", visa::all_samples().size());
    return 0;
  }
  const uint8_t device = argv[2] == std::string_view("bdw") ? visa::bdw : visa::kbl;
  Counts counts;
  for (int n = 3; n < argc; ++n) {
    const std::string name = argv[n];
    std::string text = read(name);
    ++counts.files;
    for (int f = 0;; ++f) {
      const fs::path function = fmt::format("{}_f{}.visaasm", name.substr(0, name.size() - 8), f);
      if (!fs::exists(function)) break;
      const std::string more = read(function);
      text += more.substr(more.find('\n') + 1);  // without its .version
      ++counts.files;
    }
    std::vector<std::byte> bytes;
    const std::string wrong = compare(text, device, bytes, counts);
    if (!wrong.empty()) {
      if (++counts.broken <= 20) fmt::print("{}: {}\n", name, wrong);
      continue;
    }
    write_for_genx(fs::path(argv[1]) / std::to_string(n - 3), text, bytes);
  }
  fmt::print("{} kernels of {} files, {} instructions: {} wrong; readings differ in {} places\n", argc - 3,
             counts.files, counts.instructions, counts.broken, counts.differences);
  return counts.broken ? 1 : 0;
}
