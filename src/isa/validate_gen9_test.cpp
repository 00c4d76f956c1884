// Cases for the register region restrictions of Gen8 and Gen9 (validate_gen9.cpp, validate_gen9_types.cpp).
#include "isa/validate_cases.h"

namespace vitro::isa {
namespace {

constexpr RuleCase cases[] = {
    {"R1.1", "kbl", "mov (32|M0) r1.0<1>:f r4.0<0;1,0>:f", "mov (32|M0) r1.0<1>:w r4.0<16;16,1>:w"},
    {"R1.2", "kbl", "mov (8|M0) r10.0<1>:w r11.0<8;8,1>:d", "mov (8|M0) r10.1<2>:w r11.0<8;8,1>:d"},
    {"R1.2", "kbl", "mov (8|M0) r10.2<4>:b r11.0<8;8,1>:d", "mov (8|M0) r10.0<4>:b r11.0<8;8,1>:d"},
    {"R1.2", "bdw", "mov (8|M0) r10.1<2>:w r11.0<8;8,1>:d", "mov (8|M0) r10.0<2>:w r11.0<8;8,1>:d"},
    {"R1.2", "bdw", "mov (8|M0) r10.0<1>:hf r11.0<8;8,1>:f", "mov (8|M0) r10.0<2>:hf r11.0<8;8,1>:f"},
    {"R2.1", "kbl", "mov (4|M0) r1.0<1>:f r2.0<8;8,1>:f", "mov (4|M0) r1.0<1>:f r2.0<4;4,1>:f"},
    {"R2.2", "kbl", "mov (8|M0) r1.0<1>:f r2.0<4;8,1>:f", "mov (8|M0) r1.0<1>:f r2.0<4;4,1>:f"},
    {"R2.3", "kbl", nullptr, "mov (8|M0) r1.0<1>:f r2.0<4;8,0>:f"},
    {"R2.4", "kbl", "mov (16|M0) r18.0<1>:ub r89.0<4;1,4>:ub", "mov (16|M0) r18.0<1>:ub r89.0<4;1,0>:ub"},
    {"R2.5", "kbl", "mov (1|M0) r1.0<1>:f r2.0<1;1,0>:f", "mov (1|M0) r1.0<1>:f r2.0<0;1,0>:f"},
    {"R2.6", "kbl", "mov (8|M0) r1.0<1>:f r2.0<0;4,0>:f", "mov (8|M0) r1.0<1>:f r2.0<0;4,1>:f"},
    {"R2.7", "kbl", "mov (8|M0) r1.0<0>:f r2.0<8;8,1>:f", "mov (8|M0) r1.0<1>:f r2.0<8;8,1>:f"},
    {"R2.8", "kbl", "mov (2|M0) r1.0<1>:d r2.7<2;2,1>:d", "mov (2|M0) r1.0<1>:d r2.7<1;1,0>:d"},
    {"R3.1", "kbl", "mov (16|M0) r1.0<1>:f r2.4<4;4,1>:f", "mov (16|M0) r1.0<1>:f r2.0<4;4,1>:f"},
    {"R3.2", "kbl", "mov (16|M0) r1.4<1>:f r10.0<0;1,0>:f", "mov (16|M0) r1.0<1>:f r10.0<0;1,0>:f"},
    {"R3.3", "kbl", "math.inv (8|M0) r1.2<1>:f r10.0<8;8,1>:f", "math.inv (8|M0) r1.4<1>:f r10.0<8;8,1>:f"},
    {"R3.3", "bdw", "mov (8|M0) r1.2<1>:f r10.0<8;8,1>:f", "mov (8|M0) r1.4<1>:f r10.0<8;8,1>:f"},
    {"BDW-oword", "bdw", "mov (4|M0) r1.5<1>:w r2.14<2;2,1>:w", "mov (4|M0) r1.6<1>:w r2.14<2;2,1>:w"},
    {"R4.1", "kbl", "add (8|M0) r1.0<1>:ub r2.0<8;8,1>:ub r3.0<8;8,1>:ub", "mov (8|M0) r1.0<1>:ub r2.0<8;8,1>:ub"},
    {"R4.1", "bdw", "(f0.0) sel (8|M0) r1.0<1>:ub r2.0<8;8,1>:ub r3.0<8;8,1>:ub",
     "(f0.0) sel (8|M0) r1.0<2>:ub r2.0<8;8,1>:ub r3.0<8;8,1>:ub"},
    {"R4.2", "kbl", nullptr, "mov (8|M0) r10.1<2>:b r11.0<8;8,1>:w"},
    {"R5.1", "kbl", nullptr, "add (8|M0) r10.1<2>:hf r11.0<8;8,1>:f r12.0<8;8,1>:hf"},

    {"R6.1", "apl", "mov (4|M0) r10.0<1>:df r11.0<4;4,1>:f", "mov (4|M0) r10.0<1>:df r11.0<8;4,2>:f"},
    {"R6.1", "apl", "mul (8|M0) r10.0<1>:d r11.0<8;8,1>:d r12.0<8;8,1>:d",
     "mul (8|M0) r10.0<1>:d r11.0<8;8,1>:d r12.0<16;8,2>:w"},
    {"R6.2", "apl", "mov (8|M0) r10.0<1>:df r12.0<4;2,2>:df", "mov (4|M0) r10.0<1>:df r12.0<4;4,1>:df",
     [](Instruction& i) {
       i.src[0].region = {2, 4, 1};
     }},
    {"R6.3", "apl", "add (2|M0) r11.0<1>:q r4.0<2;2,1>:q r4.2<2;2,1>:q",
     "add (2|M0) r11.0<1>:q r4.0<2;2,1>:q r4.2<0;1,0>:q"},
    {"R6.4", "apl", "mov (4|M0) r10.0<1>:df r[a0.0]<4;4,1>:df", "mov (8|M0) r10.0<1>:f r[a0.0]<8;8,1>:f"},
    {"R6.5", "apl", "mov (4|M0) acc0.0<1>:df r10.0<4;4,1>:df", "mov (8|M0) acc0.0<1>:f r10.0<8;8,1>:f"},
    {"R6.6", "apl", "mov (4|M0) r12.0<1>:df r10.0<4;4,1>:df {NoDDClr}",
     "mov (8|M0) r12.0<1>:f r10.0<8;8,1>:f {NoDDClr}"},

    {"R7.1", "kbl", "add (8|M0) r3.0<1>:hf r4.0<0>:f r6.0<4>:hf {Align16}",
     "add (8|M0) r3.0<1>:hf r4.0<4>:f r6.0<4>:hf {Align16}"},
    {"R7.2", "kbl", "mad (4|M0) r10.0<1>:hf r11.0<4;1>:f r12.0<4;1>:hf r13.0<1>:hf",
     "mad (4|M0) r10.0<1>:hf r11.0<4;1>:f r12.0<4;1>:hf r13.0<1>:hf", [](Instruction& i) { i.src[1].subreg = 8; }},
    {"R7.3", "kbl", nullptr, "mad (8|M0) r20.0<1>:hf r3.0<0;0>:f r6.0<4;1>:hf r6.0<1>:hf"},
    {"R7.4", "kbl", "add (16|M0) r20.0<1>:hf r3.0<8;8,1>:f r6.0<16;16,1>:hf",
     "add (16|M0) r20.0<2>:hf r3.0<8;8,1>:f r6.0<16;16,1>:hf"},
    {"R7.5", "kbl", "mac (8|M0) r3.0<1>:hf r4.0<4>:f r6.0<4>:hf {Align16}",
     "mac (8|M0) r3.0<1>:f r4.0<4>:f r6.0<4>:f {Align16}"},
    {"R7.6", "kbl", "mov (4|M0) r3.0<1>:hf acc0.4<4;4,1>:f", "mov (4|M0) r3.0<2>:hf acc0.0<4;4,1>:f"},
    {"R7.7", "kbl", "mac (8|M0) r3.0<1>:hf r4.0<8;8,1>:f r6.0<8;4,2>:hf",
     "mac (8|M0) r3.0<2>:hf r4.0<8;8,1>:f r6.0<8;4,2>:hf"},
    {"R7.8", "kbl", "add (8|M0) r3.0<1>:hf r4.0<4>:hf r6.0<0>:hf {Align16}",
     "add (8|M0) r3.0<1>:hf r4.0<4>:hf r6.0<4>:hf {Align16}"},
    {"R7.9", "kbl", "math.fdiv (8|M0) r3.0<1>:hf r4.0<4>:f r6.0<0>:hf {Align16}",
     "math.fdiv (8|M0) r3.0<1>:hf r4.0<4>:f r6.0<4>:hf {Align16}"},
    {"R7.10", "kbl", "math.fdiv (8|M0) r3.0<1>:hf r4.0<8;8,1>:f r6.0<8;8,1>:hf",
     "math.fdiv (8|M0) r3.0<1>:hf r4.0<8;8,1>:f r6.0<8;4,2>:hf"},
    {"R7.11", "kbl", "add (8|M0) r3.4<1>:hf r4.0<8;8,1>:f r6.0<8;4,2>:hf",
     "add (8|M0) r3.8<1>:hf r4.0<8;8,1>:f r6.0<8;4,2>:hf"},

    {"R8.1", "kbl", nullptr, "mov (16|M0) r[a0.0]<1>:f r10.0<8;8,1>:f"},
    {"R8.2", "kbl", "add (16|M0) r10.0<1>:f r[a0.2]<16;8,2>:f r12.0<8;8,1>:f",
     "add (16|M0) r10.0<1>:f r[a0.2]<8;8,1>:f r12.0<8;8,1>:f"},
    {"R8.3", "kbl", "add (8|M0) r1.0<1>:f r2.0<8;8,1>:f r[a0.0]<4,1>:f",
     "add (8|M0) r1.0<1>:f r2.0<8;8,1>:f r[a0.0]<8;8,1>:f"},
    {"R8.4", "kbl", nullptr, "add (16|M0) r10.0<2>:uw r[a0.0]<1,0>:uw r16.0<8;8,1>:uw"},
    {"R8.5", "kbl", "mov (8|M0) r[a0.0]<1>:f r2.0<8;8,1>:f", "mov (8|M0) r[a0.0]<1>:f r2.0<8;8,1>:f",
     [](Instruction& i) { i.dst.region.vert_stride = Region::vxh; }},
    {"R8.6", "kbl", "mov (32|M0) r1.0<1>:uw r[a0.0]<4,1>:uw", "mov (16|M0) r1.0<1>:uw r[a0.0]<4,1>:uw"},
    {"R9.1", "kbl", "endif (8|M0) 16", "endif (8|M0) 16", [](Instruction& i) { i.access_mode = AccessMode::align16; }},
    {"R9.2", "kbl", "mov (8|M0) r10.0<1>:df r12.0<4>:f {Align16}", "mov (4|M0) r10.0<1>:df r12.0<4>:f {Align16}"},
    {"R9.3", "kbl", "add (8|M0) r10.0<1>:f r12.4<4>:f r14.0<4>:f {Align16}",
     "add (8|M0) r10.0<1>:f r12.4<0>:f r14.0<4>:f {Align16}"},
    {"R9.3", "kbl", "mad (8|M0) r10.0<1>:f r12.0<0;0>:f r14.0<4;1>:f r16.0<1>:f",
     "mad (8|M0) r10.0<1>:f r12.0<0;0>:f r14.0<4;1>:f r16.0<1>:f", [](Instruction& i) { i.src[1].subreg = 16; }},
    {"R9.4", "kbl", "add (8|M0) r10.0<1>:hf r11.0<8;8,1>:w r12.0<8;8,1>:w",
     "add (8|M0) r10.0<2>:hf r11.0<8;8,1>:w r12.0<8;8,1>:w"},
    {"R9.4", "bdw", "mov (8|M0) r10.0<1>:w r11.0<8;8,1>:hf", "mov (8|M0) r10.0<2>:w r11.0<8;8,1>:hf"},
    {"R9.5", "kbl", "add (8|M0) r3.0<1>:q r2.0<4;4,1>:q 4:w", "add (8|M0) r2.0<1>:q r2.0<4;4,1>:q 4:w"},
    {"R9.6", "kbl", "add (16|M0) r10.0<1>:d r[a0.0]<8,1>:ud r16.0<8;8,1>:ud",
     "add (16|M0) r10.0<1>:d r[a0.0]<4,1>:ud r16.0<8;8,1>:ud"},
};

}  // namespace

std::span<const RuleCase> gen9_region_cases() { return cases; }

}  // namespace vitro::isa
