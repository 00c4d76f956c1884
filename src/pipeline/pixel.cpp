// Blocks to threads, and threads to the runner. PRM: as pixel.h.
#include "pipeline/pixel.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <bitset>
#include <cstring>

#include "eu/dependence.h"
#include "pipeline/rasterise.h"

namespace vitro::pipeline {

namespace {

using shared::PixelContext;
using shared::PixelThread;

// The widest that a block fills first.
constexpr unsigned width_order[] = {1, 0, 2};

Fragments fragments_of(const Primitive& p) {
  return {.layer = p.object.layer, .viewport = p.object.viewport, .back_facing = p.back_facing};
}
uint32_t subspans_with(uint32_t m) { return (m | m >> 1 | m >> 2 | m >> 3) & 0x1111; }  // the first lane of each
bool in_each_subspan(uint32_t m) { return subspans_with(m) == 0x1111; }
unsigned bin_of(const Block& b) { return unsigned(b.x / bin_px) << 16 | unsigned(b.y / bin_px); }

}  // namespace

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

MaybeFault PixelBackEnd::begin(const Draw& draw) {
  if (draw_ == &draw && number_ == draw.number) return std::nullopt;
  return make_ready(draw);
}

MaybeFault PixelBackEnd::make_ready(const Draw& draw) {
  draw_ = nullptr;
  may_paint_ = false;
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
    static_cast<shared::ColourState&>(c) = colour_state(draw.objects);
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
    only_colours_ = !per_sample_ && !c.late.run && !(c.alpha_to_coverage && draw.samples > 1) &&
                    !c.blend.alpha_test_enable && !c.blend.alpha_to_one_enable && !c.gives_depth && !c.gives_omask &&
                    !c.gives_stencil;
    payloads_.resize(size_t(layout_.own) * most_threads);
    const dispatch::Run& run = *stage_->run;
    may_paint_ = plan_.covers && only_colours_ && !draw.strict && !run.observer.before && !run.observer.after &&
                 !run.wanted.opcodes && may_paint(stage_->state.kernel->program);
    paintings_->asked = false;
  }
  draw_ = &draw, number_ = draw.number;
  return std::nullopt;
}

MaybeFault PixelBackEnd::end() {
  if (!draw_) return std::nullopt;
  MaybeFault fault = run_threads();
  const bool missed = view_->must_fault();
  const memory::Misses misses = view_->take_misses();
  counters_.counts.misses += misses;
  if (!fault && missed)
    fault = Fault{
        .reason = fmt::format("depth, stencil or clear: nothing is mapped at address {:#x}", misses.first.value_or(0))};
  return fault;
}

// --- tests

void PixelBackEnd::count_passed(const Lit& lit) {
  if (!counts_) return;
  for (unsigned s = 0; s < draw_->samples; ++s) counters_.statistics.ps_depth_count += count_ones(lit[s]);
}

void PixelBackEnd::test_late(std::array<uint32_t, most_samples>& lit, const float* depth, const uint8_t* stencil) {
  const PixelThread& t = *pixels_.thread;
  const Waiting& w = waiting_[size_t(&t - threads_.get())];
  const Primitive& p = *setups_[w.setup].primitive;
  Fragments f = fragments_of(p);
  f.subspans = w.subspans, f.stencil = stencil;
  for (unsigned n = 0; n < w.subspans; ++n) f.corners[n] = {t.subspans[n].x, t.subspans[n].y};
  std::array<float, 32 * most_samples> depths;
  if (!depth)
    tests_.find_depths(p, f, depths.data());
  else
    for (unsigned s = 0; s < draw_->samples; ++s) std::copy_n(depth, 32, &depths[32 * s]);
  f.depth = depths.data();
  tests_.run(f, lit);
  count_passed(lit);
}

// --- blocks

MaybeFault PixelBackEnd::clear_block(const Block& b) {
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

bool PixelBackEnd::clear(const RasterPrimitive& p, const Rectangle& pixels) {
  if (!covers(p, pixels)) return false;
  if (!cleared_.is_null()) fast_clear(*view_, *draw_->traits, cleared_, p.primitive.object.layer, pixels);
  return true;
}

MaybeFault PixelBackEnd::blocks(std::span<const Block> all) {
  if (all.empty() || !draw_ || resolves_) return std::nullopt;
  if (!clears_ && draw_->samples == 1 && !plan_.late && !all[0].has_antialiasing) return plain_blocks(all, false);
  for (const Block& b : all)
    if (auto fault = block(b)) return fault;
  return std::nullopt;
}

namespace {

inline unsigned count_pixels(uint32_t lanes) { return lanes == 0xFFFF ? 16 : unsigned(count_ones(lanes)); }

}  // namespace

void PixelBackEnd::test(std::span<Block> all) {
  std::array<uint16_t, Blocks::most> lit;
  tests_.run(all, lit.data());
  uint64_t passed = 0;
  for (size_t n = 0; n < all.size(); ++n) passed += count_pixels(all[n].coverage[0] = lit[n]);
  if (!counts_) return;
  counters_.statistics.ps_depth_count += passed;
  counters_.statistics.ps_invocations += passed * draw_->traits->ps_invocation_factor;
}

// Of one sample, and tested early if at all. What is counted, and what all have in common, is kept out of the loop.
MaybeFault PixelBackEnd::plain_blocks(std::span<const Block> all, bool tested) {
  if (!(draw_->state.sample_mask.sample_mask & 1)) return std::nullopt;
  const bool tests = !tested && tests_.tests_or_writes(), dispatches = plan_.dispatches;
  const bool whole_blocks = layout_.lanes() == block_pixels;
  uint64_t passed = 0;
  MaybeFault fault;
  bool ready = false;  // the primitive is set up
  std::array<uint16_t, Blocks::most> left;
  if (tests) tests_.run(all, left.data());
  Lit lit;
  for (size_t n = 0; n < all.size(); ++n) {
    const Block& b = all[n];
    const uint32_t some = lit[0] = tests ? left[n] : b.coverage[0];
    if (!some) continue;
    passed += count_pixels(some);
    if (!dispatches) continue;
    if (!ready && (fault = set_up(*b.primitive))) break;
    ready = true;
    if (!whole_blocks || !in_each_subspan(some)) {
      if ((fault = pack_plain(b, some))) break;
      continue;
    }
    if (thread_count_ == most_threads && (fault = make_room(*b.primitive))) break;
    PixelThread& t = add_block(b, -1);
    t.covered[0] = b.coverage[0], t.lit[0] = some;
  }
  if (tested) {
    counters_.pixels += passed;
    return fault;
  }
  if (counts_) counters_.statistics.ps_depth_count += passed;
  if (dispatches) count_shaded(passed);
  return fault;
}

// The mask of the draw is part of coverage, for payloads and centroids as well.
inline uint32_t PixelBackEnd::covered(const Block& b, unsigned sample) const {
  return draw_->state.sample_mask.sample_mask >> sample & 1 ? b.coverage[sample] : 0u;
}

MaybeFault PixelBackEnd::block(const Block& b) {
  if (clears_) return clear_block(b);
  const unsigned samples = draw_->samples;
  Lit lit{};
  uint32_t any = 0;
  for (unsigned s = 0; s < samples; ++s) any |= lit[s] = covered(b, s);
  if (!any) return std::nullopt;
  if (!plan_.late) {
    if (tests_.tests_or_writes()) {
      tests_.run(b, lit);
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

void PixelBackEnd::count_shaded(uint64_t pixels) {
  counters_.pixels += pixels;
  if (counts_) counters_.statistics.ps_invocations += pixels * draw_->traits->ps_invocation_factor;
}

void PixelBackEnd::count_hidden(const Draw& draw, uint64_t pixels) {
  if (!counts_hidden(draw)) return;
  counters_.statistics.ps_depth_count += pixels;
  counters_.statistics.ps_invocations += pixels * uint64_t(draw.traits->ps_invocation_factor);
}

// --- without threads

namespace {

// Not all are known where some have no names.
std::bitset<eu::grf_count> registers_read(const eu::Program& program) {
  std::bitset<eu::grf_count> read;
  for (const eu::Plan& p : program.plans()) {
    const auto of = p.row ? eu::dependence(program, p, nullptr) : std::nullopt;
    if (!of || of->reads.a0) return read.set();
    for (size_t at = 0; at < of->reads.grf.size(); ++at)
      if (of->reads.grf[at]) read.set(at / eu::reg_bytes);
  }
  return read;
}
bool are_same(const std::bitset<eu::grf_count>& registers, const eu::Thread& a, const eu::Thread& b) {
  for (size_t r = 0; r < registers.size(); ++r) {
    const size_t at = r * eu::reg_bytes;
    if (registers[r] && std::memcmp(&a.grf[at], &b.grf[at], eu::reg_bytes) != 0) return false;
  }
  return true;
}

}  // namespace

const std::optional<PaintingCode>& PixelBackEnd::code_of(const PaintingQuestion& question, const Primitive& p,
                                                         const SetupData& data) {
  const auto lit = uint32_t(ones(int(layout_.lanes())));
  shared::Barycentrics barycentrics;
  set_barycentrics(p, barycentrics);
  PixelThread record{.layer = p.object.layer, .barycentrics = &barycentrics};
  const auto subspans = model_subspans(question.pixels);
  std::copy(subspans.begin(), subspans.end(), record.subspans.begin());
  record.lit[0] = record.covered[0] = lit;
  eu::Thread model;
  fill_own_registers({layout_, p, pixels_, fftid_, {&record, 1}, &lit}, model.grf.data());
  fill_common_registers(layout_, draw_->push[size_t(state::ShaderStage::ps)], data, model.grf.data());
  pixels_.thread = nullptr;
  // Code does the same if what it reads is the same.
  Paintings& known = *paintings_;
  const auto& kernel = stage_->state.kernel;
  const bool same_kernel = known.kernel == kernel;
  if (!same_kernel) known.reads = registers_read(kernel->program);
  if (same_kernel && known.code_pixels == question.pixels && known.code_finite == question.finite_barycentrics &&
      known.layout.same_registers(layout_) && known.model.cr[0] == stage_->state.cr0 &&
      are_same(known.reads, known.model, model))
    return known.code;
  model.begin({uint32_t(stage_->ffid) << 24, 0}, {stage_->state.cr0, stage_->state.cr1});
  model.enable(lit);
  known.kernel = kernel, known.code_pixels = question.pixels, known.code_finite = question.finite_barycentrics;
  known.layout = layout_, known.model = model;
  known.code = follow(question, model);
  return known.code;
}

const std::optional<Painting>& PixelBackEnd::painting_of(const RasterPrimitive& p) {
  Paintings& known = *paintings_;
  if (known.asked && known.primitive == &p.primitive) return known.painting;
  known.primitive = &p.primitive;
  const uint32_t layer = p.primitive.object.layer;
  const bool finite = has_finite_barycentrics(p.primitive);
  SetupData data;
  set_up_attributes(*draw_, p.primitive, layout_.attributes, data);
  const size_t used = layout_.attributes * setup_dwords;
  if (known.asked && known.pixels == p.bounds && known.layer == layer && known.finite == finite &&
      std::equal(data.begin(), data.begin() + used, known.data.begin()))
    return known.painting;
  known.asked = true, known.drawn = false, known.pixels = p.bounds, known.layer = layer, known.finite = finite;
  std::copy_n(data.begin(), used, known.data.begin());
  const PaintingQuestion question{*draw_, *stage_, layout_, p.bounds, layer, finite};
  const std::optional<PaintingCode>& code = code_of(question, p.primitive, data);
  known.painting = code ? find_painting(question, *code, *view_) : std::nullopt;
  return known.painting;
}

bool PixelBackEnd::paint(const RasterPrimitive& p, const Rectangle& bin, MaybeFault& fault) {
  if (draw_ && clears_) return clear(p, overlap(p.bounds, bin));
  constexpr int64_t least_pixels = bin_px * bin_px;  // fewer are drawn before it is found out
  if (!may_paint_ || int64_t(p.bounds.x1 - p.bounds.x0) * (p.bounds.y1 - p.bounds.y0) < least_pixels) return false;
  const Rectangle r = overlap(p.bounds, bin);
  if (!covers(p, r)) return false;
  const std::optional<Painting>& painting = painting_of(p);
  if (!painting || !painting->holds(r)) return false;
  fault = run_threads();
  if (fault) return true;
  auto count = uint64_t(r.x1 - r.x0) * uint64_t(r.y1 - r.y0);
  Paintings& known = *paintings_;
  if (!painting->copies && !known.drawn) {
    // What all are is seen of the first ones.
    Block b{.primitive = &p.primitive, .x = uint16_t(r.x0 & ~3), .y = uint16_t(r.y0 & ~3)};
    for (int n = 0; n < block_pixels; ++n) {
      const int x = b.x + block_x(n), y = b.y + block_y(n);
      b.coverage[0] |= uint16_t((x >= r.x0 && x < r.x1 && y >= r.y0 && y < r.y1) << n);
    }
    fault = block(b);
    if (!fault) fault = run_threads();
    if (fault) return true;
    count -= count_ones(b.coverage[0]);
    known.texel = painting->read(r.x0, r.y0), known.drawn = true;
  }
  if (painting->copies)
    painting->copy(r);
  else
    painting->fill(r, known.texel);
  counters_.painted += count;
  count_shaded(count);
  if (counts_) counters_.statistics.ps_depth_count += count;
  return true;
}

// The last primitive of the queue is this one.
MaybeFault PixelBackEnd::set_up(const Primitive& p) {
  if (setup_count_ && setups_[setup_count_ - 1].primitive == &p) return std::nullopt;
  MaybeFault fault;
  if (setup_count_ == most_threads) fault = run_threads();
  Setup& to = setups_[setup_count_++];
  to.primitive = &p;
  set_barycentrics(p, to.barycentrics);
  set_up_attributes(*draw_, p, layout_.attributes, to.data);
  return fault;
}

// For threads of a primitive, which stays set up.
MaybeFault PixelBackEnd::make_room(const Primitive& p) {
  if (auto fault = run_threads()) return fault;
  return set_up(p);
}

// One more, of the primitive that was set up last; there must be room.
inline PixelThread& PixelBackEnd::add_thread(const Block& b, int sample) {
  const unsigned number = thread_count_++;
  Waiting& w = waiting_[number];
  PixelThread& t = threads_[number];
  w = {.setup = setup_count_ - 1, .bin = bin_of(b)};
  t.sample = sample, t.tested = 0;
  t.layer = b.primitive->object.layer, t.barycentrics = &setups_[w.setup].barycentrics;
  t.only_colours = only_colours_ && !b.has_antialiasing;
  t.has_antialiasing = b.has_antialiasing;
  return t;
}
// Likewise, with the places of a block.
inline PixelThread& PixelBackEnd::add_block(const Block& b, int sample) {
  PixelThread& t = add_thread(b, sample);
  waiting_[thread_count_ - 1].subspans = 4;
  const uint16_t x = b.x, y = b.y, right = uint16_t(b.x + 2), below = uint16_t(b.y + 2);
  const std::array<PixelThread::Subspan, 4> subspans = {{{x, y}, {right, y}, {x, below}, {right, below}}};
  std::copy(subspans.begin(), subspans.end(), t.subspans.begin());
  return t;
}

// Blocks that have something in each subspan are threads of 16 lanes as they are; of others subspans are packed.
MaybeFault PixelBackEnd::queue(const Block& b, const Lit& lit, int sample) {
  uint32_t any = 0;
  for (unsigned s = 0; s < draw_->samples; ++s)
    if (sample < 0 || int(s) == sample) any |= lit[s];
  count_shaded(count_ones(any));
  if (layout_.lanes() == block_pixels && in_each_subspan(any)) return queue_whole(b, lit, sample);
  return pack(b, lit, sample, any);
}

MaybeFault PixelBackEnd::queue_whole(const Block& b, const Lit& lit, int sample) {
  if (thread_count_ == most_threads)
    if (auto fault = make_room(*b.primitive)) return fault;
  PixelThread& t = add_block(b, sample);
  for (unsigned s = 0; s < draw_->samples; ++s) {
    t.covered[s] = covered(b, s);
    t.lit[s] = sample < 0 || int(s) == sample ? lit[s] : 0;
  }
  if (b.has_antialiasing) std::copy_n(b.antialiasing.begin(), block_pixels, t.antialiasing.begin());
  return std::nullopt;
}

MaybeFault PixelBackEnd::pack(const Block& b, const Lit& lit, int sample, uint32_t any) {
  const unsigned samples = draw_->samples, room = layout_.lanes() / 4;
  const auto fits = [&] {
    if (open_ >= thread_count_) return false;
    const Waiting& w = waiting_[open_];
    return w.subspans < room && w.setup == setup_count_ - 1 && threads_[open_].sample == sample && w.bin == bin_of(b);
  };
  for (unsigned n = 0; n < 4; ++n) {
    if (!(any >> (4 * n) & 15)) continue;
    if (!fits()) {
      if (thread_count_ == most_threads)
        if (auto fault = make_room(*b.primitive)) return fault;
      open_ = thread_count_;
      PixelThread& t = add_thread(b, sample);
      t.subspans = {};
      if (b.has_antialiasing) t.antialiasing = {};
      std::fill_n(t.covered.begin(), samples, 0), std::fill_n(t.lit.begin(), samples, 0);
    }
    PixelThread& t = threads_[open_];
    const unsigned k = waiting_[open_].subspans++;
    t.subspans[k] = {uint16_t(b.x + block_x(int(4 * n))), uint16_t(b.y + block_y(int(4 * n)))};
    for (unsigned s = 0; s < samples; ++s) {
      t.covered[s] |= (covered(b, s) >> (4 * n) & 15) << (4 * k);
      if (sample < 0 || int(s) == sample) t.lit[s] |= (lit[s] >> (4 * n) & 15) << (4 * k);
    }
    if (b.has_antialiasing) std::copy_n(&b.antialiasing[4 * n], 4, &t.antialiasing[4 * k]);
  }
  return std::nullopt;
}

// The same of one sample, whose primitive was set up last.
MaybeFault PixelBackEnd::pack_plain(const Block& b, uint32_t lit) {
  const unsigned room = layout_.lanes() / 4;
  const uint32_t place = bin_of(b), covered = b.coverage[0];
  for (uint32_t left = subspans_with(lit); left; left &= left - 1) {
    const auto n = unsigned(std::countr_zero(left));
    const bool fits = open_ < thread_count_ && waiting_[open_].subspans < room &&
                      waiting_[open_].setup == setup_count_ - 1 && waiting_[open_].bin == place;
    if (!fits) {
      if (thread_count_ == most_threads)
        if (auto fault = make_room(*b.primitive)) return fault;
      open_ = thread_count_;
      PixelThread& t = add_thread(b, -1);
      t.subspans = {};
      t.covered[0] = t.lit[0] = 0;
    }
    PixelThread& t = threads_[open_];
    const unsigned k = waiting_[open_].subspans++;
    t.subspans[k] = {uint16_t(b.x + (n >> 1 & 2)), uint16_t(b.y + (n >> 2 & 2))};
    t.covered[0] |= (covered >> n & 15) << (4 * k), t.lit[0] |= (lit >> n & 15) << (4 * k);
  }
  return std::nullopt;
}

// --- threads

void PixelBackEnd::fill_payloads() {
  for (unsigned n = 0; n < thread_count_;) {
    const unsigned first = n, number = waiting_[n].setup;
    const Setup& setup = setups_[number];
    for (; n < thread_count_ && waiting_[n].setup == number; ++n) {
      uint32_t mask = threads_[n].lit[0], whole = mask;
      for (unsigned s = 1; s < draw_->samples; ++s) mask |= threads_[n].lit[s], whole &= threads_[n].lit[s];
      masks_[n] = mask;
      if (mask != whole) threads_[n].only_colours = 0;
      seconds_[n] = reinterpret_cast<const std::byte*>(setup.data.data());
    }
    fill_own_registers({layout_, *setup.primitive, pixels_, fftid_, {&threads_[first], n - first}, &masks_[first]},
                       payloads_[first * layout_.own].bytes.data());
  }
}

void PixelBackEnd::start(unsigned number, eu::Thread& thread) {
  pixels_.thread = &threads_[number];
  std::copy_n(payloads_[number * layout_.own].bytes.data(), layout_.own * eu::reg_bytes, thread.grf.data());
  fill_common_registers(layout_, draw_->push[size_t(state::ShaderStage::ps)], setups_[waiting_[number].setup].data,
                        thread.grf.data());
  thread.sr[2] = masks_[number];
}

Fault PixelBackEnd::placed(Fault fault, unsigned thread) const {
  thread = std::min(thread, thread_count_ - 1);
  const PixelThread& t = threads_[thread];
  const auto lane = unsigned(masks_[thread] ? std::countr_zero(masks_[thread]) : 0);
  const Primitive& p = *setups_[waiting_[thread].setup].primitive;
  const DrawPlace place = p.place ? *p.place : DrawPlace{.number = draw_->number};
  fault.pixel = Fault::Pixel{place.number, p.object.primitive_id, int(t.x(lane)), int(t.y(lane))};
  return fault_of(place, std::move(fault));
}

MaybeFault PixelBackEnd::run_threads() {
  MaybeFault fault;
  if (thread_count_) {
    fill_payloads();
    const dispatch::Apart apart{.payloads = payloads_[0].bytes.data(),
                                .seconds = seconds_.data(),
                                .second_bytes = layout_.attributes * setup_dwords * 4,
                                .records = reinterpret_cast<const std::byte*>(threads_.get()),
                                .record_bytes = sizeof(PixelThread),
                                .record = reinterpret_cast<std::byte**>(&pixels_.thread),
                                .masks = masks_.data()};
    dispatch::Threads threads;
    threads.groups = 1, threads.threads = thread_count_;
    // One after the other: nothing runs between a thread's start and its end.
    if (stage_->state.kernel->waits)
      threads.groups = thread_count_, threads.threads = 1;
    else if (const code::ChainForm form = stage_->state.chain;
             form.apart() && form.own == layout_.own && form.second == layout_.setup_at())
      threads.apart = &apart;
    threads.context = this;
    threads.start = [](const void* context, const dispatch::Seat& seat, eu::Thread& thread) {
      const_cast<PixelBackEnd*>(static_cast<const PixelBackEnd*>(context))
          ->start(unsigned(seat.group) + seat.thread, thread);
    };
    counters_.threads[layout_.width] += thread_count_;
    fault = runner_.run(*stage_, threads, fftid_, counters_.counts);
    if (fault) fault = placed(*fault, fault->thread ? unsigned(fault->thread->group) + fault->thread->number : 0);
    pixels_.thread = nullptr;
  }
  thread_count_ = 0;
  setup_count_ = 0;
  open_ = most_threads;
  return fault;
}

}  // namespace vitro::pipeline
