// The frame of every sampler message: descriptor, header and parameters in, the chosen function, results out.
// PRM: as sampler.h; the message header is Gen8 vol 7 "Message Header" (M0.2 offsets, masks and selects, M0.3 sampler
// state pointer).
#include "shared/sampler/sampler.h"

#include <algorithm>
#include <cstring>

#include "base/half.h"
#include "shared/sampler/call.h"

namespace vitro::shared {

namespace {

using isa::MessageShape;

// Both halves of the payload, one after the other; a copy, as the response may overwrite it.
struct Payload {
  std::array<uint32_t, 30 * 8> dwords;
  unsigned registers = 0;
  void append(std::span<const std::byte> part) {
    if (part.empty()) return;
    const size_t room = sizeof dwords - registers * size_t(eu::reg_bytes), n = std::min(part.size(), room);
    std::memcpy(reinterpret_cast<std::byte*>(dwords.data()) + registers * size_t(eu::reg_bytes), part.data(), n);
    registers += unsigned(n / eu::reg_bytes);
  }
};

constexpr Lanes no_lanes{};

// Points the parameters of a row to their lanes. Those of SIMD4x2 messages stand side by side, four in half a
// register, and are brought into lanes.
void place_parameters(SamplerCall& call, const Payload& payload, const MessageShape& shape,
                      std::array<Lanes, max_parameters>& unpacked) {
  call.parameters.fill(no_lanes.data());
  for (unsigned n = 0; n < max_parameters && call.row.sampler.parameters[n] != Parameter::none; ++n) {
    const auto p = size_t(call.row.sampler.parameters[n]);
    const unsigned reg = shape.parameter_register(n);
    if (reg + shape.row_registers() > payload.registers) break;
    if (shape.pair()) {
      for (unsigned slot = 0; slot < 2; ++slot) unpacked[n][slot] = payload.dwords[size_t(reg) * 8 + slot * 4 + n % 4];
      call.parameters[p] = unpacked[n].data();
    } else {
      call.parameters[p] = &payload.dwords[size_t(reg) * 8];
    }
    call.sent |= 1u << p;
  }
}

uint16_t to_half(const Image& image, uint32_t v) {
  if (image.format && image.format->integer()) return uint16_t(v);
  return double_to_half(double(std::bit_cast<float>(v)));
}

// Channels in the order red to alpha, without those the header masks out, as many as the response has room for. Gives
// the register behind them.
unsigned write_back(const SamplerCall& call, const SamplerRequest& request, const MessageShape& shape,
                    uint32_t skipped) {
  unsigned reg = 0;
  const bool half = shape.half;
  const auto registers = unsigned(request.response.size() / eu::reg_bytes);
  const auto at = [&](unsigned n) { return request.response.data() + size_t(n) * eu::reg_bytes; };
  if (shape.pair()) {
    for (unsigned n = 0; n < 8 && registers > 0; ++n)
      if ((request.channels >> n & 1) && !(skipped >> n % 4 & 1))
        std::memcpy(at(0) + 4 * n, &call.result[n % 4][n / 4], 4);
    return 1;
  }
  for (unsigned c = 0; c < 4; ++c) {
    if (skipped >> c & 1) continue;
    const unsigned needed = half ? 1 : shape.row_registers();
    if (reg + needed > registers) return registers;
    if (!half && call.lanes == uint32_t(ones(int(shape.slots)))) {
      std::memcpy(at(reg), call.result[c].data(), shape.slots * 4u);
    } else {
      call.each_lane([&](unsigned lane) {
        const uint32_t v = call.result[c][lane];
        const uint16_t h = half ? to_half(call.image, v) : uint16_t{0};
        if (half)
          std::memcpy(at(reg) + 2 * lane, &h, 2);
        else
          std::memcpy(at(reg) + 4 * lane, &v, 4);
      });
    }
    reg += needed;
  }
  return reg;
}

// One bit for each pixel that is not killed; those of lanes that the message has not are ones.
void write_pixel_mask(const SamplerRequest& request, unsigned reg, uint32_t killed) {
  const size_t at = size_t(reg) * eu::reg_bytes;
  if (at + eu::reg_bytes > request.response.size()) return;
  const uint32_t mask = ~killed & 0xFFFF;
  std::memcpy(request.response.data() + at, &mask, 4);
}

// The last register: no page was a null page.
void write_null_mask(const SamplerRequest& request, unsigned lanes) {
  if (request.response.size() < eu::reg_bytes) return;
  const auto mask = uint32_t(ones(int(lanes)));
  std::memcpy(request.response.data() + request.response.size() - eu::reg_bytes, &mask, 4);
}

eu::Reply handle(void* context, eu::Thread&, eu::Message& message, std::string& reason) {
  if (message.eot) {
    reason = fmt::format("a sampler message that ends its thread (descriptor {:#010x})", message.desc);
    return eu::Reply::unsupported;
  }
  return run_sampler_message(
      *static_cast<SamplingEngine*>(context),
      {message.desc, message.ex_desc, message.channels, message.payload, message.second_payload, message.response},
      reason);
}

// By descriptors, dwords 2 and 3 of the header, if there is one, and the response's registers.
SiteName name_of(const SamplingEngine& engine, uint32_t desc, uint32_t ex_desc, uint64_t header, size_t room) {
  SiteName name{desc, ex_desc & ~0xFFFu, 0, engine.environment.sampler_table, uint32_t(room)};
  if (isa::has_header(desc))
    name.header = uint32_t(header) & SiteName::header_bits,
    name.sampler_table = uint32_t(header >> 32) & engine.layout.sampler_pointer_mask;
  return name;
}

eu::Window locate(void* context, uint32_t desc, const isa::MessageShape&, uint64_t header) {
  SamplingEngine& engine = *static_cast<SamplingEngine*>(context);
  const SiteName name = name_of(engine, desc, 0, header, eu::Message{.desc = desc}.rlen());
  SamplerSite* const site = engine.routines ? engine.site_of(name) : nullptr;
  // A spare one does not stay, and code would refer to its facts.
  if (!site || site == engine.spare_site.get()) return {};
  const bool can_fuse = site->suits_code() && site->key.is_short();
  return {.host = reinterpret_cast<std::byte*>(&site->facts),
          .start = header,
          .routine = site->vectors(),
          .key = can_fuse ? std::as_bytes(std::span(&site->key, 1)) : std::span<const std::byte>()};
}

}  // namespace

void SamplingEngine::install(eu::SharedFunctions& functions) {
  functions[sampler_sfid] = {handle, this, nullptr, locate};
}

SamplerSite* SamplingEngine::site_of(const SiteName& name) {
  const uint32_t hash = (name.desc ^ name.header ^ name.ex_desc) * 0x9E3779B1u >> 26;
  SamplerSite& site = environment.bindings->sites.get(hash, name, spare_site, [&](SamplerSite& s) {
    s.name = name;
    find_site(*this, s);
  });
  return site.run ? &site : nullptr;
}

const ResolvedSampler& SamplingEngine::sampler_at(uint64_t address, const formats::Format* format) {
  return environment.bindings->samplers.get(
      address / state::sampler_bytes, {address, format}, spare_sampler, [&](ResolvedSampler& s) {
        memory::View& memory = *environment.memory;
        s.state = state::read_sampler(layout.sampler, memory, address, &s.reads);
        if (format)
          s.border = state::read_border(layout.sampler, memory, environment.bases, s.state, *format, &s.reads);
      });
}

bool flushes_denormals(const SamplerEngineLayout& layout, const formats::Format& format) {
  if (!layout.flushes_denormals) return false;
  for (const formats::Channel& c : format.channels)
    if (c.kind == formats::Kind::sfloat && c.width == 32) return true;
  return false;
}

// What the answer holds is undefined: whoever asks only waits for it, so the register stays as it is.
template <>
eu::Reply act<isa::MessageAction::flush_cache>(SamplerCall&) {
  return eu::Reply::done;
}

formats::Rgba permute_channels(const Image& image, const formats::Rgba& texel) {
  formats::Rgba out;
  for (size_t n = 0; n < 4; ++n) {
    const auto select = size_t(image.selects[n]);
    out[n] = select >= 4 ? texel[select - 4] : select == 1 && image.format ? image.format->one() : 0;
  }
  return out;
}

const SamplerEngineLayout sampler_engine_gen6{
    .surface = state::surface_gen6, .sampler = state::sampler_gen6, .messages = isa::messages_gen6};
const SamplerEngineLayout sampler_engine_gen8{.surface = state::surface_gen8,
                                              .sampler = state::sampler_gen8,
                                              .messages = isa::messages_gen8,
                                              .flushes_denormals = true};
const SamplerEngineLayout sampler_engine_gen9{.surface = state::surface_gen9,
                                              .sampler = state::sampler_gen9,
                                              .messages = isa::messages_gen9,
                                              .sampler_pointer_mask = ~15u,
                                              .header_chooses_4x2 = true,
                                              .pixel_null_mask = true,
                                              .flushes_denormals = true};

namespace {

// By action; null: not supported.
using Act = eu::Reply (*)(SamplerCall&);
constexpr auto actions = [] {
  std::array<Act, 256> all{};
#define SAMPLER_ACTION(name, ...) all[size_t(isa::MessageAction::name)] = act<isa::MessageAction::name>;
#include "isa/actions.def"
  return all;
}();

SamplerSite* site_of(SamplingEngine& engine, const SamplerRequest& request) {
  uint64_t header = 0;
  if (isa::has_header(request.desc)) {
    const std::span<const std::byte> from = request.payload.empty() ? request.second : request.payload;
    if (from.empty()) return nullptr;
    std::memcpy(&header, from.data() + 8, sizeof header);
  }
  return engine.site_of(
      name_of(engine, request.desc, request.ex_desc, header, request.response.size() / eu::reg_bytes));
}

}  // namespace

eu::Reply run_sampler_message(SamplingEngine& engine, const SamplerRequest& request, std::string& reason) {
  if (SamplerSite* site = engine.routines ? site_of(engine, request) : nullptr) {
    site->carry_out(engine.environment.routines, request);
    return eu::Reply::done;
  }
  const SamplerEngineLayout& layout = engine.layout;
  const Environment& environment = engine.environment;
  const isa::DecodedMessage decoded = isa::decode_message(layout.messages, sampler_sfid, request.desc);
  const auto fault = [&](std::string text) {
    reason =
        fmt::format("sampler {} (descriptor {:#010x}): {}", decoded.row ? decoded.row->name : "", request.desc, text);
    return eu::Reply::faulted;
  };
  const auto unsupported = [&](std::string_view what) {
    reason = fmt::format("sampler {}{}{}", decoded.row->name, what.empty() ? "" : ": ", what);
    return eu::Reply::unsupported;
  };
  if (!decoded.row) {
    const Bits type = layout.messages.functions[sampler_sfid].type;
    return fault(fmt::format("reserved message type {:#x}", extract(Word128{request.desc, 0}, type)));
  }
  const isa::MessageRow& row = *decoded.row;
  if (const unsigned n = decoded.shape.reserved_field)
    return unsupported(fmt::format("reserved {}", row.fields[n - 1].name));

  Payload payload;
  payload.append(request.payload);
  payload.append(request.second);
  const MessageShape& shape = decoded.shape;
  const bool header = shape.header && payload.registers > 0;
  const uint32_t m0_2 = header ? payload.dwords[2] : 0;
  if (!actions[size_t(shape.action)]) return unsupported("");
  if (shape.pair() && layout.header_chooses_4x2 && !(m0_2 & m0_2_simd4x2)) return unsupported("SIMD8D");

  static const Image no_image{};
  const Image& image =
      row.sampler.surface ? engine.surfaces.of(shape, request.desc, request.ex_desc).image() : no_image;
  const uint32_t table = header ? payload.dwords[3] & layout.sampler_pointer_mask : environment.sampler_table;
  SamplerCall call{.engine = engine,
                   .row = row,
                   .image = image,
                   .reason = reason,
                   .sampler_address = engine.sampler_address(row, request.desc, table),
                   .lane_count = shape.slots};
  call.subspans = !shape.pair();
  call.lanes = call.subspans ? request.channels & uint32_t(ones(int(shape.slots))) : eu::slots_4x2(request.channels);
  const auto offset = [&](Bits b) { return int8_t(eu::signed_field(m0_2, b)); };
  call.offsets = {offset(m0_2_u), offset(m0_2_v), offset(m0_2_r)};
  call.gather_channel = uint8_t(m0_2 >> 16 & 3);
  std::array<Lanes, max_parameters> unpacked;
  place_parameters(call, payload, shape, unpacked);
  if (image.data_return_fixed) return unsupported("results as S1.14");

  const eu::Reply reply = actions[size_t(shape.action)](call);
  if (reply != eu::Reply::done) return unsupported(std::string(std::move(reason)));
  if (!row.sampler.surface) return reply;
  if (environment.memory->must_fault())
    return fault(fmt::format("access to unmapped address {:#x}", *environment.memory->misses().first));
  const unsigned written = write_back(call, request, shape, m0_2 >> m0_2_masks & 15);
  if (row.sampler.kills) write_pixel_mask(request, written, call.killed);
  if (layout.pixel_null_mask && (m0_2 & m0_2_pixel_null_mask)) write_null_mask(request, shape.slots);
  return eu::Reply::done;
}

}  // namespace vitro::shared
