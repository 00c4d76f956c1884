// From BLEND_STATE to what blending does on a target of some format, and logic operations. PRM: as blend.h.
#include "shared/dataport/blend.h"

#include <algorithm>

namespace vitro::shared {

namespace {

enum ColorClampRange : uint8_t { clamp_unorm, clamp_snorm, clamp_rt_format };

ClampRange format_range(const formats::Format& f) {
  if (f.channel_count == 0) return ClampRange::none;
  if (f.channels[0].kind == formats::Kind::unorm) return ClampRange::unorm;
  return f.channels[0].kind == formats::Kind::snorm ? ClampRange::snorm : ClampRange::none;
}

bool all_unorm(const formats::Format& f) {
  return f.space != formats::Space::srgb &&
         std::all_of(f.channels.begin(), f.channels.begin() + f.channel_count, [](const formats::Channel& c) {
           return c.kind == formats::Kind::unorm || c.component == formats::Component::none;
         });
}

}  // namespace

bool is_blend_factor(unsigned code) {
#define BLEND_FACTOR(number, name, expression) \
  if (code == number) return true;
#include "shared/dataport/blend.def"
  return false;
}
bool is_blend_function(unsigned code) {
#define BLEND_FUNCTION(number, name, plain, expression) \
  if (code == number) return true;
#include "shared/dataport/blend.def"
  return false;
}

ReservedCode reserved_code(const BlendKey& k) {
  for (unsigned code : {k.source_factor, k.target_factor, k.source_alpha_factor, k.target_alpha_factor})
    if (!is_blend_factor(code)) return {"blend factor", code};
  for (unsigned code : {k.color_function, k.alpha_function})
    if (!is_blend_function(code)) return {"blend function", code};
  return {};
}

BlendKey blend_key(const state::BlendState& blend, const state::BlendStateEntry& e, const formats::Format& format) {
  BlendKey k;
  if (format.integer()) return k;
  const ClampRange range = e.color_clamp_range == clamp_unorm   ? ClampRange::unorm
                           : e.color_clamp_range == clamp_snorm ? ClampRange::snorm
                                                                : format_range(format);
  if (e.pre_blend_color_clamp_enable || e.pre_blend_source_only_clamp_enable) k.source_clamp = range;
  if (e.pre_blend_color_clamp_enable && !e.pre_blend_source_only_clamp_enable) k.target_clamp = range;
  if (e.post_blend_color_clamp_enable) k.result_clamp = range;
  k.enabled = e.color_buffer_blend_enable && !e.logic_op_enable;
  // What such a target holds is in its range, and what it is given is brought there when it is encoded.
  if (range == ClampRange::unorm && all_unorm(format)) {
    k.target_clamp = k.result_clamp = ClampRange::none;
    if (!k.enabled) k.source_clamp = ClampRange::none;
  }
  k.color_function = e.color_blend_function;
  k.source_factor = e.source_blend_factor, k.target_factor = e.destination_blend_factor;
  const bool own = blend.independent_alpha_blend_enable;
  k.alpha_function = own ? e.alpha_blend_function : k.color_function;
  k.source_alpha_factor = own ? e.source_alpha_blend_factor : k.source_factor;
  k.target_alpha_factor = own ? e.destination_alpha_blend_factor : k.target_factor;
  return k;
}

}  // namespace vitro::shared
