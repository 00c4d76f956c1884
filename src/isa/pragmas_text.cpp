// Taking statements of the programming guide's language apart and putting them together in plain syntax.
#include "isa/pragmas_text.h"

#include <algorithm>
#include <cctype>

#include "isa/names.h"

namespace vitro::isa {
namespace {

bool blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
bool digit(char c) { return std::isdigit(static_cast<unsigned char>(c)); }

// Doubled angle brackets are shifts.
bool opens(std::string_view t, size_t n) {
  if (t[n] == '(' || t[n] == '[') return true;
  return t[n] == '<' && !(n + 1 < t.size() && t[n + 1] == '<') && !(n > 0 && t[n - 1] == '<');
}
bool closes(std::string_view t, size_t n) {
  if (t[n] == ')' || t[n] == ']') return true;
  return t[n] == '>' && !(n + 1 < t.size() && t[n + 1] == '>') && !(n > 0 && t[n - 1] == '>');
}

size_t skip_blanks(std::string_view t, size_t n) {
  while (n < t.size() && blank(t[n])) ++n;
  return n;
}

// Only modifiers so far: the operand they belong to follows after a blank.
bool is_prefix(std::string_view run) {
  while (!run.empty()) {
    if (run[0] == '-' || run[0] == '~' || run[0] == '+' || blank(run[0])) {
      run.remove_prefix(1);
    } else if (run.substr(0, 5) == "(abs)" || run.substr(0, 5) == "(sat)") {
      run.remove_prefix(5);
    } else {
      return false;
    }
  }
  return true;
}

// An expression goes on after a blank: 2 * 32, but r1 -r2 are two operands.
bool expression_goes_on(std::string_view t, size_t end, size_t next) {
  constexpr std::string_view operators = "*/%&|^";
  if (operators.find(t[end - 1]) != std::string_view::npos || operators.find(t[next]) != std::string_view::npos)
    return true;
  if (t.substr(next, 2) == "<<" || t.substr(next, 2) == ">>" || t.substr(end - 1, 1) == "<" ||
      (end >= 2 && t.substr(end - 2, 2) == ">>"))
    return true;
  if ((t[next] == '+' || t[next] == '-') && next + 1 < t.size() && blank(t[next + 1])) return true;
  return end >= 2 && (t[end - 1] == '+' || t[end - 1] == '-') && blank(t[end - 2]);
}

void take_operands(StatementText& s, const TracedText& text, size_t begin, size_t end) {
  const std::string_view t = std::string_view(text.text()).substr(0, end);
  size_t n = skip_blanks(t, begin);
  while (n < end) {
    const size_t start = n;
    int depth = 0;
    for (; n < end; ++n) {
      if (opens(t, n)) ++depth;
      if (closes(t, n) && depth > 0) --depth;
      if (depth > 0 || !blank(t[n])) continue;
      const size_t next = skip_blanks(t, n);
      if (next >= end) break;
      if (!is_prefix(t.substr(start, n - start)) && !expression_goes_on(t, n, next)) break;
      n = next - 1;
    }
    if (depth > 0) {
      for (n = start; !opens(t, n);) ++n;
      throw SyntaxError{n, 1, "this bracket is never closed"};
    }
    s.operands.push_back(text.part(start, n));
    n = skip_blanks(t, n);
  }
}

const OpcodeRow* row_named(const Model& m, std::string_view mnemonic) {
  for (const OpcodeRow* r : m.by_op)
    if (r && r->mnemonic == mnemonic) return r;
  return nullptr;
}

// A parenthesis that starts with a number. Where a target may follow instead, jmpi (16*2), only a number alone.
bool at_exec_size(std::string_view t, size_t n, bool required) {
  if (n >= t.size() || t[n] != '(') return false;
  n = skip_blanks(t, n + 1);
  if (n >= t.size() || !digit(t[n])) return false;
  while (n < t.size() && digit(t[n])) ++n;
  n = skip_blanks(t, n);
  return required || (n < t.size() && (t[n] == '|' || t[n] == ')'));
}

// .e.f0.1 and .sat leave the mnemonic; what else stands there stays: math.inv, if.b.
void take_suffixes(StatementText& s, Cursor& c, const TracedText& text) {
  bool first = true;
  while (c.here() == '.') {
    const size_t at = c.at();
    c.step();
    const std::string_view w = c.word();
    c.step(w.size());
    const bool function = first && s.row && s.row->format == Format::math;
    first = false;
    const std::string_view condition = function ? std::string_view{} : plain_condition(w);
    if (!function && w == "sat") {
      s.saturate = true;
    } else if (!condition.empty() && s.condition.empty()) {
      const Origin here = text.span(at, c.at());
      for (std::string_view part : {std::string_view("("), condition, std::string_view(")")})
        s.condition.put(part, here);
      if (c.here() == '.' && c.here(1) == 'f' && digit(c.here(2))) {
        c.step();
        const size_t flag = c.at();
        c.step(c.word().size());
        if (c.here() == '.' && digit(c.here(1))) c.step(2);
        s.condition.put(text.part(flag, c.at()));
      } else {
        s.condition.put("f0.0", here);
      }
    } else {
      s.mnemonic.put(text.part(at, c.at()));
    }
  }
}

// (+f0.0) and (-f0.0) of the Gen6 grammar, (!f0.0) of its examples.
TracedText plain_predicate(const TracedText& p) {
  const size_t sign = skip_blanks(p.text(), 1);
  const char c = sign < p.size() ? p.text()[sign] : '\0';
  if (c != '+' && c != '-' && c != '!') return p;
  TracedText out = p.part(0, sign);
  if (c != '+') out.put("~", p.span(sign, sign + 1));
  out.put(p.part(sign + 1, p.size()));
  return out;
}

}  // namespace

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }
std::string lower_case(std::string_view s) {
  std::string out(s);
  for (char& c : out) c = char(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

std::string_view plain_condition(std::string_view name) {
  static constexpr std::pair<std::string_view, CondModifier> also[] = {
      {"z", CondModifier::z}, {"e", CondModifier::z}, {"nz", CondModifier::nz}, {"g", CondModifier::g},
      {"l", CondModifier::l}, {"o", CondModifier::o}, {"u", CondModifier::u}};
  for (const auto& [spelling, code] : also)
    if (name == spelling) return cond_names[size_t(code)];
  for (std::string_view n : cond_names)
    if (!n.empty() && n == name) return n;
  return {};
}

size_t closing(std::string_view t, size_t at) {
  int depth = 0;
  for (size_t n = at; n < t.size(); ++n) {
    if (opens(t, n)) ++depth;
    if (closes(t, n) && --depth == 0) return n + 1;
  }
  return std::string_view::npos;
}

TracedText TracedText::verbatim(std::string_view text, int column) {
  TracedText t;
  t.text_ = text;
  t.origins_.reserve(text.size());
  for (size_t n = 0; n < text.size(); ++n) t.origins_.push_back({column + int(n), 1});
  return t;
}
void TracedText::put(std::string_view text, Origin all) {
  text_ += text;
  origins_.insert(origins_.end(), text.size(), all);
}
void TracedText::put(const TracedText& other) {
  text_ += other.text_;
  origins_.insert(origins_.end(), other.origins_.begin(), other.origins_.end());
}
TracedText TracedText::part(size_t begin, size_t end) const {
  TracedText t;
  end = std::min(end, size());
  begin = std::min(begin, end);
  t.text_ = text_.substr(begin, end - begin);
  t.origins_.assign(origins_.begin() + ptrdiff_t(begin), origins_.begin() + ptrdiff_t(end));
  return t;
}
TracedText TracedText::without_blanks() const {
  TracedText t;
  for (size_t n = 0; n < size(); ++n)
    if (!blank(text_[n])) t.put(std::string_view(&text_[n], 1), origins_[n]);
  return t;
}
Origin TracedText::span(size_t begin, size_t end) const {
  if (size() == 0) return {};
  if (begin >= size()) return {origins_.back().column + origins_.back().length, 1};
  Origin o = origins_[begin];
  for (size_t n = begin; n < std::min(end, size()); ++n)
    o.length = std::max(o.length, origins_[n].column + origins_[n].length - o.column);
  return o;
}

void take_apart(const Model& m, StatementText& s, const TracedText& text) {
  s.raw = text;
  const std::string_view t = text.text();
  Cursor c(t, 0, t.size());
  for (;;) {
    c.peek();
    const size_t at = c.at();
    const std::string_view w = c.take_word();
    if (w.empty() || digit(w[0]) || c.peek() != ':') {
      c.go(at);
      break;
    }
    c.step();
    s.labels.push_back(text.part(at, at + w.size()));
  }
  if (c.done()) return;
  s.kind = StatementText::Kind::unknown;
  s.raw = text.part(c.at(), text.size());
  if (c.peek() == '(') {
    const size_t end = closing(t, c.at());
    if (end == std::string_view::npos) c.fail("this bracket is never closed");
    s.predicate = plain_predicate(text.part(c.at(), end));
    c.go(end);
  }
  c.peek();
  const size_t at = c.at();
  const std::string mnemonic = lower_case(c.take_word());
  s.row = row_named(m, mnemonic);
  if (!s.row && mnemonic != "jmp" && mnemonic != "do") return;
  s.kind = s.row               ? StatementText::Kind::instruction
           : mnemonic == "jmp" ? StatementText::Kind::jump
                               : StatementText::Kind::loop;
  for (size_t n = 0; n < mnemonic.size(); ++n)
    s.mnemonic.put(std::string_view(&mnemonic[n], 1), text.span(at + n, at + n + 1));
  take_suffixes(s, c, text);

  c.peek();
  if (at_exec_size(t, c.at(), s.row && !s.row->has(attr_scalar))) {
    const size_t end = closing(t, c.at());
    if (end == std::string_view::npos) c.fail("this bracket is never closed");
    s.exec_size = text.part(c.at(), end);
    c.go(end);
  }
  if (c.peek() == '(') {
    const size_t open = c.at();
    c.step();
    const std::string_view name = c.take_word();
    if ((!plain_condition(name).empty() || name == "eo") && c.take(')')) {
      const size_t flag = (c.peek(), c.at());
      c.take_word();
      if (c.here() == '.' && digit(c.here(1))) c.step(2);
      s.condition = text.part(open, flag).without_blanks();
      s.condition.put(text.part(flag, c.at()));
    } else {
      c.go(open);
    }
  }
  const size_t options = t.find('{', c.at());
  take_operands(s, text, c.at(), std::min(options, t.size()));
  if (options != std::string_view::npos) s.options = text.part(options, t.size());
}

void join(const StatementText& s, TracedText& out) {
  bool first = true;
  auto put = [&](const TracedText& part) {
    if (part.empty()) return;
    if (!first) out.put(" ", part.span(0, 1));
    first = false;
    out.put(part);
  };
  auto label = [&](const TracedText& name) {
    put(name);
    out.put(":", name.span());
  };
  const Origin whole = s.raw.span();
  for (const TracedText& l : s.labels) label(l);
  if (!s.label_before.empty()) label(TracedText(s.label_before, whole));
  using enum StatementText::Kind;
  if (s.kind == unknown) put(s.raw);
  if (s.kind == instruction) {
    put(s.predicate);
    put(s.mnemonic);
    put(s.exec_size);
    put(s.condition);
    for (const TracedText& o : s.operands) put(o);
    put(s.options);
  }
  if (!s.label_after.empty()) {
    out.put(";", whole);
    label(TracedText(s.label_after, whole));
  }
}

}  // namespace vitro::isa
