// Rounding a double to a half in the host's rounding mode.
// PRM: Gen8 `mov` F to HF with cr0's rounding mode. The magnitude is cut to a half and one unit in the last place added
// where the mode and the rest ask for it; denormal halves and overflow follow from the same arithmetic.
#include "eu/convert.h"

#include "base/host_floats.h"

namespace vitro::eu {

uint16_t round_to_half(double d) {
  const uint32_t mode = HostFloats::rounding();
  if (mode == HostFloats::nearest || !std::isfinite(d)) return double_to_half(d);
  const bool negative = std::signbit(d);
  const double magnitude = std::fabs(d);
  const uint16_t sign = negative ? 0x8000 : 0;
  const bool away = (mode == HostFloats::up && !negative) || (mode == HostFloats::down && negative);
  if (magnitude > 65504.0) return uint16_t(sign | (away ? 0x7C00 : 0x7BFF));
  // the nearest half, then one step back if it went past, one step on if it must go away from zero
  uint16_t h = double_to_half(magnitude);
  if (double(half_to_float(h)) > magnitude) --h;
  if (away && double(half_to_float(h)) < magnitude) ++h;
  return uint16_t(sign | h);
}

}  // namespace vitro::eu
