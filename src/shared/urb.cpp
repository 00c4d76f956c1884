// The URB's memory, the entries of pools, and the way of a message to its handler and to the thread's owner.
// PRM: Gen6 vol 4 part 2 sections 2.1 to 2.4.2 (URB-01, URB-02, URB-04, URB-05).
#include "shared/urb.h"

#include <algorithm>

#include "shared/urb_call.h"

namespace vitro::shared {
namespace {

using Act = eu::Reply (*)(UrbCall&);
constexpr auto actions = [] {
  std::array<Act, 256> all{};
#define URB_ACTION(name, ...) all[size_t(isa::MessageAction::name)] = act<isa::MessageAction::name>;
#include "isa/actions.def"
  return all;
}();

eu::Reply carry_out(const UrbLayout& layout, Urb* urb, UrbEntries* entries, eu::Thread& sender, eu::Message& message,
                    std::string& reason) {
  isa::DecodedMessage own;
  if (!message.decoded) own = isa::decode_message(layout.messages, urb_sfid, message.desc);
  UrbCall call{layout, urb, entries, sender, message, reason, message.decoded ? *message.decoded : own};
  if (!call.decoded.row)
    return call.fault("opcode {} is reserved", extract({message.desc, 0}, layout.messages.functions[urb_sfid].type));
  if (!message.header() || call.registers() == 0) return call.fault("needs a header");
  if (message.eot && !call.owner().may_end)
    return call.fault("threads of fixed function {} may not end with it", sender.sr[0] >> 24 & 15);
  return actions[size_t(call.decoded.shape.action)](call);
}

}  // namespace

Urb::Urb(const UrbLayout& l, uint32_t bytes) : layout(l), dwords(bytes / 4), entry_dw(dwords.size() / l.handle_dw) {}

std::span<uint32_t> Urb::entry(uint32_t handle) {
  if (handle >= entry_dw.size()) return {};
  const auto rest = std::span(dwords).subspan(size_t(handle) * layout.handle_dw);
  return entry_dw[handle] ? rest.first(entry_dw[handle]) : rest;
}

eu::SharedFunction Urb::function() {
  return {[](void* context, eu::Thread& sender, eu::Message& message, std::string& reason) {
            Urb& urb = *static_cast<Urb*>(context);
            return carry_out(urb.layout, &urb, nullptr, sender, message, reason);
          },
          this, [](void* context, eu::Thread& t) { static_cast<Urb*>(context)->forget(t); }};
}

eu::SharedFunction UrbEntries::function() {
  return {[](void* context, eu::Thread& sender, eu::Message& message, std::string& reason) {
            UrbEntries& entries = *static_cast<UrbEntries*>(context);
            return carry_out(entries.layout, nullptr, &entries, sender, message, reason);
          },
          this, nullptr,
          [](void* context, uint32_t, const isa::MessageShape&, uint64_t) {
            UrbEntries& entries = *static_cast<UrbEntries*>(context);
            return eu::Window{.host = reinterpret_cast<std::byte*>(&entries.written), .limit = 1};
          }};
}

uint32_t* UrbEntries::window(uint32_t handle, uint64_t offset_dw, uint32_t count, bool reads) {
  const Row& row = reads && read.entry_dw != 0 ? read : written;
  if (offset_dw + count <= row.entry_dw && handle < row.count)
    return row.at + size_t(handle) * row.entry_dw + offset_dw;
  nowhere.fill(0);
  return nowhere.data();
}

void Urb::forget(const eu::Thread& t) {
  const std::lock_guard hold(waiting_lock);
  std::erase(waiting, &t);
}

uint32_t* UrbCall::window(uint32_t handle, uint64_t offset_dw, uint32_t count, bool reads) {
  if (entries) return entries->window(handle, offset_dw, count, reads);
  const auto e = urb->entry(handle);
  if (offset_dw + count <= e.size()) return e.data() + offset_dw;
  if (e.empty())
    fault("handle {} lies outside the {} bytes of the URB", handle, urb->bytes());
  else
    fault("{} bytes at offset {} of handle {} reach past its {} bytes", count * 4, offset_dw * 4, handle, e.size() * 4);
  return nullptr;
}

bool UrbCall::answering() const {
  if (!urb) return false;
  const std::lock_guard hold(urb->waiting_lock);
  return std::find(urb->waiting.begin(), urb->waiting.end(), &sender) != urb->waiting.end();
}

eu::Reply UrbCall::finish(const UrbSnoop& s) {
  if (!urb) return eu::Reply::done;
  const UrbOwner& o = owner();
  if (o.snoop) o.snoop(o.context, sender, s);
  if (!s.allocate && !(s.ff_sync && s.wants_reply)) return eu::Reply::done;
  {
    const std::lock_guard hold(urb->waiting_lock);
    urb->waiting.push_back(&sender);
  }
  const eu::Reply reply = answer(s);
  return reply == eu::Reply::blocked ? eu::Reply::accepted : reply;  // others may wait for what was just done
}

// The completion of an entry may be what lets another one become free: so the message is carried out first, and a
// thread that has to wait for its answer sends it again only to ask.
eu::Reply UrbCall::answer(const UrbSnoop& s) {
  const UrbOwner& o = owner();
  UrbGrant g;
  if (!o.grant(o.context, sender, s, g)) return eu::Reply::blocked;
  urb->forget(sender);
  if (response_registers() == 0) return eu::Reply::done;
  for (unsigned n = 0; n < reg_dw; ++n) respond(0, n, 0);
  respond(0, 0, uint32_t(g.entry.id) << 16 | g.entry.handle);
  if (s.ff_sync)
    for (unsigned n = 0; n < g.svbi.size(); ++n) respond(0, 1 + n, g.svbi[n]);
  return eu::Reply::done;
}

}  // namespace vitro::shared
