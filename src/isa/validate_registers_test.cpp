// Cases for the rules on architecture registers (validate_registers.cpp).
#include "isa/registers.h"
#include "isa/validate_cases.h"

namespace vitro::isa {
namespace {

constexpr RuleCase cases[] = {
    {"ARF-00", "kbl", "mov (8|M0) r1.0<1>:f acc0.0<8;8,1>:f", "mov (8|M0) r1.0<1>:f acc1.0<8;8,1>:f",
     [](Instruction& i) { i.src[0].reg = 0xE0; }},
    {"ARF-00", "snb", "mov (8) r1.0<1>:f acc0.0<8;8,1>:f", "mov (8) r1.0<1>:f acc1.0<8;8,1>:f",
     [](Instruction& i) { i.src[0].reg = arf_reg(Arf::accumulator, 2); }},
    {"ARF-00.cross", "kbl", "mov (16|M0) f0.0<1>:d r1.0<8;8,1>:d", "mov (1|M0) f0.0<1>:ud r1.0<0;1,0>:ud"},
    {"ARF-a0", "snb", "mov (8) a0.4<1>:uw r1.0<8;8,1>:uw", "mov (8) a0.0<1>:uw r1.0<8;8,1>:uw"},
    {"ARF-a0", "kbl", "mov (8|M0) a0.12<1>:uw r1.0<8;8,1>:uw", "mov (8|M0) a0.8<1>:uw r1.0<8;8,1>:uw"},
    {"ARF-a0.count", "snb", "mov (16) r1.0<1>:uw r[a0.0]<1,0>:uw", "mov (8) r1.0<1>:uw r[a0.0]<1,0>:uw"},
    {"ARF-a0.count", "kbl", "mov (8|M0) r1.0<1>:uw r[a0.12]<1,0>:uw", "mov (8|M0) r1.0<1>:uw r[a0.8]<1,0>:uw"},
    {"ARF-a0.group", "snb", "mov (8) r1.0<1>:d r[a0.3]<4,1>:d", "mov (8) r1.0<1>:d r[a0.2]<4,1>:d"},
    {"CR-01", "kbl", "and (1|M0) cr0.0<1>:ud cr0.0<0;1,0>:ud 0xFFFFFBFF:ud",
     "and (1|M0) cr0.0<1>:ud cr0.0<0;1,0>:ud 0xFFFFFBFF:ud {Switch}"},

    {"ARF-acc.src0", "snb", "add (8) r1.0<1>:f r2.0<8;8,1>:f acc0.0<8;8,1>:f",
     "add (8) r1.0<1>:f acc0.0<8;8,1>:f r2.0<8;8,1>:f"},
    {"ARF-acc.same", "snb", "add (8) acc1.0<1>:f acc0.0<8;8,1>:f r2.0<8;8,1>:f",
     "add (8) acc1.0<1>:f acc1.0<8;8,1>:f r2.0<8;8,1>:f"},
    {"ARF-acc.simd16", "snb", "add (16) acc1.0<1>:f r4.0<8;8,1>:f r2.0<8;8,1>:f",
     "add (16) acc0.0<1>:f r4.0<8;8,1>:f r2.0<8;8,1>:f"},
    {"ARF-acc.byte", "snb", "mov (8) acc0.0<2>:b r2.0<8;8,1>:b", "mov (8) acc0.0<1>:w r2.0<8;8,1>:b"},
    {"ARF-acc.swizzle", "snb", "add (8) r1.0<1>:f acc0.0<4>.yyyy:f r2.0<4>:f {Align16}",
     "add (8) r1.0<1>:f acc0.0<4>.xyzw:f r2.0<4>.yyyy:f {Align16}"},
    {"ARF-acc.implicit", "snb", "mac (8) r1.0<1>:f r3.0<4>.yyyy:f r2.0<4>:f {Align16}",
     "mac (8) r1.0<1>:f r3.0<4>:f r2.0<4>:f {Align16}"},
    {"ARF-acc.region", "snb", "mov (8) r1.0<1>:f acc0.0<8;8,1>:w", "mov (8) r1.0<2>:w acc0.0<16;8,2>:w"},

    {"B-34.same", "kbl", "add (8|M0) acc1.0<1>:f acc0.0<8;8,1>:f r2.0<8;8,1>:f",
     "add (8|M0) acc1.0<1>:f acc1.0<8;8,1>:f r2.0<8;8,1>:f"},
    {"B-34.src0", "kbl", "add (8|M0) r1.0<1>:f r2.0<8;8,1>:f acc0.0<8;8,1>:f",
     "add (8|M0) r1.0<1>:f acc0.0<8;8,1>:f r2.0<8;8,1>:f"},
    {"B-34.swizzle", "kbl", "add (8|M0) r1.0<1>:f acc0.0<4>.yyyy:f r2.0<4>:f {Align16}",
     "add (8|M0) r1.0<1>:f acc0.0<4>:f r2.0<4>:f {Align16}"},
    {"B-34.implicit", "kbl", "mac (8|M0) r1.0<1>:f r3.0<4>.yyyy:f r2.0<4>:f {Align16}",
     "mac (8|M0) r1.0<1>:f r3.0<4>:f r2.0<4>:f {Align16}"},
    {"B-34.word", "kbl", "mov (8|M0) acc0.1<2>:w r2.0<8;8,1>:w", "mov (8|M0) acc0.0<2>:w r2.0<8;8,1>:w"},
    {"B-34.dword", "kbl", "mov (16|M0) acc0.0<1>:d r2.0<8;8,1>:d", "mov (16|M0) acc0.0<1>:f r2.0<8;8,1>:f"},
    {"B-34.dword", "kbl", "mov (8|M0) acc1.0<1>:d r2.0<8;8,1>:d", "mov (8|M0) acc0.0<1>:d r2.0<8;8,1>:d"},
    {"B-34.type", "bdw", "mov (4|M0) acc0.0<1>:q r2.0<4;4,1>:q", "mov (4|M0) acc0.0<1>:df r2.0<4;4,1>:df"},
    {"B-34.region", "kbl", "mov (8|M0) r1.0<1>:f acc0.0<8;8,1>:w", "mov (8|M0) r1.0<1>:f acc0.0<8;8,1>:f"},
    {"B-34.acc1", "kbl", "mov (16|M0) acc1.0<1>:hf r1.0<16;16,1>:hf", "mov (16|M0) acc0.0<1>:hf r1.0<16;16,1>:hf"},
    {"B-37.mov", "kbl", "add (8|M0) r10.0<1>:ud mme0.0<8;8,1>:ud r1.0<8;8,1>:ud",
     "mov (8|M0) mme0.0<1>:ud r10.0<8;8,1>:ud"},
    {"B-37.mov", "kbl", "mov (8|M0) r10.0<1>:d -mme0.0<8;8,1>:d", "mov (8|M0) r10.0<1>:d mme0.0<8;8,1>:d"},
    {"B-37.type", "kbl", "mov (8|M0) r10.0<1>:f mme0.0<8;8,1>:f", "mov (8|M0) r10.0<1>:ud mme7.0<8;8,1>:ud"},
    {"B-37.align16", "kbl", "math.invm (8|M0) (eo)f0.0 r1.mme0:f r2.nomme:f r3.nomme:f",
     "math.invm (8|M0) (eo)f0.0 r1.mme0:f r2.nomme:f r3.nomme:f",
     [](Instruction& i) { i.access_mode = AccessMode::align1; }},
    {"B-37.number", "kbl", "math.invm (8|M0) (eo)f0.0 r1.mme0:f r2.nomme:f r3.nomme:f",
     "math.invm (8|M0) (eo)f0.0 r1.mme7:f r2.nomme:f r3.mme1:f", [](Instruction& i) { i.src[0].chan_sel = 9; }},
};

}  // namespace

std::span<const RuleCase> register_cases() { return cases; }

}  // namespace vitro::isa
