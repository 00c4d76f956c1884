// Where the objects of an execbuffer2 stand in the address space, and the relocations that tell the batch. Source:
// gem/i915_gem_execbuffer.c of Linux 6.1 (eb_reserve, eb_relocate_entry). What is in the way of a pinned object is
// unbound at once: work that runs keeps the table it began with.
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <set>

#include "i915/execbuffer.h"
#include "i915/raw.h"

namespace vitro::i915 {
namespace {

constexpr uint64_t zone_4g_end = (uint64_t{1} << 32) - page_bytes;
constexpr uint64_t low_start = 1 << 20, high_start = uint64_t{1} << 32;  // where a place is looked for first
constexpr uint64_t no_place = UINT64_MAX;
// Relocations of a batch may have negative deltas, which must not lead below 0.
constexpr uint64_t relocated_batch_start = 256 << 10;

struct Placement {
  Exec& exec;
  Vm& vm;
  std::set<ObjectKey> mine;            // placed by this call
  std::vector<memory::Range> changed;  // to be bound

  uint64_t end_for(const ExecItem& i) const {
    const uint64_t all = exec.call.platform().ppgtt_bytes;
    return i.entry.flags & EXEC_OBJECT_SUPPORTS_48B_ADDRESS ? all : std::min(all, zone_4g_end);
  }
  uint64_t start_for(const ExecItem& i) const {
    return &i == &exec.items[exec.batch] && i.entry.relocation_count != 0 && !(i.entry.flags & EXEC_OBJECT_PINNED)
               ? relocated_batch_start
               : 0;
  }
  static uint64_t alignment(const ExecItem& i) { return std::max<uint64_t>(i.entry.alignment, page_bytes); }
  bool fits(const ExecItem& i, uint64_t address) const {
    const uint64_t end = end_for(i);
    return address % alignment(i) == 0 && i.bytes() <= end && address <= end - i.bytes() && address >= start_for(i);
  }

  // The first binding that ends behind the address.
  std::map<uint64_t, Binding>::iterator from(uint64_t address) const {
    auto at = vm.by_address.upper_bound(address);
    if (at != vm.by_address.begin() && std::prev(at)->second.start + std::prev(at)->second.bytes > address) --at;
    return at;
  }
  bool is_free(uint64_t address, uint64_t bytes) const {
    const auto at = from(address);
    return at == vm.by_address.end() || at->first >= address + bytes;
  }

  // -ENOSPC if another object of this call is there.
  int make_room(uint64_t address, uint64_t bytes) {
    for (auto at = from(address); at != vm.by_address.end() && at->first < address + bytes;) {
      const ObjectKey key = key_of(*at->second.object);
      if (mine.contains(key)) return -ENOSPC;
      ++at;
      vm.unbind(key);
    }
    return 0;
  }

  int bind(ExecItem& i, uint64_t address) {
    std::byte* const host = host_memory(i.object);
    if (!host && i.object->storage == Storage::arena) return -ENOMEM;
    const ObjectKey key = key_of(i.object);
    const auto ref = std::make_shared<ObjectRef>(i.object.arena(), i.object.index());
    vm.by_address[address] = {address, i.bytes(), ref};
    vm.by_object[key] = address;
    changed.push_back({address, i.object->bytes, host, i.object->read_only != 0, ref});
    keep(i, address);
    return 0;
  }
  void keep(ExecItem& i, uint64_t address) {
    mine.insert(key_of(i.object));
    i.address = address;
    i.placed = true;
  }

  uint64_t find_gap(const ExecItem& i, uint64_t start) const {
    const uint64_t end = end_for(i), step = alignment(i);
    uint64_t at = (start + step - 1) / step * step;
    for (auto next = from(at); at < end && i.bytes() <= end - at; ++next) {
      if (next == vm.by_address.end() || next->first >= at + i.bytes()) return at;
      at = (next->second.start + next->second.bytes + step - 1) / step * step;
    }
    return no_place;
  }
  uint64_t find_gap(const ExecItem& i) const {
    const bool high = i.entry.flags & EXEC_OBJECT_SUPPORTS_48B_ADDRESS;
    uint64_t at = high ? find_gap(i, high_start) : no_place;
    if (at == no_place) at = find_gap(i, low_start);
    return at == no_place ? find_gap(i, start_for(i)) : at;
  }
  void evict_others() {
    std::vector<ObjectKey> keys;
    for (const auto& [key, address] : vm.by_object)
      if (!mine.contains(key)) keys.push_back(key);
    for (const ObjectKey& key : keys) vm.unbind(key);
  }
};

int place_pinned(Placement& p, ExecItem& i) {
  const uint64_t address = i.entry.offset;
  const ObjectKey key = key_of(i.object);
  const auto bound = p.vm.by_object.find(key);
  if (!p.fits(i, address)) return -EINVAL;
  if (bound != p.vm.by_object.end() && bound->second == address && p.vm.by_address[address].bytes >= i.bytes()) {
    p.keep(i, address);
    return 0;
  }
  if (p.mine.contains(key)) return -EINVAL;  // listed twice, in two places
  p.vm.unbind(key);
  if (const int error = p.make_room(address, i.bytes()); error < 0) return error;
  return p.bind(i, address);
}

int place_anywhere(Placement& p, ExecItem& i) {
  const ObjectKey key = key_of(i.object);
  const auto bound = p.vm.by_object.find(key);
  if (bound != p.vm.by_object.end()) {
    const Binding& b = p.vm.by_address[bound->second];
    if (p.mine.contains(key) || (p.fits(i, b.start) && b.bytes >= i.bytes())) {
      p.keep(i, b.start);
      return 0;
    }
    p.vm.unbind(key);
  }
  if (i.bytes() > p.end_for(i)) return -ENOSPC;
  // Where the caller believes it to be, if that is free, be it 0; else anywhere.
  uint64_t address = i.entry.offset & ~(page_bytes - 1);
  if (!p.fits(i, address) || !p.is_free(address, i.bytes())) address = p.find_gap(i);
  if (address == no_place) {
    p.evict_others();
    address = p.find_gap(i);
  }
  if (address == no_place) return -ENOSPC;
  return p.bind(i, address);
}

const ExecItem* find_target(const Exec& e, uint32_t handle) {
  if (e.args.flags & I915_EXEC_HANDLE_LUT) return handle < e.items.size() ? &e.items[handle] : nullptr;
  for (const ExecItem& i : e.items)
    if (i.entry.handle == handle) return &i;
  return nullptr;
}

int relocate_one(Exec& e, ExecItem& i, uint64_t address_of_entry) {
  constexpr uint32_t gpu_domains = I915_GEM_DOMAIN_RENDER | I915_GEM_DOMAIN_SAMPLER | I915_GEM_DOMAIN_COMMAND |
                                   I915_GEM_DOMAIN_INSTRUCTION | I915_GEM_DOMAIN_VERTEX;
  drm_i915_gem_relocation_entry r{};
  if (raw::get(r, address_of_entry) < 0) return -EFAULT;
  ExecItem* const target = const_cast<ExecItem*>(find_target(e, r.target_handle));
  if (!target) return -ENOENT;
  if (r.write_domain & (r.write_domain - 1)) return -EINVAL;
  if ((r.write_domain | r.read_domains) & ~gpu_domains) return -EINVAL;
  if (r.write_domain) target->entry.flags |= EXEC_OBJECT_WRITE;
  const uint64_t address = memory::to_canonical(target->address);
  if (address == r.presumed_offset) return 0;
  const uint32_t bytes = e.call.platform().relocation_bytes;
  if (i.object->bytes < bytes || r.offset > i.object->bytes - bytes) return -EINVAL;
  if (r.offset & 3) return -EINVAL;
  const uint64_t value = memory::to_canonical(target->address + uint64_t(int64_t(int32_t(r.delta))));
  wait_for_object(*i.object.arena(), i.object.index(), true, forever_ns);
  std::byte* const host = host_memory(i.object);
  if (!host) return -EFAULT;
  std::memcpy(host + r.offset, &value, bytes);
  raw::put(address_of_entry + offsetof(drm_i915_gem_relocation_entry, presumed_offset), address);
  return 0;
}

}  // namespace

int place(Exec& e) {
  Placement p{.exec = e, .vm = *e.vm, .mine = {}, .changed = {}};
  int error = 0;
  for (ExecItem& i : e.items)
    if (!error && (i.entry.flags & EXEC_OBJECT_PINNED)) error = place_pinned(p, i);
  // What may stay where it is goes before what needs a new place.
  for (ExecItem& i : e.items) {
    const auto bound = e.vm->by_object.find(key_of(i.object));
    if (error || i.placed || bound == e.vm->by_object.end()) continue;
    if (p.fits(i, bound->second) && e.vm->by_address[bound->second].bytes >= i.bytes()) p.keep(i, bound->second);
  }
  for (ExecItem& i : e.items)
    if (!error && !i.placed) error = place_anywhere(p, i);
  // Also after an error: the books say that they are bound.
  if (!p.changed.empty()) e.vm->space.bind(p.changed);
  for (const ExecItem& i : e.items) e.moved = e.moved || i.address != i.entry.offset;
  if (!(e.args.flags & I915_EXEC_NO_RELOC)) e.moved = true;
  return error;
}

int relocate(Exec& e) {
  if (!e.moved) return 0;
  for (ExecItem& i : e.items)
    for (uint64_t n = 0; n < i.entry.relocation_count; ++n)
      if (const int error = relocate_one(e, i, i.entry.relocs_ptr + n * sizeof(drm_i915_gem_relocation_entry));
          error < 0)
        return error;
  return 0;
}

}  // namespace vitro::i915
