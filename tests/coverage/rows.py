"""Commands, messages and what is drawn in docs/coverage.md: which test ran which row of the tables.

The test programs of the streamer, the shared functions and of drawing write down which rows their tests ran
(VITRO_ROWS_RAN);
messages.txt and commands.txt name what the documents have. A row is covered by a test that ran it and is named after it.
"""
import os
import pathlib
import re
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
GENERATIONS = ("Gen6", "Gen8", "Gen9")
# Tables of what is drawn.
DRAWN = ("packets", "topologies", "vertex formats", "texture formats", "target formats", "depth formats", "sample counts")
SHORT = {"render": "R", "blitter": "B", "video": "V", "video enhancement": "E"}


class Ledger:
    """What the test programs wrote down."""

    def __init__(self, programs):
        self.rows = {}  # (part, generation, place, name): (executes, mask, value)
        self.ran = {}  # (part, generation, place, name): [(test, executed, descriptors)]
        for program in programs:
            with tempfile.TemporaryDirectory() as folder:
                file = pathlib.Path(folder) / "rows"
                # random messages only compare the tiers of the EU, and a build with one of them has no such tests
                subprocess.run([program, "--gtest_brief=1", "--gtest_filter=-*MessageFuzz*"],
                               env=os.environ | {"VITRO_ROWS_RAN": str(file)}, stdout=subprocess.DEVNULL, check=False)
                self.read(file.read_text())

    def read(self, text):
        for line in text.splitlines():
            kind, part, generation, place, name, effect, *rest = line.split("\t")
            key = (part, generation, place, name)
            if kind == "row":
                self.rows[key] = (effect == "executes", int(rest[0]), int(rest[1]))
            else:
                descriptors = {int(d) for d in rest[1].split(",")}
                self.ran.setdefault(key, []).append((clean(rest[0]), effect == "executes", descriptors))

    def tests(self, key, executed=True):
        return [t for t, e, _ in self.ran.get(key, []) if e == executed]


def clean(test):
    """GoogleTest's names of instances, without the instance."""
    return re.sub(r"^\w+/", "", re.sub(r"/\d+$", "", test))


def listed(file):
    """[(section, [line])]"""
    sections = []
    for line in (HERE / file).read_text().splitlines():
        if line.startswith("["):
            sections.append((line.strip("[]"), []))
        elif line and not line.startswith("#"):
            sections[-1][1].append(line)
    return sections


def carries(test, name):
    """Whether a test's name has another name in it, as a whole."""
    return re.search(rf"(?<![A-Za-z0-9]){re.escape(name)}(?![A-Za-z0-9])", test) is not None


def shown(tests):
    tests = sorted(set(tests))
    return "; ".join(tests[:3]) + (f"; and {len(tests) - 3} more" if len(tests) > 3 else "")


def figures(ledger, part):
    """How many rows ran, by generation."""
    lines = []
    for generation in GENERATIONS + ("all",):
        keys = [k for k in ledger.rows if k[:2] == (part, generation)]
        if keys:
            kept = sum(bool(ledger.tests(k, ledger.rows[k][0])) for k in keys)
            refused = sum(not ledger.rows[k][0] for k in keys)
            lines.append(f"- {part}, {generation}: {kept} of {len(keys)} rows ran" +
                         (f" ({refused} of them only to be refused by name)" if refused else "") + ".")
    return lines


def commands(ledger, wrong):
    sections = dict(listed("commands.txt"))
    excused = dict(line.split(" ", 1) for line in sections["exceptions"])
    volume = sections["MI commands of Gen8 vol 2a"]
    have = {}  # name: {generation: [engine]}
    for part, generation, engine, name in ledger.rows:
        if part == "commands":
            have.setdefault(name, {}).setdefault(generation, []).append(engine)
    lines = ["## Commands", "", "R render, B blitter, V video, E video enhancement: engines on which a test that is named after",
             "the command ran it, and looked at memory, registers or the context afterwards. The packets of the 3D pipeline are",
             "run by tests over all of them: ThreeDRows compare every field with what is left in the state, Packets",
             "(tests/drawing) the pixels and the memory that a draw leaves with the packet and without it. The state of",
             "other fixed functions is kept and their work refused by name:",
             "Engines.EveryCommandWithoutAHandlerIsKeptOrRefused. No Gen6 device here has a video enhancement engine; its rows",
             "are run all the same.", ""]
    lines += figures(ledger, "commands")
    groups = [("MI commands of Gen8 vol 2a", volume), ("Other commands that are executed", sorted(set(have) - set(volume)))]
    for title, names in groups:
        lines += ["", f"### {title} ({len(names)})", "", "| command | Gen6 | Gen8 | Gen9 | tests |", "|---|---|---|---|---|"]
        for name in names:
            cells, tests = [], []
            for generation in GENERATIONS:
                cell = ""
                for engine in SHORT:
                    if engine not in have.get(name, {}).get(generation, []):
                        continue
                    by = [t for t in ledger.tests(("commands", generation, engine, name))
                          if carries(t, name) or (name.startswith("3DSTATE_") and t.startswith("ThreeDRows."))]
                    if not by:
                        wrong.append(f"{name} ({generation} {engine}) is run by no test of its name")
                    drawn = ("packets", generation, engine, name)
                    if drawn in ledger.rows:
                        by += ledger.tests(drawn, ledger.rows[drawn][0])
                    elif name.startswith("3DSTATE_"):
                        wrong.append(f"{name} ({generation}) has no case in tests/drawing")
                    tests += by
                    cell += SHORT[engine] if by else "**missing**"
                cells.append(cell or "-")
            if name not in have and name not in excused:
                wrong.append(f"{name} is executed on no generation and has no exception")
            note = shown(tests) if tests else f"none: {excused.get(name, '')}"
            if tests and name in excused:
                note += f" ({excused[name]})"
            lines.append(f"| {name} | {' | '.join(cells)} | {note} |")
    lines += ["", "### Operations of PIPE_CONTROL", "", "| operation | tests |", "|---|---|"]
    ran = {t for k in ledger.rows if k[3] == "PIPE_CONTROL" for t in ledger.tests(k)}
    for line in sections["operations of PIPE_CONTROL"]:
        test, operation = line.split(" ", 1)
        if test not in ran:
            wrong.append(f"PIPE_CONTROL, {operation}: {test} does not run it")
        lines.append(f"| {operation} | {test} |")
    lines.append("")
    return lines


def bits_of(words):
    """Mask and value of "18:14=1Ah 9=1h"."""
    mask = value = 0
    for word in words:
        place, _, number = word.partition("=")
        high, _, low = place.partition(":")
        high, low = int(high), int(low or high)
        field = (1 << (high - low + 1)) - 1
        mask |= field << low
        value |= int(number.rstrip("h"), 16) << low
    return mask, value


def messages(ledger, wrong):
    sections = dict(listed("messages.txt"))
    aliases = {}
    for line in sections["names of tests"]:
        message, _, names = line.partition(" = ")
        aliases[message] = names.split()
    excused = dict(line.split(" = ", 1) for line in sections["exceptions"])
    refused = {key[3] for key, (executes, _, _) in ledger.rows.items() if not executes and key[0] not in DRAWN}
    wrong += [f"{name} is refused without a reason in messages.txt" for name in sorted(refused - set(excused))]
    wrong += [f"messages.txt excuses {name}, which is not refused" for name in sorted(set(excused) - refused)]
    lines = ["## Messages", "", "Tests that sent a message, on which generations it was carried out, and what came of it: their checks",
             "are of memory, of the response or of the thread's registers.", ""]
    for part in ("data ports", "sampler", "URB", "gateway", "spawner"):
        lines += figures(ledger, part)
    described = sections["message descriptors of Gen8 vol 2a"]
    lines += ["", f"### Message descriptors of Gen8 vol 2a ({len(described)})", "",
              "| descriptor | row | Gen8 | Gen9 | tests |", "|---|---|---|---|---|"]
    for line in described:
        name, sfid, *bits = line.split()
        mask, value = bits_of(bits)
        cells, tests, row_name = [], [], ""
        for generation in GENERATIONS[1:]:
            cell = "-"
            for key, (executes, row_mask, row_value) in ledger.rows.items():
                if key[1] != generation or key[2].split()[0] != sfid:
                    continue
                if key[0] == "data ports" and value & row_mask != row_value:
                    continue
                by = [t for t, e, sent in ledger.ran.get(key, [])
                      if e == executes and carries(t, name) and any(d & mask == value for d in sent)]
                if key[0] == "URB" and not by:
                    continue  # URB rows have no mask: what was sent says which it is
                row_name = key[3]
                if executes:
                    aliases.setdefault(key[3], []).append(name)
                cell = ("carried out" if executes else "refused") if by else "**missing**"
                tests += by
                if not by:
                    wrong.append(f"{name} ({generation}) is sent by no test of its name")
            cells.append(cell)
        if not tests:
            wrong.append(f"{name} is sent by no test")
        note = shown(tests) + (f" ({excused[row_name]})" if row_name in excused else "")
        lines.append(f"| {name} | {row_name} | {' | '.join(cells)} | {note} |")
    lines += ["", "### Rows of the tables", "", "| function | message | Gen6 | Gen8 | Gen9 | tests |", "|---|---|---|---|---|---|"]
    by_row = {}
    for key in (k for k in ledger.rows if k[0] != "commands" and k[0] not in DRAWN):
        function = key[0] if key[0] != "data ports" else "data port " + key[2].split(" ", 1)[1]
        by_row.setdefault((function, key[3]), []).append(key)
    for (function, name), keys in sorted(by_row.items()):
        cells, tests = dict.fromkeys(GENERATIONS, "-"), []
        for key in keys:
            executes = ledger.rows[key][0]
            squashed = re.sub(r"[^a-z0-9]", "", name.lower())
            by = [t for t in ledger.tests(key, executes)
                  if not executes or carries(t, name) or squashed in re.sub(r"[^a-z0-9]", "", t.lower())
                  or any(carries(t, a) for a in aliases.get(name, []))]
            if not by:
                wrong.append(f"{name} ({key[1]} {key[2]}) is sent by no test of its name, only by: " +
                             " ".join(ledger.tests(key, executes)))
            tests += by
            for generation in GENERATIONS if key[1] == "all" else (key[1],):
                cells[generation] = ("carried out" if executes else "refused") if by else "**missing**"
        note = shown(tests) + (f" ({excused[name]})" if name in excused else "")
        lines.append(f"| {function} | {name} | {' | '.join(cells.values())} | {note} |")
    lines.append("")
    return lines


def drawing(ledger, wrong):
    lines = ["## Drawing", "", "What was drawn by tests (tests/drawing) that look at the pixels or the memory that it leaves. Packets",
             "of Packets.WithoutAnEffect are those that decide nothing about it here: draws are right with them."]
    for part in DRAWN:
        names = sorted({k[3] for k in ledger.rows if k[0] == part})
        if not names:
            wrong.append(f"no test draws {part}")
        lines += ["", f"### {part.capitalize()} ({len(names)})", ""] + figures(ledger, part)
        lines += ["", "| row | Gen8 | Gen9 | tests |", "|---|---|---|---|"]
        for name in names:
            cells, tests = [], []
            for generation in GENERATIONS[1:]:
                key = (part, generation, "render", name)
                executes = ledger.rows.get(key, (None,))[0]
                by = ledger.tests(key, executes) if executes is not None else []
                if executes is not None and not by:
                    wrong.append(f"{name} ({part}, {generation}) is drawn by no test")
                cells.append("-" if executes is None else "**missing**" if not by else "drawn" if executes else "refused")
                tests += by
            lines.append(f"| {name} | {' | '.join(cells)} | {shown(tests)} |")
    lines.append("")
    return lines


def document(ledger):
    """The sections on commands, messages and drawing, and what is wrong."""
    wrong = []
    return commands(ledger, wrong) + messages(ledger, wrong) + drawing(ledger, wrong), wrong
