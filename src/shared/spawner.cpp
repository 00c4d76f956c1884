// The messages of the thread spawner: dereference, with which a thread ends, and spawn. PRM: as spawner.h. What the
// documents leave out (a response, an empty payload) is a fault.
#include "shared/spawner.h"

#include "base/bits.h"

namespace vitro::shared {

using eu::field;
using eu::Reply;

namespace {

constexpr Bits descriptor_bits{31, 4}, urb_length_bits{15, 10}, urb_handle_bits{9, 0};

// One message under way.
struct Call {
  const Spawner& spawner;
  eu::Thread& sender;
  const eu::Message& message;
  const isa::MessageRow& row;
  std::string& reason;

  Reply fault(const char* why) const {
    reason = std::string("thread spawner: ") + why;
    return Reply::faulted;
  }
};

// An action of isa/actions.def without a function does not compile.
template <isa::MessageAction action>
Reply act(const Call&) = delete;
template <>
Reply act<isa::MessageAction::dereference>(const Call& c) {
  return c.message.eot ? Reply::done : c.fault("resources are dereferenced at the end of a thread only");
}
template <>
Reply act<isa::MessageAction::spawn>(const Call& c) {
  if (!c.spawner.spawn) return c.fault("a thread that was dispatched without children cannot spawn threads");
  const uint32_t urb = c.message.dword(0, 4);
  return c.spawner.spawn(c.spawner.context, c.sender,
                         {.header = c.message.payload.first(eu::reg_bytes),
                          .descriptor = field(c.message.dword(0, 2), descriptor_bits) << descriptor_bits.lo,
                          .urb_handle = field(urb, urb_handle_bits),
                          .urb_registers = field(urb, urb_length_bits),
                          .of_child = isa::field_of(c.row, isa::FieldRole::child, c.message.desc) != 0,
                          .root = isa::field_of(c.row, isa::FieldRole::select, c.message.desc) != 0},
                         c.reason);
}

constexpr auto actions = [] {
  std::array<Reply (*)(const Call&), 256> all{};
#define SPAWNER_ACTION(name, ...) all[size_t(isa::MessageAction::name)] = act<isa::MessageAction::name>;
#include "isa/actions.def"
  return all;
}();

}  // namespace

Reply Spawner::handle(eu::Thread& sender, eu::Message& message, std::string& reason) const {
  // every descriptor is one or the other
  const isa::MessageRow& row = *isa::find_message(messages, sfid, message.desc);
  const Call call{*this, sender, message, row, reason};
  if (message.payload.size() < row.shape.payload_registers() * eu::reg_bytes)
    return call.fault("a message has at least one register of payload");
  if (message.rlen() != 0) return call.fault("no message has a response");
  return actions[size_t(row.shape.action)](call);
}

eu::SharedFunction Spawner::function() {
  return {[](void* context, eu::Thread& sender, eu::Message& message, std::string& reason) {
            return static_cast<Spawner*>(context)->handle(sender, message, reason);
          },
          this, nullptr,
          // the mere end of a thread needs nobody
          [](void*, uint32_t, const isa::MessageShape&, uint64_t) { return eu::Window{.limit = 1}; }};
}

}  // namespace vitro::shared
