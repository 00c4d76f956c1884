// Instruction compaction, both directions: generic functions over the description of a generation (compaction.h).
// CP-01, CP-02. Deliberately not modelled: see compaction.h.
#include "isa/compaction.h"

#include <fmt/format.h>

#include <bit>

namespace vitro::isa {

namespace {

constexpr Bits opcode_bits{6, 0};
constexpr uint64_t cmpt_ctrl = uint64_t{1} << 29;
constexpr int data_type = 1;  // position among the indices of both one- and two-source forms

constexpr uint64_t field_of(uint64_t w, Bits b) { return w >> b.lo & ones(b.width()); }

const CompactForm& form_of_compact(const Compaction& c, OpcodeSet three_source, uint64_t word) {
  if (three_source.contains(field_of(word, opcode_bits))) return c.three_source;
  return c.immediate_types >> c.registers.indices[data_type].selected(word) & 1 ? c.immediate : c.registers;
}

const CompactForm& form_of_native(const Compaction& c, OpcodeSet three_source, Word128 word, Word128 ignored) {
  if (three_source.contains(extract(word, opcode_bits))) return c.three_source;
  const auto is_immediate = [&](Bits file) {
    return !(ignored & mask(file)) && extract(word, file) == c.immediate_file;
  };
  return is_immediate(c.src0_file) || is_immediate(c.src1_file) ? c.immediate : c.registers;
}

// Entry of the index that gives these native bits, as far as they are cared for.
std::optional<unsigned> find(const CompactIndex& index, Word128 native, Word128 care) {
  const Word128 wanted = native & care;
  for (int i = 0; i <= index.last; ++i)
    if ((index.entries[i] & care) == wanted && (index.canonical >> i & 1)) return i;
  return std::nullopt;
}

[[gnu::cold]] tl::unexpected<Error> not_compact(const CompactForm& form, uint64_t word) {
  if (!(word & cmpt_ctrl)) return failure("not a compact instruction: CmptCtrl (bit 29) is 0");
  if (!form.present())
    return failure(fmt::format("opcode {:#04x}: a three-source instruction has no compact form here",
                               field_of(word, opcode_bits)));
  return failure(fmt::format("compact instruction {:#018x}: reserved bit {} is not zero", word,
                             std::countr_zero(word & form.reserved)));
}

}  // namespace

Result<Word128> expand(const Compaction& compaction, OpcodeSet three_source, uint64_t compact) {
  const CompactForm& form = form_of_compact(compaction, three_source, compact);
  if (!(compact & cmpt_ctrl) || !form.present() || (compact & form.reserved)) return not_compact(form, compact);
  // Unused indices and moves contribute nothing: loops of fixed length, without a branch to mispredict.
  Word128 native;
  for (const CompactIndex& index : form.indices) native |= index.entries[index.selected(compact)];
  for (int i = 0; i < 4; ++i) native.lo |= std::rotl(compact, form.low[i].rotate) & form.low[i].bits;
  for (int i = 0; i < 4; ++i) native.hi |= std::rotl(compact, form.high[i].rotate) & form.high[i].bits;
  for (int i = 4; i < form.high_count; ++i) native.hi |= std::rotl(compact, form.high[i].rotate) & form.high[i].bits;
  native.hi |= form.extension & -uint64_t((compact & form.sign) != 0);
  return native;
}

std::optional<uint64_t> compact(const Compaction& compaction, OpcodeSet three_source, Word128 native, Word128 ignored) {
  const CompactForm& form = form_of_native(compaction, three_source, native, ignored);
  if (!form.present() || (native & form.unmapped & ~ignored)) return std::nullopt;
  uint64_t compact = cmpt_ctrl;
  for (int i = 0; i < form.index_count; ++i) {
    const CompactIndex& index = form.indices[i];
    std::optional<unsigned> entry = find(index, native, index.native);
    if (!entry && (index.native & ignored)) entry = find(index, native, index.native & ~ignored);
    if (!entry) return std::nullopt;
    compact |= uint64_t{*entry} << index.compact.lo;
  }
  for (const CompactMove& m : form.low) compact |= std::rotr(native.lo & m.bits, m.rotate);
  for (const CompactMove& m : form.high) compact |= std::rotr(native.hi & m.bits, m.rotate);
  const uint64_t extension = compact & form.sign ? form.extension : 0;
  if ((native.hi ^ extension) & form.extension & ~ignored.hi) return std::nullopt;
  return compact;
}

}  // namespace vitro::isa
