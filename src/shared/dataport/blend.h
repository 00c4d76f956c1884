// Blending over a lane domain: clamps, factors and functions by the rows of blend.def. PRM: Gen8 vol 7 "Color
// Calculator" (pre-blend and post-blend color clamp, color buffer blending, logic operations). Values are floats in
// the target's linear space; which of two numbers a minimum takes of a NaN is the second. Not modelled: dithering.
#pragma once

#include <array>
#include <cstdint>

#include "formats/format.h"
#include "lanes/domain.h"
#include "state/three_d_objects.h"

namespace vitro::shared {

// Ranges that colours are clamped to.
enum class ClampRange : uint8_t { none, unorm, snorm };

// What decides which instructions run; plain bytes.
struct BlendKey {
  bool enabled = false;
  uint8_t color_function = 0, alpha_function = 0;
  uint8_t source_factor = 1, target_factor = 17, source_alpha_factor = 1, target_alpha_factor = 17;
  ClampRange source_clamp = ClampRange::none, target_clamp = ClampRange::none, result_clamp = ClampRange::none;
  bool operator==(const BlendKey&) const = default;
};
BlendKey blend_key(const state::BlendState&, const state::BlendStateEntry&, const formats::Format&);

// Codes that no row has are reserved.
bool is_blend_factor(unsigned code);
bool is_blend_function(unsigned code);
struct ReservedCode {
  const char* what = nullptr;  // null: there is none
  unsigned code = 0;
};
ReservedCode reserved_code(const BlendKey&);

template <class D>
struct Blending {
  using F = typename D::F;
  using Colour = std::array<F, 4>;
  const D& d;
  const BlendKey& k;

  F clamp(ClampRange range, F x) const {
    if (range == ClampRange::none) return x;
    return d.min(d.max(x, d.f(range == ClampRange::unorm ? 0.0f : -1.0f)), d.f(1.0f));
  }
  Colour clamp(ClampRange range, Colour c) const {
    for (F& x : c) x = clamp(range, x);
    return c;
  }
  F factor(unsigned code, unsigned c, const Colour& source, const Colour& second, const Colour& target,
           const Colour& constant) const {
    const bool is_alpha = c == 3;
    const F one = d.f(1.0f), s = source[c], t = second[c], v = target[c], k = constant[c];
    const F sa = source[3], ta = second[3], va = target[3], ka = constant[3];
#define BLEND_FACTOR(number, name, expression) \
  if (code == number) return expression;
#include "shared/dataport/blend.def"
    return one;
  }
  F function(unsigned code, F s, F v, F source, F target) const {
#define BLEND_FUNCTION(number, name, plain, expression) \
  if (code == number) {                                 \
    if (plain) s = source, v = target;                  \
    return expression;                                  \
  }
#include "shared/dataport/blend.def"
    return s;
  }
  // Source, second source, constant; and what is in the target.
  Colour operator()(Colour source, Colour second, Colour target, Colour constant) const {
    source = clamp(k.source_clamp, source);
    if (!k.enabled) return clamp(k.result_clamp, source);
    second = clamp(k.source_clamp, second), constant = clamp(k.source_clamp, constant);
    target = clamp(k.target_clamp, target);
    Colour out;
    for (unsigned c = 0; c < 4; ++c) {
      const bool alpha = c == 3;
      const F s =
          source[c] * factor(alpha ? k.source_alpha_factor : k.source_factor, c, source, second, target, constant);
      const F v =
          target[c] * factor(alpha ? k.target_alpha_factor : k.target_factor, c, source, second, target, constant);
      out[c] = function(alpha ? k.alpha_function : k.color_function, s, v, source[c], target[c]);
    }
    return clamp(k.result_clamp, out);
  }
};

// Bits of a source and of what is in the target, of any width, or of lanes.
template <class Bits>
Bits logic_op(unsigned code, Bits s, Bits v) {
#define LOGIC_OP(number, name, expression) \
  if ((code & 15) == number) return expression;
#include "shared/dataport/blend.def"
  return s;
}

}  // namespace vitro::shared
