// The messages of the gateway: one function each, chosen by SubFuncID.
// PRM: Gen6 vol 4 part 2 chapter 1 (GW-01..GW-60); Gen9 barrier payload (B-08..B-10). What the program gets wrong and
// the documents give a code for is answered with that code; what they forbid or leave undefined is a fault.
#include "shared/gateway.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <stdexcept>

namespace vitro::shared {

using eu::field;
using eu::Message;
using eu::Reply;
using eu::Thread;

const GatewayLayout gateway_gen6{isa::messages_gen6};
const GatewayLayout gateway_gen8{isa::messages_gen8};
const GatewayLayout gateway_gen9{isa::messages_gen9, true};

namespace {

enum class Code : uint32_t {
  successful = 0,
  size_exceeded = 1,     // OpenGateway
  barrier_inactive = 1,  // BarrierMsg, UpdateGatewayState
  gateway_closed = 2,
  opcode_error = 5,
  invalid_size = 6,
};

constexpr Bits register_bits{28, 21}, sub_register_bits{20, 16}, length_bits{10, 8};  // M0.5
constexpr Bits euid_bits{27, 24}, tid_bits{18, 16};                                   // M0.4
constexpr Bits high_half_bits{31, 31};                                                // M0.5 of GetTimeStamp
constexpr int data_bytes[] = {1, 2, 4, 8, 16};                                        // by Length

// One message under way.
struct Request {
  Gateway& gateway;
  Thread& sender;
  Message& message;
  std::string& reason;
  size_t entry;  // the sender's; entries.size() if it has none
  const isa::MessageRow& row;
  bool acknowledged;
  uint32_t m0(unsigned n) const { return message.dword(0, n); }
  bool bypassed() const { return gateway.bypass || gateway.layout.always_bypassed; }
  int base_of(const GatewayEntry& e) const { return bypassed() || !e.open ? 0 : e.reg_base; }
  GatewayEntry& own() const { return gateway.entries[entry]; }

  Reply fault(std::string why) const {
    reason = "message gateway: " + std::move(why);
    return Reply::faulted;
  }
  Reply unsupported(std::string_view what) const {
    reason = fmt::format("message gateway: {}", what);
    return Reply::unsupported;
  }
  // Only the first dword of the destination is written, and only on demand (GW-03, GW-12).
  Reply answer(Code code) const {
    if (acknowledged) {
      const uint32_t w0 = uint32_t(Gateway::sfid) << 16 | uint32_t(code);
      std::memcpy(message.response.data(), &w0, sizeof w0);
    }
    return Reply::done;
  }
};

// A count of 16 bits that stays at its largest value.
void notify(Thread& t, size_t which) { t.notify[which] = std::min(t.notify[which] + 1, 0xFFFFu); }

Reply open(Request& r) {
  if (r.message.eot) {  // GW-11: instead of opening
    r.own().open = false;
    return r.answer(Code::successful);
  }
  if (r.bypassed()) return r.answer(Code::successful);
  const uint32_t base = field(r.m0(5), register_bits);
  if (base >= uint32_t(eu::grf_count)) return r.answer(Code::size_exceeded);
  r.own().open = true;
  r.own().reg_base = uint8_t(base);
  return r.answer(Code::successful);
}

Reply close(Request& r) {
  r.own().open = false;
  return r.answer(Code::successful);
}

Reply forward(Request& r) {
  const uint32_t m4 = r.m0(4), m5 = r.m0(5);
  const uint32_t notification = isa::field_of(r.row, isa::FieldRole::notify, r.message.desc);
  if (notification == 3) return r.fault("notify 3 is reserved");
  const uint32_t length = field(m5, length_bits);
  if (length >= std::size(data_bytes)) return r.answer(Code::invalid_size);
  const uint32_t place = field(m4, euid_bits) * Gateway::threads_per_eu + field(m4, tid_bits);
  const GatewayEntry& to = r.gateway.entries[place];
  if (!to.thread || !(to.open || r.bypassed())) return r.answer(Code::gateway_closed);

  const int size = data_bytes[length];
  const int reg = r.base_of(to) + int(field(m5, register_bits)), at = int(field(m5, sub_register_bits));
  if (reg == 0) return r.fault("r0 cannot be written by ForwardMsg");
  if (reg >= eu::grf_count) return r.fault(fmt::format("ForwardMsg to r{}, past the last register", reg));
  if (at % size != 0) return r.fault(fmt::format("offset {} is not aligned to {} bytes", at, size));
  if (size == 1 && r.m0(0) != (r.m0(0) & 0xFF) * 0x01010101u)
    return r.fault("the byte to forward must stand in all four bytes of M0.0");
  // the sender may write to itself, even over its payload
  std::memmove(to.thread->grf.data() + reg * eu::reg_bytes + at, r.message.payload.data(), size_t(size));
  constexpr size_t counter[] = {0, 0, 2};  // by notification: none, n0, n2
  if (notification != 0) notify(*to.thread, counter[notification]);
  return r.answer(Code::successful);
}

Reply get_time_stamp(Request& r) {
  if (!r.acknowledged) return r.fault("GetTimeStamp needs AckReq");
  const GatewayTimes t = r.gateway.clock.read ? r.gateway.clock.read(r.gateway.clock.context) : GatewayTimes{};
  const uint64_t halves[] = {t.absolute << 20, t.relative << 20};  // 44 bits at 63:20
  std::memcpy(r.message.response.data() + (field(r.m0(5), high_half_bits) ? 16 : 0), halves, sizeof halves);
  return Reply::done;
}

Barrier* barrier_of(Gateway& g, uint32_t group, uint32_t m2) {
  const isa::BarrierFields& f = g.layout.barrier();
  const uint32_t id = field(m2, f.id) | field(m2, f.id_high) << unsigned(f.id.width());
  const Gateway::BarrierName name{group, id};
  const auto first = g.barriers.begin();  // most gateways have one
  const auto found = first != g.barriers.end() && first->first == name ? first : g.barriers.find(name);
  return found == g.barriers.end() ? nullptr : &found->second;
}

// Everyone who arrived gets the byte and a notification; the barrier starts anew.
void complete(Gateway& g, Barrier& b, uint8_t byte) {
  for (size_t first = 0; first < Barrier::entries; first += 64)
    for (uint64_t left = b.marked[first / 64]; left; left &= left - 1) {
      const size_t entry = first + size_t(std::countr_zero(left));
      Thread* t = g.entries[entry].thread;
      if (!t) continue;
      if (g.layout.barrier().offset.present()) t->grf[size_t(b.reg[entry]) * eu::reg_bytes] = std::byte{byte};
      notify(*t, 0);
    }
  b.restart();
}

Reply arrive(Request& r) {
  const isa::BarrierFields& l = r.gateway.layout.barrier();
  const uint32_t m2 = r.m0(2);
  Barrier* b = barrier_of(r.gateway, r.own().group, r.m0(2));
  if (!b) return r.answer(Code::barrier_inactive);
  int reg = 0;
  if (l.offset.present()) {
    const int offset = int(field(m2, l.offset)) & (l.even_offsets ? ~1 : ~0);
    reg = r.base_of(r.own()) + offset;
    if (reg == 0 || reg >= eu::grf_count) return r.fault(fmt::format("a barrier cannot write r{}", reg));
  }
  const bool recount = field(m2, l.count_enable);
  if (recount) {
    const uint32_t count = field(m2, l.count);
    if (count == 0) return r.fault("a barrier of no threads");
    if (b->arrived != 0 && b->count != count)
      return r.fault(fmt::format("barrier count {} after {} in the same round", count, b->count));
    b->count = count;
  }
  const bool all = b->arrive(r.entry, reg);
  const Reply reply = r.answer(Code::successful);
  if (all) complete(r.gateway, *b, recount ? 0 : b->byte);
  return reply;
}

// No payload is documented: the barrier as in BarrierMsg, the new byte where the broadcast has it.
Reply update_state(Request& r) {
  Barrier* b = barrier_of(r.gateway, r.own().group, r.m0(2));
  if (!b) return r.answer(Code::barrier_inactive);
  b->byte = uint8_t(r.m0(0));
  return r.answer(Code::successful);
}

// By the action of the message's row; the others are not supported.
struct Function {
  isa::MessageAction action;
  Reply (*run)(Request&);
  bool needs_entry;  // works on the sender's place in the table
};
using enum isa::MessageAction;
constexpr Function functions[] = {
    {open_gateway, open, true},        {close_gateway, close, true},
    {forward_message, forward, false}, {get_timestamp, get_time_stamp, false},
    {barrier, arrive, true},           {update_gateway, update_state, true},
};
#define GATEWAY_ACTION(name, ...) \
  static_assert(                  \
      std::any_of(std::begin(functions), std::end(functions), [](const Function& f) { return f.action == name; }));
#include "isa/actions.def"

// What a message of a descriptor is: those that are reserved look like the first one, but for what they do.
const isa::MessageRow& first_row(const Gateway& g) { return g.layout.messages.functions[Gateway::sfid].rows[0]; }
bool acknowledges(const Gateway& g, uint32_t desc) {
  return isa::field_of(first_row(g), isa::FieldRole::acknowledge, desc);
}

}  // namespace

void Gateway::attach(Thread& thread, unsigned euid, unsigned tid, uint32_t group) {
  if (euid >= eus || tid >= threads_per_eu || entries[euid * threads_per_eu + tid].thread)
    throw std::invalid_argument(fmt::format("no free place for a thread at EU {}, thread {}", euid, tid));
  entries[euid * threads_per_eu + tid] = {.thread = &thread, .group = group};
}

void Gateway::detach(const Thread& thread) {
  const size_t n = entry_of(thread);
  if (n == entries.size()) return;
  entries[n] = {};
  for (auto& [name, b] : barriers) b.forget(n);
}

void Gateway::start_barrier(uint32_t group, unsigned id, unsigned count, uint8_t byte) {
  if (id >= unsigned(layout.barrier_count()) || count == 0)
    throw std::invalid_argument(fmt::format("no barrier {} of {} threads", id, count));
  barriers[{group, id}] = Barrier(count, byte);
}

eu::Window Gateway::locate(uint32_t m2) {
  if (field(m2, layout.barrier().count_enable)) return {};
  unsigned threads = 0;
  uint32_t group = 0;
  for (const GatewayEntry& e : entries) {
    if (!e.thread) continue;
    if (threads++ > 0 && e.group != group) return {};
    group = e.group;
  }
  Barrier* b = barrier_of(*this, group, m2);
  if (!b || b->count != threads) return {};
  return {.host = reinterpret_cast<std::byte*>(static_cast<Arrivals*>(b)), .start = m2, .limit = 1};
}

size_t Gateway::search_entry(const Thread& thread) const {
  size_t n = 0;
  while (n < entries.size() && entries[n].thread != &thread) ++n;
  return n;
}

bool Gateway::arrive_quickly(const Thread& sender, uint32_t desc, const std::byte* payload) {
  const Message m{.desc = desc, .payload = {payload, eu::reg_bytes}};
  if (acknowledges(*this, desc) || m.header() || m.mlen() != 1 || m.rlen() != 0) return false;
  const uint32_t m2 = m.dword(0, 2);
  if (field(m2, layout.barrier().count_enable)) return false;
  const size_t entry = entry_of(sender);
  Barrier* b = entry < entries.size() ? barrier_of(*this, entries[entry].group, m2) : nullptr;
  if (!b) return false;
  if (b->arrive(entry, 0)) complete(*this, *b, b->byte);
  return true;
}

Reply Gateway::handle(Thread& sender, Message& message, std::string& reason) {
  const isa::MessageRow* const row = isa::find_message(layout.messages, sfid, message.desc);
  Request r{*this, sender, message, reason, 0, row ? *row : first_row(*this), acknowledges(*this, message.desc)};
  if (message.header()) return r.fault("a message must not have a header");
  if (message.mlen() != 1 || message.payload.size() != eu::reg_bytes)
    return r.fault("a message is one register of payload");
  if (r.acknowledged && message.eot) return r.fault("AckReq cannot be set at the end of a thread");
  if (message.rlen() != unsigned(r.acknowledged) || message.response.size() != message.rlen() * eu::reg_bytes)
    return r.fault(r.acknowledged ? "AckReq needs a destination and a response length of 1"
                                  : "without AckReq the response length must be 0");
  r.entry = entry_of(sender);
  if (!row) return r.answer(Code::opcode_error);
  const Function* f = std::begin(functions);
  while (f != std::end(functions) && f->action != row->shape.action) ++f;
  if (f == std::end(functions)) return r.unsupported(row->name);
  if (f->needs_entry && r.entry == entries.size()) return r.fault("the sending thread is not in the gateway's table");
  const Reply reply = f->run(r);
  if (message.eot && reply == Reply::done && r.entry < entries.size()) r.own().open = false;
  return reply;
}

eu::SharedFunction Gateway::function() {
  return {[](void* context, Thread& sender, Message& message, std::string& reason) {
            return static_cast<Gateway*>(context)->handle(sender, message, reason);
          },
          this, [](void* context, Thread& thread) { static_cast<Gateway*>(context)->detach(thread); },
          [](void* context, uint32_t, const isa::MessageShape&, uint64_t place) {
            return static_cast<Gateway*>(context)->locate(uint32_t(place));
          },
          [](void* context, Thread& sender, uint32_t desc, const std::byte* payload) {
            return static_cast<Gateway*>(context)->arrive_quickly(sender, desc, payload);
          }};
}

}  // namespace vitro::shared
