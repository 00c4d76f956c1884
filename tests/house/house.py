"""What the house tests share: which files belong to the project, C++ without its comments, and the way a check reports
and is itself tested.

A check is a module with a function `check(files)` that takes {path: text} and yields problems, each "path:line: what is
wrong"; and with examples: `GOOD` and `BAD`, lists of {path: text}. Run without arguments it checks the project. With
--self-test it must find nothing in each good example and something in each bad one, so that a check that has gone
blind fails too.
"""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
CPP = (".cpp", ".h", ".c", ".def")


def project_paths():
    """Tracked files and new ones that git does not ignore; in an unpacked archive, all but the build folders."""
    git = subprocess.run(
        ["git", "-C", str(ROOT), "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        capture_output=True, check=False)
    if git.returncode == 0:
        paths = {p for p in git.stdout.decode().split("\0") if p}
    else:
        paths = {p.relative_to(ROOT).as_posix() for p in ROOT.rglob("*")}
        paths = {p for p in paths if p.split("/")[0] not in (".git", "build", "out")}
    return sorted(p for p in paths if (ROOT / p).is_file())


def project_files():
    """{path: text} of the project's text files."""
    files = {}
    for path in project_paths():
        try:
            files[path] = (ROOT / path).read_text(encoding="utf-8")
        except UnicodeDecodeError:
            pass
    return files


def is_cpp(path):
    return path.endswith(CPP)


# Comments, strings and characters of C++. A quote between digits separates them (1'000).
_NOT_CODE = re.compile(
    r"""//(?:\\\n|[^\n])*|/\*.*?\*/|R"([^\s()\\]{0,16})\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'""",
    re.DOTALL)


def blank(match):
    return re.sub(r"[^\n]", " ", match.group())


def code_only(text):
    """The text with comments and the contents of literals blanked; lines and columns stay where they are."""
    return _NOT_CODE.sub(blank, text)


def line_of(text, offset):
    return text.count("\n", 0, offset) + 1


def main(check, good, bad):
    if sys.argv[1:] == ["--self-test"]:
        problems = [f"good example {n}: {p}" for n, files in enumerate(good) for p in check(files)]
        problems += [f"bad example {n}: nothing found" for n, files in enumerate(bad) if not list(check(files))]
        print(f"{len(good)} good and {len(bad)} bad examples")
        if not good or not bad:
            problems.append("a check needs good and bad examples")
    elif not sys.argv[1:]:
        files = project_files()
        problems = list(check(files))
        print(f"{len(files)} files")
        if not any(path.startswith("src/") for path in files):
            problems.append(f"no sources found below {ROOT}")
    else:
        sys.exit(f"usage: {sys.argv[0]} [--self-test]")
    for problem in problems:
        print(problem)
    sys.exit(1 if problems else 0)
