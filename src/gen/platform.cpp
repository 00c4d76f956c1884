// The table of platform facts. Numbers of parameters are those of the uAPI header i915_drm.h (I915_PARAM_*); a
// negative value is the errno with which the kernel answers. Source: i915_getparam.c, i915_pci.c, intel_sseu.c of Linux
// 6.1. PCI revisions and frequencies are those of common parts.
#include "gen/platform.h"

#include <cerrno>

namespace vitro::gen {
namespace {

#define VITRO_PARAMS_OF_ALL                                                                                            \
  {1, -ENODEV}, {2, -ENODEV}, {3, -ENODEV}, {14, -ENODEV}, {5, 1}, {8, 1}, {9, 1}, {10, 1}, {11, 1}, {12, 1}, {13, 1}, \
      {15, 1}, {16, 1}, {19, 1}, {21, 1}, {24, 1}, {25, 1}, {26, 1}, {29, 1}, {30, 1}, {37, 1}, {43, 1}, {44, 1},      \
      {45, 1}, {48, 1}, {49, 1}, {53, 1}, {55, 1}, {56, 1}, {7, 0}, {23, 0}, {27, 0}, {31, 0}, {36, 0}, {40, 4}, {     \
    54, 5                                                                                                              \
  }

constexpr PlatformParam params_snb[] = {
    VITRO_PARAMS_OF_ALL,
    {4, 0x0126},
    {32, 0x09},
    {6, 16},
    {17, 1},
    {52, 1},
    {18, 1},
    {20, 0},
    {22, 0},
    {28, 0},
    {33, -ENODEV},
    {34, -ENODEV},
    {35, 1},
    {38, 0},
    {39, 0},
    {41, 0},
    {42, -ENODEV},
    {46, -ENODEV},
    {47, -ENODEV},
    {50, 1},
    {51, 12500000},
    {57, 12500000},
};
constexpr PlatformParam params_bdw[] = {
    VITRO_PARAMS_OF_ALL,
    {4, 0x1616},
    {32, 0x09},
    {6, 32},
    {17, 1},
    {52, 1},
    {18, 2},
    {20, 1},
    {22, 1},
    {28, 0},
    {33, 3},
    {34, 24},
    {35, 2},
    {38, 0},
    {39, 0},
    {41, 0x1b},
    {42, -ENODEV},
    {46, 1},
    {47, 7},
    {50, 0xf},
    {51, 12500000},
    {57, 12500000},
};
constexpr PlatformParam params_kbl[] = {
    VITRO_PARAMS_OF_ALL,
    {4, 0x5916},
    {32, 0x02},
    {6, 32},
    {17, 1},
    {52, 1},
    {18, 2},
    {20, 1},
    {22, 1},
    {28, 10},
    {33, 3},
    {34, 24},
    {35, 2},
    {38, 0},
    {39, 0},
    {41, 0x1f},
    {42, -EOPNOTSUPP},
    {46, 1},
    {47, 7},
    {50, 0xf},
    {51, 12000000},
    {57, 12000000},
};
constexpr PlatformParam params_apl[] = {
    VITRO_PARAMS_OF_ALL,
    {4, 0x5a84},
    {32, 0x0b},
    {6, 32},
    {17, 0},
    {52, 0},
    {18, 2},
    {20, 1},
    {22, 1},
    {28, 10},
    {33, 3},
    {34, 18},
    {35, 2},
    {38, 1},
    {39, 9},
    {41, 0x1f},
    {42, -EOPNOTSUPP},
    {46, 1},
    {47, 7},
    {50, 0xf},
    {51, 19200000},
    {57, 19200000},
};
#undef VITRO_PARAMS_OF_ALL

constexpr PlatformEngine engines_snb[] = {
    {"rcs0", 0, 0, 0, "", 0x2000, false},
    {"bcs0", 1, 0, 0, "", 0x22000, false},
    {"vcs0", 2, 0, 0, "", 0x12000, false},
};
constexpr PlatformEngine engines_bdw[] = {
    {"rcs0", 0, 0, 0, "", 0x2000, false},
    {"bcs0", 1, 0, 0, "", 0x22000, true},
    {"vcs0", 2, 0, 0, "", 0x12000, true},
    {"vecs0", 3, 0, 0, "", 0x1a000, true},
};
constexpr PlatformEngine engines_gen9[] = {
    {"rcs0", 0, 0, 0, "", 0x2000, true},
    {"bcs0", 1, 0, 0, "", 0x22000, true, &copy_rules_gen9},
    {"vcs0", 2, 0, 3, "hevc sfc", 0x12000, true},
    {"vecs0", 3, 0, 2, "sfc", 0x1a000, true},
};

// struct drm_i915_query_topology_info: flags, maxima, offsets and strides as 16-bit words, then the masks.
constexpr uint8_t topology_bdw[] = {0, 0, 3, 0, 3, 0,    8,    0,    1, 0, 1, 0, 4, 0, 1,
                                    0, 1, 7, 0, 0, 0xff, 0xff, 0xff, 0, 0, 0, 0, 0, 0};
constexpr uint8_t topology_kbl[] = {0, 0, 3, 0, 4,    0,    8,    0, 1, 0, 1, 0, 4, 0, 1, 0,
                                    1, 7, 0, 0, 0xff, 0xff, 0xff, 0, 0, 0, 0, 0, 0, 0, 0, 0};
constexpr uint8_t topology_apl[] = {0, 0, 1, 0, 3, 0, 8, 0, 1, 0, 1, 0, 2, 0, 1, 0, 1, 7, 0x3f, 0x3f, 0x3f};
static_assert(sizeof topology_bdw == 29 && sizeof topology_kbl == 32 && sizeof topology_apl == 21);

constexpr uint64_t gib = uint64_t{1} << 30;

constexpr Platform all[] = {
    {
        .device = "snb",
        .kernel_name = "SANDYBRIDGE",
        .pci_id = 0x0126,
        .pci_revision = 0x09,
        .timestamp_hz = 12500000,
        .params = params_snb,
        .engines = engines_snb,
        .ggtt_bytes = 2 * gib,
        .ppgtt_bytes = 2 * gib,
        .aliasing_ppgtt = true,
        .llc = true,
        .relocation_bytes = 4,
        .fence_stride_bytes_max = 128 << 10,
        .frequency_min_mhz = 650,
        .frequency_max_mhz = 1300,
    },
    {
        .device = "bdw",
        .kernel_name = "BROADWELL",
        .pci_id = 0x1616,
        .pci_revision = 0x09,
        .timestamp_hz = 12500000,
        .params = params_bdw,
        .engines = engines_bdw,
        .topology = topology_bdw,
        .sseu = {1, 7, 8, 8},
        .ggtt_bytes = 4 * gib,
        .ppgtt_bytes = uint64_t{1} << 48,
        .llc = true,
        .scheduler = true,
        .read_only_pages = true,
        .single_timeline = true,
        .has_perf = true,
        .fence_stride_bytes_max = 256 << 10,
        .frequency_min_mhz = 300,
        .frequency_max_mhz = 950,
    },
    {
        .device = "kbl",
        .kernel_name = "KABYLAKE",
        .pci_id = 0x5916,
        .pci_revision = 0x02,
        .timestamp_hz = 12000000,
        .params = params_kbl,
        .engines = engines_gen9,
        .topology = topology_kbl,
        .sseu = {1, 7, 8, 8},
        .ggtt_bytes = 4 * gib,
        .ppgtt_bytes = uint64_t{1} << 48,
        .llc = true,
        .scheduler = true,
        .preempts = true,
        .read_only_pages = true,
        .single_timeline = true,
        .has_perf = true,
        .fence_stride_bytes_max = 256 << 10,
        .frequency_min_mhz = 300,
        .frequency_max_mhz = 1050,
    },
    {
        .device = "apl",
        .kernel_name = "BROXTON",
        .pci_id = 0x5a84,
        .pci_revision = 0x0b,
        .timestamp_hz = 19200000,
        .params = params_apl,
        .engines = engines_gen9,
        .topology = topology_apl,
        .sseu = {1, 7, 8, 8},
        .ggtt_bytes = 4 * gib,
        .ppgtt_bytes = uint64_t{1} << 48,
        .scheduler = true,
        .preempts = true,
        .read_only_pages = true,
        .single_timeline = true,
        .has_perf = true,
        .fence_stride_bytes_max = 256 << 10,
        .frequency_min_mhz = 100,
        .frequency_max_mhz = 650,
    },
};

}  // namespace

std::span<const Platform> platforms() { return all; }

const Platform* find_platform(std::string_view device) {
  for (const Platform& p : all)
    if (p.device == device) return &p;
  return nullptr;
}

}  // namespace vitro::gen
