// MEDIA_OBJECT and its kin: single threads, groups that are named thread by thread, and walks over a picture. PRM: Gen8
// vol 2a MEDIA_OBJECT, _PRT, _GRPID, _WALKER; Gen6 vol 2 part 2. r1 and on: constants, inline data in whole registers,
// indirect data. With a scoreboard threads run one after the other in the order of dispatch, which satisfies every
// dependency; without one they run at the same time. A persistent root thread is a root thread like others: nothing
// here preempts it. Not established by the documents: the order of inline and indirect data, which is that of Gen5.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "media/launch.h"
#include "media/walker.h"

namespace vitro::media {
namespace {

constexpr uint32_t all_channels = ~0u;  // media kernels know no dispatch mask

struct Threads {
  struct One {
    uint32_t x = 0, y = 0, color = 0;
    std::span<const std::byte> data;
  };
  const Traits* traits;
  Header header;
  uint32_t descriptor = 0;  // in r0.2, where there is such a thing
  bool barrier = false;
  std::vector<std::byte> constants;
  size_t cross = 0, per = 0;      // bytes of them
  std::vector<One> threads;       //
  std::vector<uint32_t> first{};  // of each group, and the end; empty: each thread is a group
};

uint32_t first_of(const Threads& t, uint64_t group) { return t.first.empty() ? uint32_t(group) : t.first[group]; }

unsigned threads_of(const void* context, uint64_t group) {
  const Threads& t = *static_cast<const Threads*>(context);
  return t.first[group + 1] - t.first[group];
}

void start(const void* context, const dispatch::Seat& seat, eu::Thread& thread) {
  const Threads& t = *static_cast<const Threads*>(context);
  const Threads::One& one = t.threads[first_of(t, seat.group) + seat.thread];
  const uint32_t limit = t.traits->coordinate_mask;
  const uint32_t r0[8] = {
      0,
      (one.x & limit) | (one.y & limit) << 16,
      (one.color & 15) | t.descriptor | (t.barrier ? barrier_bits(*t.traits->gateway, seat.barrier) : 0),
      t.header.samplers,
      t.header.bindings,
      t.header.r0_5(seat.fftid),
      0,
      0};
  std::byte* to = thread.grf.data();
  std::memcpy(to, r0, sizeof r0);
  to += sizeof r0;
  std::copy_n(t.constants.data(), t.cross, to);
  to += t.cross;
  std::copy_n(t.constants.data() + t.cross + (t.first.empty() ? 0 : seat.thread * t.per), t.per, to);
  to += t.per;
  std::copy_n(one.data.data(), one.data.size(), to);
  thread.sr[2] = all_channels;
}

// Inline data in whole registers, then indirect data likewise.
std::vector<std::byte> payload_data(Surroundings& around, std::span<const uint32_t> inline_data, uint32_t start,
                                    uint32_t length) {
  const auto whole = [](size_t bytes) { return (bytes + reg_bytes - 1) / reg_bytes * reg_bytes; };
  const size_t in_command = whole(inline_data.size_bytes());
  std::vector<std::byte> data(in_command + whole(length));
  std::ranges::copy(std::as_bytes(inline_data), data.begin());
  if (length) read_indirect(around.bases, around.memory, start, length, std::span(data).subspan(in_command));
  return data;
}

// A thread that a media thread asks for: r0 as it was sent, constants of its own descriptor, and what the parent left
// in the URB.
struct Family {
  const State& state;
  Surroundings& around;
  shared::Urb urb;

  Family(const State& s, Surroundings& a) : state(s), around(a), urb(*a.traits.urb, shared::urb_bytes_gen6_gt2) {}

  static Result<dispatch::ThreadState> start(void* context, memory::View& memory, const shared::SpawnRequest& request,
                                             unsigned fftid, eu::Thread& child) {
    Family& f = *static_cast<Family*>(context);
    tl::expected<Launch, Fault> l =
        launch_at(f.state, f.around.programs, f.around.traits, f.around.bases, memory, request.descriptor);
    if (!l) return vitro::failure(l.error().reason);
    const size_t constants = l->descriptor.curbe_length * reg_bytes, left = request.urb_registers * reg_bytes;
    const std::span<const std::byte> urb = std::as_bytes(std::span<const uint32_t>(f.urb.entry(request.urb_handle)));
    if (constants + left > most_payload_registers * reg_bytes || left > urb.size())
      return vitro::failure(fmt::format("a child with {} registers of the URB", request.urb_registers));
    std::byte* to = child.grf.data();
    std::memcpy(to, request.header.data(), reg_bytes);
    const uint32_t words[3] = {l->header.samplers, l->header.bindings, l->header.r0_5(fftid)};
    std::memcpy(to + 3 * sizeof(uint32_t), words, sizeof words);
    read_curbe(f.state, f.around.bases, memory, l->descriptor.curbe_offset, {to + reg_bytes, constants});
    std::copy_n(urb.data(), left, to + reg_bytes + constants);
    child.sr[2] = all_channels;
    return std::move(l->state);
  }
};

struct Manner {
  bool in_order = false, children = false;
};

// Runs threads whose places and data are known.
Outcome run_threads(State& state, Surroundings& around, const Prepared& p, Threads& t, const Manner& manner) {
  const Launch& launch = p.launch;
  const commands::InterfaceDescriptor& d = launch.descriptor;
  t.traits = &around.traits;
  t.header = launch.header;
  if (around.traits.descriptor_in_header) t.descriptor = launch.descriptor_offset & ~15u;
  const bool grouped = !t.first.empty();
  t.cross = (grouped ? d.cross_thread_length : 0) * reg_bytes;
  t.per = d.curbe_length * reg_bytes;
  t.barrier = grouped && d.barrier;

  dispatch::Stage stage = p.stage;
  stage.number = 0;  // it differs
  dispatch::Threads work;
  work.threads = 1;
  work.groups = t.threads.size();
  if (grouped) {
    work.groups = t.first.size() - 1;
    work.threads_of = threads_of;
    for (uint64_t g = 0; g < work.groups; ++g) work.threads = std::max(work.threads, threads_of(&t, g));
  }
  size_t most = 0;
  for (const Threads::One& one : t.threads) most = std::max(most, one.data.size());
  if (t.cross + t.per + most > most_payload_registers * reg_bytes)
    return failed(fmt::format("a payload of {} registers", 1 + (t.cross + t.per + most) / reg_bytes));
  t.constants.resize(t.cross + t.per * (grouped ? work.threads : 1));
  read_curbe(state, around.bases, around.memory, d.curbe_offset, t.constants);
  stage.barrier = t.barrier;
  stage.in_order = manner.in_order;
  work.start = start;
  work.context = &t;
  std::optional<Family> family;
  if (manner.children) {
    family.emplace(state, around);
    stage.spawning = {Family::start, &*family};
    stage.urb = family->urb.function();
  }
  return run(around, stage, work);
}

bool scoreboarded(const State& state, bool use, uint8_t mask) {
  return state.vfe->scoreboard_enable && use && (state.vfe->scoreboard_mask & mask);
}

Outcome run_group(State& state, Surroundings& around, std::vector<PendingThread> group) {
  const tl::expected<Prepared*, Fault> p = prepare(state, around, group.front().object.descriptor);
  if (!p) return tl::unexpected<Fault>(p.error());
  Threads t{};
  for (const PendingThread& p : group) {
    if (p.object.descriptor != group.front().object.descriptor)
      return unsupported("threads of one group with different interface descriptors");
    t.threads.push_back({p.object.x, p.object.y, p.object.color, p.data});
  }
  t.first = {0, uint32_t(group.size())};
  return run_threads(state, around, **p, t, {});
}

}  // namespace

Outcome start_object(State& state, Surroundings& around, const commands::MediaObject& object,
                     std::span<const uint32_t> inline_data) {
  const tl::expected<Prepared*, Fault> p = prepare(state, around, object.descriptor);
  if (!p) return tl::unexpected<Fault>(p.error());
  const std::vector<std::byte> data = payload_data(around, inline_data, object.data_start, object.data_length);
  Threads t{};
  t.threads = {{object.x, object.y, object.color, data}};
  return run_threads(state, around, **p, t,
                     {.in_order = true, .children = object.children && around.traits.urb != nullptr});
}

Outcome start_in_group(State& state, Surroundings& around, const commands::MediaObject& object,
                       std::span<const uint32_t> inline_data) {
  std::vector<PendingThread>& group = state.pending[object.group];
  group.push_back({object, payload_data(around, inline_data, object.data_start, object.data_length)});
  if (!object.end_of_group) return {};
  std::vector<PendingThread> complete = std::move(group);
  state.pending.erase(object.group);
  return run_group(state, around, std::move(complete));
}

Outcome flush(State& state, Surroundings& around) {
  while (!state.pending.empty()) {
    std::vector<PendingThread> group = std::move(state.pending.begin()->second);
    state.pending.erase(state.pending.begin());
    if (Outcome o = run_group(state, around, std::move(group)); !o) return o;
  }
  return {};
}

Outcome walk_objects(State& state, Surroundings& around, const commands::MediaObjectWalker& walker,
                     std::span<const uint32_t> inline_data) {
  if (walker.dual_mode || walker.repel) return unsupported("dual mode of MEDIA_OBJECT_WALKER");
  if (walker.masked_dispatch) return unsupported("masked dispatch of MEDIA_OBJECT_WALKER");
  if (walker.data_length) return failed("MEDIA_OBJECT_WALKER with indirect data");
  if (walker.group_loop > 5) return failed("reserved Group ID Loop Select in MEDIA_OBJECT_WALKER");
  const tl::expected<Prepared*, Fault> p = prepare(state, around, walker.descriptor);
  if (!p) return tl::unexpected<Fault>(p.error());
  std::vector<Visit> places;
  if (!visits(walker, places)) return failed("MEDIA_OBJECT_WALKER over more places than a picture has");
  const std::vector<std::byte> data = payload_data(around, inline_data, 0, 0);
  Threads t{};
  for (const Visit& v : places) {
    if (walker.group_loop && (t.threads.empty() || v.group != places[t.threads.size() - 1].group))
      t.first.push_back(uint32_t(t.threads.size()));
    t.threads.push_back({v.x, v.y, v.color, data});
  }
  if (t.threads.empty()) return {};
  if (walker.group_loop) t.first.push_back(uint32_t(t.threads.size()));
  return run_threads(state, around, **p, t,
                     {.in_order = scoreboarded(state, walker.use_scoreboard, walker.scoreboard_mask),
                      .children = walker.children && around.traits.urb != nullptr});
}

}  // namespace vitro::media
