// The accumulators: which slots an instruction reads and writes, and how values stand in them. Slots are numbered
// through both accumulators, 16 to each.
// PRM: B-32..B-36; Gen6 vol 4 part 2 section 5.2. A slot has the elements' own bits (thread.h).
#pragma once

#include "eu/convert.h"
#include "eu/semantics.h"

namespace vitro::eu {

inline constexpr int slot_count = 32;
inline int64_t& slot_of(Thread& t, int n) { return t.acc[size_t(n / 16)][size_t(n % 16)]; }
// An accumulator has 8 dwords, 16 words or 4 qwords.
constexpr int slots_per_register(isa::Type t) { return isa::size_of(t) == 4 ? 8 : isa::size_of(t) == 8 ? 4 : 16; }
// The slot of an element, counted through both.
constexpr int element_slot(isa::Type t, int element) {
  const int per = slots_per_register(t);
  return element / per % 2 * 16 + element % per;
}
// Of an operand that is an accumulator: `type` is the slots' type, the operand's elements have a size.
constexpr int operand_slot(isa::Type type, const isa::Operand& o, int offset, int size) {
  return element_slot(type, (o.reg & 1) * slots_per_register(type) + offset / size);
}
inline int source_slot(const SourcePlan& s, int lane) {
  return operand_slot(s.type, *s.operand, s.offset[size_t(lane)], isa::size_of(s.type));
}
// Where the accumulator is implied: QtrCtrl chooses, as far as the type has a second accumulator (B-33). Only F and HF
// have: IGC multiplies dwords of every quarter through the first eight slots, mul (8|M0) before mach (8|M24).
inline int implied_slot(const Plan& p, isa::Type type, int lane) {
  const int first = type == isa::Type::f || type == isa::Type::hf ? p.channel : 0;
  return element_slot(type, first % (2 * slots_per_register(type)) + lane);
}

inline isa::Type accumulator_type(const Plan& p) {
  if (p.compute == Compute::f32) return isa::Type::f;
  if (p.compute == Compute::f64) return p.src[0].type == isa::Type::hf ? isa::Type::hf : isa::Type::df;
  for (int n = 0; n < p.sources; ++n)
    if (isa::size_of(p.src[n].type) >= 4) return isa::Type::d;
  return isa::size_of(p.dst.type) >= 4 && p.dst.kind != DestinationPlan::Kind::null ? isa::Type::d : isa::Type::w;
}

// What an arithmetic instruction does with the accumulator beside naming it as a source.
struct Accumulates {
  bool reads = false, writes = false;
  bool explicit_destination = false;
  isa::Type type = isa::Type::d;  // of the slots

  // The slot that a lane writes.
  int slot(const Plan& p, int lane) const {
    if (!explicit_destination) return implied_slot(p, type, lane);
    return operand_slot(type, p.instruction.dst, p.dst.offset[size_t(lane)], isa::size_of(p.dst.type));
  }
};
inline Accumulates accumulates(const Plan& p) {
  Accumulates a;
  if (!p.row || p.row->format > isa::Format::math || is_test(p.instruction.op)) return a;
  const bool wide = is_wide(p.instruction.op);
  a.explicit_destination = p.dst.kind == DestinationPlan::Kind::accumulator && !wide;
  a.reads = p.row->has(isa::attr_acc_source);
  a.writes = wide || a.explicit_destination || p.instruction.acc_wr_ctrl;
  if (!wide) a.type = a.explicit_destination && isa::is_float(p.dst.type) ? p.dst.type : accumulator_type(p);
  return a;
}

template <class T>
T from_slot(int64_t slot, isa::Type type) {
  switch (type) {
    case isa::Type::f: return T(std::bit_cast<float>(uint32_t(slot)));
    case isa::Type::df: return T(std::bit_cast<double>(slot));
    case isa::Type::hf: return T(half_to_float(uint16_t(slot)));
    default: return T(slot);
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

}  // namespace vitro::eu
