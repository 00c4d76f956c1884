// Restrictions of the send instructions: payload, response, descriptor, end of thread.
// PRM: Gen6 vol 4 part 2 pages of send and sendc (I-send), tables 8-15 and 8-16; the Gen8 page of send. What the shared
// function makes of its part of the descriptor the message tables say.
#include "isa/layout.h"
#include "isa/message_tables.h"
#include "isa/validate_context.h"

namespace vitro::isa {
namespace {

int mlen(const Instruction& i) { return int(isa::mlen(i.desc.imm)); }
int rlen(const Instruction& i) { return int(isa::rlen(i.desc.imm)); }
int ex_mlen(const Instruction& i) { return int(isa::ex_mlen(i.ex_desc.imm)); }
bool known(const Descriptor& d) { return !d.in_register; }

Findings payload_not_mrf(const RuleContext& c) { return c.src(0).mrf ? nothing : in_src(0); }
Findings payload_not_grf(const RuleContext& c) { return c.src(0).grf ? nothing : in_src(0); }
Findings payload_offset(const RuleContext& c) { return c.src(0).direct && c.src(0)->subreg != 0 ? in_src(0) : nothing; }
Findings payload_indirect(const RuleContext& c) { return c.src(0)->indirect ? in_src(0) : nothing; }

bool payload_ends_outside(const RuleContext& c, int n, int length) {
  const OperandFacts& s = c.src(n);
  return s.direct && (s.grf || s.mrf) && s->reg + length > (s.grf ? c.model.grf_count : c.model.mrf_count);
}
Findings payload_length(const RuleContext& c) {
  return known(c.inst.desc) && (mlen(c.inst) == 0 || payload_ends_outside(c, 0, mlen(c.inst))) ? in_src(0) : nothing;
}
Findings response_length(const RuleContext& c) {
  if (!known(c.inst.desc)) return nothing;
  const OperandFacts& d = c.dst();
  return dst_if(rlen(c.inst) > 16 || (d.direct && d.grf && d->reg + rlen(c.inst) > c.model.grf_count));
}
Findings response_to_nowhere(const RuleContext& c) {
  return dst_if(known(c.inst.desc) && rlen(c.inst) > 0 && c.dst().null);
}
Findings response_to_r0(const RuleContext& c) {
  return dst_if(known(c.inst.desc) && rlen(c.inst) > 0 && c.dst().direct && c.dst().grf && c.dst()->reg == 0);
}
Findings response_file(const RuleContext& c) { return dst_if(!c.dst().null && !c.dst().grf); }
Findings descriptor_reserved(const RuleContext& c) { return whole(known(c.inst.desc) && c.inst.desc.imm >> 29 != 0); }

Findings end_with_response(const RuleContext& c) {
  return dst_if(c.inst.eot && (!c.dst().null || (known(c.inst.desc) && rlen(c.inst) != 0)));
}
constexpr int null_sfid = 0, sampler_sfid = 2;
Findings end_at_null(const RuleContext& c) { return whole(c.inst.eot && c.inst.sfid == null_sfid); }
Findings end_at_sampler(const RuleContext& c) { return whole(c.inst.eot && c.inst.sfid == sampler_sfid); }
Findings end_below_r112(const RuleContext& c) {
  if (!c.inst.eot) return nothing;
  return sources_where(c, [](const OperandFacts& s) { return s.direct && s.grf && s->reg < 112; });
}

Findings thread_control(const RuleContext& c) { return whole(c.inst.thread_ctrl != ThreadCtrl::normal); }
Findings no_dd_chk(const RuleContext& c) { return whole(c.inst.no_dd_chk); }

// The last response register is r127 and the payload is overwritten from its first register on.
Findings r127_overlap(const RuleContext& c) {
  const OperandFacts &d = c.dst(), &s = c.src(0);
  if (!known(c.inst.desc) || !d.direct || !d.grf || !s.direct || rlen(c.inst) == 0) return nothing;
  return dst_if(d->reg + rlen(c.inst) >= c.model.grf_count && d->reg < s->reg + mlen(c.inst) &&
                s->reg < d->reg + rlen(c.inst));
}

Findings second_payload_file(const RuleContext& c) { return c.src(1).reg && !c.src(1).grf ? in_src(1) : nothing; }
Findings second_payload_length(const RuleContext& c) {
  if (!known(c.inst.ex_desc)) return nothing;
  const bool missing = c.src(1).null && ex_mlen(c.inst) > 0;
  return missing || payload_ends_outside(c, 1, ex_mlen(c.inst)) ? in_src(1) : nothing;
}
Findings payloads_overlap(const RuleContext& c) {
  const OperandFacts &a = c.src(0), &b = c.src(1);
  if (!a.direct || !b.direct || !b.grf) return nothing;
  const int a_end = a->reg + (known(c.inst.desc) ? mlen(c.inst) : 1);
  const int b_end = b->reg + (known(c.inst.ex_desc) ? ex_mlen(c.inst) : 1);
  return whole(a->reg < b_end && b->reg < a_end);
}

// What the tables say of a message whose descriptors are known. Remarks, not errors: a program may want the Fault.
bool says(const RuleContext& c) { return known(c.inst.desc) && known(c.inst.ex_desc); }
uint64_t word_of(const RuleContext& c) { return uint64_t{c.inst.ex_desc.imm} << 32 | c.inst.desc.imm; }
Findings message_reserved(const RuleContext& c) {
  return whole(says(c) && !find_message(*c.model.messages, c.inst.sfid, word_of(c)));
}
Findings field_reserved(const RuleContext& c) {
  const MessageRow* const row = says(c) ? find_message(*c.model.messages, c.inst.sfid, word_of(c)) : nullptr;
  return whole(row && reserved_field(*c.model.messages, *row, word_of(c)));
}
MessageShape shape_of(const RuleContext& c) {
  return says(c) ? decode_message(*c.model.messages, c.inst.sfid, c.inst.desc.imm).shape : MessageShape{};
}
Findings payload_too_short(const RuleContext& c) {
  const MessageShape s = shape_of(c);
  const bool split = c.row.format == Format::split_send;
  return !s.reserved_field && mlen(c.inst) + (split ? ex_mlen(c.inst) : 0) < int(s.payload_registers()) ? in_src(0)
                                                                                                        : nothing;
}
Findings response_too_short(const RuleContext& c) {
  const MessageShape s = shape_of(c);
  return dst_if(!s.reserved_field && rlen(c.inst) > 0 && rlen(c.inst) < int(s.response_registers()));
}

constexpr OpSet sends = ops(Op::send, Op::sendc), split = ops(Op::sends, Op::sendsc);
constexpr OpSet every = ops(Op::send, Op::sendc, Op::sends, Op::sendsc);

using enum RuleKind;
// clang-format off
constexpr Rule table[] = {
    {"I-send.src", G6, sends, 0, prohibition, "send: the payload stands in message registers.", payload_not_mrf},
    {"I-send.src", G89, every, 0, prohibition, "send: the payload stands in general registers.", payload_not_grf},
    {"I-send.align", G689, every, 0, prohibition, "send: the payload begins at a register's origin.", payload_offset},
    {"I-send.indirect", G89, sends, 0, prohibition, "send: the payload is addressed directly.", payload_indirect},
    {"I-send.mlen", G689, every, 0, prohibition,
     "send: the payload has at least one register and stays within the register file (table 8-15).", payload_length},
    {"I-send.rlen", G689, every, 0, prohibition,
     "send: the response has at most 16 registers and stays within the register file (table 8-15).", response_length},
    {"I-send.null", G689, every, 0, prohibition, "send: with a null destination there is no response.",
     response_to_nowhere},
    {"I-send.r0", G6, sends, 0, prohibition, "send: a response does not go to r0.", response_to_r0},
    {"I-send.dst", G689, every, 0, prohibition, "send: the destination is a general register or null.", response_file},
    {"I-send.desc", G689, every, 0, prohibition, "send: bits 31:29 of the descriptor are zero (table 8-15).",
     descriptor_reserved},
    {"I-send.eot", G689, every, 0, prohibition, "send: the message that ends the thread has no response and dst null.",
     end_with_response},
    {"I-send.sfid", G689, every, 0, prohibition, "send: the thread does not end with a message to Null.", end_at_null},
    {"I-send.sampler", G68, sends, 0, prohibition, "send: the thread does not end with a message to Sampler.",
     end_at_sampler},
    {"I-send.sampler", G9, every, 0, advice, "send: the thread does not end with a message to Sampler.", end_at_sampler,
     "Mesa (skl): sendc (16|M0) null:uw r117 0x4D00022 0x160C1001 {EOT}, a sample_b. The sampler hands its result to "
     "the render target."},
    {"I-send.r112", G89, every, 0, prohibition, "send: the payload that ends the thread stands in r112..r127.",
     end_below_r112},
    {"I-send.thread", G6, sends, 0, prohibition, "send: no thread control.", thread_control},
    {"I-send.dep", G6, sends, 0, prohibition, "send: no NoDDChk (NoDDClr is allowed).", no_dd_chk},
    {"I-send.r127", G89, sends, 0, prohibition, "send: r127 takes no response when it overlaps the payload.",
     r127_overlap},
    {"I-send.message", G689, every, 0, advice, "send: the shared function has a message of this descriptor.",
     message_reserved, "programs that are made to be refused: executed, they have a Fault"},
    {"I-send.field", G689, every, 0, advice, "send: fields of the descriptor have values that they define.",
     field_reserved, "programs that are made to be refused: executed, they have a Fault"},
    {"I-send.payload", G689, every, 0, advice, "send: the payload has the registers that the message needs.",
     payload_too_short, "programs that are made to be refused: executed, they have a Fault"},
    {"I-send.response", G689, every, 0, advice, "send: the response, if there is one, has room for the answer.",
     response_too_short, "programs that are made to be refused: executed, they have a Fault"},
    {"I-sends.src1", G9, split, 0, prohibition, "sends: the second payload is a general register or null.",
     second_payload_file},
    {"I-sends.mlen", G9, split, 0, prohibition,
     "sends: the second payload stays within the register file, and is there if it has a length.",
     second_payload_length},
    {"I-sends.overlap", G9, split, 0, prohibition, "sends: the two payloads do not overlap.", payloads_overlap},
};
// clang-format on

}  // namespace

std::span<const Rule> message_rules() { return table; }

}  // namespace vitro::isa
