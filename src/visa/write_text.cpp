// Text made of objects; see write_text.h. The layout is that of IGC's dumps to the blank.
#include "visa/write_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "visa/names.h"
#include "visa/row.h"

namespace vitro::visa {
namespace {

constexpr size_t comment_column = 80;

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

void append_number(std::string& out, uint64_t v) {
  char digits[20];
  size_t n = sizeof digits;
  do digits[--n] = char('0' + v % 10);
  while (v /= 10);
  out.append(digits + n, sizeof digits - n);
}
void append_signed(std::string& out, int64_t v) {
  if (v < 0) out += '-';
  append_number(out, v < 0 ? uint64_t(-v) : uint64_t(v));
}
void append_hex(std::string& out, uint64_t v) {
  char digits[16];
  size_t n = sizeof digits;
  do digits[--n] = "0123456789abcdef"[v & 15];
  while (v >>= 4);
  out += "0x";
  out.append(digits + n, sizeof digits - n);
}

void append_quoted(std::string& out, std::string_view text) {
  out += '"';
  for (const char c : text) {
    const size_t special = std::string_view("\a\b\x1b\f\n\r\t\v'\"\\").find(c);
    if (special != std::string_view::npos) {
      out += '\\';
      out += "abefnrtv'\"\\"[special];
    } else if (uint8_t(c) >= 0x20 && uint8_t(c) < 0x7f) {
      out += c;
    } else {
      out += fmt::format("\\x{:02x}", uint8_t(c));
    }
  }
  out += '"';
}

bool is_identifier(std::string_view s) {
  return !s.empty() && is_letter(s[0]) &&
         std::all_of(s.begin(), s.end(), [](char c) { return is_letter(c) || is_digit(c); });
}

std::string legal_name(std::string_view name) {
  std::string out(name);
  for (char& c : out)
    if (!is_letter(c) && !is_digit(c)) c = '_';
  if (!out.empty() && is_digit(out[0])) out.insert(0, 1, '_');
  return out;
}

// A name of its own for each: the string, or prefix and number.
template <class Items>
void name_all(std::vector<std::string>& out, const Items& items, const Routine& r, char prefix, uint32_t first,
              std::unordered_set<std::string>& taken) {
  out.reserve(items.size());
  uint32_t id = first;
  for (const auto& x : items) {
    std::string name = legal_name(r.text(x.name));
    if (name.empty()) name = fmt::format("{}{}", prefix, id);
    while (!taken.insert(name).second) name += fmt::format("_{}", id);
    out.push_back(std::move(name));
    ++id;
  }
}

class Writer {
 public:
  Writer(std::string& out, const Routine& r, const Names& n) : out_(out), r_(r), names_(n) {}

  void region(Region g, bool destination) {
    out_ += '<';
    if (!destination && (g >> 4 & 15)) {
      if (g & 15) {
        append_signed(out_, vertical_stride(g));
        out_ += ';';
      }
      append_signed(out_, width(g));
      out_ += ',';
    }
    append_signed(out_, std::max(horizontal_stride(g), 0));
    out_ += '>';
  }

  void state(uint32_t id, bool sampler) {
    if (sampler)
      out_ += 'S', append_number(out_, id);
    else
      out_ += surface_name(id);
  }

  void operand(const Operand& o, bool destination) {
    if (o.modifier != Modifier::saturate) out_ += modifier_names[size_t(o.modifier)];
    switch (o.kind) {
      case OperandClass::general:
        out_ += names_.variable(o.id);
        out_ += '(';
        append_number(out_, o.row);
        out_ += ',';
        append_number(out_, o.column);
        out_ += ')';
        region(o.region, destination);
        break;
      case OperandClass::address:
        out_ += names_.addresses[o.id];
        out_ += '(';
        append_number(out_, o.row);
        out_ += ")<";
        append_number(out_, 1u << o.column);
        out_ += '>';
        break;
      case OperandClass::predicate: out_ += names_.predicates[o.id - first_predicate]; break;
      case OperandClass::indirect:
        out_ += "r[";
        out_ += names_.addresses[o.id];
        out_ += '(';
        append_number(out_, o.row);
        out_ += "),";
        append_signed(out_, o.offset);
        out_ += ']';
        region(o.region, destination);
        out_ += ':';
        out_ += row(o.type).name;
        break;
      case OperandClass::address_of:
      case OperandClass::state_address:
        out_ += '&';
        if (o.kind == OperandClass::address_of)
          out_ += names_.variable(o.id);
        else
          state(o.id, o.column);
        if (o.value) {
          out_ += '[';
          append_signed(out_, int64_t(o.value));
          out_ += ']';
        }
        break;
      case OperandClass::immediate:
        append_hex(out_, o.value);
        out_ += ':';
        out_ += row(o.type).name;
        break;
      case OperandClass::state:
        state(o.id, o.column);
        out_ += '(';
        append_number(out_, o.row);
        out_ += ')';
        break;
      case OperandClass::raw:
        out_ += names_.variable(o.id);
        out_ += '.';
        append_number(out_, o.value);
        break;
      case OperandClass::surface: state(o.id, false); break;
      case OperandClass::sampler: state(o.id, true); break;
      case OperandClass::label: out_ += names_.labels[o.id]; break;
      case OperandClass::number: append_number(out_, o.value); break;
      case OperandClass::none: break;
    }
  }

  void execution(uint8_t e) {
    out_ += " (";
    out_ += mask_names[e >> 4];
    out_ += ", ";
    append_number(out_, 1u << (e & 15));
    out_ += ')';
  }

  void instruction(const Instruction& i) {
    if (i.predicate) {
      out_ += predicate_inverse(i.predicate) ? "(!" : "(";
      out_ += names_.predicates[predicate_id(i.predicate) - first_predicate];
      out_ += std::array{"", ".any", ".all", ""}[predicate_combine(i.predicate)];
      out_ += ") ";
    }
    const Operand* o = r_.operands_of(i);
    const bool fast_call = i.row->op == Op::call && r_.labels[o->id].kind == LabelKind::fast_call;
    out_ += fast_call ? "fccall" : i.row->mnemonic;
    for (const TextItem& t : i.row->items) item(i, t);
  }

 private:
  void name(std::span<const std::string_view> names, uint64_t code, char before) {
    out_ += before;
    if (code < names.size()) out_ += names[code];
  }
  void code(std::span<const uint8_t> values, uint64_t code) {
    append_number(out_, code < values.size() ? values[code] : 0);
  }

  void field(const Instruction& i, const Field& f) {
    const Operand* all = r_.operands_of(i);
    switch (f.kind) {
      case FieldKind::execution: execution(i.execution); return;
      case FieldKind::raw_list:
        for (uint32_t n = i.row->operands; n < i.count; ++n) out_ += ' ', operand(all[n], false);
        return;
      case FieldKind::string: {
        const std::string_view text = r_.text(uint32_t(all[f.operand].value));
        out_ += ' ';
        if (is_identifier(text))
          out_ += text;
        else
          append_quoted(out_, text);
        return;
      }
      default: break;
    }
    if (all[f.operand].kind == OperandClass::none) return;
    out_ += ' ';
    operand(all[f.operand], f.written);
  }

  void bits(std::span<const BitName> names, uint64_t v) {
    for (const BitName& n : names)
      if (v >> n.bit & 1) out_ += n.name;
  }

  void item(const Instruction& i, const TextItem& t) {
    const Field& f = i.row->fields.empty() ? no_field : i.row->fields[t.field];
    const Operand* all = r_.operands_of(i);
    const uint64_t v = f.operand >= 0 ? all[f.operand].value : 0;
    switch (t.style) {
      case Style::field: return field(i, f);
      case Style::saturate: {
        const auto d =
            std::find_if(i.row->fields.begin(), i.row->fields.end(), [](const Field& x) { return x.written; });
        if (d != i.row->fields.end() && all[d->operand].modifier == Modifier::saturate) out_ += ".sat";
        return;
      }
      case Style::blank: out_ += ' '; return;
      case Style::relation: return name(relation_names, v & 7, '.');
      case Style::number: out_ += ' ', append_number(out_, v); return;
      case Style::plane: out_ += ' ', append_number(out_, v); return;
      case Style::dot_if_four:
        if (v == 0) return;
        [[fallthrough]];
      case Style::dot: out_ += '.', append_number(out_, v); return;
      case Style::hex: out_ += ' ', append_hex(out_, v); return;
      case Style::pair:
        out_ += " (", append_number(out_, v), out_ += ',', append_number(out_, all[f.operand + 1].value), out_ += ')';
        return;
      case Style::triple: {
        const char* before = " (";
        for (const Field& x : i.row->fields)
          if (x.kind == FieldKind::vector) out_ += before, operand(all[x.operand], false), before = ",";
        out_ += ')';
        return;
      }
      case Style::labels:
        out_ += " (";
        for (uint32_t n = i.row->operands; n < i.count; ++n)
          out_ += n == i.row->operands ? "" : ", ", out_ += names_.labels[all[n].id];
        out_ += ')';
        return;
      case Style::quoted: out_ += ' ', append_quoted(out_, r_.text(uint32_t(v))); return;
      case Style::variable: {
        const uint32_t id = uint32_t(all[f.operand + 1].value);
        out_ += ' ';
        switch (v >> 4 & 3) {
          case 0: out_ += names_.variable(id); return;
          case 1: out_ += names_.addresses[id]; return;
          default: out_ += names_.predicates[id - first_predicate]; return;
        }
      }
      case Style::fence:
        if (v & 0x5f) out_ += '.';
        return bits(fence_names, v);
      case Style::modified: out_ += v & 1 ? ".mod" : ""; return;
      case Style::unaligned: out_ += v & 8 ? ".unaligned" : ""; return;
      case Style::eot: return;  // has rows of its own
      case Style::owords: out_ += " (", code(oword_counts, v & 7), out_ += ')'; return;
      case Style::elements: out_ += '.', code(element_sizes, v & 3); return;
      case Style::counted:
        out_ += " (", out_ += mask_names[v >> 4 & 15], out_ += ", ", code(scatter_counts, v & 15), out_ += ')';
        return;
      case Style::blocks: out_ += '.', code(block_counts, v); return;
      case Style::block_bytes: out_ += '.', code(block_sizes, v); return;
      case Style::atomic:
        name(atomic_names, v & 31, '.');
        out_ += v >> 5 == 1 ? ".16" : v >> 5 == 2 ? ".64" : "";
        return;
      case Style::channels:
        out_ += '.';
        for (int n = 0; n < 4; ++n)
          if (v >> n & 1) out_ += "RGBA"[n];
        return;
      case Style::channel: out_ += '.', out_ += "RGBA"[v & 3]; return;
      case Style::simd: out_ += v >> 4 & 3 ? " (16)" : " (8)"; return;
      case Style::sampler_flags: return bits(sampler_flag_names, v);
      case Style::rt_mode:
        if (v) out_ += '.';
        return bits(rt_mode_names, v);
      default: {
        const Words& w = *words_of(t.style);
        return name(w.names, v >> w.shift & w.mask, w.before);
      }
    }
  }

  static constexpr Field no_field{};
  std::string& out_;
  const Routine& r_;
  const Names& names_;
};

void attribute(std::string& out, const Routine& r, const Attribute& x) {
  const std::string_view name = r.text(x.name);
  out += name;
  const AttributeName* known = find_attribute(name);
  if (x.value.empty()) return;
  out += '=';
  const uint64_t number = number_of(x);
  const bool is_text = known ? known->value == AttributeValue::text : x.value.size() != 1 && x.value.size() != 4;
  if (name == "Target" && number < std::size(target_names))
    append_quoted(out, target_names[number]);
  else if (is_text)
    append_quoted(out, x.value);
  else
    append_signed(out, int32_t(number));
}

void attributes(std::string& out, const Routine& r, const Attributes& list) {
  const char* before = " attrs={";
  for (const Attribute& x : list) out += before, attribute(out, r, x), before = ", ";
  if (!list.empty()) out += '}';
}

void special(std::string& out, const Routine& r, std::string_view name, char kind, const SpecialVariable& v,
             bool named) {
  out += fmt::format("\n.decl {} v_type={} num_elts={}", name, kind, v.elements);
  if (named && !r.text(v.name).empty()) out += fmt::format(" v_name={}", legal_name(r.text(v.name)));
  attributes(out, r, v.attributes);
}

void declarations(std::string& out, const Routine& r, const Names& names) {
  for (size_t n = 0; n < r.variables.size(); ++n) {
    const Variable& v = r.variables[n];
    out += "\n.decl ";
    out += names.variables[n];
    out += " v_type=G type=";
    out += row(v.type).name;
    out += " num_elts=";
    append_number(out, v.elements);
    if (v.align) out += " align=", out += alignments[v.align].name;
    if (v.alias) {
      out += " alias=<";
      out += names.variable(v.alias);
      out += ", ";
      append_number(out, v.alias_offset);
      out += '>';
    }
    attributes(out, r, v.attributes);
  }
  for (size_t n = 0; n < r.addresses.size(); ++n) special(out, r, names.addresses[n], 'A', r.addresses[n], false);
  for (size_t n = 0; n < r.predicates.size(); ++n) special(out, r, names.predicates[n], 'P', r.predicates[n], false);
  for (size_t n = 0; n < r.samplers.size(); ++n) special(out, r, fmt::format("S{}", n), 'S', r.samplers[n], true);
  for (size_t n = 0; n < r.surfaces.size(); ++n)
    special(out, r, surface_name(uint32_t(n) + predefined_surfaces), 'T', r.surfaces[n], true);
  for (const Input& i : r.inputs) {
    const uint8_t from = i.kind >> 3;
    out += !r.is_kernel ? "\n.parameter " : from ? "\n.implicit_" : "\n.input ";
    if (r.is_kernel && from)
      out += from == pseudo_input ? "PSEUDO_INPUT" : from < 4 ? implicit_names[from] : "?", out += ' ';
    switch (i.input_class()) {
      case InputClass::general: out += names.variable(i.id); break;
      case InputClass::sampler: out += fmt::format("S{}", i.id); break;
      case InputClass::surface: out += surface_name(i.id); break;
    }
    if (r.is_kernel) out += fmt::format(" offset={}", i.offset);
    out += fmt::format(" size={}", i.size);
  }
  for (const Attribute& x : r.attributes) out += "\n.kernel_attr ", attribute(out, r, x);
}

void routine(std::string& out, const Object& object, const Routine& r, const TextOptions& options) {
  const Names names(r);
  out += r.is_kernel ? ".kernel " : ".global_function ";
  append_quoted(out, r.text(r.name));
  out += '\n';
  if (r.is_kernel)
    for (const Routine& f : object.routines)
      if (!f.is_kernel) out += ".funcdecl ", append_quoted(out, f.text(f.name)), out += '\n';
  if (options.predefined) {
    out += "\n/// VISA Predefined Variables";
    for (size_t n = 0; n < std::size(predefined); ++n)
      out += fmt::format("\n// .decl V{} v_type=G v_name={}", n, predefined[n].name);
    for (size_t n = 0; n < predefined_surfaces; ++n)
      out += fmt::format("\n// .decl T{} v_type=T v_name={}", n, predefined_surface_names[n]);
    out += '\n';
  }
  declarations(out, r, names);
  bool first = true;
  uint32_t number = 0;
  for (const Instruction& i : r.instructions) {
    // A subroutine ends the line before it, as IGC has it; so the declarations end without one.
    if (first && i.row->op != Op::subroutine) out += '\n';
    first = false;
    const size_t begin = out.size();
    write_instruction(out, r, names, i);
    if (options.numbers && i.row->op != Op::label && i.row->op != Op::subroutine && i.row->op != Op::file &&
        i.row->op != Op::loc) {
      const size_t length = out.size() - begin;
      if (length < comment_column) out.append(comment_column - length, ' ');
      out += " /// $";
      append_number(out, number);
    }
    ++number;
    out += '\n';
  }
  if (first) out += '\n';
}

}  // namespace

Names::Names(const Routine& r) {
  std::unordered_set<std::string> taken{"T0", "S31"};  // %slm, and bindless samplers
  taken.reserve(r.variables.size() + r.predicates.size() + r.addresses.size());
  for (size_t n = 0; n < r.samplers.size(); ++n) taken.insert(fmt::format("S{}", n));
  for (size_t n = 0; n < r.surfaces.size() + predefined_surfaces; ++n) taken.insert(surface_name(uint32_t(n)));
  name_all(variables, r.variables, r, 'V', predefined_variables, taken);
  name_all(addresses, r.addresses, r, 'A', 0, taken);
  name_all(predicates, r.predicates, r, 'P', first_predicate, taken);
  std::unordered_set<std::string> taken_labels;
  name_all(labels, r.labels, r, 'L', 0, taken_labels);
}

std::string_view Names::variable(uint32_t id) const {
  if (id >= predefined_variables) return variables[id - predefined_variables];
  return id < std::size(predefined) ? predefined[id].name : "%reserved";
}

std::string surface_name(uint32_t id) {
  return id < predefined_surfaces ? std::string(predefined_surface_names[id]) : fmt::format("T{}", id);
}

void write_instruction(std::string& out, const Routine& r, const Names& names, const Instruction& i) {
  const auto label = [&] { return names.labels[r.operands_of(i)->id]; };
  if (i.row->op == Op::label) {
    out += '\n', out += label(), out += ':';
  } else if (i.row->op == Op::subroutine) {
    out += "    \n.function ", append_quoted(out, label());
    out += "\n\n", out += label(), out += ':';
  } else {
    out += "    ";
    Writer(out, r, names).instruction(i);
  }
}

std::string write_text(const Object& o, const TextOptions& options) {
  std::string out = fmt::format(".version {}.{}\n", o.major, o.minor);
  for (const Routine& r : o.routines) routine(out, o, r, options);
  return out;
}

}  // namespace vitro::visa
