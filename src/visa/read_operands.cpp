// Instructions of vISA text: the items of a row are read one after the other into the operands of its fields.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "visa/names.h"
#include "visa/text_reader.h"

namespace vitro::visa {
namespace {

constexpr size_t most_parameters = 255, most_labels = 32;

int region_code(int64_t v) {
  for (int code = 1; code < 8; ++code)
    if (region_values[code] == v) return code;
  return -1;
}

std::string class_list(Classes classes) {
  constexpr std::string_view names[] = {"a variable", "an address",   "a predicate",      "an indirect operand",
                                        "&variable",  "an immediate", "a state variable", "&surface"};
  std::string out;
  for (size_t n = 0; n < std::size(names); ++n)
    if (classes >> n & 1) out += fmt::format("{}{}", out.empty() ? "" : ", ", names[n]);
  return out;
}

}  // namespace

Operand& TextReader::slot(const Instruction& i, const Field& f) {
  return result_.object.routines.back().operands[i.first + uint32_t(f.operand)];
}

void TextReader::instruction() {
  Routine& r = routine();
  const size_t operands_before = r.operands.size();
  Instruction i{.first = uint32_t(operands_before), .place = in_.line()};
  try {
    // The predicate is read when the row is known; here only its end is looked for.
    const char c = in_.peek();
    const size_t predicate_at = in_.at();
    if (c == '(') {
      in_.step();
      while (in_.here() != ')' && in_.here() != '(' && in_.here() != '\n' && !in_.at_end()) in_.step();
      if (!in_.take_here(')')) in_.expected("')' behind the predicate");
    }
    in_.peek();
    const size_t at = in_.at();
    const bool directive = in_.take_here('.');
    std::string_view mnemonic = in_.take_word();
    if (mnemonic.empty()) in_.expected("an instruction");
    const Row* row = directive ? find_mnemonic(mnemonic == "file" ? ".file" : ".loc") : find_mnemonic(mnemonic);
    if (!row && in_.here() == '.') {  // sbarrier.signal and the like
      const size_t dot = in_.at();
      in_.step();
      const std::string whole = fmt::format("{}.{}", mnemonic, in_.name_here());
      row = find_mnemonic(whole);
      if (row)
        in_.step(in_.name_here().size());
      else
        in_.go(dot);
    }
    if (!row) in_.fail_at(at, mnemonic.size(), fmt::format("there is no instruction {}", mnemonic));
    i.row = row;
    const size_t behind = in_.at();
    if (c == '(') {
      in_.go(predicate_at);
      predicate(i, *row, predicate_at);
      in_.go(behind);
    }
    r.operands.resize(operands_before + row->operands);
    i.count = row->operands;
    for (const Field& f : row->fields) {
      if (f.operand < 0) continue;
      if (f.kind == FieldKind::vector || f.kind == FieldKind::raw) continue;
      slot(i, f).kind = OperandClass::number;
    }
    if (row->selector >= 0) r.operands[i.first + uint32_t(row->selector)].value = row->select.value;
    bool saturate = false;
    for (const TextItem& t : row->items) item(i, *row, t, saturate);
    if (saturate) {
      const auto d = std::find_if(row->fields.begin(), row->fields.end(), [](const Field& f) { return f.written; });
      if (slot(i, *d).kind != OperandClass::general && slot(i, *d).kind != OperandClass::indirect)
        in_.fail_at(at, behind - at, "only variables and indirect operands are saturated");
      slot(i, *d).modifier = Modifier::saturate;
    }
    if (row->op == Op::call && mnemonic == "fccall") r.labels[r.operands[i.first].id].kind = LabelKind::fast_call;
    if (row->opcode == 0x7A)  // .eot makes it another row
      for (const Row* other : rows_of(row->opcode))
        if (other->select.value == r.operands[i.first + uint32_t(row->selector)].value) i.row = other;
    end_of_line();
  } catch (const TextError&) {
    r.operands.resize(operands_before);
    throw;
  }
  r.instructions.push_back(i);
}

void TextReader::predicate(Instruction& i, const Row& row, size_t at) {
  in_.expect('(');
  const bool inverse = in_.take('!');
  in_.peek();
  const size_t name_at = in_.at();
  const std::string_view name = in_.take_name();
  if (name.empty()) in_.expected("a predicate");
  const Entity* e = find(name);
  if (!e || e->kind != Entity::Kind::predicate)
    in_.fail_at(name_at, name.size(), fmt::format("'{}' is no predicate", name));
  uint32_t combine = 0;
  if (in_.take('.')) {
    const std::string_view how = in_.take_word();
    combine = how == "any" ? 1 : how == "all" ? 2 : 3;
    if (combine == 3) in_.fail_at(name_at, in_.at() - name_at, "predicates are combined by .any or .all");
  }
  in_.expect(')');
  if (!row.has_predicate) in_.fail_at(at, in_.at() - at, fmt::format("{} takes no predicate", row.mnemonic));
  if (e->id > 0xfff) in_.fail_at(name_at, name.size(), "only the first 4095 predicates can stand here");
  i.predicate = uint16_t(uint32_t(inverse) << 15 | combine << 13 | e->id);
}

uint64_t TextReader::named_code(std::span<const std::string_view> names, std::string_view what) {
  in_.peek();
  const size_t at = in_.at();
  size_t best = names.size();
  for (size_t n = 0; n < names.size(); ++n)
    if (!names[n].empty() && in_.take_here(names[n])) {
      if (best == names.size() || names[n].size() > names[best].size()) best = n;
      in_.go(at);
    }
  if (best == names.size()) in_.expected(what);
  in_.step(names[best].size());
  if (in_name(in_.here())) in_.go(at), in_.expected(what);
  return best;
}

uint64_t TextReader::counted_code(std::span<const uint8_t> values, std::string_view what) {
  in_.peek();
  const size_t at = in_.at();
  const uint64_t v = in_.take_number(what, 255);
  const auto found = std::find(values.begin(), values.end(), v);
  if (found == values.end()) in_.fail_at(at, in_.at() - at, fmt::format("{} is not {}", what, v));
  return uint64_t(found - values.begin());
}

uint64_t TextReader::channels() {
  uint64_t mask = 0;
  for (int n = 0; n < 4; ++n)
    if (in_.take_here("RGBA"[n]) || in_.take_here("rgba"[n])) mask |= 1u << n;
  if (!mask || in_name(in_.here())) in_.expected("channels: of R, G, B, A, in this order");
  return mask;
}

// "(M1, 16)", "(16)"; the size is returned.
uint32_t TextReader::mask_and_size(uint8_t& mask) {
  in_.expect('(');
  mask = 0;
  in_.peek();
  const size_t at = in_.at();
  const std::string_view name = in_.take_word();
  if (!name.empty()) {
    const auto found = std::find(std::begin(mask_names), std::end(mask_names), name);
    if (found != std::end(mask_names))
      mask = uint8_t(found - std::begin(mask_names));
    else if (name == "NoMask")
      mask = 8;
    else
      in_.fail_at(at, name.size(), fmt::format("'{}' is no mask: they go from M1 to M8_NM", name));
    in_.expect(',');
  }
  in_.peek();
  const size_t size_at = in_.at();
  const uint64_t size = in_.take_number("the execution size", 32);
  if (!std::has_single_bit(size))
    in_.fail_at(size_at, in_.at() - size_at, "the execution size is 1, 2, 4, 8, 16 or 32");
  in_.expect(')');
  return uint32_t(size);
}

void TextReader::execution(Instruction& i) {
  uint8_t mask = 0;
  const uint32_t size = mask_and_size(mask);
  i.execution = uint8_t(mask << 4 | std::countr_zero(size));
}

Type TextReader::type() {
  in_.peek();
  const size_t at = in_.at();
  const std::string_view word = in_.take_word();
  if (word.empty()) in_.expected("a type");
  std::string lower(word);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = char(c - 'A' + 'a');
  for (size_t n = 0; n < std::size(type_rows); ++n)
    if (type_rows[n].name == lower) return Type(n);
  in_.fail_at(at, word.size(), fmt::format("'{}' is no type", word));
}

Modifier TextReader::modifier() {
  in_.peek();
  for (size_t n = 1; n < std::size(modifier_names); ++n)
    if (!modifier_names[n].empty() && in_.take_here(modifier_names[n])) return Modifier(n);
  return Modifier::none;
}

Region TextReader::destination_region() {
  in_.expect('<');
  in_.peek();
  const size_t at = in_.at();
  const int64_t v = in_.closing_expression(size_of_);
  const int code = v <= 4 ? region_code(v) : -1;
  if (code < 0) in_.fail_at(at, in_.at() - at, fmt::format("the horizontal stride is 0, 1, 2 or 4, found {}", v));
  if (in_.peek() == ',' || in_.here() == ';') in_.fail_at(at, 1, "a destination has only a horizontal stride");
  in_.expect('>');
  return Region(code << 8);
}

// <VS;W,HS>; indirect operands also <W,HS>, <;W,HS> and <HS>.
Region TextReader::source_region(bool indirect) {
  in_.expect('<');
  int codes[3] = {};
  const auto number = [&](int n, int64_t limit, std::string_view what) {
    in_.peek();
    const size_t at = in_.at();
    const int64_t v = in_.closing_expression(size_of_);
    codes[n] = v <= limit ? region_code(v) : -1;
    if (codes[n] < 0) in_.fail_at(at, in_.at() - at, fmt::format("no {} is {}", what, v));
  };
  in_.peek();
  const size_t at = in_.at();
  if (!in_.take(';')) {
    number(0, 32, "stride");
    if (in_.take(';')) {
      if (!indirect && in_.peek() == ',') in_.expected("a width");
    } else if (!indirect) {
      in_.expected("';' and the width");
    } else if (in_.take(',')) {  // <W,HS>
      codes[1] = codes[0], codes[0] = 0;
      if (region_values[codes[1]] > 16 || region_values[codes[1]] == 0)
        in_.fail_at(at, 1, "the width is 1, 2, 4, 8 or 16");
      number(2, 4, "horizontal stride");
      in_.expect('>');
      return Region(codes[1] << 4 | codes[2] << 8);
    } else {  // <HS>
      if (region_values[codes[0]] > 4) in_.fail_at(at, 1, "no horizontal stride is larger than 4");
      in_.expect('>');
      return Region(codes[0] << 8);
    }
  } else if (!indirect) {
    in_.fail_at(at, 1, "only indirect operands have no vertical stride");
  }
  number(1, 16, "width");
  if (region_values[codes[1]] == 0) in_.fail_at(at, 1, "no width is 0");
  in_.expect(',');
  number(2, 4, "horizontal stride");
  in_.expect('>');
  return Region(codes[0] | codes[1] << 4 | codes[2] << 8);
}

Operand TextReader::immediate() {
  Operand o{.kind = OperandClass::immediate};
  const size_t at = in_.at();
  // Floats with a point or an exponent; all others are bits.
  const bool negative = in_.here() == '-';
  size_t n = negative ? 1 : 0;
  while (is_decimal(in_.here(n))) ++n;
  const size_t digits = n - (negative ? 1 : 0);
  const bool point = digits && in_.here(n) == '.' && is_decimal(in_.here(n + 1));
  if (point)
    for (++n; is_decimal(in_.here(n)); ++n) {
    }
  const bool exponent = digits && (in_.here(n) == 'e' || in_.here(n) == 'E') &&
                        (in_.here(n + 1) == '+' || in_.here(n + 1) == '-') && is_decimal(in_.here(n + 2));
  if (exponent)
    for (n += 2; is_decimal(in_.here(n)); ++n) {
    }
  if (point || exponent) {
    if (n > 400) in_.fail("the number is too long");
    char buffer[401];
    for (size_t k = 0; k < n; ++k) buffer[k] = in_.here(k);
    buffer[n] = '\0';
    in_.step(n);
    if (!in_.take_here(':')) in_.expected("':' and a type");
    o.type = type();
    const double value = std::strtod(buffer, nullptr);
    if (o.type == Type::f)
      o.value = std::bit_cast<uint32_t>(float(value));
    else if (o.type == Type::df)
      o.value = std::bit_cast<uint64_t>(value);
    else
      in_.fail_at(at, in_.at() - at, "only F and DF are written with a point or an exponent");
    return o;
  }
  const bool hex = in_.here() == '0' && (in_.here(1) == 'x' || in_.here(1) == 'X');
  const bool literal = is_decimal(in_.here()) || (negative && is_decimal(in_.here(1)));
  const int64_t v = in_.unary(size_of_);
  if (!in_.take(':')) in_.expected("':' and a type");
  o.type = type();
  const size_t length = in_.at() - at;
  switch (o.type) {
    case Type::bf: in_.fail_at(at, length, "Gen8 and Gen9 have no BF");
    case Type::hf:
      if (!hex || v < 0 || v > 0xffff) in_.fail_at(at, length, "halves are written as hexadecimal bits, 0x0 to 0xffff");
      break;
    case Type::f:
    case Type::df:
      if (!literal) in_.fail_at(at, length, "the bits of a float are one number");
      if (negative) {  // the sign of the float, not of the bits
        const uint64_t bits = 0 - uint64_t(v);
        o.value = o.type == Type::df ? bits ^ 1ull << 63 : uint32_t(bits) ^ 1u << 31;
        return o;
      }
      break;
    default: break;
  }
  o.value = uint64_t(v);
  if (row(o.type).bytes == 8) return o;
  if (v < INT32_MIN || v > int64_t(UINT32_MAX)) in_.fail_at(at, length, "the number does not fit into 32 bits");
  o.value = uint32_t(v);
  return o;
}

Operand TextReader::named_operand(Modifier m, const Field& f, size_t at, std::string_view name) {
  const Entity* e = find(name);
  if (!e) in_.fail_at(at, std::max<size_t>(name.size(), 1), fmt::format("'{}' is not declared", name));
  Operand o{.modifier = m, .id = e->id};
  const auto element = [&](std::string_view what) {
    in_.peek();
    const size_t number_at = in_.at();
    return uint8_t(bounded(in_.expression(size_of_), 255, what, number_at));
  };
  switch (e->kind) {
    case Entity::Kind::variable: {
      o.kind = OperandClass::general;
      const bool offset = in_.peek() == '(';
      if (!offset && !f.written) in_.expected("'(register,element)'");
      if (offset) {
        in_.step();
        o.row = element("a register");
        in_.expect(',');
        o.column = element("an element");
        in_.expect(')');
      }
      o.region = f.written ? destination_region() : source_region(false);
      return o;
    }
    case Entity::Kind::address: {
      o.kind = OperandClass::address;
      in_.expect('(');
      o.row = element("an element");
      in_.expect(')');
      in_.expect('<');
      in_.peek();
      const size_t width_at = in_.at();
      const int64_t w = in_.closing_expression(size_of_);
      if (w < 1 || w > 16 || !std::has_single_bit(uint64_t(w)))
        in_.fail_at(width_at, in_.at() - width_at, "the width is 1, 2, 4, 8 or 16");
      o.column = uint8_t(std::countr_zero(uint64_t(w)));
      in_.expect('>');
      return o;
    }
    case Entity::Kind::predicate: o.kind = OperandClass::predicate; return o;
    case Entity::Kind::sampler:
    case Entity::Kind::surface:
      o.kind = OperandClass::state;
      in_.expect('(');
      o.row = element("an element");
      in_.expect(')');
      o.column = e->kind == Entity::Kind::sampler;
      return o;
  }
  return o;
}

Operand TextReader::indirect_operand(Modifier m, const Field& f) {
  Operand o{.kind = OperandClass::indirect, .modifier = m};
  in_.step(2);
  in_.peek();
  const size_t at = in_.at();
  const std::string_view name = in_.take_name();
  if (name.empty()) in_.expected("an address variable");
  const Entity* e = find(name);
  if (!e || e->kind != Entity::Kind::address)
    in_.fail_at(at, name.size(), fmt::format("'{}' is no address variable", name));
  o.id = e->id;
  in_.expect('(');
  in_.peek();
  const size_t element_at = in_.at();
  o.row = uint8_t(bounded(in_.expression(size_of_), 255, "an element", element_at));
  in_.expect(')');
  if (in_.take(',')) {
    in_.peek();
    const size_t offset_at = in_.at();
    const int64_t offset = in_.expression(size_of_);
    if (offset < INT16_MIN || offset > INT16_MAX)
      in_.fail_at(offset_at, in_.at() - offset_at, "the offset has 16 bits");
    o.offset = int16_t(offset);
  }
  in_.expect(']');
  o.region = f.written ? destination_region() : source_region(true);
  in_.expect(':');
  o.type = type();
  return o;
}

Operand TextReader::address_of() {
  in_.step();
  in_.peek();
  const size_t at = in_.at();
  const std::string_view name = in_.take_name();
  if (name.empty()) in_.expected("a variable");
  const Entity* e = find(name);
  if (!e) in_.fail_at(at, name.size(), fmt::format("'{}' is not declared", name));
  Operand o{.kind = OperandClass::address_of, .id = e->id};
  if (e->kind == Entity::Kind::surface || e->kind == Entity::Kind::sampler) {
    o.kind = OperandClass::state_address;
    o.column = e->kind == Entity::Kind::sampler;
  } else if (e->kind != Entity::Kind::variable) {
    in_.fail_at(at, name.size(), fmt::format("{} is a {}: it has no address", name, kind_name(e->kind)));
  }
  if (in_.take('[')) {
    in_.peek();
    const size_t offset_at = in_.at();
    const int64_t offset = in_.expression(size_of_);
    o.value = bounded(offset, INT16_MAX, "the offset of an address", offset_at);
    in_.expect(']');
  }
  return o;
}

void TextReader::take_class(const Operand& o, const Field& f, const Row& row, size_t at) {
  if (f.classes >> unsigned(o.kind) & 1) return;
  in_.fail_at(at, in_.at() - at, fmt::format("{} takes here: {}", row.mnemonic, class_list(f.classes)));
}

Operand TextReader::vector_operand(const Field& f, const Row& row) {
  in_.peek();
  const size_t at = in_.at();
  Operand o;
  const Modifier m = f.written ? Modifier::none : modifier();
  const char c = in_.peek();
  const std::string_view name = in_.name_here();
  if (c == 'r' && in_.here(1) == '[') {
    o = indirect_operand(m, f);
  } else if (c == '&') {
    o = address_of();
  } else if (!name.empty() && name != "%sizeof" && name != "%DispatchSimd") {
    const size_t name_at = in_.at();
    in_.step(name.size());
    o = named_operand(m, f, name_at, name);
  } else if (!f.written && (is_decimal(c) || c == '-' || c == '~' || c == '!' || c == '(' || c == '%')) {
    o = immediate();
  } else {
    in_.expected(class_list(f.classes));
  }
  if (m != Modifier::none && o.kind != OperandClass::general && o.kind != OperandClass::indirect)
    in_.fail_at(at, in_.at() - at, "only variables and indirect operands have modifiers");
  take_class(o, f, row, at);
  o.place = in_.column(at);
  return o;
}

Operand TextReader::raw_operand() {
  in_.peek();
  const size_t at = in_.at();
  const std::string_view name = in_.take_name();
  const Entity* e = find(name);
  if (name.empty()) in_.expected("a variable and its offset, V.0");
  if (!e) in_.fail_at(at, name.size(), fmt::format("'{}' is not declared", name));
  if (e->kind != Entity::Kind::variable)
    in_.fail_at(at, name.size(), fmt::format("{} is a {}, expected a general variable", name, kind_name(e->kind)));
  Operand o{.kind = OperandClass::raw, .place = in_.column(at), .id = e->id};
  in_.expect('.');
  in_.peek();
  const size_t offset_at = in_.at();
  o.value = bounded(in_.unary(size_of_), UINT16_MAX, "the offset", offset_at);
  return o;
}

Operand TextReader::state_operand(Entity::Kind kind) {
  in_.peek();
  const size_t at = in_.at();
  const std::string_view name = in_.take_name();
  if (name.empty()) in_.expected(kind == Entity::Kind::surface ? "a surface" : "a sampler");
  const Entity* e = find(name);
  Operand o{.kind = kind == Entity::Kind::surface ? OperandClass::surface : OperandClass::sampler,
            .place = in_.column(at)};
  if (!e && kind == Entity::Kind::sampler && name == "S31") {
    o.id = 31;  // bindless
    return o;
  }
  if (!e) in_.fail_at(at, name.size(), fmt::format("'{}' is not declared", name));
  if (e->kind != kind)
    in_.fail_at(at, name.size(), fmt::format("{} is a {}, expected a {}", name, kind_name(e->kind), kind_name(kind)));
  o.id = e->id;
  return o;
}

void TextReader::labels(Instruction& i) {
  Routine& r = routine();
  in_.expect('(');
  while (in_.peek() != ')') {
    if (in_.take(',')) continue;
    const size_t at = in_.at();
    const std::string_view name = in_.take_word();
    if (name.empty()) in_.expected("a label");
    if (size_t(i.count - i.row->operands) == most_labels)
      in_.fail_at(at, name.size(), "switchjmp takes 1 to 32 labels");
    const uint32_t id = label_id(name, LabelKind::block, at);
    r.operands.push_back({.kind = OperandClass::label, .place = in_.column(at), .id = id});
    ++i.count;
  }
  if (i.count == i.row->operands) in_.fail("switchjmp takes 1 to 32 labels");
  in_.expect(')');
}

void TextReader::field(Instruction& i, const Field& f) {
  Routine& r = routine();
  switch (f.kind) {
    case FieldKind::execution: return execution(i);
    case FieldKind::vector: {
      const Operand o = vector_operand(f, *i.row);
      slot(i, f) = o;
      return;
    }
    case FieldKind::raw: slot(i, f) = raw_operand(); return;
    case FieldKind::surface: slot(i, f) = state_operand(Entity::Kind::surface); return;
    case FieldKind::sampler: slot(i, f) = state_operand(Entity::Kind::sampler); return;
    case FieldKind::label:
    case FieldKind::string: {
      in_.peek();
      const size_t at = in_.at();
      const std::string name = in_.here() == '"' ? in_.take_quoted() : std::string(in_.take_word());
      if (name.empty()) in_.expected("a name");
      if (f.kind == FieldKind::string) {
        const uint32_t s = string(name);
        slot(i, f) = {.kind = OperandClass::number, .place = in_.column(at), .value = s};
        return;
      }
      const LabelKind kind = i.row->op == Op::call ? LabelKind::subroutine : LabelKind::block;
      const uint32_t id = label_id(name, kind, at);
      slot(i, f) = {.kind = OperandClass::label, .place = in_.column(at), .id = id};
      return;
    }
    case FieldKind::raw_list:
      while (!in_.at_line_end()) {
        if (size_t(i.count - i.row->operands) == most_parameters) in_.fail("there are too many operands");
        r.operands.push_back(raw_operand());
        ++i.count;
      }
      return;
    default: in_.fail("this instruction has no text");
  }
}

}  // namespace vitro::visa
