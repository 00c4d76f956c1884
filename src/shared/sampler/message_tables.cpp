// The sampling engines of the generations: message types, the order of their parameters, and where the descriptor has
// what. PRM: Gen6 vol 4 part 1 "Message Descriptor" and "Payload Parameters"; Gen8 vol 7 and Gen9 likewise.
// Rows without a function are messages of media and video.
#include "shared/sampler/call.h"

namespace vitro::shared {

namespace {

using enum Parameter;
using enum LodSource;
using Messages = std::array<SamplerMessage, 64>;
constexpr size_t simd32_64 = 32;

// Coordinates first, then what a message adds.
constexpr Messages gen6_messages = [] {
  Messages m{};
  m[0x00] = {"sample", {u, v, r, ai}, sample, implicit};
  m[0x01] = {"sample_b", {u, v, r, ai, bias}, sample, biased};
  m[0x02] = {"sample_l", {u, v, r, ai, lod}, sample, explicit_};
  m[0x03] = {"sample_c", {u, v, r, ai, ref}, sample, implicit, true};
  m[0x04] = {"sample_d", {u, v, r, ai, dudx, dudy, dvdx, dvdy, drdx, drdy}, sample, gradients};
  m[0x05] = {"sample_b_c", {u, v, r, ai, ref, bias}, sample, biased, true};
  m[0x06] = {"sample_l_c", {u, v, r, ai, ref, lod}, sample, explicit_, true};
  m[0x07] = {"ld", {u, v, r, lod, si}, load};
  m[0x08] = {"gather4", {u, v, r, ai}, gather4};
  m[0x09] = {"lod", {u, v, r, ai}, query_lod, implicit};
  m[0x0A] = {"resinfo", {lod}, resinfo};
  m[0x0B] = {"sampleinfo", {}, sampleinfo};
  m[0x0C] = {"sample killpix", {u, v, r}};
  m[simd32_64 + 0x0] = {"sample_unorm simd32/64"};
  m[simd32_64 + 0x2] = {"sample_unorm killpix simd32/64"};
  m[simd32_64 + 0x8] = {"deinterlace simd32/64"};
  m[simd32_64 + 0xB] = {"sample_8x8 simd32/64"};
  return m;
}();

constexpr Messages gen8_messages = [] {
  Messages m{};
  m[0x00] = {"sample", {u, v, r, ai, mlod}, sample, implicit};
  m[0x01] = {"sample_b", {bias, u, v, r, ai, mlod}, sample, biased};
  m[0x02] = {"sample_l", {lod, u, v, r, ai}, sample, explicit_};
  m[0x03] = {"sample_c", {ref, u, v, r, ai, mlod}, sample, implicit, true};
  m[0x04] = {"sample_d", {u, dudx, dudy, v, dvdx, dvdy, r, drdx, drdy, ai, mlod}, sample, gradients};
  m[0x05] = {"sample_b_c", {ref, bias, u, v, r, ai, mlod}, sample, biased, true};
  m[0x06] = {"sample_l_c", {ref, lod, u, v, r, ai}, sample, explicit_, true};
  m[0x07] = {"ld", {u, lod, v, r}, load};
  m[0x08] = {"gather4", {u, v, r, ai}, gather4};
  m[0x09] = {"lod", {u, v, r, ai}, query_lod, implicit};
  m[0x0A] = {"resinfo", {lod}, resinfo};
  m[0x0B] = {"sampleinfo", {}, sampleinfo};
  m[0x0C] = {"sample killpix", {u, v, r}};
  m[0x10] = {"gather4_c", {ref, u, v, r, ai}, gather4, zero, true};
  m[0x11] = {"gather4_po", {u, v, offu, offv, r}, gather4};
  m[0x12] = {"gather4_po_c", {ref, u, v, offu, offv, r}, gather4, zero, true};
  m[0x14] = {"sample_d_c", {ref, u, dudx, dudy, v, dvdx, dvdy, r, drdx, drdy, ai, mlod}, sample, gradients, true};
  m[0x1D] = {"ld_mcs", {u, v, r, lod}, load_mcs};
  m[0x1E] = {"ld2dms", {si, mcs_low, u, v, r, lod}, load_multisampled};
  m[0x1F] = {"ld2dss", {si, u, v, r}, load};
  m[simd32_64 + 0x00] = {"sample_unorm simd32/64"};
  m[simd32_64 + 0x02] = {"sample_unorm killpix simd32/64"};
  m[simd32_64 + 0x08] = {"deinterlace simd32/64"};
  m[simd32_64 + 0x0A] = {"sample_unorm killpix media simd32/64"};
  m[simd32_64 + 0x0B] = {"sample_8x8 simd32/64"};
  m[simd32_64 + 0x0C] = {"sample_unorm media simd32/64"};
  m[simd32_64 + 0x1F] = {.name = "cache flush", .run = flush_cache, .surface = false};
  return m;
}();

constexpr Messages gen9_messages = [] {
  Messages m = gen8_messages;
  m[0x07] = {"ld", {u, v, lod, r}, load};
  m[0x16] = {"sample_min", {u, v}, sample, implicit, false, Footprint::minimum};
  m[0x17] = {"sample_max", {u, v}, sample, implicit, false, Footprint::maximum};
  m[0x18] = {"sample_lz", {u, v, r, ai}, sample, zero};
  m[0x19] = {"sample_c_lz", {ref, u, v, r, ai}, sample, zero, true};
  m[0x1A] = {"ld_lz", {u, v, r}, load};
  m[0x1C] = {"ld2dms_w", {si, mcs_low, mcs_high, u, v, r, lod}, load_multisampled};
  return m;
}();

}  // namespace

const SamplerEngineLayout sampler_engine_gen6{.surface = state::surface_gen6,
                                              .sampler = state::sampler_gen6,
                                              .type = {15, 12},
                                              .simd_mode = {17, 16},
                                              .index = {11, 8},
                                              .half_return = no_bits,
                                              .messages = gen6_messages};
const SamplerEngineLayout sampler_engine_gen8{.surface = state::surface_gen8,
                                              .sampler = state::sampler_gen8,
                                              .type = {16, 12},
                                              .simd_mode = {18, 17},
                                              .index = {11, 8},
                                              .half_return = {30, 30},
                                              .flushes_denormals = true,
                                              .messages = gen8_messages};
const SamplerEngineLayout sampler_engine_gen9{.surface = state::surface_gen9,
                                              .sampler = state::sampler_gen9,
                                              .type = {16, 12},
                                              .simd_mode = {18, 17},
                                              .index = {11, 8},
                                              .half_return = {30, 30},
                                              .has_bindless = true,
                                              .header_chooses_4x2 = true,
                                              .pixel_null_mask = true,
                                              .flushes_denormals = true,
                                              .messages = gen9_messages};

}  // namespace vitro::shared
