"""Results of the system suites: what the runners write, and how two of them are compared. Integers must be equal, floats
may differ by what the case states in units of the last place, images in floats are floats."""

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
    code = CODES.get(kind) or IMAGE_FLOATS.get(kind)
    if len(ours) != len(theirs):
        return f"sizes differ: {len(ours)} and {len(theirs)}"
    if code is None:
        code = "B"
    a, b = (struct.unpack(f"<{len(x) // struct.calcsize(code)}{code}", x) for x in (ours, theirs))
    if case["unordered"]:
        a, b = sorted(a), sorted(b)
    for i, (x, y) in enumerate(zip(a, b)):
        if x == y or (code in "fde" and math.isnan(x) and math.isnan(y)):
            continue
        if code in "fde" and math.isfinite(x) and math.isfinite(y) and case["tolerance"] > 0:
            if abs(x - y) <= case["tolerance"] * ulp(y, code):
                continue
        return f"element {i}: {x!r} instead of {y!r}"
    return None


class LeftOut(Exception):
    """The device does not offer what a case needs."""


def run(command, what, timeout=600):
    done = subprocess.run(command, capture_output=True, text=True, timeout=timeout)
    if done.returncode == 77:
        raise LeftOut(what)
    if done.returncode:
        raise RuntimeError(f"{what} failed with {done.returncode}: {done.stdout[-1000:]}{done.stderr[-3000:]}")
    return done.stdout
