// Decoding and encoding through a model: opcode lookup, the layout's walk, compaction, and words for what went wrong.
#include "isa/model.h"

#include <fmt/format.h>

#include <cstring>

#include "isa/encoding.h"

namespace vitro::isa {

std::string describe(const CodecFault& fault) {
  switch (fault.kind) {
    case CodecError::none: return {};
    case CodecError::reserved_value: return fmt::format("{}: reserved value 0x{:X}", fault.field, fault.value);
    case CodecError::does_not_fit:
      return fmt::format("{}: {} does not fit the field", fault.field, int64_t(fault.value));
    case CodecError::not_encodable:
      return fmt::format("{}: value {} has no encoding on this generation", fault.field, fault.value);
    case CodecError::must_be_zero: return fmt::format("{}: 0x{:X} where zero is required", fault.field, fault.value);
  }
  return {};
}

Model with_opcodes(Model m) {
  for (const OpcodeRow& r : opcode_table())
    if (r.generations.contains(m.generation)) {
      m.by_code[r.code] = m.by_op[size_t(r.op)] = &r;
      if (r.format == Format::ternary) deposit(m.three_source.bits, Bits{r.code, r.code}, 1);
    }
  return m;
}

namespace {

// An operand must name a register the generation has. Only general and message registers are reached through a0.
bool known_register(const Model& m, const Operand& o) {
  switch (o.file) {
    case RegFile::arf: return !o.indirect && find_arf(m.arfs, o.reg) != nullptr;
    case RegFile::grf: return o.reg < m.grf_count;
    case RegFile::mrf: return o.reg < m.mrf_count;
    case RegFile::imm: return true;
  }
  return false;
}
tl::unexpected<Error> unknown_register(const OpcodeRow& row, std::string_view operand, const Operand& o) {
  if (o.indirect)
    return failure(
        fmt::format("{}: {}.RegFile: an architecture register cannot be addressed through a0", row.mnemonic, operand));
  return failure(fmt::format("{}: {}.RegNum: reserved value 0x{:02X}", row.mnemonic, operand, o.reg));
}

}  // namespace

Result<Instruction> decode(const Model& m, const Word128& native) {
  const OpcodeRow* row = m.by_code[native.lo & 0x7F];
  if (!row) return failure(fmt::format("Opcode: reserved value 0x{:02X}", native.lo & 0x7F));
  Result<Instruction> r{};
  if (const CodecFault f = m.encoding->decode(*row, native, *r); f.kind != CodecError::none)
    return failure(fmt::format("{}: {}", row->mnemonic, describe(f)));
  if (row->format == Format::math && !info(r->math).generations.contains(m.generation))
    return failure(fmt::format("{}: FC: reserved value 0x{:X}", row->mnemonic, int(r->math)));
  if (!known_register(m, r->dst)) return unknown_register(*row, "Dst", r->dst);
  static constexpr std::string_view sources[] = {"Src0", "Src1", "Src2"};
  for (size_t n = 0; n < 3; ++n)
    if (!known_register(m, r->src[n])) return unknown_register(*row, sources[n], r->src[n]);
  return r;
}

Result<Word128> encode(const Model& m, const Instruction& i) {
  const OpcodeRow* row = m.row(i.op);
  if (!row) return failure(fmt::format("{} does not exist on {}", mnemonic(i.op), m.name));
  Word128 w;
  if (const CodecFault f = m.encoding->encode(*row, i, w); f.kind != CodecError::none)
    return failure(fmt::format("{}: {}", row->mnemonic, describe(f)));
  return w;
}

Word128 ignored_mask(const Model& m, const Instruction& i) {
  const OpcodeRow* row = m.row(i.op);
  return row ? m.encoding->meaningless(*row, i) : Word128{};
}

namespace {
constexpr Bits cmpt_ctrl{29, 29};  // the one bit that stands in the same place in every form of every generation
}

Result<Fetched> fetch(const Model& m, std::span<const std::byte> at) {
  Word128 w;
  if (at.size() < 8) return failure(fmt::format("truncated: {} bytes left, an instruction needs 8 or 16", at.size()));
  std::memcpy(&w.lo, at.data(), 8);
  const bool compact = extract(w, cmpt_ctrl);
  if (compact) {
    Result<Word128> native = expand(*m.compaction, m.three_source, w.lo);
    if (!native) return tl::unexpected(native.error());
    w = *native;
    deposit(w, cmpt_ctrl, 1);
  } else {
    if (at.size() < 16) return failure(fmt::format("truncated: {} bytes left, this instruction needs 16", at.size()));
    std::memcpy(&w.hi, at.data() + 8, 8);
  }
  Result<Instruction> i = decode(m, w);
  if (!i) return tl::unexpected(i.error());
  return Fetched{*i, compact ? 8 : 16};
}

Result<Stored> store(const Model& m, const Instruction& i) {
  Result<Word128> w = encode(m, i);
  if (!w) return tl::unexpected(w.error());
  Stored s{};
  if (i.compacted) {
    deposit(*w, cmpt_ctrl, 0);
    const std::optional<uint64_t> c = compact(*m.compaction, m.three_source, *w);
    if (!c) return failure(fmt::format("{}: no compact form exists for this instruction", mnemonic(i.op)));
    std::memcpy(s.bytes.data(), &*c, 8);
    s.size = 8;
  } else {
    std::memcpy(s.bytes.data(), &*w, 16);
    s.size = 16;
  }
  return s;
}

namespace {
// Formats whose compact form Intel's tools use. Other branches and split sends have none.
constexpr bool compacts(const Model& m, Format f) {
  constexpr uint32_t always =
      formats(Format::unary, Format::binary, Format::ternary, Format::math, Format::wait, Format::jump);
  return (always >> int(f) & 1) || (f == Format::send && m.compacts_send);
}
}  // namespace

std::optional<Instruction> compacted_form(const Model& m, Instruction i) {
  const OpcodeRow* row = m.row(i.op);
  if (!row || !compacts(m, row->format)) return {};
  i.compacted = true;
  if (store(m, i)) return i;
  Result<Word128> native = encode(m, i);
  if (!native) return {};
  deposit(*native, cmpt_ctrl, 0);
  const std::optional<uint64_t> c = compact(*m.compaction, m.three_source, *native, ignored_mask(m, i));
  if (!c) return {};
  std::array<std::byte, 8> bytes;
  std::memcpy(bytes.data(), &*c, 8);
  const Result<Fetched> f = fetch(m, bytes);
  return f ? std::optional(f->instruction) : std::nullopt;
}

}  // namespace vitro::isa
