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
constexpr unsigned most_element_bytes = 32;

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
const std::byte* bytes_of(const VertexInput::Element& e, memory::View& memory, uint64_t index, std::byte* room) {
  const unsigned bytes = e.format->bytes();
  const uint64_t at = index * e.pitch + e.offset;
  if (at + bytes > e.bytes || bytes > most_element_bytes) return nullptr;
  if (e.host) return e.host + at;
  if (const std::byte* p = memory.at(e.address + at, bytes, memory::Access::read)) return p;
  memory.read(e.address + at, {room, bytes});
  return room;
}

// The components of an element of some vertices, as dwords: pairs of them if they have 64 bits.
struct Sources {
  std::array<const std::byte*, vertices_at_once> at;
  unsigned dwords = 0;  // that are there; others are zero but...
  uint32_t fourth = 0;  // ...this one
  std::array<std::array<std::byte, most_element_bytes>, vertices_at_once> rooms;

  uint32_t missing(unsigned n) const { return n == 3 ? fourth : 0; }
  uint32_t dword(size_t lane, unsigned n) const {  // one that is there
    uint32_t v;
    std::memcpy(&v, at[lane] + 4 * n, sizeof v);
    return v;
  }
};
void read_sources(const VertexInput& input, const VertexInput::Element& e, memory::View& memory,
                  std::span<const VertexKey> keys, Sources& s) {
  static constexpr std::array<std::byte, most_element_bytes> zeros{};
  for (size_t n = 0; n < keys.size(); ++n) {
    uint64_t index = keys[n].index;
    if (e.instanced) index = uint64_t(input.start_instance) + (e.step_rate ? keys[n].instance / e.step_rate : 0);
    const std::byte* from = bytes_of(e, memory, index, s.rooms[n].data());
    s.at[n] = from ? from : zeros.data();
  }
  s.dwords = e.format->bytes() / 4;
  s.fourth = e.conversion == Conversion::copy ? e.format->one() : 0;
  if (e.conversion != Conversion::decode) return;
  for (size_t n = 0; n < keys.size(); ++n) {
    formats::Rgba rgba;
    e.format->decode(s.at[n], 0, 0, rgba);
    std::memcpy(s.rooms[n].data(), rgba.data(), sizeof rgba);
    s.at[n] = s.rooms[n].data();
  }
  s.dwords = 4;
}

// Puts all that is not zero, or may not be, where rows.at(dword of the VUE) says, unless that is null: the first
// vertex's there, those of others at rows.distance() from one to the next.
template <class Rows>
inline unsigned fetch(const VertexInput& input, memory::View& memory, std::span<const VertexKey> keys,
                      const Rows& rows) {
  Sources source;
  const auto each = [&](unsigned dword, auto&& value) {
    uint32_t* const to = rows.at(dword);
    if (!to) return;
    for (size_t n = 0; n < keys.size(); ++n) to[n * rows.distance()] = value(n);
  };
  const auto all = [&](unsigned dword, uint32_t value) { each(dword, [=](size_t) { return value; }); };
  const auto take = [&](unsigned dword, unsigned component) {
    if (component >= source.dwords) return all(dword, source.missing(component));
    each(dword, [&](size_t n) { return source.dword(n, component); });
  };
  for (unsigned k = 0; k < input.element_count; ++k) {
    const VertexInput::Element& e = input.elements[k];
    if (e.conversion != Conversion::none) read_sources(input, e, memory, keys, source);
    for (const VertexInput::Component& c : e.components) {
      switch (c.from) {
        case From::nothing:
        case From::zero: break;
        case From::one_float: all(c.to, std::bit_cast<uint32_t>(1.0f)); break;
        case From::one_int: all(c.to, 1); break;
        case From::vertex_id: each(c.to, [&](size_t n) { return keys[n].id; }); break;
        case From::instance_id: each(c.to, [&](size_t n) { return keys[n].instance; }); break;
        case From::source:
          take(c.to, (1u + e.wide) * c.source);
          if (e.wide) take(c.to + 1u, 2u * c.source + 1);
          break;
      }
    }
  }
  unsigned edges = (1u << keys.size()) - 1;
  if (!input.has_edge_flag) return edges;
  read_sources(input, input.edge_flag, memory, keys, source);
  for (size_t n = 0; n < keys.size(); ++n)
    if ((source.dwords ? source.dword(n, 0) : source.missing(0)) == 0) edges &= ~(1u << n);
  return edges;
}

struct EntryRows {
  uint32_t* to;
  size_t entry_dw;
  uint32_t* at(unsigned dword) const { return to + dword; }
  size_t distance() const { return entry_dw; }
};
struct RegisterRows {
  uint32_t* to;
  unsigned first, count;
  uint32_t* at(unsigned dword) const {
    return dword - first < count ? to + size_t(dword - first) * vertices_at_once : nullptr;
  }
  static constexpr size_t distance() { return 1; }
};

}  // namespace

unsigned fetch_entries(const VertexInput& input, memory::View& memory, std::span<const VertexKey> keys, Slot* to) {
  const size_t entry_dw = 4 * size_t(input.slots);
  std::memset(to, 0, keys.size() * entry_dw * sizeof(uint32_t));
  return fetch(input, memory, keys, EntryRows{reinterpret_cast<uint32_t*>(to), entry_dw});
}

unsigned fetch_registers(const VertexInput& input, memory::View& memory, std::span<const VertexKey> keys,
                         unsigned first_slot, unsigned slots, uint32_t* to) {
  std::memset(to, 0, size_t(4 * slots) * vertices_at_once * sizeof(uint32_t));
  return fetch(input, memory, keys, RegisterRows{to, 4 * first_slot, 4 * slots});
}

tl::expected<VertexStream, Fault> make_vertex_stream(const state::Pipeline& state,
                                                     const commands::three_d::Primitive& primitive,
                                                     memory::View& memory) {
  VertexStream s;
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

namespace {
template <class Index>
void widen(const std::byte* from, std::span<uint32_t> to) {
  for (size_t n = 0; n < to.size(); ++n) {
    Index index;
    std::memcpy(&index, from + n * sizeof index, sizeof index);
    to[n] = index;
  }
}
}  // namespace

void VertexStream::read(memory::View& memory, uint32_t position, std::span<uint32_t> ids) const {
  if (!random) {
    for (size_t n = 0; n < ids.size(); ++n) ids[n] = position + uint32_t(n);
    return;
  }
  constexpr std::array widened = {widen<uint8_t>, widen<uint16_t>, static_cast<decltype(&widen<uint8_t>)>(nullptr),
                                  widen<uint32_t>};
  const uint64_t at = (uint64_t(start) + position) * index_bytes;
  if (host && at + ids.size() * index_bytes <= bytes) return widened[index_bytes - 1](host + at, ids);
  for (size_t n = 0; n < ids.size(); ++n) {  // what is not inside is zero
    ids[n] = 0;
    const uint64_t place = at + n * index_bytes;
    if (place + index_bytes <= bytes)
      memory.read(address + place, std::as_writable_bytes(ids.subspan(n, 1)).first(index_bytes));
  }
}

}  // namespace vitro::pipeline
