// Objects made of bytes; see read_bytes.h. Failure is an exception inside the reader only.
#include "visa/read_bytes.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "visa/names.h"
#include "visa/object_format.h"
#include "visa/row.h"

namespace vitro::visa {
namespace {

struct ByteError {
  size_t at;
  std::string message;
};

constexpr uint32_t most_routines = 4096;

// The codes that text has words for; others are reserved.
bool known_code(const Row& row, Style style, uint64_t v) {
  if (style == Style::output) return v < 0x40;  // besides channels
  const auto named = [&](std::span<const std::string_view> names, uint64_t code) {
    return code < names.size() && !names[code].empty();
  };
  const auto only = [&](std::span<const BitName> names, uint64_t value) {
    for (const BitName& n : names) value &= ~(uint64_t{1} << n.bit);
    return value == 0;
  };
  const auto has = [&](Style s) {
    return std::any_of(row.items.begin(), row.items.end(), [&](const TextItem& t) { return t.style == s; });
  };
  switch (style) {
    case Style::relation: return named(relation_names, v);
    case Style::plane: return v < 16;
    case Style::variable: return (v >> 4 & 3) != 3 && (v & ~uint64_t{0x31}) == 0;
    case Style::fence: return only(fence_names, v & ~uint64_t{0x20});
    case Style::modified: return v < 2;
    case Style::owords: return (v & ~uint64_t(has(Style::unaligned) ? 8 : 0)) < std::size(oword_counts);
    case Style::elements: return v < std::size(element_sizes);
    case Style::counted: return (v & 15) < std::size(scatter_counts);
    case Style::blocks: return v < std::size(block_counts);
    case Style::block_bytes: return v < std::size(block_sizes);
    case Style::atomic: return named(atomic_names, v & 31) && v >> 5 < (row.op == Op::svm_atomic ? 3 : 2);
    case Style::channels: return (v & 15) != 0 && (v < 16 || has(Style::simd) || has(Style::output));
    case Style::channel: return v < 4;
    case Style::simd: return v < 0x20;
    case Style::sampler_flags: return only(sampler_flag_names, v & ~uint64_t{0xff});
    case Style::rt_mode: return only(rt_mode_names, v);
    default: break;
  }
  const Words* w = words_of(style);
  return !w || named(w->names, v >> w->shift & w->mask);
}

class Reader {
 public:
  explicit Reader(std::span<const std::byte> bytes) : bytes_(bytes), end_(bytes.size()) { object_.from_text = false; }

  Object read() {
    struct Head {
      bool kernel;
      uint8_t linkage = 0;
      std::string name{};
      size_t at, offset, size;
      std::vector<GenBinary> gen{};
    };
    if (u32("the magic number") != object_magic) fail_at(0, "this is no vISA object: it does not begin with CISA");
    object_.major = uint8_t(u8("the version")), object_.minor = uint8_t(u8("the version"));
    version_ = version(object_);
    if (version_ < oldest_version || version_ > newest_version)
      fail_at(4, fmt::format("version {}.{} is not known: they go from 3.0 to 4.1", object_.major, object_.minor));
    std::vector<Head> heads;
    const auto head = [&](bool kernel) {
      Head& h = heads.emplace_back(Head{.kernel = kernel});
      if (!kernel) h.linkage = uint8_t(u8("linkage"));
      h.at = at_;
      h.name = text(wide_name_length(version_) ? u16("the length of a name") : u8("the length of a name"), "a name");
      h.offset = u32("the offset of a routine"), h.size = u32("the size of a routine");
      if (h.offset > bytes_.size() || h.size > bytes_.size() - h.offset)
        fail_at(h.at, fmt::format("'{}' lies outside of the object", h.name));
      if (kernel) u32("the offset of inputs");
      for (int n = 0; n < 2; ++n)
        if (u16("relocations") != 0) fail_at(at_ - 2, "relocations are not supported");
      if (!kernel) return;
      const uint64_t binaries = u8("the number of Gen binaries");
      if (binaries > 4) fail_at(at_ - 1, "a kernel has at most 4 Gen binaries");
      for (uint64_t n = 0; n < binaries; ++n) {
        GenBinary g{.platform = uint8_t(u8("a platform"))};
        const size_t place = at_;
        const size_t offset = u32("the offset of a Gen binary"), size = u32("the size of a Gen binary");
        if (offset > bytes_.size() || size > bytes_.size() - offset)
          fail_at(place, "the Gen binary lies outside of the object");
        g.code.assign(bytes_.begin() + ptrdiff_t(offset), bytes_.begin() + ptrdiff_t(offset + size));
        h.gen.push_back(std::move(g));
      }
    };
    const uint64_t kernels = u16("the number of kernels");
    if (kernels > most_routines) fail_at(at_ - 2, fmt::format("more than {} kernels", most_routines));
    for (uint64_t n = 0; n < kernels; ++n) head(true);
    if (u16("variables of the file") != 0) fail_at(at_ - 2, "variables of the file are not supported");
    const uint64_t functions = u16("the number of functions");
    if (functions > most_routines) fail_at(at_ - 2, fmt::format("more than {} functions", most_routines));
    for (uint64_t n = 0; n < functions; ++n) head(false);
    std::stable_sort(heads.begin(), heads.end(), [](const Head& a, const Head& b) { return a.offset < b.offset; });
    for (size_t n = 1; n < heads.size(); ++n)
      if (heads[n].offset < heads[n - 1].offset + heads[n - 1].size)
        fail_at(heads[n].at, fmt::format("'{}' and '{}' overlap", heads[n - 1].name, heads[n].name));
    if (heads.empty()) fail("there is no kernel and no function");
    for (Head& h : heads) {
      at_ = h.offset, end_ = h.offset + h.size;
      Routine& r = object_.routines.emplace_back();
      r.is_kernel = h.kernel, r.linkage = h.linkage, r.gen_binaries = std::move(h.gen);
      r.place.line = uint32_t(h.offset);
      r_ = &r;
      routine();
      if (r.text(r.name) != h.name)
        fail_at(h.at, fmt::format("the header says '{}', the routine '{}'", h.name, r.text(r.name)));
    }
    return std::move(object_);
  }

 private:
  [[noreturn]] void fail(std::string message) const { throw ByteError{at_, std::move(message)}; }
  [[noreturn]] static void fail_at(size_t at, std::string message) { throw ByteError{at, std::move(message)}; }

  uint64_t number(size_t size, std::string_view what) {
    if (end_ - at_ < size) fail(fmt::format("the object ends in {}", what));
    uint64_t v = 0;
    for (size_t n = size; n-- > 0;) v = v << 8 | uint64_t(bytes_[at_ + n]);
    at_ += size;
    return v;
  }
  uint64_t u8(std::string_view what) { return number(1, what); }
  uint64_t u16(std::string_view what) { return number(2, what); }
  uint64_t u32(std::string_view what) { return number(4, what); }
  uint64_t id(std::string_view what) { return number(wide_ids(version_) ? 4 : 2, what); }
  std::string text(uint64_t size, std::string_view what) {
    if (end_ - at_ < size) fail(fmt::format("the object ends in {}", what));
    std::string s(reinterpret_cast<const char*>(bytes_.data()) + at_, size);
    at_ += size;
    if (what != "an attribute" && s.find('\0') != std::string::npos) fail_at(at_ - size, "a zero stands in a name");
    return s;
  }
  // Each has at least `least` bytes: no number may promise more than there is.
  uint64_t count(uint64_t n, size_t least, std::string_view what) {
    if (n > (end_ - at_) / least) fail(fmt::format("the object has no room for {} {}", n, what));
    return n;
  }
  uint32_t string(std::string_view what) {
    const size_t at = at_;
    const uint64_t s = id(what);
    if (s >= r_->strings.size()) fail_at(at, fmt::format("{}: there is no string {}", what, s));
    return uint32_t(s);
  }

  Attributes attributes(uint64_t n, bool of_variables) {
    Attributes list;
    for (uint64_t k = 0; k < n; ++k) {
      const size_t at = at_;
      Attribute x{string("an attribute")};
      const AttributeName* known = find_attribute(r_->text(x.name));
      if (!known || known->of_variables != of_variables)
        fail_at(at, fmt::format("there is no attribute '{}' here", r_->text(x.name)));
      const uint64_t size = u8("the size of an attribute");
      x.value = text(size, "an attribute");
      const bool is_text = known->value == AttributeValue::text;
      if (!is_text && size != 0 && size != 1 && size != 2 && size != 4)
        fail_at(at, fmt::format("attribute {} has {} bytes: numbers have 1, 2 or 4", known->name, size));
      if (known->name == "Target" && (size == 0 || number_of(x) >= std::size(target_names)))
        fail_at(at, "the target is 0 or 1");
      if (is_text && x.value.find('\0') != std::string::npos) fail_at(at, "a zero stands in a text");
      list.push_back(std::move(x));
    }
    return list;
  }

  std::vector<SpecialVariable> specials(uint64_t n, std::string_view what) {
    std::vector<SpecialVariable> list;
    count(n, wide_ids(version_) ? 7 : 5, what);
    for (uint64_t k = 0; k < n; ++k) {
      SpecialVariable v{.place = {uint32_t(at_)}};
      v.name = string(what), v.elements = uint16_t(u16(what));
      v.attributes = attributes(u8(what), true);
      list.push_back(std::move(v));
    }
    return list;
  }

  uint32_t variable(uint64_t v, size_t at) const {
    if (v < predefined_variables ? v >= std::size(predefined) : v - predefined_variables >= r_->variables.size())
      fail_at(at, fmt::format("there is no variable {}", v));
    return uint32_t(v);
  }
  uint32_t surface(uint64_t v, size_t at) const {
    if (v >= predefined_surfaces + r_->surfaces.size()) fail_at(at, fmt::format("there is no surface {}", v));
    return uint32_t(v);
  }
  uint32_t sampler(uint64_t v, size_t at) const {
    if (v >= r_->samplers.size() && v != 31) fail_at(at, fmt::format("there is no sampler {}", v));
    return uint32_t(v);
  }
  uint32_t address(uint64_t v, size_t at) const {
    if (v >= r_->addresses.size()) fail_at(at, fmt::format("there is no address variable {}", v));
    return uint32_t(v);
  }
  uint32_t predicate(uint64_t v, size_t at) const {
    if (v < first_predicate || v - first_predicate >= r_->predicates.size())
      fail_at(at, fmt::format("there is no predicate {}", v));
    return uint32_t(v);
  }

  void routine() {
    Routine& r = *r_;
    const size_t begin = at_;
    const uint64_t strings = count(id("the number of strings"), 1, "strings");
    r.strings.clear();
    for (uint64_t n = 0; n < strings; ++n) {
      const auto from = bytes_.begin() + ptrdiff_t(at_), to = bytes_.begin() + ptrdiff_t(end_);
      const auto zero = std::find(from, to, std::byte{0});
      if (zero == to) fail("the string has no end");
      r.strings.emplace_back(reinterpret_cast<const char*>(bytes_.data()) + at_, size_t(zero - from));
      at_ += size_t(zero - from) + 1;
    }
    if (strings == 0) fail_at(begin, "there is no string, not even the empty one");
    r.name = string("the name");
    variables();
    r.addresses = specials(u16("the number of address variables"), "address variables");
    const size_t predicates_at = at_;
    r.predicates = specials(u16("the number of predicates"), "predicates");
    if (r.predicates.size() > 4095) fail_at(predicates_at, "there are at most 4095 predicates");
    labels();
    const size_t samplers_at = at_;
    r.samplers = specials(u8("the number of samplers"), "samplers");
    if (r.samplers.size() > 31) fail_at(samplers_at, "there are at most 31 samplers");
    const size_t surfaces_at = at_;
    r.surfaces = specials(u8("the number of surfaces"), "surfaces");
    if (r.surfaces.size() > 255 - predefined_surfaces) fail_at(surfaces_at, "there are too many surfaces");
    if (u8("the number of VME variables") != 0) fail_at(at_ - 1, "VME variables are not supported");
    if (r.is_kernel) inputs();
    const size_t size_at = at_;
    const uint64_t size = u32("the size of the code"), entry = u32("the place of the code");
    if (!r.is_kernel) {
      r.input_registers = uint8_t(u8("the size of arguments"));
      r.return_registers = uint8_t(u8("the size of the return value"));
    }
    const size_t attributes_at = at_;
    r.attributes = attributes(u16("the number of attributes"), false);
    if (!r.is_kernel)
      for (const Attribute& a : r.attributes)
        if ((r.text(a.name) == "ArgSize" || r.text(a.name) == "RetValSize") && number_of(a) > UINT8_MAX)
          fail_at(attributes_at, fmt::format("{} is at most 255 registers", r.text(a.name)));
    if (entry != at_ - begin) fail_at(size_at + 4, fmt::format("the code begins at {}, not at {}", at_ - begin, entry));
    if (size != end_ - at_) fail_at(size_at, fmt::format("the code has {} bytes, not {}", end_ - at_, size));
    defined_.assign(r.labels.size(), false);
    used_.assign(r.labels.size(), 0);
    while (at_ < end_) instruction();
    for (size_t n = 0; n < r.labels.size(); ++n)
      if (used_[n] && !defined_[n] && r.labels[n].kind != LabelKind::fast_call)
        fail_at(used_[n], fmt::format("label '{}' is nowhere", r.text(r.labels[n].name)));
  }

  void variables() {
    Routine& r = *r_;
    const uint64_t n = count(id("the number of variables"), wide_ids(version_) ? 15 : 11, "variables");
    r.variables.reserve(n);
    for (uint64_t k = 0; k < n; ++k) {
      Variable v{.place = {uint32_t(at_)}};
      v.name = string("a variable");
      const uint64_t properties = u8("a variable");
      v.type = Type(properties & 15), v.align = uint8_t(properties >> 4);
      if (v.type == Type::bf) fail_at(at_ - 1, "Gen8 and Gen9 have no BF");
      if (v.align >= std::size(alignments)) fail_at(at_ - 1, fmt::format("there is no alignment {}", v.align));
      v.elements = uint16_t(u16("a variable"));
      const size_t alias_at = at_;
      const uint64_t alias = id("an alias");
      if (alias >= predefined_variables + k || (alias < predefined_variables && alias >= std::size(predefined)))
        fail_at(alias_at, fmt::format("variable {} is not declared before its alias", alias));
      v.alias = uint32_t(alias);
      v.alias_offset = uint16_t(u16("an alias"));
      if (!v.alias && v.alias_offset) fail_at(at_ - 2, "an offset without alias");
      if (u8("the scope of an alias") != 0) fail_at(at_ - 1, "variables of the file are not supported");
      v.attributes = attributes(u8("the number of attributes"), true);
      r.variables.push_back(std::move(v));
    }
  }

  void labels() {
    Routine& r = *r_;
    const uint64_t n = count(u16("the number of labels"), wide_ids(version_) ? 6 : 4, "labels");
    for (uint64_t k = 0; k < n; ++k) {
      Label l{.place = {uint32_t(at_)}};
      l.name = string("a label");
      const uint64_t kind = u8("a label");
      if (kind > uint64_t(LabelKind::function)) fail_at(at_ - 1, fmt::format("there is no kind {} of labels", kind));
      l.kind = LabelKind(kind);
      if (u8("a label") != 0) fail_at(at_ - 1, "labels have no attributes");
      r.labels.push_back(std::move(l));
    }
  }

  void inputs() {
    Routine& r = *r_;
    const uint64_t n = count(wide_input_count(version_) ? u32("the number of inputs") : u8("the number of inputs"),
                             wide_ids(version_) ? 9 : 7, "inputs");
    for (uint64_t k = 0; k < n; ++k) {
      Input i{.place = {uint32_t(at_)}};
      i.kind = uint8_t(u8("an input"));
      const uint8_t from = i.kind >> 3;
      if (from >= 4 && from != pseudo_input) fail_at(at_ - 1, "nothing provides inputs of this kind");
      const size_t at = at_;
      const uint64_t what = id("an input");
      switch (i.kind & 7) {
        case 0: i.id = variable(what, at); break;
        case 1: i.id = sampler(what, at); break;
        case 2: i.id = surface(what, at); break;
        default: fail_at(at - 1, "an input is a variable, a sampler or a surface");
      }
      const uint32_t declared[] = {predefined_variables, 0, predefined_surfaces};
      if (i.id < declared[i.kind & 7] || (i.input_class() == InputClass::sampler && i.id >= r.samplers.size()))
        fail_at(at, "something predefined is no input");
      i.offset = int16_t(u16("an input")), i.size = uint16_t(u16("an input"));
      if (i.offset < 0) fail_at(at_ - 4, "an input has a negative offset");
      r.inputs.push_back(i);
    }
  }

  const Row& find_row(uint64_t opcode) {
    const auto candidates = rows_of(uint8_t(opcode));
    if (candidates.empty()) fail_at(at_ - 1, fmt::format("there is no instruction 0x{:02X}", opcode));
    for (const Row* row : candidates) {
      if (!row->select.at) return *row;
      const size_t at = at_ - 1 + row->select.at;
      if (at >= end_) fail("the object ends in an instruction");
      uint8_t value = uint8_t(bytes_[at]);
      if (row->fields[0].kind == FieldKind::sampler_op && !wide_sampler_op(version_)) value &= 31;
      if ((value & row->select.mask) == row->select.value) return *row;
    }
    fail(fmt::format("instruction 0x{:02X} has no such operation", opcode));
  }

  void instruction() {
    Routine& r = *r_;
    const size_t begin = at_;
    Instruction i{.first = uint32_t(r.operands.size()), .place = uint32_t(begin)};
    const Row& row = find_row(u8("an opcode"));
    i.row = &row, i.count = row.operands;
    if (!typed_with_execution(version_) && (row.op == Op::gather4_typed || row.op == Op::scatter4_typed))
      fail_at(begin, fmt::format("{} of versions before 3.2 is not supported", row.mnemonic));
    r.operands.resize(r.operands.size() + row.operands);
    uint64_t list = 0;
    for (const Field& f : row.fields) {
      const uint64_t mode = row.mode >= 0 ? r.operands[i.first + uint32_t(row.mode)].value : 0;
      if (!present(f, mode)) continue;
      const size_t at = at_;
      Operand o = field(i, f, list, begin);
      o.place = uint16_t(at - begin);
      if (f.operand >= 0) r.operands[i.first + uint32_t(f.operand)] = o;
    }
    for (const TextItem& t : row.items) {
      if (t.style == Style::field || t.style == Style::saturate || t.style == Style::blank || row.fields.empty())
        continue;
      const Field& f = row.fields[t.field];
      if (f.operand < 0) continue;
      const Operand& o = r.operands[i.first + uint32_t(f.operand)];
      if (!known_code(row, t.style, o.value))
        fail_at(begin + o.place, fmt::format("{}: {} is reserved", row.mnemonic, o.value));
    }
    if (row.op == Op::lifetime_start || row.op == Op::lifetime_end) {
      const Operand& o = r.operands[i.first + 1];
      const uint64_t kind = r.operands[i.first].value >> 4 & 3;
      const size_t at = begin + o.place;
      kind == 0 ? variable(o.value, at) : kind == 1 ? address(o.value, at) : predicate(o.value, at);
      if (kind == 0 && o.value < predefined_variables) fail_at(at, "predefined variables live always");
    }
    if (row.op == Op::label || row.op == Op::subroutine) {
      const uint32_t label = r.operands[i.first].id;
      if (defined_[label]) fail_at(begin, fmt::format("label '{}' stands twice", r.text(r.labels[label].name)));
      if (r.labels[label].kind != (row.op == Op::label ? LabelKind::block : LabelKind::subroutine))
        fail_at(begin, fmt::format("label '{}' is of another kind", r.text(r.labels[label].name)));
      defined_[label] = true;
    }
    r.instructions.push_back(i);
  }

  Operand field(Instruction& i, const Field& f, uint64_t& list, size_t begin) {
    const std::string_view what = i.row->mnemonic;
    Operand o{.kind = OperandClass::number};
    if (f.since > version_) {
      if (f.kind == FieldKind::vector) o = {.kind = OperandClass::immediate, .type = Type::uw};
      return o;
    }
    switch (f.kind) {
      case FieldKind::execution: {
        uint64_t e = u8(what);
        if (version_ == version(3, 0) && e >> 4 == 9) e &= 15;  // the default mask
        if ((e & 15) > 5 || (version_ == version(3, 0) && e >> 4 > 8))
          fail_at(at_ - 1, fmt::format("{}: there is no execution size or mask 0x{:02X}", what, e));
        i.execution = uint8_t(e);
        return o;
      }
      case FieldKind::predicate: {
        const uint64_t p = u16(what);
        if (p == 0) return o;
        if (p & 0x1000) fail_at(at_ - 2, "bit 12 of a predicate is zero");
        if (predicate_combine(uint16_t(p)) == 3) fail_at(at_ - 2, "a predicate is combined by any or all, not by 3");
        predicate(p & 0xfff, at_ - 2);
        i.predicate = uint16_t(p);
        return o;
      }
      case FieldKind::vector:
        if (f.number_before_34 && !wide_ids(version_))
          return {.kind = OperandClass::immediate, .type = Type::uw, .value = u16(what)};
        return vector(i, f);
      case FieldKind::raw: return raw(what);
      case FieldKind::surface: return {.kind = OperandClass::surface, .id = surface(u8(what), at_)};
      case FieldKind::sampler: return {.kind = OperandClass::sampler, .id = sampler(u8(what), at_)};
      case FieldKind::label: return label(what, begin);
      case FieldKind::string:
      case FieldKind::wide_string:
        o.value = f.kind == FieldKind::string ? u16(what) : id(what);
        if (o.value >= r_->strings.size()) fail(fmt::format("{}: there is no string {}", what, o.value));
        if (f.kind == FieldKind::string && r_->text(uint32_t(o.value)).empty()) fail("the name is empty");
        return o;
      case FieldKind::variable: o.value = id(what); return o;
      case FieldKind::u8:
      case FieldKind::sfid: o.value = u8(what); return o;
      case FieldKind::u16: o.value = u16(what); return o;
      case FieldKind::u32: o.value = u32(what); return o;
      case FieldKind::sampler_op:
        o.value = wide_sampler_op(version_) ? u16(what) : from_narrow_op(uint8_t(u8(what)));
        return o;
      case FieldKind::label_count:
        list = u8(what);
        if (list < 1 || list > 32) fail_at(at_ - 1, "switchjmp takes 1 to 32 labels");
        return o;
      case FieldKind::label_list:
      case FieldKind::raw_list:
        if (f.kind == FieldKind::raw_list) list = u8(what);
        for (uint64_t n = 0; n < list; ++n) {
          const size_t at = at_;
          Operand x = f.kind == FieldKind::raw_list ? raw(what) : label(what, begin);
          x.place = uint16_t(at - begin);
          r_->operands.push_back(x);
        }
        i.count = uint16_t(i.count + list);
        return o;
    }
    return o;
  }

  Operand raw(std::string_view what) {
    const size_t at = at_;
    Operand o{.kind = OperandClass::raw, .id = variable(id(what), at)};
    o.value = u16(what);
    return o;
  }

  Operand label(std::string_view what, size_t begin) {
    const uint64_t l = u16(what);
    if (l >= r_->labels.size()) fail_at(at_ - 2, fmt::format("there is no label {}", l));
    if (!used_[l]) used_[l] = uint32_t(begin);
    return {.kind = OperandClass::label, .id = uint32_t(l)};
  }

  Region region(const Field& f, bool indirect) {
    const uint64_t g = u16("a region");
    if (g & 0xf888) fail_at(at_ - 2, fmt::format("there is no region 0x{:04X}", g));
    const Region region = Region(g);
    if (f.written ? horizontal_stride(region) < 0 || horizontal_stride(region) > 4
                  : width(region) > 16 || width(region) == 0 || horizontal_stride(region) < 0 ||
                        horizontal_stride(region) > 4)
      fail_at(at_ - 2, fmt::format("there is no region 0x{:04X}", g));
    const bool null_stride = (g & 15) == 0, null_width = (g >> 4 & 15) == 0;
    if (!f.written && (indirect ? null_width && !null_stride : null_stride || null_width))
      fail_at(at_ - 2, "a source has a stride and a width");
    return region;
  }

  Operand vector(const Instruction& i, const Field& f) {
    const std::string_view what = i.row->mnemonic;
    const size_t begin = at_;
    const uint64_t tag = u8(what);
    Operand o{.kind = OperandClass(tag & 7), .modifier = Modifier(tag >> 3 & 7)};
    if (tag >> 6) fail_at(begin, "bits 7:6 of a tag are zero");
    if ((tag & 7) == 4 || (tag & 7) == 7) fail_at(begin, fmt::format("class {} of operands is reserved", tag & 7));
    const bool saturates = o.modifier == Modifier::saturate;
    const bool regioned = o.kind == OperandClass::general || o.kind == OperandClass::indirect;
    if (o.modifier > Modifier::invert || (o.modifier != Modifier::none && (!regioned || saturates != f.written)))
      fail_at(begin, fmt::format("{}: no operand here has modifier {}", what, uint64_t(o.modifier)));
    if (saturates && std::none_of(i.row->items.begin(), i.row->items.end(),
                                  [](const TextItem& t) { return t.style == Style::saturate; }))
      fail_at(begin, fmt::format("{} does not saturate", what));
    const bool address_of = i.row->op == Op::addr_add && !f.written && f.token == "sa";
    switch (o.kind) {
      case OperandClass::general: {
        o.id = variable(id(what), begin + 1);
        o.row = uint8_t(u8(what)), o.column = uint8_t(u8(what));
        o.region = region(f, false);
        if (!address_of) break;
        const Type type =
            o.id < predefined_variables ? predefined[o.id].type : r_->variables[o.id - predefined_variables].type;
        const uint32_t offset = o.row * register_bytes + o.column * visa::row(type).bytes;
        if (o.region != scalar_region || o.modifier != Modifier::none || offset > INT16_MAX ||
            o.column * visa::row(type).bytes >= register_bytes)
          fail_at(begin, "the address of a variable has the region <0;1,0>, and its element is in the register");
        o = {.kind = OperandClass::address_of, .id = o.id, .value = offset};
        break;
      }
      case OperandClass::address:
        o.id = address(u16(what), begin + 1);
        o.row = uint8_t(u8(what)), o.column = uint8_t(u8(what));
        if (o.column > 4) fail_at(at_ - 1, "the width of an address operand is at most 16");
        break;
      case OperandClass::predicate: o.id = predicate(u16(what), begin + 1); break;
      case OperandClass::indirect: {
        o.id = address(u16(what), begin + 1);
        o.row = uint8_t(u8(what)), o.offset = int16_t(u16(what));
        const uint64_t type = u8(what);
        if (type > 14) fail_at(at_ - 1, fmt::format("there is no type {}", type));
        o.type = Type(type);
        o.region = region(f, true);
        break;
      }
      case OperandClass::immediate: {
        const uint64_t type = u8(what);
        if (type > 14) fail_at(at_ - 1, fmt::format("there is no type {}", type));
        o.type = Type(type);
        o.value = number(visa::row(o.type).bytes == 8 ? 8 : 4, what);
        if (o.type == Type::hf && o.value > 0xffff) fail_at(at_ - 4, "a half has 16 bits");
        break;
      }
      case OperandClass::state: {
        const uint64_t kind = u8(what), index = u16(what);
        if (kind > 1) fail_at(begin + 1, "a state variable is a surface or a sampler");
        o.column = uint8_t(kind);
        if (kind == 1 && index >= r_->samplers.size()) fail_at(begin + 2, fmt::format("there is no sampler {}", index));
        o.id = kind ? sampler(index, begin + 2) : surface(index, begin + 2);
        o.row = uint8_t(u8(what));
        if (address_of) o = {.kind = OperandClass::state_address, .column = o.column, .id = o.id, .value = o.row * 2u};
        break;
      }
      default: break;
    }
    if (!(f.classes >> unsigned(o.kind) & 1))
      fail_at(begin, fmt::format("{} takes no operand of class {} here", what, tag & 7));
    return o;
  }

  std::span<const std::byte> bytes_;
  size_t at_ = 0, end_;
  uint32_t version_ = 0;
  Object object_{};
  Routine* r_ = nullptr;
  std::vector<bool> defined_{};
  std::vector<uint32_t> used_{};
};

}  // namespace

bool is_object(std::span<const std::byte> b) {
  return b.size() >= 4 && b[0] == std::byte{'C'} && b[1] == std::byte{'I'} && b[2] == std::byte{'S'} &&
         b[3] == std::byte{'A'};
}

Result<Object> read_bytes(std::span<const std::byte> bytes) {
  if (bytes.size() > UINT32_MAX) return failure("at 0x0: an object has at most 4 GiB");
  try {
    return Reader(bytes).read();
  } catch (const ByteError& e) {
    return failure(fmt::format("at 0x{:X}: {}", e.at, e.message));
  }
}

}  // namespace vitro::visa
