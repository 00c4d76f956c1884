// Reading the arguments of .declare, .define and the defaults, and looking them up.
// Decisions where the document is silent: a kernel's own pragmas come before those of the file, and a default for one
// type before the default for all. The built-in execution sizes know the types of Gen6; a half float counts as a word,
// 64-bit types have no built-in size.
#include "isa/pragmas_scope.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cctype>

namespace vitro::isa {
namespace {

constexpr size_t longest_expansion = 1 << 16, deepest_nesting = 100;

bool digit(char c) { return std::isdigit(static_cast<unsigned char>(c)); }

// 9.1.2: bytes and words 16 channels, doublewords and floats 8.
std::optional<int> built_in_exec_size(Type t) {
  static constexpr struct {
    TypeSet types;
    int size;
  } rows[] = {{types(Type::ub, Type::b, Type::uw, Type::w, Type::hf), 16}, {types(Type::ud, Type::d, Type::f), 8}};
  for (const auto& r : rows)
    if (r.types.contains(t)) return r.size;
  return {};
}

template <class T>
std::optional<T> lookup(const PerType<T>& p, std::optional<Type> t) {
  if (t && p.of[size_t(*t)]) return p.of[size_t(*t)];
  return p.all;
}

// Defines nest, so what replaces a word is searched for words again; all of it has the origin of the word in the line.
class DefineReplacer {
 public:
  DefineReplacer(const Scopes& scopes, const TracedText& line) : scopes_(scopes), line_(line) {}

  TracedText run() {
    replace(line_.text(), nullptr);
    return std::move(out_);
  }

 private:
  void replace(std::string_view text, const Origin* outer) {
    for (size_t n = 0; n < text.size();) {
      size_t e = n;
      while (e < text.size() && is_word(text[e])) ++e;
      const std::string_view w = text.substr(n, e - n);
      e = std::max(e, n + 1);
      if (!outer) word_at_ = n, word_length_ = e - n;
      const Scope::Define* d = w.empty() || digit(w[0]) ? nullptr : scopes_.define(w);
      if (d) {
        if (std::find(active_.begin(), active_.end(), w) != active_.end())
          fail(fmt::format("{} is defined by itself, on line {}", w, d->line));
        if (active_.size() == deepest_nesting) fail(fmt::format("defines nest more than {} deep", deepest_nesting));
        const Origin o = outer ? *outer : line_.span(n, e);
        active_.push_back(w);
        replace(d->text, &o);
        active_.pop_back();
      } else if (outer) {
        out_.put(text.substr(n, e - n), *outer);
      } else {
        out_.put(line_.part(n, e));
      }
      if (out_.size() > longest_expansion)
        fail(fmt::format("defines expand to more than {} characters", longest_expansion));
      n = e;
    }
  }
  [[noreturn]] void fail(std::string message) const { throw SyntaxError{word_at_, word_length_, std::move(message)}; }

  const Scopes& scopes_;
  const TracedText& line_;
  TracedText out_;
  std::vector<std::string_view> active_;
  size_t word_at_ = 0, word_length_ = 1;
};

std::string region(Cursor& c, bool source) {
  c.peek();
  const size_t at = c.at();
  if (!c.take('<')) c.expected(source ? "a region <VertStride;Width,HorzStride>" : "a region <HorzStride>");
  int numbers = 0;
  std::string text = "<";
  for (;;) {
    c.peek();
    text += std::to_string(c.number("a stride or width", 64));
    ++numbers;
    const char s = c.peek();
    if (s != ',' && s != ';') break;
    text += s;
    c.step();
  }
  c.expect('>', "closing the region");
  if (numbers > (source ? 3 : 1))
    c.fail_at(at, c.at() - at,
              source ? "expected a region <VertStride;Width,HorzStride>" : "a destination has only <HorzStride>");
  return plain_region(text + ">");
}

int exec_size_argument(Cursor& c) {
  const bool parenthesis = c.take('(');
  c.peek();
  const size_t at = c.at();
  const uint32_t n = c.number("an execution size, as in (8)", 64);
  if (!std::has_single_bit(n) || n > 32)
    c.fail_at(at, c.at() - at, fmt::format("found {}, expected an execution size of 1, 2, 4, 8, 16 or 32", n));
  if (parenthesis) c.expect(')', "after the execution size");
  return int(n);
}

Type type_argument(const Model& m, Cursor& c) {
  c.peek();
  if (const std::optional<Type> t = type_named(m, c.word())) {
    c.take_word();
    return *t;
  }
  std::string names;
  for (int t = 0; t < type_count; ++t)
    if (m.types.contains(Type(t))) names.append(names.empty() ? "" : " ").append(info(Type(t)).name);
  c.expected(fmt::format("a type of {} ({})", m.name, names));
}

// Base=r5, Base=r5.2, Base=acc0
void base(const Model& m, Cursor& c, Declaration& d) {
  c.peek();
  const size_t at = c.at();
  const std::string_view w = c.take_word();
  d.file = register_file_of(m, w);
  if (d.file.empty()) {
    c.go(at);
    c.expected(m.mrf_count ? "a register (r5, m1, acc0 ...)" : "a register (r5, acc0 ...)");
  }
  d.count = d.file == "r" ? m.grf_count : m.mrf_count;
  for (const ArfRow& r : m.arfs)
    if (r.name == d.file) d.count = r.count, d.numbered = r.numbered;
  for (char ch : w.substr(d.file.size())) d.base = d.base * 10 + (ch - '0');
  if (d.base >= d.count) c.fail_at(at, w.size(), fmt::format("found {}, expected a number below {}", w, d.count));
  if (c.take_here('.')) d.sub = int(c.number("a sub-register", 32));
}

}  // namespace

const Declaration* Scopes::declaration(std::string_view symbol) const {
  return first([&](const Scope& s) -> const Declaration* {
    const auto i = s.declarations.find(symbol);
    return i == s.declarations.end() ? nullptr : &i->second;
  });
}
const Scope::Define* Scopes::define(std::string_view symbol) const {
  return first([&](const Scope& s) -> const Scope::Define* {
    const auto i = s.defines.find(symbol);
    return i == s.defines.end() ? nullptr : &i->second;
  });
}
std::optional<int> Scopes::exec_size(std::optional<Type> t) const {
  if (const auto n = first([&](const Scope& s) { return lookup(s.exec_size, t); })) return n;
  return t ? built_in_exec_size(*t) : std::nullopt;
}
std::optional<Type> Scopes::register_type(std::string_view name) const {
  const bool arf = name != "r" && name != "m" && name != "imm";
  return first([&](const Scope& s) -> std::optional<Type> {
    for (std::string_view key : {name, std::string_view(arf ? "arf" : ""), std::string_view("")})
      if (const auto i = s.register_type.find(key); i != s.register_type.end()) return i->second;
    return {};
  });
}
std::optional<std::string> Scopes::source_region(std::optional<Type> t) const {
  return first([&](const Scope& s) { return lookup(s.source_region, t); });
}
std::optional<std::string> Scopes::destination_region(std::optional<Type> t) const {
  return first([&](const Scope& s) { return lookup(s.destination_region, t); });
}

TracedText replace_defines(const Scopes& scopes, const TracedText& text) {
  if (scopes.file.defines.empty() && (!scopes.kernel || scopes.kernel->defines.empty())) return text;
  return DefineReplacer(scopes, text).run();
}

std::optional<Type> type_named(const Model& m, std::string_view name) {
  const std::string lower = lower_case(name);
  for (int t = 0; t < type_count; ++t)
    if (lower == info(Type(t)).name && m.types.contains(Type(t))) return Type(t);
  return {};
}

std::string_view register_file_of(const Model& m, std::string_view word) {
  size_t letters = word.size();
  while (letters > 0 && digit(word[letters - 1])) --letters;
  const std::string_view name = word.substr(0, letters);
  const size_t digits = word.size() - letters;
  if (digits > 3) return {};
  if (name == "r" || (name == "m" && m.mrf_count)) return digits ? name : std::string_view{};
  for (const ArfRow& r : m.arfs)
    if (name == r.name && r.numbered == (digits > 0)) return name;
  return {};
}

bool is_register_file(const Model& m, std::string_view name) {
  if (name == "r" || name == "arf" || name == "imm" || (name == "m" && m.mrf_count)) return true;
  return std::any_of(m.arfs.begin(), m.arfs.end(), [&](const ArfRow& r) { return r.name == name; });
}

std::string plain_region(std::string_view text) {
  std::string out;
  for (char c : text)
    if (c != ' ' && c != '\t') out += c;
  if (std::count(out.begin(), out.end(), ',') == 2 && out.find(';') == std::string::npos) out[out.find(',')] = ';';
  return out;
}

void declare(const Model& m, Scopes& scopes, Cursor& c, int line) {
  c.peek();
  const size_t at = c.at();
  const std::string symbol(c.take_word());
  if (symbol.empty() || digit(symbol[0])) {
    c.go(at);
    c.expected("a symbol to declare");
  }
  if (symbol == "r" || !register_file_of(m, symbol).empty())
    c.fail_at(at, symbol.size(), fmt::format("{} is a register, expected a symbol to declare", symbol));
  Declaration d;
  d.line = line;
  bool has_base = false, has_size = false;
  static constexpr std::string_view options = "Base= ElementSize= SrcRegion= Region= DstRegion= Type=";
  while (!c.done()) {
    const size_t option_at = c.at();
    const std::string_view w = c.take_word();
    const bool source = w == "SrcRegion" || w == "Region";
    if (w != "Base" && w != "ElementSize" && !source && w != "DstRegion" && w != "Type") {
      c.go(option_at);
      c.expected(fmt::format("one of {}", options));
    }
    c.expect('=', fmt::format("after {}", w));
    if ((w == "Base" && has_base) || (w == "ElementSize" && has_size) || (source && !d.source_region.empty()) ||
        (w == "DstRegion" && !d.destination_region.empty()) || (w == "Type" && d.type))
      c.fail_at(option_at, w.size(), fmt::format("{} is given twice", w));
    if (w == "Base") {
      base(m, c, d);
      has_base = true;
    } else if (w == "ElementSize") {
      c.peek();
      const size_t n = c.at();
      d.element_size = int(c.number("a size in bytes", 64));
      if (!std::has_single_bit(unsigned(d.element_size)) || d.element_size > 8)
        c.fail_at(n, c.at() - n, fmt::format("found {}, expected a size of 1, 2, 4 or 8 bytes", d.element_size));
      has_size = true;
    } else if (w == "Type") {
      d.type = type_argument(m, c);
    } else {
      (source ? d.source_region : d.destination_region) = region(c, source);
    }
  }
  if (!has_base) c.expected(fmt::format("Base= of the symbol {}", symbol));
  if (!has_size) c.expected(fmt::format("ElementSize= of the symbol {}", symbol));
  const auto [i, fresh] = scopes.innermost().declarations.emplace(symbol, d);
  if (!fresh) c.fail_at(at, symbol.size(), fmt::format("{} is declared already, on line {}", symbol, i->second.line));
}

void define(Scopes& scopes, Cursor& c, std::string_view text, int line) {
  c.peek();
  const size_t at = c.at();
  const std::string symbol(c.take_word());
  if (symbol.empty() || digit(symbol[0])) {
    c.go(at);
    c.expected("a symbol to define");
  }
  c.peek();
  std::string value(text.substr(std::min(c.at(), text.size())));
  while (!value.empty() && std::isspace(static_cast<unsigned char>(value.back()))) value.pop_back();
  c.go(text.size());
  const auto [i, fresh] = scopes.innermost().defines.emplace(symbol, Scope::Define{line, value});
  if (!fresh) c.fail_at(at, symbol.size(), fmt::format("{} is defined already, on line {}", symbol, i->second.line));
}

void default_execution_size(const Model&, Scopes& scopes, Cursor& c, std::optional<Type> t) {
  PerType<int>& sizes = scopes.innermost().exec_size;
  (t ? sizes.of[size_t(*t)] : sizes.all) = exec_size_argument(c);
}
void default_register_type(const Model& m, Scopes& scopes, Cursor& c, std::string_view name) {
  const Type t = type_argument(m, c);
  scopes.innermost().register_type.insert_or_assign(std::string(name), t);
}
void default_region(Scopes& scopes, Cursor& c, std::optional<Type> t, bool source) {
  PerType<std::string>& regions = source ? scopes.innermost().source_region : scopes.innermost().destination_region;
  (t ? regions.of[size_t(*t)] : regions.all) = region(c, source);
}

}  // namespace vitro::isa
