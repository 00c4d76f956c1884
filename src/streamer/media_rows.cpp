// The rows of the media and GPGPU commands: each hands its struct to src/media with what the engine has around it.
// PRM: Gen8 vol 2a MEDIA_*, GPGPU_*; which generation has which command is what the lists at the end say.
// GPGPU_WALKER's predicate is MI_PREDICATE_RESULT, its indirect dimensions GPGPU_DISPATCHDIM*.
#include <string_view>

#include "commands/media_layouts.h"
#include "media/state.h"
#include "registers/file.h"
#include "streamer/handlers.h"
#include "streamer/rows.h"
#include "streamer/streamer.h"

namespace vitro::streamer {
namespace {

// Calls a function of src/media that needs surroundings.
template <class Run>
Outcome with_media(Execution& e, Run run) {
  Surroundings& a = e.around;
  if (!a.pool || !a.programs || !a.media) return unsupported(e.row ? e.row->name : "threads");
  if (Outcome done = drain(e, pipeline::DrainReason::pipeline_select); !done) return done;
  if (!e.media)
    e.media.emplace(media::Surroundings{.caller = e.caller.emplace(*a.pool),
                                        .programs = *a.programs,
                                        .traits = *a.media,
                                        .memory = a.ppgtt,
                                        .bases = e.state.bases,
                                        .run = a.run,
                                        .counts = a.thread_counts ? *a.thread_counts : e.uncounted});
  return run(e.state.media, *e.media);
}

Outcome vfe_state(Execution& e, const commands::MediaVfeState& c) {
  return with_media(e, [&](media::State& s, media::Surroundings& a) { return set_vfe(s, a, c); });
}
Outcome curbe_load(Execution& e, const commands::MediaCurbeLoad& c) {
  e.keeps_memory = true;
  return load_curbe(e.state.media, c);
}
Outcome interface_descriptor_load(Execution& e, const commands::MediaInterfaceDescriptorLoad& c) {
  return load_descriptors(e.state.media, c);
}
Outcome state_flush(Execution& e, const commands::MediaStateFlush&) {
  e.keeps_memory = true;
  return finish_media(e);
}
Outcome pool_state(Execution& e, const commands::MediaPoolState& c) {
  return with_media(e, [&](media::State& s, media::Surroundings& a) { return set_pool(s, a, c); });
}
void csr_base_address(Execution& e, const commands::GpgpuCsrBaseAddress& c) { e.state.media.csr_base = c.base; }

Outcome gpgpu_walker(Execution& e, const commands::GpgpuWalker& c) {
  e.keeps_memory = true;  // unless its threads write to them: then an invalidation must follow
  if (c.predicate && !predicate(e)) return {};
  media::IndirectDimensions dimensions;
  if (c.indirect)
    dimensions = {read_register(e, registers::mmio::dispatch_dim_x), read_register(e, registers::mmio::dispatch_dim_y),
                  read_register(e, registers::mmio::dispatch_dim_z)};
  const uint64_t before = e.state.media.invocations;
  Outcome done = with_media(e, [&](media::State& s, media::Surroundings& a) { return walk(s, a, c, dimensions); });
  constexpr uint32_t counter = registers::mmio::cs_invocation_count;
  e.state.registers.set64(counter, e.state.registers.get64(counter) + e.state.media.invocations - before);
  return done;
}

template <size_t header, auto start, class Command>
Outcome with_inline_data(Execution& e, const Command& c, std::span<const uint32_t> packet) {
  if (packet.size() < header) return failed("the command is too short");
  return with_media(e, [&](media::State& s, media::Surroundings& a) { return start(s, a, c, packet.subspan(header)); });
}
constexpr auto object = with_inline_data<commands::media_object_dwords, media::start_object, commands::MediaObject>;
constexpr auto object_prt =
    with_inline_data<commands::media_object_prt_dwords, media::start_object, commands::MediaObject>;
constexpr auto object_grpid =
    with_inline_data<commands::media_object_grpid_dwords, media::start_in_group, commands::MediaObject>;
constexpr auto object_walker =
    with_inline_data<commands::media_object_walker_dwords, media::walk_objects, commands::MediaObjectWalker>;

using commands::render, commands::length8, commands::length16;
namespace f = commands::media_fields;

constexpr Row rows_of_gen6[] = {
    row<f::vfe_gen6, vfe_state>(render, length16),
    row<f::curbe_load, curbe_load>(render, length16),
    row<f::interface_descriptor_load, interface_descriptor_load>(render, length16),
    row<f::state_flush_gen6, state_flush>(render, length16),
    row<f::object_gen6, object>(render, length16),
    row<f::object_prt_gen6, object_prt>(render, length16),
    row<f::object_walker_gen6, object_walker>(render, length16),
};
constexpr Row rows_of_gen8[] = {
    row<f::vfe_gen8, vfe_state>(render, length16),
    row<f::curbe_load, curbe_load>(render, length16),
    row<f::interface_descriptor_load, interface_descriptor_load>(render, length16),
    row<f::state_flush_gen8, state_flush>(render, length16),
    row<f::csr_base_address, csr_base_address>(render, length8),
    row<f::gpgpu_walker, gpgpu_walker>(render, length8),
    row<f::object_gen8, object>(render, length16),
    row<f::object_prt_gen8, object_prt>(render, length16),
    row<f::object_grpid_gen8, object_grpid>(render, length16),
    row<f::object_walker_gen8, object_walker>(render, length16),
};
constexpr Row rows_of_gen9[] = {
    row<f::vfe_gen9, vfe_state>(render, length16),
    row<f::curbe_load, curbe_load>(render, length16),
    row<f::interface_descriptor_load, interface_descriptor_load>(render, length16),
    row<f::state_flush_gen8, state_flush>(render, length16),
    row<f::pool_state, pool_state>(render, length16),
    row<f::csr_base_address, csr_base_address>(render, length8),
    row<f::gpgpu_walker, gpgpu_walker>(render, length8),
    row<f::object_gen9, object>(render, length16),
    row<f::object_prt_gen8, object_prt>(render, length16),
    row<f::object_grpid_gen9, object_grpid>(render, length16),
    row<f::object_walker_gen9, object_walker>(render, length16),
};

}  // namespace

constinit const std::span<const Row> media_rows_gen6{rows_of_gen6};
constinit const std::span<const Row> media_rows_gen8{rows_of_gen8};
constinit const std::span<const Row> media_rows_gen9{rows_of_gen9};

Outcome finish_media(Execution& e) {
  if (e.state.media.pending.empty()) return {};
  return with_media(e, [](media::State& s, media::Surroundings& a) { return flush(s, a); });
}

}  // namespace vitro::streamer
