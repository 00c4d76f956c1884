// The messages of the thread spawner: dereference, with which a thread ends, and spawn. PRM: as spawner.h. What the
// documents leave out (a response, an empty payload) is a fault.
#include "shared/spawner.h"

#include "base/bits.h"

namespace vitro::shared {

using eu::field;
namespace {

constexpr Bits descriptor_bits{31, 4}, urb_length_bits{15, 10}, urb_handle_bits{9, 0};
}  // namespace

eu::Reply Spawner::handle(eu::Thread& sender, eu::Message& message, std::string& reason) const {
  const auto fault = [&](const char* why) {
    reason = std::string("thread spawner: ") + why;
    return eu::Reply::faulted;
  };
  if (message.payload.size() < eu::reg_bytes) return fault("a message has at least one register of payload");
  if (message.rlen() != 0) return fault("no message has a response");
  const isa::MessageRow& row =
      *isa::find_message(messages, sfid, message.desc);  // every descriptor is one or the other
  if (row.shape.action == isa::MessageAction::dereference)
    return message.eot ? eu::Reply::done : fault("resources are dereferenced at the end of a thread only");
  if (!spawn) return fault("a thread that was dispatched without children cannot spawn threads");
  const uint32_t urb = message.dword(0, 4);
  return spawn(context, sender,
               {.header = message.payload.first(eu::reg_bytes),
                .descriptor = field(message.dword(0, 2), descriptor_bits) << descriptor_bits.lo,
                .urb_handle = field(urb, urb_handle_bits),
                .urb_registers = field(urb, urb_length_bits),
                .of_child = isa::field_of(row, isa::FieldRole::child, message.desc) != 0,
                .root = isa::field_of(row, isa::FieldRole::select, message.desc) != 0},
               reason);
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
