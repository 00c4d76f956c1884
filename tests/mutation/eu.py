#!/usr/bin/env python3
"""Spoils what the EU does around its arithmetic, one thing at a time, and demands that a unit test notices.

    eu.py --compiler CXX --flags FLAGS --source SRC --objects DIR --libraries FILES --work DIR [NUMBER...]

Each mutation replaces one piece of text in a file of src/eu by another: flow control, predicates, exceptions, registers,
messages, operands. The file is compiled again, without optimising, and linked with the objects of the EU's unit tests in
place of its own. At least one test must fail; a program that does not build proves nothing. Tests that need the compiler
are left out: it is not there, and would say nothing of the interpreter. The expressions of semantics.def are spoiled in
tests/eu_reference.
"""

import sys

import bench

# (file and source file to compile again, text, replacement)
MUTATIONS = [
    ("flow.cpp", "!yes, *p.park_ip, jip(p));", "!yes, p.next_ip, jip(p));"),
    ("flow.cpp", "away, away, *p.park_ip, jip(p));", "away, away, p.next_ip, jip(p));"),
    ("flow.cpp", "t.call_mask &= ~yes;", ""),
    ("flow.cpp", "park(t, t.active & ~channels, p.next_ip);", "{}"),
    ("flow.cpp", "t.ip = p.next_ip + distance[0];", "t.ip = p.next_ip + distance[1];"),
    ("plan.cpp", "instruction.pred_inv ? ~0u : 0;", "0;"),
    ("conditions.h", "V any = all ? ~bits : bits;", "V any = bits;"),
    ("executor.cpp", "t.active |= 1u << n;", "t.active |= t.dispatched;"),
    ("exception.cpp", "t.cr[2] = return_ip;", "t.cr[2] = return_ip + 16;"),
    ("exception.cpp", "t.cr[0] |= cr_master_exception;", ""),
    ("arf.cpp", "all[k] &= 0xFFF;", "all[k] &= 0xFFFF;"),
    ("arf.cpp", "t.tdr[at] &= 0x7FFF;", "t.tdr[at] = 0;"),
    ("send.cpp", "--t.notify[which];", ""),
    ("send.cpp", "if (d & 0x8000) {", "if (d & 0x4000) {"),
    ("lanes.cpp", "const int row = per_row ? l / o.region.width : 0;", "const int row = 0;"),
    ("flow.cpp", "predicate_mask(t, p) << p.channel | ~lanes;", "~0u;"),
    ("plan.cpp", "return p.instruction.branch_ctrl ? uip : jip;", "return jip;"),
    ("macro.cpp", "set_flags(x, p, early_out, mask);", "set_flags(x, p, ~0u, mask);"),
    ("macro.cpp", "decided(a.value) || decided(b.value)", "decided(b.value)"),
    ("macro.cpp", "root ? std::sqrt(a.value) : a.value / b.value", "root ? 1 / std::sqrt(a.value) : a.value / b.value"),
    ("macro.cpp", "x.thread.mme[p.instruction.dst.chan_en]", "x.thread.mme[p.instruction.dst.chan_en ^ 1]"),
    ("macro.cpp", "Extended<T>::count_of(x.thread.mme[number][size_t(lane)])", "0"),
    ("macro.cpp", ", 24)) - 1, -24)", ", 24)), -24)"),
    ("extended.h", "rest > half || (rest == half && (m.mantissa & 1))", "rest >= half"),
    ("extended.h", "if (!extended) unit =", "if (false) unit ="),
    ("extended.h", "x.mantissa < y.mantissa", "false"),
    ("extended.h", "mantissa >> n | uint128(rest != 0)", "mantissa >> n"),
    ("plan.cpp", "s.imm[0] = i.imm;", "s.imm[0] = i.imm + 1;"),
    ("plan.cpp", "if (i.exec_size * stride > 16 || stride <= size) return;", "return;"),
    ("plan.cpp", "if (i.exec_size * stride > 16 || stride <= size) return;", "if (stride <= size) return;"),
    ("accumulators.h", "type == isa::Type::f || type == isa::Type::hf ? p.channel : 0;", "p.channel;"),
    ("accumulators.h", "type == isa::Type::f || type == isa::Type::hf ? p.channel : 0;", "0;"),
    ("functions.h", "constant(a, INT32_MIN), constant(a, INT32_MAX)", "constant(a, INT32_MAX), constant(a, INT32_MIN)"),
    ("modifiers.h", "t == isa::Type::hf ? uint32_t(cr_keep_half_denorms)", "t == isa::Type::hf ? uint32_t(cr_keep_float_denorms)"),
    ("modifiers.h", "select(v < constant(v, 1), v, constant(v, 1))", "v"),
    ("context.h", "wide ? 63 : 31", "63"),
    ("send.cpp", "a0[0] & x.program.model().register_descriptor_bits", "a0[0]"),
]
# What compiles a header again.
INCLUDERS = {
    "accumulators.h": ["eu/arithmetic.cpp"],
    "conditions.h": ["eu/executor.cpp"],
    "context.h": ["eu/arithmetic.cpp"],
    "extended.h": ["eu/macro.cpp"],
    "functions.h": ["eu/arithmetic.cpp", "eu/math.cpp"],
    "modifiers.h": ["eu/arithmetic.cpp", "eu/rows.cpp"],
}


def main():
    parser = bench.parser(__doc__)
    parser.add_argument("numbers", nargs="*", type=int, help="only these mutations")
    options = parser.parse_args()
    machine = bench.Bench(options, ["-O0"])
    machine.demand_soundness(["eu/flow.cpp"])

    def run(job):
        number, (name, text, replacement) = job
        original = machine.text(f"eu/{name}")
        if text not in original:
            return bench.Outcome("the text to replace is not there")
        altered = {f"eu/{name}": original.replace(text, replacement, 1)}
        return machine.run(str(number), altered, [f"eu/{name}"] if name.endswith(".cpp") else INCLUDERS[name])

    chosen = [(n, m) for n, m in enumerate(MUTATIONS) if not options.numbers or n in options.numbers]
    missed = 0
    for (number, mutation), outcome in zip(chosen, bench.by_twos(run, chosen)):
        caught, failed = outcome.caught(), sorted(outcome.failed)
        missed += not caught
        detail = f"{len(failed)} tests fail, {failed[0]} first" if caught else f"{outcome.problem} {outcome.detail}"
        print(f"{'caught' if caught else 'MISSED'} {number:2} {mutation[0]}: {mutation[1]} -> {mutation[2]}: {detail}")
    print(f"{len(chosen) - missed} passed, {missed} failed")
    print(machine.seconds())
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
