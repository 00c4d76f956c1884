#!/usr/bin/env python3
"""Spoils facts that have one home, one at a time, and demands that all who use them notice.

    once.py [--work DIR] [NUMBER...]

Each mutation replaces one piece of text in the product. The tests of the interpreter and those of compiled code that know
the right answer from elsewhere (a plain reference, expectations by hand) must both fail, and the disassembler's where it
prints the fact: then none of them has a copy of its own. The tree is copied and built apart, optimised little, since
each fact has much built anew; DIR (build/once) is kept, so that a second run builds less. This takes some minutes for
each fact.
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]

# Long enough that a message of each kind is drawn, with numbers that matter to it.
AT_RANDOM = {"VITRO_JIT_SECONDS": "20"}
# Who must notice: program, filter of its tests, environment.
SUITES = {
    "data port": ("shared_test", "DataPort.*", {}),
    "messages, interpreter": ("jit_test", "Opinions.TheInterpreter*", AT_RANDOM),
    "messages, code": ("jit_test", "Opinions.CompiledCode*", AT_RANDOM),
    "arithmetic, interpreter": ("tests/eu_reference/eu_reference", "*", {}),
    "arithmetic, code": ("tests/eu_reference/eu_reference", "*", {"VITRO_REFERENCE_TIER": "compiled"}),
    "sampler, host": ("jit_test", "*Routines.*/Host", AT_RANDOM),
    "sampler, code": ("jit_test", "*Routines.*/Compiled", AT_RANDOM),
    "disassembler": ("isa_test", "Message*", {}),
    "sampler, by hand": ("shared_test", "Sampler.*", {}),
    "urb": ("shared_test", "*Urb*", {}),
    "urb, code": ("jit_test", "VertexThreads.*", {}),
    "gateway": ("shared_test", "*Gateway*", {}),
    "barriers, code": ("jit_test", "Turns.*", {}),
    "typed surfaces": ("shared_test", "Typed.*", {}),
    "render targets": ("shared_test", "RenderTarget.*", {}),
    "formats": ("formats_test", "Formats.*", {}),
    "depth tests": ("pipeline_test", "DepthStencil.*", {}),
}
MESSAGES = ["messages, interpreter", "messages, code"]
ARITHMETIC = ["arithmetic, interpreter", "arithmetic, code"]
SAMPLES = ["sampler, host", "sampler, code"]
PRINTED = ["disassembler"]

# (fact, file in src, text, replacement, who must notice)
FACTS = [
    ("a message's match", "isa/message_tables_gen8.cpp", '{dc(0x09), "untyped surface write"', '{dc(0x08), "untyped surface write"', MESSAGES + PRINTED),
    ("the place of a field", "isa/message_tables_gen8.cpp", 'a64_scattered_simd = slots_field("simd mode", {12, 12}, sm2)', 'a64_scattered_simd = slots_field("simd mode", {13, 13}, sm2)', MESSAGES + PRINTED),
    ("what a field's value says", "isa/message_tables_gen8.cpp", '{1, "2 bytes", 2}, {2, "4 bytes", 4}};', '{1, "2 bytes", 4}, {2, "4 bytes", 4}};', MESSAGES),
    ("the places of a payload", "isa/message_shape.h", "slots * (wide() ? 8u : 4u) / register_bytes", "slots * 4u / register_bytes", MESSAGES),
    ("the elements of a payload", "isa/message_shape.h", "slots * (element == 8 ? 8u : 4u) / register_bytes", "slots * 4u / register_bytes", MESSAGES),
    ("the half that a block goes to", "isa/message_fields.h", '{1, "1 oword high", 16 | 16 << 10}', '{1, "1 oword high", 16}', MESSAGES),
    ("bits of an offset", "isa/message_shape.h", "slm_offset_bits = 0xFFFF", "slm_offset_bits = 0xFF", MESSAGES),
    ("a unit of offsets", "isa/message_fields.h", "dword_write = with_global_offset(scattered(Action::scattered_write, 4, 4, 1))", "dword_write = with_global_offset(scattered(Action::scattered_write, 4, 1, 1))", MESSAGES),
    ("operands of an atomic operation", "isa/atomics.def", 'ATOMIC(inc,      5,  "inc",      0)', 'ATOMIC(inc,      5,  "inc",      1)', MESSAGES),
    ("an atomic operation", "shared/dataport/atomics.h", "OPERATION(imax,     none,     select(less_signed(old, a), a, old))", "OPERATION(imax,     none,     select(less(old, a), a, old))", MESSAGES),
    ("an atomic operation of floats", "shared/dataport/atomics.h", "select(float_less(a, old) | float_is_nan(old) | float_signals(a), a, old)",
     "select(float_less(a, old) | float_signals(a), a, old)", MESSAGES),
    ("what an operation answers", "shared/dataport/atomics.h", "if constexpr (op == AtomicOp::predec)", "if constexpr (op == AtomicOp::dec)", MESSAGES),
    ("an instruction", "eu/semantics.def", "SEMANTIC(avg,   shift_right(a + b + k.one(), k.one()))", "SEMANTIC(avg,   shift_right(a + b, k.one()))", ARITHMETIC),
    ("a condition", "eu/conditions.h", "greater | equal,             // ge", "greater,                     // ge", ARITHMETIC),
    ("what a NaN does to a choice", "eu/conditions.h", "return holds | is_nan(b);", "return holds;", ARITHMETIC),
    ("a source modifier", "eu/modifiers.h", "if (s.negate) apply([](const auto& v) { return -v; });", "if (s.negate) apply([](const auto& v) { return v; });", ARITHMETIC),
    ("saturation", "eu/modifiers.h", "select(v < constant(v, 1), v, constant(v, 1))", "select(v < constant(v, 1), v, constant(v, 2))", ARITHMETIC),
    ("a math function", "eu/elementary.h", "linear = r * 0x1.62e430p-1f", "linear = r * 0x1.62e530p-1f", ARITHMETIC),
    ("a conversion", "eu/convert.h", "select(is_nan(x), constant(whole, 0), least)", "select(is_nan(x), constant(whole, 1), least)", ARITHMETIC),
    ("a conversion of texels", "formats/texel.h", "d.shift_left(v & 0x8000, int32_t(16))", "d.shift_left(v & 0x8000, int32_t(15))", SAMPLES),
    ("a tile", "memory/tiling.cpp", '"xxxyyyyyxxxx"', '"xxyxyyyyxxxx"', SAMPLES),
    ("a wrap mode", "shared/sampler/sample_arithmetic.h", "d.min(b, period - 1 - b)", "d.min(b, period - b)", SAMPLES),
    ("a texel format", "formats/formats.def", "B5G6R5_UNORM, linear, un(b, 5), un(g, 6), un(r, 5)", "B5G6R5_UNORM, linear, un(r, 5), un(g, 6), un(b, 5)", ["formats"]),
    ("the offset of a URB message", "isa/message_tables_gen8.cpp", '.bits = {14, 4}, .unit = unit, .role = Role::block_offset', '.bits = {14, 5}, .unit = unit, .role = Role::block_offset', ["urb", "urb, code"] + PRINTED),
    ("a barrier", "shared/gateway.h", "void restart() { arrived = 0,", "void restart() { arrived = 1,", ["gateway", "barriers, code"]),
    ("the slots of a typed message", "isa/message_tables_gen8.cpp", '{2, "simd8 high", 8 | 8 << 8}};', '{2, "simd8 high", 8}};', ["typed surfaces"]),
    ("the payload of a sampler message", "isa/message_tables_gen8.cpp", "A::sample, {{lod, u, v, r, ai}, Lod::explicit_}", "A::sample, {{u, lod, v, r, ai}, Lod::explicit_}", ["sampler, by hand"]),
    ("the payload of a render target write", "shared/dataport/colour_payload.h", "return colour_at() + 4 * row; }", "return colour_at() + 3 * row; }", ["render targets"]),
    ("a comparison", "shared/compare.h", "case 4: to = x <= y; break;", "case 4: to = x < y; break;", SAMPLES + ["depth tests"]),
]


def command(arguments, **options):
    return subprocess.run([str(a) for a in arguments], capture_output=True, text=True, errors="replace", **options)


class Tree:
    """A copy of the sources, built apart."""

    def __init__(self, work):
        self.source, self.build = work / "tree", work / "build"
        files = command(["git", "ls-files"], cwd=ROOT).stdout.split()
        for file in files:
            self.put(file, (ROOT / file).read_bytes())
        if not (self.build / "build.ninja").exists():
            done = command(["cmake", "-S", self.source, "-B", self.build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_CXX_FLAGS_RELEASE=-O1 -DNDEBUG",
                            f"-DCMAKE_PROJECT_TOP_LEVEL_INCLUDES={self.source}/cmake/ccache.cmake"])
            if done.returncode:
                raise SystemExit(done.stderr)

    def put(self, file, data):
        to = self.source / file
        if to.exists() and to.read_bytes() == data:
            return  # an older date builds nothing
        to.parent.mkdir(parents=True, exist_ok=True)
        to.write_bytes(data)
        shutil.copymode(ROOT / file, to)

    def make(self, suites):
        targets = sorted({pathlib.Path(SUITES[s][0]).name for s in suites})
        done = command(["cmake", "--build", self.build, "--target", *targets])
        return "" if done.returncode == 0 else "\n".join(re.findall(r".*error.*", done.stdout)[:3])

    def failures(self, suite):
        program, tests, environment = SUITES[suite]
        done = command([self.build / program, "--gtest_brief=1", "--gtest_filter=" + tests],
                       env={**os.environ, **environment}, cwd=self.build)
        return set(re.findall(r"^\[  FAILED  \] ([\w/]+\.[\w/]+)", done.stdout, re.M)), done.returncode


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=pathlib.Path, default=ROOT / "build" / "once")
    parser.add_argument("--list", action="store_true", help="only look whether every text to replace is there once")
    parser.add_argument("numbers", nargs="*", type=int, help="only these facts")
    options = parser.parse_args()
    for fact, file, text, _, _ in FACTS:
        if (ROOT / "src" / file).read_text().count(text) != 1:
            raise SystemExit(f"{fact}: {text!r} is not once in {file}")
    if options.list:
        print(f"{len(FACTS)} facts")
        return
    tree, start = Tree(options.work.resolve()), time.monotonic()
    everybody = sorted({s for f in FACTS for s in f[4]})
    if problem := tree.make(everybody):
        raise SystemExit(problem)
    for suite in everybody:
        if found := tree.failures(suite)[0]:
            raise SystemExit(f"without a mutation: {suite}: {sorted(found)[:3]}")
    missed = 0
    for number, (fact, file, text, replacement, suites) in enumerate(FACTS):
        if options.numbers and number not in options.numbers:
            continue
        original = (ROOT / "src" / file).read_bytes()
        tree.put("src/" + file, original.decode().replace(text, replacement).encode())
        problem = tree.make(suites)
        silent = [s for s in suites if not problem and not tree.failures(s)[0]]
        tree.put("src/" + file, original)
        good = not problem and not silent
        missed += not good
        print(f"{'noticed' if good else 'MISSED'} {number:2} {fact}: {problem or 'not by ' + ', '.join(silent) if not good else 'by ' + ', '.join(suites)}", flush=True)
    print(f"{missed} missed, {time.monotonic() - start:.0f} s")
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
