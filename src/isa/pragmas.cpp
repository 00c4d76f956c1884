// The pragma pass over a file: finding pragmas, keeping scopes and kernels, rewriting statements line by line.
#include "isa/pragmas.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "isa/parse.h"
#include "isa/pragmas_rewrite.h"

namespace vitro::isa {
namespace {

bool blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

bool pragma_at(std::string_view text, size_t n) {
  while (n < text.size() && blank(text[n])) ++n;
  return n < text.size() && (text[n] == '.' || text[n] == '#');
}
// A line that starts with a full stop or a number sign.
bool has_pragmas(std::string_view text) {
  for (size_t n = 0;; ++n) {
    if (pragma_at(text, n)) return true;
    n = text.find('\n', n);
    if (n == std::string_view::npos) return false;
  }
}
// The same while comments stand: one may end just before it.
bool may_have_pragmas(std::string_view text) {
  if (has_pragmas(text)) return true;
  for (size_t n = text.find("*/"); n != std::string_view::npos; n = text.find("*/", n + 2))
    if (pragma_at(text, n + 2)) return true;
  return false;
}

class Expander {
 public:
  Expander(const Model& m, std::string text, Expanded& out) : m_(m), text_(std::move(text)), out_(out) {}

  void run() {
    int line = 1;
    for (size_t begin = 0; begin <= text_.size(); ++line) {
      const size_t end = std::min(text_.find('\n', begin), text_.size());
      const std::string_view t = std::string_view(text_).substr(begin, end - begin);
      const size_t first = std::min(t.find_first_not_of(" \t\r"), t.size());
      if (first < t.size() && (t[first] == '.' || t[first] == '#'))
        pragma(t, line);
      else
        statements(t, line);
      begin = end + 1;
    }
    lines_ = line - 1;
    if (kernel_line_) close_kernel(true);
    resolve();
    write();
  }

 private:
  void error(int line, Origin o, std::string message) {
    out_.diagnostics.push_back(
        {Diagnostic::Severity::error, line, o.column, std::max(1, o.length), std::move(message), {}});
  }

  // --- statements ---

  void statements(std::string_view t, int line) {
    bool in_region = false;
    for (size_t n = 0, begin = 0; n <= t.size(); ++n) {
      const char c = n < t.size() ? t[n] : ';';
      if (c == '<' && !(n + 1 < t.size() && t[n + 1] == '<') && !(n > 0 && t[n - 1] == '<')) in_region = true;
      if (c == '>') in_region = false;
      if (n < t.size() && (c != ';' || in_region)) continue;
      in_region = false;
      const std::string_view one = t.substr(begin, n - begin);
      if (one.find_first_not_of(" \t\r") != std::string_view::npos)
        statement(TracedText::verbatim(one, int(begin) + 1), line);
      begin = n + 1;
    }
  }

  void statement(const TracedText& written, int line) {
    StatementText s;
    s.line = line;
    s.raw = written;
    TracedText text = written;
    try {
      text = replace_defines(scopes_, written);
      take_apart(m_, s, text);
      if (s.kind == StatementText::Kind::loop) {
        if (!s.operands.empty()) throw PlacedError{s.operands[0].span(), "found an operand, but do has none"};
      } else {
        complete(m_, scopes_, s);
      }
    } catch (const SyntaxError& e) {
      error(line, text.span(e.at, e.at + e.length), e.message);
      s.kind = StatementText::Kind::dropped;
    } catch (const PlacedError& e) {
      error(line, e.at, e.message);
      s.kind = StatementText::Kind::dropped;
    }
    if (kernel_line_ && !code_line_) {
      error(line, s.raw.span(), "found an instruction outside the kernel's code, expected .code before it");
      return;
    }
    s_.push_back(std::move(s));
    block_of_.push_back(code_line_ ? blocks_ : 0);
  }

  // --- pragmas ---

  enum class Suffix { no, type, file };
  struct Row {
    std::string_view name;
    Suffix suffix;  // may follow after an underscore
    void (Expander::*run)(Cursor&, std::string_view text, std::string_view suffix, std::optional<Type>);
  };
  static const Row rows[12];

  void pragma(std::string_view t, int line) {
    const TracedText written = TracedText::verbatim(t, 1);
    TracedText text = written;
    line_ = line;
    try {
      Cursor c(t, 0, t.size());
      c.peek();
      const size_t at = c.at();
      c.step();
      const std::string_view word = c.word();
      keyword_ = written.span(at, at + 1 + word.size());
      if (t[at] == '#')
        c.fail_at(at, word.size() + 1,
                  fmt::format("found the preprocessor directive #{}: directives are not supported (.define replaces "
                              "words)",
                              word));
      std::string_view suffix;
      std::optional<Type> type;
      const Row* row = nullptr;
      for (const Row& r : rows) {
        const bool with_suffix = word.starts_with(r.name) && word.substr(r.name.size()).starts_with("_");
        if (word == r.name) {
          row = &r;
        } else if (with_suffix && r.suffix != Suffix::no) {
          row = &r;
          suffix = word.substr(r.name.size() + 1);
          const size_t suffix_at = at + 2 + r.name.size();
          type = type_named(m_, suffix);
          if (r.suffix == Suffix::type && !type)
            c.fail_at(suffix_at, std::max<size_t>(1, suffix.size()),
                      fmt::format("found '{}', expected a type of {}, as in .{}_f", suffix, m_.name, r.name));
          if (r.suffix == Suffix::file && !is_register_file(m_, suffix))
            c.fail_at(suffix_at, std::max<size_t>(1, suffix.size()),
                      fmt::format("found '{}', expected a register file (r{} arf imm acc f ...), as in .{}_r", suffix,
                                  m_.mrf_count ? " m" : "", r.name));
        }
      }
      if (!row) {
        std::string known;
        for (const Row& r : rows) known.append(known.empty() ? "." : " .").append(r.name);
        c.fail_at(at, word.size() + 1, fmt::format("found '.{}', expected a pragma ({})", word, known));
      }
      const size_t arguments = at + 1 + word.size();
      text = written.part(arguments, t.size());
      // what .define defines is replaced where it is used
      if (row->run != &Expander::define_symbol) text = replace_defines(scopes_, text);
      Cursor a(text.text(), 0, text.size());
      (this->*row->run)(a, text.text(), suffix, type);
      if (!a.done()) a.expected("the end of the line");
    } catch (const SyntaxError& e) {
      error(line, text.empty() ? keyword_ : text.span(e.at, e.at + e.length), e.message);
    }
  }

  void declare_symbol(Cursor& c, std::string_view, std::string_view, std::optional<Type>) {
    declare(m_, scopes_, c, line_);
  }
  void define_symbol(Cursor& c, std::string_view text, std::string_view, std::optional<Type>) {
    define(scopes_, c, text, line_);
  }
  void execution_size(Cursor& c, std::string_view, std::string_view, std::optional<Type> t) {
    default_execution_size(m_, scopes_, c, t);
  }
  void register_type(Cursor& c, std::string_view, std::string_view suffix, std::optional<Type>) {
    default_register_type(m_, scopes_, c, suffix);
  }
  void source_region(Cursor& c, std::string_view, std::string_view, std::optional<Type> t) {
    default_region(scopes_, c, t, true);
  }
  void destination_region(Cursor& c, std::string_view, std::string_view, std::optional<Type> t) {
    default_region(scopes_, c, t, false);
  }

  // --- kernels ---

  void kernel(Cursor& c, std::string_view, std::string_view, std::optional<Type>) {
    if (kernel_line_) {
      error(
          line_, keyword_,
          fmt::format("found a kernel inside the kernel {}, expected .end_kernel before it", out_.kernels.back().name));
      close_kernel(false);
    }
    const bool quoted = c.take('"');
    c.peek();
    std::string name(c.take_word());
    if (name.empty()) c.expected("the kernel's name");
    if (quoted) c.expect('"', "closing the name");
    out_.kernels.push_back({std::move(name), line_});
    kernel_line_ = line_;
    kernel_at_ = keyword_;
    total_ = payload_ = has_code_ = false;
    scopes_.kernel.emplace();
  }
  void end_kernel(Cursor&, std::string_view, std::string_view, std::optional<Type>) {
    if (!kernel_line_) return error(line_, keyword_, "found .end_kernel, but no .kernel is open");
    if (code_line_) error(line_, keyword_, "found .end_kernel, expected .end_code before it");
    code_line_ = 0;
    close_kernel(false);
  }
  void close_kernel(bool at_end) {
    const Kernel& k = out_.kernels.back();
    auto missing = [&](std::string_view what) {
      error(kernel_line_, kernel_at_, fmt::format("the kernel {} has no {}", k.name, what));
    };
    if (!total_) missing(".reg_count_total");
    if (!payload_) missing(".reg_count_payload");
    if (!has_code_) missing(".code");
    if (at_end && code_line_) missing(".end_code");
    if (at_end) missing(".end_kernel");
    if (total_ && payload_ && k.reg_count_payload > k.reg_count_total)
      error(kernel_line_, kernel_at_,
            fmt::format("the kernel {} has a payload of {} registers, more than its total of {}", k.name,
                        k.reg_count_payload, k.reg_count_total));
    kernel_line_ = code_line_ = 0;
    scopes_.kernel.reset();
  }
  void reg_count(Cursor& c, bool& given, uint32_t Kernel::*count) {
    if (!kernel_line_) return outside(c);
    c.peek();
    const uint32_t n = c.number("a number of registers", m_.grf_count + 1u);
    if (given) return error(line_, keyword_, "this count is given twice");
    given = true;
    out_.kernels.back().*count = n;
  }
  void reg_count_total(Cursor& c, std::string_view, std::string_view, std::optional<Type>) {
    reg_count(c, total_, &Kernel::reg_count_total);
  }
  void reg_count_payload(Cursor& c, std::string_view, std::string_view, std::optional<Type>) {
    reg_count(c, payload_, &Kernel::reg_count_payload);
  }
  void code(Cursor& c, std::string_view, std::string_view, std::optional<Type>) {
    if (!kernel_line_) return outside(c);
    if (code_line_) return error(line_, keyword_, "found .code, expected .end_code before it");
    code_line_ = line_;
    has_code_ = true;
    ++blocks_;
  }
  void end_code(Cursor&, std::string_view, std::string_view, std::optional<Type>) {
    if (!code_line_) return error(line_, keyword_, "found .end_code, but no .code is open");
    code_line_ = 0;
  }
  // Not in a kernel: one error is enough, whatever the arguments are.
  void outside(Cursor& c) {
    error(line_, keyword_, "this pragma belongs into a kernel, expected .kernel before it");
    c.go(text_.size());
  }

  // --- the result ---

  void resolve() {
    LabelPool pool;
    std::vector<std::vector<StatementText*>> blocks(size_t(blocks_) + 1);
    for (size_t n = 0; n < s_.size(); ++n) {
      blocks[size_t(block_of_[n])].push_back(&s_[n]);
      if (block_of_[n] == 0)  // these keep their names
        for (const TracedText& l : s_[n].labels) pool.taken.insert(l.text());
    }
    for (size_t b = 1; b < blocks.size(); ++b) resolve_block(m_, blocks[b], true, pool, out_.diagnostics);
    resolve_block(m_, blocks[0], false, pool, out_.diagnostics);
  }

  void write() {
    size_t next = 0;
    for (int line = 1; line <= lines_; ++line) {
      TracedText t;
      for (bool first = true; next < s_.size() && s_[next].line == line; ++next, first = false) {
        if (!first) t.put("; ", s_[next].raw.span(0, 1));
        join(s_[next], t);
      }
      out_.text += t.text();
      if (line < lines_) out_.text += '\n';
      out_.origins.push_back(t.origins());
    }
  }

  const Model& m_;
  const std::string text_;
  Expanded& out_;
  Scopes scopes_;
  std::vector<StatementText> s_;
  std::vector<int> block_of_;  // 0: outside any .code
  int lines_ = 0, blocks_ = 0;
  int line_ = 1;                         // of the pragma at hand
  Origin keyword_;                       // its name
  int kernel_line_ = 0, code_line_ = 0;  // 0: not inside one
  Origin kernel_at_;
  bool total_ = false, payload_ = false, has_code_ = false;
};

const Expander::Row Expander::rows[12] = {
    {"declare", Suffix::no, &Expander::declare_symbol},
    {"define", Suffix::no, &Expander::define_symbol},
    {"default_execution_size", Suffix::type, &Expander::execution_size},
    {"default_register_type", Suffix::file, &Expander::register_type},
    {"default_source_register_region", Suffix::type, &Expander::source_region},
    {"default_destination_register_region", Suffix::type, &Expander::destination_region},
    {"kernel", Suffix::no, &Expander::kernel},
    {"end_kernel", Suffix::no, &Expander::end_kernel},
    {"reg_count_total", Suffix::no, &Expander::reg_count_total},
    {"reg_count_payload", Suffix::no, &Expander::reg_count_payload},
    {"code", Suffix::no, &Expander::code},
    {"end_code", Suffix::no, &Expander::end_code},
};

}  // namespace

Expanded expand_pragmas(const Model& m, std::string_view source) {
  Expanded e;
  if (may_have_pragmas(source)) {
    std::string text = without_comments(source, e.diagnostics);
    if (has_pragmas(text)) {
      Expander(m, std::move(text), e).run();
      return e;
    }
    e.diagnostics.clear();  // the parser will say it
  }
  e.text = source;
  return e;
}

Diagnostic in_source(const Expanded& e, Diagnostic d) {
  if (d.line < 1 || size_t(d.line) > e.origins.size()) return d;
  const std::vector<Origin>& o = e.origins[size_t(d.line) - 1];
  if (o.empty()) return d;
  const size_t begin = size_t(std::max(d.column, 1)) - 1, end = begin + size_t(std::max(d.length, 1));
  if (begin >= o.size()) {
    d.column = o.back().column + o.back().length;
    d.length = 1;
    return d;
  }
  d.column = o[begin].column;
  d.length = o[begin].length;
  for (size_t n = begin; n < std::min(end, o.size()); ++n)
    d.length = std::max(d.length, o[n].column + o[n].length - d.column);
  return d;
}

}  // namespace vitro::isa
