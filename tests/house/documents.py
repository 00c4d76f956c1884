"""The documents keep their promises: README.md shows both commands on its first screen, and every relative link in a
Markdown file leads to a file of the project.
"""

import posixpath
import re

import house

FIRST_SCREEN = 25
LINK = re.compile(r"\[[^\]\n]*\]\(([^)\s#]+)(?:#[^)\s]*)?\)")
FENCE = re.compile(r"^(```|~~~).*?^\1", re.DOTALL | re.MULTILINE)


def check(files):
    screen = "\n".join(files.get("README.md", "").splitlines()[:FIRST_SCREEN])
    for command in ("./run", "./test"):
        if not re.search(rf"(?<![\w/]){re.escape(command)}\b", screen):
            yield f"README.md:1: {command} is not mentioned in the first {FIRST_SCREEN} lines"
    folders = {posixpath.dirname(p) for p in files}
    for path, text in files.items():
        if not path.endswith(".md"):
            continue
        text = FENCE.sub(house.blank, text)
        for link in LINK.finditer(text):
            target = link.group(1)
            if re.match(r"[a-z]+:", target):
                continue
            leads_to = posixpath.normpath(posixpath.join(posixpath.dirname(path), target))
            if leads_to.endswith(".png") and (house.ROOT / leads_to).is_file():  # no text
                continue
            if leads_to not in files and leads_to not in folders:
                yield f"{path}:{house.line_of(text, link.start())}: '{target}' leads nowhere"


README = "# vitro\n./run and ./test\n"
GOOD = [
    {"README.md": README},
    {"README.md": README + "[a](docs/a.md#part) [b](https://example.org)\n", "docs/a.md": "[up](../README.md)\n"},
    {"README.md": README + "[a](docs)\n```\n[b](nowhere.md)\n```\n", "docs/a.md": "\n"},
]
BAD = [
    {},
    {"README.md": "# vitro\n./run\n"},
    {"README.md": "\n" * FIRST_SCREEN + README},
    {"README.md": README + "[a](docs/b.md)\n", "docs/a.md": "\n"},
    {"README.md": README, "docs/a.md": "[b](b.md)\n"},
]

if __name__ == "__main__":
    house.main(check, GOOD, BAD)
