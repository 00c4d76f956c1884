// Cases for the rules of declarations (check_declarations.cpp, the readers): documents vISA "Header", and "Operands",
// section variables.
#include "visa/check_cases.h"

namespace vitro::visa {
namespace {

#define N ".decl N v_type=G type="
constexpr CheckCase cases[] = {
    {"VD-01", N "ud num_elts=8 alias=<M, 0>\n.decl M v_type=G type=ud num_elts=8",
     ".decl M v_type=G type=ud num_elts=8\n" N "ud num_elts=8 alias=<M, 0>"},
    {"VD-01", N "ud num_elts=8 alias=<N, 0>", N "ud num_elts=8"},
    {"VD-02", N "v num_elts=8", N "w num_elts=8"},
    {"VD-02", N "bool num_elts=8", N "ub num_elts=8"},
    {"VD-03", N "ub num_elts=0", N "ub num_elts=1"},
    {"VD-03", N "ub num_elts=4097", N "ub num_elts=4096"},
    {"VD-04", N "ud num_elts=1025", N "ud num_elts=1024"},
    {"VD-05", ".decl N v_type=A num_elts=17", ".decl N v_type=A num_elts=16"},
    {"VD-05", ".decl N v_type=A num_elts=0", ".decl N v_type=A num_elts=3"},
    {"VD-06", ".decl N v_type=P num_elts=3", ".decl N v_type=P num_elts=2"},
    {"VD-06", ".decl N v_type=P num_elts=64", ".decl N v_type=P num_elts=32"},
    {"VD-06", ".decl N v_type=P num_elts=0", ".decl N v_type=P num_elts=1"},
    {"VD-07", ".decl N v_type=T num_elts=129", ".decl N v_type=T num_elts=128"},
    {"VD-07", ".decl N v_type=S num_elts=0", ".decl N v_type=S num_elts=1"},
    {"VD-08", N "ud num_elts=8 alias=<SCALAR, 4>", N "ud num_elts=1 alias=<SCALAR, 0>"},
    {"VD-08", N "ud num_elts=8 alias=<D0, 228>", N "ud num_elts=8 alias=<D0, 224>"},
    {"VD-08", N "ud num_elts=8 alias=<ALIAS, 4>", N "ud num_elts=7 alias=<ALIAS, 4>"},
    {"VD-08", N "ud num_elts=8 alias=<%r0, 4>", N "ud num_elts=8 alias=<%r0, 0>"},
    {"VD-09", N "ud num_elts=2 alias=<D0, 6>", N "uw num_elts=2 alias=<D0, 6>"},
    {"VD-10", ".decl M v_type=G type=ud num_elts=4 align=dword\n" N "uq num_elts=2 alias=<M, 0>",
     ".decl M v_type=G type=ud num_elts=4 align=qword\n" N "uq num_elts=2 alias=<M, 0>"},
    {"VD-11", N "ud num_elts=8\n.input N offset=64 size=28", N "ud num_elts=8\n.input N offset=64 size=32"},
    {"VD-11", ".input T6 offset=64 size=8", ".input T6 offset=64 size=4"},
    {"VD-12", ".input TSS offset=64 size=4", ".input T6 offset=64 size=4"},
    {"VD-12", ".input T6 offset=64 size=4", ".input S0 offset=64 size=4", kbl,
     [](Object& o) { o.routines[0].inputs.back().id = 3; }},
    {"VD-12", ".input S0 offset=64 size=4", ".input S0 offset=64 size=4", kbl,
     [](Object& o) { o.routines[0].inputs.back().id = 31; }},
    {"VD-13", N "ud num_elts=8\n.input N offset=0 size=32", N "ud num_elts=8\n.input N offset=64 size=32"},
    {"VD-13", N "ud num_elts=8\n.input N offset=4096 size=32", N "ud num_elts=8\n.input N offset=4064 size=32"},
    {"VD-14", N "ud num_elts=4\n.input N offset=40 size=16", N "ud num_elts=3\n.input N offset=52 size=12"},
    {"VD-14", N "ud num_elts=8\n.input N offset=32 size=32", N "ud num_elts=8\n.input N offset=64 size=32"},
    {"VD-15", N "uw num_elts=1\n.implicit_LOCAL_ID N offset=64 size=2\n.input D0 offset=96 size=256",
     N "uw num_elts=1\n.input D0 offset=96 size=256\n.implicit_LOCAL_ID N offset=64 size=2"},
    {"VD-17", "mov (M1, 8) N(0,0)<1> 1:d", N "d num_elts=8\nmov (M1, 8) N(0,0)<1> 1:d"},
    {"VD-17", "(N) mov (M1, 8) D0<1> 1:d", ".decl N v_type=P num_elts=8\n(N) mov (M1, 8) D0<1> 1:d"},
    {"VD-16", ".kernel_attr SLMSize=4\n.kernel_attr SLMSize=4", ".kernel_attr SLMSize=4"},
    {"VD-16", ".kernel_attr SLMSize=3", ".kernel_attr SLMSize=64"},
};
#undef N

}  // namespace

std::span<const CheckCase> declaration_cases() { return cases; }

}  // namespace vitro::visa
