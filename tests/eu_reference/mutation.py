#!/usr/bin/env python3
"""What an instruction computes stands in one expression of semantics.def, so spoiling an expression must make tests fail.

    mutation.py --compiler CXX --flags FLAGS --source SRC --objects DIR --libraries FILES --work DIR

Each mutation changes one row of src/eu/semantics.def, or one line of src/eu/functions.h or num.h, and names the test that must
fail for it. As a test looks at its own instruction only, mutations that share no row, line or test are tried in one
build: what evaluates them is compiled against the altered files and linked with the objects of the test program. Only the
tests named in the round run. A crash or a program that does not build proves nothing. The unaltered files pass first.
Not mutated: conversion, saturation, flags and masks, which stand in no expression; flow control and messages.
"""

import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "mutation"))
import bench  # noqa: E402
from bench import replace_once  # noqa: E402


def sweep(mnemonic, generation="gen9"):
    return f"Every/Sweep.AgreesWithTheReference/{generation}_{mnemonic}"


def channels(name, generation="gen9", suite="Channels"):
    return f"Every/{suite}.{name}/{generation}"


# Row of semantics.def, what stands there, what comes in its place, the test that must notice.
ROWS = [
    ("mov", "a)", "b)", sweep("mov")),
    ("movi", "a)", "a + k.one())", channels("T29_IndexedMoves")),
    ("smov", "a)", "a + k.one())", channels("ScatteredMoves", suite="Scattering")),
    ("dim", "a)", "a + k.one())", channels("DoublePrecisionImmediateMove", "gen6", "ImmediateMoves")),
    ("sel", "a, b))", "b, a))", sweep("sel")),
    ("csel", "a, b))", "b, a))", sweep("csel")),
    ("not_", "~a", "a", sweep("not")),
    ("and_", "a & b", "a | b", sweep("and")),
    ("or_", "a | b", "a ^ b", sweep("or")),
    ("xor_", "a ^ b", "a | b", sweep("xor")),
    ("shr", "k.raw(a)", "a", sweep("shr")),
    ("shl", "shift_left(a", "shift_left(b", sweep("shl")),
    ("asr", "(a,", "(k.raw(a),", sweep("asr")),
    ("cmp", "a, b", "b, a", sweep("cmp")),
    ("cmpn", "holds_unless_nan", "holds", sweep("cmpn")),
    ("bfrev", "reverse_bits(k.raw(a))", "k.raw(a)", sweep("bfrev")),
    ("bfe", "k.is_signed()", "!k.is_signed()", sweep("bfe")),
    ("bfe", "a, b, c", "b, a, c", sweep("bfe")),
    ("bfi1", "a, b", "b, a", sweep("bfi1")),
    ("bfi2", "a, b, c", "a, c, b", sweep("bfi2")),
    ("lzd", "leading_zeros", "count_bits", sweep("lzd")),
    ("fbh", "k.is_signed()", "!k.is_signed()", sweep("fbh")),
    ("fbl", "first_bit_low", "leading_zeros", sweep("fbl")),
    ("cbit", "count_bits", "leading_zeros", sweep("cbit")),
    ("add", "a + b", "a - b", sweep("add")),
    ("addc", "a + b", "a - b", sweep("addc")),
    ("addc", "shift_right(r, k.thirty_two())", "r", channels("CarriesAndBorrows", suite="Carries")),
    ("subb", "a - b", "b - a", sweep("subb")),
    ("subb", "k.borrow(r)", "r", channels("CarriesAndBorrows", suite="Carries")),
    ("mul", "k.product(a, b)", "a * b", sweep("mul", "gen6")),
    ("mul", "k.product(a, b)", "a + b", sweep("mul")),
    ("mac", "k.multiply_accumulate(a, b)", "a * b", channels("T32_HomogeneousDotProduct")),
    ("mac", "k.multiply_accumulate(a, b)", "a * b - k.acc()", channels("WordMacAccumulates")),
    ("mach", "multiply_high(a, b)", "multiply_high(b, a)", channels("MachMakesWholeProducts")),
    ("mach", "shift_right(r, k.thirty_two())", "r", channels("MachMakesWholeProducts")),
    ("avg", "a + b + k.one()", "a + b", sweep("avg")),
    ("frc", "fraction(a)", "a - round_zero(a)", sweep("frc")),
    ("rndu", "round_up", "round_even", sweep("rndu")),
    ("rndd", "round_down", "round_zero", sweep("rndd")),
    ("rnde", "round_even", "round_down", sweep("rnde")),
    ("rndz", "round_zero", "round_down", sweep("rndz")),
    ("sad2", " + abs_difference(k.a2(1), k.b2(1))", "", channels("SumsOfAbsoluteDifferences")),
    ("sada2", " + k.acc()", "", channels("SumsOfAbsoluteDifferences")),
    ("dp4", " + k.a4(3) * k.b4(3)", "", channels("DotProducts")),
    ("dph", "+ k.b4(3)", "+ k.a4(3)", channels("DotProducts")),
    ("dp3", " + k.a4(2) * k.b4(2)", "", channels("DotProducts")),
    ("dp2", " + k.a4(1) * k.b4(1)", "", channels("DotProducts")),
    ("line", "k.tuple(3)", "k.tuple(1)", channels("LinesAndPlanes")),
    ("pln", "k.tuple(1)", "k.tuple(2)", channels("LinesAndPlanes")),
    ("pln", "k.second()", "b", channels("LinesAndPlanes")),
    ("mad", "fma(b, c, a)", "b * c + a", sweep("mad")),
    ("mad", "fma(b, c, a)", "fma(a, b, c)", sweep("mad")),
    ("lrp", "b * a + c", "c * a + b", channels("LinearInterpolation")),
    ("madm", "(b, c, a)", "(a, b, c)", "Every/MacroSteps.MacroMultiplyAddIsFused/gen9"),
]
# The same for the functions, and for a lane's words (num.h): the line is found by the text itself.
LINES = [
    ("eu/num.h", "reverse_bits", "(31 - n)", "(30 - n & 31)", sweep("bfrev")),
    ("eu/functions.h", "first_bit_high", "constant(x, 31)", "constant(x, 30)", sweep("fbh")),
    ("eu/functions.h", "extract_field", "select(inside, all - w, o)", "select(inside, all - w, w)", sweep("bfe")),
    ("eu/functions.h", "insert_field", "into & ~mask", "into & mask", sweep("bfi2")),
    ("eu/functions.h", "abs_difference", "a - b, b - a", "a - b, a - b", channels("SumsOfAbsoluteDifferences")),
    ("eu/functions.h", "fraction", "below_one(r)", "r", sweep("frc")),
    ("eu/functions.h", "fraction", "absolute(r)", "r", sweep("frc")),
    ("eu/num.h", "nearest_even", "d == half && odd", "d == half", sweep("rnde")),
    ("eu/functions.h", "round_even", "copy_sign(nearest_even(a), a)", "nearest_even(a)", sweep("rnde")),
    ("eu/functions.h", "round_up", "copy_sign(ceiling(a), a)", "(ceiling(a) + constant(a, 0))", sweep("rndu")),
]
# What evaluates the expressions, and is built again for each group of mutations.
EVALUATE = ["eu/arithmetic.cpp", "eu/macro.cpp"]


def mutate_row(table, name, old, new):
    lines = table.splitlines(keepends=True)
    rows = [n for n, line in enumerate(lines) if re.match(rf"SEMANTIC(_TEST|_WIDE)?\({name},", line)]
    if len(rows) != 1:
        raise SystemExit(f"mutation: {len(rows)} rows for {name}, expected one")
    lines[rows[0]] = replace_once(lines[rows[0]], old, new, name)
    return "".join(lines)


def mutate_line(text, name, old, new):
    return replace_once(text, old, new, name)


def rounds_of(mutations):
    """Groups mutations so that no row, function or test appears twice in a group."""
    rounds = []
    for mutation in mutations:
        place, test = mutation[1], mutation[4]
        for group in rounds:
            if all(place != m[1] and test != m[4] for m in group):
                group.append(mutation)
                break
        else:
            rounds.append([mutation])
    return rounds


def main():
    machine = bench.Bench(bench.parser(__doc__).parse_args())
    mutations = [("eu/semantics.def", *m) for m in ROWS] + LINES

    def run(name, group, tests):
        texts = {file: machine.text(file) for file in ("eu/semantics.def", "eu/functions.h", "eu/num.h")}
        for file, place, old, new, _ in group:
            mutate = mutate_row if file == "eu/semantics.def" else mutate_line
            texts[file] = mutate(texts[file], place, old, new)
        return machine.run(name, texts, EVALUATE, ":".join(sorted(tests)))

    unaltered = run("unaltered", [], {m[4] for m in mutations})
    if unaltered.problem or unaltered.failed:
        print(f"mutation: the unaltered expressions do not pass: {unaltered}", file=sys.stderr)
        return 1

    groups = rounds_of(mutations)
    outcomes = bench.by_twos(lambda n: run(f"round-{n}", groups[n], {m[4] for m in groups[n]}), range(len(groups)))
    survivors = 0
    for group, outcome in zip(groups, outcomes):
        if outcome.problem:
            print(outcome.problem, *outcome.detail, sep="\n")
        for _, place, old, new, test in group:
            caught = outcome.caught(test)
            survivors += not caught
            print(f"{'caught' if caught else 'MISSED':7} {place:15} {old} -> {new or '(nothing)'}   by {test}")
    print(f"{len(mutations) - survivors} of {len(mutations)} mutations caught in {len(groups)} builds, "
          f"{machine.seconds()}")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
