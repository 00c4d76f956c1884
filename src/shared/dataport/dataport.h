// The data ports: by which threads read and write surfaces, stateless memory and shared local memory. Shared functions
// with SFID 4 (sampler cache), 5 (render cache), 9 (constant cache), 10 and 12 (data cache 0 and 1). PRM: Gen8 vol 2a,
// the message descriptors MSD0*, MSD1*, MSD_CC_* and MSD_MEMFENCE; vol 7 "Data Port"; Gen6 vol 4 part 1 "Data Port".
// A port is the messages' way into one Environment and belongs to one host thread, as the environment does.
// Not modelled: caches. A message is carried out at once and is seen by all, so fences, commits and hints have nothing
// to do. What the header has to be on which generation is advice to compilers: a message that carries a header where
// none is expected, or none where one is, is carried out.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/bits.h"
#include "eu/message.h"
#include "shared/dataport/surfaces.h"
#include "shared/image/images.h"
#include "shared/image/texels.h"

namespace vitro::shared {

struct DataPortCall;
struct DataPortLayout;

// One message: the descriptor bits that say so, and what it does.
struct DataPortMessage {
  uint32_t mask = 0, value = 0;
  std::string_view name{};
  eu::Reply (*run)(DataPortCall&) = nullptr;
  eu::Transfer (*describe)(const DataPortLayout&,
                           uint32_t desc) = nullptr;  // null: not one of those that are transfers

  constexpr bool matches(uint32_t desc) const { return (desc & mask) == value; }
};

// The messages of one shared function.
struct DataPortFunction {
  std::string_view name{};
  Bits type{};  // of the message, in the descriptor
  std::span<const DataPortMessage> messages{};
  std::array<uint8_t, 32> first{};  // by type: where to begin to search
};
constexpr DataPortFunction data_port_function(std::string_view name, Bits type,
                                              std::span<const DataPortMessage> messages) {
  DataPortFunction f{name, type, messages};
  const uint32_t bits = uint32_t(mask(type).lo);
  for (uint32_t t = 0; t < f.first.size(); ++t) {
    uint8_t& n = f.first[t];
    while (n < messages.size() && ((t << type.lo ^ messages[n].value) & messages[n].mask & bits)) ++n;
  }
  return f;
}

// One generation's data ports.
struct DataPortLayout {
  const state::SurfaceLayout& surface;
  bool has_slm = true;                           // binding table index 254
  bool has_non_coherent = true;                  // 253: stateless, too
  bool has_bindless = false;                     // 252: the extended descriptor names the surface
  std::array<DataPortFunction, 16> functions{};  // by SFID; unnamed ones are not data ports
};
extern const DataPortLayout dataport_gen6, dataport_gen8, dataport_gen9;

// Null if the descriptor is reserved.
const DataPortMessage* find_message(const DataPortLayout&, unsigned sfid, uint32_t desc);

struct DataPort {
  const DataPortLayout& layout;
  Environment& environment;
  Surfaces surfaces;
  Images images;            // the same surfaces, made ready for typed messages
  bool typed_lanes = true;  // typed messages that can be are carried out for eight slots at once
  std::array<TypedSurface, 16> typed_surfaces{};

  DataPort(const DataPortLayout& l, Environment& e)
      : layout(l), environment(e), surfaces(l.surface, e), images(l.surface, e) {}
  DataPort(const DataPort&) = delete;
  DataPort& operator=(const DataPort&) = delete;

  // What a message does, as far as code can do it without a data port.
  static eu::Transfer describe(const DataPortLayout&, unsigned sfid, uint32_t desc);
  // Puts the data ports behind their SFIDs; the port must stay where it is.
  void install(eu::SharedFunctions& functions);
};

// Carries a message out, as the installed functions do.
eu::Reply carry_out(DataPort&, unsigned sfid, eu::Message&, std::string& reason);

}  // namespace vitro::shared
