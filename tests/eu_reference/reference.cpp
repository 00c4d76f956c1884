// The reference of one channel: sources made exact, one operation, one rounding, then saturation and conversion.
#include "reference.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace vitro::reference {
namespace {

using isa::CondModifier;
using isa::Op;
using isa::Type;

uint64_t size_mask(Type t) { return isa::size_of(t) == 8 ? ~0ull : (1ull << 8 * isa::size_of(t)) - 1; }
int128 lowest(Type t) { return isa::info(t).is_signed ? -(int128(1) << (8 * isa::size_of(t) - 1)) : 0; }
int128 highest(Type t) { return (int128(1) << (8 * isa::size_of(t) - (isa::info(t).is_signed ? 1 : 0))) - 1; }
int128 integer_of(Type t, uint64_t bits) {
  int128 v = int128(bits & size_mask(t));
  return v > highest(t) ? v - (int128(1) << 8 * isa::size_of(t)) : v;
}
double flush(Type t, double v) { return std::fabs(v) < least_normal(t) ? std::copysign(0.0, v) : v; }

// A channel's number: a float of some type, or an exact integer.
struct Number {
  bool real = false;
  double d = 0;
  int128 i = 0;
};

template <class T>
bool holds(CondModifier c, T a, T b) {
  switch (c) {
    case CondModifier::z: return a == b;
    case CondModifier::nz: return !(a == b);
    case CondModifier::g: return a > b;
    case CondModifier::ge: return a >= b;
    case CondModifier::l: return a < b;
    case CondModifier::le: return a <= b;
    default: return false;
  }
}
bool is_nan(const Number& a) { return a.real && std::isnan(a.d); }

bool flushes(const Trial& s) { return !s.model->controls_denormals || !s.keep_denormals; }

// Where doubles become floats, what rounds up to the least normal number is no denormal (docs/decisions/0006).
bool flushes_first(const Trial& s, int sources) {
  const bool doubles = std::any_of(s.src.begin(), s.src.begin() + sources, [](Type t) { return t == Type::df; });
  return flushes(s) && !(doubles && s.dst == Type::f);
}

// A mov within a type keeps denormals where cr0 controls them, and one between half and single precision those of the
// half, whatever the mode: it is what f16to32 and f32to16 became.
bool moves_denormals(const Trial& s) {
  const auto small = [](Type t) { return t == Type::hf || t == Type::f; };
  return s.op == Op::mov && s.model->controls_denormals && (s.src[0] == s.dst || (small(s.src[0]) && small(s.dst)));
}

// mov and sel that only copy. A mov with modifiers or saturation keeps denormals where cr0 controls them.
bool copies(const Trial& s, int sources) {
  if ((s.op != Op::mov && s.op != Op::sel) || s.cond != CondModifier::none || s.saturate) return false;
  for (int n = 0; n < sources; ++n)
    if (s.src[size_t(n)] != s.dst || s.abs[size_t(n)] || s.negate[size_t(n)]) return false;
  return true;
}

Number source(const Trial& s, int n, uint64_t bits) {
  const Type t = s.src[size_t(n)];
  Number v{isa::is_float(t)};
  if (v.real) {
    v.d = value_of(t, bits);
    const bool keeps = moves_denormals(s) && (t == s.dst || t == Type::hf);
    if (flushes(s) && !keeps) v.d = flush(t, v.d);
    if (s.abs[size_t(n)]) v.d = std::fabs(v.d);
    if (s.negate[size_t(n)]) v.d = -v.d;
    return v;
  }
  v.i = integer_of(t, bits);
  const bool logic = s.model->row(s.op)->has(isa::attr_logic) && s.model->logic_negate_is_not;
  if (s.abs[size_t(n)] && !logic && v.i < 0) v.i = -v.i;
  if (s.negate[size_t(n)]) v.i = logic ? -v.i - 1 : -v.i;
  return v;
}

Type execution_type(const Trial& s, int sources) {
  bool single = s.dst == Type::f;
  for (int n = 0; n < sources; ++n) {
    if (s.src[size_t(n)] == Type::df) return Type::df;
    single = single || s.src[size_t(n)] == Type::f;
  }
  return single ? Type::f : Type::hf;
}

// An element of src0 as a number without a sign.
int128 element_bits(const Trial& s, int128 v) { return v & ((int128(1) << 8 * isa::size_of(s.src[0])) - 1); }

int128 shifted_right(int128 v, int n) {  // floor of v / 2^n
  const int128 unit = int128(1) << n;
  int128 q = v / unit;
  if (v % unit < 0) --q;
  return q;
}

// False: not an integer operation of one channel.
bool integer_operation(const Trial& s, const Number* v, bool predicate, int128& r, bool& truth) {
  const int128 a = v[0].i, b = v[1].i, c = v[2].i;
  const auto dword = [](int128 x) { return uint32_t(x); };
  const bool wide = isa::size_of(s.src[0]) == 8 || isa::size_of(s.dst) == 8;
  const int count = int(b & (wide ? 63 : 31));
  const bool is_signed = s.src[0] == Type::d;
  switch (s.op) {
    case Op::mov: r = a; return true;
    case Op::sel:
      truth = s.cond == CondModifier::none ? predicate : holds(s.cond, a, b);
      r = truth ? a : b;
      return true;
    case Op::not_: r = -a - 1; return true;
    case Op::and_: r = a & b; return true;
    case Op::or_: r = a | b; return true;
    case Op::xor_: r = a ^ b; return true;
    case Op::shr: r = shifted_right(element_bits(s, a), count); return true;
    case Op::shl: r = a * (int128(1) << count); return true;
    case Op::asr: r = shifted_right(a, count); return true;
    case Op::cmp:
    case Op::cmpn: truth = holds(s.cond, a, b); return true;
    case Op::add: r = a + b; return true;
    case Op::addc: r = a + b; return true;
    case Op::subb: r = a - b; return true;
    case Op::avg: r = shifted_right(a + b + 1, 1); return true;
    case Op::mul:
      if (s.model->dword_multiply_is_partial && isa::size_of(s.src[0]) == 4 && isa::size_of(s.src[1]) == 4)
        r = (a & 0xFFFF) * b;
      else
        r = a * b;
      return true;
    case Op::bfrev: {
      uint32_t out = 0;
      for (int n = 0; n < 32; ++n)
        if (dword(a) & (1u << n)) out |= 0x80000000u >> n;
      r = out;
      return true;
    }
    case Op::lzd:
      for (r = 0; r < 32 && !(dword(a) & (0x80000000u >> int(r)));) ++r;
      return true;
    case Op::fbh: {
      const uint32_t x = is_signed && a < 0 ? ~dword(a) : dword(a);
      for (r = 0; r < 32 && !(x & (0x80000000u >> int(r)));) ++r;
      if (r == 32) r = 0xFFFFFFFF;
      return true;
    }
    case Op::fbl:
      for (r = 0; r < 32 && !(dword(a) & (1u << int(r)));) ++r;
      if (r == 32) r = 0xFFFFFFFF;
      return true;
    case Op::cbit:
      r = 0;
      for (int n = 0; n < 32; ++n) r += dword(a) >> n & 1;
      return true;
    case Op::bfe: {
      const int width = int(a & 31), at = int(b & 31);
      r = 0;
      for (int n = 0; n < width; ++n)
        if (at + n < 32 && (dword(c) >> (at + n) & 1)) r += int128(1) << n;
      // the sign is the field's top bit, or bit 31 if the field reaches past it
      const int top = std::min(at + width, 32) - 1;
      if (width && is_signed && (dword(c) >> top & 1)) r -= int128(1) << (top - at + 1);
      return true;
    }
    case Op::bfi1: r = ((int128(1) << int(a & 31)) - 1) * (int128(1) << int(b & 31)); return true;
    case Op::bfi2: {
      int at = 0;
      while (at < 31 && !(dword(a) >> at & 1)) ++at;
      if (dword(a) == 0) at = 0;
      r = ((dword(b) << at) & dword(a)) | (dword(c) & ~dword(a));
      return true;
    }
    default: return false;
  }
}

bool float_operation(const Trial& s, int sources, const Number* v, bool predicate, double& r, bool& truth) {
  const double a = v[0].d, b = v[1].d, c = v[2].d;
  const Type t = execution_type(s, sources);
  const Rounds rounds(s.rounding, flushes_first(s, sources));
  switch (s.op) {
    case Op::mov: r = a; return true;
    case Op::sel:
      if (s.cond == CondModifier::none)
        truth = predicate;
      else if (s.cond == CondModifier::l || s.cond == CondModifier::ge)
        truth = is_nan(v[1]) || (!is_nan(v[0]) && holds(s.cond, a, b));
      else
        truth = holds(s.cond, a, b);
      r = truth ? a : b;
      return true;
    case Op::csel: r = holds(s.cond, c, 0.0) ? a : b; return true;
    case Op::cmp: truth = holds(s.cond, a, b); return true;
    case Op::cmpn: truth = !is_nan(v[0]) && (is_nan(v[1]) || holds(s.cond, a, b)); return true;
    case Op::add: r = compute(RealOp::add, t, rounds, a, b); return true;
    case Op::mul: r = compute(RealOp::mul, t, rounds, a, b); return true;
    case Op::mad: r = compute(RealOp::fma, t, rounds, b, c, a); return true;
    case Op::madm: r = compute(RealOp::fma, t, s.rounding, b, c, a); return true;
    case Op::frc: r = compute(RealOp::fraction, t, rounds, a); return true;
    case Op::rndu: r = compute(RealOp::ceil, t, rounds, a); return true;
    case Op::rndd: r = compute(RealOp::floor, t, rounds, a); return true;
    case Op::rnde: r = compute(RealOp::even, t, rounds, a); return true;
    case Op::rndz: r = compute(RealOp::trunc, t, rounds, a); return true;
    default: return false;
  }
}

uint64_t ones_if(bool truth, Type t) { return truth ? size_mask(t) : 0; }

}  // namespace

Expected expected(const Trial& s, const std::array<uint64_t, 3>& bits, bool predicate) {
  Expected e;
  isa::Instruction shape;
  shape.op = s.op;
  const int sources = isa::source_count(*s.model->row(s.op), shape);
  if (copies(s, sources)) {
    e.bits = bits[s.op == Op::sel && !predicate ? 1 : 0] & size_mask(s.dst);
    return e;
  }
  Number v[3];
  bool infinite = false;
  for (int n = 0; n < sources; ++n) {
    v[n] = source(s, n, bits[size_t(n)]);
    infinite = infinite || (v[n].real && std::isinf(v[n].d));
    // negating an unsigned dword takes a 33rd bit, and a 64-bit minimum has no negative: undefined products and shifts
    if (!v[n].real && isa::size_of(s.src[size_t(n)]) == 8 && (v[n].i < -(int128(1) << 63))) e.defined = false;
  }
  bool truth = false;
  Number r{v[0].real};
  e.defined = e.defined && (r.real ? float_operation(s, sources, v, predicate, r.d, truth)
                                   : integer_operation(s, v, predicate, r.i, truth));
  if (s.op == Op::cmp || s.op == Op::cmpn) {
    e.flag = truth;
    e.bits = ones_if(truth, s.dst);
    return e;
  }

  bool overflow = false;
  if (isa::is_float(s.dst)) {
    const bool keeps =
        (moves_denormals(s) && (s.src[0] == s.dst || s.dst == Type::hf || s.src[0] == Type::hf)) || s.op == Op::madm;
    double d = 0;
    if (r.real) {
      const bool finite = std::isfinite(r.d);
      d = compute(RealOp::set, s.dst, {s.rounding, flushes_first(s, sources) && !keeps}, r.d);
      overflow = (!finite && !std::isnan(r.d)) || (finite && std::isinf(d));
    } else {
      d = round_integer(s.dst, s.rounding, r.i);
      overflow = std::isinf(d);
    }
    e.has_flag = s.cond != CondModifier::o || (!infinite && s.rounding == 0);
    if (s.saturate) d = std::isnan(d) || !(d > 0) ? 0 : std::min(d, 1.0);
    if (flushes(s) && (!keeps || s.op == Op::madm)) d = flush(s.dst, d);
    if (s.alt && s.dst == Type::f && std::isinf(d)) d = std::copysign(double(std::numeric_limits<float>::max()), d);
    e.nan = std::isnan(d);
    e.bits = bits_of(s.dst, d);
    e.flag = s.cond == CondModifier::o ? overflow : s.cond == CondModifier::u ? e.nan : holds(s.cond, d, 0.0);
  } else {
    int128 i = r.i;
    if (r.real) {
      const double whole = std::trunc(r.d);
      i = std::isnan(r.d)                                     ? 0
          : whole >= std::ldexp(1.0, 8 * isa::size_of(s.dst)) ? highest(s.dst)
          : whole <= -std::ldexp(1.0, 64)                     ? lowest(s.dst)
                                                              : int128(whole);
      i = std::min(std::max(i, lowest(s.dst)), highest(s.dst));
      e.has_flag = s.cond != CondModifier::o;
    }
    overflow = i < lowest(s.dst) || i > highest(s.dst);
    if (s.saturate) i = std::min(std::max(i, lowest(s.dst)), highest(s.dst));
    e.bits = uint64_t(i) & size_mask(s.dst);
    e.flag = s.cond == CondModifier::o   ? overflow
             : s.cond == CondModifier::u ? false
                                         : holds(s.cond, integer_of(s.dst, e.bits), int128(0));
  }
  return e;
}

bool matches(Type type, const Expected& e, uint64_t bits) {
  if (!e.defined) return true;
  if (e.nan) return std::isnan(value_of(type, bits));
  return bits == e.bits;
}

std::vector<uint64_t> corner_values(Type t) {
  std::vector<uint64_t> out;
  if (!isa::is_float(t)) {
    const int width = 8 * isa::size_of(t);
    const uint64_t top = 1ull << (width - 1);
    for (uint64_t v : {uint64_t(0),
                       uint64_t(1),
                       uint64_t(2),
                       uint64_t(5),
                       uint64_t(31),
                       uint64_t(32),
                       uint64_t(33),
                       uint64_t(63),
                       ~uint64_t(0),
                       ~uint64_t(1),
                       top,
                       top + 1,
                       top - 1,
                       top - 2,
                       uint64_t(0x5555555555555555),
                       uint64_t(0xAAAAAAAAAAAAAAAA),
                       uint64_t(0x7F),
                       uint64_t(0x80),
                       uint64_t(0xFF80),
                       uint64_t(0x7FFF),
                       uint64_t(0x8000),
                       uint64_t(0xFFFF),
                       uint64_t(0x10000),
                       uint64_t(0x1000001),
                       uint64_t(0x7FFFFFFF),
                       uint64_t(0x80000000),
                       uint64_t(0xFFFFFFFF),
                       uint64_t(0x20000000000001)}) {
      v &= size_mask(t);
      bool known = false;
      for (uint64_t o : out) known = known || o == v;
      if (!known) out.push_back(v);
    }
    return out;
  }
  const double eps = t == Type::hf ? 0x1p-10 : t == Type::f ? 0x1p-23 : 0x1p-52;
  const double least = least_normal(t);
  const double most = t == Type::hf ? 65504.0 : t == Type::f ? 0x1.fffffep127 : 0x1.fffffffffffffp1023;
  const double third = compute(RealOp::inv, t, 0, 3.0);
  for (double v : {0.0,
                   least * eps,
                   least * (1 - eps),
                   least,
                   least * (1 + eps),
                   0.25,
                   third,
                   0.5 * (1 - eps / 2),
                   0.5,
                   0.5 * (1 + eps),
                   1 - eps / 2,
                   1.0,
                   1 + eps,
                   1.5,
                   1 + 0x1p-9,
                   1 + 3 * eps,
                   2.0,
                   2.5,
                   3.0,
                   3.5,
                   127.5,
                   128.0,
                   255.5,
                   256.0,
                   1 / eps,
                   1 / eps + 1,
                   2 / eps - 1,
                   32767.5,
                   32768.0,
                   65520.0,
                   65536.0,
                   0x1p31,
                   0x1p32,
                   0x1.fffffep31,
                   0x1p63,
                   0x1p64,
                   std::sqrt(most),
                   most * (1 - eps),
                   most,
                   HUGE_VAL}) {
    const double rounded = compute(RealOp::set, t, 0, v);
    if (std::isinf(rounded) && !std::isinf(v)) continue;
    out.push_back(bits_of(t, rounded));
    out.push_back(bits_of(t, -rounded));
  }
  out.push_back(bits_of(t, NAN));
  return out;
}

uint64_t mix(uint64_t x) {
  x += 0x9E3779B97F4A7C15;
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9;
  x = (x ^ x >> 27) * 0x94D049BB133111EB;
  return x ^ x >> 31;
}

// Half of the random floats are near one, so that sums and products round; the rest are any bits.
uint64_t random_value(Type t, uint64_t seed) {
  const uint64_t r = mix(seed);
  if (!isa::is_float(t)) return (r >> (mix(r) & (mix(seed + 1) & 1 ? 63 : 0))) & size_mask(t);
  if (mix(r) & 1) return r & size_mask(t);
  const double near = std::ldexp(1 + double(r >> 12) * 0x1p-52, int(mix(r) >> 8 & 7) - 3);
  return bits_of(t, compute(RealOp::set, t, 0, mix(r) & 2 ? near : -near));
}

}  // namespace vitro::reference
