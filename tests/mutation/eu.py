#!/usr/bin/env python3
"""Spoils what the EU does around its arithmetic, one thing at a time, and demands that a unit test notices.

    eu.py --compiler CXX --flags FLAGS --source SRC --objects DIR --libraries FILES --work DIR [NUMBER...]

Each mutation replaces one piece of text in a file of src/eu by another: flow control, predicates, exceptions, registers,
messages, operands. The file is compiled again, without optimising, and linked with the objects of the EU's unit tests in
place of its own. At least one test must fail; a program that does not build proves nothing. The expressions of
semantics.def are spoiled in tests/eu_reference.
"""

import argparse
import concurrent.futures
import pathlib
import re
import shlex
import subprocess
import sys
import time

# (file and source file to compile again, text, replacement)
MUTATIONS = [
    ("flow.cpp", "park(t, t.active & ~yes, jip(p));", "park(t, t.active & ~yes, p.next_ip);"),
    ("flow.cpp", "branch_away(x, p, p.park_ip);", "branch_away(x, p, p.next_ip);"),
    ("flow.cpp", "t.call_mask &= ~yes;", ""),
    ("flow.cpp", "park(t, t.active & ~again, p.next_ip);", ""),
    ("flow.cpp", "t.ip = p.next_ip + uint32_t(distance);", "t.ip = p.ip + uint32_t(distance);"),
    ("plan.cpp", "instruction.pred_inv ? ~0u : 0;", "0;"),
    ("executor.cpp", "all ? g == group : g != 0", "g != 0"),
    ("executor.cpp", "t.active |= 1u << n;", "t.active |= t.dispatched;"),
    ("exception.cpp", "t.cr[2] = return_ip;", "t.cr[2] = return_ip + 16;"),
    ("exception.cpp", "t.cr[0] |= cr_master_exception;", ""),
    ("arf.cpp", "all[k] &= 0xFFF;", "all[k] &= 0xFFFF;"),
    ("arf.cpp", "t.tdr[at] &= 0x7FFF;", "t.tdr[at] = 0;"),
    ("send.cpp", "--t.notify[which];", ""),
    ("send.cpp", "if (d & 0x8000) {", "if (d & 0x4000) {"),
    ("lanes.cpp", "const int row = per_row ? l / o.region.width : 0;", "const int row = 0;"),
    ("plan.cpp", "s.imm[0] = i.imm;", "s.imm[0] = i.imm + 1;"),
]


class Bench:
    def __init__(self, options):
        self.o = options
        self.work = pathlib.Path(options.work)
        self.source = pathlib.Path(options.source)

    def run(self, number, mutation):
        """(what happened, tests that failed)"""
        name, text, replacement = mutation
        folder = self.work / str(number)
        (folder / "eu").mkdir(parents=True, exist_ok=True)
        original = (self.source / "eu" / name).read_text()
        if original.count(text) < 1:
            return "the text to replace is not there", []
        (folder / "eu" / name).write_text(original.replace(text, replacement, 1))
        compiled = str(folder / (name + ".o"))
        done = subprocess.run([*shlex.split(self.o.compiler), *shlex.split(self.o.flags), "-O0", f"-I{self.source}", "-c",
                               str(folder / "eu" / name), "-o", compiled], capture_output=True, text=True)
        if done.returncode:
            return "does not compile", done.stderr.strip().splitlines()[:3]
        tests = sorted(str(o) for o in pathlib.Path(self.o.objects).rglob("*_test.cpp.o"))
        program = folder / "eu_test"
        done = subprocess.run([*shlex.split(self.o.compiler), "-o", str(program), *tests, compiled,
                               *shlex.split(self.o.libraries)], capture_output=True, text=True)
        if done.returncode:
            return "does not link", done.stderr.strip().splitlines()[:3]
        test = subprocess.run([str(program), "--gtest_brief=1"], capture_output=True, text=True, errors="replace", cwd=folder,
                              timeout=300)
        program.unlink()
        return "ran", sorted(set(re.findall(r"^\[  FAILED  \] ([\w/]+\.[\w/]+)", test.stdout, re.M)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for option in ("compiler", "flags", "source", "objects", "libraries", "work"):
        parser.add_argument("--" + option, required=True)
    parser.add_argument("numbers", nargs="*", type=int, help="only these mutations")
    options = parser.parse_args()
    bench = Bench(options)
    start = time.monotonic()
    chosen = [(n, m) for n, m in enumerate(MUTATIONS) if not options.numbers or n in options.numbers]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        results = list(pool.map(lambda job: bench.run(*job), chosen))
    missed = 0
    for (number, mutation), (what, failed) in zip(chosen, results):
        caught = what == "ran" and failed
        missed += not caught
        detail = f"{len(failed)} tests fail, {failed[0]} first" if caught else f"{what} {failed}"
        print(f"{'caught' if caught else 'MISSED'} {number:2} {mutation[0]}: {mutation[1]} -> {mutation[2]}: {detail}")
    print(f"{len(chosen) - missed} passed, {missed} failed")
    print(f"{time.monotonic() - start:.0f} s")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
