// The parser of Mesa's listings. One instruction is
//   [(+f0.0.any4h) ]opcode[.sat][ function | .cond[.f0.0]](exec size)  operands  { options };
// and a send continues on a second line: shared function, "MsgDesc:", details, "mlen n [ex_mlen n] rlen n".
#include "mesa_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <fstream>

namespace vitro::mesa {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string_view trim(std::string_view s) {
  while (!s.empty() && is_blank(s.front())) s.remove_prefix(1);
  while (!s.empty() && is_blank(s.back())) s.remove_suffix(1);
  return s;
}

// A position in the text, and the few ways to move it.
struct Cursor {
  std::string_view rest;

  bool at_end() const { return rest.empty(); }
  char peek() const { return rest.empty() ? '\0' : rest.front(); }
  bool take(std::string_view word) {
    if (!rest.starts_with(word)) return false;
    rest.remove_prefix(word.size());
    return true;
  }
  template <class P>
  std::string_view take_while(P p) {
    size_t n = 0;
    while (n < rest.size() && p(rest[n])) n++;
    const std::string_view taken = rest.substr(0, n);
    rest.remove_prefix(n);
    return taken;
  }
  void skip_blanks() { take_while(is_blank); }
  int number() {
    int value = 0;
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
    if (error == std::errc{}) rest.remove_prefix(size_t(end - rest.data()));
    return value;
  }
};

std::string_view letters(Cursor& c) {
  return c.take_while([](char x) { return std::isalpha(static_cast<unsigned char>(x)) != 0; });
}

std::vector<std::string> words(std::string_view s) {
  std::vector<std::string> out;
  Cursor c{s};
  for (c.skip_blanks(); !c.at_end(); c.skip_blanks())
    out.emplace_back(c.take_while([](char x) { return !is_blank(x); }));
  return out;
}

// "0x3f800000F", "-7D", "0x0000001cUD": Mesa writes hexadecimal digits in lower case and types in upper case.
bool parse_immediate(std::string_view token, Operand& o) {
  Cursor c{token};
  const bool hex = c.take("0x");
  if (!hex && c.peek() != '-' && !is_digit(c.peek())) return false;
  const char *from = c.rest.data(), *to = from + c.rest.size();
  const char* type = std::find_if(from, to, [](char x) { return x >= 'A' && x <= 'Z'; });
  int64_t value = 0;
  uint64_t bits = 0;
  const auto [end, error] = hex ? std::from_chars(from, type, bits, 16) : std::from_chars(from, type, value, 10);
  if (error != std::errc{} || end != type || type == to) return false;
  o.file = "imm";
  o.type.assign(type, to);
  o.imm = hex ? bits : uint64_t(value);
  return true;
}

// "-(abs)g4.1<8,8,1>.xyzwF", "g[a0.2 32]<VxH,1,0>UD", "nullUD", "null<1>UW", "m17<4>F".
bool parse_register(std::string_view token, Operand& o) {
  Cursor c{token};
  o.negate = c.take("-");
  o.bit_not = c.take("~");
  o.abs = c.take("(abs)");
  o.indirect = c.rest.starts_with("g[a0");
  if (o.indirect) {
    o.file = letters(c);
    c.take("[a0");
    if (c.take(".")) o.addr_subreg = c.number();
    c.skip_blanks();
    if (c.peek() != ']') o.addr_imm = c.number();
    if (!c.take("]")) return false;
  } else if (c.take("null")) {
    o.file = "null";
  } else {
    o.file = letters(c);
    if (o.file.empty()) return false;
    if (o.file == "ip") return c.at_end();
    if (!is_digit(c.peek())) return false;
    o.reg = c.number();
    if (c.take(".")) o.subreg = c.number();
  }
  if (c.take("<")) {
    o.region = c.take_while([](char x) { return x != '>'; });
    if (!c.take(">")) return false;
  }
  if (c.peek() == '.') o.channels = c.take_while([](char x) { return x == '.' || (x >= 'w' && x <= 'z'); });
  o.type = letters(c);
  return c.at_end();
}

// Splits at blanks, except inside "g[a0 32]".
std::vector<std::string_view> operand_tokens(std::string_view s) {
  std::vector<std::string_view> out;
  Cursor c{s};
  for (c.skip_blanks(); !c.at_end(); c.skip_blanks()) {
    bool bracket = false;
    out.push_back(c.take_while([&](char x) {
      bracket = x == '[' || (bracket && x != ']');
      return bracket || !is_blank(x);
    }));
  }
  return out;
}

void parse_head(Cursor& c, Instruction& i) {
  if (c.take("(")) {
    i.predicate_inverse = c.peek() == '-';
    c.rest.remove_prefix(1);
    const std::string_view predicate = c.take_while([](char x) { return x != ')'; });
    i.predicate_flag = predicate.substr(0, 4);
    i.predicate_mode = predicate.substr(4);
    c.take(")");
    c.skip_blanks();
  }
  i.opcode = c.take_while([](char x) { return std::isalnum(static_cast<unsigned char>(x)) != 0; });
  i.saturate = c.take(".sat");
  i.breakpoint = c.take(".breakpoint");
  if (i.opcode == "math") {
    c.skip_blanks();
    i.math = letters(c);
  } else if (c.take(".")) {
    i.condition = letters(c);
    if (c.take(".")) i.condition_flag = c.take_while([](char x) { return x != '('; });
  }
  if (c.take("(")) {
    i.exec_size = c.number();
    c.take(")");
  }
}

std::optional<uint32_t> parse_descriptor(std::string_view token) {
  if (!token.starts_with("0x")) return {};
  uint32_t value = 0;
  std::from_chars(token.data() + 2, token.data() + token.size(), value, 16);
  return value;
}

Message parse_message(std::string_view second_line) {
  Message m;
  const size_t at = second_line.find(" MsgDesc:");
  m.shared_function = trim(second_line.substr(0, at));
  const std::vector<std::string> w = words(second_line.substr(at));
  for (size_t n = 0; n + 1 < w.size(); n++) {
    if (w[n] == "mlen") m.mlen = std::stoi(w[n + 1]);
    if (w[n] == "ex_mlen") m.ex_mlen = std::stoi(w[n + 1]);
    if (w[n] == "rlen") m.rlen = std::stoi(w[n + 1]);
  }
  return m;
}

std::string without_comments(std::string_view s) {
  std::string out(s);
  for (size_t from; (from = out.find("/*")) != std::string::npos;) {
    const size_t to = out.find("*/", from);
    if (to == std::string::npos) break;
    out.erase(from, to + 2 - from);
  }
  return out;
}

}  // namespace

bool Instruction::has_option(std::string_view word) const { return std::ranges::find(options, word) != options.end(); }

Result<Instruction> parse_instruction(std::string_view text) {
  Instruction i;
  std::string clean = without_comments(text);
  if (const size_t brace = clean.rfind('{'); brace != std::string::npos) {
    std::string inside = clean.substr(brace + 1);
    inside.erase(std::min(inside.find('}'), inside.size()));
    std::ranges::replace(inside, ',', ' ');  // "NoDDClr,NoDDChk"
    i.options = words(inside);
    clean.erase(brace);
  } else if (const size_t semicolon = clean.rfind(';'); semicolon != std::string::npos) {
    clean.erase(semicolon);
  }

  std::string_view first = clean;
  if (const size_t newline = clean.find('\n'); newline != std::string::npos) {
    i.message = parse_message(std::string_view(clean).substr(newline + 1));
    first = first.substr(0, newline);
  }
  Cursor c{first};
  parse_head(c, i);
  if (i.opcode.empty()) return failure("no opcode");

  std::vector<std::string_view> tokens = operand_tokens(c.rest);
  for (size_t n = 0; n + 1 < tokens.size();) {
    std::string* label = tokens[n] == "JIP:" ? &i.jip : tokens[n] == "UIP:" ? &i.uip : nullptr;
    if (!label) {
      n++;
      continue;
    }
    *label = tokens[n + 1];
    tokens.erase(tokens.begin() + int(n), tokens.begin() + int(n) + 2);
  }
  if (i.message) {
    // send: [a0<0,1,0>UD] 0x...; a split send: 0x... or a0<0>UD, twice.
    const bool split = i.opcode.starts_with("sends");
    const size_t registers = split ? 3 : 2;
    if (tokens.size() < registers + (split ? 2 : 1)) return failure("descriptor missing");
    i.message->desc = parse_descriptor(tokens[registers]);
    if (split) i.message->ex_desc = parse_descriptor(tokens[registers + 1]);
    tokens.resize(registers);
  }
  for (std::string_view token : tokens) {
    Operand o;
    if (!parse_immediate(token, o) && !parse_register(token, o)) return failure(fmt::format("operand '{}'", token));
    i.operands.push_back(o);
  }
  return i;
}

Result<std::vector<Program>> read_listing(const std::string& path) {
  std::ifstream file(path);
  if (!file) return failure(fmt::format("cannot open {}", path));
  constexpr size_t text_column = 48;  // sixteen bytes of two digits and a blank
  std::vector<Program> programs;
  int offset = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("Native code for")) {
      programs.push_back({.name = line.substr(line.find("for") + 4), .lines = {}, .labels = {}});
      offset = 0;
      continue;
    }
    if (programs.empty()) return failure(fmt::format("{}: the listing does not begin with a program", path));
    Program& program = programs.back();
    if (line.starts_with("LABEL")) {
      program.labels[line.substr(0, line.find(':'))] = offset;
    } else if (line.find("MsgDesc:") != std::string::npos) {
      if (program.lines.empty()) return failure(fmt::format("{}: a message without its send", path));
      program.lines.back().text.append("\n").append(line);
    } else {
      if (line.size() <= text_column) return failure(fmt::format("{}: not an instruction: {}", path, line));
      Line out{.offset = offset, .bytes = {}, .text = line.substr(text_column)};
      for (size_t at = 0; at < text_column && std::isxdigit(static_cast<unsigned char>(line[at])); at += 3)
        out.bytes.push_back(std::byte(std::stoi(line.substr(at, 2), nullptr, 16)));
      offset += int(out.bytes.size());
      program.lines.push_back(std::move(out));
    }
  }
  return programs;
}

}  // namespace vitro::mesa
