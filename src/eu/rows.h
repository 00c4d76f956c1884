// The common shape of an instruction, for which the work around the expression is a few vector instructions: eights of
// floats or dwords that stand in a row or are the same for all channels, to a row in the register file; no accumulator
// is involved. The results are those of the general way in arithmetic.cpp.
// PRM: Gen6 vol 4 part 2 sections 5.5, 5.7 and 5.9 and chapter 4, as for lanes.h and results.h. Not here: saturating
// integers, accumulators, the .o condition, word and byte and 64-bit elements, fewer than eight channels.
// Loops run over eight lanes, decide nothing per lane and have no branches but those the whole instruction takes, so
// that the compiler makes vector code of them.
#pragma once

#include "eu/context.h"
#include "eu/eight.h"
#include "eu/handlers.h"
#include "eu/results.h"
#include "lanes/host.h"

namespace vitro::eu {

// Fills plan.rows; `possible` stays false for any other shape.
void plan_rows(const isa::Model&, Plan&);

template <class T>
struct RowContext : Context<RowContext<T>, Eight<T>> {
  uint32_t predicate_bits;

  EightTruths<T> predicate() const {
    std::conditional_t<sizeof(T) == 4, int32_t, int64_t> truths[chunk];
    for (int l = 0; l < chunk; ++l) truths[l] = -int32_t(predicate_bits >> l & 1);
    return EightTruths<T>::get(truths);
  }
};

// The magnitude below which a float is flushed by this instruction now.
inline float least_kept(const Thread& t, const RowPlan& r) { return t.cr[0] & r.keep_denormals ? 0 : r.least; }

// Eight lanes of a source, from `first` on, with its modifiers.
template <class T>
Eight<T> load_row(const Thread& t, const Plan& p, int n, int first, [[maybe_unused]] float least) {
  const RowSource& s = p.rows.src[n];
  if (is_int<T> && s.given) return constant(Eight<T>{}, s.value);
  Bits e{};
  if (s.same) {
    uint32_t one;
    std::memcpy(&one, s.given ? reinterpret_cast<const std::byte*>(&s.value) : t.grf.data() + s.offset, sizeof one);
    e += one;
  } else {
    std::memcpy(&e, t.grf.data() + s.offset + first * 4, sizeof e);
  }
  if constexpr (is_int<T>) {
    uint32_t bits[chunk];
    std::memcpy(bits, &e, sizeof bits);
    T wide[chunk];
    const int64_t sign = s.sign;  // extended where there is one
    for (int l = 0; l < chunk; ++l) wide[l] = (int64_t(bits[l]) ^ sign) - sign;
    Eight<T> r = Eight<T>::get(wide);
    if (s.modified) modify(p.src[n], [&](auto f) { r = f(r); });
    return r;
  } else if constexpr (std::is_same_v<T, float>) {
    return {Floats((Bits(flushed(Eight<T>{Floats(e)}, least).v[0]) & s.keep) ^ s.flip)};
  } else {
    return {e};
  }
}

// What the destination gets, as D: float, int32_t or uint32_t.
template <class D, class T>
Eight<D> finish_row(const Thread& t, const RowPlan& r, [[maybe_unused]] float least, const Eight<T>& v) {
  Eight<D> e;
  if constexpr (std::is_same_v<T, D>) {
    e = v;
  } else if constexpr (std::is_same_v<T, float>) {
    e = truncated(v, 32, std::is_signed_v<D>, [](const Eight<float>& x) {
      return Eight<D>{__builtin_convertvector(x.v[0], typename Eight<D>::Vector)};
    });
  } else {
    T in[chunk];
    D out[chunk];
    v.put(in);
    for (int l = 0; l < chunk; ++l) out[l] = narrow<D>(in[l], false);
    e = Eight<D>::get(out);
  }
  if constexpr (std::is_same_v<D, float>) {
    if (r.saturate) e = saturated(e);
    e = flushed(e, least);
    if (t.has(cr_alt_mode)) e = without_infinity(e);
  }
  return e;
}

// Lanes whose result stands to zero as the conditional modifier asks.
template <class D>
uint32_t row_condition(const Plan& p, const Eight<D>& e) {
  if constexpr (std::is_same_v<D, uint32_t>)
    if (isa::info(p.dst.type).is_signed) return row_condition(p, Eight<int32_t>{Eight<int32_t>::Vector(e.v[0])});
  return lanes_in(in_relation(p.asked, e, Eight<D>{}));
}

inline void store_rows(Thread& t, const Plan& p, const uint32_t* e, uint32_t mask) {
  std::byte* to = t.grf.data() + p.rows.dst;
  int first = 0;
  do {
    Bits row;
    std::memcpy(&row, e + first, sizeof row);
    if (mask != p.lane_mask) {
      const Bits places = {1, 2, 4, 8, 16, 32, 64, 128};
      const Bits written = Bits((places & (mask >> first & 0xFF)) != 0);
      Bits before;
      std::memcpy(&before, to, sizeof before);
      row = (row & written) | (before & ~written);
    }
    std::memcpy(to, &row, sizeof row);
    first += chunk;
    to += chunk * 4;
  } while (first < p.lanes);
}

// Truths of any lanes as those of dwords.
template <class M>
Eight<int32_t> as_dwords(const Eight<M>& truths) {
  if constexpr (std::is_same_v<M, int32_t>) return truths;
  M in[chunk];
  int32_t out[chunk];
  truths.put(in);
  for (int l = 0; l < chunk; ++l) out[l] = int32_t(in[l]);
  return Eight<int32_t>::get(out);
}
// An instruction of this shape but for its mask: f computes a row from the sources' rows, for a destination of type D;
// if that is void, a row of truths, which are the condition and the result. All rows are computed before the first is
// stored.
template <class D, class T, class F>
void each_row(Executor& x, const Plan& p, uint32_t mask, F f) {
  Thread& t = x.thread;
  const RowPlan& r = p.rows;
  const float least = least_kept(t, r);
  const bool writes_condition = std::is_void_v<D> || r.writes_condition;
  uint32_t e[max_channels], bits = 0;
  int first = 0;
  do {
    const Eight<T> a = load_row<T>(t, p, 0, first, least), b = load_row<T>(t, p, 1, first, least);
    const Eight<T> c = p.sources > 2 ? load_row<T>(t, p, 2, first, least) : a;
    if constexpr (std::is_void_v<D>) {
      const Eight<int32_t> truths = as_dwords(f(first, a, b, c));
      truths.put(e + first);
      bits |= lanes_in(truths) << first;
    } else {
      const Eight<D> d = finish_row<D>(t, r, least, f(first, a, b, c));
      d.put(e + first);
      if (writes_condition) bits |= row_condition(p, d) << first;
    }
    first += chunk;
  } while (first < p.lanes);
  if (writes_condition) set_flags(x, p, bits, mask);
  if (!r.nowhere) store_rows(t, p, e, mask);
}

// A handler compiled for the host's vectors.
template <Handler f>
VITRO_PLAIN_VECTORS void with_plain_vectors(Executor& x, const Plan& p) {
  f(x, p);
}
template <Handler f>
VITRO_WIDE_VECTORS void with_wide_vectors(Executor& x, const Plan& p) {
  f(x, p);
}
template <Handler f>
Handler with_vectors() {
  return lanes::host_has_wide_vectors() ? with_wide_vectors<f> : with_plain_vectors<f>;
}

}  // namespace vitro::eu
