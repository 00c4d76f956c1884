// instructions.def read: the tokens of its strings become fields and items, once, when the table is first asked for.
// A token that nobody knows is a mistake in the table and ends the program.
#include "visa/row.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>
#include <unordered_map>

#include "visa/names.h"

namespace vitro::visa {
namespace {

using enum SourceModifiers;

constexpr Types int_types = types(Type::ud, Type::d, Type::uw, Type::w, Type::ub, Type::b);
constexpr Types quad_types = types(Type::uq, Type::q);
constexpr Types single_types = types(Type::f, Type::hf);
constexpr Types double_types = types(Type::df);
constexpr Types float_types = single_types | double_types;
constexpr Types unsigned_types = types(Type::ud, Type::uw, Type::ub, Type::uq);
constexpr Types signed_types = types(Type::d, Type::w, Type::b, Type::q);
constexpr Types dword_types = types(Type::ud, Type::d);
constexpr Types ud_only = types(Type::ud);
constexpr Types f_only = types(Type::f);
constexpr Types any_types = int_types | quad_types | float_types;
constexpr Types no_types = 0;
constexpr Types uw_only = types(Type::uw), uq_only = types(Type::uq);
constexpr Types word_types = types(Type::uw, Type::w), byte_types = types(Type::ub, Type::b);
constexpr Types narrow_unsigned_types = types(Type::ud, Type::uw, Type::ub);

constexpr Classes g = bit(OperandClass::general), i = bit(OperandClass::indirect), c = bit(OperandClass::immediate),
                  a = bit(OperandClass::address), p = bit(OperandClass::predicate), t = bit(OperandClass::state),
                  ao = bit(OperandClass::address_of), to = bit(OperandClass::state_address);

struct Token {
  std::string_view token;
  FieldKind kind;
  Classes classes = 0;
  bool written = false;
  uint16_t since = 0;
  bool number_before_34 = false;
};
constexpr Token tokens[] = {
    {"E", FieldKind::execution},
    {"P", FieldKind::predicate},
    {"d", FieldKind::vector, g | i, true},
    {"da", FieldKind::vector, g | i | a, true},
    {"dp", FieldKind::vector, g | i | p, true},
    {"ds", FieldKind::vector, g | t, true},
    {"a", FieldKind::vector, a, true},
    {"p", FieldKind::vector, p, true},
    {"s", FieldKind::vector, g | i | c},
    {"sg", FieldKind::vector, g},
    {"sm", FieldKind::vector, g | i | c | a | p | ao | to},
    {"sl", FieldKind::vector, g | i | c | p},
    {"sa", FieldKind::vector, a | ao | to},
    {"sn", FieldKind::vector, g | c},
    {"st", FieldKind::vector, t | g | i | c},
    {"so", FieldKind::vector, g | i | c, false, 0, true},
    {"sw", FieldKind::vector, g | c, false, uint16_t(version(3, 1))},
    {"r", FieldKind::raw},
    {"w", FieldKind::raw, 0, true},
    {"T", FieldKind::surface},
    {"S", FieldKind::sampler},
    {"L", FieldKind::label},
    {"F", FieldKind::string},
    {"D", FieldKind::wide_string},
    {"V", FieldKind::variable},
    {"u8", FieldKind::u8},
    {"u16", FieldKind::u16},
    {"u32", FieldKind::u32},
    {"op", FieldKind::sampler_op},
    {"sfid", FieldKind::sfid, 0, false, uint16_t(version(3, 6))},
    {"n", FieldKind::label_count},
    {"L*", FieldKind::label_list},
    {"r*", FieldKind::raw_list, 0, false},
};

struct StyleName {
  std::string_view name;
  Style style;
};
constexpr StyleName styles[] = {
    {"sat", Style::saturate},
    {"_", Style::blank},
    {"relation", Style::relation},
    {"number", Style::number},
    {"dot", Style::dot},
    {"dot_if_four", Style::dot_if_four},
    {"hex", Style::hex},
    {"plane", Style::plane},
    {"pair", Style::pair},
    {"triple", Style::triple},
    {"labels", Style::labels},
    {"quoted", Style::quoted},
    {"variable", Style::variable},
    {"fence", Style::fence},
    {"modified", Style::modified},
    {"unaligned", Style::unaligned},
    {"eot", Style::eot},
    {"owords", Style::owords},
    {"elements", Style::elements},
    {"counted", Style::counted},
    {"blocks", Style::blocks},
    {"block_bytes", Style::block_bytes},
    {"atomic", Style::atomic},
    {"channels", Style::channels},
    {"channel", Style::channel},
    {"simd", Style::simd},
    {"sampler_flags", Style::sampler_flags},
    {"rt_mode", Style::rt_mode},
};

constexpr Words words[] = {
    {Style::media_ld, "media_ld", '.', 0, 0xff, media_ld_names},
    {Style::media_st, "media_st", '.', 0, 0xff, media_st_names},
    {Style::output, "output", '.', 4, 3, output_names},
    {Style::avs_format, "avs_format", ' ', 0, 0xff, avs_format_names},
    {Style::avs_mode, "avs_mode", ' ', 0, 0xff, avs_mode_names},
    {Style::convolution, "convolution", ' ', 0, 15, convolution_names},
    {Style::kernel_size, "kernel_size", ' ', 4, 15, kernel_size_names},
    {Style::erosion, "erosion", ' ', 0, 0xff, erosion_names},
    {Style::minmax, "minmax", ' ', 0, 0xff, minmax_names},
    {Style::extremes, "extremes", ' ', 0, 0xff, extremes_names},
    {Style::line, "line", ' ', 0, 0xff, line_names},
    {Style::pattern, "pattern", ' ', 0, 0xff, pattern_names},
    {Style::pixel, "pixel", ' ', 0, 0xff, pixel_names},
    {Style::pixel_and_size, "pixel_and_size", ' ', 0, 15, pixel_names},
    {Style::neighbours, "neighbours", ' ', 0, 0xff, neighbours_names},
};

[[noreturn]] void mistake(const Row& r, std::string_view token) {
  fmt::print(stderr, "instructions.def: {}: nobody knows '{}'\n", r.mnemonic, token);
  std::abort();
}

template <class F>
void each_word(std::string_view text, F f) {
  while (!text.empty()) {
    const size_t end = std::min(text.find(' '), text.size());
    if (end) f(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

constexpr bool has_operand(FieldKind k) {
  return k != FieldKind::execution && k != FieldKind::predicate && k != FieldKind::label_count &&
         k != FieldKind::label_list && k != FieldKind::raw_list;
}

void add_field(Row& r, std::string_view word) {
  Field f{};
  if (const size_t equals = word.find('='); equals != word.npos) {
    f.name = word.substr(0, equals);
    word.remove_prefix(equals + 1);
  }
  if (const size_t question = word.find('?'); question != word.npos) {
    f.condition = int8_t(std::atoi(word.data() + question + 1));
    word = word.substr(0, question);
  }
  const Token* token =
      std::find_if(std::begin(tokens), std::end(tokens), [&](const Token& k) { return k.token == word; });
  if (token == std::end(tokens)) mistake(r, word);
  f.kind = token->kind, f.classes = token->classes, f.written = token->written, f.since = token->since;
  f.number_before_34 = token->number_before_34, f.token = token->token;
  f.ordinal =
      uint8_t(std::count_if(r.fields.begin(), r.fields.end(), [&](const Field& x) { return x.token == f.token; }));
  if (has_operand(f.kind)) f.operand = int8_t(r.operands++);
  if (f.name == "mode") r.mode = f.operand;
  r.has_execution |= f.kind == FieldKind::execution;
  r.has_predicate |= f.kind == FieldKind::predicate;
  if (r.select.at && (f.name == "mode" || f.name == "op") && r.selector < 0) r.selector = f.operand;
  r.fields.push_back(f);
}

void add_item(Row& r, std::string_view word, std::array<uint8_t, std::size(tokens)>& next) {
  std::string_view name;
  if (const size_t open = word.find('('); open != word.npos) {
    name = word.substr(open + 1, word.size() - open - 2);
    word = word.substr(0, open);
  }
  const auto field_index = [&](auto&& is) {
    const auto f = std::find_if(r.fields.begin(), r.fields.end(), is);
    if (f == r.fields.end()) mistake(r, word);
    return uint8_t(f - r.fields.begin());
  };
  const auto styled = [&](Style s) {
    const uint8_t field = name.empty() ? uint8_t(0) : field_index([&](const Field& f) { return f.name == name; });
    r.items.push_back({s, field});
  };
  for (const StyleName& s : styles)
    if (s.name == word) return styled(s.style);
  for (const Words& w : words)
    if (w.name == word) return styled(w.style);
  int ordinal = -1;
  if (word.size() > 1 && word.back() >= '0' && word.back() <= '9') {
    ordinal = word.back() - '0';
    word.remove_suffix(1);
  }
  for (size_t k = 0; k < std::size(tokens); ++k)
    if (tokens[k].token == word) {
      const uint8_t n = ordinal < 0 ? next[k]++ : uint8_t(ordinal);
      r.items.push_back({Style::field, field_index([&](const Field& f) { return f.token == word && f.ordinal == n; })});
      return;
    }
  mistake(r, word);
}

struct OperandLimit {
  Op op;
  std::string_view field;  // token and ordinal
  Types documented, besides;
};
constexpr OperandLimit operand_limits[] = {
#define OPERAND(op, field, documented, besides) {Op::op, field, documented, besides},
#include "visa/limits.def"
};
struct SizeLimit {
  Op op;
  uint8_t documented, besides;
};
constexpr SizeLimit size_limits[] = {
#define SIZES(op, documented, besides) {Op::op, documented, besides},
#include "visa/limits.def"
};

struct KindLimit {
  Op op;
  Kinds kinds;
};
constexpr KindLimit kind_limits[] = {
#define KINDS(op, kinds) {Op::op, kinds},
#include "visa/limits.def"
};
struct SurfaceLimit {
  Op op;
  uint8_t refused;
};
constexpr SurfaceLimit surface_limits[] = {
#define SURFACES(op, ids) {Op::op, ids},
#include "visa/limits.def"
};

struct ExtentLimit {
  Op op;
  std::string_view field;
  Extent extent;
};
constexpr ExtentLimit extent_limits[] = {
#define EXTENT(op, field, what) {Op::op, field, Extent::what},
#include "visa/limits.def"
};

Field& limited_field(Row& r, std::string_view name) {
  const auto f = std::find_if(r.fields.begin(), r.fields.end(), [&](const Field& x) {
    return x.token == name.substr(0, name.size() - 1) && x.ordinal == name.back() - '0';
  });
  if (f == r.fields.end()) mistake(r, name);
  return *f;
}

void limit(std::vector<Row>& rows) {
  for (Row& r : rows) {
    const auto is = [&](FieldKind k) {
      return std::any_of(r.fields.begin(), r.fields.end(), [&](const Field& f) { return f.kind == k; });
    };
    r.computes = r.has_execution && is(FieldKind::vector) && !is(FieldKind::raw) && !(r.traits & flow);
    for (Field& f : r.fields) f.types = f.kind == FieldKind::raw ? any_types : r.types;
  }
  for (const OperandLimit& l : operand_limits) {
    Field& f = limited_field(rows[size_t(l.op)], l.field);
    f.types = l.documented, f.besides = l.besides;
  }
  for (const SizeLimit& l : size_limits) {
    rows[size_t(l.op)].sizes = l.documented;
    rows[size_t(l.op)].besides_sizes = l.besides;
  }
  for (const ExtentLimit& l : extent_limits) limited_field(rows[size_t(l.op)], l.field).extent = l.extent;
  for (const KindLimit& l : kind_limits) rows[size_t(l.op)].kinds = l.kinds;
  for (const SurfaceLimit& l : surface_limits) rows[size_t(l.op)].refused_surfaces = l.refused;
}

struct Table {
  std::vector<Row> rows{
#define VISA(op, mnemonic, opcode, select, bytes, text, types, modifiers, traits, devices) \
  Row{Op::op, mnemonic, opcode, select, bytes, text, types, modifiers, traits, devices},
#include "visa/instructions.def"
  };
  std::array<std::vector<const Row*>, 256> by_opcode{};
  std::unordered_map<std::string_view, const Row*> by_mnemonic{};

  Table() {
    for (Row& r : rows) {
      each_word(r.bytes, [&](std::string_view w) { add_field(r, w); });
      std::array<uint8_t, std::size(tokens)> next{};
      each_word(r.text, [&](std::string_view w) { add_item(r, w, next); });
      by_opcode[r.opcode].push_back(&r);
      by_mnemonic.emplace(r.mnemonic, &r);
    }
    limit(rows);
    // Written only as a label and as a directive.
    by_mnemonic.erase("label");
    by_mnemonic.erase("subroutine");
    by_mnemonic.emplace(".file", by_mnemonic.at("FILE"));
    by_mnemonic.emplace(".loc", by_mnemonic.at("LOC"));
    by_mnemonic.emplace("fccall", by_mnemonic.at("call"));
  }
};

const Table& table() {
  static const Table t;
  return t;
}

}  // namespace

std::span<const Row> rows() { return table().rows; }
const Row& row(Op op) { return table().rows[size_t(op)]; }
const Row* find_mnemonic(std::string_view m) {
  const auto found = table().by_mnemonic.find(m);
  return found == table().by_mnemonic.end() ? nullptr : found->second;
}
std::span<const Row* const> rows_of(uint8_t opcode) { return table().by_opcode[opcode]; }

const Words* words_of(Style s) {
  const auto w = std::find_if(std::begin(words), std::end(words), [&](const Words& x) { return x.style == s; });
  return w == std::end(words) ? nullptr : w;
}

const AttributeName* find_attribute(std::string_view name) {
  for (const AttributeName& n : attribute_names)
    if (n.name == name) return &n;
  return nullptr;
}

uint64_t number_of(const Attribute& x) {
  uint64_t v = 0;
  for (size_t n = std::min<size_t>(x.value.size(), 8); n-- > 0;) v = v << 8 | uint8_t(x.value[n]);
  return v;
}

}  // namespace vitro::visa
