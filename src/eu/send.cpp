// Messages and waiting.
// PRM: Gen6 vol 4 part 2 I-send, I-sendc, I-wait (tables 8-15..8-17); Gen9 split sends. A send is a function call:
// payload registers in, response registers out.
#include <fmt/format.h>

#include "eu/handlers.h"
#include "eu/lanes.h"

namespace vitro::eu {
namespace {

[[gnu::cold, gnu::noinline]] void past_the_last(Executor& x, std::string_view what, unsigned count, int at) {
  x.stop(fmt::format("{} of {} registers from byte {} reaches past the last register", what, count, at));
}

// `count` registers from the one an operand names; false if they leave the file.
[[gnu::always_inline]] inline bool registers(Executor& x, const isa::Operand& o, unsigned count, std::string_view what,
                                             std::span<std::byte>& out) {
  Thread& t = x.thread;
  if (o.file == isa::RegFile::arf) return true;  // null: no registers
  const bool mrf = o.file == isa::RegFile::mrf;
  const int limit = (mrf ? mrf_count : grf_count) * reg_bytes;
  const int at = o.indirect ? (int(t.a0[o.addr_subreg]) + o.addr_imm) & ~(reg_bytes - 1) : o.reg * reg_bytes;
  const int bytes = int(count) * reg_bytes;
  if (at < 0 || at + bytes > limit) [[unlikely]] {
    past_the_last(x, what, count, at);
    return false;
  }
  out = {(mrf ? t.mrf.data() : t.grf.data()) + at, size_t(bytes)};
  return true;
}

void send(Executor& x, const Plan& p) {
  Thread& t = x.thread;
  const isa::Instruction& i = p.instruction;
  const bool split = p.row->format == isa::Format::split_send;
  // sendc waits until no thread it depends on is running
  if (i.op == isa::Op::sendc || i.op == isa::Op::sendsc)
    for (uint16_t d : t.tdr)
      if (d & 0x8000) {
        x.status = Status::waiting;
        return;
      }
  Message m;
  uint32_t a0[8];
  std::memcpy(a0, t.a0.data(), sizeof a0);
  m.desc = i.desc.imm | (i.desc.in_register ? a0[0] & x.program.model().register_descriptor_bits : 0);
  const uint32_t ex = i.ex_desc.in_register ? a0[i.ex_desc.subreg / 2] : i.ex_desc.imm | i.sfid;
  m.ex_desc = ex & ~0x3Fu;
  m.sfid = uint8_t(ex & 15);
  m.eot = i.eot;
  m.exec_size = i.exec_size;
  m.channels = write_enable(t, p);
  m.alt_mode = t.has(cr_alt_mode);
  if (p.knows_message()) m.decoded = &p.message;

  std::span<std::byte> payload, second, response;
  if (!registers(x, i.src[0], m.mlen(), "the payload", payload)) return;
  if (split && !registers(x, i.src[1], m.ex_mlen(), "the second payload", second)) return;
  if (!registers(x, i.dst, m.rlen(), "the response", response)) return;
  m.payload = payload;
  m.second_payload = second;
  m.response = response;

  const SharedFunction& f = x.functions[m.sfid];
  std::string reason;
  if (!f.handle) {
    x.stop(fmt::format("message to an absent shared function (SFID {})", m.sfid));
    return;
  }
  switch (f.handle(f.context, t, m, reason)) {
    case Reply::blocked:
    case Reply::accepted: x.status = Status::waiting; return;
    case Reply::faulted: x.stop(std::move(reason)); return;
    case Reply::unsupported: x.stop(unsupported_fault(std::move(reason))); return;
    case Reply::done: break;
  }
  t.ip = p.next_ip;
  if (m.eot) {
    t.ended = true;
    x.status = Status::ended;
  }
}

// One notification is taken; without one the thread waits.
void wait(Executor& x, const Plan& p) {
  Thread& t = x.thread;
  const isa::Operand& n = p.instruction.src[0];
  const size_t which = n.subreg / 4;
  if (n.reg >> 4 != int(isa::Arf::notification) || which >= t.notify.size()) {
    x.stop("wait needs a notification register n0.0 to n0.2");
    return;
  }
  if (t.notify[which] == 0) {
    x.status = Status::waiting;
    return;
  }
  --t.notify[which];
  t.ip = p.next_ip;
}

}  // namespace

Handler message_handler(const Plan& p) {
  switch (p.row->format) {
    case isa::Format::send:
    case isa::Format::split_send: return send;
    case isa::Format::wait: return wait;
    default: return nullptr;
  }
}

}  // namespace vitro::eu
