// The struct is the meaning, the layout is the encoding: commands, state objects and descriptors are plain structs, and
// a layout says for one generation at which bits of the packet each member stands, under its PRM name. Decoding,
// encoding, printing and the must-be-zero masks are generic functions over a layout, so nothing about a packet is
// written twice. No part of the machine by itself.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <string_view>
#include <tuple>
#include <type_traits>

namespace vitro {

// Bits of a packet counted from bit 0 of its first dword, inclusive at both ends. `scale` is the power of two by which
// the member exceeds the stored number: an address stored from bit 6 on keeps its low bits as zeros.
struct PacketBits {
  uint16_t hi = 0, lo = 1;
  uint8_t scale = 0;
  constexpr int width() const { return hi - lo + 1; }
};
// Bits hi:lo of dword n.
constexpr PacketBits dw(int n, int hi, int lo) { return {uint16_t(32 * n + hi), uint16_t(32 * n + lo), 0}; }
constexpr PacketBits dw(int n, int bit) { return dw(n, bit, bit); }
// An address of `bits` bits that begins in dword n and has its low `aligned` bits left out.
constexpr PacketBits address(int n, int aligned, int bits = 48) {
  return {uint16_t(32 * n + bits - 1), uint16_t(32 * n + aligned), uint8_t(aligned)};
}

// In place: where the layout is known, so are the bits.
[[gnu::always_inline]] constexpr uint64_t extract(std::span<const uint32_t> packet, PacketBits b) {
  if (b.lo / 32 == b.hi / 32)  // as most are
    return (packet[size_t(b.lo / 32)] >> b.lo % 32 & ((uint64_t(1) << b.width()) - 1)) << b.scale;
  uint64_t v = 0;
  for (int at = b.lo, done = 0; at <= b.hi;) {
    const int shift = at % 32, take = std::min(32 - shift, b.hi - at + 1);
    v |= (uint64_t(packet[size_t(at / 32)]) >> shift & ((uint64_t(1) << take) - 1)) << done;
    at += take, done += take;
  }
  return v << b.scale;
}
constexpr void deposit(std::span<uint32_t> packet, PacketBits b, uint64_t v) {
  v >>= b.scale;
  for (int at = b.lo; at <= b.hi;) {
    const int shift = at % 32, take = std::min(32 - shift, b.hi - at + 1);
    const uint32_t m = uint32_t(((uint64_t(1) << take) - 1) << shift);
    uint32_t& d = packet[size_t(at / 32)];
    d = (d & ~m) | (uint32_t(v << shift) & m);
    v >>= take, at += take;
  }
}

template <class S, class T>
struct PacketField {
  std::string_view name;
  PacketBits bits;
  T S::*member;
};
template <class S, class T>
constexpr PacketField<S, T> field(std::string_view name, PacketBits bits, T S::*member) {
  return {name, bits, member};
}
// Several alike, each `stride` bits behind the one before.
template <class S, class T, size_t n>
struct PacketFields {
  std::string_view name;
  PacketBits bits;  // of the first
  uint16_t stride;
  std::array<T, n> S::*member;
};
template <class S, class T, size_t n>
constexpr PacketFields<S, T, n> fields(std::string_view name, PacketBits bits, int stride,
                                       std::array<T, n> S::*member) {
  return {name, bits, uint16_t(stride), member};
}
// Calls visit(bits, value) with each place that a field names and the member's value there.
template <class S, class T, class Struct, class Visit>
constexpr void for_each_place(const PacketField<S, T>& f, Struct& s, Visit&& visit) {
  visit(f.bits, s.*f.member);
}
template <class S, class T, size_t n, class Struct, class Visit>
constexpr void for_each_place(const PacketFields<S, T, n>& f, Struct& s, Visit&& visit) {
  for (size_t k = 0; k < n; ++k) {
    const auto further = uint16_t(k * f.stride);
    visit(PacketBits{uint16_t(f.bits.hi + further), uint16_t(f.bits.lo + further), f.bits.scale}, (s.*f.member)[k]);
  }
}

// Members and the bits that stand for them. Floats are their own bits.
template <class T>
constexpr T value_of(uint64_t v, PacketBits b) {
  if constexpr (std::is_same_v<T, float>) {
    return std::bit_cast<float>(uint32_t(v));
  } else if constexpr (std::is_signed_v<T> && !std::is_same_v<T, bool>) {
    const int up = 64 - b.width() - b.scale;
    return T(int64_t(v << up) >> up);
  } else {
    return T(v);
  }
}
template <class T>
constexpr uint64_t bits_of(T value) {
  if constexpr (std::is_same_v<T, float>)
    return std::bit_cast<uint32_t>(value);
  else
    return uint64_t(value);
}

// `header` and `header_mask` recognise a command by its first dword; state objects have none.
template <class S, class... F>
struct PacketLayout {
  using Struct = S;
  std::string_view name;
  uint32_t header, header_mask;
  int dwords;
  std::tuple<F...> fields;
};
template <class S, class... F>
constexpr PacketLayout<S, F...> layout(std::string_view name, uint32_t header, uint32_t mask, int dwords, F... f) {
  return {name, header, mask, dwords, {f...}};
}
template <class S, class... F>
constexpr PacketLayout<S, F...> object_layout(std::string_view name, int dwords, F... f) {
  return {name, 0, 0, dwords, {f...}};
}

// Fields beyond the end of a packet that is shorter than the layout stay as the struct initialises them.
template <class S, class... F>
constexpr S unpack(const PacketLayout<S, F...>& l, std::span<const uint32_t> packet) {
  S s{};
  const auto one = [&]<class T>(PacketBits b, T& member) {
    if (size_t(b.hi / 32) < packet.size()) member = value_of<T>(extract(packet, b), b);
  };
  std::apply([&](const auto&... f) { (for_each_place(f, s, one), ...); }, l.fields);
  return s;
}
// The length field (bits 7:0, biased by two) is filled in for packets of more than one dword with a header.
template <class S, class... F>
constexpr void pack(const PacketLayout<S, F...>& l, const S& s, std::span<uint32_t> packet) {
  if (l.header_mask) packet[0] = l.header | (l.dwords > 1 ? uint32_t(l.dwords - 2) : 0);
  const auto one = [&](PacketBits b, const auto& member) { deposit(packet, b, bits_of(member)); };
  std::apply([&](const auto&... f) { (for_each_place(f, s, one), ...); }, l.fields);
}
// Whether all fields have the same bits.
template <class S, class... F>
constexpr bool same(const PacketLayout<S, F...>& l, const S& a, const S& b) {
  const auto one = [&]<class T>(const PacketField<S, T>& f) { return bits_of(a.*f.member) == bits_of(b.*f.member); };
  const auto several = [&]<class T, size_t n>(const PacketFields<S, T, n>& f) {
    for (size_t k = 0; k < n; ++k)
      if (bits_of((a.*f.member)[k]) != bits_of((b.*f.member)[k])) return false;
    return true;
  };
  const auto each = [&](const auto& f) {
    if constexpr (requires { f.stride; })
      return several(f);
    else
      return one(f);
  };
  return std::apply([&](const auto&... f) { return (each(f) && ...); }, l.fields);
}
// Bits of dword d that no field names.
template <class S, class... F>
constexpr uint32_t must_be_zero(const PacketLayout<S, F...>& l, int d) {
  uint32_t used = d == 0 && l.header_mask ? l.header_mask | 0xFF : 0;
  const auto one = [&](PacketBits b, const auto&) {
    for (int i = b.lo; i <= b.hi; ++i)
      if (i / 32 == d) used |= 1u << i % 32;
  };
  const S any{};
  std::apply([&](const auto&... f) { (for_each_place(f, any, one), ...); }, l.fields);
  return ~used;
}
// No two fields overlap and none leaves the packet: for static_assert.
template <class S, class... F>
consteval bool well_formed(const PacketLayout<S, F...>& l) {
  std::array<bool, 32 * 128> used{};
  bool ok = true;
  const auto one = [&](PacketBits b, const auto&) {
    for (int i = b.lo; i <= b.hi; ++i) {
      ok = ok && i < 32 * l.dwords && !used[size_t(i)];
      if (size_t(i) < used.size()) used[size_t(i)] = true;
    }
  };
  const S any{};
  std::apply([&](const auto&... f) { (for_each_place(f, any, one), ...); }, l.fields);
  return ok;
}
// Calls visit(name, bits, value) for every field, as a tool prints them.
template <class S, class... F, class Visit>
void for_each_field(const PacketLayout<S, F...>& l, const S& s, Visit&& visit) {
  const auto one = [&](const auto& f) {
    for_each_place(f, s, [&](PacketBits b, const auto& member) { visit(f.name, b, bits_of(member)); });
  };
  std::apply([&](const auto&... f) { (one(f), ...); }, l.fields);
}

}  // namespace vitro
