// Looking messages up and writing them out; see message.h. Everything that differs between generations is in the
// tables.
#include "isa/message.h"

#include <fmt/format.h>

#include <algorithm>

#include "isa/message_tables.h"

namespace vitro::isa {
namespace {

constexpr std::string_view reserved = "reserved";

constexpr uint64_t join(uint32_t ex_desc, uint32_t desc) { return uint64_t{ex_desc} << 32 | desc; }

uint64_t field_value(const MessageFieldLayout& f, uint64_t word) {
  const Word128 w{word};
  const uint64_t low = extract(w, f.bits);
  return f.high.present() ? low | extract(w, f.high) << f.bits.width() : low;
}

constexpr bool is_closed(FieldText text) {
  return text == FieldText::labelled || text == FieldText::bare || text == FieldText::option;
}

bool is_bindless(const MessageTables& tables, uint64_t word) {
  return tables.bindless.bits.present() && tables.bindless.when(word);
}

template <class Visit>
void for_each_field(const MessageTables& tables, const MessageRow& row, uint64_t word, Visit visit) {
  const bool bindless = is_bindless(tables, word);
  for (const MessageFieldLayout& f : row.fields)
    if (f.text == FieldText::surface && bindless)
      visit(tables.bindless, field_value(tables.bindless, word));
    else if (f.when(word))
      visit(f, field_value(f, word));
}

void append(std::string& out, uint64_t value) {
  const fmt::format_int text(value);
  out.append(text.data(), text.size());
}

void append_field(std::string& out, const MessageFieldLayout& f, uint64_t value) {
  const bool quiet = f.text == FieldText::flag || f.text == FieldText::option;
  if (quiet && value == 0) return;
  out += ", ";
  if (f.text == FieldText::flag) {
    out += f.name;
  } else if (const MessageMeaning* m = find_meaning(f.meanings, value)) {
    if (f.text == FieldText::labelled) (out += f.name) += ' ';
    out += m->text;
  } else if (f.text == FieldText::hex) {
    fmt::format_to(std::back_inserter(out), "{} 0x{:x}", f.name, value);
  } else {
    if (is_closed(f.text)) (out += reserved) += ' ';
    (out += f.name) += ' ';
    append(out, value);
    if (!f.unit.empty()) (out += ' ') += f.unit;
  }
}

void append_shared_function(std::string& out, const MessageTables& tables, unsigned sfid) {
  if (const std::string_view name = shared_function_name(tables, sfid); !name.empty()) {
    out += name;
  } else {
    out += "reserved sfid ";
    append(out, sfid);
  }
  out += ": ";
}

}  // namespace

const MessageMeaning* find_meaning(std::span<const MessageMeaning> meanings, uint64_t value) {
  // Most tables are dense from 0.
  if (value < meanings.size() && meanings[value].value == value) return &meanings[value];
  for (const MessageMeaning& m : meanings)
    if (m.value == value) return &m;
  return nullptr;
}

const MessageRow* find_message(const MessageTables& tables, unsigned sfid, uint64_t word) {
  if (sfid >= tables.functions.size()) return nullptr;
  const SharedFunction& f = tables.functions[sfid];
  for (size_t n = f.type.present() ? f.first[extract(Word128{word}, f.type)] : 0; n < f.rows.size(); ++n)
    if (f.rows[n].match(word)) return f.rows[n].name.empty() ? nullptr : &f.rows[n];
  return nullptr;
}

bool may_wait(const MessageTables& tables, const Instruction& send) {
  if (send.ex_desc.in_register) return true;
  const std::span<const MessageRow> rows = tables.functions[send.sfid & 15].rows;
  if (send.desc.in_register)
    return std::any_of(rows.begin(), rows.end(), [](const MessageRow& r) { return r.shape.waits; });
  const MessageRow* const row = find_message(tables, send.sfid & 15, send.desc.imm);
  return row && row->shape.waits;
}

namespace {

const MessageFieldLayout* find_field(const MessageRow& row, FieldRole role, uint32_t desc) {
  for (const MessageFieldLayout& f : row.fields)
    if (f.role == role && f.when(desc)) return &f;
  return nullptr;
}

}  // namespace

uint32_t field_of(const MessageRow& row, FieldRole role, uint32_t desc) {
  const MessageFieldLayout* const f = find_field(row, role, desc);
  return f ? uint32_t(field_value(*f, desc)) : 0;
}
uint32_t number_of(const MessageRow& row, FieldRole role, uint32_t desc) {
  const MessageFieldLayout* const f = find_field(row, role, desc);
  if (!f) return 0;
  const uint64_t value = field_value(*f, desc);
  const MessageMeaning* const m = find_meaning(f->meanings, value);
  return m ? m->number : uint32_t(value);
}

const MessageFieldLayout* reserved_field(const MessageTables& tables, const MessageRow& row, uint64_t word) {
  const MessageFieldLayout* first = nullptr;
  for_each_field(tables, row, word, [&](const MessageFieldLayout& f, uint64_t value) {
    if (!first && is_closed(f.text) && !find_meaning(f.meanings, value)) first = &f;
  });
  return first;
}

namespace {

// What a field's value makes of the shape.
void apply(FieldRole role, uint32_t number, MessageShape& s) {
  switch (role) {
    case FieldRole::space: s.space = AddressSpace(number); break;
    case FieldRole::slots:
      s.slots = uint8_t(number), s.first_slot = uint8_t(s.first_slot + (number >> 8 & 0xFF));
      s.replicated = number & one_colour, s.dual = number & two_sources;
      break;
    case FieldRole::slot_group: s.first_slot = uint8_t(s.first_slot + number); break;
    case FieldRole::half: s.half = number; break;
    case FieldRole::linear: s.linear = number; break;
    case FieldRole::element: s.element = uint8_t(number); break;
    case FieldRole::elements: s.positions = uint8_t((1u << number) - 1); break;
    case FieldRole::channels: s.positions = uint8_t(number); break;
    case FieldRole::block: s.bytes = uint16_t(number & 0x3FF), s.at = uint8_t(number >> 10); break;
    case FieldRole::block_offset: s.distance = number * s.unit; break;
    case FieldRole::operation: s.operation = AtomicOp(number); break;
    case FieldRole::answers: s.answers = number; break;
    case FieldRole::enables: s.enables = BlockEnables(number); break;
    default: break;
  }
}

}  // namespace

DecodedMessage decode_message(const MessageTables& tables, unsigned sfid, uint32_t desc) {
  DecodedMessage d{find_message(tables, sfid, desc)};
  if (!d.row) return d;
  MessageShape& s = d.shape = d.row->shape;
  s.header = has_header(desc);
  for (const MessageFieldLayout& f : d.row->fields) {
    if (f.role == FieldRole::none || !f.when(desc)) continue;
    const uint64_t value = field_value(f, desc);
    const MessageMeaning* const meaning = find_meaning(f.meanings, value);
    if (f.role == FieldRole::space)
      apply(f.role,
            meaning ? meaning->number
                    : uint32_t(is_bindless(tables, desc) ? AddressSpace::bindless : AddressSpace::surface),
            s);
    else if (is_closed(f.text) && !meaning)
      s.reserved_field = uint8_t(1 + (&f - d.row->fields.data()));
    else
      apply(f.role, meaning ? meaning->number : uint32_t(value), s);
  }
  s.adds_header = s.adds_header && s.header;
  s.masks_header = s.masks_header && s.header;
  if (s.operation == AtomicOp::cmpwr_2w) s.element = s.align = 8, s.split = !s.pair();
  if (s.is_block() && s.space != AddressSpace::stateless) s.base_bits = 0;
  if (s.action == MessageAction::barrier && !tables.barrier.offset.present()) {
    const BarrierFields& b = tables.barrier;
    s.name_bits = uint32_t(mask(b.id).lo | mask(b.id_high).lo | mask(b.count_enable).lo);
    s.only_counts = !field_of(*d.row, FieldRole::acknowledge, desc) && !s.header;
  }
  return d;
}

std::string_view shared_function_name(const MessageTables& tables, unsigned sfid) {
  return sfid < tables.functions.size() ? tables.functions[sfid].name : std::string_view{};
}

MessageInfo describe_message(const MessageTables& tables, unsigned sfid, uint32_t ex_desc, uint32_t desc) {
  const uint64_t word = join(ex_desc, desc);
  MessageInfo info{shared_function_name(tables, sfid),
                   "reserved message",
                   mlen(desc),
                   ex_mlen(ex_desc),
                   rlen(desc),
                   has_header(desc),
                   {}};
  if (const MessageRow* row = find_message(tables, sfid, word)) {
    info.name = row->name;
    for_each_field(tables, *row, word, [&](const MessageFieldLayout& f, uint64_t value) {
      const MessageMeaning* m = find_meaning(f.meanings, value);
      const std::string_view none = is_closed(f.text) ? reserved : std::string_view{};
      info.fields.push_back({f.name, uint32_t(value), m ? m->text : none});
    });
  }
  return info;
}

void append_message_comment(std::string& out, const MessageTables& tables, unsigned sfid, uint32_t ex_desc,
                            uint32_t desc) {
  const uint64_t word = join(ex_desc, desc);
  append_shared_function(out, tables, sfid);
  if (const MessageRow* row = find_message(tables, sfid, word)) {
    out += row->name;
    for_each_field(tables, *row, word,
                   [&](const MessageFieldLayout& f, uint64_t value) { append_field(out, f, value); });
  } else {
    fmt::format_to(std::back_inserter(out), "reserved message 0x{:05x}", desc & 0x7ffff);
  }
  out += "; mlen ";
  append(out, mlen(desc));
  if (const unsigned more = ex_mlen(ex_desc)) {
    out += ", ex_mlen ";
    append(out, more);
  }
  out += ", rlen ";
  append(out, rlen(desc));
  if (has_header(desc)) out += ", header";
}

std::string message_comment(const MessageTables& tables, unsigned sfid, uint32_t ex_desc, uint32_t desc) {
  std::string out;
  out.reserve(96);
  append_message_comment(out, tables, sfid, ex_desc, desc);
  return out;
}

void append_message_comment_indirect(std::string& out, const MessageTables& tables, unsigned sfid) {
  append_shared_function(out, tables, sfid);
  out += "descriptor in a0";
}

std::string message_comment_indirect(const MessageTables& tables, unsigned sfid) {
  std::string out;
  append_message_comment_indirect(out, tables, sfid);
  return out;
}

}  // namespace vitro::isa
