// Decoding programs and printing them with labels.
#include "isa/disassemble.h"

#include <fmt/format.h>

#include <algorithm>

namespace vitro::isa {
namespace {

constexpr int compact_bit = 29;

int size_at(std::span<const std::byte> at) {
  return at.size() >= 4 && (unsigned(at[compact_bit / 8]) >> compact_bit % 8 & 1) ? 8 : 16;
}

struct LabelSet {
  std::vector<int64_t> at;  // sorted
};

bool write_label(const void* context, int64_t target, std::string& out) {
  const LabelSet& l = *static_cast<const LabelSet*>(context);
  if (!std::binary_search(l.at.begin(), l.at.end(), target)) return false;
  fmt::format_to(std::back_inserter(out), "L{}", target);
  return true;
}

}  // namespace

std::span<const std::byte> without_padding(std::span<const std::byte> code) {
  size_t n = code.size();
  while (n > 0 && code[n - 1] == std::byte{}) --n;
  // an instruction's own upper bytes may be zero
  size_t at = 0;
  while (at < n) at += size_t(size_at(code.subspan(at)));
  return code.first(std::min(at, code.size()));
}

std::vector<DecodedInstruction> decode_program(const Model& m, std::span<const std::byte> code) {
  std::vector<DecodedInstruction> program;
  for (size_t at = 0; at < code.size();) {
    Result<Fetched> f = fetch(m, code.subspan(at));
    const int size = f ? f->size : int(std::min<size_t>(size_t(size_at(code.subspan(at))), code.size() - at));
    program.push_back({at, size, f ? f->instruction : Instruction{}, f ? std::string{} : f.error().message});
    at += size_t(size);
  }
  return program;
}

std::string disassemble(const Model& m, std::span<const std::byte> code, const DisassembleOptions& options,
                        int* errors) {
  if (options.skip_padding) code = without_padding(code);
  const std::vector<DecodedInstruction> program = decode_program(m, code);
  LabelSet labels;
  if (options.labels) {
    for (const DecodedInstruction& d : program) {
      if (!d.error.empty()) continue;
      const Targets t = branch_targets(m, d.instruction, int64_t(d.offset));
      labels.at.insert(labels.at.end(), t.at, t.at + t.count);
    }
    std::sort(labels.at.begin(), labels.at.end());
    labels.at.erase(std::unique(labels.at.begin(), labels.at.end()), labels.at.end());
    // only places where an instruction starts, or the end, can be labelled
    const int64_t end = program.empty() ? 0 : int64_t(program.back().offset) + program.back().size;
    std::erase_if(labels.at, [&](int64_t t) {
      if (t == end) return false;
      const auto p = std::lower_bound(program.begin(), program.end(), t,
                                      [](const DecodedInstruction& d, int64_t at) { return int64_t(d.offset) < at; });
      return p == program.end() || int64_t(p->offset) != t;
    });
  }
  const LabelNames names{write_label, &labels};

  std::string out;
  out.reserve(program.size() * 96);
  auto next_label = labels.at.begin();
  auto label = [&](int64_t at) {
    if (next_label == labels.at.end() || *next_label != at) return;
    fmt::format_to(std::back_inserter(out), "L{}:\n", at);
    ++next_label;
  };
  if (errors) *errors = 0;
  for (const DecodedInstruction& d : program) {
    label(int64_t(d.offset));
    if (options.offsets) fmt::format_to(std::back_inserter(out), "/* [{:04X}] */ ", d.offset);
    if (d.error.empty()) {
      print(out, m, d.instruction, int64_t(d.offset), options.print, names);
    } else {
      out += "// error: " + d.error + ":";
      for (int n = d.size - 1; n >= 0; --n)
        fmt::format_to(std::back_inserter(out), "{}{:02x}", n % 4 == 3 ? " " : "",
                       unsigned(code[d.offset + size_t(n)]));
      if (errors) ++*errors;
    }
    while (out.back() == ' ') out.pop_back();
    out += '\n';
  }
  if (!program.empty()) label(int64_t(program.back().offset) + program.back().size);
  return out;
}

}  // namespace vitro::isa
