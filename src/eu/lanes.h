// Operands as lanes: reading sources into the type a plan computes in, and writing results back under a mask.
// The host domain's side of every instruction; the expressions in between know nothing of registers.
// PRM: Gen6 vol 4 part 2 sections 5.5 and 5.7; chapter 4 for modifiers, denormals and conversion.
#pragma once

#include <cstring>

#include "eu/accumulators.h"
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

// Denormals and source modifiers of `count` values.
template <class T>
void modify(Executor& x, const Plan& p, const SourcePlan& s, T* out, int count) {
  const auto apply = [&](auto f) {
    for (int l = 0; l < count; ++l) out[l] = f(Num<T>{out[l]}).v;
  };
  const isa::Model& m = x.program.model();
  if constexpr (std::is_floating_point_v<T>)
    if (flushes(x.thread.cr[0], m, s.type) && !keeps_denormals(p, m, s))
      apply([least = least_normal(s.type)](Num<T> v) { return flushed(v, least); });
  modify(s, apply);
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
    for (int l = 0; l < padded(lanes); ++l)
      out[l] = from_slot<T>(slot_of(x.thread, source_slot(s, std::min(l, lanes - 1))), s.type);
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
