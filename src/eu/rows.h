// The common shape of an instruction, for which the work around the expression is a few vector instructions: eights of
// floats or dwords that stand in a row or are the same for all channels, to a row in the register file; no accumulator
// is involved. The results are those of the general way in arithmetic.cpp.
// PRM: Gen6 vol 4 part 2 sections 5.5, 5.7 and 5.9 and chapter 4, as for lanes.h and results.h. Not here: saturating
// integers, accumulators, the .o condition, word and byte and 64-bit elements, fewer than eight channels.
// Loops run over eight lanes, decide nothing per lane and have no branches but those the whole instruction takes, so
// that the compiler makes vector code of them.
#pragma once

#include "eu/results.h"
#include "lanes/host.h"

namespace vitro::eu {

// Fills plan.rows; `possible` stays false for any other shape.
void plan_rows(const isa::Model&, Plan&);

// Eight lanes as one value. They go in and out of functions in memory, never as vectors: how a vector is passed depends
// on what the caller is compiled for. Vectors have 32 bytes, so wider lanes take several.
template <class T>
struct Eight {
  typedef T Vector __attribute__((vector_size(reg_bytes)));
  static constexpr int step = reg_bytes / int(sizeof(T));
  T v[chunk];
};
using Bits = Eight<uint32_t>::Vector;
using Integers = Eight<int32_t>::Vector;
using Floats = Eight<float>::Vector;

template <class V>
void get(V& vector, const void* from) {
  std::memcpy(&vector, from, sizeof vector);
}
template <class V>
void put(void* to, const V& vector) {
  std::memcpy(to, &vector, sizeof vector);
}

// Truth per lane is all ones or zero, as wide as the lane.
template <class M, class T>
Eight<T> select(const Eight<M>& which, const Eight<T>& a, const Eight<T>& b) {
  Eight<T> r;
  for (int l = 0; l < chunk; l += Eight<T>::step) {
    typename Eight<M>::Vector m, x, y;
    get(m, which.v + l), get(x, a.v + l), get(y, b.v + l);
    put(r.v + l, (x & m) | (y & ~m));
  }
  return r;
}

// What the expressions of comparing instructions call k when they are evaluated for eight lanes at once. The rules are
// those of a single lane's context.
template <class T>
struct RowContext {
  using M = std::conditional_t<sizeof(T) == 4, int32_t, int64_t>;
  using Vector = typename Eight<T>::Vector;
  using Mask = typename Eight<M>::Vector;
  const RowPlan& r;
  uint32_t predicate;

  static M all_if(bool yes) { return yes ? M(-1) : M(0); }
  // f turns the relation that is asked for, and the values, into what counts.
  template <class F>
  Eight<M> compare(const Eight<T>& a, const Eight<T>& b, F f) const {
    Eight<M> out;
    for (int l = 0; l < chunk; l += Eight<T>::step) {
      Vector x, y;
      get(x, a.v + l), get(y, b.v + l);
      const Mask less = x<y, equal = x == y, greater = x> y;
      Mask m = (less & all_if(r.asked & relation::less)) | (equal & all_if(r.asked & relation::equal)) |
               (greater & all_if(r.asked & relation::greater)) |
               (~(less | equal | greater) & all_if(r.asked & relation::unordered));
      f(m, x, y);
      put(out.v + l, m);
    }
    return out;
  }
  Eight<M> holds(const Eight<T>& a, const Eight<T>& b) const {
    return compare(a, b, [](Mask&, const Vector&, const Vector&) {});
  }
  Eight<M> holds(const Eight<T>& c) const { return holds(c, Eight<T>{}); }
  Eight<M> holds_unless_nan(const Eight<T>& a, const Eight<T>& b) const {
    return compare(a, b, [&](Mask& m, const Vector& x, const Vector& y) {
      const Mask decides = (y != y) & (x == x);
      m = (m & ~decides) | (decides & all_if(r.condition != isa::CondModifier::nz));
    });
  }
  Eight<M> chooses(const Eight<T>& a, const Eight<T>& b) const {
    if (r.condition == isa::CondModifier::none) {
      Eight<M> out;
      for (int l = 0; l < chunk; ++l) out.v[l] = -M(predicate >> l & 1);
      return out;
    }
    const bool extreme = r.condition == isa::CondModifier::l || r.condition == isa::CondModifier::ge;
    return compare(a, b, [&](Mask& m, const Vector&, const Vector& y) { m |= (y != y) & all_if(extreme); });
  }
};

// Denormals become zeros of their sign.
inline void flush_row(Bits& e, uint32_t least) {
  const Integers small = Integers(e & 0x7FFFFFFFu) < int32_t(least);
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
  } else if constexpr (std::is_same_v<D, int32_t> && std::is_same_v<T, float>) {
    // narrow<int32_t>() for eight
    Floats x;
    get(x, v);
    const Floats high = Floats{} + 0x1p31f;
    const Bits above = Bits(x >= high), below = Bits(x <= -high), fits = Bits(x < high) & ~below;
    const Bits whole = Bits(__builtin_convertvector(Floats(Bits(x) & fits), Integers));
    put(out, whole | (above & 0x7FFFFFFFu) | (below & 0x80000000u));
  } else {
    for (int l = 0; l < chunk; ++l) out[l] = uint32_t(narrow<D>(v[l], false));
  }
}

// One bit per lane of a row of truths.
inline uint32_t row_bits(const uint32_t* truths) {
  const Bits places = {1, 2, 4, 8, 16, 32, 64, 128};
  Bits e;
  get(e, truths);
  uint64_t pairs[chunk / 2];
  put(pairs, e & places);
  const uint64_t all = (pairs[0] | pairs[1]) | (pairs[2] | pairs[3]);
  return uint32_t(all | all >> 32);
}

inline bool any_nan(const Eight<float>& f) {
  Floats x;
  get(x, f.v);
  uint64_t pairs[chunk / 2];
  put(pairs, Bits(x != x));
  return ((pairs[0] | pairs[1]) | (pairs[2] | pairs[3])) != 0;
}

// Lanes whose result stands to zero as the conditional modifier asks.
template <class D>
uint32_t row_condition(const RowPlan& r, const uint32_t* e) {
  using T = std::conditional_t<std::is_same_v<D, float>, float, int32_t>;
  // unsigned numbers, and zero with them, are shifted to where signed ones compare alike
  const uint32_t shift = std::is_same_v<D, float> ? 0 : r.dst_sign ^ 0x80000000u;
  Eight<T> value, zero;
  for (int l = 0; l < chunk; ++l) value.v[l] = std::bit_cast<T>(e[l] ^ shift), zero.v[l] = std::bit_cast<T>(shift);
  const Eight<int32_t> holds = RowContext<T>{r, 0}.holds(value, zero);
  uint32_t truths[chunk];
  std::memcpy(truths, holds.v, sizeof truths);
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

// An instruction of this shape but for its mask: f computes a row from the sources' rows. All rows are computed before
// the first is stored.
template <class D, class T, class F>
void each_row(Executor& x, const Plan& p, uint32_t mask, F f) {
  Thread& t = x.thread;
  const RowPlan& r = p.rows;
  const uint32_t least = least_kept(t, r);
  uint32_t e[max_channels], bits = 0;
  int first = 0;
  do {
    Eight<T> a, b, c, v;
    load_row(t, p, 0, first, least, a.v);
    load_row(t, p, 1, first, least, b.v);
    load_row(t, p, 2, first, least, c.v);
    f(first, a, b, c, v);
    finish_row<D>(t, r, least, v.v, e + first);
    if (r.writes_condition) bits |= row_condition<D>(r, e + first) << first;
    first += chunk;
  } while (first < p.lanes);
  if (r.writes_condition) set_flags(x, p, bits, mask);
  if (!r.nowhere) store_rows(t, p, e, mask);
}

// The same for an instruction that tests: f gives a row of truths, which are the condition and the result.
template <class T, class F>
void each_row_of_truths(Executor& x, const Plan& p, uint32_t mask, F f) {
  const uint32_t least = least_kept(x.thread, p.rows);
  uint32_t e[max_channels], bits = 0;
  int first = 0;
  do {
    Eight<T> a, b;
    load_row(x.thread, p, 0, first, least, a.v);
    load_row(x.thread, p, 1, first, least, b.v);
    const auto truths = f(a, b);
    for (int l = 0; l < chunk; ++l) e[first + l] = uint32_t(truths.v[l]);
    bits |= row_bits(e + first) << first;
    first += chunk;
  } while (first < p.lanes);
  set_flags(x, p, bits, mask);
  if (!p.rows.nowhere) store_rows(x.thread, p, e, mask);
}

}  // namespace vitro::eu
