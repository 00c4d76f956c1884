// Messages whose slots have offsets of their own: byte, dword and qword scattered messages, and untyped surface
// messages with up to four dwords for each slot. PRM: Gen8 vol 2a MSD0*_BS, MSD0*_DWS, MSD1*_A64_BS/DWS/QWS,
// MSD1*_US; vol 7 "Scattered Read/Write", "Untyped Surface Read/Write".
// All are one operation: elements of a slot stand one behind the other in memory, and in registers element after
// element for all slots. Low address bits below the element's alignment are ignored, where hardware demands alignment.
#include "shared/dataport/lanes.h"

namespace vitro::shared {
namespace {

using memory::Access;

// Of T in memory, an R in registers.
template <class T, class R>
constexpr unsigned element_registers(unsigned slots) {
  return slots * sizeof(R) / eu::reg_bytes;
}

template <class T>
bool contiguous(const Slots& s) {
  uint64_t different = 0;
  for (unsigned i = 0; i < s.count; ++i) different |= s.at[i] ^ (s.at[0] + i * sizeof(T));
  return different == 0;
}

// Reads the elements at the set bits of `positions` of every slot; those of one position fill `slots` R in turn.
template <class T, class R>
eu::Reply read_elements(DataPortCall& c, const Target& t, Slots s, unsigned positions) {
  const unsigned registers = element_registers<T, R>(s.count);
  if (!c.answers()) return c.done();
  const unsigned reach = unsigned(std::bit_width(positions)) * sizeof(T);
  const Window w = window(c.memory(), t, s, reach, Access::read);
  unsigned n = 0;
  for (unsigned p = positions; p; p &= p - 1, n += registers) {
    const uint64_t step = unsigned(std::countr_zero(p)) * sizeof(T);
    std::byte* const out = c.out(n);
    const auto load = [&](unsigned i) {
      T v;
      std::memcpy(&v, w(s.at[i] + step), sizeof v);
      const R r = v;
      std::memcpy(out + i * sizeof r, &r, sizeof r);
    };
    if (!w.host) {
      s.each([&](unsigned i) {
        T v;
        read_bytes(c.memory(), t, s.at[i] + step, std::as_writable_bytes(std::span(&v, 1)));
        const R r = v;
        std::memcpy(out + i * sizeof r, &r, sizeof r);
      });
    } else if (!s.all()) {
      s.each(load);
    } else if (sizeof(T) == sizeof(R) && contiguous<T>(s)) {
      std::memcpy(out, w(s.at[0] + step), s.count * sizeof(R));
    } else if (s.count == 8) {
      for (unsigned i = 0; i < 8; ++i) load(i);
    } else {
      for (unsigned i = 0; i < s.count; ++i) load(i);
    }
  }
  return c.done();
}

// Writes them, from register n on; of slots that write to one place, the last one stays.
template <class T, class R>
eu::Reply write_elements(DataPortCall& c, const Target& t, Slots s, unsigned positions, unsigned n) {
  const unsigned registers = element_registers<T, R>(s.count);
  const unsigned reach = unsigned(std::bit_width(positions)) * sizeof(T);
  const Window w = window(c.memory(), t, s, reach, Access::write);
  for (unsigned p = positions; p; p &= p - 1, n += registers) {
    const uint64_t step = unsigned(std::countr_zero(p)) * sizeof(T);
    std::array<R, max_slots> values;
    c.copy(n, registers, values.data());
    if (!w.host) {
      s.each([&](unsigned i) {
        const T v = T(values[i]);
        write_bytes(c.memory(), t, s.at[i] + step, std::as_bytes(std::span(&v, 1)));
      });
    } else if (sizeof(T) == sizeof(R) && s.all() && contiguous<T>(s)) {
      std::memcpy(w(s.at[0] + step), values.data(), s.count * sizeof(R));
    } else {
      s.each([&](unsigned i) {
        const T v = T(values[i]);
        std::memcpy(w(s.at[i] + step), &v, sizeof v);
      });
    }
  }
  return c.done();
}

// --- SIMD4x2 of the untyped messages: two slots, whose four channels stand side by side

// Calls run(place in memory, byte of a register) for each dword.
template <class Do>
eu::Reply each_of_pair(const DataPortCall& c, const Slots& s, Do run) {
  s.each([&](unsigned i) {
    for (unsigned p = c.shape.positions; p; p &= p - 1) {
      const unsigned channel = unsigned(std::countr_zero(p));
      run(s.at[i] + channel * 4, (4 * i + channel) * 4);
    }
  });
  return c.done();
}

// By the element's size.
using Read = eu::Reply(DataPortCall&, const Target&, Slots, unsigned positions);
using Write = eu::Reply(DataPortCall&, const Target&, Slots, unsigned positions, unsigned n);
constexpr Read* reads[] = {read_elements<uint8_t, uint32_t>, read_elements<uint16_t, uint32_t>,
                           read_elements<uint32_t, uint32_t>, read_elements<uint64_t, uint64_t>};
constexpr Write* writes[] = {write_elements<uint8_t, uint32_t>, write_elements<uint16_t, uint32_t>,
                             write_elements<uint32_t, uint32_t>, write_elements<uint64_t, uint64_t>};

}  // namespace

template <>
eu::Reply act<isa::MessageAction::scattered_read>(DataPortCall& c) {
  const Target t = target_of(c);
  Slots s;
  if (!find_slots(c, t, s)) return eu::Reply::faulted;
  if (c.shape.pair())
    return each_of_pair(c, s, [&](uint64_t at, unsigned byte) {
      if (c.answers()) read_bytes(c.memory(), t, at, {c.out(0) + byte, 4});
    });
  return reads[std::countr_zero(c.shape.element)](c, t, s, c.shape.positions);
}
template <>
eu::Reply act<isa::MessageAction::scattered_write>(DataPortCall& c) {
  const Target t = target_of(c);
  Slots s;
  if (!find_slots(c, t, s)) return eu::Reply::faulted;
  if (c.shape.pair())
    return each_of_pair(c, s, [&](uint64_t at, unsigned byte) {
      write_bytes(c.memory(), t, at, {c.reg(s.data) + byte, 4});
    });
  return writes[std::countr_zero(c.shape.element)](c, t, s, c.shape.positions, s.data);
}

}  // namespace vitro::shared
