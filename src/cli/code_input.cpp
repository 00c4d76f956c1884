// Telling the kinds of input apart and reading them.
#include "cli/code_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <span>

#include "isa/device_binary.h"
#include "isa/parse.h"

namespace vitro::cli {
namespace {

bool is_separator(char c) { return std::isspace(static_cast<unsigned char>(c)) || c == ',' || c == ';'; }
bool is_joint(char c) { return c == '`' || c == '_' || c == '\''; }

}  // namespace

bool looks_like_hex(std::string_view text) {
  isa::Diagnostics ignored;
  const std::string s = isa::without_comments(text, ignored);
  bool any = false;
  for (const char c : s) {
    const auto u = static_cast<unsigned char>(c);
    if (std::isxdigit(u))
      any = true;
    else if (!is_separator(c) && !is_joint(c) && c != 'x' && c != 'X')
      return false;
  }
  return any;
}

Result<std::vector<std::byte>> parse_hex(std::string_view text) {
  isa::Diagnostics diagnostics;
  const std::string s = isa::without_comments(text, diagnostics);
  if (!diagnostics.empty()) return failure(fmt::format("line {}: {}", diagnostics[0].line, diagnostics[0].message));
  std::vector<std::byte> out;
  int line = 1;
  for (size_t at = 0; at < s.size();) {
    if (is_separator(s[at])) {
      line += s[at++] == '\n';
      continue;
    }
    size_t end = at;
    while (end < s.size() && !is_separator(s[end])) ++end;
    std::string digits;
    const std::string_view word = std::string_view(s).substr(at, end - at);
    const size_t prefix = word.size() > 2 && word[0] == '0' && (word[1] == 'x' || word[1] == 'X') ? 2 : 0;
    for (const char c : word.substr(prefix)) {
      if (is_joint(c)) continue;
      if (!std::isxdigit(static_cast<unsigned char>(c)))
        return failure(fmt::format("line {}: found '{}', expected hexadecimal digits", line, word));
      digits += c;
    }
    const size_t n = digits.size();
    if (n != 2 && n != 8 && n != 16 && n != 32)
      return failure(fmt::format("line {}: found {} digits in '{}', expected 2, 8, 16 or 32", line, n, word));
    // a number stands in memory with its low byte first
    for (size_t k = n; k >= 2; k -= 2) out.push_back(std::byte(std::stoul(digits.substr(k - 2, 2), nullptr, 16)));
    at = end;
  }
  return out;
}

Result<std::vector<CodeBlock>> read_code(std::string_view file, InputKind kind) {
  const std::span<const std::byte> bytes(reinterpret_cast<const std::byte*>(file.data()), file.size());
  if (kind == InputKind::detect)
    kind = isa::is_device_binary(bytes) ? InputKind::device_binary
           : looks_like_hex(file)       ? InputKind::hex
                                        : InputKind::raw;
  std::vector<CodeBlock> blocks;
  if (kind == InputKind::device_binary) {
    const Result<isa::DeviceBinary> b = isa::read_device_binary(bytes);
    if (!b) return tl::unexpected(b.error());
    for (const isa::DeviceKernel& k : b->kernels) blocks.push_back({k.name, {k.code.begin(), k.code.end()}});
  } else if (kind == InputKind::hex) {
    Result<std::vector<std::byte>> code = parse_hex(file);
    if (!code) return tl::unexpected(code.error());
    blocks.push_back({{}, std::move(*code)});
  } else {
    blocks.push_back({{}, {bytes.begin(), bytes.end()}});
  }
  return blocks;
}

}  // namespace vitro::cli
