// The common shape of an instruction, for which the work around the expression is a few vector instructions: eights of
// floats or dwords that stand in a row or are the same for all channels, to a row in the register file; no accumulator
// is involved. The results are those of the general way in arithmetic.cpp.
// PRM: Gen6 vol 4 part 2 sections 5.5, 5.7 and 5.9 and chapter 4, as for lanes.h and results.h. Not here: saturating
// integers, accumulators, the .o condition, word and byte and 64-bit elements, fewer than eight channels.
// Loops run over eight lanes, decide nothing per lane and have no branches but those the whole instruction takes, so
// that the compiler makes vector code of them.
#pragma once

#include "eu/host.h"
#include "eu/results.h"

namespace vitro::eu {

// Fills plan.rows; `possible` stays false for any other shape.
void plan_rows(const isa::Model&, Plan&);

// Eight lanes as one value. They go in and out of functions in memory, never as vectors: how a vector is passed depends
// on what the caller is compiled for.
template <class T>
struct Eight {
  typedef T Vector __attribute__((vector_size(chunk * sizeof(T))));
  T v[chunk];
};
using Bits = Eight<uint32_t>::Vector;
using Floats = Eight<float>::Vector;
// Truth per lane: all ones or zero, as wide as the lanes.
template <class T>
using TruthOf = Eight<std::conditional_t<sizeof(T) == 4, int32_t, int64_t>>;

template <class V>
void get(V& vector, const void* from) {
  std::memcpy(&vector, from, sizeof vector);
}
template <class V>
void put(void* to, const V& vector) {
  std::memcpy(to, &vector, sizeof vector);
}

template <class M, class T>
Eight<T> select(const Eight<M>& which, const Eight<T>& a, const Eight<T>& b) {
  typename Eight<M>::Vector m, x, y;
  get(m, which.v), get(x, a.v), get(y, b.v);
  Eight<T> r;
  put(r.v, (x & m) | (y & ~m));
  return r;
}

// What the expressions of comparing instructions call k when they are evaluated for eight lanes at once. The rules are
// those of a single lane's context.
template <class T>
struct RowContext {
  using M = std::conditional_t<sizeof(T) == 4, int32_t, int64_t>;
  using Vector = typename Eight<T>::Vector;
  using Mask = typename Eight<M>::Vector;
  isa::CondModifier condition;
  uint32_t asked;
  uint32_t predicate;

  void compare(const Vector& x, const Vector& y, Mask& out) const {
    const Mask less = x<y, equal = x == y, greater = x> y;
    auto all_if = [&](uint32_t relation) { return asked & relation ? M(-1) : M(0); };
    out = (less & all_if(relation::less)) | (equal & all_if(relation::equal)) | (greater & all_if(relation::greater)) |
          (~(less | equal | greater) & all_if(relation::unordered));
  }
  Eight<M> holds(const Eight<T>& a, const Eight<T>& b) const {
    Vector x, y;
    Mask m;
    get(x, a.v), get(y, b.v);
    compare(x, y, m);
    Eight<M> r;
    put(r.v, m);
    return r;
  }
  Eight<M> holds(const Eight<T>& c) const { return holds(c, Eight<T>{}); }
  Eight<M> holds_unless_nan(const Eight<T>& a, const Eight<T>& b) const {
    Vector x, y;
    Mask m;
    get(x, a.v), get(y, b.v);
    compare(x, y, m);
    const Mask decides = (y != y) & (x == x);
    Eight<M> r;
    put(r.v, (m & ~decides) | (decides & (condition != isa::CondModifier::nz ? M(-1) : M(0))));
    return r;
  }
  Eight<M> chooses(const Eight<T>& a, const Eight<T>& b) const {
    Vector x, y;
    Mask m;
    if (condition == isa::CondModifier::none) {
      const Mask places = {1, 2, 4, 8, 16, 32, 64, 128};
      m = (places & M(predicate & 0xFF)) != 0;
    } else {
      get(x, a.v), get(y, b.v);
      compare(x, y, m);
      const bool extreme = condition == isa::CondModifier::l || condition == isa::CondModifier::ge;
      m |= (y != y) & (extreme ? M(-1) : M(0));
    }
    Eight<M> r;
    put(r.v, m);
    return r;
  }
};

// Denormals become zeros of their sign.
inline void flush_row(Bits& e, uint32_t least) {
  const auto small = Eight<int32_t>::Vector(e & 0x7FFFFFFFu) < int32_t(least);
  e &= ~(Bits(small) & 0x7FFFFFFFu);
}
// Bits below which a float is flushed by this instruction now.
inline uint32_t least_kept(const Thread& t, const RowPlan& r) { return t.cr[0] & r.keep_denormals ? 0 : r.least; }

// Modifiers of integers, which are rare.
inline void modify_row(const SourcePlan& s, int64_t (&v)[chunk]) {
  for (int l = 0; l < chunk; ++l) {
    Num<int64_t> n{v[l]};
    if (s.abs && n.v < 0) n = -n;
    if (s.negate) n = -n;
    if (s.complement) n = ~n;
    v[l] = n.v;
  }
}

// Eight lanes of a source, from `first` on, with its modifiers.
template <class T>
void load_row(const Thread& t, const Plan& p, int n, int first, [[maybe_unused]] uint32_t least, T (&out)[chunk]) {
  const RowSource& s = p.rows.src[n];
  Bits e{};
  if (s.same) {
    if constexpr (is_int<T>)
      if (s.given) {
        for (int l = 0; l < chunk; ++l) out[l] = s.value;
        return;
      }
    uint32_t one;
    std::memcpy(&one, s.given ? reinterpret_cast<const std::byte*>(&s.value) : t.grf.data() + s.offset, sizeof one);
    e += one;
  } else {
    get(e, t.grf.data() + s.offset + first * 4);
  }
  if constexpr (is_int<T>) {
    uint32_t bits[chunk];
    put(bits, e);
    const int64_t sign = s.sign;  // extended where there is one
    for (int l = 0; l < chunk; ++l) out[l] = (int64_t(bits[l]) ^ sign) - sign;
    if (s.modified) modify_row(p.src[n], out);
  } else if constexpr (std::is_same_v<T, float>) {
    flush_row(e, least);
    put(out, (e & s.keep) ^ s.flip);
  } else {
    put(out, e);
  }
}

// What the destination gets, as the bits of D: float, int32_t or uint32_t.
template <class D, class T>
void finish_row(const Thread& t, const RowPlan& r, uint32_t least, const T (&v)[chunk], uint32_t* out) {
  if constexpr (std::is_same_v<D, float>) {
    float f[chunk];
    for (int l = 0; l < chunk; ++l) f[l] = narrow<float>(v[l], false);
    Bits e;
    get(e, f);
    if (r.saturate) {
      // NaN is neither and becomes 0
      const Floats x = Floats(e), zero{}, one = zero + 1.0f;
      const Bits positive = Bits(x > zero), below = Bits(x < one);
      e = ((e & below) | (Bits(one) & ~below)) & positive;
    }
    flush_row(e, least);
    if (t.has(cr_alt_mode)) e += Bits((e & 0x7FFFFFFFu) == 0x7F800000u);  // infinities become the largest number
    put(out, e);
  } else if constexpr (std::is_same_v<D, T>) {
    std::memcpy(out, v, sizeof v);
  } else {
    for (int l = 0; l < chunk; ++l) out[l] = uint32_t(narrow<D>(v[l], false));
  }
}

// One bit per lane of a row of truths.
inline uint32_t row_bits(const uint32_t* truths) {
  Bits e;
  get(e, truths);
  const Bits places = {1, 2, 4, 8, 16, 32, 64, 128};
  uint32_t each[chunk], bits = 0;
  put(each, e & places);
  for (int l = 0; l < chunk; ++l) bits |= each[l];
  return bits;
}

// Lanes whose result stands to zero as the conditional modifier asks.
template <class D>
uint32_t row_condition(const Plan& p, const uint32_t* e) {
  using T = std::conditional_t<std::is_same_v<D, float>, float, int64_t>;
  const RowContext<T> k{p.instruction.cond_modifier, p.rows.asked, 0};
  Eight<T> r;
  const int64_t sign = p.rows.dst_sign;
  for (int l = 0; l < chunk; ++l) {
    if constexpr (std::is_same_v<D, float>)
      r.v[l] = std::bit_cast<float>(e[l]);
    else
      r.v[l] = (int64_t(e[l]) ^ sign) - sign;
  }
  const auto holds = k.holds(r);
  uint32_t truths[chunk];
  for (int l = 0; l < chunk; ++l) truths[l] = uint32_t(holds.v[l]);
  return row_bits(truths);
}

inline void store_rows(Thread& t, const Plan& p, const uint32_t* e, uint32_t mask) {
  std::byte* to = t.grf.data() + p.rows.dst;
  int first = 0;
  do {
    Bits row;
    get(row, e + first);
    if (mask != p.lane_mask) {
      const Bits places = {1, 2, 4, 8, 16, 32, 64, 128};
      const Bits written = Bits((places & (mask >> first & 0xFF)) != 0);
      Bits before;
      get(before, to);
      row = (row & written) | (before & ~written);
    }
    put(to, row);
    first += chunk;
    to += chunk * 4;
  } while (first < p.lanes);
}

}  // namespace vitro::eu
