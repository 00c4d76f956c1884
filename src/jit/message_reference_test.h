// The messages of the data ports once more, byte by byte, as a reference for tests: decoded from the documents' tables
// by a switch, without the message tables, lowered and expressions of the product. No part of the machine.
// PRM: Gen8 vol 2a, MSD0*, MSD1* and the MDC_* they name. Here are the messages that compiled code carries out, by
// slots, by blocks and with operations, on Gen9.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

namespace vitro::jit::reference {

// What a place counts from: bytes of host memory from an offset on, so many of them mapped.
struct Space {
  std::byte* host = nullptr;
  uint64_t limit = 0;   // offsets from here on are out of bounds
  uint64_t mapped = 0;  // and from here on there is nothing
  uint64_t start = 0;   // the offset of host
  bool has(uint64_t at) const { return at >= start && at < limit && at - start < mapped; }
  uint8_t get(uint64_t at) const { return has(at) ? uint8_t(host[at - start]) : 0; }
  void set(uint64_t at, uint8_t v) const {
    if (has(at)) host[at - start] = std::byte(v);
  }
};

struct Decoded {
  enum Kind : uint8_t { none, read, write, operate, block_read, block_write } kind = none;
  bool a64 = false, global = false, pixel_mask = false, scratch = false, answers = false, floats = false;
  unsigned slots = 8, bytes = 4, unit = 1, align = 1, mask = 1, op = 0;  // bytes of an element
  unsigned block = 0, at = 0;                                            // of a block
  char enables = 'a';                                                    // dwords, OWords, all
  unsigned operands() const {
    if (floats) return op == 3 ? 2 : 1;
    return op == 0 || op == 14 ? 2 : op == 5 || op == 6 || op == 15 ? 0 : 1;
  }
  unsigned count() const { return unsigned(__builtin_popcount(mask)); }
  unsigned row() const { return slots * (bytes == 8 ? 8 : 4) / 32; }
  unsigned places() const { return slots * (a64 ? 8 : 4) / 32; }
  unsigned payload(bool header) const {
    if (kind == block_read) return 1;
    if (kind == block_write) return 1 + (at + block + 31) / 32;
    return header + places() + (kind == write ? count() : kind == operate ? operands() : 0) * row();
  }
  unsigned response() const {
    if (kind == block_read) return (at + block + 31) / 32;
    return (kind == read ? count() : kind == operate && answers ? 1 : 0) * row();
  }
};

inline Decoded decode(unsigned sfid, uint32_t desc) {
  const auto bits = [desc](int hi, int lo) { return desc >> lo & ((1u << (hi - lo + 1)) - 1); };
  Decoded d;
  const unsigned type = bits(18, 14);
  const auto block = [&](Decoded::Kind kind, char enables, unsigned unit, unsigned align) {
    static constexpr unsigned sizes[] = {16, 16, 32, 64, 128};
    if (bits(10, 8) > 4) return;
    d.kind = kind, d.enables = enables, d.unit = unit, d.align = align;
    d.block = sizes[bits(10, 8)], d.at = bits(10, 8) == 1 ? 16 : 0;
  };
  if (sfid == 10 && bits(18, 18)) {
    d.kind = bits(17, 17) ? Decoded::block_write : Decoded::block_read;
    d.scratch = true, d.block = 32u << bits(13, 12), d.enables = bits(16, 16) ? 'd' : 'o';
    return d;
  }
  if (sfid == 10) {
    d.slots = bits(8, 8) ? 16 : 8;
    d.global = true;
    switch (type) {
      case 0x0: block(Decoded::block_read, 'o', 16, 1); break;
      case 0x1: block(Decoded::block_read, 'a', 1, 4); break;
      case 0x8: block(Decoded::block_write, 'd', 16, 1); break;
      case 0x3:
      case 0xB:
        if (bits(9, 9)) d.kind = type == 3 ? Decoded::read : Decoded::write, d.unit = 4;
        break;
      case 0x5:
      case 0xD:
        if (bits(9, 9)) d.kind = type == 5 ? Decoded::read : Decoded::write;
        d.bytes = 8, d.align = 4, d.mask = (1u << (1u << bits(11, 10))) - 1;
        break;
      case 0x4:
      case 0xC:
        if (bits(11, 10) < 3) d.kind = type == 4 ? Decoded::read : Decoded::write;
        d.bytes = 1u << bits(11, 10);
        break;
      default: break;
    }
    return d;
  }
  switch (type) {
    case 0x01:
    case 0x09:
    case 0x11:
    case 0x19:
      d.kind = type & 8 ? Decoded::write : Decoded::read;
      d.a64 = type & 16, d.pixel_mask = !d.a64, d.align = 4, d.mask = ~bits(11, 8) & 15;
      d.slots = bits(13, 12) == 1 ? 16 : 8;
      if (bits(13, 12) == 0 || bits(13, 12) == 3 || d.mask == 0) d.kind = Decoded::none;
      break;
    case 0x02:
    case 0x12:
      d.kind = Decoded::operate, d.op = bits(11, 8), d.answers = bits(13, 13);
      d.a64 = type & 16, d.pixel_mask = !d.a64;
      d.slots = d.a64 || bits(12, 12) ? 8 : 16;
      d.bytes = d.align = d.a64 && bits(12, 12) ? 8 : 4;
      if (d.op == 0) d.kind = Decoded::none;  // CMPWR_2W
      break;
    case 0x1B:
    case 0x1D:
      d.kind = Decoded::operate, d.op = bits(10, 8), d.answers = bits(13, 13), d.floats = true, d.align = 4;
      d.a64 = type == 0x1D, d.pixel_mask = !d.a64;
      d.slots = d.a64 || bits(12, 12) ? 8 : 16;
      if (d.op == 0 || d.op > 3 || (d.a64 && bits(12, 12))) d.kind = Decoded::none;
      break;
    case 0x10:
    case 0x1A: {
      d.kind = type == 0x10 ? Decoded::read : Decoded::write;
      d.a64 = true, d.slots = bits(12, 12) ? 16 : 8;
      const unsigned size = 1u << bits(11, 10);
      if (bits(9, 8) == 0) d.bytes = size;
      if (bits(9, 8) == 1) d.align = 4, d.mask = (1u << size) - 1;
      if (bits(9, 8) == 2) d.bytes = 8, d.align = 4, d.mask = (1u << size) - 1;
      if (bits(9, 8) == 3) d.kind = Decoded::none;
      break;
    }
    case 0x14:
    case 0x15: {
      const Decoded::Kind kind = type == 0x14 ? Decoded::block_read : Decoded::block_write;
      d.a64 = true;
      if (bits(12, 11) == 0) block(kind, 'a', 1, 16);
      if (bits(12, 11) == 1 && type == 0x14) block(kind, 'a', 1, 4);
      if (bits(12, 11) == 3 && bits(10, 8) < 4) d.kind = kind, d.align = 32, d.block = 32u << bits(10, 8);
      break;
    }
    default: break;
  }
  return d;
}

// What is stored for an element.
inline uint64_t operated(const Decoded& d, uint64_t old, uint64_t a, uint64_t b) {
  const uint64_t all = d.bytes == 8 ? ~uint64_t(0) : 0xFFFFFFFF;
  const auto as_signed = [&](uint64_t v) { return d.bytes == 8 ? int64_t(v) : int64_t(int32_t(v)); };
  const auto number = [](uint64_t v) {
    float f;
    const auto bits = uint32_t(v);
    std::memcpy(&f, &bits, 4);
    return f;
  };
  if (d.floats) {
    if (d.op == 3) return number(a) == number(old) ? b : old;
    const auto signals = [&](uint64_t v) { return std::isnan(number(v)) && !(v & 0x00400000); };
    if (signals(old)) return old;
    if (signals(a) || std::isnan(number(old))) return a;
    return (d.op == 1 ? number(a) > number(old) : number(a) < number(old)) ? a : old;
  }
  switch (d.op) {
    case 1: return old & a;
    case 2: return old | a;
    case 3: return old ^ a;
    case 4: return a;
    case 5: return (old + 1) & all;
    case 6:
    case 15: return (old - 1) & all;
    case 7: return (old + a) & all;
    case 8: return (old - a) & all;
    case 9: return (a - old) & all;
    case 10: return as_signed(a) > as_signed(old) ? a : old;
    case 11: return as_signed(a) < as_signed(old) ? a : old;
    case 12: return a > old ? a : old;
    case 13: return a < old ? a : old;
    default: return old == a ? b : old;
  }
}

// The registers of a message: its payload in a row, and its response.
struct Registers {
  const std::byte* payload;
  std::byte* response;
  uint32_t dword(unsigned n) const {
    uint32_t v;
    std::memcpy(&v, payload + 4 * n, 4);
    return v;
  }
};

inline void run(const Decoded& d, uint32_t desc, const Space& space, bool stateless, bool slm, unsigned exec_size,
                uint32_t channels, const Registers& r) {
  const bool header = desc >> 19 & 1;
  const auto place = [&](uint64_t offset, uint64_t added) {
    uint64_t p = offset * d.unit;
    if (slm) p &= 0xFFFF;
    return (p + added) & ~uint64_t(d.align - 1);
  };
  if (d.kind == Decoded::block_read || d.kind == Decoded::block_write) {
    const uint64_t base = stateless && !d.a64 ? r.dword(5) & ~0x3FFu : 0;
    const uint64_t named = d.a64 ? uint64_t(r.dword(1)) << 32 | r.dword(0) : r.dword(2);
    const uint64_t from = d.scratch ? base + (desc & 0xFFF) * 32 : place(named, base);
    for (unsigned byte = 0; byte < d.block; ++byte) {
      const unsigned in = d.at + byte, dword = in / 4 % 16;
      const auto on = [&](unsigned n) { return channels >> n % exec_size & 1; };
      const unsigned oword = dword & ~3u;
      const bool any = channels != 0, four = on(oword) || on(oword + 1) || on(oword + 2) || on(oword + 3);
      if (!(d.enables == 'a' ? any : d.enables == 'o' ? four : bool(on(dword)))) continue;
      if (d.kind == Decoded::block_write)
        space.set(from + byte, uint8_t(r.payload[32 + in]));
      else
        r.response[in] = std::byte(space.get(from + byte));
    }
    return;
  }
  const unsigned first = header ? 8 : 0, data = (header + d.places()) * 32, width = d.bytes == 8 ? 8 : 4;
  uint32_t slots = channels & ((1u << d.slots) - 1);
  if (d.pixel_mask && header) slots &= r.dword(7);
  const auto at = [&](unsigned slot) {
    if (d.a64) return place(uint64_t(r.dword(first + 2 * slot + 1)) << 32 | r.dword(first + 2 * slot), 0);
    const uint32_t offset = r.dword(first + slot) + (d.global && header ? r.dword(2) : 0);
    return place(offset, stateless && header ? r.dword(5) : 0);
  };
  const auto element = [&](unsigned index, unsigned slot) { return (index * d.slots + slot) * width; };
  if (d.kind == Decoded::operate) {
    for (unsigned slot = 0; slot < d.slots; ++slot) {
      if (!(slots >> slot & 1)) continue;
      uint64_t old = 0, a = 0, b = 0;
      std::memcpy(&a, r.payload + data + element(0, slot), width);
      if (d.operands() > 1) std::memcpy(&b, r.payload + data + element(1, slot), width);
      const bool whole = at(slot) + d.bytes <= space.limit;
      for (unsigned k = 0; k < d.bytes && whole; ++k) old |= uint64_t(space.get(at(slot) + k)) << 8 * k;
      const uint64_t now = operated(d, old, a, b);
      for (unsigned k = 0; k < d.bytes && whole; ++k) space.set(at(slot) + k, uint8_t(now >> 8 * k));
      const uint64_t answer = !whole ? 0 : d.op == 15 && !d.floats ? now : old;
      if (d.answers) std::memcpy(r.response + element(0, slot), &answer, width);
    }
    return;
  }
  unsigned index = 0;
  for (unsigned position = 0; position < 8; ++position) {
    if (!(d.mask >> position & 1)) continue;
    for (unsigned slot = 0; slot < d.slots; ++slot) {
      if (!(slots >> slot & 1)) continue;
      uint64_t v = 0;
      if (d.kind == Decoded::write) std::memcpy(&v, r.payload + data + element(index, slot), width);
      for (unsigned k = 0; k < d.bytes; ++k) {
        const uint64_t byte = at(slot) + position * d.bytes + k;
        if (d.kind == Decoded::write)
          space.set(byte, uint8_t(v >> 8 * k));
        else
          v |= uint64_t(space.get(byte)) << 8 * k;
      }
      if (d.kind == Decoded::read) std::memcpy(r.response + element(index, slot), &v, width);
    }
    ++index;
  }
}

}  // namespace vitro::jit::reference
