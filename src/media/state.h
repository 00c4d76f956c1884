// The media and GPGPU pipeline of one context: what its state commands have set, and the commands that start threads.
// PRM: Gen8 vol 2a MEDIA_*, GPGPU_*; Gen8 vol 7 "Media GPGPU pipeline"; Gen6 vol 2 part 2. The state is part of the
// context image and survives batches. Constant data and interface descriptors are read from memory when threads are
// dispatched, not when they are loaded. Not modelled: preemption within a dispatch, so the CSR area is never written;
// slices, subslices and pools as places: all EUs are alike.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "commands/interface_descriptor.h"
#include "commands/media.h"
#include "dispatch/pool.h"
#include "dispatch/program_cache.h"
#include "media/prepared.h"
#include "memory/view.h"
#include "shared/urb.h"
#include "state/bases.h"

namespace vitro::media {

// What differs between generations and devices.
struct Traits {
  commands::InterfaceDescriptor (*descriptor)(std::span<const uint32_t>) = nullptr;
  // Bytes of shared local memory for a size code; nullopt if the code is reserved.
  std::optional<uint32_t> (*slm_bytes)(uint32_t code) = nullptr;
  const shared::GatewayLayout* gateway = nullptr;  // r0.2 has the barrier's id where M0.2 of a BarrierMsg has it
  uint16_t fftid_mask = 0x1FF;                     // in r0.5
  uint16_t coordinate_mask = 0x1FF;                // of X and Y in r0.1
  bool descriptor_in_header = false;               // r0.2 names the interface descriptor
  bool has_pools = false;                          // MEDIA_POOL_STATE
  const shared::UrbLayout* urb = nullptr;          // through which parents hand data to children
  unsigned threads = 64;                           // the most the device runs at a time, if VFE state is silent
};
extern const Traits traits_gen6, traits_gen8, traits_gen9, traits_gen9_lp;

// Media threads that wait until their group is complete.
struct PendingThread {
  commands::MediaObject object;
  std::vector<std::byte> data;  // inline, then indirect
};

struct State {
  std::optional<commands::MediaVfeState> vfe{};
  commands::MediaCurbeLoad curbe{};
  commands::MediaInterfaceDescriptorLoad descriptors{};
  commands::MediaPoolState pool{};
  uint64_t csr_base = 0;     // GPGPU_CSR_BASE_ADDRESS
  uint64_t invocations = 0;  // channels that GPGPU walkers have started: CS_INVOCATION_COUNT follows
  std::map<uint32_t, std::vector<PendingThread>> pending{};  // by group id
};

// What the pipeline finds around it while a batch runs, and keeps from one dispatch to the next. Belongs to the host
// thread that runs it.
struct Surroundings {
  dispatch::Caller& caller;
  dispatch::ProgramCache& programs;
  const Traits& traits;
  memory::View& memory;
  const state::Bases& bases;
  const dispatch::Run& run;
  dispatch::Counts& counts;  // what was executed is added here
  Prepared prepared{};
};

using Outcome = tl::expected<void, Fault>;

Outcome set_vfe(State&, Surroundings&, const commands::MediaVfeState&);
Outcome load_curbe(State&, const commands::MediaCurbeLoad&);
Outcome load_descriptors(State&, const commands::MediaInterfaceDescriptorLoad&);
Outcome set_pool(State&, Surroundings&, const commands::MediaPoolState&);
// MEDIA_STATE_FLUSH, and the end of a batch: threads of groups that were never completed run now.
Outcome flush(State&, Surroundings&);

// The numbers of groups as the indirect registers have them. Predication is the caller's business.
struct IndirectDimensions {
  uint32_t x = 0, y = 0, z = 0;
};
Outcome walk(State&, Surroundings&, const commands::GpgpuWalker&, const IndirectDimensions& indirect);
Outcome start_object(State&, Surroundings&, const commands::MediaObject&, std::span<const uint32_t> inline_data);
// MEDIA_OBJECT_GRPID
Outcome start_in_group(State&, Surroundings&, const commands::MediaObject&, std::span<const uint32_t> inline_data);
Outcome walk_objects(State&, Surroundings&, const commands::MediaObjectWalker&, std::span<const uint32_t> inline_data);

}  // namespace vitro::media
