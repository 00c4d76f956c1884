#!/usr/bin/env python3
"""Runs vitro decode as a user would: raw and hexadecimal batches, filters, JSON, pages, mistakes and exit codes."""
import json
import os
import pathlib
import signal
import struct
import subprocess
import sys
import tempfile
import unittest

VITRO = ""
BATCH = [0x00000000, 0x7A000004, 0x00100000, 0, 0, 0, 0, 0x11000001, 0x2600, 5, 0x05000000]
ENVIRONMENT = {k: v for k, v in os.environ.items() if k != "NO_COLOR"}


def vitro(*args, stdin=b""):
    return subprocess.run([VITRO, "decode", *map(str, args)], input=stdin, capture_output=True, env=ENVIRONMENT, check=False)


def raw(dwords):
    return struct.pack(f"<{len(dwords)}I", *dwords)


class Decode(unittest.TestCase):
    def test_raw_and_hexadecimal_are_the_same(self):
        run = vitro("-", stdin=raw(BATCH))
        self.assertEqual(run.returncode, 0, run.stderr)
        text = run.stdout.decode()
        for words in ("MI_NOOP\n", "PIPE_CONTROL\n", "    Command Streamer Stall Enable: true\n",
                      "Register Offset: CS_GPR (0x2600)\n", "MI_BATCH_BUFFER_END\n"):
            self.assertIn(words, text)
        hexadecimal = vitro("-", stdin=" ".join(f"{d:08x}" for d in BATCH).encode())
        self.assertEqual(hexadecimal.stdout, run.stdout)

    def test_brief(self):
        lines = vitro("--brief", "-", stdin=raw(BATCH)).stdout.decode().splitlines()
        self.assertEqual(lines[1], "0x000000000004  PIPE_CONTROL: Command Streamer Stall Enable")
        self.assertEqual(len(lines), 4)

    def test_addresses_and_filter(self):
        run = vitro("--address", "0x10000", "--filter", "load_register,BATCH_BUFFER_END", "-", stdin=raw(BATCH))
        lines = [line for line in run.stdout.decode().splitlines() if line.startswith("0x")]
        self.assertEqual(lines, ["0x00000001001c  MI_LOAD_REGISTER_IMM", "0x000000010028  MI_BATCH_BUFFER_END"])

    def test_filter_of_nothing(self):
        run = vitro("--filter", "nowhere", "-", stdin=raw(BATCH))
        self.assertEqual((run.returncode, run.stdout), (0, b""))
        self.assertIn(b"no command's name has 'nowhere' in it", run.stderr)

    def test_addresses_have_one_form(self):
        # A jump to a canonical address.
        start = [0x18800001, 0x00001000, 0xFFFFFFFF]
        run = vitro("--json", "-", stdin=raw(start))
        self.assertEqual(json.loads(run.stdout.splitlines()[0])["link"], "0xffff00001000")

    def test_json(self):
        run = vitro("--json", "-", stdin=raw(BATCH))
        objects = [json.loads(line) for line in run.stdout.decode().splitlines()]
        self.assertEqual([o["command"] for o in objects],
                         ["MI_NOOP", "PIPE_CONTROL", "MI_LOAD_REGISTER_IMM", "MI_BATCH_BUFFER_END"])
        self.assertIs(objects[1]["fields"]["Command Streamer Stall Enable"], True)
        self.assertEqual(objects[2]["list"][0]["Register Offset"], "CS_GPR (0x2600)")

    def test_page_goes_to_a_file(self):
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder) / "page.html"
            run = vitro("--html", "-o", page, "-", stdin=raw(BATCH))
            self.assertEqual((run.returncode, run.stdout), (0, b""))
            self.assertTrue(page.read_text().startswith("<!DOCTYPE html>"))
            self.assertTrue(page.read_text().endswith("</html>\n"))

    def test_colour(self):
        self.assertNotIn(b"\033[", vitro("-", stdin=raw(BATCH)).stdout)
        self.assertIn(b"\033[", vitro("--color=always", "-", stdin=raw(BATCH)).stdout)

    def test_engines(self):
        blit = [0x54F00006] + [0] * 7
        self.assertIn(b"XY_SRC_COPY_BLT", vitro("-g", "snb", "--engine", "blitter", "-", stdin=raw(blit)).stdout)

    def test_interrupt(self):
        with tempfile.NamedTemporaryFile() as batch:
            batch.truncate(64 << 20)  # nothing but MI_NOOP
            for form in ([], ["--json"], ["--html"]):
                with subprocess.Popen([VITRO, "decode", *form, batch.name], stdout=subprocess.PIPE,
                                      stderr=subprocess.PIPE) as process:
                    beginning = process.stdout.read(100_000)
                    process.send_signal(signal.SIGINT)
                    rest = process.stdout.read()
                    self.assertRegex(process.stderr.read(), rb"stopped after \d+ commands")
                self.assertEqual(process.returncode, 130)
                if form == ["--html"]:
                    self.assertTrue((beginning + rest).endswith(b"</html>\n"))

    def test_mistakes(self):
        run = vitro("-", stdin=raw([0xE0000000, 0x05000000]))
        self.assertEqual(run.returncode, 1)
        self.assertIn(b"unknown command 0xe0000000", run.stdout)
        self.assertIn(b"1 dwords begin no command", run.stderr)
        run = vitro("-", stdin=raw(BATCH)[:-1] + b"\xff\xff")
        self.assertEqual(run.returncode, 1)
        self.assertIn(b"0x2c", run.stderr)
        run = vitro("--address", "0x1000", "-", stdin=raw(BATCH[:5]))
        self.assertEqual(run.returncode, 1)
        self.assertIn(b"truncated: there are only 4 of its 6 dwords", run.stdout)
        self.assertIn(b"offset 0x4: the file ends inside this command", run.stderr)
        self.assertEqual(vitro("-", stdin=b"").returncode, 1)
        self.assertEqual(vitro("/nowhere/at/all").returncode, 3)
        self.assertEqual(vitro("-g", "xyz", "-", stdin=raw(BATCH)).returncode, 2)
        self.assertEqual(vitro("--json", "--html", "-", stdin=raw(BATCH)).returncode, 2)
        self.assertEqual(vitro("-o", "/nowhere/at/all", "-", stdin=raw(BATCH)).returncode, 3)


if __name__ == "__main__":
    VITRO = sys.argv.pop(1)
    unittest.main()
