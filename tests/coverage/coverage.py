#!/usr/bin/env python3
"""Which test covers which requirement, command and message of the documents: writes docs/coverage.md, or checks that it
is fresh and complete.

A requirement is covered when a test's name contains its id (GW-01 as GW_01), or when a case table of the validator or of
vISA's checker names it. Everything else must stand in exceptions.txt with a reason. Commands and messages: see rows.py.

Usage: coverage.py STREAMER_TEST SHARED_TEST DRAWING_TEST [--write | --self-test]: the test programs.
"""
import pathlib
import re
import sys

import rows as tables

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
DOCUMENT = ROOT / "docs" / "coverage.md"


def requirements():
    """[(section, [(id, about)])] in the file's order."""
    sections = []
    for line in (HERE / "requirements.txt").read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        if line.startswith("["):
            sections.append((line.strip("[]"), []))
        elif re.fullmatch(r"(T\d\d ?)+", line):
            sections[-1][1].extend((i, "") for i in line.split())
        else:
            identity, _, about = line.partition(" ")
            sections[-1][1].append((identity, about))
    return sections


def exceptions():
    rows = {}
    for line in (HERE / "exceptions.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            identity, _, reason = line.partition(" ")
            rows[identity] = reason
    return rows


def tests():
    """[(name, file)]: GoogleTest names, and ids in case tables."""
    found = []
    files = list((ROOT / "src").rglob("*_test.cpp")) + list((ROOT / "tests").rglob("*_test.cpp"))
    for path in sorted(files):
        text = path.read_text()
        where = path.relative_to(ROOT).as_posix()
        for suite, name in re.findall(r"^\s*(?:TEST|TEST_F|TEST_P|TYPED_TEST)\(\s*(\w+),\s*(\w+)\)", text, re.M):
            found.append((f"{suite}.{name}", where))
        if path.name.startswith(("validate_", "check_")):
            found.extend((f"rule {i}", where) for i in sorted(set(re.findall(r'\{"([A-Z]+-?[\w.]+)",', text))))
    return found


def names(identity, test):
    """Whether a test is named after the requirement."""
    if test.startswith("rule "):
        return re.match(re.escape(identity) + r"(?![\w])", test[5:]) is not None
    spelled = "_?".join(re.escape(part) for part in re.split(r"[-.]", identity))  # GW_01 or GW01
    return re.search(rf"(?<![A-Za-z0-9]){spelled}(?![A-Za-z0-9])", test) is not None


def document(ledger):
    """The text of docs/coverage.md, and what is wrong."""
    all_tests, excused, wrong = tests(), exceptions(), []
    known = {i for _, rows in requirements() for i, _ in rows}
    lines = ["# Requirements, commands and messages, and their tests", "",
             "Written by `tests/coverage/coverage.py STREAMER_TEST SHARED_TEST DRAWING_TEST --write` from the lists beside it,",
             "the names of the tests, and what the test programs wrote down of the rows that they ran. Do not edit. The test",
             "`coverage` fails when it is stale or a requirement, command or message has neither a test nor a reason.", ""]
    total = covered = 0
    for section, rows in requirements():
        lines += [f"## {section}", "", "| id | about | tests |", "|---|---|---|"]
        for identity, about in rows:
            total += 1
            by = [f"{t} ({w})" for t, w in all_tests if names(identity, t)]
            if by and identity in excused:
                wrong.append(f"{identity} has a test and an exception; drop the exception")
            if by:
                covered += 1
                text = "; ".join(by[:3]) + (f"; and {len(by) - 3} more" if len(by) > 3 else "")
            elif identity in excused:
                text = f"none: {excused[identity]}"
            else:
                text = "**missing**"
                wrong.append(f"{identity} has neither a test nor an exception")
            lines.append(f"| {identity} | {about} | {text} |")
        lines.append("")
    wrong += [f"exceptions.txt names {i}, which is no requirement" for i in excused if i not in known]
    lines[6:6] = [f"{total} requirements: {covered} with a test, {total - covered} excused.", ""]
    more, more_wrong = tables.document(ledger)
    return "\n".join(lines + more), wrong + more_wrong


def self_test(ledger):
    """A row that no test ran, or only one of another name, must be found."""
    for key in (("commands", "Gen8", "render", "MI_NOOP"), ("data ports", "Gen9", "12 dc1", "untyped atomic"),
                ("sampler", "Gen6", "2 sampler", "ld"), ("topologies", "Gen9", "render", "TRIFAN"),
                ("packets", "Gen8", "render", "3DSTATE_CLIP")):
        tests = ledger.ran[key]
        if key[0] in tables.DRAWN:
            ledger.ran[key] = []
            if not document(ledger)[1]:
                yield f"{key} without a test is accepted"
            ledger.ran[key] = tests
            continue
        for spoilt in ([], [("Other.Test", executed, sent) for _, executed, sent in tests]):
            ledger.ran[key] = spoilt
            if not document(ledger)[1]:
                yield f"{key} without a test is accepted"
        ledger.ran[key] = tests
    key = ("packets", "Gen9", "render", "3DSTATE_CLIP")
    row = ledger.rows.pop(key)
    if not document(ledger)[1]:
        yield f"{key} without a case is accepted"
    ledger.rows[key] = row


def main():
    options = [a for a in sys.argv[1:] if a.startswith("--")]
    programs = [a for a in sys.argv[1:] if not a.startswith("--")]
    if len(programs) != 3 or options not in ([], ["--write"], ["--self-test"]):
        sys.exit(__doc__)
    ledger = tables.Ledger(programs)
    if options == ["--self-test"]:
        wrong = list(self_test(ledger))
    else:
        text, wrong = document(ledger)
        if options:
            DOCUMENT.write_text(text)
        elif DOCUMENT.read_text() != text:
            wrong.append("docs/coverage.md is stale; renew it with:\n  python3 tests/coverage/coverage.py " +
                         " ".join(programs) + " --write")
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
