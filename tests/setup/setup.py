#!/usr/bin/env python3
"""The sets of packages of tools/packages.txt, and the progress that tools/build.sh shows on a terminal and elsewhere."""
import os
import pathlib
import pty
import re
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PHASES = f"""
set -euo pipefail
source {ROOT}/tools/build.sh
"""
# As ninja writes to what is no terminal.
BUILD = r"""
build() {
  echo "setup: installing some"
  for n in {1..40}; do echo "[$n/40] Building CXX object CMakeFiles/x.dir/src/a/file$n.cpp.o"; done
  printf 'the end'
}
"""


def packages(*sets):
    return subprocess.run([ROOT / "tools/setup", "--list", *sets], capture_output=True, check=True, text=True).stdout.split()


class Packages(unittest.TestCase):
    def test_no_package_is_in_two_sets_and_each_has_a_reason(self):
        names = packages("run", "test", "programs")
        self.assertEqual(len(names), len(set(names)))
        for line in (ROOT / "tools/packages.txt").read_text().splitlines():
            if line and line[0] not in "#[":
                self.assertRegex(line, r"^\S+ +\S", "a package without a reason")

    def test_running_needs_no_test_package(self):
        running = packages("run")
        for name in ("libgtest-dev", "libbenchmark-dev", "libmpfr-dev", "clang", "pocl-opencl-icd", "clpeak", "piglit"):
            self.assertNotIn(name, running)
        for name in ("intel-opencl-icd", "mesa-vulkan-drivers", "libgl1-mesa-dri", "libze1", "clinfo"):
            self.assertIn(name, running)

    def test_an_unknown_set_is_refused(self):
        for sets in ([], ["all"], ["ru"], ["run", "none"]):
            done = subprocess.run([ROOT / "tools/setup", "--list", *sets], capture_output=True, check=False, text=True)
            self.assertEqual(done.returncode, 3, sets)
            self.assertIn("set", done.stderr)


class Progress(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.log = pathlib.Path(self.folder.name) / "build/build.log"

    def tearDown(self):
        self.folder.cleanup()

    def shell(self, script):
        return subprocess.run(["bash", "-c", PHASES + script], cwd=self.folder.name, capture_output=True, check=False, text=True)

    def terminal(self, script):
        """What a terminal is sent."""
        pid, screen = pty.fork()
        if pid == 0:
            os.chdir(self.folder.name)
            os.environ["TERM"] = "xterm"
            os.execvp("bash", ["bash", "-c", "stty cols 60; " + PHASES + script])
        sent = b""
        while True:
            try:
                some = os.read(screen, 4096)
            except OSError:  # the other side is closed
                some = b""
            if not some:
                break
            sent += some
        os.waitpid(pid, 0)
        os.close(screen)
        return sent.decode()

    def test_one_line_is_drawn_anew_on_a_terminal(self):
        sent = self.terminal(BUILD + "phase build build")
        drawn = [frame for frame in re.split(r"\r\x1b\[K", sent) if frame.startswith("build ") and "[" in frame]
        self.assertGreaterEqual(len(drawn), 40, sent)
        for frame in drawn:
            self.assertRegex(frame, r"^build +\d+ s +\d+ %  \[\d+/40\]  file\d+\.cpp\.o$")
            self.assertLess(len(frame), 60)
        self.assertRegex(sent, r"\r\x1b\[Kbuild +ok +[\d.]+ s\r\n$")

    def test_a_long_step_shows_that_time_passes(self):
        sent = self.terminal("build() { echo '[1/2] Linking x'; sleep 3; echo '[2/2] Linking y'; }; phase build build")
        seconds = set(re.findall(r"build +(\d) s +50 %", sent))
        self.assertGreaterEqual(len(seconds), 2, sent)

    def test_elsewhere_there_are_few_whole_lines(self):
        quick = self.shell(BUILD + "phase build build")
        self.assertRegex(quick.stderr, r"^setup: installing some\nbuild +ok +[\d.]+ s\n$")
        slow = self.shell(BUILD + "long() { sleep 6; build; }; phase build long")
        self.assertEqual(re.findall(r"^build +\d+ s +(\d+) %", slow.stderr, re.MULTILINE),
                         [str(n) for n in range(10, 101, 10)])
        self.assertNotIn("\r", slow.stderr)
        self.assertNotIn("\x1b", slow.stderr)

    def test_everything_is_in_the_log(self):
        self.shell(BUILD + "phase build build")
        lines = self.log.read_text().splitlines()
        self.assertEqual((len(lines), lines[1][:6], lines[-1]), (42, "[1/40]", "the end"))

    def test_a_failure_shows_the_log_and_keeps_the_exit_code(self):
        done = self.shell("build() { echo reason; return 7; }; phase build build; echo on >&2")
        self.assertEqual(done.returncode, 7)
        self.assertEqual(done.stderr, "reason\nbuild failed (exit code 7); the whole log: build/build.log\n")


if __name__ == "__main__":
    unittest.main()
