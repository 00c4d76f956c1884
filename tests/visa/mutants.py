#!/usr/bin/env python3
"""GenX_IR as the judge of the checker: small programs with random changes (mutants.cpp); what GenX_IR rejects, we reject.

    mutants.py MUTANTS OUT [--seed N] [--count N] [--show] [--from FILE...]

Its verdict is the file of errors, or that there is no code; its exit status tells nothing. A crash or a program
that GenX_IR does not end on is no verdict and does not count. --show prints what only we reject; --from names
texts to change in place of our samples. Debian package: libigc-tools (GenX_IR).
Exit status: 0 it rejects nothing that we accept, 1 it does, or too few were judged, 2 wrong usage or no GenX_IR.
"""
import argparse
import collections
import concurrent.futures
import pathlib
import shutil
import subprocess
import sys

JOBS = 2
LIMIT_S = 20


def judge(folder):
    """'accepted', 'rejected: why' or 'no verdict': it crashes, or does not end."""
    try:
        run = subprocess.run(["GenX_IR", "k.visaasm", "-platform", "SKL", "-binary", "-output"], cwd=folder, timeout=LIMIT_S,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    except subprocess.TimeoutExpired:
        return "no verdict: it does not end"
    errors = [path for path in folder.iterdir() if path.name.endswith(".errors.txt")]
    if errors:
        return "rejected: " + errors[0].read_text().strip()[:300]
    if any(path.name.endswith(".dat") for path in folder.iterdir()):
        return "accepted"
    if run.returncode < 0 or run.returncode >= 128:
        return f"no verdict: it crashes with {run.returncode}"
    return "rejected: " + run.stdout.strip()[-300:]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("mutants")
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--from", dest="texts", nargs="+", default=[])
    options = parser.parse_args()
    if not shutil.which("GenX_IR"):
        print("mutants: no GenX_IR found", file=sys.stderr)
        return 2
    shutil.rmtree(options.out, ignore_errors=True)
    subprocess.run([options.mutants, str(options.out), str(options.seed), str(options.count), *options.texts], check=True)
    folders = sorted(options.out.iterdir(), key=lambda path: int(path.name))
    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        verdicts = list(pool.map(judge, folders))
    counts = collections.Counter()
    missed = []
    for folder, theirs in zip(folders, verdicts):
        ours = (folder / "ours").read_text()
        word = theirs.split(":")[0]
        counts[f"GenX_IR {word}, we {ours.split(' ')[0]}"] += 1
        if word == "rejected" and ours == "accepted":
            missed.append(f"{folder.name}: {theirs}")
        elif options.show and word == "accepted" and ours != "accepted":
            print(f"{folder.name}: {ours}")
    for text in missed:
        print(text)
    for what, count in sorted(counts.items()):
        print(f"{count:5} {what}")
    judged = sum(count for what, count in counts.items() if "no verdict" not in what)
    rejected = sum(count for what, count in counts.items() if what.startswith("GenX_IR rejected"))
    print(f"{judged} judged, {rejected} rejected by GenX_IR, {len(missed)} of them not by us")
    return 1 if missed or judged < 300 or rejected < 50 else 0


if __name__ == "__main__":
    sys.exit(main())
