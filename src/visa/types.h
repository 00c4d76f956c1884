// The data types of vISA, with the codes of binary objects: they are not those of the EU. BF is named, so that an
// object that has it can be refused by name; Gen8 and Gen9 do not have it.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace vitro::visa {

enum class Type : uint8_t { ud, d, uw, w, ub, b, df, f, v, vf, boolean, uq, uv, q, hf, bf };

struct TypeRow {
  std::string_view name;
  uint8_t bytes;  // of one element; immediate vectors have elements of W, UW and F
  bool is_signed, is_float;
};
inline constexpr TypeRow type_rows[16] = {
    {"ud", 4, false, false}, {"d", 4, true, false}, {"uw", 2, false, false},   {"w", 2, true, false},
    {"ub", 1, false, false}, {"b", 1, true, false}, {"df", 8, true, true},     {"f", 4, true, true},
    {"v", 2, true, false},   {"vf", 4, true, true}, {"bool", 1, false, false}, {"uq", 8, false, false},
    {"uv", 2, false, false}, {"q", 8, true, false}, {"hf", 2, true, true},     {"bf", 2, true, true},
};
constexpr const TypeRow& row(Type t) { return type_rows[size_t(t) & 15]; }
constexpr bool is_float(Type t) { return row(t).is_float; }
constexpr bool is_vector(Type t) { return t == Type::v || t == Type::uv || t == Type::vf; }

// A set of types, for what a row or a rule allows.
using Types = uint16_t;
constexpr Types bit(Type t) { return Types(1u << unsigned(t)); }
template <class... T>
constexpr Types types(T... t) {
  return Types((0u | ... | bit(t)));
}
constexpr bool has(Types set, Type t) { return set & bit(t); }

inline constexpr uint32_t register_bytes = 32;

}  // namespace vitro::visa
