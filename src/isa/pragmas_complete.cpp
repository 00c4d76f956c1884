// Completing statements: PG-01 (uses of declared symbols), PG-02 (defaults), `jmp` of PG-03.
// Decisions where the document is silent or contradicts itself:
//  - sym[idx] adds RegBase*32: the printed "+ RegBase" lacks the factor that the two longer forms have;
//  - a sub-register counts elements of ElementSize, as in the indirect forms; text counts elements of the operand's
//  type,
//    so an overriding type of another size converts it;
//  - default regions are for declared symbols, as the text says; plain registers keep the rules of plain syntax;
//  - the default type for all register files holds for immediates too, which are one of the four register files;
//  - a null destination without any type has that of the first source;
//  - example 1 of 9.1.3 prints an execution size of 32 for bytes where the table of 9.1.2 says 16: the table holds.
#include <fmt/format.h>

#include <cctype>
#include <charconv>

#include "isa/operand_text.h"
#include "isa/pragmas_rewrite.h"

namespace vitro::isa {
namespace {

bool digit(char c) { return std::isdigit(static_cast<unsigned char>(c)); }

// An operand in parts: -(abs) | r5.2 | <8;8,1> | .xyzw | :f
struct Parts {
  TracedText prefix, name, region, channels, type;
  enum class Kind { other, immediate, reg, symbol } kind = Kind::other;
  std::string file;  // of a register: r, m, acc ...; imm
  const Declaration* declaration = nullptr;
};

struct Three {
  int v = -1, w = -1, h = -1;
};
Three numbers_of(std::string_view region) {
  Three t;
  int* const n[] = {&t.v, &t.w, &t.h};
  const char* p = region.data() + 1;
  const char* const end = region.data() + region.size();
  for (int k = 0; k < 3 && p < end; ++k) {
    const auto r = std::from_chars(p, end, *n[k]);
    if (r.ec != std::errc{}) return {};
    p = r.ptr + 1;
  }
  return t;
}

class Completer {
 public:
  Completer(const Model& m, const Scopes& scopes, StatementText& s) : m_(m), scopes_(scopes), s_(s) {}

  void run() {
    if (s_.kind == StatementText::Kind::jump) jump();
    if (s_.kind != StatementText::Kind::instruction) return;
    std::vector<Parts> parts;
    for (const TracedText& o : s_.operands) parts.push_back(take(o));
    access_mode(parts);
    for (size_t n = 0; n < parts.size(); ++n) operand(parts[n], role_of(s_, n), n);
    null_destination(parts);
    exec_size(parts);
    for (size_t n = 0; n < parts.size(); ++n) s_.operands[n] = put_together(parts[n]);
    saturate();
  }

 private:
  [[noreturn]] static void fail(const TracedText& at, std::string message) {
    throw PlacedError{at.span(), std::move(message)};
  }
  // The end of a bracket; operands come with theirs closed.
  static size_t after_bracket(std::string_view t, size_t at) { return std::min(closing(t, at), t.size()); }

  Parts take(const TracedText& operand) const {
    const std::string_view t = operand.text();
    Parts p;
    size_t n = 0;
    for (bool more = true; more && n < t.size();) {
      const std::string_view rest = t.substr(n);
      more = true;
      if (rest[0] == '-' || rest[0] == '~' || rest[0] == '+' || rest[0] == ' ' || rest[0] == '\t') {
        ++n;
      } else if (rest.substr(0, 5) == "(abs)" || rest.substr(0, 5) == "(sat)") {
        n += 5;
      } else {
        more = false;
      }
    }
    const size_t name_at = n;
    while (n < t.size() && is_word(t[n])) ++n;
    const std::string_view word = t.substr(name_at, n - name_at);
    const bool is_ip = word == "IP";
    Cursor c(t, name_at, t.size());
    if (word.empty() || digit(word[0]) || word == "inf" || word == "nan" || word == "qnan" || word == "snan") {
      p.kind = Parts::Kind::immediate;
      p.file = "imm";
      const size_t colon = t.rfind(':');
      p.name = operand.part(0, colon);
      if (colon != std::string_view::npos) p.type = operand.part(colon, t.size());
      return p;
    }
    if ((p.declaration = scopes_.declaration(word))) {
      p.kind = Parts::Kind::symbol;
      p.file = p.declaration->file;
      if (n >= t.size() || (t[n] != '(' && t[n] != '['))
        fail(operand.part(name_at, n), fmt::format("{0} is a declared symbol, expected {0}(RegOff,SubRegOff) or "
                                                   "{0}[a0.n,RegOff,SubRegOff]",
                                                   word));
      n = after_bracket(t, n);
    } else if (is_ip || at_register(c, m_)) {
      p.kind = Parts::Kind::reg;
      p.file = is_ip ? "ip" : std::string(register_file_of(m_, word));
      if (p.file.empty()) p.file = word;  // r[a0.0]
      if (n < t.size() && t[n] == '[') n = after_bracket(t, n);
      if (n + 1 < t.size() && t[n] == '.' && digit(t[n + 1]))
        for (++n; n < t.size() && is_word(t[n]);) ++n;
    } else {
      p.name = operand;
      return p;
    }
    p.prefix = operand.part(0, name_at);
    if (is_ip)
      p.name = TracedText("ip", operand.span(name_at, n));
    else
      p.name = operand.part(name_at, n);
    if (n < t.size() && t[n] == '<') {
      const size_t end = after_bracket(t, n);
      p.region = TracedText(plain_region(t.substr(n, end - n)), operand.span(n, end));
      n = end;
    }
    const size_t colon = std::min(t.find(':', n), t.size());
    p.channels = operand.part(n, colon);
    p.type = operand.part(colon, t.size());
    return p;
  }

  static TracedText put_together(const Parts& p) {
    TracedText out = p.prefix;
    for (const TracedText* part : {&p.name, &p.region, &p.channels, &p.type}) out.put(*part);
    return out;
  }

  std::optional<Type> type_of(const Parts& p) const {
    return p.type.size() > 1 ? type_named(m_, p.type.text().substr(1)) : std::nullopt;
  }

  // A swizzle or a write mask says Align16; the guide's examples leave the option out.
  void access_mode(const std::vector<Parts>& parts) {
    const std::string& o = s_.options.text();
    align16_ = o.find("Align16") != std::string::npos;
    if (align16_ || s_.row->format == Format::ternary || o.find("Align1") != std::string::npos) return;
    for (const Parts& p : parts) {
      if (p.channels.empty() || p.channels.text().find_first_not_of(".xyzw") != std::string::npos) continue;
      align16_ = true;
      TracedText with("{Align16", p.channels.span());
      if (o.size() > 1 && o[0] == '{') {
        with.put(",", p.channels.span());
        with.put(s_.options.part(1, o.size()));
      } else {
        with.put("}", p.channels.span());
      }
      s_.options = with;
      return;
    }
  }

  void operand(Parts& p, Role role, size_t index) {
    if (p.kind == Parts::Kind::other || (role == Role::target && p.kind == Parts::Kind::immediate)) return;
    const Origin use = p.name.span();
    const bool typed = role == Role::destination || role == Role::source;
    std::optional<Type> type = type_of(p);
    if (typed && p.type.empty()) {
      type = p.declaration && p.declaration->type ? p.declaration->type : scopes_.register_type(p.file);
      if (type) p.type.put(fmt::format(":{}", info(*type).name), use);
    }
    if (p.kind == Parts::Kind::immediate) return;
    bool region_is_default = false;
    if (p.declaration && typed && p.region.empty()) {
      const bool d = role == Role::destination;
      std::string region = d ? p.declaration->destination_region : p.declaration->source_region;
      if (region.empty()) region = (d ? scopes_.destination_region(type) : scopes_.source_region(type)).value_or("");
      if (!region.empty()) p.region.put(region, use);
      region_is_default = true;
    }
    if (role == Role::source) fit_region(p, region_is_default, index);
    if (p.declaration) symbol(p, type);
  }

  // Align16 sources have only a vertical stride; three-source operands are vectors or scalars.
  void fit_region(Parts& p, bool is_default, size_t index) {
    const Three r = numbers_of(p.region.text());
    if (p.region.empty() || r.h < 0) return;
    std::string region;
    const bool scalar = r.v == 0 && r.w == 1 && r.h == 0;
    if (align16_ && r.w == 4 && r.h == 1) region = fmt::format("<{}>", r.v);
    if (is_default && s_.row->format == Format::ternary && (scalar || r.h == 1)) {
      const bool last = index == 3;
      region = scalar ? (last ? "<0>" : "<0;0>") : (last ? "<1>" : "<2;1>");
    }
    if (!region.empty()) p.region = TracedText(region, p.region.span());
  }

  // PG-01: the symbol and its offsets become a register or an address.
  void symbol(Parts& p, std::optional<Type> type) {
    const Declaration& d = *p.declaration;
    const std::string t = p.name.text();
    const size_t open = t.find_first_of("([");
    const bool indirect = t[open] == '[';
    Cursor c(t, open + 1, t.size() - 1);
    TracedText index_register;
    int64_t offset[2]{};
    int offsets = 0;
    try {
      if (indirect) {
        const size_t begin = (c.peek(), c.at());
        const size_t end = std::min(t.find(',', begin), t.size() - 1);
        index_register = p.name.part(begin, end).without_blanks();
        if (index_register.empty()) c.expected("an address register a0.n");
        c.go(end);
        if (!c.take(',')) c.go(t.size() - 1);
      }
      while (!c.done()) {
        if (offsets == 2) c.expected(indirect ? "']' after two offsets" : "')' after two offsets");
        offset[offsets++] = c.expression();
        if (c.take(',') ? c.done() : !c.done()) c.expected("',' and another offset, or the end of the offsets");
      }
      if (!indirect && offsets == 0) c.expected("a register offset");
    } catch (const SyntaxError& e) {
      fail(p.name.part(e.at, e.at + std::max<size_t>(e.length, 1)), e.message);
    }
    for (int64_t o : offset)
      if (o < -4096 || o > 4096) fail(p.name, fmt::format("the offset {} lies outside every register file", o));
    const int64_t reg = d.base + offset[0], sub = d.sub.value_or(0) + offset[1];
    const Origin use = p.name.span();
    if (indirect) {
      if (d.file != "r" && d.file != "m")
        fail(p.name, fmt::format("{} registers are not addressed indirectly", d.file));
      const int64_t bytes = reg * 32 + (offsets == 2 ? sub * d.element_size : 0);
      p.name = TracedText(d.file + "[", use);
      p.name.put(index_register);
      p.name.put(bytes ? fmt::format(",{}]", bytes) : "]", use);
      return;
    }
    if (reg < 0 || reg >= d.count)
      fail(p.name, fmt::format("found register {} of {}, expected a number from 0 to {}", reg, d.file, d.count - 1));
    if (sub < 0) fail(p.name, fmt::format("found sub-register {}, expected none below 0", sub));
    p.name = TracedText(d.file, use);
    if (d.numbered) p.name.put(std::to_string(reg), use);
    // without a region, r6 is a row and r6.0 one element: as the use is written
    if (sub == 0 && !d.sub && offsets < 2 && p.region.empty()) return;
    const int64_t bytes = sub * d.element_size;
    const int64_t unit = size_of(type.value_or(Type::d));  // plain syntax takes untyped ones for doublewords
    p.name.put(bytes % unit ? fmt::format(".{}b", bytes) : fmt::format(".{}", bytes / unit), use);
  }

  void null_destination(std::vector<Parts>& parts) const {
    if (parts.size() < 2 || role_of(s_, 0) != Role::destination || parts[0].file != "null" || !parts[0].type.empty())
      return;
    if (const std::optional<Type> t = type_of(parts[1]))
      parts[0].type.put(fmt::format(":{}", info(*t).name), parts[0].name.span());
  }

  void exec_size(const std::vector<Parts>& parts) {
    if (!s_.exec_size.empty() || s_.row->format == Format::nullary || s_.row->has(attr_scalar)) return;
    std::optional<Type> type;
    const bool has_destination = !parts.empty() && role_of(s_, 0) == Role::destination;
    const bool send = s_.row->format == Format::send || s_.row->format == Format::split_send;
    if ((has_destination || send) && !parts.empty()) type = type_of(parts[0]);
    if (send && !type) type = Type::ud;  // what plain syntax takes for it
    const std::optional<int> size = scopes_.exec_size(type);
    if (!size) return;
    const TracedText text(fmt::format("({})", *size), s_.mnemonic.span());
    // else and endif would rather have the size of their if
    if (s_.row->op == Op::else_ || s_.row->op == Op::endif)
      s_.size_default = text;
    else
      s_.exec_size = text;
  }

  void saturate() {
    if (!s_.saturate) return;
    const Format f = s_.row->format;
    const bool send = f == Format::send || f == Format::split_send;
    if (s_.operands.empty() || (role_of(s_, 0) != Role::destination && !send))
      fail(s_.mnemonic, fmt::format("found .sat, but {} has no destination to saturate", s_.row->mnemonic));
    TracedText with("(sat)", s_.mnemonic.span());
    with.put(s_.operands[0]);
    s_.operands[0] = with;
  }

  // jmp n is add (1) ip ip n*16; to a label, jmpi, which has to be NoMask.
  void jump() {
    if (s_.operands.size() != 1) fail(s_.mnemonic, "expected a number of instructions or a label after jmp");
    const TracedText target = s_.operands[0];
    s_.kind = StatementText::Kind::instruction;
    const char first = target.text()[0];
    if (is_word(first) && !digit(first)) {
      s_.row = m_.row(Op::jmpi);
      s_.mnemonic = TracedText("jmpi", s_.mnemonic.span());
      s_.exec_size = {};
      TracedText mask(s_.predicate.empty() ? "(W)" : "(W&", s_.mnemonic.span());
      if (!s_.predicate.empty() && s_.predicate.text().find('W') == std::string::npos)
        mask.put(s_.predicate.part(1, s_.predicate.size()));
      else if (!s_.predicate.empty())
        mask = s_.predicate;
      s_.predicate = mask;
      return;
    }
    Cursor c(target.text(), 0, target.size());
    int64_t count = 0;
    try {
      count = c.expression();
      if (!c.done()) c.expected("the end of the number of instructions");
      if (count < -0x7FFFFFF || count > 0x7FFFFFF) c.fail_at(0, c.at(), "the distance does not fit 32 bits");
    } catch (const SyntaxError& e) {
      fail(target.part(e.at, e.at + std::max<size_t>(e.length, 1)), e.message);
    }
    const Origin o = target.span();
    s_.row = m_.row(Op::add);
    s_.mnemonic = TracedText("add", s_.mnemonic.span());
    s_.exec_size = TracedText("(1)", s_.mnemonic.span());
    s_.operands = {TracedText("ip:d", o), TracedText("ip:d", o), TracedText(fmt::format("{}:d", count * 16), o)};
  }

  const Model& m_;
  const Scopes& scopes_;
  StatementText& s_;
  bool align16_ = false;
};

}  // namespace

Role role_of(const StatementText& s, size_t operand) {
  using enum Role;
  switch (s.row->format) {
    case Format::unary:
    case Format::binary:
    case Format::ternary:
    case Format::math: return operand == 0 ? destination : source;
    case Format::wait: return source;
    case Format::branch_compare: return !s.condition.empty() && operand < 2 ? source : target;
    case Format::fork: return operand == 0 ? source : target;
    case Format::call:
    case Format::call_absolute: return operand == 0 ? plain : target;
    case Format::branch:
    case Format::branch_uip:
    case Format::branch_reg:
    case Format::branch_reg_uip:
    case Format::jump: return target;
    case Format::nullary:
    case Format::send:
    case Format::split_send:
    case Format::ret: return plain;
  }
  return plain;
}

void complete(const Model& m, const Scopes& scopes, StatementText& s) { Completer(m, scopes, s).run(); }

}  // namespace vitro::isa
