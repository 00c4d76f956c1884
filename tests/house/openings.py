"""Every source file opens with a paragraph that says what it is: for C++ which part of the machine and which PRM
section, for scripts what they do. Checked is that such a paragraph is there and is more than a title.
"""

import re

import house

WORDS_AT_LEAST = 6
CPP_OPENING = re.compile(r"\A(?://[^\n]*\n)+|\A/\*.*?\*/", re.DOTALL)
SCRIPT_OPENING = re.compile(r'\A(?:#![^\n]*\n)?(?:((?:#[^\n]*\n)+)|"""(.*?)""")', re.DOTALL)


def opening(path, text):
    """The opening paragraph, "" if there is none, or None if the file is not one that needs one."""
    if house.is_cpp(path):
        match = CPP_OPENING.match(text)
        return match.group() if match else ""
    if path.endswith((".py", ".sh", ".cmake")) or text.startswith("#!"):
        match = SCRIPT_OPENING.match(text)
        return (match.group(1) or match.group(2)) if match else ""
    return None


def check(files):
    for path, text in files.items():
        paragraph = opening(path, text)
        if paragraph is not None and len(re.findall(r"[A-Za-z0-9][\w'-]*", paragraph)) < WORDS_AT_LEAST:
            yield f"{path}:1: does not open with a paragraph that says what this file is"


SAYS = "This file is about the regions of source operands"
GOOD = [
    {"src/isa/a.h": f"// {SAYS}.\n#pragma once\n"},
    {"src/isa/a.h": f"/* {SAYS}.\n */\n#pragma once\n"},
    {"tools/a": f"#!/bin/bash\n# {SAYS}.\n"},
    {"tools/a.py": f'"""{SAYS}."""\n'},
    {"README.md": "vitro\n"},
]
BAD = [
    {"src/isa/a.h": f"#pragma once\n// {SAYS}.\n"},
    {"src/isa/a.cpp": "// a.cpp\nint a;\n"},
    {"src/isa/a.def": "ROW(mov)\n"},
    {"src/isa/a.cpp": f"\n// {SAYS}.\n"},
    {"src/isa/a.cpp": ""},
    {"tools/a": "#!/bin/bash\necho\n"},
    {"tools/a.py": "import re\n"},
]

if __name__ == "__main__":
    house.main(check, GOOD, BAD)
