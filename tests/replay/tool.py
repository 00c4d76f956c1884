#!/usr/bin/env python3
"""The command line of `vitro replay`, on captures of the blitter's work: what it prints, its exit codes, damaged files.

    tool.py VITRO BLITTER_CLIENT"""

import os
import pathlib
import re
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest


class Replay(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = pathlib.Path(cls.folder.name)
        cls.file = cls.path / "work.aub"
        for name in ("work.aub", "work.aub.zst"):
            subprocess.run([VITRO, "run", "--device", "kbl", "--capture", cls.path / name, "--capture-results", "--", CLIENT],
                           check=True, stdout=subprocess.DEVNULL)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def replay(self, *words, code=0):
        done = subprocess.run([VITRO, "replay", *map(str, words)], capture_output=True, text=True)
        self.assertEqual(done.returncode, code, done.stderr)
        return done

    def test_statistics_and_compression(self):
        counts = set()
        for name in ("work.aub", "work.aub.zst"):
            text = self.replay(self.path / name, "--stats").stderr
            counts.add(re.sub(r"(?m)^.*time.*$|[\d.]+ m?s", "", text))
            self.assertIn("XY_", text)
        self.assertLess((self.path / "work.aub.zst").stat().st_size, self.file.stat().st_size / 2)

    def test_until(self):
        whole = self.replay(self.file, "--digest").stdout.splitlines()
        first = self.replay(self.file, "--digest", "--until", 1).stdout.splitlines()
        self.assertEqual(first, [line for line in whole if line.startswith("1 ")])
        self.assertGreater(len(whole), len(first))
        self.assertRegex(self.replay(self.file, "--until", 10**6).stderr, r"only \d+ submissions are in it")

    def test_dump_and_watch(self):
        lines = self.replay(self.file, "--digest").stdout.split("\n")
        address = lines[-2].split()[1]
        self.replay(self.file, "--dump", f"{address}:4096={self.path / 'page'}")
        self.assertEqual((self.path / "page").stat().st_size, 4096)
        for bad in ("12", "1:2", "x:4=a", "1:2=", "1=2:3"):
            self.replay(self.file, "--dump", bad, code=2)
        watched = self.replay(self.file, "--watch", address)
        for line in watched.stdout.splitlines():
            self.assertRegex(line, r"^0x[0-9a-f]+ 0x[0-9a-f]+ submission \d+ (command \d+ at|the recording, before)")

    def test_surfaces(self):
        trace = self.replay(self.file, "--trace", "commands").stderr
        blit = re.search(r"(0x[0-9a-f]+) XY_COLOR_BLT", trace).group(1)
        copy = re.search(r"(0x[0-9a-f]+) XY_SRC_COPY_BLT", trace).group(1)
        self.replay(self.file, "--png", f"blit@{blit}={self.path / 'a.png'}", "--dump-surface",
                    f"blit@{blit}={self.path / 'a.raw'}", "--png", f"blit_source@{copy}={self.path / 'b.png'}")
        for name in ("a.png", "b.png"):
            self.assertTrue((self.path / name).read_bytes().startswith(b"\x89PNG"))
        self.assertGreater((self.path / "a.raw").stat().st_size, 1000)
        for bad in ("blit@0x10=a.png", "surface@0x10=a.png", "depth@0x10=a.png", f"blit_source@{blit}=a.png"):
            self.assertIn("vitro: ", self.replay(self.file, "--png", bad, code=3).stderr)
        # One that there is not does not keep others from being written.
        self.replay(self.file, "--png", "blit@0x10=x.png", "--png", f"blit@{blit}={self.path / 'c.png'}", code=3)
        self.assertEqual((self.path / "c.png").read_bytes(), (self.path / "a.png").read_bytes())
        self.assertIn("only 0 draws are in it", self.replay(self.file, "--png-after", "1=x.png").stderr)
        # Before anything is executed.
        for bad in ("nothing=a.png", "surface@=a.png", "=", "blit@1", "surface@0x10000", "surface@0x10000="):
            for option in ("--png", "--dump-surface"):
                self.assertIn(f"vitro: {option}: ", self.replay(self.path / "missing", option, bad, code=2).stderr)

    def test_differences(self):
        self.assertIn("no difference", self.replay(self.file, "--diff", "threads=1").stdout)
        self.assertIn("no difference", self.replay(self.file, "--diff", f"vitro={VITRO}").stdout)
        for bad in ("colour=red", "jit", "jit="):
            self.replay(self.file, "--diff", bad, code=2)
        self.replay("-", "--diff", "threads=1", code=2)
        # What cannot be executed is no difference, and no agreement.
        for bad in ("vitro=/nowhere/at/all", "vitro=/bin/false", "device=nothing"):
            done = self.replay(self.file, "--diff", bad, code=1)
            self.assertIn(f"{bad}: nothing was executed", done.stderr)
            self.assertEqual(done.stdout, "")
        self.assertIn("nothing was executed", self.replay(self.path / "missing", "--diff", "threads=1", code=1).stderr)
        # Broadwell has no XY_FAST_COPY_BLT.
        done = self.replay(self.file, "--diff", "device=bdw", code=1)
        self.assertEqual(done.stderr.count(": submission 1 "), 1, done.stderr)
        self.assertRegex(done.stdout, r"^submission (\d+): memory at (0x[0-9a-f]+) differs\n"
                                      r"  as it is: \2 0x[0-9a-f]+ submission \1 command \d+ at 0x[0-9a-f]+: XY_FAST_COPY_BLT\n"
                                      r"  device=bdw: no command changes it from then on\n$")
        # A page that is not there is not an empty one.
        other = self.path / "other"
        other.write_text(f'#!/bin/sh\ncase "$*" in *--dump*) exit 1;; esac\nexec {VITRO} "$@" --device bdw\n')
        other.chmod(0o755)
        done = self.replay(self.file, "--diff", f"vitro={other}", code=3)
        self.assertIn("could not be read", done.stderr)

    def test_what_does_not_hold(self):
        data = bytearray(self.file.read_bytes())
        # The last record that compares memory: its last byte.
        at = data.rfind(b"\x04\xf7") - 2
        size = int.from_bytes(data[at + 16:at + 20], "little")
        data[at + 20 + size - 1] ^= 0xFF
        changed = self.path / "changed.aub"
        changed.write_bytes(data)
        done = self.replay(changed, code=1)
        self.assertRegex(done.stderr, rf"offset {at:#x}: memory at 0x[0-9a-f]+ .* as the recording expects")
        self.replay(changed, "--no-check")

    def test_damaged_files(self):
        data = self.file.read_bytes()
        damaged = self.path / "damaged.aub"
        for cut in (1, 3, 10, len(data) // 2 + 1, len(data) - 1):
            damaged.write_bytes(data[:cut])
            self.assertIn("offset 0x", self.replay(damaged, code=1).stderr)
        packed = (self.path / "work.aub.zst").read_bytes()
        damaged.write_bytes(packed[:len(packed) // 2])
        self.assertEqual(self.replay(damaged, code=1).stderr.count("offset 0x"), 1)
        damaged.write_bytes(b"this is no recording")
        self.assertIn("neither", self.replay(damaged, code=1).stderr)
        self.assertIn("No such file", self.replay(self.path / "missing", code=1).stderr)
        self.replay(self.file, "--device", "nothing", code=1)

    def test_processes_have_files_of_their_own(self):
        capture = self.path / "many.aub"
        subprocess.run([VITRO, "run", "--capture", capture, "--", "/bin/sh", "-c", f"{CLIENT} && {CLIENT}"], check=True,
                       stdout=subprocess.DEVNULL)
        files = sorted(self.path.glob("many*.aub"))
        self.assertEqual(len(files), 2)
        for file in files:
            self.replay(file)

    def test_who_submits_nothing_writes_nothing(self):
        # The first process opens the device and has no work for it: the name is for the second one.
        capture = self.path / "first.aub"
        opened = f"exec 3<>/dev/dri/renderD128; {CLIENT}"
        for program, files in ((opened, [capture]), ("exec 3<>/dev/dri/renderD128", [])):
            capture.unlink(missing_ok=True)
            subprocess.run([VITRO, "run", "--capture", capture, "--", "/bin/sh", "-c", program], check=True,
                           stdout=subprocess.DEVNULL)
            self.assertEqual(sorted(self.path.glob("first*.aub")), files)

    def test_what_is_no_file_is_not_replaced(self):
        """A capture begins by taking away what has its name, which must be no device, and no link to one."""
        def capture(name):
            return subprocess.run([VITRO, "run", "--capture", name, "--", CLIENT], capture_output=True, text=True)

        pipe, folder, link, nowhere = (self.path / name for name in ("pipe", "folder", "link", "nowhere"))
        os.mkfifo(pipe)
        folder.mkdir()
        link.symlink_to(pipe)
        nowhere.symlink_to(self.path / "not there")
        for name in (pipe, folder, link, nowhere):
            before = name.lstat()
            done = capture(name)
            self.assertEqual(done.returncode, 3)
            self.assertIn(f"--capture: {name} is there and is no file that could be replaced", done.stderr)
            self.assertEqual(name.lstat(), before)
        # A link to a file stays one.
        file = self.path / "linked.aub"
        file.write_text("old")
        link.unlink()
        link.symlink_to(file)
        self.assertEqual(capture(link).returncode, 0)
        self.assertTrue(link.is_symlink())
        self.replay(file)
        # What is to be in a capture needs one.
        done = subprocess.run([VITRO, "run", "--capture-results", "--", CLIENT], capture_output=True, text=True)
        self.assertEqual(done.returncode, 2)
        self.assertIn("--capture", done.stderr)

    def test_a_capture_without_work_says_so(self):
        capture = self.path / "nothing.aub"
        done = subprocess.run([VITRO, "run", "--capture", capture, "--", sys.executable, "-c", "open('/dev/dri/renderD128')"],
                              check=True, stderr=subprocess.PIPE, text=True)
        self.assertRegex(done.stderr, rf"^vitro: python3\S* submitted no work: {capture} is not written\n$")
        self.assertFalse(capture.exists())

    def test_interrupt(self):
        # Work without an end: a batch that starts itself. Ctrl-C ends it while it runs.
        endless = self.path / "endless.aub"
        endless.write_bytes(old_form("PCI-ID=0x126", [0x18800000, 0x100000]))
        with subprocess.Popen([VITRO, "replay", endless, "--hang-limit", str(10**12)], stderr=subprocess.PIPE,
                              text=True) as process:
            while processor_time(process.pid) < 0.3:
                time.sleep(0.05)
            process.send_signal(signal.SIGINT)
            self.assertIn("stopped in submission 1", process.stderr.read())
        self.assertEqual(process.returncode, 130)


def old_form(comment, batch):
    """An AUB file of the old form: a batch at 0x100000 and a ring that starts it."""
    def dwords(*values):
        return struct.pack(f"<{len(values)}I", *values)

    def block(what, address, data):
        return dwords(0xE0C10003, what, 0, address, 4 * len(data)) + dwords(*data)

    text = comment.encode().ljust((len(comment) + 3) // 4 * 4, b"\0")
    head = dwords(0xE0850000 | (11 + len(text) // 4), 4 << 24) + bytes(32) + dwords(0, 0, len(text)) + text
    return head + block(1, 0x100000, batch) + block(2 | 2 << 8, 0x8000, [0x18800000, 0x100000])


def processor_time(pid):
    """Seconds that a process has computed."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    VITRO, CLIENT = sys.argv[1:3]
    unittest.main(argv=sys.argv[:1])
