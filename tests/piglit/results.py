"""What the two commands of this folder share: results of piglit, how two runs are compared, lists of exceptions, and the
statistics that the processes of a run leave."""

import collections
import json


class Worthless(Exception):
    """A run that says nothing about the GPU."""


def read_exceptions(file):
    """{test: reason}"""
    exceptions = {}
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        name, separator, reason = line.partition(" -- ")
        if not separator or not reason.strip() or name.strip() in exceptions:
            raise SystemExit(f"{file}:{number}: not `name -- reason`, or a name that was there before")
        exceptions[name.strip()] = reason.strip()
    return exceptions


def read_results(folder):
    """{test: what piglit recorded}, of a finished run (one file) or an interrupted one (a file per test)."""
    finished = folder / "results.json"
    if finished.exists():
        return json.loads(finished.read_text(encoding="utf-8"))["tests"]
    tests = {}
    for file in sorted((folder / "tests").glob("*.json")):
        tests.update(json.loads(file.read_text(encoding="utf-8")))
    return tests


def outcomes(tests):
    """{name: result}, with a name `test / subtest` for each result of a test that prints several."""
    flat = {}
    for name, test in tests.items():
        subtests = {k: v for k, v in test["subtests"].items() if k != "__type__"}
        if not subtests or test["result"] in ("crash", "timeout", "incomplete"):
            flat[name] = test["result"]
        flat.update({f"{name} / {subtest}": result for subtest, result in subtests.items()})
    return flat


def differences(reference, here):
    """[(name, result here)] of what passes in the reference and not here. A subtest that is missing because its test
    ended before is its test's difference."""
    found = []
    for name, result in sorted(reference.items()):
        if result != "pass":
            continue
        mine = here.get(name)
        if mine is None:
            name = name.partition(" / ")[0]
            mine = here.get(name, "not run")
        if mine != "pass" and (name, mine) not in found:
            found.append((name, mine))
    return found


def read_statistics(file):
    """The sum of the records that the processes left, one after the other."""
    decoder, text = json.JSONDecoder(), file.read_text(encoding="utf-8") if file.exists() else ""
    total = collections.Counter()
    trouble = {"faults": collections.Counter(), "unsupported": collections.Counter(),
               "unknown_registers": collections.Counter()}
    position = 0
    while (position := position + len(text[position:]) - len(text[position:].lstrip())) < len(text):
        record, position = decoder.raw_decode(text, position)
        total["processes"] += 1
        for figure in ("threads", "instructions", "groups"):
            total[figure] += record[figure]
        for kind, counts in trouble.items():
            counts.update(record[kind])
    return total, trouble


def complete(folder):
    return (folder / "results.json").exists()
