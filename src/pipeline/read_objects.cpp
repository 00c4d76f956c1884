// Reading state objects, a row for each kind. PRM: as read_objects.h.
#include "pipeline/read_objects.h"

#include <algorithm>
#include <cstring>

namespace vitro::pipeline {
namespace {

using state::Pipeline;
using Dwords = std::span<const uint32_t>;

// Several objects that stand one behind the other.
template <const auto& layout, class T, size_t most>
void decode(Dwords dwords, std::array<T, most>& to) {
  constexpr size_t each = size_t(layout.dwords);
  to = {};
  for (size_t k = 0; k < std::min(dwords.size() / each, most); ++k)
    to[k] = unpack(layout, dwords.subspan(k * each, each));
}

size_t viewports(const Pipeline& p) {
  return std::min<size_t>(size_t(p.clip.maximum_vp_index) + 1, state::most_viewports);
}

struct Kind {
  size_t (*dwords)(const Traits&, const Pipeline&);  // that the state looks at
  uint32_t Pipeline::*offset;
  void (*decode)(const Traits&, Dwords, Objects&);  // none of them: as it begins
};
constexpr Kind kinds[] = {
    {[](const Traits&, const Pipeline& p) -> size_t {
       const bool clips =
           p.clip.clip_enable && (p.clip.guardband_clip_test_enable || p.clip.viewport_xy_clip_test_enable);
       return p.sf.viewport_transform_enable || clips ? 16 * viewports(p) : 0;
     },
     &Pipeline::sf_clip_viewports,
     [](const Traits&, Dwords d, Objects& o) { decode<state::every::sf_clip_viewport>(d, o.viewports); }},
    {[](const Traits&, const Pipeline& p) -> size_t {
       const auto& tests = p.wm_depth_stencil;
       return tests.depth_test_enable || tests.depth_buffer_write_enable ? 2 * viewports(p) : 0;
     },
     &Pipeline::cc_viewports,
     [](const Traits&, Dwords d, Objects& o) { decode<state::every::cc_viewport>(d, o.depth_ranges); }},
    {[](const Traits&, const Pipeline& p) -> size_t {
       return p.raster.scissor_rectangle_enable ? 2 * viewports(p) : 0;
     },
     &Pipeline::scissors,
     [](const Traits&, Dwords d, Objects& o) { decode<state::every::scissor_rect>(d, o.scissors); }},
    {[](const Traits& t, const Pipeline& p) -> size_t { return p.has_color_calc_state && t.color_calc ? 6 : 0; },
     &Pipeline::color_calc_state,
     [](const Traits& t, Dwords d, Objects& o) {
       o.color_calc = d.empty() ? state::ColorCalcState{} : t.color_calc(d);
     }},
    {[](const Traits&, const Pipeline& p) -> size_t { return p.has_blend_state ? 1 + 2 * 8 : 0; },
     &Pipeline::blend_state,
     [](const Traits&, Dwords d, Objects& o) {
       o.blend = d.empty() ? state::BlendState{} : unpack(state::every::blend_state, d.first(1));
       decode<state::every::blend_state_entry>(d.empty() ? d : d.subspan(1), o.blend_entries);
     }},
};

}  // namespace

bool ObjectReader::read(const Traits& traits, const state::Bases& bases, const Pipeline& state, memory::View& memory) {
  static_assert(std::size(kinds) == std::tuple_size_v<decltype(kept_)>);
  bool differs = false;
  for (size_t k = 0; k < kept_.size(); ++k) {
    const Kind& kind = kinds[k];
    Kept& kept = kept_[k];
    const size_t dwords = kind.dwords(traits, state), bytes = 4 * dwords;
    const uint64_t address = bases.dynamic.address + state.*kind.offset;
    if (dwords == kept.dwords) {
      if (!dwords) continue;
      const std::byte* there = memory.at(address, bytes, memory::Access::read);
      if (there && !std::memcmp(there, kept.content.data(), bytes)) continue;
    }
    kept.dwords = uint32_t(dwords);
    const std::span<uint32_t> content = std::span(kept.content).first(dwords);
    memory.read(address, std::as_writable_bytes(content));
    kind.decode(traits, content, objects_);
    differs = true;
  }
  return differs;
}

state::ScissorRect read_scissor(uint64_t address, memory::View& memory) {
  std::array<uint32_t, 2> dwords{};
  memory.read(address, std::as_writable_bytes(std::span(dwords)));
  return unpack(state::every::scissor_rect, dwords);
}

}  // namespace vitro::pipeline
