// The way of a data port message to its action: by SFID, then by what the descriptor says. PRM: as dataport.h.
#include "shared/dataport/dataport.h"

#include "shared/dataport/call.h"
#include "shared/pixel_context.h"

namespace vitro::shared {

constinit const DataPortLayout dataport_gen6{
    .surface = state::surface_gen6, .messages = isa::messages_gen6, .sfids = 1u << 4 | 1u << 5 | 1u << 9};
namespace {
constexpr uint16_t sfids_gen8 = 1u << 4 | 1u << 5 | 1u << 9 | 1u << 10 | 1u << 12;
}
constinit const DataPortLayout dataport_gen8{
    .surface = state::surface_gen8, .messages = isa::messages_gen8, .sfids = sfids_gen8};
constinit const DataPortLayout dataport_gen9{
    .surface = state::surface_gen9, .messages = isa::messages_gen9, .sfids = sfids_gen8};

namespace {

eu::Reply unsupported(DataPortCall& c) {
  c.reason = c.row.name;
  return eu::Reply::unsupported;
}

using Act = eu::Reply (*)(DataPortCall&);
constexpr auto actions = [] {
  std::array<Act, 256> all{};
  all.fill(unsupported);
#define DATA_PORT_ACTION(name, ...) all[size_t(isa::MessageAction::name)] = act<isa::MessageAction::name>;
#include "isa/actions.def"
  return all;
}();

}  // namespace

eu::Reply carry_out(DataPort& port, unsigned sfid, eu::Message& m, std::string& reason) {
  isa::DecodedMessage own;
  if (!m.decoded) own = isa::decode_message(port.layout.messages, sfid, m.desc);
  const isa::DecodedMessage& d = m.decoded ? *m.decoded : own;
  if (!d.row) {
    reason = fmt::format("{}: reserved message (descriptor {:#010x})",
                         isa::shared_function_name(port.layout.messages, sfid), m.desc);
    return eu::Reply::unsupported;
  }
  DataPortCall c{.port = port,
                 .row = *d.row,
                 .shape = d.shape,
                 .desc = m.desc,
                 .ex_desc = m.ex_desc,
                 .channels = m.channels,
                 .exec_size = m.exec_size,
                 .message = m,
                 .response = m.response,
                 .reason = reason};
  if (c.header() && c.registers() == 0) return c.fault("a header of no registers");
  if (d.shape.reserved_field) [[unlikely]]
    return c.unsupported("reserved {}", d.row->fields[d.shape.reserved_field - 1u].name);
  if (!c.has(d.shape.payload_registers(), d.shape.response_registers())) return eu::Reply::faulted;
  return actions[size_t(d.shape.action)](c);
}

TargetSite& DataPort::target_site(unsigned bti, const RenderTarget& target, unsigned entry) {
  const TargetSiteName name = target_site_name(bti, target, *environment.pixels, entry);
  return environment.bindings->targets.get(bti, name, spare_site,
                                           [&](TargetSite& s) { s.find(target, name, environment.routines); });
}

void DataPort::install(eu::SharedFunctions& functions) {
  const auto handle = [](void* context, eu::Thread&, eu::Message& m, std::string& reason) {
    return carry_out(*static_cast<DataPort*>(context), m.sfid, m, reason);
  };
  for (size_t sfid = 0; sfid < functions.size(); ++sfid)
    if (layout.sfids >> sfid & 1) functions[sfid] = {handle, this, nullptr, locate};
}

void DataPortCall::too_short(unsigned payload, unsigned answer) const {
  if (registers() < payload)
    fault("needs {} registers of payload and has {}", payload, registers());
  else
    fault("answers with {} registers and the response has {}", answer, response.size() / eu::reg_bytes);
}
eu::Reply DataPortCall::missed() const {
  return fault("nothing is mapped at address {:#x}", memory().misses().first.value_or(0));
}

}  // namespace vitro::shared
