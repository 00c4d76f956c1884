// The memory behind a message's places, for compiled code: it does what the actions do while all places are in bounds
// and mapped in one range. PRM: as dataport.h.
#include <algorithm>

#include "shared/dataport/lanes.h"
#include "shared/pixel_context.h"

namespace vitro::shared {

namespace {

// The routine of a render target, if there is one by now. A spare site does not stay, and code would refer to it.
eu::Window locate_colours(DataPort& port, uint32_t desc, uint64_t entry) {
  if (!port.environment.pixels || !port.environment.routines) return {};
  const unsigned bti = isa::surface_index(desc);
  const RenderTarget& target = port.surfaces.bound(bti).target(*port.environment.memory);
  if (target.is_null() || !target.unsupported.empty()) return {};
  if (target.image.samples > 1 && target.image.samples != port.environment.pixels->samples) return {};
  TargetSite& site = port.target_site(bti, target, unsigned(entry & 7));
  if (!site.found || &site == port.spare_site.get()) return {};
  if (site.key.blend.enabled && reserved_code(site.key.blend).what) return {};
  return {.host = reinterpret_cast<std::byte*>(&site.facts),
          .start = entry,
          .routine = site.vectors(),
          .context = &port.environment.pixels->thread,
          .key = site.key.is_short() ? std::as_bytes(std::span(&site.key, 1)) : std::span<const std::byte>()};
}

}  // namespace

eu::Window locate(void* context, uint32_t desc, const isa::MessageShape& s, uint64_t place) {
  if (s.holds_anyway) return {.limit = 1};  // wherever
  DataPort& port = *static_cast<DataPort*>(context);
  if (s.colours()) return locate_colours(port, desc, place);
  const Target target = target_of(port, desc, s);
  // code reads small elements as dwords
  const uint64_t reach = s.is_write ? s.reach() : std::max(s.reach(), 4u);
  const auto window = [&](std::byte* host, uint64_t start, uint64_t bytes) {
    // what is done at once must be aligned in the host's memory, too
    const bool misaligned = s.is_atomic() && (reinterpret_cast<uintptr_t>(host) - start) % s.element;
    return bytes < reach || misaligned ? eu::Window{} : eu::Window{host, start, bytes - reach + 1};
  };
  if (target.slm) return window(target.slm, 0, target.limit);
  if (!s.wide() && place >= target.limit) return {};
  const uint64_t address = memory::from_canonical(target.base + place);
  const memory::Table* table = port.environment.memory->table().get();
  const memory::Range* range = table ? table->find(address) : nullptr;
  if (!range || (range->read_only && s.is_write)) return {};
  // How far it goes down and up from the place, within the range and the surface.
  uint64_t down = address - range->start, up = range->end() - address;
  if (!s.wide()) down = std::min(down, place), up = std::min(up, target.limit - place);
  down = std::min(down, eu::most_window_bytes / 2);
  up = std::min(up, eu::most_window_bytes / 2);
  return window(range->host + (address - range->start) - down, place - down, down + up);
}

}  // namespace vitro::shared
