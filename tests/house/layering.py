"""Who may include whom. A room (a folder below src/) uses only rooms on a lower floor, never its neighbours: so `eu`
cannot come to know `shared`, and nothing below `gen` can ask which generation it is. Unit tests may also use `gen`,
because they need models to test with. The same order holds for the USES of the rooms in CMakeLists.txt.
"""

import re

import house

FLOORS = [
    ["base"],
    ["lanes"],
    ["memory"],
    ["formats"],
    ["isa"],
    ["code"],
    ["eu"],
    ["commands", "registers"],
    ["recording"],
    ["state"],
    ["shared"],
    ["dispatch"],
    ["pipeline", "blitter", "media", "visa"],
    ["decode"],
    ["streamer"],
    ["gen"],
    ["device"],
    ["i915", "cli", "jit"],
]
FLOOR = {room: floor for floor, rooms in enumerate(FLOORS) for room in rooms}

# Both include forms: <isa/x.h> would find the header as well.
INCLUDE = re.compile(r"""^[ \t]*#[ \t]*include[ \t]*(["<])([^">\n]+)[">]""", re.MULTILINE)
ROOM_CALL = re.compile(r"^vitro_room\((\w+)([^)]*)\)", re.MULTILINE)


def may_use(user, used, is_test=False):
    return user == used or FLOOR[used] < FLOOR[user] or (is_test and FLOOR[used] <= FLOOR["gen"])


def check_source(path, text):
    room = path.split("/")[1]
    if path.count("/") < 2:
        yield f"{path}:1: a source file belongs into a room, not into src/ itself"
        return
    if room not in FLOOR:
        yield f"{path}:1: room '{room}' is not on the list in tests/house/layering.py"
        return
    for include in INCLUDE.finditer(text):
        quote, name = include.groups()
        where = f"{path}:{house.line_of(text, include.start(2))}"
        used = name.split("/")[0]
        if used in FLOOR and "/" in name:
            if quote == "<":
                yield f'{where}: write #include "{name}"'
            if not may_use(room, used, path.endswith(("_test.cpp", "_test.h"))):
                yield f"{where}: room '{room}' may not include '{name}'"
            if ".." in name.split("/"):
                yield f"{where}: '{name}' leaves its room by '..'"
        elif quote == '"':
            yield f"{where}: '{name}' does not begin with a room"


def check(files):
    for path, text in files.items():
        if path.startswith("src/") and house.is_cpp(path):
            yield from check_source(path, text)
    for call in ROOM_CALL.finditer(files.get("CMakeLists.txt", "")):
        room, arguments = call.groups()
        uses = re.search(r"\bUSES\s+([\w\s]*?)\s*(?:PROGRAM\b|$)", arguments)
        rooms = [room] + (uses.group(1).split() if uses else [])
        for used in rooms:
            if used not in FLOOR:
                yield f"CMakeLists.txt: room '{used}' is not on the list in tests/house/layering.py"
            elif room in FLOOR and not may_use(room, used):
                yield f"CMakeLists.txt: room '{room}' may not use '{used}'"


GOOD = [
    {"src/isa/a.cpp": '#include <memory>\n#include <fmt/format.h>\n#include "isa/a.h"\n#include "base/bits.h"\n'},
    {"src/isa/a_test.cpp": '#include "gen/models.h"\n'},
    {"src/isa/a_test.h": '#include "gen/models.h"\n'},
    {"src/cli/main.cpp": '#include "gen/models.h"\n#include <CLI/CLI.hpp>\n'},
    {"CMakeLists.txt": "vitro_room(base)\nvitro_room(isa USES base)\nvitro_room(cli USES gen isa PROGRAM vitro)\n"},
    {"tests/iga/compare.cpp": '#include "gen/models.h"\n'},
]
BAD = [
    {"src/isa/a.cpp": '#include "gen/models.h"\n'},
    {"src/isa/a.cpp": "#include <gen/models.h>\n"},
    {"src/isa/a.cpp": "#include <base/bits.h>\n"},
    {"src/base/a_test.cpp": '#include "cli/files.h"\n'},
    {"src/eu/send.h": '#  include "shared/urb.h"\n'},
    {"src/eu/send.h": '#include "shared/urb.h"\n'},
    {"src/commands/a.h": '#include "registers/b.h"\n'},
    {"src/isa/a.cpp": '#include "a.h"\n'},
    {"src/isa/a.cpp": '#include "../gen/models.h"\n'},
    {"src/isa/a.cpp": '#include "isa/../gen/models.h"\n'},
    {"src/kitchen/a.cpp": "\n"},
    {"src/a.cpp": "\n"},
    {"CMakeLists.txt": "vitro_room(isa USES base gen)\n"},
    {"CMakeLists.txt": "vitro_room(isa USES gen PROGRAM x)\n"},
    {"CMakeLists.txt": "vitro_room(kitchen)\n"},
]

if __name__ == "__main__":
    house.main(check, GOOD, BAD)
