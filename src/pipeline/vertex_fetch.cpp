// Decoding of vertex elements, fetching of vertices and indices. PRM: as vertex_fetch.h. A component that a
// system-generated value overwrites, or that stores a constant, takes none of the source's components: the next one
// that stores the source takes the first not yet taken (3D_Vertex_Component_Control).
#include "pipeline/vertex_fetch.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

namespace vitro::pipeline {
namespace {

using From = VertexInput::From;
using Conversion = VertexInput::Conversion;

// 3D_Vertex_Component_Control
constexpr std::array<From, 8> controls = {From::nothing, From::source,  From::zero,    From::one_float,
                                          From::one_int, From::nothing, From::nothing, From::nothing};
constexpr uint8_t store_pid = 7;
constexpr uint8_t first_reserved = 5;

bool is_wide(const formats::Format& f) {
  return f.channel_count && f.channels[0].kind == formats::Kind::raw && f.channels[0].width == 64;
}
// Its components are dwords in their order, which shaders see as they are.
bool is_plain(const formats::Format& f) {
  for (unsigned n = 0; n < f.channel_count; ++n) {
    const formats::Channel& c = f.channels[n];
    const bool as_is =
        c.kind == formats::Kind::sfloat || c.kind == formats::Kind::uint || c.kind == formats::Kind::sint;
    if (!as_is || c.width != 32 || size_t(c.component) != n) return false;
  }
  return f.channel_count != 0;
}

// What system-generated values overwrite.
From generated(const commands::three_d::VfSgvs& s, unsigned slot, unsigned component) {
  if (s.instanceid_enable && s.instanceid_element_offset == slot && s.instanceid_component_number == component)
    return From::instance_id;
  if (s.vertexid_enable && s.vertexid_element_offset == slot && s.vertexid_component_number == component)
    return From::vertex_id;
  return From::nothing;
}

const std::byte* whole_buffer(memory::View& memory, uint64_t address, uint64_t bytes) {
  return bytes ? memory.at(address, bytes, memory::Access::read) : nullptr;
}

tl::expected<VertexInput::Element, Fault> source_of(const commands::three_d::VertexElementState& e,
                                                    const commands::three_d::VfInstancing& instancing,
                                                    const state::Pipeline& state, memory::View& memory) {
  VertexInput::Element to;
  to.format = formats::find(e.source_element_format);
  if (!to.format)
    return tl::unexpected(Fault{.reason = fmt::format("vertex format {:#x} is reserved", e.source_element_format)});
  to.wide = is_wide(*to.format);
  if (!to.wide && (!to.format->decode || to.format->block_width != 1))
    return tl::unexpected(unsupported_fault(fmt::format("vertex format {}", to.format->name)));
  to.conversion = to.wide ? Conversion::copy_64 : is_plain(*to.format) ? Conversion::copy : Conversion::decode;
  to.instanced = instancing.instancing_enable;
  to.step_rate = instancing.instance_data_step_rate;
  to.offset = e.source_element_offset;
  if (e.vertex_buffer_index < state.vertex_buffers.size()) {
    const commands::three_d::VertexBufferState& b = state.vertex_buffers[e.vertex_buffer_index];
    to.address = b.buffer_starting_address;
    to.bytes = b.null_vertex_buffer ? 0 : b.buffer_size;
    to.pitch = b.buffer_pitch;
    to.host = whole_buffer(memory, to.address, to.bytes);
  }
  return to;
}

tl::unexpected<Fault> bad_control(uint8_t control) {
  if (control == store_pid) return tl::unexpected(unsupported_fault("VFCOMP_STORE_PID"));
  return tl::unexpected(Fault{.reason = fmt::format("vertex component control {} is reserved", control)});
}

}  // namespace

tl::expected<VertexInput, Fault> make_vertex_input(const state::Pipeline& state,
                                                   const commands::three_d::Primitive& primitive,
                                                   memory::View& memory) {
  VertexInput input;
  input.start_instance = primitive.start_instance_location;
  const bool packs = state.vf.component_packing_enable;
  const commands::three_d::VfSgvs& sgvs = state.sgvs;
  unsigned slot = 0;       // in the order of elements, before packing
  unsigned packed_dw = 0;  // dwords stored so far, if they are packed
  const auto place = [&](unsigned s, unsigned c, unsigned enabled) -> std::optional<uint16_t> {
    if (!packs) return uint16_t(4 * s + c);
    if (!(enabled >> c & 1)) return std::nullopt;
    return uint16_t(packed_dw++);
  };
  const unsigned count = std::min<unsigned>(state.vertex_element_count, state::most_vertex_elements);
  for (unsigned n = 0; n < count && state.vertex_elements[n].valid; ++n) {
    const commands::three_d::VertexElementState& e = state.vertex_elements[n];
    auto made = source_of(e, state.instancing[n], state, memory);
    if (!made) return tl::unexpected(made.error());
    VertexInput::Element& to = *made;
    if (e.edge_flag_enable) {  // the last one, and not stored
      if (to.wide) return tl::unexpected(unsupported_fault("edge flags of 64 bits"));
      to.components[0] = {From::source, 0, 0};
      input.has_edge_flag = true;
      input.edge_flag = to;
      break;
    }
    const std::array<uint8_t, 4> control = {e.component_0_control, e.component_1_control, e.component_2_control,
                                            e.component_3_control};
    const unsigned enabled = n < 32 ? state.component_packing.vertex_element_enables[n] & 15u : 15u;
    uint8_t taken = 0;
    if (to.wide) {
      if (packs) return tl::unexpected(unsupported_fault("component packing of 64-bit elements"));
      const bool two_slots = control[2] != 0 || control[3] != 0;
      for (unsigned c = 0; c < 4; ++c) {
        if (control[c] >= first_reserved) return bad_control(control[c]);
        for (unsigned half = 0; half < 2; ++half)
          if (generated(sgvs, slot + c / 2, 2 * c % 4 + half) != From::nothing && (c < 2 || two_slots))
            return tl::unexpected(unsupported_fault("system-generated values in 64-bit elements"));
        if (c >= 2 && !two_slots) continue;
        const bool source = controls[control[c]] == From::source;
        to.components[c] = {source ? From::source : From::zero, source ? taken++ : uint8_t(0),
                            uint16_t(4 * slot + 2 * c)};
      }
      slot += two_slots ? 2 : 1;
    } else {
      for (unsigned c = 0; c < 4; ++c) {
        if (control[c] >= first_reserved) return bad_control(control[c]);
        From from = generated(sgvs, slot, c);
        if (from == From::nothing) from = controls[control[c]];
        if (from == From::nothing) from = From::zero;
        const uint8_t source = from == From::source ? taken++ : uint8_t(0);
        const std::optional<uint16_t> dword = place(slot, c, enabled);
        if (dword) to.components[c] = {from, source, *dword};
      }
      to.whole = taken == 4 && to.components[3].from == From::source &&
                 to.components[3].to == to.components[0].to + 3 && to.components[0].from == From::source;
      ++slot;
    }
    if (taken == 0) to.conversion = Conversion::none;
    input.elements[input.element_count++] = to;
  }
  // Values beyond the last element, with zeros before them.
  unsigned last = slot;
  if (sgvs.vertexid_enable) last = std::max(last, sgvs.vertexid_element_offset + 1u);
  if (sgvs.instanceid_enable) last = std::max(last, sgvs.instanceid_element_offset + 1u);
  for (unsigned s = slot; s < last; ++s) {
    VertexInput::Element to;
    bool any = false;
    for (unsigned c = 0; c < 4; ++c) {
      const From from = generated(sgvs, s, c);
      any |= from != From::nothing;
      if (const auto dword = place(s, c, 15)) to.components[c] = {from == From::nothing ? From::zero : from, 0, *dword};
    }
    if (any) input.elements[input.element_count++] = to;  // at most two; the others are zero before
  }
  input.slots = packs ? (packed_dw + 3) / 4 : last;
  return input;
}

namespace {

// The bytes of an element; null if it is not inside its buffer.
const std::byte* bytes_of(const VertexInput::Element& e, memory::View& memory, uint64_t index,
                          std::array<std::byte, 32>& room) {
  const unsigned bytes = e.format->bytes();
  const uint64_t at = index * e.pitch + e.offset;
  if (at + bytes > e.bytes || bytes > room.size()) return nullptr;
  if (e.host) return e.host + at;
  if (const std::byte* p = memory.at(e.address + at, bytes, memory::Access::read)) return p;
  memory.read(e.address + at, std::span(room).first(bytes));
  return room.data();
}

// Its components, as dwords: pairs of them if they have 64 bits.
void read_source(const VertexInput& input, const VertexInput::Element& e, memory::View& memory, const VertexKey& key,
                 std::array<uint32_t, 8>& source) {
  static constexpr std::array<std::byte, 32> zeros{};
  uint64_t index = key.index;
  if (e.instanced) index = uint64_t(input.start_instance) + (e.step_rate ? key.instance / e.step_rate : 0);
  std::array<std::byte, 32> room;
  const std::byte* from = bytes_of(e, memory, index, room);
  if (!from) from = zeros.data();
  if (e.conversion == Conversion::decode) {
    formats::Rgba rgba;
    e.format->decode(from, 0, 0, rgba);
    std::copy(rgba.begin(), rgba.end(), source.begin());
    return;
  }
  source = {};
  if (e.conversion == Conversion::copy) source[3] = e.format->one();
  std::memcpy(source.data(), from, std::min<size_t>(e.format->bytes(), sizeof source));
}

}  // namespace

bool fetch_vertex(const VertexInput& input, memory::View& memory, const VertexKey& key, Slot* to) {
  auto* dwords = reinterpret_cast<uint32_t*>(to);
  std::memset(dwords, 0, input.slots * sizeof(Slot));
  std::array<uint32_t, 8> source;
  for (unsigned n = 0; n < input.element_count; ++n) {
    const VertexInput::Element& e = input.elements[n];
    if (e.conversion != Conversion::none) read_source(input, e, memory, key, source);
    if (e.whole) {
      std::memcpy(dwords + e.components[0].to, source.data(), sizeof(Slot));
      continue;
    }
    for (const VertexInput::Component& c : e.components) {
      switch (c.from) {
        case From::nothing:
        case From::zero: break;
        case From::one_float: dwords[c.to] = std::bit_cast<uint32_t>(1.0f); break;
        case From::one_int: dwords[c.to] = 1; break;
        case From::vertex_id: dwords[c.to] = key.id; break;
        case From::instance_id: dwords[c.to] = key.instance; break;
        case From::source:
          if (e.wide)
            std::memcpy(dwords + c.to, source.data() + 2 * c.source, 8);
          else
            dwords[c.to] = source[c.source];
          break;
      }
    }
  }
  if (!input.has_edge_flag) return true;
  read_source(input, input.edge_flag, memory, key, source);
  return source[0] != 0;
}

tl::expected<VertexStream, Fault> make_vertex_stream(const state::Pipeline& state,
                                                     const commands::three_d::Primitive& primitive,
                                                     memory::View& memory) {
  VertexStream s;
  if (primitive.end_offset_enable) return tl::unexpected(unsupported_fault("3DPRIMITIVE End Offset Enable"));
  s.random = primitive.vertex_access_type != 0;
  s.start = primitive.start_vertex_location;
  s.count = primitive.vertex_count_per_instance;
  if (!s.random) {
    if (state.vf.sequential_draw_cut_index_enable)
      return tl::unexpected(unsupported_fault("Sequential Draw Cut Index Enable"));
    return s;
  }
  if (state.index_buffer.index_format > 2) return tl::unexpected(Fault{.reason = "index format 3 is reserved"});
  s.base = uint32_t(primitive.base_vertex_location);
  s.has_cut = state.vf.indexed_draw_cut_index_enable;
  s.cut = state.vf.cut_index;
  s.index_bytes = 1u << state.index_buffer.index_format;
  s.address = state.index_buffer.buffer_starting_address;
  s.bytes = state.index_buffer.buffer_size;
  s.host = whole_buffer(memory, s.address, s.bytes);
  return s;
}

VertexStream::Place VertexStream::at(memory::View& memory, uint32_t position) const {
  if (!random) return {.index = start + position, .id = position};
  const uint64_t at = (uint64_t(start) + position) * index_bytes;
  uint32_t index = 0;
  if (at + index_bytes <= bytes) {
    if (host)
      std::memcpy(&index, host + at, index_bytes);
    else
      memory.read(address + at, std::as_writable_bytes(std::span(&index, 1)).first(index_bytes));
  }
  return {.index = index + base, .id = index, .cut = has_cut && index == cut};
}

}  // namespace vitro::pipeline
