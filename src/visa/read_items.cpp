// What stands behind a mnemonic in vISA text beside its operands: suffixes, counts and codes, each style of row.h once.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "visa/names.h"
#include "visa/text_reader.h"

namespace vitro::visa {
namespace {

// "a, b or c".
std::string listed(std::span<const std::string_view> names) {
  std::string out;
  size_t left = size_t(std::count_if(names.begin(), names.end(), [](std::string_view n) { return !n.empty(); }));
  for (const std::string_view n : names)
    if (!n.empty()) out += fmt::format("{}{}", n, --left == 0 ? "" : left == 1 ? " or " : ", ");
  return out;
}

}  // namespace

void TextReader::item(Instruction& i, const Row& row, const TextItem& t, bool& saturate) {
  if (t.style == Style::saturate) {
    saturate |= in_.take_here(".sat");
    return;
  }
  if (t.style == Style::blank) return;
  if (row.fields.empty()) return;
  const Field& f = row.fields[t.field];
  const uint64_t mode = row.mode >= 0 ? routine().operands[i.first + uint32_t(row.mode)].value : 0;
  if (!present(f, mode)) return;
  const size_t at = in_.at();
  const auto put = [&](uint64_t v) {
    Operand& o = slot(i, f);
    o.value |= v;
    o.place = in_.column(at);
  };
  const auto dot = [&] {
    if (!in_.take_here('.')) in_.expected("'.'");
  };
  const uint64_t limit = f.kind == FieldKind::u32 ? UINT32_MAX : f.kind == FieldKind::u16 ? UINT16_MAX : 255;
  switch (t.style) {
    case Style::field: return field(i, f);
    case Style::relation: {
      dot();
      if (in_.here() >= 'A' && in_.here() <= 'Z') {  // upper case, too
        constexpr std::string_view upper[] = {"EQ", "NE", "GT", "GE", "LT", "LE"};
        return put(named_code(upper, "a relation: eq, ne, gt, ge, lt or le"));
      }
      return put(named_code(relation_names, "a relation: eq, ne, gt, ge, lt or le"));
    }
    case Style::number: return put(in_.take_number("a number", limit));
    case Style::dot: return dot(), put(in_.take_number("a number", limit));
    case Style::dot_if_four: {  // the SFID may be left out
      size_t numbers = 0;
      for (size_t n = 0; in_.here(n) == '.' || is_decimal(in_.here(n)); ++n) numbers += in_.here(n) == '.';
      if (numbers < 4) return;
      return dot(), put(in_.take_number("a number", limit));
    }
    case Style::hex:
      if (in_.peek() != '0' || (in_.here(1) != 'x' && in_.here(1) != 'X')) in_.expected("a hexadecimal number");
      return put(in_.take_number("the extended descriptor", limit));
    case Style::plane: {
      in_.peek();
      size_t n = 0;
      while (is_decimal(in_.here(n))) ++n;
      if (n == 0 || in_.here(n) == ':' || in_.here(n) == 'x') return;
      return put(in_.take_number("the plane", 15));
    }
    case Style::pair: {
      in_.expect('(');
      put(in_.take_number("a number", limit));
      in_.expect(',');
      routine().operands[i.first + uint32_t(f.operand) + 1].value = in_.take_number("a number", limit);
      return in_.expect(')');
    }
    case Style::triple: {
      char before = '(';
      for (const Field& x : row.fields)
        if (x.kind == FieldKind::vector) {
          in_.expect(before), before = ',';
          const Operand o = vector_operand(x, row);
          slot(i, x) = o;
        }
      return in_.expect(')');
    }
    case Style::labels: return labels(i);
    case Style::quoted: {
      const std::string text = in_.take_quoted();
      return put(string(text));
    }
    case Style::variable: {
      in_.peek();
      const size_t name_at = in_.at();
      const std::string_view name = in_.take_word();
      const Entity* e = find(name);
      if (!e || e->kind > Entity::Kind::predicate)
        in_.fail_at(name_at, std::max<size_t>(name.size(), 1), fmt::format("'{}' is no variable", name));
      put(uint64_t(e->kind) << 4);
      routine().operands[i.first + uint32_t(f.operand) + 1].value = e->id;
      return;
    }
    case Style::fence: {
      if (!in_.take_here('.')) return;
      uint64_t v = 0;
      for (const BitName& n : fence_names)
        if (in_.take_here(n.name)) v |= 1u << n.bit;
      if (in_name(in_.here())) in_.expected("of E, I, S, C, R, L1, in this order");
      return put(v);
    }
    case Style::modified: return put(in_.take_here(".mod") ? 1 : 0);
    case Style::unaligned: return put(in_.take_here(".unaligned") ? 8 : 0);
    case Style::eot: return put(in_.take_here(".eot") ? 2 : 0);
    case Style::owords: {
      in_.expect('(');
      if (!in_.name_here().empty()) {  // a mask means nothing here
        in_.take_word();
        in_.expect(',');
      }
      put(counted_code(oword_counts, "the number of owords"));
      return in_.expect(')');
    }
    case Style::elements: return dot(), put(counted_code(element_sizes, "the size of an element"));
    case Style::counted: {
      uint8_t mask = 0;
      in_.peek();
      const size_t size_at = in_.at();
      const uint32_t size = mask_and_size(mask);
      const auto found = std::find(std::begin(scatter_counts), std::end(scatter_counts), size);
      if (found == std::end(scatter_counts)) in_.fail_at(size_at, in_.at() - size_at, "1, 8 or 16 elements are moved");
      return put(uint64_t(found - std::begin(scatter_counts)) | uint64_t(mask) << 4);
    }
    case Style::blocks: return dot(), put(counted_code(block_counts, "the number of blocks"));
    case Style::block_bytes: return dot(), put(counted_code(block_sizes, "the size of a block"));
    case Style::atomic: {
      dot();
      put(named_code(atomic_names, "an atomic operation"));
      if (!in_.take_here('.')) return;
      const size_t bits_at = in_.at();
      const uint64_t bits = in_.take_number("the width", 64);
      if (bits != 16 && (row.op != Op::svm_atomic || (bits != 32 && bits != 64)))
        in_.fail_at(bits_at, in_.at() - bits_at,
                    row.op == Op::svm_atomic ? "the width is 16, 32 or 64" : "the width is 16");
      return put(bits == 16 ? 1u << 5 : bits == 64 ? 2u << 5 : 0);
    }
    case Style::channels: return dot(), put(channels());
    case Style::channel: {
      dot();
      const size_t channel_at = in_.at();
      const uint64_t mask = channels();
      if (!std::has_single_bit(mask)) in_.fail_at(channel_at, in_.at() - channel_at, "sample4 returns one channel");
      return put(uint64_t(std::countr_zero(mask)));
    }
    case Style::simd: {
      if (in_.peek() != '(') return;
      in_.step();
      const size_t simd_at = in_.at();
      const uint64_t n = in_.take_number("the SIMD width", 32);
      if (n != 8 && n != 16) in_.fail_at(simd_at, in_.at() - simd_at, "the SIMD width is 8 or 16");
      put(n == 16 ? 1u << 4 : 0);
      return in_.expect(')');
    }
    case Style::sampler_flags: {
      for (const BitName& n : sampler_flag_names)
        if (in_.take_here(n.name)) put(1u << n.bit);
      return;
    }
    case Style::rt_mode: {
      if (!in_.take_here('.')) return;
      uint64_t v = 0;
      for (bool more = true; more;) {
        more = false;
        for (const BitName& n : rt_mode_names)
          if (in_.take_here(n.name)) v |= 1u << n.bit, more = true;
      }
      if (!v || in_.here() == '<') in_.expected("a mode of a render target write: <RTI>, <A>, <O>, ...");
      return put(v);
    }
    case Style::saturate:
    case Style::blank: return;
    default: {
      const Words& w = *words_of(t.style);
      if (w.before == '.') dot();
      return put(named_code(w.names, listed(w.names)) << w.shift);
    }
  }
}

}  // namespace vitro::visa
