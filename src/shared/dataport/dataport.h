// The data ports: by which threads read and write surfaces, stateless memory and shared local memory. Shared functions
// with SFID 4 (sampler cache), 5 (render cache), 9 (constant cache), 10 and 12 (data cache 0 and 1). PRM: Gen8 vol 2a,
// the message descriptors MSD0*, MSD1*, MSD_CC_* and MSD_MEMFENCE; vol 7 "Data Port"; Gen6 vol 4 part 1 "Data Port".
// A port is the messages' way into one Environment and belongs to one host thread, as the environment does.
// Not modelled: caches. A message is carried out at once and is seen by all, so fences, commits and hints have nothing
// to do. What the header has to be on which generation is advice to compilers: a message that carries a header where
// none is expected, or none where one is, is carried out.
#pragma once

#include <cstdint>
#include <memory>

#include "base/bits.h"
#include "eu/message.h"
#include "isa/message_tables.h"
#include "shared/bindings.h"

namespace vitro::shared {

struct DataPortCall;

// One generation's data ports.
struct DataPortLayout {
  const state::SurfaceLayout& surface;
  const isa::MessageTables& messages;
  uint16_t sfids = 0;  // which shared functions are data ports
};
extern const DataPortLayout dataport_gen6, dataport_gen8, dataport_gen9;

// What a message of an action does. The primary template is no function: an action of isa/actions.def without one does
// not compile.
template <isa::MessageAction action>
eu::Reply act(DataPortCall&) = delete;
#define DATA_PORT_ACTION(name, ...) \
  template <>                       \
  eu::Reply act<isa::MessageAction::name>(DataPortCall&);
#include "isa/actions.def"

struct DataPort {
  const DataPortLayout& layout;
  Environment& environment;
  Surfaces surfaces;
  std::unique_ptr<TargetSite> spare_site{};  // of one that there is no room for
  bool typed_lanes = true;                   // typed messages that can be are carried out for eight slots at once

  DataPort(const DataPortLayout& l, Environment& e) : layout(l), environment(e), surfaces(l.surface, e) {}
  DataPort(const DataPort&) = delete;
  DataPort& operator=(const DataPort&) = delete;

  // What colours are written with into a target that is bound, by an entry of the blend state.
  TargetSite& target_site(unsigned bti, const RenderTarget&, unsigned entry);

  // Puts the data ports behind their SFIDs; the port must stay where it is.
  void install(eu::SharedFunctions& functions);
};

// Carries a message out, as the installed functions do.
eu::Reply carry_out(DataPort&, unsigned sfid, eu::Message&, std::string& reason);

}  // namespace vitro::shared
