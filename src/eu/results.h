// Results: conversion to the destination's type, conditions, accumulators, and the write under the mask. The same for
// every arithmetic instruction.
// PRM: Gen6 vol 4 part 2 section 5.9 (CF-01), chapter 4 (FM-02 saturation, FP-06 denormals, FP-20 ALT mode);
// B-32..B-36.
#pragma once

#include "eu/conditions.h"
#include "eu/lanes.h"

namespace vitro::eu {

template <class T>
void read_accumulator(Executor& x, const Plan& p, isa::Type type, T* out) {
  for (int l = 0; l < padded(p.lanes); ++l) out[l] = from_slot<T>(slot_of(x.thread, implied_slot(p, type, l)), type);
  if constexpr (std::is_floating_point_v<T>)
    if (flushes(x.thread.cr[0], x.program.model(), type))
      for (int l = 0; l < padded(p.lanes); ++l) out[l] = flushed(Num<T>{out[l]}, least_normal(type)).v;
}
template <class T>
void write_accumulator(Executor& x, const Plan& p, const T* r, uint32_t mask) {
  const Accumulates a = accumulates(p);
  for (int l = 0; l < p.lanes; ++l)
    if (mask >> l & 1) slot_of(x.thread, a.slot(p, l)) = to_slot(r[l], a.type);
}

inline void set_flags(Executor& x, const Plan& p, uint32_t bits, uint32_t mask) {
  uint32_t& f = x.thread.flag[p.flag_reg];
  const uint32_t m = mask << p.flag_shift;
  f = (f & ~m) | (bits << p.flag_shift & m);
}

// Converts, tests the condition, writes. The condition sees what the destination gets (CF-01: post-clamp signals).
template <class T, class E>
void finish_as(Executor& x, const Plan& p, const T* r, uint32_t mask) {
  alignas(64) E e[max_channels];
  for (int l = 0; l < padded(p.lanes); ++l) e[l] = narrow<E>(r[l], p.instruction.saturate);
  const isa::Model& m = x.program.model();
  if (flushes(x.thread.cr[0], m, p.dst.type) && !keeps_denormal_results(p, m))
    for (int l = 0; l < padded(p.lanes); ++l) {
      if constexpr (std::is_same_v<E, Half>)
        e[l].bits = flushed_half(Num<uint16_t>{e[l].bits}).v;
      else if constexpr (std::is_floating_point_v<E>)
        e[l] = flushed(Num<E>{e[l]}, least_normal(p.dst.type)).v;
    }
  if constexpr (std::is_same_v<E, float>)
    if (x.thread.has(cr_alt_mode))
      for (int l = 0; l < padded(p.lanes); ++l) e[l] = without_infinity(Num<float>{e[l]}).v;
  if (p.condition != isa::CondModifier::none && !p.row->has(isa::attr_reads_flag)) {
    using N = std::conditional_t<std::is_same_v<E, Half>, float, E>;
    uint32_t bits = 0;
    for (int l = 0; l < p.lanes; ++l) {
      const bool holds = p.condition == isa::CondModifier::o ? overflows<E>(r[l])
                                                             : in_relation(p.asked, Num<N>{widen<N>(e[l])}, Num<N>{});
      bits |= uint32_t(holds) << l;
    }
    set_flags(x, p, bits, mask);
  }
  store_elements(x, p, reinterpret_cast<const std::byte*>(e), sizeof(E), mask);
}

template <class T>
void store_result(Executor& x, const Plan& p, const T* r, uint32_t mask) {
  with_element<T>(p.dst.type, [&]<class E>() { finish_as<T, E>(x, p, r, mask); });
}

// All ones where the test holds, in the destination's size.
inline void write_truth(Executor& x, const Plan& p, uint32_t bits, uint32_t mask) {
  alignas(64) std::byte e[max_channels * 8];
  const int size = isa::size_of(p.dst.type);
  for (int l = 0; l < p.lanes; ++l) std::memset(e + l * size, bits >> l & 1 ? 0xFF : 0, size_t(size));
  store_elements(x, p, e, size, mask);
}

template <class T>
void finish(Executor& x, const Plan& p, const T* r, uint32_t mask) {
  if (p.dst.kind == DestinationPlan::Kind::accumulator || p.instruction.acc_wr_ctrl)
    write_accumulator(x, p, r, mask & p.dst.channel_enable);
  store_result(x, p, r, mask);
}

}  // namespace vitro::eu
