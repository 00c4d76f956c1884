"""Every C++ file is laid out as clang-format lays it out with the project's .clang-format. Repair: clang-format -i FILE."""

import pathlib
import re
import subprocess
import tempfile

import house

WARNING = re.compile(r"^(.*?):(\d+):\d+: (?:error|warning): (code should be clang-formatted)", re.MULTILINE)


def check(files):
    """Works on copies, so that the examples of the self-test go the same way as the project."""
    with tempfile.TemporaryDirectory() as folder:
        style = (house.ROOT / ".clang-format").read_text(encoding="utf-8")
        (pathlib.Path(folder) / ".clang-format").write_text(style, encoding="utf-8")
        # .def files are lists of macro calls without a language of their own: their layout is the table's.
        paths = [p for p in files if p.endswith((".cpp", ".h", ".c"))]
        for path in paths:
            copy = pathlib.Path(folder) / path
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_text(files[path], encoding="utf-8")
        if not paths:
            return
        run = subprocess.run(["clang-format", "--dry-run", "-Werror", "--style=file", *paths],
                             cwd=folder, capture_output=True, text=True, check=False)
    worst = {}
    for match in WARNING.finditer(run.stderr):
        worst.setdefault(match.group(1), match.group(2))
    for path, line in worst.items():
        yield f"{path}:{line}: not formatted; repair with: clang-format -i {path}"
    if run.returncode != 0 and not worst:
        yield f"clang-format failed: {run.stderr.strip()}"


GOOD = [
    {"src/base/a.h": "// A file.\n#pragma once\n\nint f(int a);\n"},
    {"src/base/a.cpp": "int f(int a) { return a + 1; }\n", "README.md": "int   f( )\n"},
]
BAD = [
    {"src/base/a.h": "int   f( int a );\n"},
    {"src/base/a.cpp": "int f(int a)\n{\n    return a + 1;\n}\n"},
    {"src/base/a.cpp": "int f(int a) { return a + 1; }\n", "tests/x/b.c": "int *p;\n"},
]

if __name__ == "__main__":
    house.main(check, GOOD, BAD)
