// The IEEE macros: invm, rsqtm and madm, the steps of which compilers make quotients and roots that are correctly
// rounded. The first step gives an estimate of 1/b or 1/sqrt(a) and clears the early-out flag; madm refines it with
// numbers of a wider exponent. Where an operand is zero, infinite or no number (or negative, for a root), the first
// step gives the end result and sets the flag: the refinement, which asks the flag, is left out. PRM: Gen8 vol 2a
// `math` (INVM, RSQRTM: only named) and `madm`; Gen9 B-37. The estimate is better than any hardware needs to have it:
// 1/b is rounded to nearest, 1/sqrt(a) at most one unit in the last place off.
#include <fmt/format.h>

#include "eu/extended.h"
#include "eu/handlers.h"
#include "eu/results.h"
#include "eu/semantics.h"

namespace vitro::eu {
namespace {

constexpr int macro_register_lanes = 8;

bool names_register(const Plan& p, uint8_t number) {
  return p.instruction.access_mode == isa::AccessMode::align16 && number < isa::no_mme;
}

template <class T>
struct Macro {
  Executor& x;
  const Plan& p;
  Lanes<T> s[3]{}, r{};
  std::array<uint32_t, macro_register_lanes> extra{};

  bool extended() const { return names_register(p, p.instruction.dst.chan_en); }
  bool start() {
    bool any = extended();
    for (int n = 0; n < p.sources; ++n) {
      if (!load(x, p, p.src[n], s[n].v)) return false;
      any = any || names_register(p, p.instruction.src[size_t(n)].chan_sel);
    }
    if (any && p.lanes > macro_register_lanes) {
      x.stop(fmt::format("mme registers serve {} channels, not {}", macro_register_lanes, p.lanes));
      return false;
    }
    return true;
  }
  Extended<T> source(int n, int lane) const {
    const uint8_t number = p.instruction.src[size_t(n)].chan_sel;
    const T value = s[n].v[lane];
    if (!names_register(p, number) || value == 0 || !std::isfinite(value)) return {value};
    return {value, Extended<T>::count_of(x.thread.mme[number][size_t(lane)])};
  }
  void result(int lane, const Extended<T>& e) {
    r.v[lane] = e.value;
    if (extended()) extra[size_t(lane)] = e.bits();
  }
  void end(uint32_t mask) {
    finish(x, p, r.v, mask);
    if (!extended()) return;
    for (int l = 0; l < p.lanes; ++l)
      if (mask >> l & 1) x.thread.mme[p.instruction.dst.chan_en][size_t(l)] = extra[size_t(l)];
  }
  // What the expression of semantics.def calls.
  Extended<T> macro_fma(const Extended<T>& b, const Extended<T>& c, const Extended<T>& a) const {
    return fused(b, c, a, extended());
  }
};

template <class T>
void multiply_add(Executor& x, const Plan& p) {
  x.thread.ip = p.next_ip;
  const uint32_t mask = write_enable(x.thread, p);
  if (!mask) return;
  Macro<T> m{x, p};
  if (!m.start()) return;
  for (int l = 0; l < p.lanes; ++l)
    m.result(l, semantics::madm::evaluate(m, m.source(0, l), m.source(1, l), m.source(2, l)));
  m.end(mask);
}

// The estimate of a number that is neither zero, infinite nor NaN: from its mantissa in [1, 4), then scaled. 1/b is
// rounded to nearest: a refined reciprocal that is off by one unit would spoil quotients near the middle of two
// numbers. 1/sqrt(a) is cut to 24 bits and one unit less: always too small, so that the refined root comes from below
// and does not step onto the number above the right one, as it would for the largest number of all.
template <class T>
Extended<T> estimate(const Extended<T>& x, bool root, bool extended) {
  Magnitude m = magnitude(x).shifted_up(Extended<T>::digits);
  int e = m.top();
  T mantissa = std::ldexp(T(uint64_t(m.mantissa)), 1 - Extended<T>::digits);
  if (root && e % 2 != 0) mantissa *= 2, --e;
  const T y = root ? T(std::ldexp(std::floor(std::ldexp(1 / std::sqrt(double(mantissa)), 24)) - 1, -24)) : 1 / mantissa;
  m = magnitude(Extended<T>{y});
  m.exponent -= root ? e / 2 : e;
  return rounded<T>(std::signbit(x.value), m, extended);
}

bool decided(double v) { return v == 0 || !std::isfinite(v); }

template <class T, bool root>
void first_step(Executor& x, const Plan& p) {
  x.thread.ip = p.next_ip;
  const uint32_t mask = write_enable(x.thread, p);
  if (!mask) return;
  Macro<T> m{x, p};
  if (!m.start()) return;
  uint32_t early_out = 0;
  {
    const HostFloats rounding(HostFloats::nearest);  // functions round to nearest even (I-math)
    for (int l = 0; l < p.lanes; ++l) {
      const Extended<T> a = m.source(0, l), b = root ? a : m.source(1, l);
      const bool out = decided(a.value) || decided(b.value) || (root && a.value < 0);
      early_out |= uint32_t(out) << l;
      if (out)
        m.result(l, {root ? std::sqrt(a.value) : a.value / b.value});
      else
        m.result(l, estimate(b, root, m.extended()));
    }
  }
  set_flags(x, p, early_out, mask);
  m.end(mask);
}

template <class T>
Handler handler(const Plan& p) {
  if (p.instruction.op == isa::Op::madm) return multiply_add<T>;
  return p.instruction.math == isa::MathFunction::rsqtm ? first_step<T, true> : first_step<T, false>;
}

}  // namespace

Handler macro_handler(const Plan& p) {
  for (int n = 0; n < p.sources; ++n)
    if (p.src[n].type != p.src[0].type) return undefined;
  if (p.src[0].type == isa::Type::f) return handler<float>(p);
  if (p.src[0].type == isa::Type::df) return handler<double>(p);
  return undefined;
}

}  // namespace vitro::eu
