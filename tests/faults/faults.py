"""Bad work under `vitro run`: faults.py VITRO CLIENT DEVICE.

The client (main.cpp) submits work that hangs, work that is wrong but harmless, and calls that the kernel refuses, and
checks what a program can see of it. Here the reports on standard error are compared with what each case announces:
engine, batch, offset, command, place in the kernel and reason. Two runs: as usual, and with --strict.
"""

import re
import subprocess
import sys
import tempfile
import unittest

VITRO, CLIENT, DEVICE = sys.argv[1:4]
KINDS = 30  # at least so many ways to hang

REPORT = re.compile(r"vitro: GPU hang on (?P<engine>\w+), context (?P<context>\d+)(?P<banned> \(banned\))?: "
                    r"batch (?P<start>0x[0-9a-f]+)\+(?P<offset>0x[0-9a-f]+)(?: \(submitted: (?P<outer>0x[0-9a-f]+)\))?, "
                    r"(?P<command>[^,:]*)"
                    r"(?P<ip>, IP 0x[0-9a-f]+ [^\n]*?)?: (?P<reason>.*)$")
# A kernel whose illegal opcodes are passed over is named.
REMARK = re.compile(r"^vitro: kernel at 0x[0-9a-f]+: illegal opcode 0x[0-9a-f]{2} at 0x[0-9a-f]+ is passed over$")


class Faults(unittest.TestCase):
    maxDiff = None

    def run_client(self, *arguments, options=()):
        done = subprocess.run([VITRO, "run", "--device", DEVICE, "--hang-limit", "1000000", *options, "--", CLIENT, DEVICE,
                               *arguments], capture_output=True, text=True, check=False, timeout=200)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done

    def compare(self, done):
        """The reports, by the address of the batch, against the announcements. Gives the names of the cases."""
        reports, remarks = {}, []
        for line in done.stderr.splitlines():
            if REMARK.match(line):
                remarks.append(line)
                continue
            found = REPORT.match(line)
            self.assertTrue(found, f"not a report: {line}")
            reports[int(found["outer"] or found["start"], 16)] = found
        self.assertEqual(len(remarks), len(set(remarks)), "a kernel is named once")
        self.remarks = remarks
        names = set()
        for line in done.stdout.splitlines():
            if not line.startswith("hang\t"):
                continue
            _, name, batch, offset, command, place, reason = line.split("\t")
            report = reports.get(int(batch, 16))
            with self.subTest(case=name):
                self.assertIsNotNone(report, f"no report for the batch at {batch}")
                text = report[0]
                if offset != "-":
                    self.assertEqual(int(report["offset"], 16), int(offset, 16), text)
                if command != "-":
                    self.assertEqual(report["command"], command, text)
                self.assertEqual(report["ip"] is not None, place == "IP", text)
                self.assertRegex(report["reason"], f"^(?:{reason})$", text)
                self.assertTrue(report["reason"].strip(), text)
            names.add(name)
        return names

    def beside(self, done):
        """How often the work in parallel was done."""
        return int(re.search(r"^beside\t(\d+)$", done.stdout, re.M)[1])

    def test_reports(self):
        done = self.run_client()
        self.assertGreaterEqual(len(self.compare(done)), KINDS)
        self.assertGreaterEqual(len(self.remarks), 3)
        self.assertGreater(self.beside(done), 20)

    def test_strict(self):
        done = self.run_client("strict", options=["--strict"])
        self.assertGreaterEqual(len(self.compare(done)), 5)
        self.assertGreater(self.beside(done), 2)

    def test_error_state(self):
        """The error state of a hang in a kernel: `vitro decode` names the command and the instruction, and shows the
        kernel; the decoder of intel-gpu-tools reads it, too."""
        state = self.run_client("error-state", "endless-kernel").stdout
        ip, instruction = re.search(r"^  EU IP: 0x([0-9a-f]+) (.*)$", state, re.M).groups()
        with tempfile.NamedTemporaryFile("w") as file:
            file.write(state)
            file.flush()
            ours = subprocess.run([VITRO, "decode", file.name], capture_output=True, text=True, check=True).stdout
            self.assertRegex(ours, r"GPGPU_WALKER  <== the engine hung here\n")
            self.assertIn(f"EU IP: 0x{ip} {instruction}", ours)
            self.assertRegex(ours, rf"/\* \[0*{int(ip, 16):x}\] \*/ +{re.escape(instruction.split()[0])}")  # the kernel's text
            theirs = subprocess.run(["intel_error_decode", file.name], capture_output=True, text=True, check=True).stdout
            header = re.search(r"IPEHR: (0x[0-9a-f]+)", state)[1]
            self.assertRegex(theirs, rf"(?m)^batch \(rcs0\) at .*(\n.*)*\n0x[0-9a-f]+: +{header}: ")


if __name__ == "__main__":
    del sys.argv[1:4]
    unittest.main()
