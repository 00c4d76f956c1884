"""No source file is longer than a reader can hold. About 500 lines is the aim and 700 the limit; a file that is a table
says so in its name (opcode_table.cpp, compaction_tables_gen8.h, *.def) and may be as long as what it lists.
"""

import re

import house

LIMIT = 700
TABLE = re.compile(r"(?:^|_)tables?(?:_|\.|$)|\.def$")


def check(files):
    for path, text in files.items():
        if not (house.is_cpp(path) or path.endswith((".py", ".sh", ".cmake")) or text.startswith("#!")):
            continue
        lines = text.count("\n")
        if lines > LIMIT and not TABLE.search(path.split("/")[-1]):
            yield f"{path}:{lines}: {lines} lines; more than {LIMIT} only in a table"


LONG = "x\n" * (LIMIT + 1)
GOOD = [
    {"src/isa/a.cpp": "x\n" * LIMIT, "docs/isa.md": LONG},
    {"src/isa/opcode_table.cpp": LONG, "src/isa/a.def": LONG, "src/isa/compaction_tables_gen8.h": LONG},
]
BAD = [
    {"src/isa/a.cpp": LONG},
    {"src/isa/stable.cpp": LONG},
    {"src/tables/a.cpp": LONG},
    {"tools/a": "#!/bin/sh\n" + LONG},
]

if __name__ == "__main__":
    house.main(check, GOOD, BAD)
