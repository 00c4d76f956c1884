// Blocks to threads, and threads to the runner. PRM: as pixel.h.
#include "pipeline/pixel.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "pipeline/eight_places.h"

namespace vitro::pipeline {

namespace {

using shared::PixelContext;

enum EarlyDepthStencil : uint8_t { edsc_normal, edsc_psexec, edsc_preps };
enum Force : uint8_t { force_normal, force_off, force_on };

// --- when tests are made, and whether threads are started

struct Reason {
  const char* name;
  bool (*holds)(const Draw&);
};
// What the pixel shader or its outputs decide about a pixel.
constexpr Reason late_reasons[] = {
    {"EDSC_PSEXEC", [](const Draw& d) { return d.state.wm.early_depth_stencil_control == edsc_psexec; }},
    {"Pixel Shader Kills Pixel", [](const Draw& d) { return d.state.ps_extra.pixel_shader_kills_pixel; }},
    {"Force Kill Pixel", [](const Draw& d) { return d.state.wm.force_kill_pixel_enable == force_on; }},
    {"Computed Depth", [](const Draw& d) { return d.state.ps_extra.pixel_shader_computed_depth_mode != 0; }},
    {"Computed Stencil", [](const Draw& d) { return d.state.ps_extra.pixel_shader_computes_stencil; }},
    {"oMask", [](const Draw& d) { return d.state.ps_extra.omask_present_to_render_target; }},
    {"Alpha Test",
     [](const Draw& d) { return d.state.ps_blend.alpha_test_enable || d.objects.blend.alpha_test_enable; }},
    {"Alpha To Coverage",
     [](const Draw& d) {
       return d.state.ps_blend.alpha_to_coverage_enable || d.objects.blend.alpha_to_coverage_enable;
     }},
    {"UAV", [](const Draw& d) { return d.state.ps_extra.pixel_shader_has_uav; }},
};
constexpr Reason dispatch_reasons[] = {
    {"render target",
     [](const Draw& d) {
       return d.state.ps_blend.has_writeable_rt && !d.state.ps_extra.pixel_shader_does_not_write_to_rt;
     }},
    {"UAV", [](const Draw& d) { return d.state.ps_extra.pixel_shader_has_uav; }},
    {"Pixel Shader Kills Pixel", [](const Draw& d) { return d.state.ps_extra.pixel_shader_kills_pixel; }},
    {"Force Kill Pixel", [](const Draw& d) { return d.state.wm.force_kill_pixel_enable == force_on; }},
    {"oMask", [](const Draw& d) { return d.state.ps_extra.omask_present_to_render_target; }},
    {"Alpha Test", [](const Draw& d) { return d.state.ps_blend.alpha_test_enable; }},
    {"Alpha To Coverage", [](const Draw& d) { return d.state.ps_blend.alpha_to_coverage_enable; }},
    {"Computed Depth", [](const Draw& d) { return d.state.ps_extra.pixel_shader_computed_depth_mode != 0; }},
    {"Computed Stencil", [](const Draw& d) { return d.state.ps_extra.pixel_shader_computes_stencil; }},
};
template <size_t n>
bool any_of(const Reason (&reasons)[n], const Draw& draw) {
  return std::any_of(std::begin(reasons), std::end(reasons), [&](const Reason& r) { return r.holds(draw); });
}

// The widest that a block fills first.
constexpr unsigned width_order[] = {1, 0, 2};

Fragments fragments_of(const Primitive& p) {
  return {.layer = p.object.layer, .viewport = p.object.viewport, .back_facing = p.back_facing};
}
unsigned bin_of(const Block& b) { return unsigned(b.x / bin_px) << 16 | unsigned(b.y / bin_px); }

inline void find_depths_of(const Primitive& p, const Fragments& f, const PixelContext& pixels, float* depth) {
  for (unsigned n = 0; n < f.subspans; n += 2) {
    EightPlaces corners;
    corners.set(f.corners[n], f.corners[n + 1]);
    for (unsigned s = 0; s < pixels.samples; ++s) {
      const shared::PixelPlace at = pixels.places[s];
      const EightPlaces places{corners.x + at.x - p.origin_x, corners.y + at.y - p.origin_y};
      Floats8 z;
      evaluate(p.z, places, z);
      std::memcpy(depth + 32 * s + 4 * n, &z, sizeof z);
    }
  }
}
VITRO_PLAIN_VECTORS void find_depths_plain(const Primitive& p, const Fragments& f, const PixelContext& c, float* to) {
  find_depths_of(p, f, c, to);
}
VITRO_WIDE_VECTORS void find_depths_wide(const Primitive& p, const Fragments& f, const PixelContext& c, float* to) {
  find_depths_of(p, f, c, to);
}

}  // namespace

PixelPlan pixel_plan(const Draw& draw) {
  PixelPlan plan;
  const bool kernel = std::any_of(draw.ps.begin(), draw.ps.end(), [](const auto& stage) { return stage != nullptr; });
  const uint8_t force = draw.state.wm.force_thread_dispatch_enable;
  plan.dispatches = kernel && draw.state.ps_extra.pixel_shader_valid && force != force_off &&
                    (force == force_on || any_of(dispatch_reasons, draw));
  plan.late = plan.dispatches && draw.state.wm.early_depth_stencil_control != edsc_preps && any_of(late_reasons, draw);
  return plan;
}

PixelBackEnd::PixelBackEnd(const dispatch::SubsliceOptions& options, unsigned fftid)
    : runner_([&] {
        dispatch::SubsliceOptions own = options;
        own.pixels = &pixels_;
        return own;
      }()),
      fftid_(fftid) {}

void PixelBackEnd::forget() {
  runner_.forget();
  view_.reset();
  draw_ = nullptr;
  number_ = ~uint64_t(0);
}

std::optional<Fault> PixelBackEnd::begin(const Draw& draw) {
  if (draw_ == &draw && number_ == draw.number) return std::nullopt;
  return make_ready(draw);
}

std::optional<Fault> PixelBackEnd::make_ready(const Draw& draw) {
  draw_ = nullptr;
  if (!view_ || view_->table() != draw.memory || view_->strict() != draw.strict)
    view_.emplace(draw.memory, draw.strict);
  const state::Pipeline& s = draw.state;
  if (draw.samples > unsigned(most_samples) || !std::has_single_bit(draw.samples))
    return unsupported_fault("this number of multisamples");
  if (s.wm_chromakey.chromakey_kill_enable) return unsupported_fault("3DSTATE_WM_CHROMAKEY");
  if (s.wm.legacy_depth_buffer_clear_enable || s.wm.legacy_depth_buffer_resolve_enable ||
      s.wm.legacy_hierarchical_depth_buffer_resolve_enable)
    return unsupported_fault("depth clears and resolves of 3DSTATE_WM");
  clears_ = s.ps.render_target_fast_clear_enable;
  resolves_ = s.ps.render_target_resolve_enable || s.ps.render_target_resolve_type;
  if (clears_) {
    cleared_ =
        shared::render_target(*view_, state::read_bound_surface(*draw.traits->surfaces, *view_, draw.bases,
                                                                s.binding_tables[size_t(state::ShaderStage::ps)], 0));
    if (!cleared_.unsupported.empty()) return unsupported_fault(std::string(cleared_.unsupported));
  }
  if (auto fault = tests_.begin(draw, *view_)) return fault;
  plan_ = pixel_plan(draw);
  counts_ = s.wm.statistics_enable;
  per_sample_ = s.ps_extra.pixel_shader_is_per_sample && draw.samples > 1;

  PixelContext& c = pixels_;
  find_sample_places(draw, c);
  if (plan_.dispatches) {
    const auto width = *std::find_if(std::begin(width_order), std::end(width_order),
                                     [&](unsigned w) { return draw.ps[w] != nullptr; });
    stage_ = draw.ps[width].get();
    if (auto fault = find_pixel_layout(draw, width, layout_)) return fault;
    c.lanes = layout_.lanes();
    c.blend = draw.objects.blend, c.blend_entries = draw.objects.blend_entries, c.color_calc = draw.objects.color_calc;
    c.alpha_to_coverage =
        draw.objects.blend.alpha_to_coverage_enable && !s.ps_extra.pixel_shader_disables_alpha_to_coverage;
    c.gives_depth = s.ps_extra.pixel_shader_computed_depth_mode != 0;
    c.gives_omask = s.ps_extra.omask_present_to_render_target;
    c.gives_stencil = s.ps_extra.pixel_shader_computes_stencil;
    c.late = {};
    if (plan_.late && (tests_.tests_or_writes() || counts_))
      c.late = {[](void* context, PixelContext&, std::array<uint32_t, most_samples>& lit, const float* depth,
                   const uint8_t* stencil) { static_cast<PixelBackEnd*>(context)->test_late(lit, depth, stencil); },
                this};
  }
  draw_ = &draw, number_ = draw.number;
  return std::nullopt;
}

std::optional<Fault> PixelBackEnd::end() {
  if (!draw_) return std::nullopt;
  std::optional<Fault> fault = run_threads();
  const bool missed = view_->must_fault();
  const memory::Misses misses = view_->take_misses();
  counters_.counts.misses += misses;
  if (!fault && missed)
    fault = Fault{
        .reason = fmt::format("depth, stencil or clear: nothing is mapped at address {:#x}", misses.first.value_or(0))};
  return fault;
}

// --- tests

void PixelBackEnd::find_depths(const Primitive& p, const Fragments& f, float* depth) const {
  (lanes::host_has_wide_vectors() ? find_depths_wide : find_depths_plain)(p, f, pixels_, depth);
}

void PixelBackEnd::count_passed(const Lit& lit) {
  if (!counts_) return;
  for (unsigned s = 0; s < draw_->samples; ++s) counters_.statistics.ps_depth_count += unsigned(std::popcount(lit[s]));
}

void PixelBackEnd::test_late(std::array<uint32_t, most_samples>& lit, const float* depth, const uint8_t* stencil) {
  const PixelThread& t = *current_;
  const Primitive& p = setups_[t.setup].primitive;
  Fragments f = fragments_of(p);
  f.subspans = t.subspans, f.stencil = stencil;
  for (unsigned n = 0; n < t.subspans; ++n) f.corners[n] = {t.corners[n].x, t.corners[n].y};
  std::array<float, 32 * most_samples> depths;
  if (!depth)
    find_depths(p, f, depths.data());
  else
    for (unsigned s = 0; s < draw_->samples; ++s) std::copy_n(depth, 32, &depths[32 * s]);
  f.depth = depths.data();
  tests_.run(f, lit);
  count_passed(lit);
}

// --- blocks

std::optional<Fault> PixelBackEnd::clear_block(const Block& b) {
  if (cleared_.is_null()) return std::nullopt;
  const uint16_t pixels = b.pixels();
  const uint32_t layer = b.primitive->object.layer;
  if (pixels == 0xFFFF) {
    fast_clear(*view_, *draw_->traits, cleared_, layer, {b.x, b.y, b.x + block_px, b.y + block_px});
    return std::nullopt;
  }
  for (int n = 0; n < block_pixels; ++n) {
    const int x = b.x + block_x(n), y = b.y + block_y(n);
    if (pixels >> n & 1) fast_clear(*view_, *draw_->traits, cleared_, layer, {x, y, x + 1, y + 1});
  }
  return std::nullopt;
}

std::optional<Fault> PixelBackEnd::block(const Block& b) {
  if (!draw_ || resolves_) return std::nullopt;
  if (clears_) return clear_block(b);
  const unsigned samples = draw_->samples;
  Lit covered{}, lit{};
  uint32_t any = 0;
  for (unsigned s = 0; s < samples; ++s) {
    covered[s] = draw_->state.sample_mask.sample_mask >> s & 1 ? b.coverage[s] : 0;
    any |= lit[s] = covered[s];
  }
  if (!any) return std::nullopt;
  if (!plan_.late) {
    if (tests_.tests_or_writes()) {
      Fragments f = fragments_of(*b.primitive);
      f.subspans = 4, f.is_block = true;
      for (unsigned n = 0; n < 4; ++n)
        f.corners[n] = {uint16_t(b.x + block_x(int(4 * n))), uint16_t(b.y + block_y(int(4 * n)))};
      std::array<float, 32 * most_samples> depths;
      find_depths(*b.primitive, f, depths.data());
      f.depth = depths.data();
      tests_.run(f, lit);
      any = 0;
      for (unsigned s = 0; s < samples; ++s) any |= lit[s];
    }
    count_passed(lit);
    if (!any) return std::nullopt;
  }
  if (!plan_.dispatches) return std::nullopt;
  if (auto fault = set_up(*b.primitive)) return fault;
  if (!per_sample_) return queue(b, lit, -1);
  for (unsigned s = 0; s < samples; ++s)
    if (lit[s])
      if (auto fault = queue(b, lit, int(s))) return fault;
  return std::nullopt;
}

// The last primitive of the queue is this one.
std::optional<Fault> PixelBackEnd::set_up(const Primitive& p) {
  const auto bytes = [](const Primitive& of) { return static_cast<const void*>(&of); };
  if (setup_count_ && !std::memcmp(bytes(setups_[setup_count_ - 1].primitive), bytes(p), sizeof p)) return std::nullopt;
  std::optional<Fault> fault;
  if (setup_count_ == most_threads) fault = run_threads();
  Setup& to = setups_[setup_count_++];
  std::memcpy(static_cast<void*>(&to.primitive), bytes(p), sizeof p);  // with its padding, which is compared
  set_up_attributes(*draw_, p, layout_.attributes, to.data);
  return fault;
}

std::optional<Fault> PixelBackEnd::queue(const Block& b, const Lit& lit, int sample) {
  const unsigned samples = draw_->samples, room = layout_.lanes() / 4, bin = bin_of(b);
  uint32_t any = 0;
  for (unsigned s = 0; s < samples; ++s)
    if (sample < 0 || int(s) == sample) any |= lit[s];
  const auto count = unsigned(std::popcount(any));
  counters_.pixels += count;
  if (counts_) counters_.statistics.ps_invocations += count * uint64_t(draw_->traits->ps_invocation_factor);
  PixelThread* t = thread_count_ ? &threads_[thread_count_ - 1] : nullptr;
  if (t && (t->setup != setup_count_ - 1 || t->sample != sample || t->bin != bin)) t = nullptr;
  for (unsigned n = 0; n < 4; ++n) {
    if (!(any >> (4 * n) & 15)) continue;
    if (!t || t->subspans == room) {
      if (thread_count_ == most_threads) {
        // The primitive stays set up.
        if (auto fault = run_threads()) return fault;
        if (auto fault = set_up(*b.primitive)) return fault;
      }
      t = &threads_[thread_count_++];
      t->setup = setup_count_ - 1, t->sample = sample, t->bin = bin, t->subspans = 0, t->has_antialiasing = false;
      t->corners = {};
      std::fill_n(t->covered.begin(), samples, 0), std::fill_n(t->lit.begin(), samples, 0);
    }
    const unsigned k = t->subspans++;
    t->corners[k] = {uint16_t(b.x + block_x(int(4 * n))), uint16_t(b.y + block_y(int(4 * n)))};
    for (unsigned s = 0; s < samples; ++s) {
      t->covered[s] |= (uint32_t(b.coverage[s]) >> (4 * n) & 15) << (4 * k);
      if (sample < 0 || int(s) == sample) t->lit[s] |= (lit[s] >> (4 * n) & 15) << (4 * k);
    }
    if (b.has_antialiasing) {
      if (!t->has_antialiasing) t->antialiasing = {}, t->has_antialiasing = true;
      std::copy_n(&b.antialiasing[4 * n], 4, &t->antialiasing[4 * k]);
    }
  }
  return std::nullopt;
}

// --- threads

void PixelBackEnd::start(const dispatch::Seat& seat, eu::Thread& thread) {
  const PixelThread* const before = std::exchange(current_, &threads_[seat.group]);
  const PixelThread& t = *current_;
  const Setup& setup = setups_[t.setup];
  PixelContext& c = pixels_;
  if (!before || before->setup != t.setup) {
    c.layer = setup.primitive.object.layer;
    c.barycentrics = barycentrics_of(setup.primitive);
  }
  c.subspans = t.corners;
  c.sample = t.sample;
  c.tested = 0;
  uint32_t mask = 0;
  for (unsigned s = 0; s < c.samples; ++s) {
    c.covered[s] = t.covered[s];
    mask |= c.lit[s] = t.lit[s];
  }
  c.has_antialiasing = t.has_antialiasing;
  if (t.has_antialiasing) c.antialiasing = t.antialiasing;
  fill_pixel_payload(layout_, setup.primitive, c, draw_->push[size_t(state::ShaderStage::ps)], setup.data, seat.fftid,
                     mask, thread.grf.data());
  thread.sr[2] = mask;
}

Fault PixelBackEnd::placed(Fault fault, unsigned thread) const {
  const PixelThread& t = threads_[std::min(thread, thread_count_ - 1)];
  uint32_t lit = 0;
  for (unsigned s = 0; s < draw_->samples; ++s) lit |= t.lit[s];
  const auto lane = unsigned(lit ? std::countr_zero(lit) : 0);
  const auto& corner = t.corners[lane / 4];
  const Primitive& p = setups_[t.setup].primitive;
  const DrawPlace place = p.place ? *p.place : DrawPlace{.number = draw_->number};
  fault.pixel =
      Fault::Pixel{place.number, p.object.primitive_id, int(corner.x + (lane & 1)), int(corner.y + (lane >> 1 & 1))};
  return fault_of(place, std::move(fault));
}

std::optional<Fault> PixelBackEnd::run_threads() {
  std::optional<Fault> fault;
  if (thread_count_) {
    dispatch::Threads threads;
    threads.groups = thread_count_;  // each by itself: nothing runs between a thread's start and its end
    threads.context = this;
    threads.start = [](const void* context, const dispatch::Seat& seat, eu::Thread& thread) {
      const_cast<PixelBackEnd*>(static_cast<const PixelBackEnd*>(context))->start(seat, thread);
    };
    counters_.threads[layout_.width] += thread_count_;
    fault = runner_.run(*stage_, threads, fftid_, counters_.counts);
    if (fault) fault = placed(*fault, fault->thread ? unsigned(fault->thread->group) : 0);
    current_ = nullptr;
  }
  thread_count_ = 0;
  setup_count_ = 0;
  return fault;
}

}  // namespace vitro::pipeline
