"""A generation is a value, not a condition: outside src/gen no C++ compares a generation with a number or with a named
generation, and none switches over it. What differs is another row, another layout, another function in an array, or a
named capability. Comparing two generation values (to find a row of a table) is no such condition.

Only comparisons that are spelled out are found: clang-format puts blanks around binary operators, which tells them from
template arguments.
"""

import re

import house

NUMBER_OF = r"(?:\w+_)?(?:gen|ver|verx10|generation)(?:_?(?:number|no|id|major|version))?(?:\(\))?"
NAMED = r"(?:\b(?:\w+::)*(?:Gen|Generation|Platform)::\w+|\b(?:gen|gfx)_?(?:4|5|6|7|75|8|9|11|12)\b|\bGEN_?[0-9]+\b)"
SIGN = r"\s+(?:<|>|<=|>=|==|!=|<=>)\s+"
PATTERNS = [
    rf"\b{NUMBER_OF}{SIGN}-?\d",
    rf"\b\d+{SIGN}(?:[\w:]+(?:\.|->))*{NUMBER_OF}(?!\w)",
    rf"{NAMED}{SIGN}",
    rf"{SIGN}{NAMED}",
    rf"\bswitch\s*\((?:[\w:]+(?:\(\))?(?:\.|->))*{NUMBER_OF}\)",
    rf"\bcase\s+{NAMED}",
]
COMPARISON = re.compile("|".join(PATTERNS), re.IGNORECASE)


def check(files):
    for path, text in files.items():
        if not house.is_cpp(path) or path.startswith("src/gen/"):
            continue
        code = house.code_only(text)
        for match in COMPARISON.finditer(code):
            found = " ".join(match.group().split())
            yield f"{path}:{house.line_of(code, match.start())}: compares a generation: {found}"


GOOD = [
    {"src/gen/gen8.cpp": "if (gen >= 8) f();"},
    {"src/isa/a.cpp": "// on gen >= 8 this differs\nauto s = \"gen == 6\";"},
    {"src/isa/a.cpp": "if (row.gen == gen) return row;"},
    {"src/isa/a.cpp": "auto x = table<Gen::gen8>(1);"},
    {"src/isa/a.cpp": "if (engine > 8 && version == 1 && oxygen < 3) f();"},
    {"src/isa/a.cpp": "for (int generations = 0; generations < 3; ++generations) f(Gen::gen8);"},
    {"src/isa/a.cpp": "std::cout << gen6 << 3;"},
]
BAD = [
    {"src/isa/a.cpp": "if (gen >= 8) f();"},
    {"src/isa/a.cpp": "if (model.generation() == 6) f();"},
    {"src/isa/a.cpp": "if (devinfo->ver < 8) f();"},
    {"src/isa/a.cpp": "if (8 <= devinfo->gen) f();"},
    {"src/isa/a.cpp": "if (gfx_ver != 9) f();"},
    {"src/isa/a.cpp": "x = m.gen_number == 6 ? 1 : 2;"},
    {"src/isa/a.cpp": "if (g == Gen::gen8) f();"},
    {"src/isa/a.cpp": "if (g == isa::Gen::snb) f();"},
    {"src/isa/a.cpp": "if (Gen::gen8 < g) f();"},
    {"src/isa/a.cpp": "if (Gen::gen8 <=\n    g) f();"},
    {"src/isa/a.cpp": "if (platform == Platform::kbl) f();"},
    {"src/isa/a.cpp": "switch (model.gen) {}"},
    {"src/isa/a.cpp": "switch (g) { case Gen::gen6: f(); }"},
    {"src/isa/a.h": "#if GEN >= 8\n#endif"},
    {"bench/a.cpp": "if (gen > 6) f();"},
]

if __name__ == "__main__":
    house.main(check, GOOD, BAD)
