// Arithmetic instructions in the host domain: the expressions of semantics.def evaluated lane by lane, between operands
// read and results written the same way for every row.
// PRM: Gen6 vol 4 part 2 chapter 8 and section 5.9 (CF-01 conditions); Gen8 vol 2a; B-32..B-36 accumulators.
#include <fmt/format.h>

#include "eu/functions.h"
#include "eu/handlers.h"
#include "eu/results.h"
#include "eu/semantics.h"

namespace vitro::eu {
namespace {

using isa::CondModifier;
using isa::Op;
using isa::Type;

// What the expressions call k, for one lane.
template <class T>
struct HostContext {
  const Plan& p;
  const Thread& t;
  const isa::Model& m;
  const Lanes<T>& sa;
  const Lanes<T>& sb;
  uint32_t predicate = 0;
  const T* accumulator = nullptr;
  const T* tuple_values = nullptr;
  const T* second_values = nullptr;
  int l = 0;

  using N = Num<T>;
  N one() const { return {T(1)}; }
  N acc() const { return {accumulator[l]}; }
  N a4(int n) const { return {sa.v[(l & ~3) + n]}; }
  N b4(int n) const { return {sb.v[(l & ~3) + n]}; }
  N a2(int n) const { return {sa.v[(l & ~1) + n]}; }
  N b2(int n) const { return {sb.v[(l & ~1) + n]}; }
  N tuple(int n) const { return {tuple_values[n]}; }
  N second() const { return {second_values[l]}; }

  int width() const {
    int w = 16;
    for (int n = 0; n < p.sources; ++n) w = std::max(w, 8 * isa::size_of(p.src[n].type));
    return w;
  }
  bool is_signed() const { return isa::info(p.src[p.sources - 1].type).is_signed; }
  N raw(N a) const requires is_int<T> { return {T(Unsigned<T>(a.v) & Unsigned<T>(ones(width())))}; }
  // Six bits when src0 or the destination is 64 bits wide, else five.
  N count(N b) const requires is_int<T> {
    const bool wide = isa::size_of(p.src[0].type) == 8 || isa::size_of(p.dst.type) == 8;
    return {T(Unsigned<T>(b.v) & (wide ? 63 : 31))};
  }
  bool chooses(N a, N b) const {
    if (p.instruction.cond_modifier == CondModifier::none) return predicate >> l & 1;
    const CondModifier c = p.instruction.cond_modifier;
    // min and max: one NaN gives the other operand
    if (c == CondModifier::l || c == CondModifier::ge) {
      if (!(b.v == b.v)) return true;
      if (!(a.v == a.v)) return false;
    }
    return condition_holds(c, a.v, b.v);
  }
  bool holds(N c) const { return condition_holds(p.instruction.cond_modifier, c.v, T(0)); }
  N product(N a, N b) const {
    if constexpr (is_int<T>)
      if (m.dword_multiply_is_partial && isa::size_of(p.src[0].type) == 4 && isa::size_of(p.src[1].type) == 4)
        return Num<T>{T(Unsigned<T>(a.v) & 0xFFFF)} * b;
    return a * b;
  }
  N multiply_accumulate(N a, N b) const {
    if constexpr (is_int<T>)
      return a * b + acc();
    else
      return {std::fma(a.v, b.v, acc().v)};
  }
  // The rest of the product, on top of what mul left in the accumulator: it took the low word of one source, which of
  // the two depends on the generation.
  N multiply_high(N a, N b) const requires is_int<T> {
    const N sixteen{T(16)};
    const bool first = m.dword_multiply_is_partial;
    return acc() + shift_left(shift_right(first ? a : b, sixteen) * (first ? b : a), sixteen);
  }
  N thirty_two() const { return {T(32)}; }
  N borrow(N r) const requires is_int<T> { return {T(r.v < 0)}; }
  bool holds(N a, N b) const { return condition_holds(p.instruction.cond_modifier, a.v, b.v); }
  // cmpn: a NaN in src1 decides for src0 (FP-04), unless src0 is one too (tables 4-9 to 4-11).
  bool holds_unless_nan(N a, N b) const {
    if (!(b.v == b.v) && a.v == a.v) return p.instruction.cond_modifier != CondModifier::nz;
    return holds(a, b);
  }
  N macro_fma(N a, N b, N c) const requires(!is_int<T>) { return {std::fma(a.v, b.v, c.v)}; }
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

void meaningless(Executor& x, const Plan& p) {
  x.stop(fmt::format("{} is not defined for :{} sources", p.row->mnemonic, isa::info(p.src[0].type).name));
}

// line, pln: the four floats src0 points at. pln takes u of channels 0-7 from src1 and v from the register after it,
// those of channels 8-15 from the two after these. False: an operand is not where the instruction can read it.
bool load_plane(Executor& x, const Plan& p, float (&tuple)[4], float* u, float* v) {
  const SourcePlan& s = p.src[1];
  const int last = p.lanes > chunk ? 4 : 2;
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
  const uint32_t running = (p.instruction.no_mask ? ~0u : t.active >> p.channel) & p.lane_mask;
  const uint32_t left = running & uint32_t(p.instruction.imm);
  return p.instruction.pred_ctrl == isa::PredCtrl::none ? left : left ? p.lane_mask : 0;
}

template <class S, class T>
void arithmetic(Executor& x, const Plan& p) {
  x.thread.ip = p.next_ip;
  constexpr bool select = S::op == Op::sel;
  uint32_t mask = S::op == Op::smov ? scattered(x.thread, p) : write_enable(x.thread, p);
  constexpr bool every_channel = S::op == Op::mach;  // mach updates the accumulator whatever the mask
  if (!mask && !every_channel && !select) return;

  Lanes<T> s[3];
  if (!load_sources(x, p, s)) return;
  HostContext<T> k{p, x.thread, x.program.model(), s[0], s[1]};
  [[maybe_unused]] T accumulator[max_channels], tuple[4], second[max_channels];
  if (p.row->has(isa::attr_acc_source)) {
    read_accumulator(x, p, accumulator_type(p), accumulator);
    k.accumulator = accumulator;
  }
  if constexpr ((S::op == Op::line || S::op == Op::pln) && std::is_same_v<T, float>) {
    if (!load_plane(x, p, tuple, s[1].v, S::op == Op::pln ? second : nullptr)) return;
    k.tuple_values = tuple;
    k.second_values = second;
  }
  if (select) {
    k.predicate = predicate_mask(x.thread, p);
    mask = (p.instruction.no_mask ? ~0u : x.thread.active >> p.channel) & p.lane_mask;
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
      }
    if constexpr (S::kind == semantics::Kind::wide) {
      Lanes<T> wide;
      for (int l = 0; l < padded(p.lanes); ++l) {
        wide.v[l] = S::accumulator(k, Num<T>{r.v[l]}).v;
        r.v[l] = S::destination(k, Num<T>{r.v[l]}).v;
      }
      write_accumulator(x, p, wide.v, every_channel ? p.lane_mask : mask, Type::d, false);
      if (!mask) return;
      store_result(x, p, r.v, mask);
    } else {
      finish(x, p, r.v, mask);
    }
  }
}

// The common shape, for which the work around the expression is a few vector instructions: eights of floats or dwords
// that stand in a row or are the same for all, to a row of the same kind; no condition is written and no accumulator is
// involved. The results are those of arithmetic().
template <class T>
bool is_row(const isa::Model& m, const Plan& p, const SourcePlan& s) {
  if (!is_int<T> && keeps_denormals(p, m, s)) return false;
  if (s.kind == SourcePlan::Kind::immediate) return s.imm_count == 1 && (is_int<T> || s.type == Type::f);
  const bool type = is_int<T> ? s.type == Type::d || s.type == Type::ud : s.type == Type::f;
  return type && s.kind == SourcePlan::Kind::grf && (s.scalar || s.contiguous);
}
template <class S, class T>
bool is_common(const isa::Model& m, const Plan& p) {
  if (p.lanes % chunk || S::op == Op::line || S::op == Op::pln || S::op == Op::smov) return false;
  const isa::Instruction& i = p.instruction;
  if (i.acc_wr_ctrl || (i.saturate && is_int<T>) || p.row->has(isa::attr_acc_source)) return false;
  for (int n = 0; n < p.sources; ++n)
    if (!is_row<T>(m, p, p.src[n])) return false;
  const bool nowhere = p.dst.kind == DestinationPlan::Kind::null;
  if (S::kind == semantics::Kind::test) return nowhere;
  if (i.cond_modifier != CondModifier::none && !p.row->has(isa::attr_reads_flag)) return false;
  const bool type = is_int<T> ? p.dst.type == Type::d || p.dst.type == Type::ud : p.dst.type == Type::f;
  return type && p.dst.kind == DestinationPlan::Kind::grf && p.dst.contiguous &&
         (p.dst.channel_enable & p.lane_mask) == p.lane_mask;
}

template <class T>
void load_rows(Executor& x, const Plan& p, const SourcePlan& s, [[maybe_unused]] bool flush, T* out) {
  const std::byte* at = x.thread.grf.data() + s.offset[0];
  if (s.kind == SourcePlan::Kind::immediate || s.scalar) {
    T v{};
    if (s.kind == SourcePlan::Kind::immediate) at = reinterpret_cast<const std::byte*>(s.imm.data());
    with_element<T>(s.type, [&]<class E>() {
      E e;
      std::memcpy(&e, at, sizeof e);
      v = widen<T>(e);
    });
    for (int c = 0; c < p.lanes; c += chunk)
      for (int l = c; l < c + chunk; ++l) out[l] = v;
  } else if constexpr (is_int<T>) {
    for (int c = 0; c < p.lanes; c += chunk) {
      uint32_t e[chunk];
      std::memcpy(e, at + c * 4, sizeof e);
      if (s.type == Type::d)
        for (int l = 0; l < chunk; ++l) out[c + l] = int32_t(e[l]);
      else
        for (int l = 0; l < chunk; ++l) out[c + l] = e[l];
    }
  } else {
    std::memcpy(out, at, size_t(p.lanes) * 4);
  }
  if constexpr (!is_int<T>) {
    if (flush)
      for (int c = 0; c < p.lanes; c += chunk)
        for (int l = c; l < c + chunk; ++l) out[l] = flushed(out[l]);
    if (s.abs)
      for (int l = 0; l < p.lanes; ++l) out[l] = std::fabs(out[l]);
    if (s.negate)
      for (int l = 0; l < p.lanes; ++l) out[l] = -out[l];
  } else if (s.abs || s.negate || s.complement) {
    modify(x, p, s, out, p.lanes);
  }
}

template <class S, class T>
void rows(Executor& x, const Plan& p) {
  Thread& t = x.thread;
  t.ip = p.next_ip;
  constexpr bool select = S::op == Op::sel;
  uint32_t mask = (p.instruction.no_mask ? ~0u : t.active >> p.channel) & p.lane_mask;
  uint32_t predicate = ~0u;
  if (p.instruction.pred_ctrl != isa::PredCtrl::none) predicate = predicate_mask(t, p);
  if (!select) mask &= predicate;
  if (!mask) return;

  const bool flush = !is_int<T> && flushes(t, x.program.model(), Type::f);
  Lanes<T> s[3];
  for (int n = 0; n < p.sources; ++n) load_rows(x, p, p.src[n], flush, s[n].v);
  HostContext<T> k{p, t, x.program.model(), s[0], s[1], predicate};
  if constexpr (S::kind == semantics::Kind::test) {
    uint32_t bits = 0;
    for (int l = 0; l < p.lanes; ++l) {
      k.l = l;
      bits |= uint32_t(S::evaluate(k, Num<T>{s[0].v[l]}, Num<T>{s[1].v[l]}, Num<T>{})) << l;
    }
    set_flags(x, p, bits, mask);
  } else {
    std::conditional_t<is_int<T>, uint32_t, float> e[max_channels];
    for (int c = 0; c < p.lanes; c += chunk)
      for (int l = c; l < c + chunk; ++l) {
        k.l = l;
        const T r = S::evaluate(k, Num<T>{s[0].v[l]}, Num<T>{s[1].v[l]}, Num<T>{s[2].v[l]}).v;
        if constexpr (is_int<T>)
          e[l] = uint32_t(r);
        else
          e[l] = r;
      }
    if constexpr (!is_int<T>) {
      if (p.instruction.saturate)
        for (int l = 0; l < p.lanes; ++l) e[l] = narrow<float>(e[l], true);
      if (flush)
        for (int c = 0; c < p.lanes; c += chunk)
          for (int l = c; l < c + chunk; ++l) e[l] = flushed(e[l]);
      if (t.has(cr_alt_mode))
        for (int l = 0; l < p.lanes; ++l)
          if (std::isinf(e[l])) e[l] = std::copysign(std::numeric_limits<float>::max(), e[l]);
    }
    std::byte* to = t.grf.data() + p.dst.offset[0];
    if (mask == p.lane_mask)
      std::memcpy(to, e, size_t(p.lanes) * 4);
    else
      for (int l = 0; l < p.lanes; ++l)
        if (mask >> l & 1) std::memcpy(to + 4 * l, &e[l], 4);
  }
}

template <class S>
Handler handler_of(const isa::Model& m, const Plan& p) {
  auto pick = [&]<class T>() -> Handler {
    if constexpr (Meaningful<S, T>) {
      if constexpr ((std::is_same_v<T, float> || std::is_same_v<T, int64_t>)&&S::kind != semantics::Kind::wide)
        if (is_common<S, T>(m, p)) return rows<S, T>;
      return arithmetic<S, T>;
    } else {
      return meaningless;
    }
  };
  switch (p.compute) {
    case Compute::i64: return pick.template operator()<int64_t>();
    case Compute::i128: return pick.template operator()<int128>();
    case Compute::f32: return pick.template operator()<float>();
    case Compute::f64: return pick.template operator()<double>();
  }
  return meaningless;
}

}  // namespace

Handler arithmetic_handler(const isa::Model& m, const Plan& p) {
  Handler h = nullptr;
  with_semantic(p.instruction.op, [&]<class S>() { h = handler_of<S>(m, p); });
  return h;
}

}  // namespace vitro::eu
