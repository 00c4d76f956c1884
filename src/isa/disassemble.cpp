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

namespace {

constexpr bool has_targets(Format f) { return f >= Format::branch && f != Format::ret; }

// Places that branches name and where an instruction starts (or the program ends): only those can be labelled. Looks
// at sizes and opcodes first, because few instructions are branches.
LabelSet labels_of(const Model& m, std::span<const std::byte> code) {
  LabelSet labels;
  std::vector<bool> starts(code.size() / 8 + 1);
  size_t at = 0;
  for (; at < code.size(); at += size_t(size_at(code.subspan(at)))) {
    starts[at / 8] = true;
    const OpcodeRow* row = m.by_code[size_t(code[at]) & 0x7F];
    if (!row || !has_targets(row->format)) continue;
    const Result<Fetched> f = fetch(m, code.subspan(at));
    if (!f) continue;
    const Targets t = branch_targets(m, f->instruction, int64_t(at));
    labels.at.insert(labels.at.end(), t.at, t.at + t.count);
  }
  const auto end = int64_t(std::min(at, code.size()));
  std::sort(labels.at.begin(), labels.at.end());
  labels.at.erase(std::unique(labels.at.begin(), labels.at.end()), labels.at.end());
  std::erase_if(labels.at,
                [&](int64_t t) { return t != end && (t < 0 || t >= end || t % 8 != 0 || !starts[size_t(t) / 8]); });
  return labels;
}

}  // namespace

// Decodes twice, for the labels and for the text, rather than keep a program of instructions in memory.
std::string disassemble(const Model& m, std::span<const std::byte> code, const DisassembleOptions& options,
                        int* errors) {
  if (options.skip_padding) code = without_padding(code);
  const LabelSet labels = options.labels ? labels_of(m, code) : LabelSet{};
  const LabelNames names{write_label, &labels};

  std::string out;
  out.reserve(code.size() * 7);
  auto next_label = labels.at.begin();
  auto label = [&](size_t at) {
    if (next_label == labels.at.end() || *next_label != int64_t(at)) return;
    fmt::format_to(std::back_inserter(out), "L{}:\n", at);
    ++next_label;
  };
  if (errors) *errors = 0;
  size_t at = 0;
  while (at < code.size()) {
    label(at);
    if (options.offsets) fmt::format_to(std::back_inserter(out), "/* [{:04X}] */ ", at);
    const Result<Fetched> f = fetch(m, code.subspan(at));
    const auto size = f ? size_t(f->size) : std::min(size_t(size_at(code.subspan(at))), code.size() - at);
    if (f) {
      print(out, m, f->instruction, int64_t(at), options.print, names);
    } else {
      out += "// error: " + f.error().message + ":";
      for (size_t n = size; n-- > 0;)
        fmt::format_to(std::back_inserter(out), "{}{:02x}", n % 4 == 3 ? " " : "", unsigned(code[at + n]));
      if (errors) ++*errors;
    }
    while (out.back() == ' ') out.pop_back();
    out += '\n';
    at += size;
  }
  if (at > 0) label(at);
  return out;
}

}  // namespace vitro::isa
