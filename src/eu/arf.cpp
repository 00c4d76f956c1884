// Reading and writing architecture registers.
// PRM: Gen6 vol 4 part 2 section 5.2 and 5.3 (write rules of a0, sr0, cr0, n0, ip, tdr), B-37 (mme: two bits a
// channel).
#include "eu/arf.h"

#include <cstring>

#include "eu/exception.h"

namespace vitro::eu {
namespace {

using isa::Arf;

template <class T>
void put(ArfImage& image, const T& value) {
  std::memcpy(image.data(), &value, sizeof value);
}

// The bytes of `store` that a write may reach.
template <class T>
void take(T& store, int offset, std::span<const std::byte> bytes) {
  if (size_t(offset) >= sizeof store) return;
  const size_t n = std::min(bytes.size(), sizeof store - size_t(offset));
  std::memcpy(reinterpret_cast<std::byte*>(&store) + offset, bytes.data(), n);
}

}  // namespace

void read_arf(const Thread& t, const isa::Model&, uint8_t reg, ArfImage& image) {
  image.fill(std::byte{});
  const int n = reg & 15;
  switch (Arf(reg >> 4)) {
    case Arf::null: return;
    case Arf::address: put(image, t.a0); return;
    case Arf::accumulator:
      if (n >= 2 && n < 10) put(image, t.mme[size_t(n - 2)]);
      return;
    case Arf::flag: {
      // a region may run from f0 into f1
      for (int f = n; f < 2; ++f) std::memcpy(image.data() + 4 * (f - n), &t.flag[size_t(f)], 4);
      return;
    }
    case Arf::channel_enable: put(image, t.active); return;
    case Arf::message_control: return;
    case Arf::stack_pointer: put(image, t.sp); return;
    case Arf::state: std::memcpy(image.data(), t.sr.data() + (n ? 4 : 0), 16); return;
    case Arf::control: put(image, t.cr); return;
    case Arf::notification: put(image, t.notify); return;
    case Arf::ip: put(image, t.ip); return;
    case Arf::thread_dependency: put(image, t.tdr); return;
    case Arf::timestamp: put(image, t.tm); return;
    case Arf::flow_control:
      if (n == 0) std::memcpy(image.data(), t.parked_at.data(), image.size());
      if (n == 1) put(image, t.active);
      if (n == 4) put(image, t.call_mask);
      return;
    case Arf::debug: put(image, t.dbg); return;
  }
}

void write_arf(Thread& t, const isa::Model& m, uint8_t reg, int offset, std::span<const std::byte> bytes) {
  const int n = reg & 15;
  switch (Arf(reg >> 4)) {
    case Arf::address: {
      auto all = t.a0;
      take(all, offset, bytes);
      // Where there are eight sub-registers, only the first two are 16 bits wide: the rest hold 12.
      for (size_t k = 0; k < all.size(); ++k) {
        if (k >= m.address_subregs) all[k] = 0;
        if (k >= 2 && m.narrow_address_subregs) all[k] &= 0xFFF;
      }
      t.a0 = all;
      return;
    }
    case Arf::accumulator:
      if (n >= 2 && n < 10) {
        take(t.mme[size_t(n - 2)], offset, bytes);
        for (uint32_t& x : t.mme[size_t(n - 2)]) x &= 3;
      }
      return;
    case Arf::flag: {
      std::array<uint32_t, 2> all{t.flag[size_t(n & 1)], t.flag[1]};
      take(all, offset, bytes);
      t.flag[size_t(n & 1)] = all[0];
      if (n == 0 && m.flag_regs > 1) t.flag[1] = offset + int(bytes.size()) > 4 ? all[1] : t.flag[1];
      return;
    }
    case Arf::stack_pointer: take(t.sp, offset, bytes); return;
    case Arf::state: {
      // sr0.0 to sr0.3 come from dispatch and are read-only; sr1 belongs to the program
      if (n == 1) {
        std::array<uint32_t, 4> own{t.sr[4], t.sr[5], t.sr[6], t.sr[7]};
        take(own, offset, bytes);
        for (size_t k = 0; k < 4; ++k) t.sr[4 + k] = own[k];
      }
      return;
    }
    case Arf::control: {
      const uint32_t old = t.cr[0];
      take(t.cr, offset, bytes);
      // bits that control nothing are reserved; cr0.2[2:0] and cr0.3 do not exist
      constexpr uint32_t first_control_bits =
          cr_alt_mode | cr_spf | cr_vector_mask | cr_breakpoint_suppress | cr_master_exception;
      if (!m.controls_denormals && !m.controls_rounding) t.cr[0] &= first_control_bits;
      t.cr[2] &= ~7u;
      t.cr[3] = 0;
      control_written(t, old);
      return;
    }
    case Arf::notification: take(t.notify, offset, bytes); return;
    case Arf::ip: take(t.ip, offset, bytes), t.ip &= ~7u; return;
    case Arf::thread_dependency: {
      // any write clears the valid bit of what it touches, nothing else
      for (size_t k = 0; k < bytes.size(); k += 2)
        if (const size_t at = (size_t(offset) + k) / 2; at < t.tdr.size()) t.tdr[at] &= 0x7FFF;
      return;
    }
    case Arf::timestamp: take(t.tm, offset, bytes); return;
    case Arf::debug: take(t.dbg, offset, bytes); return;
    case Arf::null:
    case Arf::channel_enable:
    case Arf::message_control:
    case Arf::flow_control: return;
  }
}

}  // namespace vitro::eu
