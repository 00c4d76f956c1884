// Sends sampler messages in tests: parameters by name, put into the order the documents give for each generation, which
// is written down here a second time. Responses come back as lanes. No part of the machine.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "shared/image/guest_test.h"
#include "shared/rows_ran_test.h"
#include "shared/sampler/sampler.h"

namespace vitro::shared {

struct SamplerGeneration {
  const char* name;
  const state::SurfaceLayout& surface;
  const state::SamplerLayout& sampler;
  const SamplerEngineLayout& engine;
  unsigned simd_shift;
  size_t column;  // of the orders
};
inline const SamplerGeneration sampler_generations[] = {
    {"gen6", state::surface_gen6, state::sampler_gen6, sampler_engine_gen6, 16, 0},
    {"gen8", state::surface_gen8, state::sampler_gen8, sampler_engine_gen8, 17, 1},
    {"gen9", state::surface_gen9, state::sampler_gen9, sampler_engine_gen9, 17, 2}};

struct MessageOrder {
  const char* name;
  unsigned code;
  std::array<const char*, 3> order;  // null: not on this generation
};
inline const MessageOrder message_orders[] = {
    {"sample", 0x0, {"u v r ai", "u v r ai mlod", "u v r ai mlod"}},
    {"sample_b", 0x1, {"u v r ai bias", "bias u v r ai mlod", "bias u v r ai mlod"}},
    {"sample_l", 0x2, {"u v r ai lod", "lod u v r ai", "lod u v r ai"}},
    {"sample_c", 0x3, {"u v r ai ref", "ref u v r ai mlod", "ref u v r ai mlod"}},
    {"sample_d",
     0x4,
     {"u v r ai dudx dudy dvdx dvdy drdx drdy", "u dudx dudy v dvdx dvdy r drdx drdy ai",
      "u dudx dudy v dvdx dvdy r drdx drdy ai"}},
    {"sample_b_c", 0x5, {"u v r ai ref bias", "ref bias u v r ai", "ref bias u v r ai"}},
    {"sample_l_c", 0x6, {"u v r ai ref lod", "ref lod u v r ai", "ref lod u v r ai"}},
    {"ld", 0x7, {"u v r lod si", "u lod v r", "u v lod r"}},
    {"gather4", 0x8, {"u v r ai", "u v r ai", "u v r ai"}},
    {"lod", 0x9, {"u v r ai", "u v r ai", "u v r ai"}},
    {"resinfo", 0xA, {"lod", "lod", "lod"}},
    {"sampleinfo", 0xB, {"", "", ""}},
    {"sample killpix", 0xC, {"u v r", "u v r", "u v r"}},
    {"gather4_c", 0x10, {nullptr, "ref u v r ai", "ref u v r ai"}},
    {"gather4_po", 0x11, {nullptr, "u v offu offv r", "u v offu offv r"}},
    {"gather4_po_c", 0x12, {nullptr, "ref u v offu offv r", "ref u v offu offv r"}},
    {"sample_d_c",
     0x14,
     {nullptr, "ref u dudx dudy v dvdx dvdy r drdx drdy ai", "ref u dudx dudy v dvdx dvdy r drdx drdy ai"}},
    {"sample_min", 0x16, {nullptr, nullptr, "u v"}},
    {"sample_max", 0x17, {nullptr, nullptr, "u v"}},
    {"sample_lz", 0x18, {nullptr, nullptr, "u v r ai"}},
    {"sample_c_lz", 0x19, {nullptr, nullptr, "ref u v r ai"}},
    {"ld_lz", 0x1A, {nullptr, nullptr, "u v r"}},
    {"ld2dms_w", 0x1C, {nullptr, nullptr, "si mcsl mcsh u v r"}},
    {"ld_mcs", 0x1D, {nullptr, "u v r lod", "u v r lod"}},
    {"ld2dms", 0x1E, {nullptr, "si mcsl u v r", "si mcsl u v r"}},
    {"ld2dss", 0x1F, {nullptr, "si u v r", "si u v r"}},
};

using LaneValues = std::array<uint32_t, 16>;
inline LaneValues same(uint32_t v) {
  LaneValues out;
  out.fill(v);
  return out;
}
inline LaneValues same(float v) { return same(bits_of(v)); }
inline LaneValues lanes(std::initializer_list<float> values) {
  LaneValues out{};
  size_t n = 0;
  for (const float v : values) out[n++] = bits_of(v);
  return out;
}
inline LaneValues lanes_of(std::initializer_list<int> values) {
  LaneValues out{};
  size_t n = 0;
  for (const int v : values) out[n++] = uint32_t(v);
  return out;
}
using Parameters = std::map<std::string, LaneValues>;

inline constexpr uint32_t untouched_lane = 0xDDDDDDDD;

struct SamplerBench {
  const SamplerGeneration& generation;
  Guest guest;
  SamplingEngine engine;
  std::string reason;
  unsigned simd = 8;  // 8, 16, or 2 for SIMD4x2
  uint32_t channels = 0xFFFF;
  unsigned bti = 1, sampler = 0;
  uint32_t ex_desc = 0;
  bool half = false;
  std::vector<uint32_t> header{};  // eight dwords, or none
  unsigned response_registers = 8;
  std::vector<uint32_t> response{};
  eu::Reply reply = eu::Reply::done;

  explicit SamplerBench(const SamplerGeneration& g)
      : generation(g), guest(g.surface), engine(g.engine, guest.environment) {}

  bool knows(std::string_view message) const { return order_of(message) != nullptr; }
  const char* order_of(std::string_view message) const { return find(message).order[generation.column]; }
  static const MessageOrder& find(std::string_view message) {
    for (const MessageOrder& m : message_orders)
      if (m.name == message) return m;
    throw std::runtime_error("no such message");
  }

  // The payload's registers, up to the last parameter that is given.
  std::vector<uint32_t> payload_of(std::string_view message, const Parameters& given) const {
    std::vector<uint32_t> out;
    std::istringstream words(order_of(message));
    std::vector<std::string> order{std::istream_iterator<std::string>(words), {}};
    while (!order.empty() && !given.contains(order.back())) order.pop_back();
    if (simd == 2) {
      out.resize((order.size() + 3) / 4 * 8);
      for (size_t n = 0; n < order.size(); ++n)
        for (size_t slot = 0; slot < 2; ++slot)
          if (given.contains(order[n])) out[n / 4 * 8 + slot * 4 + n % 4] = given.at(order[n])[slot];
      return out;
    }
    for (const std::string& name : order) {
      const LaneValues v = given.contains(name) ? given.at(name) : LaneValues{};
      out.insert(out.end(), v.begin(), v.begin() + simd);
    }
    return out;
  }

  uint32_t desc_of(unsigned code) const {
    const uint32_t mode = simd == 16 ? 2 : simd == 8 ? 1 : 0;
    return bti | sampler << 8 | code << 12 | mode << generation.simd_shift | (header.empty() ? 0 : 1u << 19) |
           (half ? 1u << 30 : 0);
  }
  eu::Reply send_raw(uint32_t desc, std::vector<uint32_t> payload) {
    payload.insert(payload.begin(), header.begin(), header.end());
    response.assign(response_registers * 8, untouched_lane);
    // Split behind the first register, as a message of two sources is.
    const auto bytes = std::as_bytes(std::span(payload));
    const size_t first = std::min<size_t>(bytes.size(), 32);
    const HostFloats floats(test::modes_for(generation.engine.messages, sampler_sfid, desc));
    reply = run_sampler_message(engine,
                                {.desc = desc,
                                 .ex_desc = ex_desc,
                                 .channels = channels,
                                 .payload = bytes.first(first),
                                 .second = bytes.subspan(first),
                                 .response = std::as_writable_bytes(std::span(response))},
                                reason);
    test::note(generation.engine.messages, sampler_sfid, desc, reply);
    return reply;
  }
  void send(std::string_view message, const Parameters& given) {
    ASSERT_EQ(send_raw(desc_of(find(message).code), payload_of(message, given)), eu::Reply::done)
        << generation.name << " " << message << ": " << reason;
  }
  // Channel c of a lane, in the response to a message without masks.
  uint32_t lane(unsigned c, unsigned n) const {
    return simd == 2 ? response[n * 4 + c] : response[size_t(c) * simd + n];
  }
  float number(unsigned c, unsigned n) const { return float_of(lane(c, n)); }
  std::array<uint32_t, 4> texel(unsigned n) const { return {lane(0, n), lane(1, n), lane(2, n), lane(3, n)}; }
  std::array<float, 4> colour(unsigned n) const { return {number(0, n), number(1, n), number(2, n), number(3, n)}; }

  void set_sampler(const state::Sampler& s, std::array<float, 4> border = {}) {
    guest.set_sampler(generation.sampler, sampler, s, border);
  }
  // A surface of floats, row by row, each value given by a function of x and y; sixteen bytes of pitch for each four.
  template <class Value>
  state::Surface set_floats(uint32_t width, uint32_t height, Value&& value) {
    const uint32_t pitch = (width * 4 + 63) / 64 * 64;
    for (uint32_t y = 0; y < height; ++y)
      for (uint32_t x = 0; x < width; ++x)
        guest.view.store<float>(texture_base + uint64_t(y) * pitch + 4 * x, float(value(x, y)));
    const state::Surface s = plain_2d("R32_FLOAT", width, height, pitch);
    guest.set_surface(bti, s);
    return s;
  }
};

inline state::Sampler nearest_sampler(state::AddressMode mode = state::AddressMode::clamp) {
  state::Sampler s;
  s.tcx = s.tcy = s.tcz = mode;
  s.max_lod_field = 14 << 6;  // 14 on Gen6, less elsewhere: tests that need levels set their own
  return s;
}
inline state::Sampler linear_sampler(state::AddressMode mode = state::AddressMode::clamp) {
  state::Sampler s = nearest_sampler(mode);
  s.min_filter = s.mag_filter = state::MapFilter::linear;
  s.u_min_rounding = s.u_mag_rounding = s.v_min_rounding = s.v_mag_rounding = s.r_min_rounding = s.r_mag_rounding =
      true;
  return s;
}

#define FOR_EACH_GENERATION(bench)                                \
  for (const SamplerGeneration& generation : sampler_generations) \
    if (SamplerBench bench(generation); true)

}  // namespace vitro::shared
