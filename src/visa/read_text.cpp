// Statements of vISA text: directives, declarations, labels; see read_text.h.
#include "visa/read_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "visa/names.h"
#include "visa/text_reader.h"

namespace vitro::visa {
namespace {

constexpr size_t most_errors = 100;
constexpr uint32_t most_variables = 1u << 20, most_specials = 1u << 16;

}  // namespace

std::string_view kind_name(Entity::Kind k) {
  constexpr std::string_view names[] = {"general variable", "address variable", "predicate", "sampler", "surface"};
  return names[size_t(k)];
}

TextResult read_text(std::string_view text) {
  TextResult result;
  TextReader(text, result).read();
  return result;
}

TextReader::TextReader(std::string_view text, TextResult& result)
    : in_(text), result_(result), size_of_([this](std::string_view n, size_t at) { return size_of(n, at); }) {}

void TextReader::read() {
  while (result_.diagnostics.size() < most_errors) {
    try {
      if (!in_.at_line_end()) statement();
    } catch (const TextError& e) {
      error(e);
      in_.drop_line();
    }
    if (in_.at_end()) break;
    in_.next_line();
  }
  if (in_routine_) end_routine();
  if (!versioned_ && result_.ok()) error_at({in_.line(), 1, 1}, "there is no .version");
  if (result_.ok() && result_.object.routines.empty())
    error_at({in_.line(), 1, 1}, "there is no .kernel and no .global_function");
}

void TextReader::error(const TextError& e) {
  result_.diagnostics.push_back({.line = int(in_.line()),
                                 .column = in_.column(e.at),
                                 .length = int(std::min<size_t>(std::max<size_t>(e.length, 1), 1000)),
                                 .message = e.message});
}
void TextReader::error_at(Place p, std::string message) {
  result_.diagnostics.push_back(
      {.line = int(p.line), .column = p.column, .length = p.length, .message = std::move(message)});
}

Place TextReader::place(size_t at, size_t length) const {
  return {in_.line(), in_.column(at), uint16_t(std::min<size_t>(length, 1000))};
}

Routine& TextReader::routine() {
  if (!in_routine_) in_.fail("this belongs into a .kernel or a .global_function");
  return result_.object.routines.back();
}

uint32_t TextReader::string(std::string_view s) {
  Routine& r = routine();
  const auto [found, added] = strings_.try_emplace(std::string(s), uint32_t(r.strings.size()));
  if (added) r.strings.emplace_back(s);
  return found->second;
}

const Entity* TextReader::find(std::string_view name) const {
  const auto found = names_.find(name);
  return found == names_.end() ? nullptr : &found->second;
}

void TextReader::end_of_line() {
  if (!in_.at_line_end()) in_.expected("the end of the line");
}

void TextReader::statement() {
  const char c = in_.peek();
  const size_t at = in_.at();
  if (!versioned_ && !(c == '.' && (in_.take_here(".version")))) {
    versioned_ = true;  // said once
    in_.fail_at(at, 1, "the first statement is .version");
  }
  in_.go(at);
  if (c == '.') return directive();
  if (c == '{') {
    in_.step();
    routine();
    scopes_.push_back({.place = place(at, 1)});
    return end_of_line();
  }
  if (c == '}') {
    in_.step();
    if (scopes_.empty()) in_.fail_at(at, 1, "no scope is open");
    for (auto hidden = scopes_.back().hidden.rbegin(); hidden != scopes_.back().hidden.rend(); ++hidden)
      if (hidden->second)
        names_.insert_or_assign(hidden->first, *hidden->second);
      else
        names_.erase(hidden->first);
    scopes_.pop_back();
    return end_of_line();
  }
  // A label begins in the first column and has no blank before its colon.
  if (in_.column(at) == 1 && (starts_name(c) || c == '$' || c == '@' || c == '?')) {
    size_t n = 0;
    const auto in_label = [](char x) { return in_name(x) || x == '$' || x == '@' || x == '?' || x == '-'; };
    std::string name;
    while (in_label(in_.here(n))) name += in_.here(n++);
    if (in_.here(n) == ':') {
      in_.step(n + 1);
      label(name, at);
      return end_of_line();
    }
  }
  instruction();
}

void TextReader::directive() {
  const size_t at = in_.at();
  in_.step();
  const std::string_view word = in_.take_word();
  if (word == "version") {
    const uint64_t major = in_.take_number("a version", 255);
    in_.expect('.');
    const uint64_t minor = in_.take_number("a version", 255);
    const uint32_t v = version(uint8_t(major), uint8_t(minor));
    if (v < oldest_version || v > newest_version)
      in_.fail_at(at, in_.at() - at, fmt::format("version {}.{} is not known: they go from 3.0 to 4.1", major, minor));
    if (versioned_ && v != version(result_.object))
      in_.fail_at(at, in_.at() - at,
                  fmt::format("the text began with version {}.{}", result_.object.major, result_.object.minor));
    versioned_ = true;
    result_.object.major = uint8_t(major), result_.object.minor = uint8_t(minor);
  } else if (word == "kernel" || word == "global_function") {
    begin_routine(word == "kernel");
  } else if (word == "decl") {
    declaration();
  } else if (word == "funcdecl") {
    in_.take_quoted();
  } else if (word == "input" || word == "parameter" || word.starts_with("implicit")) {
    input(word);
  } else if (word == "kernel_attr") {
    kernel_attribute();
  } else if (word == "function") {
    function();
  } else if (word == "file" || word == "loc") {
    in_.go(at);
    return instruction();
  } else {
    in_.fail_at(at, word.size() + 1, fmt::format("there is no directive .{}", word));
  }
  end_of_line();
}

void TextReader::begin_routine(bool kernel) {
  const std::string name = in_.peek() == '"' ? in_.take_quoted() : std::string(in_.take_word());
  if (name.empty()) in_.expected("a name");
  if (in_routine_) end_routine();
  in_routine_ = true;
  Routine& r = result_.object.routines.emplace_back();
  r.is_kernel = kernel;
  r.place = {in_.line(), 1, 1};
  names_.clear(), strings_.clear(), labels_.clear(), scopes_.clear();
  strings_.emplace("", 0);
  for (uint32_t n = 0; n < std::size(predefined); ++n)
    names_.emplace(predefined[n].name, Entity{Entity::Kind::variable, n});
  for (uint32_t n = 0; n < predefined_surfaces; ++n)
    names_.emplace(predefined_surface_names[n], Entity{Entity::Kind::surface, n});
  names_.emplace("T0", Entity{Entity::Kind::surface, 0});
  r.name = string(name);
}

void TextReader::end_routine() {
  Routine& r = result_.object.routines.back();
  for (const Scope& s : scopes_) error_at(s.place, "the scope has no end");
  for (const auto& [name, state] : labels_)
    if (!state.defined && r.labels[state.id].kind != LabelKind::fast_call)
      error_at(state.first_use, fmt::format("label {} is nowhere", name));
  if (!r.is_kernel)
    for (const Attribute& a : r.attributes) {
      const std::string_view name = r.text(a.name);
      uint8_t* size = name == "ArgSize" ? &r.input_registers : name == "RetValSize" ? &r.return_registers : nullptr;
      if (!size) continue;
      if (number_of(a) > 255) error_at(r.place, fmt::format("{} is at most 255 registers", name));
      *size = uint8_t(number_of(a));
    }
  in_routine_ = false;
}

bool TextReader::take_key(std::string_view word) {
  const size_t at = in_.at();
  if (in_.take_word() == word && in_.take('=')) return true;
  in_.go(at);
  return false;
}
void TextReader::key(std::string_view word) {
  if (!take_key(word)) in_.expected(fmt::format("{}=", word));
}

uint64_t TextReader::bounded(int64_t v, uint64_t limit, std::string_view what, size_t at) {
  if (v < 0 || uint64_t(v) > limit)
    in_.fail_at(at, in_.at() - at, fmt::format("{} goes from 0 to {}, found {}", what, limit, v));
  return uint64_t(v);
}

void TextReader::declare(std::string_view name, size_t at, Entity entity) {
  const auto found = names_.find(name);
  if (found != names_.end() && scopes_.empty()) in_.fail_at(at, name.size(), fmt::format("{} is declared twice", name));
  if (!scopes_.empty()) {
    auto& hidden = scopes_.back().hidden;
    if (std::any_of(hidden.begin(), hidden.end(), [&](const auto& h) { return h.first == name; }))
      in_.fail_at(at, name.size(), fmt::format("{} is declared twice", name));
    hidden.emplace_back(name, found == names_.end() ? std::nullopt : std::optional(found->second));
  }
  names_.insert_or_assign(name, entity);
}

uint8_t TextReader::alignment() {
  in_.peek();
  const size_t at = in_.at();
  // Some names begin with a digit.
  for (size_t code = 0; code < std::size(alignments); ++code)
    for (const std::string_view name : {alignments[code].name, alignments[code].also}) {
      if (name.empty() || !in_.take_here(name)) continue;
      if (!in_name(in_.here())) return uint8_t(code);
      in_.go(at);
    }
  const int64_t bytes = in_.expression(size_of_);
  for (const uint8_t code : {0, 1, 2, 3, 4, 7, 8, 9})
    if (alignments[code].bytes == bytes) return code;
  in_.fail_at(at, in_.at() - at, fmt::format("nothing is aligned to {} bytes: they go from 1 to 128", bytes));
}

Attribute TextReader::attribute(bool of_variables, bool closing) {
  in_.peek();
  const size_t at = in_.at();
  const std::string_view name = in_.take_word();
  if (name.empty()) in_.expected("the name of an attribute");
  const AttributeName* known = find_attribute(name);
  if (!known) in_.fail_at(at, name.size(), fmt::format("there is no attribute {}", name));
  if (known->of_variables != of_variables)
    in_.fail_at(at, name.size(), fmt::format("{} is an attribute of {}", name, of_variables ? "kernels" : "variables"));
  Attribute x{string(name)};
  if (!in_.take('=')) {
    if (name == "Target") in_.expected("=\"cm\" or =\"3d\"");
    return x;
  }
  const char c = in_.peek();
  if (c == '"') {
    const size_t value_at = in_.at();
    const std::string text = in_.take_quoted();
    if (name == "Target") {
      const auto target = std::find(std::begin(target_names), std::end(target_names), text);
      if (target == std::end(target_names))
        in_.fail_at(value_at, in_.at() - value_at, "the target is \"cm\" or \"3d\"");
      x.value = std::string(1, char(target - std::begin(target_names)));
    } else if (known->value != AttributeValue::text) {
      in_.fail_at(value_at, in_.at() - value_at, fmt::format("{} is a number", name));
    } else if (text.size() > 255) {
      in_.fail_at(value_at, in_.at() - value_at, "texts of attributes have at most 255 bytes");
    } else {
      x.value = text;
    }
  } else if (!in_.at_line_end()) {
    const size_t value_at = in_.at();
    const int64_t v = closing ? in_.closing_expression(size_of_) : in_.expression(size_of_);
    if (known->value == AttributeValue::text || name == "Target")
      in_.fail_at(value_at, in_.at() - value_at, fmt::format("{} is a text", name));
    if (v < INT32_MIN || v > int64_t(UINT32_MAX)) in_.fail_at(value_at, in_.at() - value_at, "attributes have 32 bits");
    for (int n = 0; n < 4; ++n) x.value += char(uint64_t(v) >> 8 * n);
  } else if (name == "Target") {
    in_.expected("\"cm\" or \"3d\"");
  }
  return x;
}

Attributes TextReader::attributes() {
  Attributes list;
  if (!take_key("attrs")) return list;
  in_.expect('{');
  do {
    if (list.size() == 255) in_.fail("a variable has at most 255 attributes");
    list.push_back(attribute(true, true));
  } while (in_.take(','));
  in_.expect('}');
  return list;
}

void TextReader::declaration() {
  Routine& r = routine();
  in_.peek();
  const size_t at = in_.at();
  const std::string_view name = in_.take_word();
  if (name.empty()) in_.expected("a name");
  key("v_type");
  const size_t class_at = in_.at();
  const std::string_view kind = in_.take_word();
  const auto elements = [&](uint64_t limit) {
    key("num_elts");
    in_.peek();
    const size_t number_at = in_.at();
    return uint16_t(bounded(in_.expression(size_of_), limit, "num_elts", number_at));
  };
  if (kind == "G") {
    Variable v{.place = place(at, name.size())};
    key("type");
    v.type = type();
    v.elements = elements(UINT16_MAX);
    if (take_key("align")) v.align = alignment();
    if (take_key("alias")) {
      in_.expect('<');
      in_.peek();
      const size_t base_at = in_.at();
      const std::string_view base = in_.take_name();
      const Entity* e = find(base);
      if (!e || e->kind != Entity::Kind::variable)
        in_.fail_at(base_at, std::max<size_t>(base.size(), 1), fmt::format("'{}' is no general variable", base));
      v.alias = e->id;
      in_.expect(',');
      in_.peek();
      const size_t offset_at = in_.at();
      v.alias_offset =
          uint16_t(bounded(in_.closing_expression(size_of_), UINT16_MAX, "the offset of an alias", offset_at));
      in_.expect('>');
    }
    v.attributes = attributes();
    if (r.variables.size() >= most_variables) in_.fail("there are too many variables");
    declare(name, at, {Entity::Kind::variable, uint32_t(r.variables.size()) + predefined_variables});
    v.name = string(name);
    r.variables.push_back(std::move(v));
    return;
  }
  SpecialVariable v{.place = place(at, name.size())};
  v.elements = elements(UINT16_MAX);
  std::string_view v_name;
  if ((kind == "S" || kind == "T") && take_key("v_name")) {
    v_name = in_.take_word();
    if (v_name.empty()) in_.expected("a name");
  }
  v.attributes = attributes();
  const auto add = [&](std::vector<SpecialVariable>& list, Entity::Kind k, uint32_t first, size_t most) {
    if (list.size() >= most) in_.fail_at(at, name.size(), fmt::format("there are at most {} of this kind", most));
    declare(name, at, {k, uint32_t(list.size()) + first});
    v.name = string(kind == "S" || kind == "T" ? (v_name.empty() ? name : v_name) : name);
    list.push_back(std::move(v));
  };
  if (kind == "A")
    add(r.addresses, Entity::Kind::address, 0, most_specials - 1);
  else if (kind == "P")
    add(r.predicates, Entity::Kind::predicate, first_predicate, most_specials - 2);
  else if (kind == "S")
    add(r.samplers, Entity::Kind::sampler, 0, 31);
  else if (kind == "T")
    add(r.surfaces, Entity::Kind::surface, predefined_surfaces, 256 - predefined_surfaces);
  else
    in_.fail_at(class_at, std::max<size_t>(kind.size(), 1), "v_type is G, A, P, S or T");
}

void TextReader::input(std::string_view directive) {
  Routine& r = routine();
  const size_t directive_at = in_.at() - directive.size();
  uint8_t from = 0;
  if (directive.starts_with("implicit")) {
    const auto found = std::find_if(std::begin(implicit_names) + 1, std::end(implicit_names),
                                    [&](std::string_view n) { return directive == fmt::format("implicit_{}", n); });
    if (found == std::end(implicit_names))
      in_.fail_at(directive_at, directive.size(), fmt::format("there is no directive .{}", directive));
    from = uint8_t(found - std::begin(implicit_names));
    if (from == 4) from = pseudo_input;
  }
  const bool parameter = directive == "parameter";
  if (parameter == r.is_kernel)
    in_.fail_at(directive_at, directive.size(), parameter ? "kernels have .input" : "functions have .parameter");
  in_.peek();
  const size_t at = in_.at();
  const std::string_view name = in_.take_word();
  const Entity* e = find(name);
  if (!e) in_.fail_at(at, std::max<size_t>(name.size(), 1), fmt::format("'{}' is not declared", name));
  InputClass c = InputClass::general;
  if (e->kind == Entity::Kind::sampler)
    c = InputClass::sampler;
  else if (e->kind == Entity::Kind::surface)
    c = InputClass::surface;
  else if (e->kind != Entity::Kind::variable)
    in_.fail_at(at, name.size(), fmt::format("{} is a {}: it cannot be an input", name, kind_name(e->kind)));
  if (c == InputClass::surface && e->id < predefined_surfaces)
    in_.fail_at(at, name.size(), "something predefined is no input");
  Input i{.kind = uint8_t(from << 3 | uint8_t(c)), .id = e->id, .place = place(at, name.size())};
  const auto number = [&](std::string_view what, uint64_t limit) {
    in_.peek();
    const size_t number_at = in_.at();
    return bounded(in_.expression(size_of_), limit, what, number_at);
  };
  if (!parameter && take_key("offset")) i.offset = int16_t(number("offset", INT16_MAX));
  if (take_key("size"))
    i.size = uint16_t(number("size", UINT16_MAX));
  else if (parameter)
    in_.expected("size=");
  else
    i.size = uint16_t(bounded(size_of(name, at), UINT16_MAX, "size", at));
  if (from || parameter) attributes();
  r.inputs.push_back(i);
}

void TextReader::kernel_attribute() {
  Routine& r = routine();
  if (r.attributes.size() == UINT16_MAX) in_.fail("there are too many attributes");
  r.attributes.push_back(attribute(false, false));
}

int64_t TextReader::size_of(std::string_view name, size_t at) {
  const Routine& r = routine();
  if (name == "%DispatchSimd") {
    for (const Attribute& a : r.attributes)
      if (r.text(a.name) == "SimdSize") return int64_t(number_of(a));
    in_.fail_at(at, name.size(), "%DispatchSimd needs .kernel_attr SimdSize before it");
  }
  const Entity* e = find(name);
  if (!e) {
    if (name == "GRF") return register_bytes;
    in_.fail_at(at, std::max<size_t>(name.size(), 1), fmt::format("'{}' is not declared", name));
  }
  switch (e->kind) {
    case Entity::Kind::variable:
      if (e->id < predefined_variables) return int64_t(predefined[e->id].elements) * row(predefined[e->id].type).bytes;
      return int64_t(r.variables[e->id - predefined_variables].elements) *
             row(r.variables[e->id - predefined_variables].type).bytes;
    case Entity::Kind::address: return r.addresses[e->id].elements * 2;
    case Entity::Kind::surface:
      return e->id < predefined_surfaces ? 4 : r.surfaces[e->id - predefined_surfaces].elements * 4;
    case Entity::Kind::sampler: return r.samplers[e->id].elements * 4;
    case Entity::Kind::predicate: break;
  }
  in_.fail_at(at, name.size(), fmt::format("{} is a predicate: it has no size in bytes", name));
}

uint32_t TextReader::label_id(std::string_view name, LabelKind kind, size_t at) {
  Routine& r = routine();
  const auto [found, added] = labels_.try_emplace(std::string(name), LabelState{uint32_t(r.labels.size())});
  if (added) {
    if (r.labels.size() > UINT16_MAX) in_.fail_at(at, name.size(), "a routine has at most 65536 labels");
    found->second.first_use = place(at, name.size());
    r.labels.push_back({.name = string(name), .kind = kind, .place = place(at, name.size())});
  }
  return found->second.id;
}

void TextReader::label(std::string_view name, size_t at) {
  Routine& r = routine();
  const uint32_t id = label_id(name, LabelKind::block, at);
  LabelState& state = labels_.find(std::string(name))->second;
  if (state.defined && r.labels[id].kind == LabelKind::subroutine) return;  // repeats its .function
  if (state.defined) in_.fail_at(at, name.size(), fmt::format("label {} stands twice", name));
  state.defined = true;
  r.labels[id].kind = LabelKind::block;
  r.labels[id].place = place(at, name.size());
  r.instructions.push_back(
      {.row = &row(Op::label), .count = 1, .first = uint32_t(r.operands.size()), .place = in_.line()});
  r.operands.push_back({.kind = OperandClass::label, .place = in_.column(at), .id = id});
}

void TextReader::function() {
  Routine& r = routine();
  in_.peek();
  const size_t at = in_.at();
  const std::string name = in_.peek() == '"' ? in_.take_quoted() : std::string(in_.take_word());
  if (name.empty()) in_.expected("a name");
  const uint32_t id = label_id(name, LabelKind::subroutine, at);
  LabelState& state = labels_.find(name)->second;
  if (state.defined) in_.fail_at(at, name.size(), fmt::format("{} stands twice", name));
  state.defined = true;
  r.labels[id].kind = LabelKind::subroutine;
  r.labels[id].place = place(at, name.size());
  r.instructions.push_back(
      {.row = &row(Op::subroutine), .count = 1, .first = uint32_t(r.operands.size()), .place = in_.line()});
  r.operands.push_back({.kind = OperandClass::label, .place = in_.column(at), .id = id});
}

}  // namespace vitro::visa
