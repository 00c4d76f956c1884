// Writes the tree of names under which Linux shows a GPU: /dev/dri, its folders in /sys, the udev database and debugfs,
// one tree per device from the table of platforms. Runs once, during the build. Layout and contents are those of Linux
// 6.1 (drm_sysfs.c, i915_sysfs.c, sysfs_engines.c, pci-sysfs.c); libdrm, Mesa, NEO, the VA drivers and libudev decide
// how much of it is needed. Files that change at run time (frequencies, residency) hold one typical state.
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>

#include "gen/platform.h"

namespace {

namespace fs = std::filesystem;
using vitro::gen::Platform;
using vitro::gen::PlatformEngine;

void write(const fs::path& path, const std::string& content) {
  fs::create_directories(path.parent_path());
  FILE* file = fopen(path.c_str(), "wb");
  if (!file || fwrite(content.data(), 1, content.size(), file) != content.size() || fclose(file) != 0) {
    fmt::print(stderr, "make_tree: cannot write {}: {}\n", path.string(), strerror(errno));
    exit(1);
  }
}

void line(const fs::path& path, const std::string& content) { write(path, content + "\n"); }

void link(const fs::path& path, const fs::path& target) {
  fs::create_directories(path.parent_path());
  fs::create_symlink(target, path);
}

constexpr const char* slot = "0000:00:02.0";
const fs::path pci_folder = fs::path("devices/pci0000:00") / slot;

struct Node {
  const char* name;
  int minor;
  const char* by_path;
};
constexpr Node nodes[] = {{"card0", 0, "card"}, {"renderD128", 128, "render"}};

constexpr uint64_t registers_base = 0xf0000000, registers_bytes = 16 << 20;  // GTTMMADR
constexpr uint64_t aperture_base = 0xe0000000, aperture_bytes = 256 << 20;   // GMADR
constexpr uint64_t io_base = 0xf000, io_bytes = 64;

void write_pci(const fs::path& folder, const Platform& p) {
  line(folder / "vendor", "0x8086");
  line(folder / "device", fmt::format("{:#06x}", p.pci_id));
  line(folder / "revision", fmt::format("{:#04x}", p.pci_revision));
  line(folder / "subsystem_vendor", fmt::format("{:#06x}", p.subsystem_vendor));
  line(folder / "subsystem_device", fmt::format("{:#06x}", p.subsystem_device));
  line(folder / "class", "0x030000");
  line(folder / "irq", "128");
  line(folder / "boot_vga", "1");
  line(folder / "enable", "1");
  line(folder / "numa_node", "-1");
  line(folder / "msi_bus", "1");
  line(folder / "d3cold_allowed", "1");
  line(folder / "power_state", "D0");
  const std::string modalias =
      fmt::format("pci:v00008086d{:08X}sv{:08X}sd{:08X}bc03sc00i00", p.pci_id, p.subsystem_vendor, p.subsystem_device);
  line(folder / "modalias", modalias);
  line(folder / "uevent",
       fmt::format("DRIVER=i915\nPCI_CLASS=30000\nPCI_ID=8086:{:04X}\nPCI_SUBSYS_ID={:04X}:{:04X}\nPCI_SLOT_NAME={}\n"
                   "MODALIAS={}",
                   p.pci_id, p.subsystem_vendor, p.subsystem_device, slot, modalias));

  // Seven base addresses and ROM, then the bridge's; flags are those of struct resource.
  std::string resource;
  const auto range = [&](uint64_t base, uint64_t bytes, uint64_t flags) {
    resource += fmt::format("{:#018x} {:#018x} {:#018x}\n", base, bytes ? base + bytes - 1 : 0, flags);
  };
  range(registers_base, registers_bytes, 0x140204);
  range(0, 0, 0);
  range(aperture_base, aperture_bytes, 0x14220c);
  range(0, 0, 0);
  range(io_base, io_bytes, 0x40101);
  for (int i = 5; i < 13; ++i) range(0, 0, 0);
  write(folder / "resource", resource);

  std::string config(256, '\0');
  const auto put = [&](size_t at, uint64_t value, size_t bytes) {
    for (size_t i = 0; i < bytes; ++i) config[at + i] = char(value >> (8 * i));
  };
  put(0x00, 0x8086, 2);
  put(0x02, p.pci_id, 2);
  put(0x04, 0x0407, 2);  // command: memory, I/O, bus master, no INTx
  put(0x06, 0x0010, 2);  // status: capabilities
  put(0x08, p.pci_revision, 1);
  put(0x09, 0x030000, 3);
  put(0x10, registers_base | 4, 8);
  put(0x18, aperture_base | 0xc, 8);
  put(0x20, io_base | 1, 4);
  put(0x2c, p.subsystem_vendor, 2);
  put(0x2e, p.subsystem_device, 2);
  write(folder / "config", config);

  link(folder / "subsystem", "../../../bus/pci");
  link(folder / "driver", "../../../bus/pci/drivers/i915");
}

void write_engine(const fs::path& folder, const PlatformEngine& e) {
  line(folder / "name", std::string(e.name));
  line(folder / "class", fmt::format("{}", e.engine_class));
  line(folder / "instance", fmt::format("{}", e.instance));
  line(folder / "mmio_base", fmt::format("{:#x}", e.mmio_base));
  line(folder / "capabilities", std::string(e.capability_text));
  // By class, as the kernel knows them: video decode, video enhancement.
  line(folder / "known_capabilities", e.engine_class == 2 ? "hevc sfc" : e.engine_class == 3 ? "sfc" : "");
  for (const fs::path& values : {folder, folder / ".defaults"}) {
    line(values / "heartbeat_interval_ms", "2500");
    line(values / "stop_timeout_ms", "100");
    line(values / "max_busywait_duration_ns", "8000");
    if (!e.preempts) continue;
    line(values / "timeslice_duration_ms", "1");
    line(values / "preempt_timeout_ms", "640");
  }
}

void write_card(const fs::path& folder, const Platform& p) {
  const auto mhz = [](uint32_t value) { return fmt::format("{}", value); };
  const struct {
    const char *name, *value;
  } frequencies[] = {{"act", "min"}, {"cur", "min"}, {"boost", "max"}, {"max", "max"},
                     {"min", "min"}, {"RP0", "max"}, {"RP1", "min"},   {"RPn", "min"}};
  for (const auto& f : frequencies) {
    const uint32_t value = strcmp(f.value, "min") == 0 ? p.frequency_min_mhz : p.frequency_max_mhz;
    line(folder / fmt::format("gt_{}_freq_mhz", f.name), mhz(value));
    line(folder / fmt::format("gt/gt0/rps_{}_freq_mhz", f.name), mhz(value));
  }
  line(folder / "gt/gt0/id", "0");
  line(folder / "gt/gt0/punit_req_freq_mhz", mhz(p.frequency_min_mhz));
  line(folder / "power/rc6_enable", "1");
  line(folder / "power/rc6_residency_ms", "0");
  for (const PlatformEngine& e : p.engines) write_engine(folder / "engine" / e.name, e);
  line(folder / "error", "No error state collected");
}

void write_nodes(const fs::path& root, const Platform& p) {
  const fs::path pci = root / "sys" / pci_folder;
  for (const Node& n : nodes) {
    const fs::path folder = pci / "drm" / n.name;
    line(folder / "dev", fmt::format("226:{}", n.minor));
    line(folder / "uevent", fmt::format("MAJOR=226\nMINOR={}\nDEVNAME=dri/{}\nDEVTYPE=drm_minor", n.minor, n.name));
    link(folder / "device", fs::path("../..") / ".." / slot);
    link(folder / "subsystem", "../../../../../class/drm");
    const fs::path target = fs::path("..") / ".." / pci_folder / "drm" / n.name;
    link(root / "sys/dev/char" / fmt::format("226:{}", n.minor), target);
    link(root / "sys/class/drm" / n.name, target);
    write(root / "dev/dri" / n.name, "");
    link(root / "dev/char" / fmt::format("226:{}", n.minor), fs::path("../dri") / n.name);
    link(root / "dev/dri/by-path" / fmt::format("pci-{}-{}", slot, n.by_path), fs::path("..") / n.name);
    write(root / "run/udev/data" / fmt::format("c226:{}", n.minor),
          fmt::format("S:dri/by-path/pci-{0}-{1}\nI:1000\nE:ID_PATH=pci-{0}\nE:ID_PATH_TAG=pci-0000_00_02_0\n"
                      "E:ID_FOR_SEAT=drm-pci-0000_00_02_0\nG:uaccess\nG:seat\nG:master-of-seat\nQ:uaccess\nQ:seat\n"
                      "Q:master-of-seat\nV:1\n",
                      slot, n.by_path));
  }
  write_card(pci / "drm/card0", p);
  line(root / "sys/class/drm/version", "drm 1.1.0 20060810");
  write(root / "run/udev/data" / fmt::format("+pci:{}", slot),
        fmt::format("I:1000\nE:ID_PATH=pci-{}\nE:ID_PCI_CLASS_FROM_DATABASE=Display controller\nV:1\n", slot));
}

// Of the module, with the values that it has unless told otherwise; firmware is not used.
struct Parameter {
  const char *name, *value;
};
constexpr Parameter parameter_values[] = {
    {"disable_display", "N"},
    {"disable_power_well", "-1"},
    {"dmc_firmware_path", "(null)"},
    {"edp_vswing", "0"},
    {"enable_dc", "-1"},
    {"enable_dp_mst", "Y"},
    {"enable_dpcd_backlight", "-1"},
    {"enable_fbc", "-1"},
    {"enable_guc", "0"},
    {"enable_gvt", "N"},
    {"enable_hangcheck", "Y"},
    {"enable_ips", "1"},
    {"enable_psr", "-1"},
    {"enable_psr2_sel_fetch", "Y"},
    {"error_capture", "Y"},
    {"fastboot", "-1"},
    {"force_probe", ""},
    {"force_reset_modeset_test", "N"},
    {"guc_firmware_path", "(null)"},
    {"guc_log_level", "-1"},
    {"huc_firmware_path", "(null)"},
    {"inject_probe_failure", "0"},
    {"invert_brightness", "0"},
    {"lmem_bar_size", "0"},
    {"lmem_size", "0"},
    {"load_detect_test", "N"},
    {"lvds_channel_mode", "0"},
    {"memtest", "N"},
    {"mmio_debug", "0"},
    {"modeset", "-1"},
    {"nuclear_pageflip", "N"},
    {"panel_use_ssc", "-1"},
    {"psr_safest_params", "N"},
    {"request_timeout_ms", "20000"},
    {"reset", "3"},
    {"vbt_firmware", "(null)"},
    {"vbt_sdvo_panel_type", "-1"},
    {"verbose_state_checks", "Y"},
};

void write_driver(const fs::path& root) {
  link(root / "sys/bus/pci/devices" / slot, fs::path("../../..") / pci_folder);
  link(root / "sys/bus/pci/drivers/i915" / slot, fs::path("../../../..") / pci_folder);
  link(root / "sys/bus/pci/drivers/i915/module", "../../../../module/i915");
  const fs::path parameters = root / "sys/module/i915/parameters";
  for (const Parameter& p : parameter_values) line(parameters / p.name, p.value);
  line(root / "sys/module/i915/initstate", "live");
  line(root / "sys/module/i915/refcnt", "1");
  link(root / "sys/module/i915/drivers/pci:i915", "../../../bus/pci/drivers/i915");
  // Present but empty: a machine's own i915 must not show through.
  fs::create_directories(root / "proc/sys/dev");
}

void write_debug(const fs::path& root, const Platform& p) {
  const fs::path folder = root / "sys/kernel/debug/dri/0";
  line(folder / "name", fmt::format("i915 dev={0} unique={0}", slot));
  line(folder / "i915_capabilities", fmt::format("platform: {}", p.kernel_name));
  line(folder / "i915_wedged", "0");
  line(folder / "i915_gem_drop_caches", "0x0");
  line(folder / "i915_error_state", "No error state collected");
  link(root / "sys/kernel/debug/dri/128", "0");
}

// Nobody writes there later, the user who built it included.
void protect(const fs::path& folder) {
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_symlink()) continue;
    const auto mode = entry.is_directory() ? 0755 : 0444;
    fs::permissions(entry.path(), fs::perms(mode));
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: make_tree FOLDER\nwrites FOLDER/<device>/... for every device\n");
    return 2;
  }
  try {
    for (const Platform& p : vitro::gen::platforms()) {
      const fs::path root = fs::path(argv[1]) / p.device;
      fs::remove_all(root);
      write_pci(root / "sys" / pci_folder, p);
      write_nodes(root, p);
      write_driver(root);
      write_debug(root, p);
      protect(root);
    }
  } catch (const fs::filesystem_error& e) {
    fmt::print(stderr, "make_tree: {}\n", e.what());
    return 1;
  }
  return 0;
}
