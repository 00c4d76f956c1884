// Facts about each device that the kernel's interface reports: PCI identity, engines, topology, sizes of its address
// spaces, GETPARAM values and frequencies. Behaviour of i915 follows these values; none of its code asks which
// generation it serves. Source: Linux i915 (i915_pci.c, intel_sseu.c, i915_getparam.c). Fuses of single parts (EU masks
// other than full, steppings) are not modelled.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "gen/batch_rules.h"
#include "gen/models.h"

namespace vitro::gen {

// As the kernel counts classes: render, copy, video, video enhancement.
struct PlatformEngine {
  std::string_view name;  // rcs0
  uint16_t engine_class = 0, instance = 0;
  uint64_t capabilities = 0;  // I915_VIDEO_CLASS_CAPABILITY_*
  std::string_view capability_text;
  uint32_t mmio_base = 0;
  bool preempts = false;
  const BatchRules* rules = nullptr;  // for the kernel's command parser; nullptr: it does not look at batches
};

// The value of an I915_PARAM_*, or a negative errno.
struct PlatformParam {
  int32_t param = 0, value = 0;
};

struct Platform {
  std::string_view device;       // as in Device::name
  std::string_view kernel_name;  // as in an error state: KABYLAKE
  uint16_t pci_id = 0;
  uint8_t pci_revision = 0;
  uint16_t subsystem_vendor = 0x8086, subsystem_device = 0x2212;
  uint32_t timestamp_hz = 0;
  std::span<const PlatformParam> params;
  std::span<const PlatformEngine> engines;
  // The whole answer to DRM_I915_QUERY_TOPOLOGY_INFO; empty: the kernel does not know the topology (ENODEV).
  std::span<const uint8_t> topology;
  // CONTEXT_PARAM_SSEU: slice mask, subslice mask, minimum and maximum EUs per subslice.
  uint8_t sseu[4] = {};
  uint64_t ggtt_bytes = 0;
  uint64_t ppgtt_bytes = 0;      // the address space of a context; SNB's aliasing PPGTT is as large as the GGTT
  bool aliasing_ppgtt = false;   // one address space for GGTT and all contexts
  bool llc = false;              // CPU caches are snooped
  bool scheduler = false;        // priorities exist
  bool preempts = false;         // contexts that do not persist are possible
  bool read_only_pages = false;  // the PPGTT can bind read-only
  bool single_timeline = false;  // CONTEXT_CREATE_FLAGS_SINGLE_TIMELINE exists
  bool has_perf = false;
  uint32_t relocation_bytes = 8;  // what a relocation writes
  uint32_t fence_stride_bytes_max = 0;
  uint32_t frequency_min_mhz = 0, frequency_max_mhz = 0;
};

std::span<const Platform> platforms();
// nullptr if there is no such device.
const Platform* find_platform(std::string_view device);
inline const Platform* find_platform(const Device& device) { return find_platform(device.name); }

}  // namespace vitro::gen
