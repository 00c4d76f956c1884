#!/usr/bin/env python3
"""Two opinions: random vISA programs, run as they are (`vitro visa exec`) and as the code that Intel's finalizer,
GenX_IR, makes of them (`vitro exec`), from the same registers; everything they leave must be the same. A difference is
reduced to the shortest program that still shows it, and printed. Programs that do something undefined, as `visa exec` tells,
are compared with nobody: the generator must not draw them. With 500 programs or more, every instruction must have been compared.

usage: generator.py --vitro PROGRAM [--device kbl] [--programs 500] [--seed 1] [--profile agreed|all] [--jobs 2]
"""

import argparse
import concurrent.futures
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from random_program import Profile, Program  # noqa: E402

PLATFORMS = {"bdw": "BDW", "kbl": "SKL", "apl": "BXT"}


class Refused(Exception):
    """GenX_IR makes no code of the program."""


class Undefined(Exception):
    """The program does what the document does not define: nobody can be held to it, so the generator must not draw it."""


def code_of(text, device, folder):
    (folder / "p.visaasm").write_text(text)
    for old in folder.glob("*.dat"):
        old.unlink()
    for old in folder.glob("*.errors.txt"):
        old.unlink()
    try:
        done = subprocess.run(["GenX_IR", "p.visaasm", "-platform", PLATFORMS[device], "-binary", "-output"], cwd=folder,
                              capture_output=True, timeout=120, check=False)
    except subprocess.TimeoutExpired as timeout:
        raise Refused("time-out") from timeout
    dat = sorted(folder.glob("*.dat"))
    errors = sorted(folder.glob("*.errors.txt"))
    said = (done.stdout + done.stderr).decode(errors="replace")
    if not dat or errors:
        raise Refused(errors[0].read_text() if errors else said)
    if "invalid label" in said:  # it says so and writes the code all the same (p)
        raise Refused("invalid label")
    return dat[0]


def reason_of(refused):
    """The line of its words that tells most."""
    lines = [line.strip(" \t|/\\-") for line in str(refused).splitlines()]
    return next((line for line in lines if "rror" in line), next((line for line in reversed(lines) if line), ""))[:200]


def execute(options, program, arguments):
    size = sum(n for _, n, _ in program.outputs())
    common = [f"--channels={program.channels:#x}", "--limit", "100000"]
    for register in program.registers():
        common += ["--grf", register]
    common += ["--mem", f"{program.OUT:#x}=zero:65536", "--mem", f"{program.OWN_PLACE:#x}=zero:4096",
               "--dump-mem", f"{program.OUT:#x}:{size}", "--dump-mem", f"{program.OWN_PLACE:#x}:64"]
    try:
        done = subprocess.run([options.vitro, *arguments, *common], capture_output=True, timeout=120, check=False)
    except subprocess.TimeoutExpired:
        return 1, "", "time-out"
    return done.returncode, done.stdout.decode(), done.stderr.decode(errors="replace")


def differs(options, program, lines, folder):
    """None where both agree; else what differs. What `visa exec` has to tell of is not compared."""
    text = program.text(lines)
    dat = code_of(text, options.device, folder)
    visa = execute(options, program, ["visa", "exec", str(folder / "p.visaasm"), "-g", options.device])
    if visa[0] or visa[2]:
        raise Undefined(visa[2].strip().rpartition("random: ")[2] or f"vISA ends with {visa[0]}")
    code = execute(options, program, ["exec", "-g", options.device, str(dat)])
    if code[0]:
        return f"code: {code[2][-300:]}"
    if visa[1] == code[1]:
        return None
    words = [[w for line in out.splitlines() for w in line.split()[1:]] for out in (visa[1], code[1])]
    for n, (a, b) in enumerate(zip(*words)):
        if a != b:
            for name, size, at in program.outputs():
                if at <= n * 4 < at + size:
                    return f"{name}, dword {n - at // 4}: {a} from vISA, {b} from code"
            return f"memory: {a} from vISA, {b} from code"
    return "output of another length"


def blocks(lines):
    """Indices that belong together: a branch and its label, a loop's lines."""
    found = {}
    for n, line in enumerate(lines):
        for word in line.replace(":", " ").split():
            if word[0] in "LCQ" and word[1:].split("(")[0].isdigit():
                found.setdefault(word[1:].split("(")[0], set()).add(n)
    return found


def reduced(options, program, folder):
    """Fewer lines that still differ."""
    lines = list(program.lines)
    changed = True
    while changed:
        changed = False
        groups = [{n} for n, line in enumerate(lines) if not line.endswith(":") and "goto" not in line]
        groups += list(blocks(lines).values())
        for group in sorted(groups, key=max, reverse=True):
            fewer = [line for n, line in enumerate(lines) if n not in group]
            try:
                if fewer != lines and differs(options, program, fewer, folder):
                    lines, changed = fewer, True
                    break
            except (Refused, Undefined):
                continue
    return lines


def one(arguments):
    options, seed = arguments
    program = Program(seed, Profile(options.profile, options.device))
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        try:
            found = differs(options, program, None, folder)
        except Refused as refused:
            return seed, "refused", [reason_of(refused)], []
        except Undefined as undefined:
            return seed, "undefined", [str(undefined)], []
        if not found:
            return seed, "same", program.mnemonics(), []
        lines = reduced(options, program, folder) if options.reduce else program.lines
        return seed, "differs", [differs(options, program, lines, folder) or found], lines


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--vitro", required=True)
    parser.add_argument("--device", default="kbl", choices=sorted(PLATFORMS))
    parser.add_argument("--programs", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--profile", default="agreed", choices=("agreed", "all"))
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--no-reduce", dest="reduce", action="store_false")
    parser.add_argument("--show", action="store_true", help="print the program of the seed, and stop")
    options = parser.parse_args()
    options.vitro = str(pathlib.Path(options.vitro).resolve())
    if options.show:
        print(Program(options.seed, Profile(options.profile, options.device)).text(), end="")
        return 0
    if not shutil.which("GenX_IR"):
        print("GenX_IR is missing")
        return 1
    counts, reasons = {"same": 0, "differs": 0, "undefined": 0, "refused": 0}, {}
    missing = Program(options.seed, Profile(options.profile, options.device)).possible()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        seeds = range(options.seed, options.seed + options.programs)
        for seed, verdict, what, lines in pool.map(one, ((options, s) for s in seeds)):
            counts[verdict] += 1
            if verdict == "same":
                missing -= what
            if verdict == "refused":
                reasons[what[0]] = reasons.get(what[0], 0) + 1
            if verdict in ("differs", "undefined"):
                print(f"seed {seed}: {what[0]}", *(f"    {line}" for line in lines), sep="\n", flush=True)
    print(f"{options.device}, {options.profile}: {counts['same']} agree, {counts['differs']} differ, "
          f"{counts['undefined']} are undefined, {counts['refused']} are refused by GenX_IR")
    for reason, count in sorted(reasons.items(), key=lambda x: -x[1])[:10]:
        print(f"  {count}: {reason}")
    if counts["same"] < options.programs // 2:
        print("too few programs were compared")
        return 1
    if missing and options.programs >= 500:
        print("never compared:", *sorted(missing))
        return 1
    return 1 if counts["undefined"] or (counts["differs"] and options.profile == "agreed") else 0


if __name__ == "__main__":
    sys.exit(main())
