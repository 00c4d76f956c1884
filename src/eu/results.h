// Results: conversion to the destination's type, conditions, accumulators, and the write under the mask. The same for
// every arithmetic instruction.
// PRM: Gen6 vol 4 part 2 section 5.9 (CF-01), chapter 4 (FM-02 saturation, FP-06 denormals, FP-20 ALT mode);
// B-32..B-36.
#pragma once

#include "eu/lanes.h"

namespace vitro::eu {

// Slot of a lane when the accumulator is implied: QtrCtrl chooses, as far as the type has a second accumulator (B-33).
// Only F and HF have: IGC multiplies dwords of every quarter through the first eight slots, mul (8|M0) before mach
// (8|M24).
inline int implied_slot(const Plan& p, isa::Type type, int lane) {
  const int per = slots_per_register(type);
  const int first = type == isa::Type::f || type == isa::Type::hf ? p.channel : 0;
  return (first % (2 * per) + lane) % (2 * per);
}

template <class T>
void read_accumulator(const Executor& x, const Plan& p, isa::Type type, T* out) {
  const int per = slots_per_register(type);
  for (int l = 0; l < padded(p.lanes); ++l) {
    const int s = implied_slot(p, type, l);
    out[l] = from_slot<T>(x.thread.acc[size_t(s / per)][size_t(s % per)], type);
  }
  if constexpr (std::is_floating_point_v<T>)
    if (flushes(x.thread, x.program.model(), type)) {
      const T least = least_normal<T>(type);
      for (int l = 0; l < padded(p.lanes); ++l)
        out[l] = std::fabs(out[l]) < least ? std::copysign(T(0), out[l]) : out[l];
    }
}

// Integers keep 33 bits of words and 64 of dwords; floats keep their own.
template <class T>
int64_t to_slot(T v, isa::Type type) {
  if constexpr (is_int<T>) {
    return isa::size_of(type) <= 2 ? sign_extend(uint64_t(v), 33) : int64_t(v);
  } else {
    switch (type) {
      case isa::Type::f: return int64_t(std::bit_cast<uint32_t>(float(v)));
      case isa::Type::hf: return round_to_half(double(v));
      case isa::Type::df: return std::bit_cast<int64_t>(double(v));
      default: return int64_t(v);
    }
  }
}

inline isa::Type accumulator_type(const Plan& p) {
  if (p.compute == Compute::f32) return isa::Type::f;
  if (p.compute == Compute::f64) return p.src[0].type == isa::Type::hf ? isa::Type::hf : isa::Type::df;
  for (int n = 0; n < p.sources; ++n)
    if (isa::size_of(p.src[n].type) >= 4) return isa::Type::d;
  return isa::size_of(p.dst.type) >= 4 && p.dst.kind != DestinationPlan::Kind::null ? isa::Type::d : isa::Type::w;
}

template <class T>
void write_accumulator(Executor& x, const Plan& p, const T* r, uint32_t mask, isa::Type type,
                       bool explicit_destination) {
  const int per = slots_per_register(type);
  for (int l = 0; l < p.lanes; ++l) {
    if (!(mask >> l & 1)) continue;
    const int s = explicit_destination
                      ? (p.instruction.dst.reg & 1) * per + p.dst.offset[size_t(l)] / isa::size_of(p.dst.type)
                      : implied_slot(p, type, l);
    x.thread.acc[size_t(s / per) & 1][size_t(s % per)] = to_slot(r[l], type);
  }
}

inline void set_flags(Executor& x, const Plan& p, uint32_t bits, uint32_t mask) {
  uint32_t& f = x.thread.flag[p.flag_reg];
  const uint32_t m = mask << p.flag_shift;
  f = (f & ~m) | (bits << p.flag_shift & m);
}

// Converts, tests the condition, writes. The condition sees what the destination gets (CF-01: post-clamp signals).
template <class T, class E>
void finish_as(Executor& x, const Plan& p, const T* r, uint32_t mask) {
  const isa::Instruction& i = p.instruction;
  alignas(64) E e[max_channels];
  for (int l = 0; l < padded(p.lanes); ++l) e[l] = narrow<E>(r[l], i.saturate);
  [[maybe_unused]] const bool keeps = keeps_denormals(p, x.program.model(), p.src[0]);
  if constexpr (std::is_same_v<E, Half>) {
    if (!keeps && flushes(x.thread, x.program.model(), isa::Type::hf))
      for (int l = 0; l < padded(p.lanes); ++l) e[l].bits = flushed_half(e[l].bits);
  } else if constexpr (std::is_floating_point_v<E>) {
    if (!keeps && flushes(x.thread, x.program.model(), p.dst.type))
      for (int l = 0; l < padded(p.lanes); ++l) e[l] = flushed(e[l]);
    if (std::is_same_v<E, float> && x.thread.has(cr_alt_mode))
      for (int l = 0; l < padded(p.lanes); ++l)
        if (std::isinf(e[l])) e[l] = std::copysign(std::numeric_limits<E>::max(), e[l]);
  }
  if (i.cond_modifier != isa::CondModifier::none && !p.row->has(isa::attr_reads_flag)) {
    uint32_t bits = 0;
    for (int l = 0; l < p.lanes; ++l) {
      bool holds;
      if (i.cond_modifier == isa::CondModifier::o) {
        holds = overflows<E>(r[l]);
      } else if constexpr (std::is_same_v<E, Half>) {
        holds = condition_holds(i.cond_modifier, half_to_float(e[l].bits), 0.0f);
      } else {
        holds = condition_holds(i.cond_modifier, e[l], E(0));
      }
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
  const isa::Instruction& i = p.instruction;
  if (p.dst.kind == DestinationPlan::Kind::accumulator) {
    write_accumulator(x, p, r, mask & p.dst.channel_enable,
                      isa::is_float(p.dst.type) ? p.dst.type : accumulator_type(p), true);
  } else if (i.acc_wr_ctrl) {
    write_accumulator(x, p, r, mask & p.dst.channel_enable, accumulator_type(p), false);
  }
  store_result(x, p, r, mask);
}

}  // namespace vitro::eu
