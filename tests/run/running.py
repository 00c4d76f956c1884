"""What the tests of `vitro run` share: running a program under it, and the small client program with its steps.

Every test program is called with the paths of vitro, of the client (client.c) and of the program that names the OpenGL
driver (renderer.c).
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

VITRO, CLIENT, RENDERER = sys.argv[1:4]
DEVICES = {"snb": "0126", "bdw": "1616", "kbl": "5916", "apl": "5A84"}


def run(*command, device="kbl", options=(), timeout=300, **how):
    """A finished program under vitro, with its output as text."""
    return subprocess.run([VITRO, "run", "--device", device, *options, "--", *map(str, command)], capture_output=True,
                          text=True, check=False, timeout=timeout, **how)


class Case(unittest.TestCase):
    def client(self, *steps, device="kbl", **how):
        """The output of the client; it must succeed."""
        done = run(CLIENT, *steps, device=device, **how)
        self.assertEqual(done.returncode, 0, f"{steps}: {done.stdout}{done.stderr}")
        return done.stdout

    def folder(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        return pathlib.Path(folder.name)


def main():
    del sys.argv[1:4]
    os.environ.pop("LD_PRELOAD", None)
    unittest.main()
