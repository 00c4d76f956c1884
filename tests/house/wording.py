"""Words that do not belong into the project: paths of somebody's machine, talk about how the text came to be, and notes
about work that was left undone (an issue is the place for those). Temporary files are made below TMPDIR or from a
mkstemp template.
"""

import re

import house

THIS_FILE = "tests/house/wording.py"
PATTERNS = {
    "a path of one machine": r"(?<![\w.-])/(?:work|home/\w+|root)/",
    "a fixed name in /tmp": r"(?<![\w.-])/tmp/(?![\w.-]*XXXXXX)\w",
    "how the text came to be": r"\bsub-?agents?\b|\b(?:this|previous|earlier) session\b|\bworkplace\b",
}
# Only in sources: documents may speak about them.
UNDONE = re.compile(r"\b(?:TODO|FIXME|XXX|HACK)\b")
PATTERN = {what: re.compile(pattern, re.IGNORECASE) for what, pattern in PATTERNS.items()}


def check(files):
    for path, text in files.items():
        if path == THIS_FILE:
            continue
        patterns = list(PATTERN.items())
        if house.is_cpp(path) or path.endswith((".py", ".sh", ".cmake")) or text.startswith("#!"):
            patterns.append(("work left undone", UNDONE))
        for what, pattern in patterns:
            for match in pattern.finditer(text):
                yield f"{path}:{house.line_of(text, match.start())}: {what}: '{match.group()}'"


GOOD = [
    {"src/base/a.cpp": 'auto t = mkstemp("/tmp/vitro-XXXXXX");\n// a framework/work/ item\n'},
    {"README.md": "Put it into /tmp if you like; TODO lists are welcome.\n"},
    {"tests/a.py": "tempfile.gettempdir() or '/tmp'\n"},
]
BAD = [
    {"README.md": "see /wo" "rk/shared/spec\n"},
    {"src/base/a.cpp": '#include "/wo' 'rk/main/a.h"\n'},
    {"tests/a.py": "open('/tmp/build-x/out')\n"},
    {"tests/a.py": "open('/home/me/out')\n"},
    {"docs/a.md": "a sub" "agent wrote this\n"},
    {"docs/a.md": "done in this ses" "sion\n"},
    {"src/base/a.h": "// TODO: more\n"},
]

if __name__ == "__main__":
    house.main(check, GOOD, BAD)
