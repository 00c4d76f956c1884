// The URB messages of Gen6: URB_WRITE in its three swizzles, and FF_SYNC.
// PRM: Gen6 vol 4 part 2 sections 2.4.2 to 2.4.4 (URB-04..URB-21). What the document leaves undefined ends in a fault;
// the ranges of FF_SYNC's counts depend on the state of the fixed function and are its own to check.
#include "shared/urb_call.h"

namespace vitro::shared {
namespace {

using eu::Reply;
using Role = isa::FieldRole;

// --- the table of Complete, Used, Allocate and EOT

enum class When : uint8_t { no, yes, any };
constexpr bool fits(When w, bool b) { return w == When::any || (w == When::yes) == b; }

struct Combination {
  When complete, used, allocate, eot;
  UrbValidity validity;
};
using enum When;
using enum UrbValidity;
constexpr Combination combinations[] = {
    {no, any, no, no, valid},             // partial write, or no write
    {no, any, no, yes, if_all_complete},  // end of thread
    {no, any, yes, no, if_all_complete},  // another handle
    {any, any, yes, yes, invalid},        // a thread cannot end with a writeback outstanding
    {yes, no, any, no, valid},            // entry given back, with or without another handle
    {yes, no, no, yes, valid},            // entry given back, end of thread
    {yes, yes, any, no, valid},           // entry done, with or without another handle
    {yes, yes, no, yes, valid},           // entry done, end of thread
};

// --- the swizzles: data register n is M(n + 1)

Reply write_straight(UrbCall& c, unsigned data) {
  if (data == 0) return Reply::done;
  uint32_t* to = c.window(c.handle(c.dword(0, 0)), c.offset() * c.offset_dw(), data * reg_dw);
  if (!to) return Reply::faulted;
  for (unsigned n = 0; n < data * reg_dw; ++n) to[n] = c.dword(1 + n / reg_dw, n % reg_dw);
  return Reply::done;
}

Reply write_interleaved(UrbCall& c, unsigned data) {
  if (data % 2) return c.fault("interleaved data comes in multiples of 256 bits for each vertex, not {} x 128", data);
  if (data == 0) return Reply::done;
  uint32_t* to[2] = {};
  for (unsigned half = 0; half < 2; ++half) {
    if (!(c.channels() >> 4 * half & 15)) continue;  // the handle of an absent vertex may be anything
    to[half] = c.window(c.handle(c.dword(0, half)), c.offset() * c.offset_dw(), data * 4);
    if (!to[half]) return Reply::faulted;
  }
  for (unsigned n = 0; n < data; ++n)
    for (unsigned j = 0; j < reg_dw; ++j)
      if (c.channels() >> j & 1) to[j / 4][4 * n + j % 4] = c.dword(1 + n, j);
  return Reply::done;
}

// Three rows of coefficients for 8 attributes become four rows of two attributes: Cx, Cy, 0, C0 of each (table 2-2).
Reply write_transposed(UrbCall& c, unsigned data) {
  if (data % 3) return c.fault("transposed data comes in multiples of 3 registers, not {}", data);
  if (c.offset() % 2) return c.fault("the offset of transposed data must be even, not {}", c.offset());
  if (data == 0) return Reply::done;
  const unsigned attributes = data / 3 * 8;
  uint32_t* to = c.window(c.handle(c.dword(0, 0)), c.offset() * c.offset_dw(), attributes * 4);
  if (!to) return Reply::faulted;
  for (unsigned a = 0; a < attributes; ++a, to += 4) {
    const unsigned from = 1 + a / 8 * 3;
    to[0] = c.dword(from, a % 8);
    to[1] = c.dword(from + 1, a % 8);
    to[2] = 0;
    to[3] = c.dword(from + 2, a % 8);
  }
  return Reply::done;
}

struct Swizzle {
  Reply (*write)(UrbCall&, unsigned data) = nullptr;
  uint8_t handles = 1;
};
constexpr Swizzle swizzles[4] = {{write_straight}, {write_interleaved, 2}, {write_transposed}, {}};

// --- the messages

UrbSnoop snooped(const UrbCall& c) {
  UrbSnoop s;
  s.complete = c.field(Role::complete);
  s.used = !s.complete || c.field(Role::used);
  s.allocate = c.field(Role::allocate);
  s.eot = c.message.eot;
  s.composite_check_pass = s.eot && c.field(Role::composite_check);
  s.wants_reply = c.response_registers() != 0;
  s.fftid = uint8_t(c.dword(0, 5));
  return s;
}

}  // namespace

template <>
Reply act<isa::MessageAction::urb_write_gen6>(UrbCall& c) {
  const Swizzle& swizzle = swizzles[c.field(Role::swizzle)];
  if (!swizzle.write) return c.fault("swizzle {} is reserved", c.field(Role::swizzle));
  UrbSnoop s = snooped(c);
  const uint32_t m2 = c.dword(0, 2);
  s.so_prims_written = uint16_t(m2 >> 16 & 0x7FF);
  if (s.complete) {
    s.prim_type = uint8_t(m2 >> 2 & 31);
    s.prim_start = m2 >> 1 & 1;
    s.prim_end = m2 & 1;
  }
  s.handle_count = swizzle.handles;
  for (unsigned n = 0; n < swizzle.handles; ++n) {
    const uint32_t m = c.dword(0, n);
    s.handles[n] = {uint16_t(c.handle(m)), uint16_t(m >> 16)};
  }
  if (s.allocate && c.answering()) return c.answer(s);

  const UrbOwner& o = c.owner();
  const UrbValidity validity = urb_write_validity(s.complete, s.used, s.allocate, s.eot);
  if (validity == invalid) return c.fault("a thread cannot end with an Allocate outstanding");
  if (validity == if_all_complete && o.open_entries)
    if (const unsigned open = o.open_entries(o.context, c.sender))
      return c.fault("{} with {} of the thread's entries not complete", s.eot ? "end of thread" : "Allocate", open);
  if (o.snoop && !s.used && !o.may_discard) return c.fault("only the geometry shader and the clipper may clear Used");
  if (s.allocate && !s.wants_reply) return c.fault("Allocate needs a register for the handle");
  if (s.allocate && !o.grant) return c.fault("no fixed function owns the thread and could allocate an entry");

  if (const Reply r = swizzle.write(c, c.registers() - 1); r != Reply::done) return r;
  return c.finish(s);
}

template <>
Reply act<isa::MessageAction::ff_sync>(UrbCall& c) {
  UrbSnoop s = snooped(c);
  s.complete = false;
  s.used = true;
  const uint32_t m0 = c.dword(0, 0);
  s.ff_sync = FfSync{.gs_prims_generated = uint16_t(c.dword(0, 1)),
                     .so_verts_to_write = uint16_t(m0 >> 16),
                     .so_prims_needed = uint16_t(m0)};
  if (s.wants_reply && c.answering()) return c.answer(s);
  if (s.eot && s.wants_reply) return c.fault("a thread cannot end with a writeback outstanding");
  if (s.allocate && !s.wants_reply) return c.fault("Allocate needs a register for the handle");
  if (s.wants_reply && !c.owner().grant) return c.fault("no fixed function owns the thread and could answer");
  return c.finish(s);
}

UrbValidity urb_write_validity(bool complete, bool used, bool allocate, bool eot) {
  for (const Combination& k : combinations)
    if (fits(k.complete, complete) && fits(k.used, used) && fits(k.allocate, allocate) && fits(k.eot, eot))
      return k.validity;
  return invalid;
}

constexpr UrbLayout urb_gen6{.messages = isa::messages_gen6, .handle_dw = 8};

}  // namespace vitro::shared
