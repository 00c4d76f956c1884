// Operand data types of the EU and their names. The numeric codes differ between registers, immediates, three-source
// operands and generations: those code spaces belong to the layouts (layout.h), not to the type.
// PRM: Gen6 vol 4 part 2 chapter 4 (DT-01..04); Gen9 enumerations DstType, SrcType, SrcImmType.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace vitro::isa {

enum class Type : uint8_t { ub, b, uw, w, ud, d, uq, q, hf, f, df, uv, v, vf, none };
inline constexpr int type_count = int(Type::none);

struct TypeInfo {
  std::string_view name;
  uint8_t size;        // bytes of one element; for the vector immediates, of one element after expansion
  bool is_float;       //
  bool is_signed;      //
  bool is_vector_imm;  // packed immediates V, UV, VF: never in a register
};

inline constexpr std::array<TypeInfo, type_count + 1> type_table{{
    {"ub", 1, false, false, false},
    {"b", 1, false, true, false},
    {"uw", 2, false, false, false},
    {"w", 2, false, true, false},
    {"ud", 4, false, false, false},
    {"d", 4, false, true, false},
    {"uq", 8, false, false, false},
    {"q", 8, false, true, false},
    {"hf", 2, true, true, false},
    {"f", 4, true, true, false},
    {"df", 8, true, true, false},
    {"uv", 2, false, false, true},
    {"v", 2, false, true, true},
    {"vf", 4, true, true, true},
    {"none", 1, false, false, false},
}};

constexpr const TypeInfo& info(Type t) { return type_table[size_t(t)]; }
constexpr int size_of(Type t) { return info(t).size; }
constexpr bool is_float(Type t) { return info(t).is_float; }
constexpr bool is_integer(Type t) { return t != Type::none && !info(t).is_float; }

// A set of types, as the type columns of the opcode table use it.
struct TypeSet {
  uint16_t bits = 0;
  constexpr bool contains(Type t) const { return t != Type::none && (bits >> int(t) & 1); }
  constexpr bool empty() const { return bits == 0; }
  friend constexpr TypeSet operator|(TypeSet a, TypeSet b) { return {uint16_t(a.bits | b.bits)}; }
  friend constexpr TypeSet operator&(TypeSet a, TypeSet b) { return {uint16_t(a.bits & b.bits)}; }
  bool operator==(const TypeSet&) const = default;
};
template <class... T>
constexpr TypeSet types(T... t) {
  return {uint16_t(((1u << int(t)) | ... | 0u))};
}

}  // namespace vitro::isa
