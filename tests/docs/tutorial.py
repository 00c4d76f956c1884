"""The tutorial shows what the program does today. Each block of docs/tutorial.md that starts with `$ vitro ...` is run
again and its output compared; each block after `<!-- listing: FILE -->` is the file's text.

Usage: tutorial.py VITRO [--self-test | --write]; --write puts today's listings and outputs into docs/tutorial.md.
"""

import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
DOCUMENT = ROOT / "docs" / "tutorial.md"
LISTING = re.compile(r"(<!-- listing: (\S+) -->\n```asm\n)(.*?)(```\n)", re.DOTALL)
TRANSCRIPT = re.compile(r"(```\n\$ vitro ((?:[^\n]*\\\n)*[^\n]*)\n)(.*?)(```\n)", re.DOTALL)


def output_of(vitro, command):
    run = subprocess.run([vitro, *shlex.split(command.replace("\\\n", " "))], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                         check=False)
    if run.returncode not in (0, 1):  # 1 may be meant: programs stop for a fault or a limit
        raise RuntimeError(f"vitro {command}: exit code {run.returncode}\n{run.stdout.decode()}")
    return "".join(line.rstrip() + "\n" for line in run.stdout.decode().splitlines())


def renewed(vitro, text):
    def listing(match):
        return match.group(1) + (ROOT / match.group(2)).read_text(encoding="utf-8") + match.group(4)

    def transcript(match):
        return match.group(1) + output_of(vitro, match.group(2)) + match.group(4)

    return TRANSCRIPT.sub(transcript, LISTING.sub(listing, text))


def check(vitro, text):
    shown = {match.group(2) for match in LISTING.finditer(text)}
    for sample in sorted((ROOT / "samples" / "tutorial").glob("*.asm")):
        name = str(sample.relative_to(ROOT))
        if name not in shown:
            yield f"docs/tutorial.md: {name} is not shown"
        if name not in "".join(match.group(2) for match in TRANSCRIPT.finditer(text)):
            yield f"docs/tutorial.md: {name} is not run"
    if renewed(vitro, text) != text:
        yield "docs/tutorial.md is stale; renew it with: python3 tests/docs/tutorial.py build/release/vitro --write"


def self_test(vitro):
    """A changed output, a changed listing and a missing program must be found."""
    text = DOCUMENT.read_text(encoding="utf-8")
    transcripts, listings = list(TRANSCRIPT.finditer(text)), list(LISTING.finditer(text))
    for match in (transcripts[0], transcripts[-1], listings[0]):
        spoilt = text[:match.start(3)] + "spoilt\n" + text[match.end(3):]
        if not list(check(vitro, spoilt)):
            yield f"a spoilt block is accepted: {match.group(1)}"
    if not list(check(vitro, text.replace(listings[0].group(2), "README.md"))):
        yield "a missing program is accepted"


def main():
    arguments = sys.argv[1:]
    if len(arguments) not in (1, 2) or arguments[1:] not in ([], ["--self-test"], ["--write"]):
        sys.exit(__doc__)
    vitro = str(pathlib.Path(arguments[0]).resolve())
    text = DOCUMENT.read_text(encoding="utf-8")
    if arguments[1:] == ["--write"]:
        DOCUMENT.write_text(renewed(vitro, text), encoding="utf-8")
        return
    problems = list(self_test(vitro) if arguments[1:] else check(vitro, text))
    for problem in problems:
        print(problem)
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
