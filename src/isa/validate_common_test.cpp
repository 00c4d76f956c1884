// Cases for the rules of every generation (validate_common.cpp).
#include "isa/validate_cases.h"

namespace vitro::isa {
namespace {

constexpr RuleCase cases[] = {
    {"OP-TYPES", "kbl", "and (8|M0) r1.0<1>:f r2.0<8;8,1>:f r3.0<8;8,1>:f",
     "and (8|M0) r1.0<1>:d r2.0<8;8,1>:d r3.0<8;8,1>:ud"},
    {"OP-TYPES", "bdw", "mov (4|M0) r1.0<1>:df r2.0<8;4,2>:hf", "mov (4|M0) r1.0<1>:df r2.0<8;4,2>:f"},
    {"OP-TYPES", "snb", "dp4 (8) r1.0<1>:d r2.0<8;8,1>:d r3.0<8;8,1>:d",
     "dp4 (8) r1.0<1>:f r2.0<8;8,1>:f r3.0<8;8,1>:f"},
    {"OP-TYPES.sign", "kbl", "fbl (16|M0) r13.0<1>:d r19.0<8;8,1>:d", "fbl (16|M0) r13.0<1>:ud r19.0<8;8,1>:ud"},
    {"OP-TYPES.sign", "snb", "mach (8) r1.0<1>:ud r2.0<8;8,1>:d r3.0<8;8,1>:d {AccWrEn}",
     "mach (8) r1.0<1>:d r2.0<8;8,1>:d r3.0<8;8,1>:d {AccWrEn}"},
    {"OP-TYPE", "kbl", "mov (4|M0) r1.0<1>:f r2.0<4;4,1>:f", "mov (4|M0) r1.0<1>:f r2.0<4;4,1>:f",
     [](Instruction& i) { i.src[0].type = Type::vf; }},
    {"OP-TYPE", "snb", "mov (4) r1.0<1>:f r2.0<4;4,1>:f", "mov (4) r1.0<1>:f r2.0<4;4,1>:f",
     [](Instruction& i) { i.src[0].type = Type::df; }},
    {"OP-PRED", "kbl", "endif (8|M0) 16", "endif (8|M0) 16",
     [](Instruction& i) { i.pred_ctrl = PredCtrl::sequential; }},
    {"OP-COND", "kbl", "bfrev (8|M0) (eq)f0.0 r1.0<1>:ud r2.0<8;8,1>:ud", "bfrev (8|M0) r1.0<1>:ud r2.0<8;8,1>:ud"},
    {"OP-COND", "snb", "endif (8) 16", "endif (8) 16", [](Instruction& i) { i.cond_modifier = CondModifier::z; }},
    {"OP-SAT", "kbl", "and (8|M0) (sat)r1.0<1>:d r2.0<8;8,1>:d r3.0<8;8,1>:d",
     "add (8|M0) (sat)r1.0<1>:d r2.0<8;8,1>:d r3.0<8;8,1>:d"},
    {"OP-SAT", "snb", "xor (8) (sat)r1.0<1>:d r2.0<8;8,1>:d r3.0<8;8,1>:d", "frc (8) (sat)r1.0<1>:f r2.0<8;8,1>:f"},
    {"OP-SAT.frc", "snb", "frc (8) (sat)m4.0<1>.xyzw:f r3.0<4>.xyzw:f {Align16}", "frc (8) r1.0<1>:f r2.0<8;8,1>:f"},
    {"OP-SAT.frc", "kbl", "frc (8|M0) (sat)r1.0<1>:f r2.0<8;8,1>:f", "rndd (8|M0) (sat)r1.0<1>:f r2.0<8;8,1>:f"},
    {"OP-SRCMOD", "kbl", "bfrev (8|M0) r1.0<1>:ud -r2.0<8;8,1>:ud", "mov (8|M0) r1.0<1>:ud -r2.0<8;8,1>:ud"},
    {"OP-SRCMOD", "kbl", "and (8|M0) r1.0<1>:d (abs)r2.0<8;8,1>:d r3.0<8;8,1>:d",
     "and (8|M0) r1.0<1>:d ~r2.0<8;8,1>:d r3.0<8;8,1>:d"},
    {"OP-SRCMOD", "snb", "ret (8) r1.0:ud", "ret (8) r1.0:ud", [](Instruction& i) { i.src[0].negate = true; }},
    {"OP-ACCWR", "kbl", "send (8|M0) r1:d r2 0x2 0x02106E02", "add (8|M0) r1.0<1>:d r2.0<8;8,1>:d 1:d {AccWrEn}",
     [](Instruction& i) { i.acc_wr_ctrl = true; }},
    {"OP-CHANNELS", "kbl", "mov (16|M16) r1.0<1>:f r2.0<8;8,1>:f", "mov (16|M16) r1.0<1>:f r2.0<8;8,1>:f",
     [](Instruction& i) { i.qtr_ctrl = 3; }},
    {"OP-CHANNELS", "snb", "mov (16|M16) r1.0<1>:f r2.0<8;8,1>:f", "mov (8|M24) r1.0<1>:f r2.0<8;8,1>:f",
     [](Instruction& i) { i.exec_size = 32; }},
    {"OP-GRF", "kbl", "mov (16|M0) r127.0<1>:f r2.0<8;8,1>:f", "mov (16|M0) r126.0<1>:f r2.0<8;8,1>:f"},
    {"OP-GRF", "kbl", "mov (8|M0) r1.0<1>:f r2.0<8;8,1>:f", "mov (8|M0) r1.0<1>:f r127.0<8;8,1>:f",
     [](Instruction& i) { i.src[0].reg = 128; }},
    {"OP-GRF", "snb", "mov (16) m23.0<1>:f r2.0<8;8,1>:f", "mov (8) m23.0<1>:f r2.0<8;8,1>:f"},
    {"MRF-01", "snb", "mov (8) r1.0<1>:f m2.0<8;8,1>:f", "mov (8) m1.0<1>:f r2.0<8;8,1>:f"},
    {"DT-01", "snb", "mov (1) r1.0<1>:d r2.2b<0;1,0>:d", "mov (1) r1.0<1>:d r2.4b<0;1,0>:d"},
    {"OP-SUBREG", "kbl", "mov (1|M0) r1.0<1>:d r2.2b<0;1,0>:d", "mov (1|M0) r1.0<1>:d r2.4b<0;1,0>:d"},
    {"IMM-01.byte", "kbl", "mov (8|M0) r1.0<1>:w 1:w", "mov (8|M0) r1.0<1>:w 1:w",
     [](Instruction& i) { i.src[0].type = Type::b; }},
    {"IMM-01.word", "snb", "mov (8) r1.0<1>:w 1:w {Ignored=0x00070000000000000000000000000000}",
     "mov (8) r1.0<1>:d 1:d {Ignored=0x8D0000000000000000000000}"},
    {"IMM-02", "kbl", "mov (8|M0) r1.4<1>:w 0x76543210:v", "mov (8|M0) r1.8<1>:w 0x76543210:v"},
    {"IMM-02", "snb", "mov (4) r1.2<1>:f 0x30303030:vf", "mov (4) r1.4<1>:f 0x30303030:vf"},
    {"IMM-02.stride", "bdw", "add (2|M0) r62.0<1>:ud r60.0<0;1,0>:uw 0x400:uv",
     "add (2|M0) r62.0<1>:uw r60.0<0;1,0>:uw 0x400:uv"},
    {"AM-01.origin", "snb", "mov (8) r1.0<1>:f r2.0<4>:f {Align16}", "mov (8) r1.0<1>:f r2.4<0>:f {Align16}",
     [](Instruction& i) { i.src[0].subreg = 8; }},
    {"AM-01.vstride", "snb", "mov (8) r1.0<1>:f r2.0<2>:f {Align16}", "mov (8) r1.0<1>:f r2.0<0>:f {Align16}"},
    {"AM-01.vstride", "kbl", "mov (8|M0) r1.0<1>:f r2.0<8>:f {Align16}", "mov (4|M0) r1.0<1>:df r2.0<2>:df {Align16}"},
    {"AM-01.hstride", "snb", "mov (8) r1.0<2>:f r2.0<4>:f {Align16}", "mov (8) r1.0<1>:f r2.0<4>:f {Align16}"},
    {"AM-01.swizzle", "snb", "mov (8) r1.0<1>:f r2.0<8;8,1>:f", "mov (8) r1.0<1>:f r2.0<4>.yyzw:f {Align16}",
     [](Instruction& i) { i.src[0].chan_sel = swizzle_xyzw; }},
    {"ET-01", "snb", "add (8) r1.0<1>:f r2.0<8;8,1>:f r3.0<8;8,1>:w", "add (8) r1.0<1>:f r2.0<8;8,1>:d r3.0<8;8,1>:w"},
};

}  // namespace

std::span<const RuleCase> common_cases() { return cases; }

}  // namespace vitro::isa
