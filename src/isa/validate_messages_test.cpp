// Cases for the restrictions of messages (validate_messages.cpp). Descriptors: mlen in bits 28:25, rlen in 24:20; the
// extended descriptor has the shared function in its low four bits and the end of the thread in bit 5.
#include "isa/registers.h"
#include "isa/validate_cases.h"

namespace vitro::isa {
namespace {

constexpr RuleCase cases[] = {
    {"I-send.src", "snb", "send (8) r18:f r17:f 0x4 0x04184000", "send (8) r18:f m17:f 0x4 0x04184000"},
    {"I-send.src", "kbl", "send (8|M0) r18:f r17:f 0x4 0x04184000", "send (8|M0) r18:f r17:f 0x4 0x04184000",
     [](Instruction& i) { i.src[0].file = RegFile::arf, i.src[0].reg = 0; }},
    {"I-send.align", "kbl", "send (8|M0) r18:f r17:f 0x4 0x04184000", "send (8|M0) r18:f r17:f 0x4 0x04184000",
     [](Instruction& i) { i.src[0].subreg = 16; }},
    {"I-send.indirect", "kbl", "send (8|M0) r18:f r17:f 0x4 0x04184000", "send (8|M0) r18:f r17:f 0x4 0x04184000",
     [](Instruction& i) { i.src[0].indirect = true; }},
    {"I-send.mlen", "kbl", "send (8|M0) r18:f r17:f 0x4 0x00184000", "send (8|M0) r18:f r17:f 0x4 0x02184000"},
    {"I-send.mlen", "snb", "send (8) r18:f m23:f 0x4 0x04184000", "send (8) r18:f m22:f 0x4 0x04184000"},
    {"I-send.rlen", "kbl", "send (8|M0) r18:f r17:f 0x4 0x05180000", "send (8|M0) r18:f r17:f 0x4 0x05080000"},
    {"I-send.rlen", "kbl", "send (8|M0) r127:f r17:f 0x4 0x04284000", "send (8|M0) r126:f r17:f 0x4 0x04284000"},
    {"I-send.null", "kbl", "send (8|M0) null:f r17:f 0x4 0x04184000", "send (8|M0) null:f r17:f 0x4 0x04084000"},
    {"I-send.r0", "snb", "send (8) r0:f m17:f 0x4 0x04184000", "send (8) r1:f m17:f 0x4 0x04184000"},
    {"I-send.dst", "snb", "send (8) m18:f m17:f 0x4 0x04184000", "send (8) null:f m17:f 0x4 0x04084000"},
    {"I-send.dst", "kbl", "send (8|M0) r18:f r17:f 0x4 0x04184000", "send (8|M0) null:f r17:f 0x4 0x04084000",
     [](Instruction& i) { i.dst.file = RegFile::arf, i.dst.reg = arf_reg(Arf::accumulator); }},
    {"I-send.desc", "kbl", "send (8|M0) r18:f r17:f 0x4 0x04184000", "send (8|M0) r18:f r17:f 0x4 0x04184000",
     [](Instruction& i) { i.desc.imm |= 1u << 30; }},
    {"I-send.eot", "kbl", "send (8|M0) r1:f r112:f 0x27 0x02100010", "send (8|M0) null:f r112:f 0x27 0x02000010 {EOT}",
     [](Instruction& i) { i.eot = true; }},
    {"I-send.sfid", "kbl", "send (8|M0) null:f r112:f 0x20 0x02000010 {EOT}",
     "send (8|M0) null:f r112:f 0x27 0x02000010 {EOT}"},
    {"I-send.sampler", "bdw", "sendc (8|M0) null:f r112:f 0x22 0x02000010 {EOT}",
     "sendc (8|M0) null:f r112:f 0x25 0x08031400 {EOT}"},
    {"I-send.sampler", "snb", "send (8) null:f m1:f 0x22 0x02000010 {EOT}",
     "send (8) null:f m1:f 0x25 0x02000010 {EOT}"},
    {"I-send.sampler", "kbl", "sendc (16|M0) null:uw r117 0x4D00022 0x160C1001 {EOT}",
     "sendc (16|M0) null:uw r117 0x25 0x160B1001 {EOT}"},
    {"I-send.r112", "kbl", "send (8|M0) null:f r111:f 0x27 0x02000010 {EOT}",
     "send (8|M0) null:f r127:f 0x27 0x02000010 {EOT}"},
    {"I-send.thread", "snb", "send (8) r18:f m17:f 0x4 0x04184000 {Switch}", "send (8) r18:f m17:f 0x4 0x04184000"},
    {"I-send.dep", "snb", "send (8) r18:f m17:f 0x4 0x04184000 {NoDDChk}",
     "send (8) r18:f m17:f 0x4 0x04184000 {NoDDClr}"},
    {"I-send.r127", "kbl", "send (8|M0) r127:f r127:f 0x4 0x02184000", "send (8|M0) r126:f r126:f 0x4 0x02184000"},
    {"I-send.message", "snb", "send (8) null:f m17:f 0x3 0x02000007", "send (8) null:f m17:f 0x3 0x02000004"},
    {"I-send.message", "bdw", "send (8|M0) r18:f r17:f 0xC 0x02122E01", "send (8|M0) r18:f r17:f 0xC 0x02106E01"},
    {"I-send.message", "kbl", "send (8|M0) r18:f r17:f 0xC 0x02122E01", "send (8|M0) r18:f r17:f 0xC 0x02106E01"},
    {"I-send.field", "snb", "send (8) null:f m17:f 0x3 0x02018002", "send (8) null:f m17:f 0x3 0x02008002"},
    {"I-send.field", "bdw", "send (8|M0) r18:f r17:f 0xC 0x02106F01", "send (8|M0) r18:f r17:f 0xC 0x02106E01"},
    {"I-send.field", "kbl", "send (8|M0) r18:f r17:f 0xC 0x02106F01", "send (8|M0) r18:f r17:f 0xC 0x02106E01"},
    {"I-send.payload", "snb", "send (8) r18:f m17:f 0x4 0x02184000", "send (8) r18:f m17:f 0x4 0x04184000"},
    {"I-send.payload", "bdw", "send (16|M0) r18:f r20:f 0xC 0x02205E01", "send (16|M0) r18:f r20:f 0xC 0x04205E01"},
    {"I-send.payload", "kbl", "send (16|M0) r18:f r20:f 0xC 0x02205E01", "send (16|M0) r18:f r20:f 0xC 0x04205E01"},
    {"I-send.response", "snb", "send (8) r18:f m17:f 0x4 0x04184200", "send (8) r18:f m17:f 0x4 0x04484200"},
    {"I-send.response", "bdw", "send (16|M0) r18:f r20:f 0xC 0x04105E01", "send (16|M0) r18:f r20:f 0xC 0x04205E01"},
    {"I-send.response", "kbl", "send (16|M0) r18:f r20:f 0xC 0x04105E01", "send (16|M0) r18:f r20:f 0xC 0x04205E01"},
    {"I-sends.src1", "kbl", "sends (8|M0) r18:f r17 r20 0x4C 0x02184000", "sends (8|M0) r18:f r17 r20 0x4C 0x02184000",
     [](Instruction& i) { i.src[1].file = RegFile::arf, i.src[1].reg = arf_reg(Arf::address); }},
    {"I-sends.mlen", "kbl", "sends (8|M0) r18:f r17 r127 0x8C 0x02184000",
     "sends (8|M0) r18:f r17 r126 0x8C 0x02184000"},
    {"I-sends.overlap", "kbl", "sends (8|M0) r18:f r17 r18 0x4C 0x04184000",
     "sends (8|M0) r18:f r17 r19 0x4C 0x04184000"},
};

}  // namespace

std::span<const RuleCase> message_cases() { return cases; }

}  // namespace vitro::isa
