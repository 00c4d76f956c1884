// One data port message under way: its descriptors, its payload (both halves of a split send, one after the other), its
// response, the slots that take part, and the surface it goes to. PRM: Gen8 vol 2a, the MSD_* and MDC_* formats; vol 7
// "Data Port" (message headers, pixel mask). The handlers of all data port messages take one of these; typed messages
// have theirs in shared/image.
// The response may be the payload's own registers: a handler reads what it needs of the payload before it responds.
#pragma once

#include <fmt/format.h>

#include <cstring>
#include <span>
#include <string>
#include <utility>

#include "base/bits.h"
#include "eu/message.h"
#include "isa/message_tables.h"
#include "shared/dataport/dataport.h"

namespace vitro::shared {

struct DataPortCall {
  DataPort& port;
  const isa::MessageRow& row;
  const isa::MessageShape& shape;
  uint32_t desc = 0, ex_desc = 0;
  uint32_t channels = 0;  // the execution mask, from bit 0
  unsigned exec_size = 8;
  const eu::Message& message;
  std::span<std::byte> response{};  // empty: the destination is null, results are dropped
  std::string& reason;

  Environment& environment() const { return port.environment; }
  memory::View& memory() const { return *port.environment.memory; }

  // --- descriptor
  uint32_t field(isa::FieldRole role) const { return isa::field_of(row, role, desc); }
  bool header() const { return shape.header; }
  unsigned bti() const { return isa::surface_index(desc); }
  bool bindless() const { return shape.space == isa::AddressSpace::bindless; }

  // --- payload, in registers from the header on
  unsigned registers() const { return message.registers(); }
  unsigned body() const { return header() ? 1 : 0; }  // the first register after the header
  const std::byte* reg(unsigned n) const { return message.reg(n); }
  uint32_t dword(unsigned n, unsigned i) const { return message.dword(n, i); }
  // A field of the header; zero without one.
  uint32_t header_dword(unsigned i) const { return header() ? dword(0, i) : 0; }
  // Copies `count` registers from register n on.
  void copy(unsigned n, unsigned count, void* to) const {
    for (unsigned i = 0; i < count; ++i)
      std::memcpy(static_cast<std::byte*>(to) + i * eu::reg_bytes, reg(n + i), eu::reg_bytes);
  }

  // --- response
  bool answers() const { return !response.empty(); }
  std::byte* out(unsigned n) const { return response.data() + size_t(n) * eu::reg_bytes; }

  // --- slots
  // Those of the first `count` channels that take part: the header of some messages has a mask of pixels (M0.7).
  uint32_t enabled(unsigned count) const {
    return channels & (shape.masks_header ? dword(0, 7) & 0xFFFF : ~0u) & uint32_t(ones(int(count)));
  }
  // Eight slots of a typed message: the high slot group takes the upper half of the pixel mask and, of a message that
  // is sent with more than eight channels, of the channels.
  uint32_t typed_slots() const {
    const bool high = shape.first_slot;
    const uint32_t pixels = header() ? dword(0, 7) & 0xFFFF : 0xFFFF;
    return (high && exec_size > 8 ? channels >> 8 : channels) & pixels >> (high ? 8 : 0) & 0xFF;
  }

  // --- surface
  const BoundSurface& bound() const { return port.surfaces.of(shape, desc, ex_desc); }
  const state::Surface& surface() const { return bound().state; }

  // --- answers
  template <class... Args>
  eu::Reply fault(fmt::format_string<Args...> text, Args&&... args) const {
    reason = fmt::format("{} (descriptor {:#010x}): ", row.name, desc) + fmt::format(text, std::forward<Args>(args)...);
    return eu::Reply::faulted;
  }
  template <class... Args>
  eu::Reply unsupported(fmt::format_string<Args...> what, Args&&... args) const {
    reason = fmt::format("{}: ", row.name) + fmt::format(what, std::forward<Args>(args)...);
    return eu::Reply::unsupported;
  }
  // Whether the payload and, if it goes anywhere, the response are long enough; the Fault is set if not.
  bool has(unsigned payload, unsigned answer = 0) const {
    if (registers() >= payload && (!answers() || response.size() >= size_t(answer) * eu::reg_bytes)) return true;
    too_short(payload, answer);
    return false;
  }
  void too_short(unsigned payload, unsigned answer) const;
  // The message was carried out; in strict mode, accesses to unmapped memory are Faults.
  eu::Reply done() const { return memory().must_fault() ? missed() : eu::Reply::done; }
  eu::Reply missed() const;
};

// As eu::SharedFunction::locate, of a DataPort.
eu::Window locate(void* context, uint32_t desc, const isa::MessageShape&, uint64_t place);

}  // namespace vitro::shared
