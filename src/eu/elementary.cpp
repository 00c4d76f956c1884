// The elementary functions on the host's vectors. PRM: as elementary.h, which has all of the arithmetic.
#include "eu/elementary.h"

#include "lanes/eight.h"

namespace vitro::eu {
namespace {

template <class Host, int index>
void eight(const float* a, const float* b, float* r) {
  constexpr lanes::Eight<Host> d;
  d.store(r, elementary(d, index, d.load(a), d.load(b)));
}
template <int index>
VITRO_PLAIN_VECTORS void plain(const float* a, const float* b, float* r) {
  eight<lanes::PlainEight, index>(a, b, r);
}
template <int index>
VITRO_WIDE_VECTORS void wide(const float* a, const float* b, float* r) {
  eight<lanes::WideEight, index>(a, b, r);
}

constexpr EightFunction plain_functions[elementary_count] = {plain<0>, plain<1>, plain<2>, plain<3>, plain<4>};
constexpr EightFunction wide_functions[elementary_count] = {wide<0>, wide<1>, wide<2>, wide<3>, wide<4>};

}  // namespace

std::optional<int> elementary_index(isa::MathFunction f) {
  switch (f) {
    case isa::MathFunction::exp: return 0;
    case isa::MathFunction::log: return 1;
    case isa::MathFunction::pow: return 2;
    case isa::MathFunction::sin: return 3;
    case isa::MathFunction::cos: return 4;
    default: return std::nullopt;
  }
}

const EightFunction* elementary_functions() {
  static const EightFunction* const all = lanes::host_has_wide_vectors() ? wide_functions : plain_functions;
  return all;
}

}  // namespace vitro::eu
