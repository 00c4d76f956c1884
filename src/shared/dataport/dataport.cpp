// The way of a data port message to its function: by SFID, then by the type in the descriptor. PRM: as dataport.h.
#include "shared/dataport/dataport.h"

#include "shared/dataport/call.h"
#include "shared/dataport/messages.h"
#include "shared/dataport/transfer.h"

namespace vitro::shared {
namespace {

eu::Reply handle(unsigned sfid, void* context, eu::Message& m, std::string& reason) {
  DataPort& port = *static_cast<DataPort*>(context);
  return carry_out(port, sfid, m, reason);
}
template <unsigned sfid>
eu::Reply handle_at(void* context, eu::Thread&, eu::Message& m, std::string& reason) {
  return handle(sfid, context, m, reason);
}
using Handle = decltype(eu::SharedFunction::handle);
template <size_t... sfid>
constexpr std::array<Handle, sizeof...(sfid)> handles_for(std::index_sequence<sfid...>) {
  return {handle_at<sfid>...};
}
constexpr auto handles = handles_for(std::make_index_sequence<16>());

}  // namespace

const DataPortMessage* find_message(const DataPortLayout& layout, unsigned sfid, uint32_t desc) {
  const DataPortFunction& f = layout.functions[sfid & 15];
  if (f.messages.empty()) return nullptr;
  for (size_t n = f.first[extract(Word128{desc, 0}, f.type)]; n < f.messages.size(); ++n)
    if (f.messages[n].matches(desc)) return &f.messages[n];
  return nullptr;
}

eu::Reply carry_out(DataPort& port, unsigned sfid, eu::Message& m, std::string& reason) {
  const DataPortMessage* row = find_message(port.layout, sfid, m.desc);
  if (!row) {
    reason = fmt::format("unsupported: {}: reserved message (descriptor {:#010x})",
                         port.layout.functions[sfid & 15].name, m.desc);
    return eu::Reply::faulted;
  }
  DataPortCall c{.port = port,
                 .row = *row,
                 .desc = m.desc,
                 .ex_desc = m.ex_desc,
                 .channels = m.channels,
                 .exec_size = m.exec_size,
                 .first = m.payload,
                 .second = m.second_payload,
                 .response = m.response,
                 .reason = reason};
  if (c.header() && c.registers() == 0) return c.fault("a header of no registers");
  return row->run(c);
}

eu::Transfer DataPort::describe(const DataPortLayout& layout, unsigned sfid, uint32_t desc) {
  const DataPortMessage* row = find_message(layout, sfid, desc);
  return row && row->describe ? row->describe(layout, desc) : eu::Transfer{};
}

void DataPort::install(eu::SharedFunctions& functions) {
  for (size_t sfid = 0; sfid < functions.size(); ++sfid)
    if (!layout.functions[sfid].messages.empty()) functions[sfid] = {handles[sfid], this, nullptr, locate};
}

void Surfaces::refresh(Entry& e, unsigned index) {
  e.surface = state::read_bound_surface(layout_, *environment_.memory, environment_.bases, environment_.binding_table,
                                        index, &environment_.reads);
  e.dispatch = environment_.dispatch_number + 1;
}
void Surfaces::refresh_bindless(Entry& e, uint32_t ex_desc) {
  e.surface =
      state::read_bindless_surface(layout_, *environment_.memory, environment_.bases, ex_desc, &environment_.reads);
  e.dispatch = environment_.dispatch_number + 1;
  e.handle = ex_desc >> 12;
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

eu::Reply undescribed(DataPortCall& c) { return c.fault("unsupported: {}", c.row.name); }

}  // namespace vitro::shared
