// The state commands of the pipeline, and what differs between generations. PRM: as state.h; shared local memory codes:
// Gen8 counts 4 KB, Gen9 powers of two from 1 KB. The pools of MEDIA_POOL_STATE are checked and kept: a group here
// always fits into one subslice, which is what pools are for.
#include "media/state.h"

#include <fmt/format.h>

#include <bit>

#include "media/launch.h"

namespace vitro::media {
namespace {

template <const auto& layout>
commands::InterfaceDescriptor unpacked(std::span<const uint32_t> packet) {
  return unpack(layout, packet);
}

std::optional<uint32_t> no_slm(uint32_t code) { return code == 0 ? std::optional(0u) : std::nullopt; }
std::optional<uint32_t> slm_in_pages(uint32_t code) {
  if (code > 16 || std::popcount(code) > 1) return std::nullopt;
  return code << 12;
}
std::optional<uint32_t> slm_in_powers(uint32_t code) {
  if (code > 7) return std::nullopt;
  return code == 0 ? 0 : 512u << code;
}

constexpr uint32_t pool_configuration_bits = 0x00FFFFFF;

}  // namespace

const Traits traits_gen6{.descriptor = unpacked<commands::descriptor_fields::gen6>,
                         .slm_bytes = no_slm,
                         .gateway = &shared::gateway_gen6,
                         .fftid_mask = 0xFF,
                         .descriptor_in_header = true,
                         .urb = &shared::urb_gen6,
                         .threads = 60};
const Traits traits_gen8{.descriptor = unpacked<commands::descriptor_fields::gen8>,
                         .slm_bytes = slm_in_pages,
                         .gateway = &shared::gateway_gen8,
                         .urb = &shared::urb_gen8,
                         .threads = 168};
const Traits traits_gen9{.descriptor = unpacked<commands::descriptor_fields::gen9>,
                         .slm_bytes = slm_in_powers,
                         .gateway = &shared::gateway_gen9,
                         .coordinate_mask = 0x7FF,
                         .urb = &shared::urb_gen8,
                         .threads = 168};
const Traits traits_gen9_lp{.descriptor = unpacked<commands::descriptor_fields::gen9>,
                            .slm_bytes = slm_in_powers,
                            .gateway = &shared::gateway_gen9,
                            .coordinate_mask = 0x7FF,
                            .has_pools = true,
                            .urb = &shared::urb_gen8,
                            .threads = 108};

Outcome set_vfe(State& state, Surroundings& around, const commands::MediaVfeState& vfe) {
  if (Outcome o = flush(state, around); !o) return o;
  if (vfe.scratch_size > 11) return failed(fmt::format("reserved scratch space size {}", vfe.scratch_size));
  state.vfe = vfe;
  return {};
}

Outcome load_curbe(State& state, const commands::MediaCurbeLoad& load) {
  if (load.start % 64) return failed("constants that are not aligned to 64 bytes");
  state.curbe = load;
  return {};
}

Outcome load_descriptors(State& state, const commands::MediaInterfaceDescriptorLoad& load) {
  if (load.start % 64) return failed("interface descriptors that are not aligned to 64 bytes");
  state.descriptors = load;
  return {};
}

Outcome set_pool(State& state, Surroundings& around, const commands::MediaPoolState& pool) {
  if (!around.traits.has_pools) return unsupported("MEDIA_POOL_STATE on a device without thread pools");
  if (pool.configuration & ~pool_configuration_bits)
    return failed(fmt::format("reserved bits in the pool configuration {:#010x}", pool.configuration));
  state.pool = pool;
  return {};
}

}  // namespace vitro::media
