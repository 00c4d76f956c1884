// A layout without its types, for whoever prints packets: names of fields, where they stand and what kind of value
// each is. It is made of a PacketLayout at compile time, so that a tool shows what the machine executes, and nothing
// about a packet is written twice. No part of the machine by itself.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <tuple>
#include <type_traits>

#include "base/packet.h"

namespace vitro {

enum class FieldForm : uint8_t { number, flag, signed_number, real, address };

struct DescribedField {
  std::string_view name;
  PacketBits bits{};               // of the first, if there are several
  uint16_t count = 1, stride = 0;  // further ones stand `stride` bits behind the one before
  FieldForm form = FieldForm::number;
};

struct PacketDescription {
  std::string_view name;
  uint32_t header = 0, header_mask = 0;
  uint16_t dwords = 0;
  std::span<const DescribedField> fields{};
};

template <class T>
constexpr FieldForm form_of(PacketBits bits) {
  if constexpr (std::is_same_v<T, bool>)
    return bits.width() == 1 ? FieldForm::flag : FieldForm::number;
  else if constexpr (std::is_same_v<T, float>)
    return FieldForm::real;
  else if (bits.scale > 0)
    return FieldForm::address;
  else if constexpr (std::is_signed_v<T>)
    return FieldForm::signed_number;
  else
    return FieldForm::number;
}
template <class S, class T>
constexpr DescribedField describe_field(const PacketField<S, T>& f) {
  return {f.name, f.bits, 1, 0, form_of<T>(f.bits)};
}
template <class S, class T, size_t n>
constexpr DescribedField describe_field(const PacketFields<S, T, n>& f) {
  return {f.name, f.bits, uint16_t(n), f.stride, form_of<T>(f.bits)};
}
template <const auto& layout>
inline constexpr auto described_fields = std::apply(
    [](const auto&... f) { return std::array<DescribedField, sizeof...(f)>{describe_field(f)...}; }, layout.fields);
template <const auto& layout>
inline constexpr PacketDescription description_of{layout.name, layout.header, layout.header_mask,
                                                  uint16_t(layout.dwords), described_fields<layout>};

}  // namespace vitro
