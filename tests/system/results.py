"""Results of the system suites: what the runners write, and how two of them are compared. Integers must be equal, floats
may differ by what the case states in units of the last place or at all (`near`), and so large a share as it states
(`but`) by anything; images in floats are floats. A way is how the emulated GPU runs a program, written THREADS or
THREADS:JIT: whatever it is, every byte of the results is the same, but for the payload of NaNs, which compiled code does
not promise."""

import json
import math
import struct
import subprocess

CODES = {"char": "b", "uchar": "B", "short": "h", "ushort": "H", "int": "i", "uint": "I", "long": "q", "ulong": "Q",
         "float": "f", "double": "d", "half": "e"}
IMAGE_FLOATS = {"image:float": "f", "image:half": "e"}


def results_of(path):
    """(title, context, argument) -> (type, bytes)."""
    data, at, out = path.read_bytes(), 0, {}
    while at < len(data):
        end = data.index(b"\n", at)
        title, context, argument, kind, size = data[at:end].decode().split()
        out[title, int(context), int(argument)] = (kind, data[end + 1:end + 1 + int(size)])
        at = end + 1 + int(size) + 1
    return out


def ulp(value, code):
    """The distance to the next number of the format."""
    mantissa, least = {"f": (24, -149), "d": (53, -1074), "e": (11, -24)}[code]
    return 2.0 ** max(math.frexp(value)[1] - mantissa, least)


def difference(kind, ours, theirs, case):
    """None, or the first place where two buffers differ."""
    if ours == theirs:
        return None
    code = code_of(kind)
    if len(ours) != len(theirs):
        return f"sizes differ: {len(ours)} and {len(theirs)}"
    a, b = (struct.unpack(f"<{len(x) // struct.calcsize(code)}{code}", x) for x in (ours, theirs))
    if case["unordered"]:
        a, b = sorted(a), sorted(b)
    exceptions = int(case.get("but", 0) * len(a))
    for i, (x, y) in enumerate(zip(a, b)):
        if x == y or (code in "fde" and math.isnan(x) and math.isnan(y)):
            continue
        if code in "fde" and math.isfinite(x) and math.isfinite(y):
            if abs(x - y) <= max(case["tolerance"] * ulp(y, code), case.get("near", 0)):
                continue
        if exceptions == 0:
            return f"element {i}: {x!r} instead of {y!r}"
        exceptions -= 1
    return None


def code_of(kind):
    """How struct unpacks a buffer of a kind."""
    return CODES.get(kind) or IMAGE_FLOATS.get(kind) or "B"


def is_same(ours, first):
    """Whether two (type, bytes) are what two ways may give."""
    if ours == first:
        return True
    (kind, a), (other_kind, b) = ours, first
    code = code_of(kind)
    if kind != other_kind or len(a) != len(b) or code not in "fde":
        return False
    size = struct.calcsize(code)
    return all(a[i:i + size] == b[i:i + size] or all(math.isnan(struct.unpack(f"<{code}", x[i:i + size])[0]) for x in (a, b))
               for i in range(0, len(a), size))


def run_on_gpu(options, way, stats, command, what, environment=None):
    """Runs a command on the emulated GPU and gives what it prints. The statistics must show EU threads, of the tier that
    was asked for."""
    threads, _, jit = way.partition(":")
    prefix = ["env", *environment] if environment else []
    out = run([*prefix, options.vitro, "run", "--device", options.device, "--threads", threads,
               *([f"--jit={jit}"] if jit else []), "--stats=json", "--stats-file", stats, "--", *command], what)
    executed = json.loads(stats.read_text())
    if not executed["threads"]:
        raise RuntimeError(f"{what}: no EU thread was executed")
    if {"off": "compiled_threads", "on": "interpreted_threads"}.get(jit) in {k for k, v in executed["jit"].items() if v}:
        raise RuntimeError(f"{what}: the JIT was to be {jit}: {executed['jit']}")
    return out


class LeftOut(Exception):
    """The device does not offer what a case needs."""


def run(command, what, timeout=600):
    done = subprocess.run(command, capture_output=True, text=True, timeout=timeout)
    if done.returncode == 77:
        raise LeftOut(what)
    if done.returncode:
        raise RuntimeError(f"{what} failed with {done.returncode}: {done.stdout[-1000:]}{done.stderr[-3000:]}")
    return done.stdout
