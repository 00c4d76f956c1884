// Messages whose slots have offsets of their own: byte, dword and qword scattered messages, and untyped surface
// messages with up to four dwords for each slot. PRM: Gen8 vol 2a MSD0*_BS, MSD0*_DWS, MSD1*_A64_BS/DWS/QWS,
// MSD1*_US; vol 7 "Scattered Read/Write", "Untyped Surface Read/Write".
// All are one operation: elements of a slot stand one behind the other in memory, and in registers element after
// element for all slots. Low address bits below the element's alignment are ignored, where hardware demands alignment.
#include "shared/dataport/descriptor.h"
#include "shared/dataport/lanes.h"
#include "shared/dataport/messages.h"

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
  if (!c.has(0, registers * unsigned(std::popcount(positions)))) return eu::Reply::faulted;
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
  if (!c.has(n + registers * unsigned(std::popcount(positions)))) return eu::Reply::faulted;
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

unsigned count_of(const DataPortCall& c, Bits simd16_bit) { return c.field(simd16_bit) ? 16 : 8; }

void align(Slots& s, uint64_t bytes) {
  for (unsigned i = 0; i < s.count; ++i) s.at[i] &= ~(bytes - 1);
}

// The offsets of a message with a global offset in its header, in `unit` bytes; false if they are not there.
bool offsets(DataPortCall& c, const Target& t, unsigned unit, Slots& s) {
  const unsigned count = count_of(c, simd16);
  if (!c.has(c.body() + count / 8)) return false;
  s = slots_a32(c, c.body(), count, c.slots(count), t, c.header_dword(2), unit);
  return true;
}
bool addresses(DataPortCall& c, Slots& s) {
  const unsigned count = count_of(c, a64_simd16);
  if (!c.has(c.body() + count / 4)) return false;
  s = slots_a64(c, c.body(), count, c.slots(count));
  return true;
}

// --- SIMD4x2 of the untyped messages: two slots, whose four channels stand side by side

// The address of each: dword 0 and 4, or qword 0 and 2. A structured buffer has the offset inside the structure next.
Slots pair(const DataPortCall& c, bool a64, const Target& t) {
  const unsigned n = c.body();
  Slots s{.mask = slots_4x2(a64 ? c.slots(8) : c.masked_slots(8)), .count = 2};
  for (unsigned i = 0; i < 2; ++i)
    s.at[i] = a64 ? uint64_t(c.dword(n, 4 * i + 1)) << 32 | c.dword(n, 4 * i) : t.at(c.dword(n, 4 * i));
  return s;
}
eu::Reply read_pair(DataPortCall& c, const Target& t, const Slots& s, unsigned positions) {
  if (!c.has(0, 1)) return eu::Reply::faulted;
  if (!c.answers()) return c.done();
  s.each([&](unsigned i) {
    for (unsigned p = positions; p; p &= p - 1) {
      const unsigned channel = unsigned(std::countr_zero(p));
      read_bytes(c.memory(), t, s.at[i] + channel * 4, {c.out(0) + (4 * i + channel) * 4, 4});
    }
  });
  return c.done();
}
eu::Reply write_pair(DataPortCall& c, const Target& t, const Slots& s, unsigned positions, unsigned n) {
  if (!c.has(n + 1)) return eu::Reply::faulted;
  s.each([&](unsigned i) {
    for (unsigned p = positions; p; p &= p - 1) {
      const unsigned channel = unsigned(std::countr_zero(p));
      write_bytes(c.memory(), t, s.at[i] + channel * 4, {c.reg(n) + (4 * i + channel) * 4, 4});
    }
  });
  return c.done();
}

// Where an untyped message goes, and how far its addresses reach into the payload. A structured buffer has two
// offsets, the structure's index and the byte in it.
struct Untyped {
  Target target;
  Slots slots;
  UntypedMode mode;
  unsigned positions;  // channels that are read or written
  unsigned data;       // the register behind the addresses
};
bool prepare_untyped(DataPortCall& c, bool a64, Untyped& u) {
  u.mode = UntypedMode(c.field(untyped_mode));
  u.positions = ~c.field(disabled_channels) & 15;
  if (u.mode == reserved_mode || u.positions == 0) {
    c.fault("unsupported: {}", u.positions ? "reserved SIMD mode" : "no channel is enabled");
    return false;
  }
  u.target = a64 ? whole_memory : target_of(c);
  const bool special = a64 || c.stateless() || c.slm();
  const bool structured = !special && c.surface().type == state::SurfaceType::structured_buffer;
  const uint64_t stride = structured ? c.surface().pitch() : 1;
  const unsigned n = c.body();
  if (u.mode == simd4x2) {
    u.data = n + 1;
    if (!c.has(u.data)) return false;
    u.slots = pair(c, a64, u.target);
    if (structured)
      for (unsigned i = 0; i < 2; ++i) u.slots.at[i] = u.slots.at[i] * stride + c.dword(n, 4 * i + 1);
  } else {
    const unsigned count = u.mode == simd16_mode ? 16 : 8, registers = count / (a64 ? 4 : 8);
    u.data = n + registers * (structured ? 2 : 1);
    if (!c.has(u.data)) return false;
    u.slots =
        a64 ? slots_a64(c, n, count, c.slots(count)) : slots_a32(c, n, count, c.masked_slots(count), u.target, 0, 1);
    if (structured) {
      const Slots inner = slots_a32(c, n + registers, count, u.slots.mask, u.target, 0, 1);
      for (unsigned i = 0; i < count; ++i) u.slots.at[i] = u.slots.at[i] * stride + inner.at[i];
    }
  }
  align(u.slots, 4);
  return true;
}
eu::Reply untyped_read_at(DataPortCall& c, bool a64) {
  Untyped u;
  if (!prepare_untyped(c, a64, u)) return eu::Reply::faulted;
  if (u.mode == simd4x2) return read_pair(c, u.target, u.slots, u.positions);
  return read_elements<uint32_t, uint32_t>(c, u.target, u.slots, u.positions);
}
eu::Reply untyped_write_at(DataPortCall& c, bool a64) {
  Untyped u;
  if (!prepare_untyped(c, a64, u)) return eu::Reply::faulted;
  if (u.mode == simd4x2) return write_pair(c, u.target, u.slots, u.positions, u.data);
  return write_elements<uint32_t, uint32_t>(c, u.target, u.slots, u.positions, u.data);
}

// Messages with 1, 2, 4 or 8 elements for each slot.
unsigned positions_of(const DataPortCall& c) { return (1u << (1u << c.field(elements))) - 1; }

template <class T>
eu::Reply a64_read(DataPortCall& c) {
  Slots s;
  if (!addresses(c, s)) return eu::Reply::faulted;
  align(s, 4);
  return read_elements<T, T>(c, whole_memory, s, positions_of(c));
}
template <class T>
eu::Reply a64_write(DataPortCall& c) {
  Slots s;
  if (!addresses(c, s)) return eu::Reply::faulted;
  align(s, 4);
  return write_elements<T, T>(c, whole_memory, s, positions_of(c), c.body() + s.count / 4);
}

}  // namespace

eu::Reply dword_scattered_read(DataPortCall& c) {
  const Target t = target_of(c);
  Slots s;
  if (!offsets(c, t, 4, s)) return eu::Reply::faulted;
  return read_elements<uint32_t, uint32_t>(c, t, s, 1);
}
eu::Reply dword_scattered_write(DataPortCall& c) {
  const Target t = target_of(c);
  Slots s;
  if (!offsets(c, t, 4, s)) return eu::Reply::faulted;
  return write_elements<uint32_t, uint32_t>(c, t, s, 1, c.body() + s.count / 8);
}

eu::Reply byte_scattered_read(DataPortCall& c) {
  static constexpr eu::Reply (*read[])(DataPortCall&, const Target&, Slots, unsigned) = {
      read_elements<uint8_t, uint32_t>, read_elements<uint16_t, uint32_t>, read_elements<uint32_t, uint32_t>};
  const uint32_t size = c.field(byte_size);
  if (size >= std::size(read)) return c.fault("unsupported: reserved data size");
  const Target t = target_of(c);
  Slots s;
  if (!offsets(c, t, 1, s)) return eu::Reply::faulted;
  return read[size](c, t, s, 1);
}
eu::Reply byte_scattered_write(DataPortCall& c) {
  static constexpr eu::Reply (*write[])(DataPortCall&, const Target&, Slots, unsigned, unsigned) = {
      write_elements<uint8_t, uint32_t>, write_elements<uint16_t, uint32_t>, write_elements<uint32_t, uint32_t>};
  const uint32_t size = c.field(byte_size);
  if (size >= std::size(write)) return c.fault("unsupported: reserved data size");
  const Target t = target_of(c);
  Slots s;
  if (!offsets(c, t, 1, s)) return eu::Reply::faulted;
  return write[size](c, t, s, 1, c.body() + s.count / 8);
}

eu::Reply qword_scattered_read(DataPortCall& c) {
  const Target t = target_of(c);
  Slots s;
  if (!offsets(c, t, 1, s)) return eu::Reply::faulted;
  align(s, 4);
  return read_elements<uint64_t, uint64_t>(c, t, s, positions_of(c));
}
eu::Reply qword_scattered_write(DataPortCall& c) {
  const Target t = target_of(c);
  Slots s;
  if (!offsets(c, t, 1, s)) return eu::Reply::faulted;
  align(s, 4);
  return write_elements<uint64_t, uint64_t>(c, t, s, positions_of(c), c.body() + s.count / 8);
}

eu::Reply a64_byte_scattered_read(DataPortCall& c) {
  static constexpr eu::Reply (*read[])(DataPortCall&, const Target&, Slots, unsigned) = {
      read_elements<uint8_t, uint32_t>, read_elements<uint16_t, uint32_t>, read_elements<uint32_t, uint32_t>,
      read_elements<uint64_t, uint64_t>};
  Slots s;
  if (!addresses(c, s)) return eu::Reply::faulted;
  return read[c.field(elements)](c, whole_memory, s, 1);
}
eu::Reply a64_byte_scattered_write(DataPortCall& c) {
  static constexpr eu::Reply (*write[])(DataPortCall&, const Target&, Slots, unsigned, unsigned) = {
      write_elements<uint8_t, uint32_t>, write_elements<uint16_t, uint32_t>, write_elements<uint32_t, uint32_t>,
      write_elements<uint64_t, uint64_t>};
  Slots s;
  if (!addresses(c, s)) return eu::Reply::faulted;
  return write[c.field(elements)](c, whole_memory, s, 1, c.body() + s.count / 4);
}
eu::Reply a64_dword_scattered_read(DataPortCall& c) { return a64_read<uint32_t>(c); }
eu::Reply a64_dword_scattered_write(DataPortCall& c) { return a64_write<uint32_t>(c); }
eu::Reply a64_qword_scattered_read(DataPortCall& c) { return a64_read<uint64_t>(c); }
eu::Reply a64_qword_scattered_write(DataPortCall& c) { return a64_write<uint64_t>(c); }

eu::Reply untyped_read(DataPortCall& c) { return untyped_read_at(c, false); }
eu::Reply untyped_write(DataPortCall& c) { return untyped_write_at(c, false); }
eu::Reply a64_untyped_read(DataPortCall& c) { return untyped_read_at(c, true); }
eu::Reply a64_untyped_write(DataPortCall& c) { return untyped_write_at(c, true); }

}  // namespace vitro::shared
