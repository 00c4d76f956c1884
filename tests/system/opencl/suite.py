#!/usr/bin/env python3
"""The OpenCL system suite: the kernels of tests/system/opencl/kernels run through Intel's driver on the emulated GPU and
on pocl, and every result buffer is compared: integers and images exactly, floats within the tolerance that the kernel
states in units of the last place. The Intel platform is named explicitly and the statistics of the run must show EU
threads, so neither a fallback nor a GPU that does nothing can pass.

usage: suite.py --vitro PROGRAM --runner PROGRAM [--device kbl] [--ways 1:off,2:on,4] [source...]
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from results import LeftOut, difference, is_same, results_of, run, run_on_gpu  # noqa: E402

KERNELS = pathlib.Path(__file__).parent / "kernels"
def cases_of(source):
    """Title -> {tolerance, unordered, printf} of the //@ lines of a source."""
    cases, current, key = {}, None, None
    for line in source.read_text().splitlines():
        if not line.startswith("//@"):
            continue
        words = line[3:].split()
        if words[0] in ("options", "needs"):
            continue
        if words[0] == "kernel":
            key = words[1]
            current = cases[key] = {"tolerance": 0.0, "unordered": False, "printf": False}
        elif words[0] == "as":
            del cases[key]
            key = words[1]
            assert key not in cases, f"{source.name}: two cases are called {key}"
            cases[key] = current
        elif words[0] == "tolerance":
            current["tolerance"] = float(words[1])
        elif words[0] in ("unordered", "printf"):
            current[words[0]] = True
    return cases


def compare(source, options, way, folder):
    cases = cases_of(source)
    theirs_file, ours_file, stats_file = folder / "pocl", folder / "vitro", folder / "stats"
    theirs_text = run([options.runner, "Portable", source, theirs_file], f"{source.name} on pocl")
    ours_text = run_on_gpu(options, way, stats_file, [options.runner, "Intel", source, ours_file],
                           f"{source.name} on {options.device}")
    theirs, ours = results_of(theirs_file), results_of(ours_file)
    failed = []
    if set(theirs) != set(ours):
        failed.append(f"{source.name}: results are missing: {sorted(set(theirs) ^ set(ours))}")
    for key in sorted(set(theirs) & set(ours)):
        (kind, reference), (_, result) = theirs[key], ours[key]
        if found := difference(kind, result, reference, cases[key[0]]):
            failed.append(f"{source.name}: {key[0]} (context {key[1]}, argument {key[2]}, {kind}): {found}")
    if any(c["printf"] for c in cases.values()) and ours_text != theirs_text:
        failed.append(f"{source.name}: printed {ours_text!r} instead of {theirs_text!r}")
    return len(cases), failed, ours


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--vitro", required=True)
    parser.add_argument("--runner", required=True)
    parser.add_argument("--device", default="kbl")
    parser.add_argument("--ways", default="2", help="THREADS[:JIT], several with commas: results must be equal")
    parser.add_argument("sources", nargs="*", type=pathlib.Path)
    options = parser.parse_intermixed_args()
    total, failures = 0, []
    for source in options.sources or sorted(KERNELS.glob("*.cl")):
        first = None
        for way in options.ways.split(","):
            with tempfile.TemporaryDirectory() as folder:
                try:
                    count, failed, results = compare(source, options, way, pathlib.Path(folder))
                except LeftOut as left_out:
                    print(f"{left_out}: left out, the driver has no {source.read_text().split('needs ')[1].split()[0]}")
                    continue
                except (RuntimeError, subprocess.TimeoutExpired) as error:
                    failures.append(f"{way}: {error}")
                    continue
            failures += [f"{way}: {f}" for f in failed]
            if first is None:
                first, total = results, total + count
            unordered = {t for t, c in cases_of(source).items() if c["unordered"]}
            failures += [f"{source.name}: {k} is not the same in way {way}"
                         for k in results if k[0] not in unordered and not is_same(results[k], first[k])]
    for failure in failures:
        print(failure)
    print(f"{options.device}: {total} cases compared with pocl, {len(failures)} failures")
    return 1 if failures or not total else 0


if __name__ == "__main__":
    sys.exit(main())
