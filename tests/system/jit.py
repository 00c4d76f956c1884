#!/usr/bin/env python3
"""A program through the driver in each mode of the JIT: the same picture, code kept for the second start and for nobody
else, damaged files of the cache replaced, what others may have written not taken and one line about it, nothing left
behind when it is off, and the code shown as text.

usage: jit.py --vitro PROGRAM --demo PROGRAM
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile


def run_and_hear(options, folder, *arguments, **environment):
    """The picture, what --stats says of the JIT, and the lines on standard error."""
    picture, stats = folder / "picture", folder / "stats"
    stats.unlink(missing_ok=True)
    done = subprocess.run([options.vitro, "run", "--stats=json", "--stats-file", stats, *arguments, "--", options.demo,
                           picture], capture_output=True, text=True, timeout=300, check=False,
                          env={**os.environ, **environment})
    if done.returncode:
        raise RuntimeError(f"{arguments}: exit {done.returncode}: {done.stdout}{done.stderr}")
    return picture.read_bytes(), json.loads(stats.read_text())["jit"], done.stderr.splitlines()


def run(options, folder, *arguments, **environment):
    picture, jit, lines = run_and_hear(options, folder, *arguments, **environment)
    check(not lines, f"{arguments}: said {lines}")
    return picture, jit


def check(condition, text):
    if not condition:
        raise RuntimeError(text)


def check_distrust(options, folder, picture, cache):
    """The cache is full of good files. What others could have written is not run, and nothing waits."""
    private = {"VITRO_CACHE_DIR": str(cache)}
    cases = [("is not a regular file", lambda file: (file.unlink(), os.mkfifo(file, 0o600))),
             ("is a symbolic link", lambda file: (file.rename(folder / "elsewhere"),
                                                  file.symlink_to(folder / "elsewhere"))),
             ("can be written by other users", lambda file: file.chmod(0o666))]
    if os.geteuid() == 0:
        cases.append(("belongs to user 65534", lambda file: os.chown(file, 65534, 65534)))
    for why, change in cases:
        for file in cache.iterdir():
            change(file)
        same, jit, lines = run_and_hear(options, folder, "--jit=on", **private)
        check(same == picture and jit["cached"] == 0, f"a file that {why}: {jit}")
        check(len(lines) == 1 and lines[0].startswith("vitro: compiled code is not taken: ") and lines[0].endswith(why),
              f"a file that {why}: {lines}")
        same, jit = run(options, folder, "--jit=on", **private)
        check(same == picture and jit["compiled"] == 0, f"a file that {why} was not replaced: {jit}")
    folders = [("can be written by other users", lambda: cache.chmod(0o777), lambda: cache.chmod(0o700))]
    if os.geteuid() == 0:
        folders.append(("belongs to user 65534", lambda: os.chown(cache, 65534, 65534), lambda: os.chown(cache, 0, 0)))
    for why, change, undo in folders:
        change()
        same, jit, lines = run_and_hear(options, folder, "--jit=on", **private)
        check(same == picture and jit["cached"] == 0, f"a folder that {why}: {jit}")
        check(lines == [f"vitro: compiled code is not kept: {cache} {why}"], f"a folder that {why}: {lines}")
        undo()


def check_all(options, folder):
    cache = folder / "cache"
    private = {"VITRO_CACHE_DIR": str(cache)}
    picture, jit = run(options, folder, "--jit=off", **private)
    check(jit["compiled_threads"] == jit["compiled"] == 0, f"--jit=off compiled: {jit}")
    check(not cache.exists(), "--jit=off made a cache")
    _, jit = run(options, folder, VITRO_DEFAULT_JIT="off", **private)
    check(jit["compiled_threads"] == 0, f"VITRO_DEFAULT_JIT=off compiled: {jit}")

    same, jit = run(options, folder, "--jit=on", "--jit-cache=off", **private)
    check(same == picture, "--jit=on computes another picture")
    check(jit["compiled"] > 0 and jit["interpreted_threads"] == jit["failed"] == jit["given_up"] == 0, f"--jit=on interpreted: {jit}")
    check(not cache.exists(), "--jit-cache=off made a cache")

    same, jit = run(options, folder, "--jit=on", **private)
    check(same == picture and jit["compiled"] > 0 and jit["cached"] == 0, f"first start with a cache: {jit}")
    files = sorted(cache.iterdir())
    check(len(files) == jit["compiled"], f"{len(files)} files were kept of {jit['compiled']} kernels")
    for mode in ("on", "auto"):
        same, again = run(options, folder, f"--jit={mode}", **private)
        check(same == picture and again["compiled"] == 0 and again["cached"] > 0, f"second start, {mode}: {again}")

    files[0].write_bytes(files[0].read_bytes()[:-100])
    same, again = run(options, folder, "--jit=on", **private)
    check(same == picture and again["compiled"] == 1, f"with a damaged file: {again}")
    same, again = run(options, folder, "--jit=on", **private)
    check(again["compiled"] == 0, f"the damaged file was not replaced: {again}")

    check_distrust(options, folder, picture, cache)
    same, again, lines = run_and_hear(options, folder, "--jit=on", VITRO_CACHE_DIR="", XDG_CACHE_HOME="", HOME="/proc")
    check(same == picture and again["cached"] == 0, f"without a home: {again}")
    check(len(lines) == 1 and lines[0].startswith("vitro: compiled code is not kept: cannot make /proc/.cache: "),
          f"without a home: {lines}")

    dump = folder / "dump"
    run(options, folder, "--jit=on", "--jit-dump", dump, **private)
    endings = sorted(file.suffix for file in dump.iterdir())
    check(endings == sorted([".eu", ".ll", ".s"] * jit["compiled"]), f"dumped: {endings}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--vitro", required=True)
    parser.add_argument("--demo", required=True)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        check_all(options, pathlib.Path(folder))
    print("the picture is the same with every mode of the JIT")


if __name__ == "__main__":
    sys.exit(main())
