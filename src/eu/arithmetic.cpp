// Arithmetic instructions in the host domain: the expressions of semantics.def evaluated lane by lane, between operands
// read and results written the same way for every row.
// PRM: Gen6 vol 4 part 2 chapter 8 and section 5.9 (CF-01 conditions); Gen8 vol 2a; B-32..B-36 accumulators.
#include <fmt/format.h>

#include "eu/handlers.h"
#include "eu/results.h"
#include "eu/rows.h"
#include "eu/semantics.h"

namespace vitro::eu {
namespace {

using isa::CondModifier;
using isa::Op;
using isa::Type;

// What the expressions call k, for one lane.
template <class T>
struct HostContext : Context<HostContext<T>, Num<T>> {
  const T* sa;  // the sources' lanes
  const T* sb;
  uint32_t predicate_bits = 0;
  const T* accumulator = nullptr;
  const T* tuple_values = nullptr;
  const T* second_values = nullptr;
  int l = 0;

  using N = Num<T>;
  N number(int n) const { return {T(n)}; }
  bool predicate() const { return predicate_bits >> l & 1; }
  N acc() const { return {accumulator[l]}; }
  N a4(int n) const { return {sa[(l & ~3) + n]}; }
  N b4(int n) const { return {sb[(l & ~3) + n]}; }
  N a2(int n) const { return {sa[(l & ~1) + n]}; }
  N b2(int n) const { return {sb[(l & ~1) + n]}; }
  N tuple(int n) const requires std::is_same_v<T, float> { return {tuple_values[n]}; }  // only floats are planes
  N second() const requires std::is_same_v<T, float> { return {second_values[l]}; }
};

template <class T>
bool load_sources(Executor& x, const Plan& p, Lanes<T> (&s)[3]) {
  for (int n = 0; n < p.sources; ++n)
    if (!load(x, p, p.src[n], s[n].v)) return false;
  return true;
}

// Expressions that do not make sense for a type (and of floats) have no instantiation: the validator forbids them, and
// running one is a Fault.
template <class S, class T>
concept Evaluates = requires(HostContext<T>& k, Num<T> a) {
  S::evaluate(k, a, a, a);
};
template <class S, class T>
concept Splits = requires(HostContext<T>& k, Num<T> a) {
  S::destination(k, a);
  S::accumulator(k, a);
};
template <class S, class T>
concept Meaningful = Evaluates<S, T> &&(S::kind != semantics::Kind::wide || Splits<S, T>);

// line, pln: the four floats src0 points at. pln takes u of channels 0-7 from src1 and v from the register after it,
// those of each further eight from the two after these. False: an operand is not where the instruction can read it.
bool load_plane(Executor& x, const Plan& p, float (&tuple)[4], float* u, float* v) {
  const SourcePlan& s = p.src[1];
  const int last = padded(p.lanes) / chunk * 2;
  if (p.src[0].kind != SourcePlan::Kind::grf ||
      (v && (s.kind != SourcePlan::Kind::grf || s.offset[0] + last * reg_bytes > grf_count * reg_bytes))) {
    x.stop(fmt::format("{}: a source does not lie in the registers the instruction reads", p.row->mnemonic));
    return false;
  }
  std::memcpy(tuple, x.thread.grf.data() + (p.src[0].offset[0] & ~15), sizeof tuple);
  modify(x, p, p.src[0], tuple, 4);
  if (!v) return true;
  const std::byte* base = x.thread.grf.data() + s.offset[0];
  for (int l = 0; l < padded(p.lanes); ++l) {
    const int pair = l / chunk * 2 * reg_bytes + l % chunk * 4;
    std::memcpy(&u[l], base + pair, 4);
    std::memcpy(&v[l], base + pair + reg_bytes, 4);
  }
  modify(x, p, s, u, padded(p.lanes));
  modify(x, p, s, v, padded(p.lanes));
  return true;
}

// smov: the immediate masks the channels; predicated, one that is left enables them all and no flag is asked.
uint32_t scattered(const Thread& t, const Plan& p) {
  const uint32_t left = running(t, p) & uint32_t(p.instruction.imm);
  return p.instruction.pred_ctrl == isa::PredCtrl::none ? left : left ? p.lane_mask : 0;
}

// Expressions that move, compare and select are evaluated for eight lanes at once; the compiler makes the same of
// others.
template <class S, class T>
concept EvaluatesRows = isa::has(S::op, isa::attr_moves) || S::kind == semantics::Kind::test;
// Whether a row's floats come from a computation and not from a source as it is.
template <class S, class T>
constexpr bool computes_floats = !is_int<T> && !isa::has(S::op, isa::attr_moves);
// Sources' NaNs are passed on unless the expression reads others than the channel's own elements.
template <class S, class T>
T with_nan(const Plan& p, T r, T a, T b, T c) {
  const Num<T> sources[] = {{a}, {b}, {c}};
  const size_t count = isa::has(S::op, isa::attr_across) ? 0 : size_t(p.sources);
  return with_resulting_nan(Num<T>{r}, std::span(sources, count)).v;
}

template <class S, class T>
void arithmetic(Executor& x, const Plan& p) {
  x.thread.ip = p.next_ip;
  constexpr bool select = isa::has(S::op, isa::attr_selects);
  uint32_t mask = S::op == Op::smov ? scattered(x.thread, p) : write_enable(x.thread, p);
  constexpr bool every_channel = isa::has(S::op, isa::attr_every_channel);
  if (!mask && !every_channel && !select) return;

  Lanes<T> s[3];
  if (!load_sources(x, p, s)) return;
  HostContext<T> k{{p, x.program.model()}, s[0].v, s[1].v};
  [[maybe_unused]] T accumulator[max_channels], tuple[4], second[max_channels];
  if (p.row->has(isa::attr_acc_source)) {
    read_accumulator(x, p, accumulator_type(p), accumulator);
    k.accumulator = accumulator;
  }
  if constexpr (isa::has(S::op, isa::attr_plane) && std::is_same_v<T, float>) {
    if (!load_plane(x, p, tuple, s[1].v, isa::has(S::op, isa::attr_register_pairs) ? second : nullptr)) return;
    k.tuple_values = tuple;
    k.second_values = second;
  }
  if (select) {
    k.predicate_bits = predicate_mask(x.thread, p);
    mask = running(x.thread, p);
    if (!mask) return;
  }
  if constexpr (S::kind == semantics::Kind::test) {
    uint32_t bits = 0;
    for (int l = 0; l < p.lanes; ++l) {
      k.l = l;
      bits |= uint32_t(S::evaluate(k, Num<T>{s[0].v[l]}, Num<T>{s[1].v[l]}, Num<T>{})) << l;
    }
    set_flags(x, p, bits, mask);
    write_truth(x, p, bits, mask);
  } else {
    Lanes<T> r;
    for (int c = 0; c < padded(p.lanes); c += chunk)
      for (int l = c; l < c + chunk; ++l) {
        k.l = l;
        r.v[l] = S::evaluate(k, Num<T>{s[0].v[l]}, Num<T>{s[1].v[l]}, Num<T>{s[2].v[l]}).v;
        if constexpr (computes_floats<S, T>)
          if (std::isnan(r.v[l])) r.v[l] = with_nan<S>(p, r.v[l], s[0].v[l], s[1].v[l], s[2].v[l]);
      }
    if constexpr (S::kind == semantics::Kind::wide) {
      Lanes<T> wide;
      for (int l = 0; l < padded(p.lanes); ++l) {
        wide.v[l] = S::accumulator(k, Num<T>{r.v[l]}).v;
        r.v[l] = S::destination(k, Num<T>{r.v[l]}).v;
      }
      write_accumulator(x, p, wide.v, every_channel ? p.lane_mask : mask);
      if (!mask) return;
      store_result(x, p, r.v, mask);
    } else {
      finish(x, p, r.v, mask);
    }
  }
}

// Rows whose expressions look at the sources' lanes only, and at each as it is.
template <class S>
constexpr bool has_rows = S::kind != semantics::Kind::wide && !isa::has(S::op, isa::attr_acc_source) &&
                          !isa::has(S::op, isa::attr_plane) && !isa::has(S::op, isa::attr_irregular);
// The same for the common shape (rows.h), to a destination of type D.
template <class S, class T, class D>
void rows(Executor& x, const Plan& p) {
  Thread& t = x.thread;
  t.ip = p.next_ip;
  const uint32_t predicate = predicate_mask(t, p);
  const uint32_t mask = isa::has(S::op, isa::attr_selects) ? running(t, p) : running(t, p) & predicate;
  if (!mask) return;
  using To = std::conditional_t<S::kind == semantics::Kind::test, void, D>;
  each_row<To, T>(x, p, mask, [&](int first, const Eight<T>& a, const Eight<T>& b, const Eight<T>& c) {
    if constexpr (EvaluatesRows<S, T>) {
      return S::evaluate(RowContext<T>{{p, x.program.model()}, predicate >> first}, a, b, c);
    } else {
      T sa[chunk], sb[chunk], sc[chunk], r[chunk];
      a.put(sa), b.put(sb), c.put(sc);
      HostContext<T> k{{p, x.program.model()}, sa, sb};
      for (int l = 0; l < chunk; ++l) {
        k.l = l;
        r[l] = S::evaluate(k, Num<T>{sa[l]}, Num<T>{sb[l]}, Num<T>{sc[l]}).v;
      }
      Eight<T> v = Eight<T>::get(r);
      if constexpr (computes_floats<S, T>)
        if (any(is_nan(v))) [[unlikely]] {
          for (int l = 0; l < chunk; ++l) r[l] = with_nan<S>(p, r[l], sa[l], sb[l], sc[l]);
          v = Eight<T>::get(r);
        }
      return v;
    }
  });
}

// Planes of register pairs in the common shape: u and v of eight channels are two rows, one behind the other.
bool has_plane_rows(const Plan& p) {
  const auto is_register = [&](int n) { return p.src[n].kind == SourcePlan::Kind::grf; };
  const int pairs = p.lanes / chunk;
  return p.rows.possible && is_register(0) && is_register(1) && !p.rows.src[1].same &&
         p.src[1].offset[0] + pairs * 2 * reg_bytes <= grf_count * reg_bytes;
}
template <class S>
void plane_rows(Executor& x, const Plan& p) {
  Thread& t = x.thread;
  t.ip = p.next_ip;
  const uint32_t mask = running(t, p) & predicate_mask(t, p);
  if (!mask) return;
  float tuple[4];
  std::memcpy(tuple, t.grf.data() + (p.src[0].offset[0] & ~15), sizeof tuple);
  modify(x, p, p.src[0], tuple, 4);
  using Row = Eight<float>;
  each_row<float, float>(x, p, mask, [&](int first, const Row& a, const Row&, const Row&) {
    const float least = least_kept(t, p.rows);
    float sa[chunk], u[chunk], v[chunk], r[chunk];
    a.put(sa);
    load_row<float>(t, p, 1, 2 * first, least).put(u), load_row<float>(t, p, 1, 2 * first + chunk, least).put(v);
    HostContext<float> k{{p, x.program.model()}, sa, u};
    k.tuple_values = tuple, k.second_values = v;
    for (int l = 0; l < chunk; ++l) {
      k.l = l;
      r[l] = S::evaluate(k, Num<float>{sa[l]}, Num<float>{u[l]}, Num<float>{}).v;
    }
    const Row result = Row::get(r);
    if (!any(is_nan(result))) [[likely]]
      return result;
    for (int l = 0; l < chunk; ++l)
      if (std::isnan(r[l])) r[l] = with_nan<S>(p, r[l], sa[l], u[l], 0.f);
    return Row::get(r);
  });
}

template <class S, class T>
Handler rows_handler_of(const Plan& p) {
  using Own = std::conditional_t<is_int<T>, uint32_t, float>;
  if constexpr (is_int<T> && isa::has(S::op, isa::attr_moves))
    if (p.raw) return with_vectors<rows<S, uint32_t, uint32_t>>();
  if constexpr (S::op == Op::mov) {
    if constexpr (is_int<T>) {
      if (p.dst.type == Type::f) return with_vectors<rows<S, T, float>>();
    } else {
      if (p.dst.type == Type::d) return with_vectors<rows<S, T, int32_t>>();
      if (p.dst.type == Type::ud) return with_vectors<rows<S, T, uint32_t>>();
    }
  }
  return with_vectors<rows<S, T, Own>>();
}

template <class S>
Handler handler_of(const Plan& p) {
  auto pick = [&]<class T>() -> Handler {
    if constexpr (Meaningful<S, T>) {
      if constexpr ((std::is_same_v<T, float> || std::is_same_v<T, int64_t>)&&has_rows<S>)
        if (p.rows.possible) return rows_handler_of<S, T>(p);
      if constexpr (std::is_same_v<T, float> && isa::has(S::op, isa::attr_register_pairs))
        if (has_plane_rows(p)) return with_vectors<plane_rows<S>>();
      return arithmetic<S, T>;
    } else {
      return undefined;
    }
  };
  switch (p.compute) {
    case Compute::i64: return pick.template operator()<int64_t>();
    case Compute::i128: return pick.template operator()<int128>();
    case Compute::f32: return pick.template operator()<float>();
    case Compute::f64: return pick.template operator()<double>();
  }
  return undefined;
}

}  // namespace

Handler arithmetic_handler(const Plan& p) {
  Handler h = nullptr;
  with_semantic(p.instruction.op, [&]<class S>() { h = handler_of<S>(p); });
  return h;
}

}  // namespace vitro::eu
