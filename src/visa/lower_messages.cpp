// Lowering messages. Documents: as lower_messages.h. Rows are looked up by name, so a message that a generation lacks
// is refused there.
#include "visa/lower_messages.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>

#include "visa/names.h"
#include "visa/row.h"

namespace vitro::visa {
namespace {

using isa::FieldRole;
using Error = std::string;  // thrown here, and turned into a result

constexpr unsigned reg = register_bytes;
constexpr uint32_t most_block_bytes = 128;  // of a block message

// The operands of an instruction by what they are.
struct Parts {
  const MessageContext& c;
  const Instruction& i;
  std::map<std::string_view, uint64_t> numbers{};
  std::vector<RawPlace> raws{}, list{};
  std::vector<const Operand*> raw_operands{};
  std::vector<uint8_t> scalars{};
  const Operand* surface = nullptr;
  const Operand* sampler = nullptr;

  Parts(const MessageContext& context, const Instruction& instruction) : c(context), i(instruction) {
    const Operand* o = c.routine.operands_of(i);
    for (const Field& f : i.row->fields) {
      if (f.kind == FieldKind::raw_list)
        for (uint32_t n = i.row->operands; n < i.count; ++n) list.push_back(raw_place(c.storage, o[n]));
      if (f.operand < 0) continue;
      const Operand& operand = o[f.operand];
      switch (f.kind) {
        case FieldKind::raw:
          raws.push_back(operand.kind == OperandClass::raw ? raw_place(c.storage, operand) : RawPlace{});
          raw_operands.push_back(&operand);
          break;
        case FieldKind::vector: scalars.push_back(uint8_t(f.operand)); break;
        case FieldKind::surface: surface = &operand; break;
        case FieldKind::sampler: sampler = &operand; break;
        default:
          if (!f.name.empty()) numbers[f.name] = operand.value;
      }
    }
  }
  uint32_t number(std::string_view name) const {
    const auto found = numbers.find(name);
    return found == numbers.end() ? 0 : uint32_t(found->second);
  }
  unsigned lanes() const { return i.row->has_execution ? i.size() : 1; }
  // Elements of one kind of all lanes begin a register of their own.
  unsigned pitch() const { return std::max(lanes(), 8u); }
  unsigned slots() const { return lanes() > 8 ? 16 : 8; }
  uint32_t elements_of(const Operand& raw) const {
    const uint32_t id = raw.id;
    return id >= predefined_variables ? row(c.routine.variables[id - predefined_variables].type).bytes : 4;
  }
};

LoweredMessage begin(const Parts& p, std::string_view function, std::string_view name,
                     std::initializer_list<WantedField> wanted) {
  const Result<Descriptor> d = descriptor(p.c.tables, function, name, wanted);
  if (!d) throw d.error().message;
  LoweredMessage m{.name = name, .sfid = d->sfid, .desc = d->desc, .ex_desc = d->ex_desc};
  if (p.surface) m.has_surface = true, m.surface = uint16_t(p.surface->id);
  if (p.sampler) m.has_sampler = true, m.sampler = uint16_t(p.sampler->id);
  return m;
}

// Lengths, once all rows are there.
LoweredMessage finished(LoweredMessage m) {
  const auto registers = [](unsigned bytes) { return uint8_t((bytes + reg - 1) / reg); };
  m.mlen = m.header;
  for (const SlotRow& r : m.payload) m.mlen = std::max(m.mlen, registers(r.at + m.slots * r.in_registers));
  for (const BytesRow& r : m.blocks) m.mlen = std::max(m.mlen, registers(r.at + r.bytes));
  for (const SlotRow& r : m.response) m.rlen = std::max(m.rlen, registers(r.at + m.slots * r.in_registers));
  for (const BytesRow& r : m.answers) m.rlen = std::max(m.rlen, registers(r.at + r.bytes));
  if (m.mlen > 15 || m.rlen > 31) throw fmt::format("{}: the message is too long", m.name);
  m.desc |= uint32_t(m.mlen) << 25 | uint32_t(m.rlen) << 20 | uint32_t(m.header) << 19;
  return m;
}

// Rows stand behind each other, each in registers of its own.
struct Rows {
  unsigned at = 0;
  SlotRow next(unsigned slots, SlotRow r) {
    r.at = uint16_t(at);
    at += (slots * r.in_registers + reg - 1) / reg * reg;
    return r;
  }
};

struct Data {
  RawPlace raw{};
  unsigned rows = 1;
  uint8_t bytes = 4;
};

// Offsets or addresses, then data; or an answer.
LoweredMessage scattered(const Parts& p, LoweredMessage m, SlotRow places, std::initializer_list<Data> data,
                         const Data& answer) {
  m.slots = uint8_t(m.slots);
  places.place = true;
  Rows in, out;
  m.payload.push_back(in.next(m.slots, places));
  for (const Data& d : data)
    for (unsigned n = 0; n < d.rows; ++n)
      m.payload.push_back(in.next(m.slots, {.raw = d.raw,
                                            .offset = n * p.pitch() * d.bytes,
                                            .distance = d.bytes,
                                            .bytes = d.bytes,
                                            .in_registers = d.bytes}));
  for (unsigned n = 0; n < answer.rows; ++n)
    m.response.push_back(out.next(m.slots, {.raw = answer.raw,
                                            .offset = n * p.pitch() * answer.bytes,
                                            .distance = answer.bytes,
                                            .bytes = answer.bytes,
                                            .in_registers = answer.bytes}));
  return finished(std::move(m));
}
constexpr Data no_data{.rows = 0};

SlotRow offsets(const RawPlace& raw, uint8_t unit = 1) { return {.raw = raw, .unit = unit}; }
SlotRow addresses(const RawPlace& raw) { return {.raw = raw, .distance = 8, .bytes = 8, .in_registers = 8}; }

using Messages = std::vector<LoweredMessage>;

// --- scattered elements
Messages untyped(const Parts& p, bool write, bool svm) {
  const uint32_t channels = p.number("ch");
  const unsigned rows = unsigned(std::popcount(channels));
  LoweredMessage m = begin(p, "dc1",
                           svm ? (write ? "a64 untyped surface write" : "a64 untyped surface read")
                               : (write ? "untyped surface write" : "untyped surface read"),
                           {{FieldRole::slots, p.slots()}, {FieldRole::channels, channels}});
  m.slots = uint8_t(p.slots()), m.added = 0;
  const SlotRow places = svm ? addresses(p.raws[0]) : offsets(p.raws[0]);
  if (write) return {scattered(p, m, places, {{p.raws[1], rows}}, no_data)};
  return {scattered(p, m, places, {}, {p.raws[1], rows})};
}

Messages bytes_scattered(const Parts& p, bool write, uint8_t element, uint8_t unit) {
  LoweredMessage m = begin(p, "dc0", write ? "byte scattered write" : "byte scattered read",
                           {{FieldRole::slots, p.slots()}, {FieldRole::element, element}});
  m.slots = uint8_t(p.slots()), m.added = 0;
  if (write) return {scattered(p, m, offsets(p.raws[0], unit), {{p.raws[1]}}, no_data)};
  return {scattered(p, m, offsets(p.raws[0], unit), {}, {p.raws[1]})};
}
Messages gather_scaled(const Parts& p, bool write) {
  return bytes_scattered(p, write, uint8_t(1u << (p.number("count") & 3)), 1);
}
Messages gather(const Parts& p, bool write) {
  const auto size = uint8_t(1u << (p.number("size") & 3));
  return bytes_scattered(p, write, size, size);
}

Messages svm_scattered(const Parts& p, bool write) {
  const unsigned size = block_sizes[p.number("size") % std::size(block_sizes)];
  const unsigned count = block_counts[p.number("count") & 3];
  const std::string_view names[][2] = {{"a64 byte scattered read", "a64 byte scattered write"},
                                       {"a64 dword scattered read", "a64 dword scattered write"},
                                       {"a64 qword scattered read", "a64 qword scattered write"}};
  const size_t kind = size == 1 ? 0 : size == 4 ? 1 : 2;
  LoweredMessage m =
      begin(p, "dc1", names[kind][write],
            {{FieldRole::slots, p.slots()}, {size == 1 ? FieldRole::element : FieldRole::elements, count}});
  m.slots = uint8_t(p.slots());
  // bytes of a slot stand together
  const Data data{p.raws[1], size == 1 ? 1 : count, uint8_t(size == 1 ? (count == 8 ? 8 : 4) : size)};
  if (write) return {scattered(p, m, addresses(p.raws[0]), {data}, no_data)};
  return {scattered(p, m, addresses(p.raws[0]), {}, data)};
}

// --- atomic operations
struct AtomicRow {
  isa::AtomicOp op;
  bool is_float = false;
  bool swapped = false;  // the message has the expected value first
};
constexpr AtomicRow atomic_rows[] = {
    {isa::AtomicOp::add},          {isa::AtomicOp::sub},
    {isa::AtomicOp::inc},          {isa::AtomicOp::dec},
    {isa::AtomicOp::umin},         {isa::AtomicOp::umax},
    {isa::AtomicOp::mov},          {isa::AtomicOp::cmpwr, false, true},
    {isa::AtomicOp::and_},         {isa::AtomicOp::or_},
    {isa::AtomicOp::xor_},         {isa::AtomicOp::imin},
    {isa::AtomicOp::imax},         {isa::AtomicOp::predec},
    {isa::AtomicOp::none},         {isa::AtomicOp::none},
    {isa::AtomicOp::fmax, true},   {isa::AtomicOp::fmin, true},
    {isa::AtomicOp::fcmpwr, true},
};
AtomicRow atomic_of(uint32_t code, std::string_view mnemonic) {
  if (code < std::size(atomic_rows) && atomic_rows[code].op != isa::AtomicOp::none) return atomic_rows[code];
  throw fmt::format("{}: operation {} is not defined", mnemonic, code);
}

LoweredMessage atomic(const Parts& p, LoweredMessage m, const AtomicRow& a, const SlotRow& places, uint8_t bytes,
                      RawPlace src0, RawPlace src1, const RawPlace& dst) {
  if (a.swapped) std::swap(src0, src1);
  const unsigned operands = isa::atomic_operands[size_t(a.op)];
  return scattered(p, std::move(m), places, {{src0, operands > 0, bytes}, {src1, operands > 1, bytes}},
                   {dst, dst.null ? 0u : 1u, bytes});
}

Messages dword_atomic(const Parts& p) {
  const uint32_t code = p.number("op");
  if (code & 0x20) throw Error("dword_atomic: 16-bit operations are those of later GPUs");
  const AtomicRow a = atomic_of(code & 31, "dword_atomic");
  const bool answers = !p.raws[3].null;
  LoweredMessage m =
      begin(p, "dc1", a.is_float ? "untyped float atomic" : "untyped atomic",
            {{FieldRole::operation, uint32_t(a.op)}, {FieldRole::slots, p.slots()}, {FieldRole::answers, answers}});
  m.slots = uint8_t(p.slots());
  return {atomic(p, m, a, offsets(p.raws[0]), 4, p.raws[1], p.raws[2], p.raws[3])};
}

Messages svm_atomic(const Parts& p) {
  const uint32_t code = p.number("what");
  if ((code >> 5 & 3) == 1) throw Error("svm_atomic: 16-bit operations are those of later GPUs");
  const AtomicRow a = atomic_of(code & 31, "svm_atomic");
  const bool quad = (code >> 5 & 3) == 2;
  const bool answers = !p.raws[3].null;
  LoweredMessage m = begin(p, "dc1",
                           a.is_float ? "a64 untyped float atomic"
                           : quad     ? "a64 untyped qword atomic"
                                      : "a64 untyped dword atomic",
                           {{FieldRole::operation, uint32_t(a.op)}, {FieldRole::answers, answers}});
  m.slots = 8;
  return {atomic(p, m, a, addresses(p.raws[0]), quad ? 8 : 4, p.raws[1], p.raws[2], p.raws[3])};
}

// --- typed surfaces: coordinates as far as they are given, eight slots to a message
void add_coordinates(const Parts& p, LoweredMessage& m, Rows& in) {
  size_t given = 4;
  while (given > 1 && p.raws[given - 1].null) --given;
  for (size_t n = 0; n < given; ++n) m.payload.push_back(in.next(8, {.raw = p.raws[n]}));
}
Messages typed(const Parts& p, bool write) {
  const uint32_t channels = p.number("ch");
  LoweredMessage m = begin(p, "dc1", write ? "typed surface write" : "typed surface read",
                           {{FieldRole::slots, 8}, {FieldRole::channels, channels}});
  Rows in, out;
  add_coordinates(p, m, in);
  for (unsigned n = 0; n < unsigned(std::popcount(channels)); ++n) {
    const SlotRow r{.raw = p.raws[4], .offset = n * p.pitch() * 4};
    if (write)
      m.payload.push_back(in.next(8, r));
    else
      m.response.push_back(out.next(8, r));
  }
  return {finished(std::move(m))};
}
Messages typed_atomic(const Parts& p) {
  const uint32_t code = p.number("op");
  if (code & 0x20) throw Error("typed_atomic: 16-bit operations are those of later GPUs");
  const AtomicRow a = atomic_of(code & 31, "typed_atomic");
  const bool answers = !p.raws[6].null;
  LoweredMessage m =
      begin(p, "dc1", "typed atomic",
            {{FieldRole::operation, uint32_t(a.op)}, {FieldRole::slots, 8}, {FieldRole::answers, answers}});
  Rows in, out;
  add_coordinates(p, m, in);
  RawPlace src[] = {p.raws[4], p.raws[5]};
  if (a.swapped) std::swap(src[0], src[1]);
  for (unsigned n = 0; n < isa::atomic_operands[size_t(a.op)]; ++n) m.payload.push_back(in.next(8, {.raw = src[n]}));
  if (answers) m.response.push_back(out.next(8, {.raw = p.raws[6]}));
  return {finished(std::move(m))};
}

// --- blocks
constexpr WantedField block_of(uint32_t bytes) { return {FieldRole::block, bytes}; }
Messages blocks(const Parts& p, std::string_view function, std::string_view name, bool write, bool svm, uint32_t bytes,
                uint32_t unit) {
  Messages all;
  for (uint32_t done = 0; done < bytes;) {
    const uint32_t part = std::min(most_block_bytes, bytes - done);
    LoweredMessage m = begin(p, function, name, {block_of(part)});
    m.header = m.plain_header = m.all = true;
    const uint32_t begins = svm ? 0 : 2;
    m.fields.push_back({.dword = uint8_t(begins), .source = 0, .value = done / unit});
    const BytesRow r{.raw = p.raws[0], .offset = done, .at = uint16_t(write ? reg : 0), .bytes = uint16_t(part)};
    (write ? m.blocks : m.answers).push_back(r);
    all.push_back(finished(std::move(m)));
    done += part;
  }
  return all;
}
uint32_t owords(uint32_t code) { return 16u * oword_counts[std::min<size_t>(code & 7, std::size(oword_counts) - 1)]; }
Messages svm_block(const Parts& p, bool write) {
  const uint32_t bytes = owords(p.number("size"));
  // Text does not say whether a place is aligned; the message for those that are not is right for both.
  return blocks(p, "dc1", write ? "a64 oword block write" : "a64 unaligned oword block read", write, true, bytes, 1);
}

Messages media_block(const Parts& p, bool write) {
  const uint32_t mode = p.number("mode"), wide = p.number("wide");
  const Operand* o = p.c.routine.operands_of(p.i);
  uint32_t high = 0;
  for (const Field& f : p.i.row->fields)
    if (f.name == "high") high = uint32_t(o[f.operand].value);
  if (p.number("plane")) throw fmt::format("{}: planes of surfaces", p.i.row->mnemonic);
  const bool fields = mode >= 2;
  LoweredMessage m = begin(p, "dc1", write ? "media block write" : "media block read",
                           {{FieldRole::line_override, fields},
                            {FieldRole::line_stride, fields},
                            {FieldRole::line_offset, fields && (mode & 1)}});
  m.header = m.plain_header = m.all = true;
  m.fields = {
      {.dword = 0, .source = 0}, {.dword = 1, .source = 1}, {.dword = 2, .value = (high - 1) << 16 | (wide - 1)}};
  const uint32_t pitch = std::max(4u, std::bit_ceil(wide));
  const BytesRow r{.raw = p.raws[0], .at = uint16_t(write ? reg : 0), .bytes = uint16_t(pitch * high)};
  (write ? m.blocks : m.answers).push_back(r);
  return {finished(std::move(m))};
}

// --- sampler
struct SamplerName {
  Op op;
  std::string_view row;
};
constexpr SamplerName sampler_names[] = {
    {Op::sample_3d, "sample"},
    {Op::sample_b, "sample_b"},
    {Op::sample_l, "sample_l"},
    {Op::sample_c, "sample_c"},
    {Op::sample_d, "sample_d"},
    {Op::sample_b_c, "sample_b_c"},
    {Op::sample_l_c, "sample_l_c"},
    {Op::lod, "lod"},
    {Op::sample_d_c, "sample_d_c"},
    {Op::sample_lz, "sample_lz"},
    {Op::sample_c_lz, "sample_c_lz"},
    {Op::load_3d, "ld"},
    {Op::load_lz, "ld_lz"},
    {Op::load_2dms_w, "ld2dms_w"},
    {Op::load_mcs, "ld_mcs"},
    {Op::sample4, "gather4"},
    {Op::sample4_c, "gather4_c"},
    {Op::sample4_po, "gather4_po"},
    {Op::sample4_po_c, "gather4_po_c"},
    {Op::resinfo, "resinfo"},
    {Op::sampleinfo, "sampleinfo"},
};
const SamplerName* sampler_name(Op op) {
  for (const SamplerName& n : sampler_names)
    if (n.op == op) return &n;
  return nullptr;
}

// Of a sampler message's header: M0.2.
constexpr uint32_t skips_channels = 12, gather_channel = 16, null_mask = 23;

Messages sampler(const Parts& p, std::string_view name) {
  const bool gathers = name.starts_with("gather4");
  const unsigned lanes = p.lanes(), slots = lanes > 8 ? 16 : 8;
  const bool answers = !p.raws.back().null;
  const size_t destination = p.raws.size() - 1;
  const bool half = answers && p.elements_of(*p.raw_operands[destination]) == 2;
  LoweredMessage m = begin(p, "sampler", name, {{FieldRole::slots, slots}, {FieldRole::half, half}});
  m.slots = uint8_t(slots);
  const uint32_t op = p.number("op"), ch = p.number("ch");
  if (op >> 8 & 6) throw fmt::format("{}: .cps and .divS are those of later GPUs", p.i.row->mnemonic);
  const uint32_t channels = gathers ? 15 : ch & 15;
  uint32_t control = (~channels & 15) << skips_channels;
  if (gathers) control |= (ch & 3) << gather_channel;
  const bool nulls = op >> 8 & 1;
  if (nulls) control |= 1u << null_mask;
  const bool offset = !p.scalars.empty();
  const Operand* aoffimmi = offset ? &p.c.routine.operands_of(p.i)[p.scalars[0]] : nullptr;
  const bool moved = aoffimmi && !(aoffimmi->kind == OperandClass::immediate && aoffimmi->value == 0);
  m.header = control || moved;
  if (m.header) m.fields = {{.dword = 2, .source = int8_t(moved ? 0 : -1), .value = control}};
  Rows in{m.header ? reg : 0}, out;
  std::vector<RawPlace> parameters = p.list;
  if (name == "resinfo") parameters = {p.raws[0]};
  for (const RawPlace& raw : parameters) m.payload.push_back(in.next(slots, {.raw = raw}));
  if (parameters.empty()) m.payload.push_back(in.next(slots, {}));
  const auto bytes = uint8_t(half ? 2 : 4);
  const unsigned pitch = half ? std::max(lanes, 16u) : p.pitch();
  for (unsigned n = 0; answers && n < unsigned(std::popcount(channels)); ++n)
    m.response.push_back(out.next(slots, {.raw = p.raws[destination],
                                          .offset = n * pitch * bytes,
                                          .distance = bytes,
                                          .bytes = bytes,
                                          .in_registers = bytes}));
  if (nulls && answers)
    m.answers.push_back({.raw = p.raws[destination],
                         .offset = unsigned(std::popcount(channels)) * pitch * bytes,
                         .at = uint16_t(out.at),
                         .bytes = 4});
  return {finished(std::move(m))};
}

Messages lower_parts(const Parts& p) {
  if (const SamplerName* n = sampler_name(p.i.row->op)) return sampler(p, n->row);
  switch (p.i.row->op) {
    case Op::gather4_scaled: return untyped(p, false, false);
    case Op::scatter4_scaled: return untyped(p, true, false);
    case Op::svm_gather4scaled: return untyped(p, false, true);
    case Op::svm_scatter4scaled: return untyped(p, true, true);
    case Op::gather_scaled: return gather_scaled(p, false);
    case Op::scatter_scaled: return gather_scaled(p, true);
    case Op::gather: return gather(p, false);
    case Op::scatter: return gather(p, true);
    case Op::svm_gather: return svm_scattered(p, false);
    case Op::svm_scatter: return svm_scattered(p, true);
    case Op::dword_atomic: return dword_atomic(p);
    case Op::svm_atomic: return svm_atomic(p);
    case Op::gather4_typed: return typed(p, false);
    case Op::scatter4_typed: return typed(p, true);
    case Op::typed_atomic: return typed_atomic(p);
    case Op::oword_ld: return blocks(p, "dc0", "oword block read", false, false, owords(p.number("size")), 16);
    case Op::oword_st: return blocks(p, "dc0", "oword block write", true, false, owords(p.number("size")), 16);
    case Op::oword_ld_unaligned:
      return blocks(p, "dc0", "unaligned oword block read", false, false, owords(p.number("size")), 1);
    case Op::svm_block_ld: return svm_block(p, false);
    case Op::svm_block_st: return svm_block(p, true);
    case Op::media_ld: return media_block(p, false);
    case Op::media_st: return media_block(p, true);
    default: throw fmt::format("{} is not executed", p.i.row->mnemonic);
  }
}

}  // namespace

bool is_message(const Instruction& i) {
  return std::any_of(i.row->fields.begin(), i.row->fields.end(),
                     [](const Field& f) { return f.kind == FieldKind::raw || f.kind == FieldKind::surface; });
}

RawPlace raw_place(const Storage& storage, const Operand& o) {
  if (!storage.knows(o.id)) return {};
  const VariablePlace& v = storage[o.id];
  if (v.null) return {};
  return {.null = false,
          .shared = v.shared,
          .at = v.at + uint32_t(o.value),
          .bytes = o.value < v.bytes ? v.bytes - uint32_t(o.value) : 0,
          .variable = o.id};
}

Result<Lowered> lower(const MessageContext& c, const Instruction& i) {
  const Parts p(c, i);
  try {
    return Lowered{lower_parts(p), p.scalars};
  } catch (const Error& e) {
    return failure(e);
  }
}

Result<Descriptor> descriptor(const isa::MessageTables& tables, std::string_view function, std::string_view name,
                              std::span<const WantedField> wanted) {
  for (size_t sfid = 0; sfid < tables.functions.size(); ++sfid) {
    const isa::SharedFunction& f = tables.functions[sfid];
    if (f.name != function) continue;
    for (const isa::MessageRow& r : f.rows) {
      if (r.name != name) continue;
      uint64_t word = r.match.value;
      for (const isa::MessageFieldLayout& field : r.fields) {
        // messages without a surface say so where others have theirs
        if (field.role == FieldRole::none && field.name == "bti" && !field.meanings.empty())
          word |= uint64_t(field.meanings.front().value) << field.bits.lo;
        const auto w =
            std::find_if(wanted.begin(), wanted.end(), [&](const WantedField& x) { return x.role == field.role; });
        if (w == wanted.end() || field.role == FieldRole::none) continue;
        uint64_t value = w->number;
        if (!field.meanings.empty()) {
          const auto meaning = std::find_if(field.meanings.begin(), field.meanings.end(),
                                            [&](const isa::MessageMeaning& m) { return m.number == w->number; });
          if (meaning == field.meanings.end()) return failure(fmt::format("{}: there is no such {}", name, field.name));
          value = meaning->value;
        }
        const unsigned low = unsigned(field.bits.hi - field.bits.lo + 1);
        word |= (value & ones(int(low))) << field.bits.lo;
        if (field.high.present()) word |= value >> low << field.high.lo;
      }
      return Descriptor{uint8_t(sfid), uint32_t(word), uint32_t(word >> 32)};
    }
  }
  return failure(fmt::format("{} has no message \"{}\" here", function, name));
}

}  // namespace vitro::visa
