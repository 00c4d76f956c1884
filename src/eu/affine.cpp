// The domain of affine numbers, and following a thread through straight code. PRM: none, as affine.h.
#include "eu/affine.h"

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstring>
#include <limits>

#include "eu/accumulators.h"
#include "eu/context.h"
#include "eu/semantics.h"

namespace vitro::eu {
namespace {

using Kind = AffineValue::Kind;
constexpr int fraction_bits = AffineValue::fraction_bits;
constexpr int64_t one = 1 << fraction_bits, most_number = int64_t{1} << (15 + fraction_bits);
constexpr unsigned most_instructions = 256;

AffineValue number(int64_t at, int64_t dx = 0, int64_t dy = 0) { return {Kind::number, at, dx, dy}; }

// The same as a domain of its own.
struct Value : AffineValue {
  static constexpr bool is_integer = true, is_float = true;  // whatever it is
  Value() = default;
  Value(const AffineValue& v) : AffineValue(v) {}
};
Value whole_number(int n) { return number(n * one); }

Value operator+(const Value& a, const Value& b) {
  if (!a.is_number() || !b.is_number()) return {};
  return number(a.at + b.at, a.dx + b.dx, a.dy + b.dy);
}
Value operator-(const Value& a) { return a.is_number() ? Value(number(-a.at, -a.dx, -a.dy)) : Value{}; }
Value operator-(const Value& a, const Value& b) { return a + -b; }
Value operator*(const Value& a, const Value& b) {
  if (!a.is_number() || !b.is_number()) return {};
  if (!b.is_constant()) return a.is_constant() ? b * a : Value{};
  const int64_t products[] = {a.at * b.at, a.dx * b.at, a.dy * b.at};
  for (const int64_t p : products)
    if (p & (one - 1)) return {};
  return number(products[0] >> fraction_bits, products[1] >> fraction_bits, products[2] >> fraction_bits);
}
Value fma(const Value& a, const Value& b, const Value& c) { return a * b + c; }
Value operator&(const Value& a, const Value& b) {
  return a.is_constant() && b.is_constant() ? Value(number(a.at & b.at)) : Value{};
}
Value shift_left(const Value& a, const Value& n) {
  if (!n.is_constant() || n.at < 0 || n.whole() > 15) return {};
  return a * Value(number(one << n.whole()));
}
// A number that is whole everywhere.
Value rounded(const Value& a) { return a.is_number() && !((a.at | a.dx | a.dy) & (one - 1)) ? a : Value{}; }
Value floor(const Value& a) { return rounded(a); }
Value ceiling(const Value& a) { return rounded(a); }
Value truncate(const Value& a) { return rounded(a); }
Value nearest_even(const Value& a) { return rounded(a); }
Value copy_sign(const Value& a, const Value& sign) {
  return a.is_number() && a.at == sign.at && a.dx == sign.dx && a.dy == sign.dy ? a : Value{};
}
template <class N>
Value constant(const Value&, N n) {
  if constexpr (std::is_integral_v<N>)
    if (int64_t(n) < one << 22 && int64_t(n) > -(one << 22)) return number(int64_t(n) * one);
  return {};
}

// Whatever else is done with them, what comes of it is not known; nor are truths.
#define VITRO_UNKNOWN(name)                    \
  template <std::same_as<Value> V, class... A> \
  Value name(const V&, const A&...) {          \
    return {};                                 \
  }
// clang-format off
VITRO_UNKNOWN(operator|) VITRO_UNKNOWN(operator^) VITRO_UNKNOWN(operator<) VITRO_UNKNOWN(operator>)
VITRO_UNKNOWN(operator==) VITRO_UNKNOWN(select) VITRO_UNKNOWN(shift_right) VITRO_UNKNOWN(as_unsigned)
VITRO_UNKNOWN(dword) VITRO_UNKNOWN(signed_dword) VITRO_UNKNOWN(reverse_bits) VITRO_UNKNOWN(leading_zeros)
VITRO_UNKNOWN(trailing_zeros) VITRO_UNKNOWN(count_bits) VITRO_UNKNOWN(absolute) VITRO_UNKNOWN(below_one)
VITRO_UNKNOWN(is_nan)
template <std::same_as<Value> V> V operator~(const V&) { return {}; }
template <std::same_as<Value> V> V operator!(const V&) { return {}; }
// clang-format on
#undef VITRO_UNKNOWN
Value in_relation(unsigned, const Value&, const Value&) { return {}; }

// What the expressions call k.
struct AffineContext : Context<AffineContext, Value> {
  Value number(int n) const { return whole_number(n); }
  Value predicate() const { return {}; }
  Value acc() const { return {}; }
  Value a4(int) const { return {}; }
  Value b4(int) const { return {}; }
  Value a2(int) const { return {}; }
  Value b2(int) const { return {}; }
  Value tuple(int) const { return {}; }
  Value second() const { return {}; }
  Value macro_fma(Value, Value, Value) const { return {}; }
};

// The number that an element's bytes are; unknown if it is none of ours.
AffineValue number_in(const std::byte* from, isa::Type type) {
  double v = 0;
  bool known = true;
  const auto take = [&]<class E>(E e) {
    std::memcpy(&e, from, sizeof e);
    v = double(e);
  };
  switch (type) {
    case isa::Type::ub: take(uint8_t{}); break;
    case isa::Type::b: take(int8_t{}); break;
    case isa::Type::uw: take(uint16_t{}); break;
    case isa::Type::w: take(int16_t{}); break;
    case isa::Type::ud: take(uint32_t{}); break;
    case isa::Type::d: take(int32_t{}); break;
    case isa::Type::f: take(float{}); break;
    default: known = false; break;
  }
  const double scaled = v * double(one);
  if (!known || !(std::fabs(scaled) <= double(most_number)) || scaled != std::floor(scaled)) return {};
  return number(int64_t(scaled));
}

bool sends(const Plan& p) { return p.row->format == isa::Format::send || p.row->format == isa::Format::split_send; }

}  // namespace

AffineThread::AffineThread(const Program& program, const PlaceRange& places) : program_(program), places_(places) {
  elements_.reserve(256);
  state_.fill(unlike);
}

int64_t AffineThread::least(const AffineValue& v) const {
  return v.at + v.dx * (v.dx > 0 ? places_.x0 : places_.x1) + v.dy * (v.dy > 0 ? places_.y0 : places_.y1);
}
int64_t AffineThread::most(const AffineValue& v) const {
  return v.at + v.dx * (v.dx > 0 ? places_.x1 : places_.x0) + v.dy * (v.dy > 0 ? places_.y1 : places_.y0);
}
// Whether an element of a type can be this number at all places.
bool AffineThread::holds(const AffineValue& v, isa::Type type) const {
  const isa::TypeInfo& t = isa::info(type);
  if (least(v) < -most_number || most(v) > most_number) return false;
  if (t.is_float) return type == isa::Type::f;
  if (t.size > 4 || ((v.at | v.dx | v.dy) & (one - 1))) return false;
  const int bits = 8 * t.size - t.is_signed;
  const int64_t end = int64_t{1} << bits;
  return least(v) >= (t.is_signed ? -end * one : 0) && most(v) <= (end - 1) * one;
}

void AffineThread::set_state(unsigned first, unsigned bytes, uint16_t state) {
  std::fill_n(state_.begin() + first, bytes, state);
}
void AffineThread::store(unsigned at, isa::Type type, const AffineValue& value) {
  const auto bytes = unsigned(isa::size_of(type));
  if (value.kind == Kind::unknown || elements_.size() >= std::numeric_limits<uint16_t>::max() - first_element)
    return set_unknown(at, bytes);
  set_state(at, bytes, uint16_t(first_element + elements_.size()));
  elements_.push_back({value, at, type});
}
void AffineThread::set_number(unsigned at, isa::Type type, int dx, int dy) {
  AffineValue v = number_in(thread.grf.data() + at, type);
  v.dx = dx * one, v.dy = dy * one;
  store(at, type, v.is_number() && holds(v, type) ? v : AffineValue{});
}
void AffineThread::set_mark(unsigned at, uint32_t mark) {
  store(at, isa::Type::ud, {.kind = Kind::mark, .mark = mark});
}

bool AffineThread::is_same(unsigned at, unsigned bytes) const {
  return std::all_of(state_.begin() + at, state_.begin() + at + bytes, [](uint16_t s) { return s == same; });
}
AffineValue AffineThread::element(unsigned at, isa::Type type) const {
  const auto bytes = unsigned(isa::size_of(type));
  if (at + bytes > state_.size()) return {};
  if (is_same(at, bytes)) return number_in(thread.grf.data() + at, type);
  const uint16_t s = state_[at];
  if (s < first_element) return {};
  for (unsigned n = 1; n < bytes; ++n)
    if (state_[at + n] != s) return {};
  const Element& e = elements_[s - first_element];
  if (e.at != at || isa::size_of(e.type) != int(bytes)) return {};
  if (e.value.kind == Kind::mark) return e.value;
  // Of another type it is the same number if that has it, too.
  return isa::info(type).is_float == isa::info(e.type).is_float && holds(e.value, type) ? e.value : AffineValue{};
}

// A plane without slopes, at a place that is some number: zeros are added to its constant, which stays as it is unless
// it is a zero below zero.
bool AffineThread::is_flat(const Plan& p, int lane) const {
  if (!p.row->has(isa::attr_register_pairs) || thread.rounding_mode() != 0 || p.src[0].abs || p.src[0].negate ||
      p.src[1].abs || p.src[1].negate)
    return false;
  const unsigned tuple = p.src[0].offset[0] & ~15u;
  const unsigned place = p.src[1].offset[0] + unsigned(lane / 8 * 2 * reg_bytes + lane % 8 * 4);
  std::array<uint32_t, 4> plane;
  if (!is_same(tuple, sizeof plane) || place + reg_bytes + 4 > state_.size()) return false;
  std::memcpy(plane.data(), thread.grf.data() + tuple, sizeof plane);
  constexpr uint32_t sign = 0x80000000;
  const auto all_finite = [&](unsigned at) {
    return std::all_of(state_.begin() + at, state_.begin() + at + 4, [](uint16_t s) { return s == finite; });
  };
  return !(plane[0] & ~sign) && !(plane[1] & ~sign) && plane[3] != sign && all_finite(place) &&
         all_finite(place + reg_bytes);
}

// A source's element with its modifiers; `same` stays if its bits are the same everywhere.
AffineValue AffineThread::source(const Plan& p, int n, int lane, bool& same) const {
  const SourcePlan& s = p.src[n];
  AffineValue v;
  if (s.kind == SourcePlan::Kind::immediate) {
    v = number_in(reinterpret_cast<const std::byte*>(&s.imm[size_t(lane) % s.imm_count]), s.type);
  } else {
    const unsigned at = s.offset[size_t(lane)];
    same = same && is_same(at, unsigned(isa::size_of(s.type)));
    v = element(at, s.type);
  }
  if (v.is_number() && s.abs) v = v.is_constant() ? number(std::abs(v.at)) : AffineValue{};
  if (s.complement || (s.negate && !v.is_number())) return {};
  return s.negate ? -Value(v) : v;
}

// What the destination gets of a result.
AffineValue AffineThread::stored(const Plan& p, AffineValue v) const {
  if (v.kind == Kind::mark)
    return p.raw && isa::size_of(p.src[0].type) == 4 && isa::size_of(p.dst.type) == 4 ? v : AffineValue{};
  if (!v.is_number() || p.instruction.saturate) return {};
  if (p.compute != Compute::i64 && p.compute != Compute::f32) return {};
  if (p.compute == Compute::f32 && !holds(v, isa::Type::f)) return {};
  // To integers, floats go towards zero.
  if (!isa::info(p.dst.type).is_float && ((v.dx | v.dy) & (one - 1)) == 0 && least(v) >= 0) v.at &= ~(one - 1);
  return holds(v, p.dst.type) ? v : AffineValue{};
}

bool AffineThread::step(const Plan& p) {
  using isa::Format;
  const Format format = p.row->format;
  const bool nothing = format == Format::nullary;
  if (format > Format::math || (nothing && p.illegal_code)) return false;
  if (p.predicate != Plan::Predicate::none || accumulates(p).reads) return false;
  if (format != Format::math && p.condition != isa::CondModifier::none && !p.row->has(isa::attr_reads_flag))
    return false;
  if (!nothing && p.dst.kind != DestinationPlan::Kind::grf && p.dst.kind != DestinationPlan::Kind::null) return false;
  for (int n = 0; n < p.sources; ++n)
    if (p.src[n].kind != SourcePlan::Kind::grf && p.src[n].kind != SourcePlan::Kind::immediate) return false;

  const uint32_t lanes = running(thread, p) & p.dst.channel_enable;
  // What looks at more than its own lane is not followed, nor what is rounded on its way.
  const bool plain = !p.row->has(isa::attr_across) && !p.row->has(isa::attr_irregular) &&
                     p.instruction.op != isa::Op::lrp && format != Format::math;
  std::array<AffineValue, max_channels> results;
  uint32_t known = 0;  // lanes whose bits are the same everywhere
  const AffineContext k{{p, program_.model()}};
  for (int l = 0; l < p.lanes && !nothing; ++l) {
    bool same = !p.row->has(isa::attr_across) && !p.row->has(isa::attr_irregular);
    AffineValue s[3];
    for (int n = 0; n < p.sources; ++n) s[n] = source(p, n, l, same);
    if (p.row->has(isa::attr_plane)) same = is_flat(p, l);
    known |= uint32_t(same) << l;
    if (same || !plain) continue;
    with_semantic(p.instruction.op, [&]<class S>() {
      if constexpr (S::kind == semantics::Kind::plain)
        results[size_t(l)] = stored(p, S::evaluate(k, Value(s[0]), Value(s[1]), Value(s[2])));
    });
  }
  const SharedFunctions none{};
  Executor x{thread, program_, none};
  if (x.run(1) != Status::running || x.fault) return false;
  if (nothing || p.dst.kind == DestinationPlan::Kind::null) return true;
  const auto bytes = unsigned(isa::size_of(p.dst.type));
  // A division writes more than its destination.
  if (format == Format::math && p.instruction.math == isa::MathFunction::idiv) return false;
  for (int l = 0; l < p.lanes; ++l) {
    if (!(lanes >> l & 1)) continue;
    const unsigned at = p.dst.offset[size_t(l)];
    const AffineValue& v = results[size_t(l)];
    if (known >> l & 1)
      set_same(at, bytes);
    else  // what the model has is the last word
      store(at, p.dst.type,
            v.is_number() && number_in(thread.grf.data() + at, p.dst.type).at != v.at ? AffineValue{} : v);
  }
  return true;
}

const Plan* AffineThread::next_message() {
  for (unsigned n = 0; n < most_instructions; ++n) {
    const Plan* p = program_.at(thread.ip);
    if (!p || !p->row || !p->fault.empty()) return nullptr;
    if (sends(*p)) return p;
    if (!step(*p)) return nullptr;
  }
  return nullptr;
}

}  // namespace vitro::eu
