// Cases for the register region restrictions of Gen6 (validate_gen6.cpp).
#include "isa/validate_cases.h"

namespace vitro::isa {
namespace {

constexpr RuleCase cases[] = {
    {"RG-1", "snb", "mov (32) r1.0<1>:f r4.0<0;1,0>:f", "mov (32) r1.0<1>:ub r4.0<16;16,1>:ub {NoMask}"},
    {"RG-2", "snb", nullptr, "mov (16) r10.0<1>:w r5.0<1;8,2>:w"},
    {"RG-3", "snb", "mov (4) r1.0<1>:f r2.0<8;8,1>:f", "mov (8) r1.0<1>:f r2.0<8;8,1>:f"},
    {"RG-4", "snb", "mov (8) r1.0<1>:f r2.0<4;8,1>:f", "mov (8) r1.0<1>:f r2.0<4;4,1>:f"},
    {"RG-5", "snb", nullptr, "mov (8) r1.0<1>:f r2.0<4;8,0>:f"},
    {"RG-6", "snb", "mov (8) r1.0<1>:f r2.0<1;1,1>:f", "mov (8) r1.0<1>:f r2.0<1;1,0>:f"},
    {"RG-7", "snb", "mov (1) r1.0<1>:f r2.0<1;1,0>:f", "mov (1) r1.0<1>:f r2.0<0;1,0>:f"},
    {"RG-8", "snb", "mov (8) r1.0<1>:f r2.0<0;4,0>:f", "mov (8) r1.0<1>:f r2.0<0;4,1>:f"},
    {"RG-9", "snb", "mov (8) r1.4<1>:f r2.0<8;8,1>:f", "mov (8) r1.0<1>:f r2.0<8;8,1>:f"},
    {"RG-9", "snb", "mov (16) r1.8<1>:w r2.0<16;16,1>:w", "mov (16) r1.0<2>:w r2.0<8;8,1>:d"},
    {"RG-9.1", "snb", "mov (16) r1.4<1>:f r2.0<8;8,1>:f", "mov (16) r1.0<1>:f r2.0<8;8,1>:f"},
    {"RG-10.1", "snb", nullptr, "mov (8) r1.2<1>:ub r2.0<8;8,1>:ub {NoMask}"},
    {"RG-10.1.1", "snb", "mov (4) r1.1<2>:w r2.0<4;4,1>:d", "mov (4) r1.2<2>:w r2.0<4;4,1>:d"},
    {"RG-10.1.2", "snb", "mov (8) r1.0<1>:w r2.0<8;8,1>:f", "mov (8) r1.0<2>:w r2.0<8;8,1>:f"},
    {"RG-10.2", "snb", "mov (1) r1.0<0>:f r2.0<0;1,0>:f", "mov (1) r1.0<1>:f r2.0<0;1,0>:f"},
    {"RG-10.3", "snb", "add (8) r1.0<1>:ub r2.0<8;8,1>:ub r3.0<8;8,1>:ub",
     "mov (8) r1.0<1>:ub r2.0<8;8,1>:ub {NoMask}"},
    {"RG-10.3", "snb", "(f0.0) sel (8) r1.0<1>:ub r2.0<8;8,1>:ub r3.0<8;8,1>:ub",
     "(f0.0) sel (8) r1.0<2>:ub r2.0<8;8,1>:ub r3.0<8;8,1>:ub"},
    {"RG-10.4", "snb", "mov (4) r1.5<1>:w r2.14<4;4,1>:w", "mov (4) r1.6<1>:w r2.14<4;4,1>:w"},
    {"RG-10.4.1", "snb", nullptr, "mov (4) r1.0<1>:w r2.14<4;4,1>:w"},
    {"RG-10.4.2", "snb", nullptr, "mov (4) r1.12<1>:w r2.14<4;4,1>:w"},
    {"RG-10.4.3", "snb", nullptr, "mov (4) r1.6<1>:w r2.14<4;4,1>:w"},
    {"RG-10.5", "snb", "mov (16) r1.0<1>:f r2.4<8;8,1>:w", "mov (16) r1.0<1>:f r2.8<8;8,1>:w"},
    {"RG-10.6", "snb", nullptr, "mov (8) r1.1<2>:b r2.0<8;8,1>:w"},
    {"RG-10.6.1", "snb", "mov (4) r1.2<4>:b r2.0<4;4,1>:d", "mov (4) r1.1<4>:b r2.0<4;4,1>:d"},
    {"RG-10.6.2", "snb", "mov (8) r1.0<2>:b r2.0<8;8,1>:d", "mov (8) r1.0<4>:b r2.0<8;8,1>:d"},
    {"RG-11", "snb", "mov (16) r1.0<1>:f r2.4<8;8,1>:f", "mov (16) r1.0<1>:f r2.0<8;8,1>:f"},
    {"RG-12.1", "snb", "add (8) r1.0<1>:f r2.0<8;8,1>:f r[a0.0]<4,1>:f",
     "add (8) r1.0<1>:f r[a0.0]<4,1>:f r2.0<8;8,1>:f"},
    {"RG-12.2", "snb", "mov (8) r[a0.0]<1>:f r2.0<8;8,1>:f", "mov (8) r[a0.0]<1>:f r2.0<8;8,1>:f",
     [](Instruction& i) { i.dst.region.vert_stride = Region::vxh; }},
    {"RG-12.3", "snb", "mov (16) r1.0<1>:f r[a0.0]<8;8,1>:f", "mov (16) r1.0<1>:w r[a0.0]<8;8,1>:w"},
    {"RG-12.3", "snb", "mov (8) r1.0<1>:f r[a0.0]<4,4>:f", "mov (8) r1.0<1>:f r[a0.0]<4,2>:f"},
    {"RG-12.3.1", "snb", nullptr, "mov (16) r0.0<1>:uw r[a0.0]<2,2>:uw"},
    {"RG-13", "snb", "mov (8) r1.0<1>:ub r2.0<8;8,1>:ub", "mov (8) r1.0<1>:ub r2.0<8;8,1>:ub {NoMask}"},
};

}  // namespace

std::span<const RuleCase> gen6_region_cases() { return cases; }

}  // namespace vitro::isa
