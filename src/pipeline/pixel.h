// The pixel back end: from blocks of covered pixels to memory. PRM: Gen8 vol 7 "Windower", "Pixel Shader Dispatch",
// "Depth and Stencil"; 3DSTATE_WM, 3DSTATE_PS, 3DSTATE_PS_EXTRA. Depth and stencil tests come before the pixel shader
// unless its results decide about them (a table in pixel_plan.cpp); then the thread's first render target message makes
// them. Subspans that are lit are packed into threads, of one primitive and one bin, so that packing does not depend on
// how bins are shared out. Threads run in the order of the blocks.
// Not modelled: chroma keys.
#pragma once

#include <bitset>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/maybe_fault.h"
#include "dispatch/runner.h"
#include "pipeline/clear.h"
#include "pipeline/depth_stencil.h"
#include "pipeline/painting.h"
#include "pipeline/pixel_payload.h"
#include "pipeline/raster_state.h"
#include "pipeline/setup.h"
#include "pipeline/statistics.h"
#include "shared/pixel_context.h"

namespace vitro::pipeline {

struct PixelCounters {
  Statistics statistics{};  // of the pixel shader and of depth
  dispatch::Counts counts{};
  uint64_t pixels = 0;   // shaded, whoever may count them; of a shader for each sample, samples
  uint64_t painted = 0;  // of these, without threads
  std::array<uint64_t, pixel_lanes.size()> threads{};  // by width
};

// One of a host thread's own.
class PixelBackEnd {
 public:
  // Threads have FFTIDs from `fftid` on.
  PixelBackEnd(const dispatch::SubsliceOptions& options, unsigned fftid);
  PixelBackEnd(const PixelBackEnd&) = delete;
  PixelBackEnd& operator=(const PixelBackEnd&) = delete;

  // Between begin() and end() come the blocks of a draw. It and their primitives must stay. Faults have the pixel.
  MaybeFault begin(const Draw&);
  MaybeFault blocks(std::span<const Block>);  // of one primitive, no more than a bin has
  // The same in two steps, for draws whose plan says so (covers_passed): blocks keep those pixels that pass, which are
  // counted as shaded, and may be handed in later.
  void test(std::span<Block>);
  MaybeFault tested_blocks(std::span<const Block> all) { return plain_blocks(all, true); }
  // All pixels of a primitive in its bin, if they need no threads (painting.h). False: nothing has happened.
  bool paint(const RasterPrimitive&, const Rectangle& bin, MaybeFault&);
  // Primitives so far are gone: others may be where they were.
  void forget_primitives() { paintings_->primitive = nullptr; }
  // So many pixels that nobody will see: of a draw that only paints.
  bool counts_hidden(const Draw& draw) const {
    return draw.state.wm.statistics_enable && draw.state.sample_mask.sample_mask & 1;
  }
  void count_hidden(const Draw&, uint64_t pixels);
  MaybeFault end();

  const PixelCounters& counters() const { return counters_; }
  PixelCounters take_counters() { return std::exchange(counters_, {}); }
  // Lets go of everything that belongs to draws.
  void forget();

 private:
  static constexpr unsigned most_threads = 64;  // that wait
  struct Setup {
    const Primitive* primitive;
    shared::Barycentrics barycentrics;
    SetupData data;
  };
  struct Waiting {  // and a record, of whose covered and lit as many count as the draw has samples
    uint32_t setup = 0;
    unsigned subspans = 0, bin = 0;
  };

  // What is known about the draw's last primitive that may need no threads, and about the last code.
  struct Paintings {
    bool asked = false, drawn = false;  // `texel` is what all pixels are
    Rectangle pixels{};
    const Primitive* primitive = nullptr;  // the last one that was asked about
    uint32_t layer = 0;
    bool finite = false;  // barycentrics
    SetupData data{};
    std::optional<Painting> painting{};
    Painting::Texel texel{};

    std::shared_ptr<const dispatch::Kernel> kernel{};
    Rectangle code_pixels{};
    bool code_finite = false;
    PixelLayout layout{};
    std::bitset<eu::grf_count> reads{};  // registers that the kernel looks at
    eu::Thread model{};
    std::optional<PaintingCode> code{};
  };

  MaybeFault make_ready(const Draw&);
  const std::optional<Painting>& painting_of(const RasterPrimitive&);
  const std::optional<PaintingCode>& code_of(const PaintingQuestion&, const Primitive&, const SetupData&);
  MaybeFault clear_block(const Block&);
  bool clear(const RasterPrimitive&, const Rectangle& pixels);
  uint32_t covered(const Block&, unsigned sample) const;
  MaybeFault block(const Block&);
  MaybeFault plain_blocks(std::span<const Block>, bool tested);
  MaybeFault set_up(const Primitive&);
  MaybeFault make_room(const Primitive&);
  shared::PixelThread& add_thread(const Block&, int sample);
  shared::PixelThread& add_block(const Block&, int sample);
  MaybeFault queue(const Block&, const Lit& lit, int sample);
  MaybeFault queue_whole(const Block&, const Lit& lit, int sample);
  MaybeFault pack(const Block&, const Lit& lit, int sample, uint32_t any);
  MaybeFault pack_plain(const Block&, uint32_t lit);
  MaybeFault run_threads();
  void fill_payloads();
  void start(unsigned number, eu::Thread&);
  void test_late(std::array<uint32_t, most_samples>& lit, const float* depth, const uint8_t* stencil);
  void count_passed(const Lit& lit);
  void count_shaded(uint64_t pixels);
  Fault placed(Fault, unsigned thread) const;

  shared::PixelContext pixels_{};
  dispatch::Runner runner_;
  unsigned fftid_;
  std::optional<memory::View> view_{};

  const Draw* draw_ = nullptr;
  uint64_t number_ = ~uint64_t(0);
  PixelPlan plan_{};
  bool clears_ = false, resolves_ = false, per_sample_ = false, counts_ = false;
  shared::RenderTarget cleared_{};
  DepthStencil tests_{};
  PixelLayout layout_{};
  const dispatch::Stage* stage_ = nullptr;

  std::unique_ptr<Setup[]> setups_ = std::make_unique<Setup[]>(most_threads);
  unsigned setup_count_ = 0;
  // Threads that wait, by number: what was said of them, and the registers they are to be started with.
  std::array<Waiting, most_threads> waiting_{};
  std::unique_ptr<shared::PixelThread[]> threads_ = std::make_unique<shared::PixelThread[]>(most_threads);
  unsigned thread_count_ = 0;
  unsigned open_ = most_threads;  // the one that takes subspans of blocks that are not whole
  struct alignas(eu::reg_bytes) Register {
    std::array<std::byte, eu::reg_bytes> bytes;
  };
  std::vector<Register> payloads_{};
  std::array<const std::byte*, most_threads> seconds_{};
  std::array<uint32_t, most_threads> masks_{};
  bool only_colours_ = false;  // as the records say, but for lines' coverage
  bool may_paint_ = false;
  std::unique_ptr<Paintings> paintings_ = std::make_unique<Paintings>();
  PixelCounters counters_{};
};

}  // namespace vitro::pipeline
