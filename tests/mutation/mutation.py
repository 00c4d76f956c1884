#!/usr/bin/env python3
"""A row of the opcode table is the only place where an opcode is described, so spoiling a row must make tests fail.

    mutation.py --compiler CXX --flags FLAGS --source SRC --objects DIR --libraries FILES --work DIR

Ten rows of src/isa/opcodes.def are dropped or altered, one at a time. For each, the table (opcode.cpp) is compiled again
against the altered file and linked with the objects of the isa unit tests in its place. At least one test must say that
it failed: a crash or a program that does not build proves nothing. The unaltered table must pass first. The tests of
random instructions are left out: they take their expectations from the table and their time from the clock.

Dropping a row keeps its enumerator (it moves to generations that do not exist), because other files name it.
Not mutated: the type columns' sets and the math table, which opcode_test.cpp states a second time as well.
"""

import re
import sys

import bench

# What is done to which row: (mnemonic, generations column of the row, column to change, new value).
# Columns: 0 enumerator, 1 mnemonic, 2 code, 3 generations, 4 format, 5 attributes, 6 types, 7 title.
NOWHERE = "Generations{0}"
MUTATIONS = [
    ("dropped", "bfrev", "G89", 3, NOWHERE),
    ("dropped", "nenop", "G6", 3, NOWHERE),
    ("lost on Gen6", "mul", "G689", 3, "G89"),
    ("other code", "asr", "G689", 2, "0x0B"),
    ("other code", "sendc", "G689", 2, "0x35"),
    ("other format", "endif", "G689", 4, "branch_uip"),
    ("other format", "frc", "G689", 4, "binary"),
    ("attribute lost", "add", "G689", 5, "P|C|M|A"),
    ("attribute gained", "else", "G6", 5, "P"),
    ("other types", "lrp", "G689", 6, "d_or_ud"),
]

ROW = re.compile(r'^(OPCODE(?:_ALSO)?)\((.*)\)\s*$')


def columns_of(line):
    """The eight columns of a row, or None for another line. No column but the title holds a comma."""
    match = ROW.match(line)
    if not match:
        return None
    columns = [part.strip() for part in match.group(2).split(",", 7)]
    return (match.group(1), columns) if len(columns) == 8 else None


def mutate(table, mnemonic, generations, column, value):
    lines, changed = [], 0
    for line in table.splitlines():
        row = columns_of(line)
        if row and row[1][1] == f'"{mnemonic}"' and row[1][3] == generations:
            macro, columns = row
            if columns[column] == value:
                raise SystemExit(f"mutation: {mnemonic} already has {value}: the mutation changes nothing")
            columns[column] = value
            line, changed = f"{macro}({', '.join(columns)})", changed + 1
        lines.append(line)
    if changed != 1:
        raise SystemExit(f"mutation: {changed} rows for {mnemonic} of {generations}, expected one")
    return "\n".join(lines) + "\n"


def summary(outcome):
    failed = sorted(outcome.failed)
    if not failed:
        return outcome.problem or "all tests pass"
    return f"{len(failed)} tests fail: {', '.join(failed[:3])}{' ...' if len(failed) > 3 else ''}"


def main():
    parser = bench.parser(__doc__)
    parser.add_argument("--filter", default="-*RandomInstructions*")
    options = parser.parse_args()
    machine = bench.Bench(options)
    machine.demand_soundness(["isa/opcode.cpp"], options.filter)
    table = machine.text("isa/opcodes.def")

    def run(name, text):
        return machine.run(name, {"isa/opcodes.def": text}, ["isa/opcode.cpp"], options.filter)

    unaltered = run("unaltered", table)
    if unaltered.problem or unaltered.failed:
        print(f"mutation: the unaltered table does not pass: {unaltered}", file=sys.stderr)
        return 1

    jobs = []
    for what, mnemonic, generations, column, value in MUTATIONS:
        jobs.append((what, mnemonic, mutate(table, mnemonic, generations, column, value)))
    outcomes = bench.by_twos(lambda job: run(f"{job[1]}-{job[0].replace(' ', '-')}", job[2]), jobs)

    survivors = 0
    for (what, mnemonic, _), outcome in zip(jobs, outcomes):
        survivors += not outcome.caught()
        print(f"{'caught' if outcome.caught() else 'MISSED':7} {mnemonic:8} {what:18} {summary(outcome)}")
    print(f"{len(jobs) - survivors} of {len(jobs)} altered rows caught, {machine.seconds()}")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
