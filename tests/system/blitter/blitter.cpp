// A client of the blitter without a driver: finds the engine as the kernel reports it, submits a batch to its ring
// through execbuffer, with relocations, and looks at memory. The batch copies a linear picture to a Y-tiled one, draws
// on it there (a rectangle, and a letter out of the command stream), and copies it back; where there is
// XY_FAST_COPY_BLT also by that. The ring is named by execbuffer's flags and by an engine map.
#include <fcntl.h>
#include <libdrm/i915_drm.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <vector>

namespace {

constexpr uint32_t width = 200, height = 70, pitch = 1024, rows = 96;  // whole Y tiles
constexpr uint32_t bytes = pitch * rows;
constexpr uint32_t red = 0x80FF0000, ink = 0xFF00FF00;
// An F, eight by eight, whose rows are bytes.
constexpr uint8_t letter[8] = {0xFE, 0x80, 0x80, 0xF8, 0x80, 0x80, 0x80, 0x00};

void demand(bool condition, const char* what) {
  if (condition) return;
  std::perror(what);
  std::exit(1);
}

struct Device {
  int fd = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);

  int parameter(int which) const {
    int value = 0;
    drm_i915_getparam_t p{.param = which, .value = &value};
    demand(ioctl(fd, DRM_IOCTL_I915_GETPARAM, &p) == 0, "GETPARAM");
    return value;
  }
  uint32_t create(uint64_t size) const {
    drm_i915_gem_create c{.size = size};
    demand(ioctl(fd, DRM_IOCTL_I915_GEM_CREATE, &c) == 0, "GEM_CREATE");
    return c.handle;
  }
  uint32_t* map(uint32_t handle, uint64_t size) const {
    drm_i915_gem_mmap_offset m{.handle = handle, .flags = I915_MMAP_OFFSET_WC};
    demand(ioctl(fd, DRM_IOCTL_I915_GEM_MMAP_OFFSET, &m) == 0, "GEM_MMAP_OFFSET");
    void* p = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, off_t(m.offset));
    demand(p != MAP_FAILED, "mmap");
    return static_cast<uint32_t*>(p);
  }
  bool lists_copy_engine() const {
    drm_i915_query_item item{.query_id = DRM_I915_QUERY_ENGINE_INFO};
    drm_i915_query query{.num_items = 1, .items_ptr = uint64_t(&item)};
    demand(ioctl(fd, DRM_IOCTL_I915_QUERY, &query) == 0 && item.length > 0, "QUERY_ENGINE_INFO");
    std::vector<uint64_t> space(size_t(item.length) / 8 + 1);
    item.data_ptr = uint64_t(space.data());
    demand(ioctl(fd, DRM_IOCTL_I915_QUERY, &query) == 0, "QUERY_ENGINE_INFO");
    const auto* info = reinterpret_cast<const drm_i915_query_engine_info*>(space.data());
    for (uint32_t n = 0; n < info->num_engines; ++n)
      if (info->engines[n].engine.engine_class == I915_ENGINE_CLASS_COPY) return true;
    return false;
  }
  // A context whose only engine is the blitter.
  uint32_t copy_context() const {
    drm_i915_gem_context_create c{};
    demand(ioctl(fd, DRM_IOCTL_I915_GEM_CONTEXT_CREATE, &c) == 0, "CONTEXT_CREATE");
    I915_DEFINE_CONTEXT_PARAM_ENGINES(engines, 1) = {.engines = {{I915_ENGINE_CLASS_COPY, 0}}};
    drm_i915_gem_context_param p{
        .ctx_id = c.ctx_id, .size = sizeof engines, .param = I915_CONTEXT_PARAM_ENGINES, .value = uint64_t(&engines)};
    demand(ioctl(fd, DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM, &p) == 0, "CONTEXT_PARAM_ENGINES");
    return c.ctx_id;
  }
};

// The batch, whose addresses the kernel fills in.
struct Batch {
  bool long_addresses = false;
  std::vector<uint32_t> words{};
  std::vector<drm_i915_gem_relocation_entry> relocations{};

  void add(std::initializer_list<uint32_t> w) { words.insert(words.end(), w); }
  void address(uint32_t handle, bool written) {
    relocations.push_back({.target_handle = handle,
                           .offset = words.size() * 4,
                           .presumed_offset = ~uint64_t{0},
                           .read_domains = I915_GEM_DOMAIN_RENDER,
                           .write_domain = uint32_t(written ? I915_GEM_DOMAIN_RENDER : 0)});
    add({0});
    if (long_addresses) add({0});
  }
  // Header, with the length filled in when the command is complete.
  size_t begin(uint32_t header) {
    add({header});
    return words.size() - 1;
  }
  void end(size_t header) { words[header] |= uint32_t(words.size() - header - 2); }

  void tiles(bool source_y, bool destination_y) {
    add({0x11000001, 0x22200, 3u << 16 | uint32_t(source_y) | uint32_t(destination_y) << 1});  // BCS_SWCTRL
    flush();
  }
  void flush() {
    const size_t at = begin(0x26u << 23);
    add({0, 0, 0});
    if (long_addresses) add({0});
    end(at);
  }
  void copy(uint32_t to, bool to_tiled, uint32_t from, bool from_tiled) {
    const size_t at = begin(2u << 29 | 0x53 << 22 | 3 << 20 | uint32_t(from_tiled) << 15 | uint32_t(to_tiled) << 11);
    add({3u << 24 | 0xCC << 16 | (to_tiled ? pitch / 4 : pitch), 0, height << 16 | width});
    address(to, true);
    add({0, from_tiled ? pitch / 4 : pitch});
    address(from, false);
    end(at);
  }
};

int check(const uint32_t* picture, const uint32_t* source, const char* what) {
  for (uint32_t y = 0; y < height; ++y)
    for (uint32_t x = 0; x < width; ++x) {
      uint32_t expected = source[y * pitch / 4 + x];
      if (x >= 10 && x < 50 && y >= 20 && y < 60) expected = red;
      if (x >= 100 && x < 108 && y >= 30 && y < 38 && letter[y - 30] >> (107 - x) & 1) expected = ink;
      if (picture[y * pitch / 4 + x] == expected) continue;
      std::printf("%s: (%u, %u) is %08x, not %08x\n", what, x, y, picture[y * pitch / 4 + x], expected);
      return 1;
    }
  return 0;
}

int test(const Device& d, bool long_addresses, bool fast_copy, bool by_map) {
  const uint32_t source = d.create(bytes), tiled = d.create(bytes), result = d.create(bytes), fast = d.create(bytes),
                 commands = d.create(4096);
  uint32_t* from = d.map(source, bytes);
  for (uint32_t n = 0; n < bytes / 4; ++n) from[n] = n * 2654435761u;

  Batch b{long_addresses};
  b.tiles(false, true);
  b.copy(tiled, true, source, false);
  size_t at = b.begin(2u << 29 | 0x50 << 22 | 3 << 20 | 1 << 11);  // XY_COLOR_BLT
  b.add({3u << 24 | 0xF0 << 16 | pitch / 4, 20u << 16 | 10, 60u << 16 | 50});
  b.address(tiled, true);
  b.add({red});
  b.end(at);
  at = b.begin(2u << 29 | 0x01 << 22 | 3 << 20 | 1 << 11);  // XY_SETUP_BLT: transparent, clipped
  b.add({1u << 30 | 1u << 29 | 3u << 24 | 0xCC << 16 | pitch / 4, 30u << 16 | 100, 38u << 16 | 108});
  b.address(tiled, true);
  b.add({0, ink});
  b.address(tiled, false);
  b.end(at);
  at = b.begin(2u << 29 | 0x31 << 22 | 1 << 16 | 1 << 11);  // XY_TEXT_IMMEDIATE_BLT
  uint32_t bits[2];
  std::memcpy(bits, letter, sizeof letter);
  b.add({30u << 16 | 100, 38u << 16 | 108, bits[0], bits[1]});
  b.end(at);
  b.tiles(true, false);
  b.copy(result, false, tiled, true);
  if (fast_copy) {
    at = b.begin(2u << 29 | 0x42 << 22 | 2 << 20);
    b.add({3u << 24 | pitch, 0, height << 16 | width});
    b.address(fast, true);
    b.add({0, pitch / 4});
    b.address(tiled, false);
    b.end(at);
  }
  b.flush();
  b.add({0x05000000});
  if (b.words.size() % 2) b.add({0});
  std::memcpy(d.map(commands, 4096), b.words.data(), b.words.size() * 4);

  drm_i915_gem_exec_object2 objects[5]{};
  const uint32_t handles[5] = {source, tiled, result, fast, commands};
  for (int n = 0; n < 5; ++n) objects[n].handle = handles[n];
  objects[4].relocation_count = uint32_t(b.relocations.size());
  objects[4].relocs_ptr = uint64_t(b.relocations.data());
  drm_i915_gem_execbuffer2 e{
      .buffers_ptr = uint64_t(objects), .buffer_count = 5, .flags = by_map ? 0ull : I915_EXEC_BLT};
  e.batch_len = uint32_t(b.words.size() * 4);
  if (by_map) e.rsvd1 = d.copy_context();
  demand(ioctl(d.fd, DRM_IOCTL_I915_GEM_EXECBUFFER2, &e) == 0, "EXECBUFFER2");
  drm_i915_gem_wait w{.bo_handle = result, .timeout_ns = 60'000'000'000};
  demand(ioctl(d.fd, DRM_IOCTL_I915_GEM_WAIT, &w) == 0, "GEM_WAIT");
  int wrong = check(d.map(result, bytes), from, by_map ? "engine map" : "ring");
  if (fast_copy) wrong += check(d.map(fast, bytes), from, "XY_FAST_COPY_BLT");
  return wrong;
}

}  // namespace

int main() {
  const Device d;
  demand(d.fd >= 0, "open");
  demand(d.parameter(I915_PARAM_HAS_BLT) == 1, "I915_PARAM_HAS_BLT");
  const int chip = d.parameter(I915_PARAM_CHIPSET_ID);
  const bool gen6 = chip == 0x0126, gen9 = chip == 0x5916 || chip == 0x5A84;
  demand(d.lists_copy_engine(), "the copy engine");
  int wrong = 0;
  for (const bool by_map : {false, true}) wrong += test(d, !gen6, gen9, by_map);
  std::printf(wrong ? "FAILED\n" : "ok\n");
  return wrong != 0;
}
