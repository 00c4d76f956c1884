// The struct is the meaning, the layout is the encoding: commands, state objects and descriptors are plain structs, and
// a layout says for one generation at which bits of the packet each member stands, under its PRM name. Decoding,
// encoding, printing and the must-be-zero masks are generic functions over a layout, so nothing about a packet is
// written twice. No part of the machine by itself.
#pragma once

#include <algorithm>
#include <array>
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
  const auto one = [&]<class T>(const PacketField<S, T>& f) {
    if (size_t(f.bits.hi / 32) >= packet.size()) return;
    const uint64_t v = extract(packet, f.bits);
    if constexpr (std::is_signed_v<T> && !std::is_same_v<T, bool>) {
      const int up = 64 - f.bits.width() - f.bits.scale;
      s.*f.member = T(int64_t(v << up) >> up);
    } else {
      s.*f.member = T(v);
    }
  };
  std::apply([&](const auto&... f) { (one(f), ...); }, l.fields);
  return s;
}
// The length field (bits 7:0, biased by two) is filled in for packets of more than one dword with a header.
template <class S, class... F>
constexpr void pack(const PacketLayout<S, F...>& l, const S& s, std::span<uint32_t> packet) {
  if (l.header_mask) packet[0] = l.header | (l.dwords > 1 ? uint32_t(l.dwords - 2) : 0);
  std::apply([&](const auto&... f) { (deposit(packet, f.bits, uint64_t(s.*f.member)), ...); }, l.fields);
}
// Bits of dword d that no field names.
template <class S, class... F>
constexpr uint32_t must_be_zero(const PacketLayout<S, F...>& l, int d) {
  uint32_t used = d == 0 && l.header_mask ? l.header_mask | 0xFF : 0;
  std::apply(
      [&](const auto&... f) {
        (([&] {
           for (int i = f.bits.lo; i <= f.bits.hi; ++i)
             if (i / 32 == d) used |= 1u << i % 32;
         }()),
         ...);
      },
      l.fields);
  return ~used;
}
// No two fields overlap and none leaves the packet: for static_assert.
template <class S, class... F>
consteval bool well_formed(const PacketLayout<S, F...>& l) {
  std::array<bool, 32 * 128> used{};
  bool ok = true;
  std::apply(
      [&](const auto&... f) {
        (([&] {
           for (int i = f.bits.lo; i <= f.bits.hi; ++i) {
             ok = ok && i < 32 * l.dwords && !used[size_t(i)];
             if (size_t(i) < used.size()) used[size_t(i)] = true;
           }
         }()),
         ...);
      },
      l.fields);
  return ok;
}
// Calls visit(name, value) for every field, as a tool prints them.
template <class S, class... F, class Visit>
void for_each_field(const PacketLayout<S, F...>& l, const S& s, Visit&& visit) {
  std::apply([&](const auto&... f) { (visit(f.name, uint64_t(s.*f.member)), ...); }, l.fields);
}

}  // namespace vitro
