// Rectangles of one colour: a thread says which one it is, and it is put into memory by tiles. PRM: as pixel.h. What
// counters say is what all threads would have left.
#include "pipeline/pixel.h"
#include "pipeline/strokes.h"

namespace vitro::pipeline {

bool PixelBackEnd::find_painted() {
  Painted& p = painted_;
  if (!p.looked) {
    p.looked = true, p.known = false;
    const uint32_t desc = stage_->state.kernel->program.plans().back().instruction.desc.imm;
    p.target = shared::render_target(
        *view_, state::read_bound_surface(*draw_->traits->surfaces, *view_, draw_->bases,
                                          draw_->state.binding_tables[size_t(state::ShaderStage::ps)], desc & 255));
  }
  return p.target.in_lanes && p.target.image.samples == 1;
}

tl::expected<bool, Fault> PixelBackEnd::paint(const Primitive& primitive, const Rectangle& r) {
  if (!draw_ || resolves_ || !plan_.one_colour) return false;
  if (clears_) {
    if (!cleared_.is_null()) fast_clear(*view_, *draw_->traits, cleared_, primitive.object.layer, r);
    return true;
  }
  if (!find_painted()) return false;
  Painted& p = painted_;
  const shared::ImageLevel& level = p.target.at();
  const Rectangle inside = overlap(r, {0, 0, int(level.width), int(level.height)});
  if (inside.empty()) return false;
  // Those that came before.
  if (auto fault = run_threads()) return tl::unexpected(std::move(*fault));
  SetupData data;
  const size_t used = layout_.attributes * setup_dwords;
  set_up_attributes(*draw_, primitive, layout_.attributes, data);
  auto count = uint64_t(r.x1 - r.x0) * uint64_t(r.y1 - r.y0);
  const uint32_t slice = p.target.slice(primitive.object.layer);
  if (!p.known || !std::equal(data.begin(), data.begin() + ptrdiff_t(used), p.data.begin())) {
    p.known = false;
    Block b{.primitive = &primitive, .x = uint16_t(r.x0 & ~(block_px - 1)), .y = uint16_t(r.y0 & ~(block_px - 1))};
    b.coverage[0] = uint16_t(pixels_within(r, b.x, b.y));
    count -= count_ones(b.coverage[0]);
    if (auto fault = block(b)) return tl::unexpected(std::move(*fault));
    if (auto fault = run_threads()) return tl::unexpected(std::move(*fault));
    p.bits = shared::TargetPixel{*view_, p.target, uint32_t(r.x0), uint32_t(r.y0), slice}.load(0);
    std::copy_n(data.begin(), used, p.data.begin());
    p.known = true;
  }
  fill_texels(*view_, p.target.image, level, inside, slice, 0, p.bits);
  counters_.pixels += count;
  if (counts_) {
    counters_.statistics.ps_depth_count += count;
    counters_.statistics.ps_invocations += count * uint64_t(draw_->traits->ps_invocation_factor);
  }
  return true;
}

}  // namespace vitro::pipeline
