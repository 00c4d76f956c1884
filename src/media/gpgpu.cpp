// GPGPU_WALKER: the thread groups of a range, their masks and payloads. PRM: Gen8 vol 2a GPGPU_WALKER; Gen8 vol 7
// "GPGPU thread payload". Memory holds the data of the whole group first, then that of each thread; in registers they
// stand in this order when they come from the CURBE, and the other way round when they are indirect data. Groups are
// handed out X fastest; a dimension is the first id that does not exist, and rows begin again at the starting id.
// Worked example: 40 items in SIMD16 are three threads with masks ffff, ffff, 00ff: the right mask is that of the last
// thread of every group.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <tuple>

#include "base/bits.h"
#include "media/launch.h"

namespace vitro::media {
namespace {

struct Groups {
  commands::GpgpuWalker walker;
  const shared::GatewayLayout* gateway;
  Header header;
  uint64_t columns, rows;  // of groups
  bool barrier;
  const uint32_t* masks;  // of each thread
  const std::byte* data;
  size_t cross, per;  // bytes
  bool indirect;      // the thread's own data first
};

uint32_t mask_of(const commands::GpgpuWalker& w, unsigned thread) {
  const unsigned across = thread % (w.width + 1u), down = thread / (w.width + 1u) % (w.height + 1u);
  uint32_t mask = uint32_t(ones(8 << w.simd));
  if (across == w.width) mask &= w.right_mask;
  if (down == w.height) mask &= w.bottom_mask;
  return mask;
}

void fill_header(const void* context, const dispatch::Seat& seat, eu::Thread& thread) {
  const Groups& g = *static_cast<const Groups*>(context);
  const commands::GpgpuWalker& w = g.walker;
  // most walks have one row, or one slice
  const uint64_t row = seat.group < g.columns ? 0 : seat.group / g.columns, slice = row < g.rows ? 0 : row / g.rows;
  const uint32_t r0[reg_bytes / sizeof(uint32_t)] = {
      0,
      w.start_x + uint32_t(seat.group - row * g.columns),
      g.barrier ? barrier_bits(*g.gateway, seat.barrier) : 0,
      g.header.samplers,
      g.header.bindings,
      g.header.r0_5(seat.fftid),
      w.start_y + uint32_t(row - slice * g.rows),
      w.start_z + uint32_t(slice),
  };
  std::memcpy(thread.grf.data(), r0, sizeof r0);
}

uint64_t left_in_row(const void* context, uint64_t group) {
  const Groups& g = *static_cast<const Groups*>(context);
  return g.columns - 1 - group % g.columns;
}

void start(const void* context, const dispatch::Seat& seat, eu::Thread& thread) {
  const Groups& g = *static_cast<const Groups*>(context);
  fill_header(context, seat, thread);
  std::byte* to = thread.grf.data() + reg_bytes;
  const std::byte *common = g.data, *own = common + g.cross + seat.thread * g.per;
  if (g.indirect) {
    std::copy_n(common, g.cross, std::copy_n(own, g.per, to));
  } else {
    std::copy_n(own, g.per, std::copy_n(common, g.cross, to));
  }
  thread.sr[2] = g.masks[seat.thread];
}

// Masks of all threads of a group.
void make_masks(Prepared& p, const commands::GpgpuWalker& w, unsigned threads) {
  const auto counters = [](const commands::GpgpuWalker& v) {
    return std::tie(v.width, v.height, v.depth, v.simd, v.right_mask, v.bottom_mask);
  };
  if (p.masks.size() == threads && counters(p.masks_of) == counters(w)) return;
  p.masks_of = w;
  p.masks.clear();
  p.channels = 0;
  for (unsigned t = 0; t < threads; ++t) {
    p.masks.push_back(mask_of(w, t));
    p.channels += unsigned(std::popcount(p.masks.back()));
  }
}

uint64_t extent(uint32_t start, uint32_t end) { return end > start ? end - start : 0; }

}  // namespace

Outcome walk(State& state, Surroundings& around, const commands::GpgpuWalker& walker,
             const IndirectDimensions& indirect) {
  if (walker.simd > 2) return failed("reserved SIMD size in GPGPU_WALKER");
  const tl::expected<Prepared*, Fault> prepared = prepare(state, around, walker.descriptor);
  if (!prepared) return tl::unexpected<Fault>(prepared.error());
  Prepared& p = **prepared;
  const commands::InterfaceDescriptor& d = p.launch.descriptor;

  Groups g{.walker = walker,
           .gateway = around.traits.gateway,
           .header = p.launch.header,
           .columns = 0,
           .rows = 0,
           .barrier = d.barrier,
           .masks = nullptr,
           .data = nullptr,
           .cross = d.cross_thread_length * reg_bytes,
           .per = d.curbe_length * reg_bytes,
           .indirect = walker.data_length != 0};
  if (walker.indirect) g.walker.end_x = indirect.x, g.walker.end_y = indirect.y, g.walker.end_z = indirect.z;
  g.columns = extent(walker.start_x, g.walker.end_x);
  g.rows = extent(walker.start_y, g.walker.end_y);
  const uint64_t slices = extent(walker.start_z, g.walker.end_z);
  if (g.columns == 0 || g.rows == 0 || slices == 0) return {};
  if (slices > ~uint64_t{0} / (g.columns * g.rows)) return failed("GPGPU_WALKER over more groups than can be counted");
  if (g.cross + g.per > most_payload_registers * reg_bytes)
    return failed(fmt::format("a payload of {} registers", 1 + (g.cross + g.per) / reg_bytes));

  dispatch::Threads threads;
  threads.groups = g.columns * g.rows * slices;
  // The interface descriptor's count should be the same; the counters say which threads there are.
  threads.threads = (walker.width + 1u) * (walker.height + 1u) * (walker.depth + 1u);
  p.data.resize(g.cross + g.per * threads.threads);
  if (g.indirect)
    read_indirect(around.bases, around.memory, walker.data_start, walker.data_length, p.data);
  else
    read_curbe(state, around.bases, around.memory, d.curbe_offset, p.data);
  make_masks(p, walker, threads.threads);
  g.data = p.data.data();
  g.masks = p.masks.data();
  threads.start = start;
  threads.context = &g;
  threads.own = {.group = fill_header,
                 .in_row = left_in_row,
                 .counter = 1,
                 .data = g.data + g.cross,
                 .bytes = g.per,
                 .at = reg_bytes + (g.indirect ? 0 : g.cross),
                 .masks = g.masks};
  state.invocations += p.channels * threads.groups;
  return run(around, p.stage, threads);
}

}  // namespace vitro::media
