// Bytes made of objects; see write_bytes.h.
#include "visa/write_bytes.h"

#include <fmt/format.h>

#include <algorithm>

#include "visa/names.h"
#include "visa/object_format.h"
#include "visa/row.h"

namespace vitro::visa {
namespace {

class Writer {
 public:
  explicit Writer(const Object& o) : object_(o), version_(version(o)) {}

  BytesResult write() {
    u32(object_magic), u8(object_.major), u8(object_.minor);
    const auto count = [&](bool kernels) {
      return uint64_t(std::count_if(object_.routines.begin(), object_.routines.end(),
                                    [&](const Routine& r) { return r.is_kernel == kernels; }));
    };
    struct Patch {
      const Routine* routine;
      size_t offset, gen;  // places in the header
    };
    std::vector<Patch> patches;
    u16(limited(count(true), UINT16_MAX, "kernels"));
    for (const Routine& r : object_.routines)
      if (r.is_kernel) {
        name(r);
        patches.push_back({&r, at(), 0});
        u32(0), u32(0), u32(0), u16(0), u16(0);
        u8(limited(r.gen_binaries.size(), 4, "Gen binaries"));
        patches.back().gen = at();
        for (const GenBinary& g : r.gen_binaries) u8(g.platform), u32(0), u32(0);
      }
    u16(0);  // variables of the file, which no version has any more
    u16(limited(count(false), UINT16_MAX, "functions"));
    for (const Routine& r : object_.routines)
      if (!r.is_kernel) {
        u8(r.linkage);
        name(r);
        patches.push_back({&r, at(), 0});
        u32(0), u32(0), u16(0), u16(0);
      }
    for (const Routine& r : object_.routines) {
      const Patch& p = *std::find_if(patches.begin(), patches.end(), [&](const Patch& x) { return x.routine == &r; });
      const size_t begin = at();
      const size_t inputs = routine(r);
      patch32(p.offset, begin), patch32(p.offset + 4, at() - begin);
      if (r.is_kernel) patch32(p.offset + 8, inputs);
    }
    for (const Patch& p : patches)
      for (size_t n = 0; n < p.routine->gen_binaries.size(); ++n) {
        const std::vector<std::byte>& code = p.routine->gen_binaries[n].code;
        patch32(p.gen + n * 9 + 1, at()), patch32(p.gen + n * 9 + 5, code.size());
        out_.bytes.insert(out_.bytes.end(), code.begin(), code.end());
      }
    if (at() > UINT32_MAX) refuse({}, "the object has more than 4 GiB");
    if (!out_.ok()) out_.bytes.clear();
    return std::move(out_);
  }

 private:
  size_t at() const { return out_.bytes.size(); }
  void u8(uint64_t v) { out_.bytes.push_back(std::byte(v)); }
  void u16(uint64_t v) { u8(v), u8(v >> 8); }
  void u32(uint64_t v) { u16(v), u16(v >> 16); }
  void u64(uint64_t v) { u32(v), u32(v >> 32); }
  void patch32(size_t where, uint64_t v) {
    for (size_t n = 0; n < 4; ++n) out_.bytes[where + n] = std::byte(v >> 8 * n);
  }
  void text(std::string_view s) {
    const auto* bytes = reinterpret_cast<const std::byte*>(s.data());
    out_.bytes.insert(out_.bytes.end(), bytes, bytes + s.size());
  }
  // Ids of variables, strings and their numbers.
  void id(uint64_t v, Place p = {}) {
    if (wide_ids(version_)) return u32(v);
    if (v > UINT16_MAX) refuse(p, "there is no room for more than 65536 of these before version 3.4");
    u16(v);
  }

  void refuse(Place p, std::string message) {
    if (out_.diagnostics.size() < 20)
      out_.diagnostics.push_back({.line = int(std::max(p.line, 1u)),
                                  .column = std::max<int>(p.column, 1),
                                  .length = std::max<int>(p.length, 1),
                                  .message = std::move(message)});
  }
  uint64_t limited(uint64_t v, uint64_t most, std::string_view what, Place p = {}) {
    if (v > most) refuse(p, fmt::format("an object holds at most {} {}", most, what));
    return v;
  }

  void name(const Routine& r) {
    const std::string_view s = r.text(r.name);
    if (wide_name_length(version_))
      u16(limited(s.size(), UINT16_MAX, "bytes of a name", r.place));
    else
      u8(limited(s.size(), UINT8_MAX, "bytes of a name before version 3.7", r.place));
    text(s);
  }

  void attributes(const Attributes& list, Place p) {
    for (const Attribute& x : list) {
      id(x.name, p);
      u8(limited(x.value.size(), UINT8_MAX, "bytes of an attribute", p));
      text(x.value);
    }
  }

  void specials(const std::vector<SpecialVariable>& list) {
    for (const SpecialVariable& v : list) {
      id(v.name, v.place), u16(v.elements), u8(v.attributes.size());
      attributes(v.attributes, v.place);
    }
  }

  // Returns the place of the number of inputs.
  size_t routine(const Routine& r) {
    const size_t begin = at();
    id(r.strings.size(), r.place);
    for (const std::string& s : r.strings) text(s), u8(0);
    id(r.name), id(r.variables.size(), r.place);
    for (const Variable& v : r.variables) {
      id(v.name, v.place), u8(uint64_t(v.type) | uint64_t(v.align) << 4), u16(v.elements);
      id(v.alias, v.place), u16(v.alias_offset), u8(0), u8(v.attributes.size());
      attributes(v.attributes, v.place);
    }
    u16(limited(r.addresses.size(), UINT16_MAX, "address variables", r.place));
    specials(r.addresses);
    u16(limited(r.predicates.size(), 4095, "predicates",
                r.predicates.size() > 4095 ? r.predicates[4095].place : r.place));
    specials(r.predicates);
    u16(limited(r.labels.size(), UINT16_MAX, "labels", r.place));
    for (const Label& l : r.labels) {
      id(l.name, l.place), u8(uint64_t(l.kind)), u8(l.attributes.size());
      attributes(l.attributes, l.place);
    }
    u8(limited(r.samplers.size(), 31, "samplers", r.place));
    specials(r.samplers);
    u8(limited(r.surfaces.size(), 255 - predefined_surfaces, "surfaces", r.place));
    specials(r.surfaces);
    u8(0);  // VME variables, which no version has any more
    const size_t inputs = at();
    if (r.is_kernel) {
      if (wide_input_count(version_))
        u32(r.inputs.size());
      else
        u8(limited(r.inputs.size(), UINT8_MAX, "inputs before version 3.5", r.place));
      for (const Input& i : r.inputs) u8(i.kind), id(i.id, i.place), u16(uint16_t(i.offset)), u16(i.size);
    } else if (!r.inputs.empty()) {
      refuse(r.inputs[0].place, "binary objects keep no parameters of functions");
    }
    const size_t code_size = at();
    u32(0), u32(0);
    if (!r.is_kernel) u8(r.input_registers), u8(r.return_registers);
    u16(limited(r.attributes.size(), UINT16_MAX, "attributes", r.place));
    attributes(r.attributes, r.place);
    const size_t code = at();
    routine_ = &r;
    for (const Instruction& i : r.instructions) instruction(i);
    patch32(code_size, at() - code), patch32(code_size + 4, code - begin);
    return inputs;
  }

  void refuse(const Instruction& i, const Operand* o, std::string message) {
    refuse(Place{i.place, o ? o->place : uint16_t(1), 1}, std::move(message));
  }

  void instruction(const Instruction& i) {
    const Operand* all = routine_->operands_of(i);
    const Row& row = *i.row;
    if (!typed_with_execution(version_) && (row.op == Op::gather4_typed || row.op == Op::scatter4_typed))
      refuse(i, nullptr, fmt::format("{} had another form before version 3.2", row.mnemonic));
    u8(row.opcode);
    const uint64_t mode = row.mode >= 0 ? all[row.mode].value : 0;
    for (const Field& f : row.fields) {
      if (!present(f, mode)) continue;
      const Operand* o = f.operand >= 0 ? all + f.operand : nullptr;
      if (f.since > version_) {
        if (o->value != 0)
          refuse(
              i, o,
              fmt::format("{} has no room for this before version {}.{}", row.mnemonic, f.since >> 8, f.since & 255));
        continue;
      }
      switch (f.kind) {
        case FieldKind::execution:
          if (version_ == version(3, 0) && i.mask() > 8)
            refuse(i, nullptr, "version 3.0 has no mask but M1_NM without mask");
          u8(i.execution);
          break;
        case FieldKind::predicate: u16(i.predicate); break;
        case FieldKind::vector:
          if (f.number_before_34 && !wide_ids(version_)) {
            if (o->kind != OperandClass::immediate) refuse(i, o, "before version 3.4 offsets are immediate");
            u16(o->value);
          } else {
            vector(i, *o);
          }
          break;
        case FieldKind::raw: raw(i, *o); break;
        case FieldKind::surface:
        case FieldKind::sampler: u8(o->id); break;
        case FieldKind::label: u16(o->id); break;
        case FieldKind::string:
          if (o->value > UINT16_MAX) refuse(i, o, "names that are called stand among the first 65536 strings");
          u16(o->value);
          break;
        case FieldKind::wide_string:
        case FieldKind::variable: id(o->value, {i.place, o->place, 1}); break;
        case FieldKind::u8:
        case FieldKind::sfid: u8(o->value); break;
        case FieldKind::u16: u16(o->value); break;
        case FieldKind::u32: u32(o->value); break;
        case FieldKind::sampler_op:
          if (wide_sampler_op(version_))
            u16(o->value);
          else
            u8(to_narrow_op(uint16_t(o->value)));
          break;
        case FieldKind::label_count: u8(i.count - row.operands); break;
        case FieldKind::label_list:
          for (uint32_t n = row.operands; n < i.count; ++n) u16(all[n].id);
          break;
        case FieldKind::raw_list:
          u8(i.count - row.operands);
          for (uint32_t n = row.operands; n < i.count; ++n) raw(i, all[n]);
          break;
      }
    }
  }

  void raw(const Instruction& i, const Operand& o) { id(o.id, {i.place, o.place, 1}), u16(o.value); }

  void vector(const Instruction& i, const Operand& o) {
    const auto tag = [&](OperandClass c) { u8(uint64_t(c) | uint64_t(o.modifier) << 3); };
    switch (o.kind) {
      case OperandClass::general:
        tag(o.kind), id(o.id, {i.place, o.place, 1}), u8(o.row), u8(o.column), u16(o.region);
        return;
      case OperandClass::address: tag(o.kind), u16(o.id), u8(o.row), u8(o.column); return;
      case OperandClass::predicate: tag(o.kind), u16(o.id); return;
      case OperandClass::indirect:
        tag(o.kind), u16(o.id), u8(o.row), u16(uint16_t(o.offset)), u8(uint64_t(o.type)), u16(o.region);
        return;
      case OperandClass::immediate:
        tag(o.kind), u8(uint64_t(o.type));
        if (visa::row(o.type).bytes == 8)
          u64(o.value);
        else
          u32(o.value);
        return;
      case OperandClass::state: tag(o.kind), u8(o.column), u16(o.id), u8(o.row); return;
      case OperandClass::address_of: {
        if (i.row->op != Op::addr_add) return refuse(i, &o, "in binary objects only addr_add takes an address");
        const Type type = o.id < predefined_variables
                              ? predefined[std::min<size_t>(o.id, std::size(predefined) - 1)].type
                              : routine_->variables[o.id - predefined_variables].type;
        const uint64_t bytes = visa::row(type).bytes, row = o.value / register_bytes, rest = o.value % register_bytes;
        if (rest % bytes || row > 255)
          return refuse(i, &o, "the offset of an address is whole elements of the variable");
        tag(OperandClass::general), id(o.id, {i.place, o.place, 1}), u8(row), u8(rest / bytes), u16(scalar_region);
        return;
      }
      case OperandClass::state_address:
        if (i.row->op != Op::addr_add) return refuse(i, &o, "in binary objects only addr_add takes an address");
        if (o.value % 2 || o.value / 2 > 255)
          return refuse(i, &o, "the offset of a state variable is even and below 512");
        tag(OperandClass::state), u8(o.column), u16(o.id), u8(o.value / 2);
        return;
      default: return;
    }
  }

  const Object& object_;
  const uint32_t version_;
  const Routine* routine_ = nullptr;
  BytesResult out_{};
};

}  // namespace

BytesResult write_bytes(const Object& o) { return Writer(o).write(); }

}  // namespace vitro::visa
