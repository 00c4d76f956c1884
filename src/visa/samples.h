// Samples of vISA text in the spelling that our writer has: every row of the instruction table, every class of
// operands, region, modifier, mask and type of immediates. For unit tests, seeds of fuzzers and the comparison with
// GenX_IR.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace vitro::visa {

inline constexpr std::string_view sample_declarations =
    ".decl F0 v_type=G type=f num_elts=64 align=hword\n"
    ".decl F1 v_type=G type=f num_elts=64 align=hword\n"
    ".decl F2 v_type=G type=f num_elts=64 align=hword\n"
    ".decl D0 v_type=G type=d num_elts=64 align=hword\n"
    ".decl D1 v_type=G type=d num_elts=64 align=hword\n"
    ".decl U0 v_type=G type=ud num_elts=64 align=hword\n"
    ".decl U1 v_type=G type=ud num_elts=64 align=hword\n"
    ".decl U2 v_type=G type=ud num_elts=256 align=hword\n"
    ".decl W0 v_type=G type=w num_elts=64 align=hword\n"
    ".decl UW0 v_type=G type=uw num_elts=64 align=hword\n"
    ".decl UB0 v_type=G type=ub num_elts=64 align=hword\n"
    ".decl B0 v_type=G type=b num_elts=64 align=hword\n"
    ".decl H0 v_type=G type=hf num_elts=64 align=hword\n"
    ".decl DF0 v_type=G type=df num_elts=32 align=hword\n"
    ".decl Q0 v_type=G type=q num_elts=32 align=hword\n"
    ".decl UQ0 v_type=G type=uq num_elts=32 align=hword\n"
    ".decl SCALAR v_type=G type=d num_elts=1 align=dword\n"
    ".decl WIDE v_type=G type=d num_elts=16 align=wordx32\n"
    ".decl ALIAS v_type=G type=ud num_elts=8 align=hword alias=<D0, 32>\n"
    ".decl MARKED v_type=G type=d num_elts=8 align=GRFx2 attrs={Output, Scope=3}\n"
    ".decl A0 v_type=A num_elts=8\n"
    ".decl A1 v_type=A num_elts=16\n"
    ".decl P1 v_type=P num_elts=16\n"
    ".decl P2 v_type=P num_elts=16\n"
    ".decl P3 v_type=P num_elts=32\n"
    ".decl S0 v_type=S num_elts=1 v_name=S000\n"
    ".decl T6 v_type=T num_elts=1 v_name=T006\n"
    ".decl T7 v_type=T num_elts=4 v_name=T007\n"
    ".input SCALAR offset=32 size=4\n"
    ".input T7 offset=36 size=16\n"
    ".kernel_attr Target=\"3d\"\n"
    ".kernel_attr SimdSize=16\n";

// Without number and comment, one to a line. GenX_IR makes the same code of the text and of our object, and
// prints our text from it.
inline constexpr std::string_view sample_instructions[] = {
    "add (M1, 16) F0(0,0)<1> F1(0,0)<1;1,0> F2(0,0)<1;1,0>",
    "add.sat (M1, 8) F0(0,0)<1> (-)F1(0,0)<8;8,1> (abs)F2(1,0)<8;8,1>",
    "add (M2_NM, 4) D0(1,2)<2> (-abs)D1(0,0)<4;2,2> 0xfffffffd:d",
    "(P1) add (M1, 16) D0(0,0)<1> D1(0,0)<0;1,0> 0x5:w",
    "(!P2.any) add (M5, 8) U0(0,0)<1> U1(0,0)<16;8,2> 0xff:ub",
    "(P3.all) add (M1_NM, 1) D0(0,7)<4> D1(0,0)<0;1,0> 0x3:b",
    "add (M7, 8) Q0(0,0)<1> Q0(2,0)<1;1,0> 0xffffffffffffffff:q",
    "add (M1, 8) DF0(0,0)<1> DF0(0,0)<1;1,0> 0x3ff0000000000000:df",
    "add (M1, 8) H0(0,0)<1> H0(0,0)<1;1,0> 0x3c00:hf",
    "avg (M1, 16) D0(0,0)<1> D1(0,0)<1;1,0> D0(0,0)<1;1,0>",
    "div (M1, 8) F0(0,0)<1> F1(0,0)<1;1,0> F2(0,0)<1;1,0>",
    "dp2 (M1, 8) F0(0,0)<1> F1(0,0)<4;4,1> F2(0,0)<4;4,1>",
    "dp3 (M1, 8) F0(0,0)<1> F1(0,0)<4;4,1> F2(0,0)<4;4,1>",
    "dp4 (M1, 8) F0(0,0)<1> F1(0,0)<4;4,1> F2(0,0)<4;4,1>",
    "dph (M1, 8) F0(0,0)<1> F1(0,0)<4;4,1> F2(0,0)<4;4,1>",
    "exp (M1, 8) F0(0,0)<1> F1(0,0)<1;1,0>",
    "frc (M1, 8) F0(0,0)<1> F1(0,0)<1;1,0>",
    "line (M1, 8) F0(0,0)<1> F1(0,0)<0;1,0> F2(0,0)<1;1,0>",
    "log (M1, 8) F0(0,0)<1> F1(0,0)<1;1,0>",
    "mad (M1, 8) F0(0,0)<1> F1(0,0)<1;1,0> F2(0,0)<1;1,0> F0(0,0)<1;1,0>",
    "mulh (M1, 8) U0(0,0)<1> U1(0,0)<1;1,0> U0(0,0)<1;1,0>",
    "lrp (M1, 8) F0(0,0)<1> F1(0,0)<1;1,0> F2(0,0)<1;1,0> F0(0,0)<1;1,0>",
    "mod (M1, 8) D0(0,0)<1> D1(0,0)<1;1,0> D0(0,0)<1;1,0>",
    "mul (M1, 16) D0(0,0)<1> D1(0,0)<1;1,0> 0x7:w",
    "pow (M1, 8) F0(0,0)<1> F1(0,0)<1;1,0> F2(0,0)<1;1,0>",
    "rndd (M1, 8) F0(0,0)<1> F1(0,0)<1;1,0>",
    "rndu (M1, 8) F0(0,0)<1> F1(0,0)<1;1,0>",
    "rnde (M1, 8) F0(0,0)<1> F1(0,0)<1;1,0>",
    "rndz (M1, 8) F0(0,0)<1> F1(0,0)<1;1,0>",
    "sad2 (M1, 16) UW0(0,0)<1> UB0(0,0)<1;1,0> UB0(1,0)<1;1,0>",
    "sad2add (M1, 16) UW0(0,0)<1> UB0(0,0)<1;1,0> UB0(1,0)<1;1,0> UW0(1,0)<1;1,0>",
    "sin (M1, 8) F0(0,0)<1> F1(0,0)<1;1,0>",
    "cos (M1, 8) F0(0,0)<1> F1(0,0)<1;1,0>",
    "sqrt (M1, 8) F0(0,0)<1> F1(0,0)<1;1,0>",
    "rsqrt (M1, 8) F0(0,0)<1> F1(0,0)<1;1,0>",
    "inv (M1, 8) F0(0,0)<1> F1(0,0)<1;1,0>",
    "lzd (M1, 8) U0(0,0)<1> U1(0,0)<1;1,0>",
    "min (M1, 16) F0(0,0)<1> F1(0,0)<1;1,0> 0x3f800000:f",
    "max.sat (M1, 16) F0(0,0)<1> F1(0,0)<1;1,0> 0x0:f",
    "addc (M1, 8) U0(0,0)<1> U1(0,0)<1> U0(1,0)<1;1,0> U1(1,0)<1;1,0>",
    "subb (M1, 8) U0(0,0)<1> U1(0,0)<1> U0(1,0)<1;1,0> U1(1,0)<1;1,0>",
    "plane (M1, 8) F0(0,0)<1> F1(0,0)<0;4,1> F2(0,0)<1;1,0>",
    "sqrtm (M1, 8) F0(0,0)<1> F1(0,0)<1;1,0>",
    "divm (M1, 8) F0(0,0)<1> F1(0,0)<1;1,0> F2(0,0)<1;1,0>",
    "and (M1, 16) D0(0,0)<1> (~)D1(0,0)<1;1,0> 0xff:d",
    "or (M1, 16) P1 P1 P2",
    "xor (M1, 16) P1 P1 P2",
    "and (M1, 16) P1 P1 P2",
    "not (M1, 16) P2 P1",
    "or (M1, 8) UQ0(0,0)<1> UQ0(0,0)<1;1,0> 0x1:uq",
    "xor (M1, 16) UW0(0,0)<1> UW0(0,0)<1;1,0> 0xffff:uw",
    "not (M1, 16) D0(0,0)<1> D1(0,0)<1;1,0>",
    "shl (M1, 16) D0(0,0)<1> D1(0,0)<1;1,0> 0x2:d",
    "shr (M1, 16) U0(0,0)<1> U1(0,0)<1;1,0> 0x2:ud",
    "asr (M1, 16) D0(0,0)<1> D1(0,0)<1;1,0> 0x2:d",
    "cbit (M1, 16) U0(0,0)<1> U1(0,0)<1;1,0>",
    "fbl (M1, 16) U0(0,0)<1> U1(0,0)<1;1,0>",
    "fbh (M1, 16) U0(0,0)<1> U1(0,0)<1;1,0>",
    "bfe (M1, 8) U0(0,0)<1> 0x8:ud 0x4:ud U1(0,0)<1;1,0>",
    "bfi (M1, 8) U0(0,0)<1> 0x8:ud 0x4:ud U1(0,0)<1;1,0> U0(1,0)<1;1,0>",
    "bfrev (M1, 8) U0(0,0)<1> U1(0,0)<1;1,0>",
    "addr_add (M1_NM, 1) A0(0)<1> &D0 0x10:uw",
    "addr_add (M1_NM, 1) A0(1)<1> &D0[36] UW0(0,0)<0;1,0>",
    "addr_add (M1_NM, 8) A1(0)<8> A0(0)<8> UW0(0,0)<1;1,0>",
    "mov (M1, 8) D0(0,0)<1> r[A0(0),-16]<8;8,1>:d",
    "mov (M1, 8) D0(0,0)<1> r[A1(0),0]<1,0>:d",
    "mov (M1, 8) D0(0,0)<1> r[A1(2),4]<4,1>:d",
    "mov (M1, 8) r[A0(0),32]<1>:d D0(0,0)<1;1,0>",
    "mov (M1_NM, 8) A1(0)<8> UW0(0,0)<1;1,0>",
    "mov (M1_NM, 8) UW0(0,0)<1> A1(0)<8>",
    "mov (M1_NM, 1) UW0(0,0)<1> P1",
    "mov.sat (M1, 16) UB0(0,0)<4> F1(0,0)<1;1,0>",
    "mov (M1_NM, 8) W0(0,0)<1> 0x76543210:v",
    "mov (M1_NM, 8) UW0(0,0)<1> 0x76543210:uv",
    "mov (M1_NM, 4) F0(0,0)<1> 0x30200000:vf",
    "mov (M3, 8) WIDE(1,0)<1> ALIAS(0,0)<1;1,0>",
    "mov (M5, 16) B0(0,0)<1> B0(0,0)<32;16,2>",
    "mov (M8_NM, 4) D0(0,0)<1> %r0(0,4)<4;4,1>",
    "(P1) sel (M1, 16) F0(0,0)<1> F1(0,0)<1;1,0> F2(0,0)<1;1,0>",
    "setp (M1, 16) P1 D0(0,0)<1;1,0>",
    "cmp.eq (M1, 16) P1 F0(0,0)<1;1,0> F1(0,0)<1;1,0>",
    "cmp.ne (M1, 16) D0(0,0)<1> D1(0,0)<1;1,0> 0x0:d",
    "cmp.gt (M1, 16) P1 D0(0,0)<1;1,0> 0x1:d",
    "cmp.ge (M1, 16) P1 D0(0,0)<1;1,0> 0x1:d",
    "cmp.lt (M1, 16) P1 D0(0,0)<1;1,0> 0x1:d",
    "cmp.le (M6_NM, 4) P3 D0(0,0)<1;1,0> 0x1:d",
    "movs (M1_NM, 1) T6(0) 0x2:ud",
    "movs (M1_NM, 1) T7(0) SCALAR(0,0)<0;1,0>",
    "movs (M1_NM, 1) S0(0) 0x1:ud",
    "barrier",
    "sampler_cache_flush",
    "fence_global.E",
    "fence_global.EISCR",
    "fence_local",
    "fence_sw",
    "yield",
    "lifetime.start D1",
    "lifetime.end D1",
    "raw_send (M1, 8) 0xa 1 1  0x2106e00:ud U0.0 U1.0",
    "raw_sendc (M1, 8) 0xa 1 1  0x2106e00:ud U0.0 U1.0",
    "oword_ld (2) T6 0x10:ud U0.0",
    "oword_ld_unaligned (4) T6 U0(0,0)<0;1,0> U1.0",
    "oword_st (8) T6 U0(0,0)<0;1,0> U2.0",
    "media_ld.nomod (16,4) T6 0 U0(0,0)<0;1,0> U0(0,1)<0;1,0> U1.0",
    "media_st.nomod (32,2) T6 0 0x0:ud 0x8:ud U1.0",
    "gather.4 (M1, 8) T6 0x0:ud U0.0 U1.0",
    "scatter.1 (M1, 16) T6 0x0:ud U0.0 U2.0",
    "gather4_typed.RG (M1, 8) T6 U0.0 U1.0 %null.0 %null.0 U2.0",
    "scatter4_typed.RGBA (M1, 8) T6 U0.0 U1.0 %null.0 %null.0 U2.0",
    "(P1) gather4_scaled.RGBA (M1, 16) T6 0x0:ud U0.0 U2.0",
    "scatter4_scaled.R (M1, 16) T6 0x10:ud U0.0 U1.0",
    "gather_scaled.2 (M1, 16) T6 0x0:ud U0.0 U2.0",
    "scatter_scaled.1 (M1, 8) %slm 0x0:ud U0.0 U2.0",
    "dword_atomic.add (M1, 8) T6 U0.0 U1.0 %null.0 U2.0",
    "dword_atomic.cmpxchg (M1, 8) %slm U0.0 U1.0 U1.32 %null.0",
    "dword_atomic.fmax (M1, 8) T6 U0.0 F0.0 %null.0 F1.0",
    "typed_atomic.inc (M1, 8) T6 U0.0 U1.0 %null.0 %null.0 %null.0 %null.0 U2.0",
    "svm_block_ld (4) UQ0(0,0)<0;1,0> U0.0",
    "svm_block_st (8) UQ0(0,1)<0;1,0> U2.0",
    "svm_gather.4.1 (M1, 8) UQ0.0 U0.0",
    "svm_gather.1.2 (M1, 8) UQ0.0 U0.0",
    "(!P1) svm_scatter.8.1 (M1, 8) UQ0.0 Q0.0",
    "svm_atomic.add (M1, 8) UQ0.0 U0.0 U1.0 %null.0",
    "svm_atomic.cmpxchg.64 (M1, 8) UQ0.0 Q0.0 Q0.64 Q0.128",
    "svm_gather4scaled.RGB (M1, 8) 0x0:ud UQ0.0 U2.0",
    "svm_scatter4scaled.RGB (M1, 8) 0x0:ud UQ0.0 U2.0",
    "sample_3d.RGBA (M1, 16)  0x0:uw S0 T6 U2.0 F0.0 F1.0",
    "sample_b.RGBA (M1, 8)  0x0:uw S0 T6 U2.0 F0.0 F1.0 F2.0",
    "sample_l.RG (M1, 16)  0x0:uw S0 T6 U2.0 F0.0 F1.0 F2.0",
    "sample_c.R (M1, 16)  0x0:uw S0 T6 U2.0 F0.0 F1.0 F2.0",
    "sample_d.RGBA (M1, 8)  0x0:uw S0 T6 U2.0 F0.0 F0.32 F0.64 F1.0 F1.32 F1.64",
    "sample_b_c.R (M1, 8)  0x0:uw S0 T6 U2.0 F0.0 F1.0 F2.0 F0.32",
    "sample_l_c.R (M1, 8)  0x0:uw S0 T6 U2.0 F0.0 F1.0 F2.0 F0.32",
    "sample_d_c.R (M1, 8)  0x0:uw S0 T6 U2.0 F0.0 F0.32 F0.64 F1.0 F1.32 F1.64 F2.0",
    "sample_lz.RGBA (M1, 16)  0x123:uw S0 T6 U2.0 F0.0 F1.0",
    "sample_c_lz.R (M1, 16)  0x0:uw S0 T6 U2.0 F0.0 F1.0 F2.0",
    "load_3d.RGBA (M1, 16)  0x0:uw T6 U2.0 U0.0 U1.0",
    "load_lz.RGBA (M1, 16)  0x0:uw T6 U2.0 U0.0 U1.0",
    "load_2dms_w.RGBA (M1, 8)  0x0:uw T6 U2.0 U0.0 U0.32 U0.64 U1.0 U1.32",
    "load_mcs.RG (M1, 8)  0x0:uw T6 U2.0 U0.0 U1.0",
    "sample4.R (M1, 8) 0x0:uw S0 T6 U2.0 F0.0 F1.0",
    "sample4_c.G (M1, 8) 0x0:uw S0 T6 U2.0 F0.0 F1.0 F2.0",
    "sample4_po.B (M1, 8) 0x0:uw S0 T6 U2.0 F0.0 F1.0 F2.0",
    "sample4_po_c.A (M1, 8) 0x0:uw S0 T6 U2.0 F0.0 F1.0 F2.0 F0.32",
    "resinfo.RGBA (M1, 8)  T6 U0.0 U2.0",
    "sampleinfo.R (M1, 8)  T6 U2.0",
    "sample.RGBA (8) S0 T6 F0.0 F1.0 F2.0 U2.0",
    "load.RG (8) T6 F0.0 F1.0 F2.0 U2.0",
    "ret (M1, 1)",
};

// These in a kernel each, since they end it, jump, or ask something of GenX_IR that it does otherwise: what it does as
// we do, and why not all of it.
inline constexpr uint8_t same_code = 1;   // from text and from our object
inline constexpr uint8_t same_print = 2;  // our text from our object
struct SingleSample {
  std::string_view text;
  uint8_t genx_ir;
};
inline constexpr SingleSample single_samples[] = {
    {"addr_add (M1_NM, 1) A0(1)<1> &T7[2] 0x2:uw", same_code},        // prints bytes for elements
    {"svm_block_ld.unaligned (4) UQ0(0,0)<0;1,0> U0.0", 0},           // has no word for it
    {"lod.RG (M1, 8)  0x0:uw S0 T6 U2.0 F0.0 F1.0", same_print},      // its text has no such instruction
    {"dword_atomic.predec (M1, 8) T6 U0.0 %null.0 %null.0 U2.0", 0},  // has no word for it
    {"mov (M1, 8) D0(0,0)<1> r[A1(0),0]<1>:d", same_print},  // makes two instructions of the text, one of the object
    {"sample_3d.pixel_null_mask.cps.RGBA (M1, 8)  0x0:uw S0 T6 U2.0 F0.0", same_code | same_print},
    {"sample_3d.pixel_null_mask.cps.divS.RGBA (M1, 8)  0x0:uw S0 T6 U2.0 F0.0", same_code},  // prints no .divS
    {"oword_ld.mod (2) T6 0x10:ud U0.0", same_code},                                         // prints no .mod
    {"gather.4 (M1, 8).mod T6 0x0:ud U0.0 U1.0", same_code},
    {"typed_atomic.max.16 (M1, 8) T6 U0.0 U1.0 %null.0 %null.0 U0.0 %null.0 U2.0", same_code | same_print},
    {"media_ld.top_mod (16,4) T6 2 0x0:ud 0x0:ud U1.0", same_code | same_print},
    {"wait 0x0:uw", same_code | same_print},
    {"sbarrier.signal", same_code | same_print},
    {"sbarrier.wait", same_code | same_print},
    {"fence_local.EL1", same_code | same_print},
    {"raw_sends.4.1.1.1 (M1, 8)  0xc:ud 0x2106e00:ud U0.0 U1.0 U2.0", same_code | same_print},
    {"raw_sendsc.1.1.1 (M1, 8)  0xc:ud 0x2106e00:ud U0.0 U1.0 U2.0", same_code},     // prints an SFID of 0
    {"raw_sendsc.7.1.1.1 (M1, 8)  0xc:ud 0x2106e00:ud U0.0 U1.0 U2.0", same_print},  // its text has no SFID here
    {"raw_sends_eot.4.1.1.0 (M1, 8)  0xc:ud 0x2106e00:ud U0.0 U1.0 %null.0",
     same_code},  // prints another spelling, which we read too
    {"raw_sendsc_eot.1.1.0 (M1, 8)  0xc:ud 0x2106e00:ud U0.0 U1.0 %null.0", same_code},
    {"FILE \"a file \\\"of mine\\\".c\"", same_code | same_print},
    {"LOC 12", same_code | same_print},
    {"lifetime.start P1", same_code | same_print},
    {"lifetime.end A0", same_code | same_print},
    {"ifcall (M1, 16) UQ0(0,0)<0;1,0> 2 1", same_code | same_print},
    {"faddr something UQ0(0,0)<1>", same_code | same_print},
    {"faddr \"some.thing\" UQ0(0,0)<1>", same_code | same_print},
    {"fcall (M1, 16) callee 2 1", same_print},  // wants the function to compile it
    {"fret (M1, 16)", same_code | same_print},
    {"switchjmp (M1, 1) D0(0,0)<0;1,0> (here, there)", same_code},  // renumbers labels
    {"jmp (M1, 1) here", same_code | same_print},
    {"(P1) goto (M1, 16) there", same_code | same_print},
    {"call (M1, 16) inner", same_code | same_print},
    {"fccall (M1, 16) outer", same_code},
    {"sample_unorm.RGBA.16-full S0 T6 0x0:f 0x0:f 0x0:f 0x0:f U2.0", same_code | same_print},
    {"avs.RGBA T6 S0 0x0:f 0x0:f 0x0:f 0x0:f 0x0:f 0x0:ud 0x0:ud AVS_16_FULL 0x0:f AVS_16x8 0x0:ud U2.0",
     0},                                                                    // its compiler does not end
    {"va.convolve T6 S0 0x0:f 0x0:f VA_CONV_16x1 15x15 U2.0", same_print},  // its text has no VA instructions
    {"va.convolve T6 S0 0x0:f 0x0:f VA_CONV_16x4 31x31 U2.0", 0},           // prints 15x15, but compiles 31x31
    {"va.minmax T6 0x0:f 0x0:f U0(0,0)<0;1,0> U2.0", same_print},
    {"va.minmax T6 0x0:f 0x0:f 0x1:uw U2.0", 0},  // prints a word without its type
    {"va.minmaxfilter T6 S0 0x0:f 0x0:f AVS_8_FULL VA_MMF_16x1 0x2:uw U2.0", same_print},
    {"va.erode T6 S0 0x0:f 0x0:f VA_ED_32x1 U2.0", same_print},
    {"va.dilate T6 S0 F0(0,1)<0;1,0> F0(0,2)<0;1,0> VA_ED_64x4 U2.0", same_print},
    {"va.boolcentroid T6 0x0:f 0x0:f 0x8:ub 0x4:ub U2.0", same_print},
    {"va.centroid T6 0x0:f 0x0:f 0x8:ub U2.0", same_print},
    {"va_skl_plus.CONV_1D_HORIZONTAL T6 S0 0x0:f 0x0:f 4x16 U2.0", same_print},
    {"va_skl_plus.CONV_1D_VERTICAL T6 S0 0x0:f 0x0:f 1x16 U2.0", same_print},
    {"va_skl_plus.CONV_1PIXEL T6 S0 0x0:f 0x0:f 1x1 U0.0 U2.0", same_print},
    {"va_skl_plus.FLOOD_FILL 8_connect U0.0 0x1:uw 0x2:uw 0x3:uw U2.0", same_print},
    {"va_skl_plus.LBP_CREATION T6 0x0:f 0x0:f VA_BOTH_mode U2.0", same_print},
    {"va_skl_plus.LBP_CORRELATION T6 0x0:f 0x0:f 0x1:uw U2.0", same_print},
    {"va_skl_plus.CORRELATION_SEARCH T6 0x0:f 0x0:f 0x1:uw 0x2:uw 0x3:ub 0x4:ub 0x5:ub 0x6:ub U2.0",
     0},  // its compiler does not end
    {"va_skl_plus.HDC_CONVOLVE_2D T6 S0 0x0:f 0x0:f VA_Y8_FORMAT 31x31 T7 0x1:uw 0x2:uw", same_print},
    {"va_skl_plus.HDC_MIN_MAX_FILTER T6 S0 0x0:f 0x0:f VA_Y8_FORMAT VA_MIN_ENABLE T7 0x1:uw 0x2:uw", same_print},
    {"va_skl_plus.HDC_ERODE T6 S0 0x0:f 0x0:f T7 0x1:uw 0x2:uw", same_print},
    {"va_skl_plus.HDC_DILATE T6 S0 0x0:f 0x0:f T7 0x1:uw 0x2:uw", same_print},
    {"va_skl_plus.HDC_LBP_CORRELATION T6 0x0:f 0x0:f 0x3:uw T7 0x1:uw 0x2:uw", same_print},
    {"va_skl_plus.HDC_LBP_CREATION T6 0x0:f 0x0:f VA_3x3_mode T7 0x1:uw 0x2:uw", same_print},
    {"va_skl_plus.HDC_CONVOLVE_1D_H T6 S0 0x0:f 0x0:f VA_Y16_FORMAT T7 0x1:uw 0x2:uw", same_print},
    {"va_skl_plus.HDC_CONVOLVE_1D_V T6 S0 0x0:f 0x0:f VA_Y8_FORMAT T7 0x1:uw 0x2:uw", same_print},
    {"va_skl_plus.HDC_CONVOLVE_1P T6 S0 0x0:f 0x0:f VA_Y16_FORMAT U0.0 T7 0x1:uw 0x2:uw", same_print},
    {"rt_write_3d (M1, 8) T6 %null.0 F0.0 F0.32 F0.64 F1.0", same_code | same_print},
    {"rt_write_3d.<RTI><A><O><Z><ST><CPS><SI> (M1, 8) T6 U0.0 0x1:ud 0x2:ud 0x3:ud F2.0 F2.32 F0.0 F0.32 F0.64 F1.0 "
     "F1.32 F1.64",
     same_print},  // its text loses <SI>
    {"urb_write_3d (M1, 8) 2 3 %null.0 U0.0 %null.0 U2.0", same_code | same_print},
    {"vme_ime (1,3) T6  U0.0 U1.0 U2.0 U2.32 U2.64 U0.32", same_code},  // prints other blanks
    {"vme_sic T6  U0.0 U1.0 U2.0", same_code | same_print},
    {"vme_fbr (0x1:ud,0x2:ud,0x3:ud) T6  U0.0 U1.0 U2.0", same_code},
    {"vme_idm T6  U0.0 U1.0 U2.0", 0},  // its text has no such instruction, and it prints vme_sic
};

inline std::vector<std::string_view> all_samples() {
  std::vector<std::string_view> all(std::begin(sample_instructions), std::end(sample_instructions));
  for (const SingleSample& s : single_samples) all.push_back(s.text);
  return all;
}

// A kernel of one instruction, with labels and a subroutine for those that want them; as the writer prints it, but for
// comments.
inline std::string sample_kernel(std::string_view instruction) {
  std::string text = ".version 4.1\n.kernel \"k\"\n\n";
  text += sample_declarations;
  if (text.back() == '\n') text.pop_back();
  text += "    \n.function \"main\"\n\nmain:\n\nhere:\n    ";
  text += instruction;
  text += "\n\nthere:\n    ret (M1, 1)\n    \n.function \"inner\"\n\ninner:\n    ret (M1, 16)\n";
  return text;
}

}  // namespace vitro::visa
