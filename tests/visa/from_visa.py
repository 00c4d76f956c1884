#!/usr/bin/env python3
"""The cases of the OpenCL system suite, run from vISA (`vitro run --visa`) and from the code that Intel's compiler made
of it: every buffer must be the same byte for byte, unordered ones sorted, and almost all EU threads must have run from
vISA. What runs from code all the same is named, and so is every finding.

usage: from_visa.py --vitro PROGRAM --runner PROGRAM [--device kbl] [--at-least 95] [source...]
"""

import argparse
import json
import os
import pathlib
import struct
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "system"), str(HERE.parent / "system" / "opencl")]
from results import code_of, results_of  # noqa: E402
from suite import KERNELS, cases_of  # noqa: E402

# Explained: where a finding is what the source asks for. By source; texts that the finding has.
EXPLAINED = {}


def run(options, source, result, stats, visa):
    command = [options.vitro, "run", "--device", options.device, "--threads", "2", "--jit", "off", "--stats=json",
               f"--stats-file={stats}", *(["--visa", str(visa)] if visa else []), "--", options.runner, "Intel",
               str(source), str(result)]
    environment = {**os.environ, "NEO_CACHE_PERSISTENT": "0"}
    done = subprocess.run(command, capture_output=True, timeout=900, check=False, env=environment)
    if done.returncode:
        raise RuntimeError(f"{source.name}{' from vISA' if visa else ''}: exit code {done.returncode}:\n"
                           + done.stderr.decode(errors="replace")[-2000:])
    decoder, text, found = json.JSONDecoder(), stats.read_text().strip(), []
    while text:  # one object for each process
        value, end = decoder.raw_decode(text)
        found.append(value)
        text = text[end:].strip()
    return done, found


def in_order(case, kind, data):
    if not case["unordered"]:
        return data
    code = code_of(kind)
    size = struct.calcsize(code)
    return sorted(data[n:n + size] for n in range(0, len(data), size))


def compare(options, source, folder, totals):
    cases, failed = cases_of(source), []
    from_code, code_stats = run(options, source, folder / "code", folder / "code.stats", None)
    totals["seconds from code"] += sum(s["seconds"]["eu"] for s in code_stats)
    from_visa, stats = run(options, source, folder / "visa", folder / "visa.stats", folder / "dump")
    ours, theirs = results_of(folder / "visa"), results_of(folder / "code")
    if set(ours) != set(theirs):
        failed.append(f"{source.name}: results are missing")
    for key in sorted(set(ours) & set(theirs)):
        (kind, a), (_, b) = ours[key], theirs[key]
        if in_order(cases[key[0]], kind, a) != in_order(cases[key[0]], kind, b):
            size = struct.calcsize(code_of(kind))
            at = next(n for n in range(0, len(a), size) if a[n:n + size] != b[n:n + size])
            failed.append(f"{source.name}: {key}: element {at // size}: {a[at:at + size].hex()} from vISA, "
                          f"{b[at:at + size].hex()} from code")
    if from_code.stdout != from_visa.stdout:
        failed.append(f"{source.name}: printed something else")
    known = EXPLAINED.get(source.name, [])
    for line in from_visa.stderr.decode(errors="replace").splitlines():
        if "vISA: " in line and not any(text in line for text in known):
            failed.append(f"{source.name}: {line}")
    for s in stats:
        totals["threads"] += s["threads"]
        totals["from vISA"] += s["visa"]["threads"]
        totals["seconds"] += s["seconds"]["eu"]
        for name in s["visa"]["unmatched"]:
            print(f"  {source.name}: from code: {name}")
    return failed


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--vitro", required=True)
    parser.add_argument("--runner", required=True)
    parser.add_argument("--device", default="kbl")
    parser.add_argument("--at-least", type=float, default=95, help="percent of the EU threads")
    parser.add_argument("sources", nargs="*", type=pathlib.Path)
    options = parser.parse_intermixed_args()
    failures, totals = [], {"threads": 0, "from vISA": 0, "seconds": 0.0, "seconds from code": 0.0}
    for source in options.sources or sorted(KERNELS.glob("*.cl")):
        with tempfile.TemporaryDirectory() as folder:
            try:
                failed = compare(options, source, pathlib.Path(folder), totals)
            except (RuntimeError, subprocess.TimeoutExpired) as error:
                failed = [str(error)]
        failures += failed
        print(f"{source.name}: {'; '.join(failed) if failed else 'ok'}", flush=True)
    share = 100 * totals["from vISA"] / max(1, totals["threads"])
    print(f"{options.device}: {totals['from vISA']} of {totals['threads']} EU threads from vISA ({share:.1f} %), in "
          f"{totals['seconds']:.2f} s; interpreted in {totals['seconds from code']:.2f} s")
    if share < options.at_least:
        failures.append(f"fewer than {options.at_least} % of the threads ran from vISA")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
