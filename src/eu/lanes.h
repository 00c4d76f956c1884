// Operands as lanes: reading sources into the type a plan computes in, and writing results back under a mask.
// The host domain's side of every instruction; the expressions in between know nothing of registers.
// PRM: Gen6 vol 4 part 2 sections 5.5 and 5.7; chapter 4 for modifiers, denormals and conversion.
#pragma once

#include <cstring>

#include "eu/arf.h"
#include "eu/convert.h"
#include "eu/executor.h"

namespace vitro::eu {

inline constexpr int chunk = 8;  // lanes are computed by eights, so that the compiler makes vector code of it
constexpr int padded(int lanes) { return lanes < chunk ? chunk : lanes; }

template <class T>
struct alignas(64) Lanes {
  T v[max_channels];
};

// Denormals of a type are flushed unless cr0 keeps them.
inline bool flushes(const Thread& t, const isa::Model& m, isa::Type type) {
  if (!m.controls_denormals) return true;
  switch (type) {
    case isa::Type::f: return !t.has(cr_keep_float_denorms);
    case isa::Type::df: return !t.has(cr_keep_double_denorms);
    case isa::Type::hf: return !t.has(cr_keep_half_denorms);
    default: return false;
  }
}

template <class T>
T least_normal(isa::Type type) {
  return type == isa::Type::hf  ? T(0x1p-14)
         : type == isa::Type::f ? T(0x1p-126)
                                : T(std::numeric_limits<double>::min());
}

// A mov within a type keeps denormals even with modifiers or saturation, where cr0 controls them (Gen8 `mov`).
inline bool keeps_denormals(const Plan& p, const isa::Model& m, const SourcePlan& s) {
  return p.instruction.op == isa::Op::mov && s.type == p.dst.type && m.controls_denormals;
}

// Bytes a source reads from, and the offsets in them: the register file, an ARF's image, or the addresses in a0.
struct SourceBytes {
  const std::byte* base;
  const uint16_t* offset;
};
// False: an address leaves the register file; the thread has stopped.
bool locate(Executor& x, const Plan& p, const SourcePlan& s, ArfImage& image, uint16_t (&addresses)[max_channels],
            SourceBytes& where);
bool locate_destination(Executor& x, const Plan& p, uint32_t mask, uint16_t (&addresses)[max_channels]);

template <class T, class E>
void read_elements(const SourceBytes& b, const SourcePlan& s, int lanes, T* out) {
  E e;
  if (s.scalar && s.kind != SourcePlan::Kind::indirect) {
    std::memcpy(&e, b.base + b.offset[0], sizeof e);
    const T x = widen<T>(e);
    for (int l = 0; l < padded(lanes); ++l) out[l] = x;
  } else if (s.contiguous && s.kind != SourcePlan::Kind::indirect && lanes % chunk == 0) {
    for (int c = 0; c < lanes; c += chunk) {
      E in[chunk];
      std::memcpy(in, b.base + b.offset[0] + c * int(sizeof(E)), sizeof in);
      for (int l = 0; l < chunk; ++l) out[c + l] = widen<T>(in[l]);
    }
  } else {
    for (int l = 0; l < lanes; ++l) {
      std::memcpy(&e, b.base + b.offset[l], sizeof e);
      out[l] = widen<T>(e);
    }
    for (int l = lanes; l < chunk; ++l) out[l] = T(0);
  }
}

template <class T, class F>
void with_element(isa::Type type, F f) {
  switch (type) {
    case isa::Type::ub: f.template operator()<uint8_t>(); break;
    case isa::Type::b: f.template operator()<int8_t>(); break;
    case isa::Type::uw: f.template operator()<uint16_t>(); break;
    case isa::Type::w: f.template operator()<int16_t>(); break;
    case isa::Type::ud: f.template operator()<uint32_t>(); break;
    case isa::Type::d: f.template operator()<int32_t>(); break;
    case isa::Type::uq: f.template operator()<uint64_t>(); break;
    case isa::Type::q: f.template operator()<int64_t>(); break;
    case isa::Type::hf: f.template operator()<Half>(); break;
    case isa::Type::f: f.template operator()<float>(); break;
    default: f.template operator()<double>(); break;
  }
}

// Slots of the accumulators: 8 dwords, 16 words or 4 qwords to a register.
constexpr int slots_per_register(isa::Type t) { return isa::size_of(t) == 4 ? 8 : isa::size_of(t) == 8 ? 4 : 16; }

template <class T>
T from_slot(int64_t slot, isa::Type type) {
  switch (type) {
    case isa::Type::f: return T(std::bit_cast<float>(uint32_t(slot)));
    case isa::Type::df: return T(std::bit_cast<double>(slot));
    case isa::Type::hf: return T(half_to_float(uint16_t(slot)));
    default: return T(slot);
  }
}

// Comparison of two values under a conditional modifier. NaN fails every one but "not equal"; .u asks for it (FP-03).
// Two values stand in one of four relations; a table says which of them a modifier asks for, so that the comparison has
// no branches.
namespace relation {
inline constexpr unsigned less = 1, equal = 2, greater = 4, unordered = 8;
inline constexpr uint8_t asked[16] = {
    0,                           // none
    equal,                       // z
    less | greater | unordered,  // nz
    greater,                     // g
    greater | equal,             // ge
    less,                        // l
    less | equal,                // le
    0,                           // reserved
    0,                           // o: asks the result, not a relation
    unordered,                   // u
};
}  // namespace relation
template <class T>
bool in_relation(unsigned asked, T a, T b) {
  const bool less = a<b, equal = a == b, greater = a> b;
  const unsigned ordered =
      (less ? relation::less : 0u) | (equal ? relation::equal : 0u) | (greater ? relation::greater : 0u);
  return (asked & (ordered ? ordered : relation::unordered)) != 0;
}
template <class T>
bool condition_holds(isa::CondModifier c, T a, T b) {
  return in_relation(relation::asked[size_t(c)], a, b);
}

// Denormals and source modifiers of `count` values.
template <class T>
void modify(Executor& x, const Plan& p, const SourcePlan& s, T* out, int count) {
  if constexpr (std::is_floating_point_v<T>) {
    const isa::Model& m = x.program.model();
    if (isa::is_float(s.type) && flushes(x.thread, m, s.type) && !keeps_denormals(p, m, s)) {
      const T least = least_normal<T>(s.type);
      for (int l = 0; l < count; ++l) out[l] = std::fabs(out[l]) < least ? std::copysign(T(0), out[l]) : out[l];
    }
    if (s.abs)
      for (int l = 0; l < count; ++l) out[l] = std::fabs(out[l]);
    if (s.negate)
      for (int l = 0; l < count; ++l) out[l] = -out[l];
  } else {
    if (s.abs)
      for (int l = 0; l < count; ++l) out[l] = out[l] < 0 ? (-Num<T>{out[l]}).v : out[l];
    if (s.negate)
      for (int l = 0; l < count; ++l) out[l] = (-Num<T>{out[l]}).v;
    if (s.complement)
      for (int l = 0; l < count; ++l) out[l] = ~out[l];
  }
}

// A source's lanes with its modifiers. Lanes past the instruction's are padded up to a chunk.
template <class T>
bool load(Executor& x, const Plan& p, const SourcePlan& s, T* out) {
  const int lanes = p.lanes;
  if (s.kind == SourcePlan::Kind::immediate) {
    with_element<T>(s.type, [&]<class E>() {
      for (int l = 0; l < padded(lanes); ++l) {
        E e;
        std::memcpy(&e, &s.imm[size_t(l) % s.imm_count], sizeof e);
        out[l] = widen<T>(e);
      }
    });
  } else if (s.kind == SourcePlan::Kind::accumulator) {
    const int per = slots_per_register(s.type), size = isa::size_of(s.type);
    for (int l = 0; l < padded(lanes); ++l) {
      const int at = (s.operand->reg & 1) * per + (l < lanes ? s.offset[size_t(l)] / size : 0);
      out[l] = from_slot<T>(x.thread.acc[size_t(at / per) & 1][size_t(at % per)], s.type);
    }
  } else {
    ArfImage image;
    uint16_t addresses[max_channels];
    SourceBytes where;
    if (!locate(x, p, s, image, addresses, where)) return false;
    with_element<T>(s.type, [&]<class E>() { read_elements<T, E>(where, s, lanes, out); });
  }
  modify(x, p, s, out, padded(lanes));
  return true;
}

// Writes elements of the destination's type under `mask` (lanes from bit 0).
void store_elements(Executor& x, const Plan& p, const std::byte* elements, int size, uint32_t mask);

}  // namespace vitro::eu
