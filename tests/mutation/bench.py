"""What the lists of mutations share: altered files are compiled, linked with the objects of a test program in place of
the library's own, and the tests run. A mutation is caught when a test says that it failed: a program that does not build
or that crashes proves nothing."""

import argparse
import concurrent.futures
import pathlib
import re
import shlex
import subprocess
import time
from dataclasses import dataclass, field


@dataclass
class Outcome:
    problem: str = ""  # why the tests did not run to their end
    failed: set = field(default_factory=set)  # names of tests
    detail: list = field(default_factory=list)  # first lines of the problem

    def caught(self, test=None):
        """By any test, or by the one named."""
        return not self.problem and bool(self.failed if test is None else test in self.failed)


class Bench:
    """Options: compiler, flags, source (the folder src), objects (of the test program), libraries, work."""

    def __init__(self, options, flags=()):
        self.compiler = shlex.split(options.compiler)
        self.flags = [*shlex.split(options.flags), *flags]
        self.source = pathlib.Path(options.source)
        self.objects = sorted(str(o) for o in pathlib.Path(options.objects).rglob("*.cpp.o"))
        self.libraries = shlex.split(options.libraries)
        self.work = pathlib.Path(options.work)
        self.start = time.monotonic()

    def text(self, file):
        return (self.source / file).read_text()

    def run(self, name, altered, compiled, tests="*"):
        """Builds with `altered` {file: text} in place of what src has, compiling the files `compiled` again."""
        folder = self.work / name
        folder.mkdir(parents=True, exist_ok=True)
        for file, text in altered.items():
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            (folder / file).write_text(text)
        program, built = folder / "tests", []
        for file in compiled:
            built.append(str(folder / (file.replace("/", "-") + ".o")))
            # The altered folder comes first in the search, so that only altered files are found there.
            done = self.command([*self.flags, f"-I{folder}", f"-I{self.source}", "-c",
                                 str((folder if file in altered else self.source) / file), "-o", built[-1]])
            if done:
                return Outcome("does not compile", detail=done)
        # What was built stands first, so that the libraries' own copies are never taken, nor what the tests have of a header.
        done = self.command([*self.flags, "-o", str(program), *built, *self.objects, *self.libraries])
        if done:
            return Outcome("does not link", detail=done)
        try:
            test = subprocess.run([str(program), "--gtest_filter=" + tests, "--gtest_brief=1"], capture_output=True,
                                  text=True, errors="replace", cwd=folder, timeout=300)
        except subprocess.TimeoutExpired:
            return Outcome("does not end")
        finally:
            program.unlink()
        failed = set(re.findall(r"^\[  FAILED  \] ([\w/]+\.[\w/]+)", test.stdout, re.M))
        return Outcome(f"crashed by signal {-test.returncode}" if test.returncode < 0 else "", failed)

    def demand_soundness(self, compiled, tests="*"):
        """Nothing altered, no test may fail: otherwise every mutation would count as caught."""
        outcome = self.run("unspoiled", {}, compiled, tests)
        if outcome.problem or outcome.failed:
            raise SystemExit(f"without a mutation: {outcome.problem} {outcome.detail} {sorted(outcome.failed)[:5]}")

    def command(self, arguments):
        done = subprocess.run([*self.compiler, *arguments], capture_output=True, text=True)
        return (done.stderr.strip().splitlines()[:3] or ["for no reason"]) if done.returncode else []

    def seconds(self):
        return f"{time.monotonic() - self.start:.0f} s"


def parser(documentation):
    p = argparse.ArgumentParser(description=documentation, formatter_class=argparse.RawDescriptionHelpFormatter)
    for option in ("compiler", "flags", "source", "objects", "libraries", "work"):
        p.add_argument("--" + option, required=True)
    return p


def by_twos(function, jobs):
    """Results in the order of the jobs, two of them at a time."""
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        return list(pool.map(function, jobs))


def replace_once(text, old, new, what):
    if text.count(old) != 1:
        raise SystemExit(f"mutation: {what}: {text.count(old)} places for {old!r}, expected one")
    return text.replace(old, new)
