// The frame of a random batch: memory, and which parts of the state change before which draw. PRM: as drawing.h.
#include "maker.h"

#include "memory/tiling.h"
#include "pipeline/topology_name.h"

namespace vitro::drawing {

namespace {

std::string_view choose_device(Rng& rng) { return rng.pick(faults::dialects).device; }
const faults::Dialect& dialect_of(std::string_view device) {
  for (const faults::Dialect& d : faults::dialects)
    if (d.device == device) return d;
  std::abort();
}

}  // namespace

Maker::Maker(uint64_t seed, std::string_view device, bool describes)
    : rng_(seed),
      device_([&] {
        const std::string_view chosen = choose_device(rng_);
        return device.empty() ? chosen : device;
      }()),
      eight_(device_ == "bdw"),
      bit_(eight_ ? 2 : 4),
      model_(gen::find_device(device_)->model()),
      describes_(describes),
      wild_(rng_.one_in(6)),
      layered_(rng_.one_in(4)),
      has_uav_(!wild_ && !layered_ && rng_.coin()),
      image_{std::vector<std::byte>(all_space)} {
  plain_.device = device_;
  made_.device = device_;
}

uint32_t Maker::take(uint32_t& at, uint32_t end, uint32_t bytes, uint32_t align) {
  const uint32_t first = (at + align - 1) / align * align;
  if (first + bytes > end) return 0;
  at = first + bytes;
  return first;
}
uint32_t Maker::object(const Words& w, uint32_t align) {
  const uint32_t at = take(dynamic_, surface_space, uint32_t(w.size() * 4), align);
  if (!at) return 0;
  image_.put(at, w);
  return at - dynamic_space;
}
uint32_t Maker::kernel(const std::string& text) {
  const std::vector<std::byte> code = assembled(model_, text);
  const uint32_t at = take(kernels_, input_space, uint32_t(code.size()) + 64, 64);
  image_.put(at, code.data(), code.size());
  made_.kernels.push_back(fmt::format("kernel at {:#x}\n{}", at - kernel_space, text));
  return at - kernel_space;
}
void Maker::fill(uint32_t at, uint32_t bytes) {
  const bool numbers = rng_.coin();
  for (uint32_t n = at; n + 8 <= at + bytes; n += 8) {
    uint64_t v = rng_();
    if (numbers) {
      const auto number = [](uint32_t r) { return uint64_t(std::bit_cast<uint32_t>(float(r % 4001) / 2000 - .5f)); };
      v = number(uint32_t(v)) | number(uint32_t(v >> 32)) << 32;
    }
    std::memcpy(image_.bytes.data() + n, &v, 8);
  }
}
float Maker::real(float size) { return size * float(int32_t(rng_.below(20001)) - 10000) / 10000; }
float Maker::odd() {
  static constexpr uint32_t some[] = {0x7FC00000, 0x7F800000, 0xFF800000, 0x4E000000, 0xCE000000, 0x7F7FFFFF,
                                      0x80000000, 0x00000001, 0xB3000000, 0x33000000, 0x00800000, 0xFFC00001};
  return std::bit_cast<float>(rng_.pick(some));
}

bool Maker::leads_elsewhere(std::string_view name, PacketBits b) {
  for (const std::string_view part : {"Address", "Pointer", "Pitch", "Length", "QPitch", "LOD", "Array", "Extent",
                                      "Format", "Force Zero", "Stream", "Read Offset", "Register", "Entries", "Size"})
    if (name.find(part) != name.npos) return true;
  for (const std::string_view exact : {"Width", "Height", "Depth", "Surface Type", "Number of Multisamples"})
    if (name == exact) return true;
  return b.width() > 18;
}

void Maker::pipe_control(uint32_t flags, uint64_t address) {
  out_ += Words{0x7A000004, flags, faults::low(address), faults::high(address), uint32_t(rng_()), 0};
}
// Everything that was drawn is in memory afterwards, and what was read is read again.
void Maker::flush() {
  constexpr uint32_t all = 1 << 20 | 1 << 12 | 1 << 10 | 1 << 5 | 1 << 4 | 1 << 3 | 1 << 2 | 1 << 0;
  pipe_control(all);
  for (TargetSet& s : sets_) s.drawn = false;
}
void Maker::store_counts() {
  constexpr uint32_t first = 0x2310, end = 0x2358;  // IA_VERTICES_COUNT to PS_DEPTH_COUNT
  for (uint32_t reg = first; reg < end; reg += 4)
    if (const uint32_t at = take(counts_, uav_space, 4, 4))
      out_ += Words{0x12000002, reg, faults::low(home + at), faults::high(home + at)};
}

void Maker::once() {
  const faults::Dialect& dialect = dialect_of(device_);
  out_ +=
      Words{dialect.select_gpgpu & ~3u} +
      faults::base_addresses(dialect, {home, home + surface_space, home + dynamic_space, home, home + kernel_space});
  emit<packets::every::push_constant_alloc_vs>({8, 0});
  emit<packets::every::push_constant_alloc_ps>({8, 8});
  out_ += packet<packets::every::clear_params>({float(rng_.below(1001)) / 1000, true});
  fill(input_space, 0x8000);  // constants and buffers are here, too
  inputs_ += 0x8000;
  fill(texture_space, all_space - texture_space);
  fill(target_space, texture_space - target_space);
  fill(uav_space, target_space - uav_space);
  made_.stretches.push_back({.name = "counts", .at = count_space, .bytes = uav_space - count_space});
  const uint32_t raw = uav_space, raw_bytes = most_edge * most_edge * 16, counters = raw + raw_bytes,
                 image = counters + 0x1000;
  uav_raw_ = buffer(raw, raw_bytes), uav_counters_ = buffer(counters, 0x100);
  uav_image_ = {};
  uav_image_.type = state::SurfaceType::two_d;
  const formats::Format& f = format(&formats::Uses::typed_write);
  uav_image_.format = f.code, uav_image_.base = home + image;
  uav_image_.width_less_1 = uav_image_.height_less_1 = 63, uav_image_.pitch_less_1 = 64 * 16 - 1;
  uav_image_.horizontal_alignment = uav_image_.vertical_alignment = 1;
  static constexpr uint8_t tilings[] = {0, 2, 3};
  uav_image_.tile_mode = std::has_single_bit(unsigned(f.bits)) ? rng_.pick(tilings) : uint8_t(0);
  made_.stretches.push_back({.name = "raw buffer", .at = raw, .bytes = raw_bytes});
  made_.stretches.push_back({.name = "counters", .at = counters, .bytes = 0x1000});
  made_.stretches.push_back({.name = fmt::format("image of {}", f.name),
                             .at = image,
                             .bytes = 64 * 64 * 16,
                             .format = &f,
                             .pitch = 64 * 16,
                             .width = 64,
                             .rows = 64,
                             .tile_mode = uav_image_.tile_mode});
}

RandomBatch Maker::run() {
  once();
  struct Part {
    void (Maker::*roll)();
    uint32_t one_in;  // draws
  };
  static constexpr Part parts[] = {
      {&Maker::viewports, 5}, {&Maker::vertices, 3}, {&Maker::primitives, 3},
      {&Maker::samples, 6},   {&Maker::tests, 4},    {&Maker::blending, 4},
  };
  const unsigned draws = 1 + rng_.below(10);
  for (unsigned n = 0; n < draws; ++n) {
    const bool fresh_targets = n == 0 || rng_.one_in(6);
    if (fresh_targets) targets();
    for (const Part& p : parts)
      if (n == 0 || rng_.one_in(p.one_in)) (this->*p.roll)();
    if (fresh_targets || rng_.one_in(3)) bindings();
    if (stale_ || rng_.one_in(3)) pixels();
    if (rng_.one_in(8)) clear();
    // Stalls and invalidations alone keep a scene together; flushes do not.
    constexpr uint32_t stalls = 1 << 20 | 1 << 13 | 1 << 1, invalidations = 0xC1C, all = 0x103FBF & ~(1u << 9);
    if (rng_.one_in(4)) pipe_control(uint32_t(rng_()) & (rng_.coin() ? all : stalls | invalidations));
    if (rng_.one_in(6))  // how many samples have passed, written behind a stall for depth
      if (const uint32_t at = take(counts_, uav_space, 8, 8)) pipe_control(1 << 13 | 2 << 14, home + at);
    if (rng_.one_in(10)) store_counts();
    const unsigned again = rng_.one_in(4) ? 1 + rng_.below(4) : 1;
    for (unsigned k = 0; k < again; ++k) draw();
    if (kernels_ + 0x6000 > input_space || inputs_ + 0x6000 > count_space || dynamic_ + 0x1800 > surface_space ||
        surface_ + 0x1800 > surface_space + 0xF000 || out_.size() * 4 + 0x4000 > batch_space)
      break;
  }
  store_counts();
  out_ += Words{0x7A000004, 1 << 20 | 1 << 12 | 1 << 5 | 1 << 0, 0, 0, 0, 0} + faults::end();
  image_.put(0, out_);
  made_.memory = std::move(image_.bytes);
  return std::move(made_);
}

RandomBatch random_batch(uint64_t seed, std::string_view device, bool describes) {
  return Maker(seed, device, describes).run();
}

std::vector<std::byte> cut_off(const RandomBatch& b, size_t draws) {
  std::vector<std::byte> memory = b.memory;
  if (draws >= b.draws.size()) return memory;
  const Words end = Words{0x7A000004, 1 << 20 | 1 << 12 | 1 << 5 | 1 << 0, 0, 0, 0, 0} + faults::end();
  std::memcpy(memory.data() + (draws ? b.draws[draws - 1].end : 0), end.data(), end.size() * 4);
  return memory;
}

}  // namespace vitro::drawing
