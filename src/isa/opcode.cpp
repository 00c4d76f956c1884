// The opcode table made of opcodes.def, with the names its type column uses, and the math functions.
#include "isa/opcode.h"

namespace vitro::isa {
namespace {

using enum Type;

using namespace column;

constexpr TypeSet bytes = types(ub, b), words = types(uw, w), dwords = types(ud, d), qwords = types(uq, q);
constexpr TypeSet ints = bytes | words | dwords;   // what mixes freely
constexpr TypeSet wide = words | dwords | qwords;  // bytes and qwords never meet
constexpr TypeSet floats16 = types(hf, f);         // mixed mode
constexpr TypeSet packed_int = types(v, uv), packed_float = types(vf);

// Vector immediates expand to words or floats: they may stand wherever those may.
constexpr TypeSet int_src = ints | packed_int;
constexpr TypeSet wide_src = wide | packed_int;
constexpr TypeSet f_src = types(f) | packed_float;

constexpr std::array<TypeRule, 0> no_types{};
constexpr TypeRule mov_types[] = {
    {ints, int_src},       {types(f), int_src},    {ints, f_src},         {types(f), f_src},      {types(df), wide},
    {types(df), f_src},    {wide, types(df)},      {types(f), types(df)}, {types(df), types(df)}, {wide, wide_src},
    {qwords, types(f)},    {types(f), qwords},     {types(hf), int_src},  {types(hf), f_src},     {ints, types(hf)},
    {types(f), types(hf)}, {types(hf), types(hf)},
};
constexpr TypeRule sel_types[] = {
    {ints, int_src}, {types(f), f_src}, {types(df), types(df)}, {wide, wide_src}, {floats16, floats16 | packed_float}};
constexpr TypeRule movi_types[] = {{types(b), types(b)},   {types(ub), types(ub)}, {types(w), types(w)},
                                   {types(uw), types(uw)}, {types(d), types(d)},   {types(ud), types(ud)},
                                   {types(f), types(f)}};
constexpr TypeRule logic_types[] = {{ints, int_src}, {wide, wide_src}};
constexpr TypeRule shift_types[] = {{ints, int_src}, {wide, wide_src}};
constexpr TypeRule shr_types[] = {{ints, int_src}, {wide, wide_src}};
constexpr TypeRule dim_types[] = {{types(df), types(df)}, {types(f), types(f)}};
constexpr TypeRule smov_types[] = {{wide | types(hf, f, df), wide | types(hf, f, df)}};
constexpr TypeRule cmp_types[] = {{ints | types(f), int_src},
                                  {ints | types(f), f_src},
                                  {types(df) | qwords, types(df)},
                                  {floats16 | words, floats16 | packed_float},
                                  {types(hf), int_src},
                                  {wide, wide_src}};
constexpr TypeRule cmpn_types[] = {{ints | types(f), int_src},
                                   {ints | types(f), f_src},
                                   {types(df), types(df)},
                                   {floats16 | words, floats16 | packed_float}};
constexpr TypeRule f_only[] = {{types(f), f_src}};
constexpr TypeRule ud_only[] = {{types(ud), types(ud)}};
constexpr TypeRule d_or_ud[] = {{types(ud), types(ud)}, {types(d), types(d)}};
constexpr TypeRule add_types[] = {{ints | types(f, hf), int_src},
                                  {types(f), f_src},
                                  {types(df), types(df)},
                                  {wide, wide_src},
                                  {floats16, floats16 | packed_float}};
constexpr TypeRule mul_types[] = {{ints | types(f), int_src},
                                  {types(f), f_src},
                                  {types(df), types(df)},
                                  {qwords, dwords | words},
                                  {floats16, floats16 | packed_float}};
constexpr TypeRule avg_types[] = {{ints, int_src}};
constexpr TypeRule frc_types[] = {{types(f), f_src}, {ints, types(f)}};
constexpr TypeRule mac_types[] = {
    {ints, bytes | words | packed_int}, {types(f), f_src}, {types(df), types(df)}, {floats16, floats16 | packed_float}};
constexpr TypeRule lzd_types[] = {{types(ud, d), dwords}};
constexpr TypeRule fbl_types[] = {{types(ud), types(uw, ud)}};  // IGC reads words
constexpr TypeRule cbit_types[] = {{types(ud), types(ub, uw, ud)}};
constexpr TypeRule sad_types[] = {{words, bytes}};
constexpr TypeRule math_types[] = {{types(f), f_src},
                                   {types(d), types(d)},
                                   {types(ud), types(ud)},
                                   {floats16, floats16 | packed_float},
                                   {types(df), types(df)}};
constexpr TypeRule mad_types[] = {{types(f), types(f)}, {types(df), types(df)}, {floats16, floats16}};
constexpr TypeRule madm_types[] = {{types(f), types(f)}, {types(df), types(df)}};

constexpr OpcodeRow rows[] = {
#define OPCODE(id, mnemonic, code, gens, format, attrs, legal, title) \
  {Op::id, mnemonic, code, gens, Format::format, attrs, legal, title},
#define OPCODE_ALSO OPCODE
#include "isa/opcodes.def"
#undef OPCODE
#undef OPCODE_ALSO
};

// No two rows of one generation may claim the same code or the same mnemonic.
consteval bool rows_are_disjoint() {
  for (const OpcodeRow& a : rows)
    for (const OpcodeRow& b : rows)
      if (&a != &b && (a.generations.bits & b.generations.bits) && (a.code == b.code || a.op == b.op)) return false;
  return true;
}
static_assert(rows_are_disjoint());

constexpr std::array<std::string_view, op_count> mnemonics = [] {
  std::array<std::string_view, op_count> m{};
  for (const OpcodeRow& r : rows) m[size_t(r.op)] = r.mnemonic;
  return m;
}();

}  // namespace

std::span<const OpcodeRow> opcode_table() { return rows; }
std::string_view mnemonic(Op op) { return mnemonics[size_t(op)]; }

}  // namespace vitro::isa
