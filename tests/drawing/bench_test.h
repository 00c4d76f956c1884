// A device that runs one drawing, for tests; what it counted, and what is left in memory.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/rows_ran_test.h"
#include "device/device.h"
#include "drawing.h"
#include "memory/address_space.h"
#include "memory/tiling.h"

namespace vitro::drawing {

// Names of a generation's rows in docs/coverage.md.
struct Generation {
  const char *device, *name;
  uint8_t bit;  // in formats::Uses
};
inline constexpr Generation generations[] = {{"bdw", "Gen8", 2}, {"kbl", "Gen9", 4}};
inline test::TableRow row(std::string part, const Generation& g, std::string_view name) {
  return {std::move(part), g.name, "render", std::string(name)};
}
inline void promise(std::string part, const Generation& g, std::string_view name, bool executes = true) {
  test::ledger().promise(row(std::move(part), g, name), {.executes = executes});
}
// A row ran and what it left was right.
inline void record(std::string part, const Generation& g, std::string_view name, bool executed = true) {
  test::ledger().record(row(std::move(part), g, name), executed);
}

struct Drawn {
  std::optional<Fault> fault{};
  std::vector<std::byte> memory{};
  uint64_t draws = 0, primitives = 0, pixels = 0, compiled_threads = 0;
  uint64_t fused = 0;  // kernels

  template <class T = uint32_t>
  T get(uint64_t at) const {
    T v;
    std::memcpy(&v, memory.data() + at, sizeof v);
    return v;
  }
};

inline std::unique_ptr<device::Device> make_device(std::string_view name, dispatch::Tiering tiering,
                                                   dispatch::Fusing fusing = dispatch::Fusing::never) {
  return std::make_unique<device::Device>(
      *gen::find_device(name),
      device::Options{
          .workers = 1, .statistics = true, .tier = {.tiering = tiering, .fusing = fusing, .exact_nans = true}});
}
// On a device that may have drawn others. `put` may change memory before the batch runs, `stop` abandon it.
template <class Put>
Drawn draw_on(device::Device& device, const Drawing& d, Put put, const std::function<bool()>& stop = {}) {
  Drawn out{.memory = memory_of(d)};
  put(out.memory);
  const auto before = nlohmann::json::parse(device.statistics(true));
  const auto table = std::make_shared<memory::Table>(
      std::vector<memory::Range>{{.start = home, .bytes = out.memory.size(), .host = out.memory.data()}});
  const auto context = device.create_context();
  out.fault = device.run(*context, {.ppgtt = table, .ggtt = table, .address = home}, stop);
  const auto after = nlohmann::json::parse(device.statistics(true));
  const auto counted = [&](const char* where) {
    const nlohmann::json::json_pointer at(where);
    return after.at(at).get<uint64_t>() - before.at(at).get<uint64_t>();
  };
  out.draws = counted("/draws"), out.pixels = counted("/pixels"), out.primitives = counted("/primitives/rasterised");
  out.compiled_threads = counted("/jit/compiled_threads"), out.fused = counted("/jit/fused");
  return out;
}
template <class Put>
Drawn draw(const Drawing& d, Put put, dispatch::Tiering tiering = dispatch::default_tiering,
           dispatch::Fusing fusing = dispatch::Fusing::never) {
  return draw_on(*make_device(d.device, tiering, fusing), d, put);
}
inline Drawn draw(const Drawing& d) {
  return draw(d, [](std::vector<std::byte>&) {});
}
// The texel of a target at a place, in a slice of samples.
inline uint64_t texel_at(const Drawing& d, uint32_t x, uint32_t y, uint32_t sample = 0) {
  const uint32_t bytes = formats::find(d.target_format)->bytes();
  return d.places.target + memory::tiled_offset(memory::Tiling::y, x * bytes, y + sample * edge, target_pitch(d));
}
inline std::string text(const std::optional<Fault>& f) { return f ? f->command + ": " + f->text() : ""; }

}  // namespace vitro::drawing
