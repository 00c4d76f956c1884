#!/usr/bin/env python3
"""Runs vitro as a user would and checks what it prints, what it writes and how it exits."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

VITRO = ""
ENVIRONMENT = {k: v for k, v in os.environ.items() if k != "NO_COLOR"}


def vitro(*args, stdin=b""):
    return subprocess.run([VITRO, *map(str, args)], input=stdin, capture_output=True, env=ENVIRONMENT, check=False)


class Help(unittest.TestCase):
    def test_help_teaches_and_exits_0(self):
        for args in ([], ["asm"], ["disasm"], ["decode"], ["exec"], ["run"], ["doctor"], ["devices"]):
            run = vitro(*args, "--help")
            self.assertEqual(run.returncode, 0, args)
            self.assertIn(b"xit code", run.stdout, args)
            self.assertEqual([line for line in run.stdout.decode().splitlines() if line.startswith("Usage:")][0].split()[:2 + len(args)],
                             ["Usage:", "vitro", *args])

    def test_help_of_run_names_the_program(self):
        self.assertIn(b"Usage: vitro run [OPTIONS] [--] PROGRAM [ARGUMENTS...]\n", vitro("run", "--help").stdout)

    def test_version(self):
        run = vitro("--version")
        self.assertEqual(run.returncode, 0)
        self.assertRegex(run.stdout.decode(), r"^vitro \d+\.\d+\.\d+\n$")

    def test_wrong_command_lines_exit_2(self):
        for args in ([], ["frobnicate"], ["asm"], ["asm", "-g", "kbl"], ["asm", "-g", "xyz", "-"],
                     ["asm", "-g", "kbl", "--compact", "--no-compact", "-"], ["disasm", "-g", "kbl", "--input", "png", "-"]):
            run = vitro(*args)
            self.assertEqual(run.returncode, 2, args)
            self.assertTrue(run.stderr, args)

    def test_devices(self):
        run = vitro("devices")
        self.assertEqual([line.split()[0] for line in run.stdout.decode().splitlines()], ["snb", "bdw", "kbl", "apl"])


class Files(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.folder.name)

    def tearDown(self):
        self.folder.cleanup()

    def test_unreadable_files_exit_3(self):
        for path in (self.path / "absent", self.path):
            run = vitro("asm", "-g", "kbl", path, "-o", self.path / "out")
            self.assertEqual(run.returncode, 3)
            self.assertIn(b"cannot read", run.stderr)
        run = vitro("asm", "-g", "kbl", "-", "-o", self.path / "no" / "such" / "folder", stdin=b"nop\n")
        self.assertEqual(run.returncode, 3)
        self.assertIn(b"cannot write", run.stderr)

    def test_text_to_code_and_back(self):
        for device, text in (("snb", "mov (8|M0) m3.0<1>:f r2.0<8;8,1>:f"), ("bdw", "mov (8|M0) r3.0<1>:hf r2.0<16;8,2>:hf"),
                             ("kbl", "sends (8|M0) r5:ud r112 r10 0x4A 0x02000010"), ("apl", "nop")):
            source, code = self.path / "a.asm", self.path / "a.bin"
            source.write_text(text + "\n")
            self.assertEqual(vitro("asm", "-g", device, "--no-validate", source, "-o", code).returncode, 0)
            self.assertEqual(code.stat().st_size, 16)
            run = vitro("disasm", "-g", device, code)
            self.assertEqual(run.returncode, 0)
            self.assertEqual(run.stdout.decode().split("//")[0].split(), text.split())

    def test_errors_go_to_stderr_with_place_and_caret_and_leave_no_output(self):
        source, code = self.path / "bad.asm", self.path / "bad.bin"
        source.write_text("nop\nmov (8|M0) r1.0<1>:f r2.0<8;8,1>:xf\nadd (3) r1\n")
        run = vitro("asm", "-g", "kbl", source, "-o", code)
        self.assertEqual(run.returncode, 1)
        self.assertFalse(code.exists())
        lines = run.stderr.decode().splitlines()
        self.assertTrue(lines[0].startswith(f"{source}:2:34: error: found 'xf', expected a type"), lines[0])
        self.assertEqual(lines[2].index("^"), 2 + 33)
        self.assertTrue(lines[3].startswith(f"{source}:3:6: error: found 3, expected an execution size"), lines[3])
        self.assertNotIn("\033", run.stderr.decode())

    def test_rules_are_reported_by_id(self):
        run = vitro("asm", "-g", "kbl", "-", "-o", self.path / "o", stdin=b"mov (8|M0) r10.0<1>:b r11.0<8;8,1>:d\n")
        self.assertEqual(run.returncode, 1)
        self.assertIn(b"[R1.2]", run.stderr)
        self.assertEqual(vitro("asm", "-g", "kbl", "--no-validate", "-", "-o", self.path / "o",
                               stdin=b"mov (8|M0) r10.0<1>:b r11.0<8;8,1>:d\n").returncode, 0)

    def test_compaction_options(self):
        text = b"(W) mul (1|M0) r2.0<1>:d r6.0<0;1,0>:d r41.1<0;1,0>:d\n"
        for options, size in (([], 16), (["--compact"], 8), (["--no-compact"], 16)):
            run = vitro("asm", "-g", "kbl", *options, "-", stdin=text)
            self.assertEqual(len(run.stdout), size)
        compact = vitro("asm", "-g", "kbl", "--compact", "-", stdin=text).stdout
        self.assertIn(b"{Compacted}", vitro("disasm", "-g", "kbl", "-", stdin=compact).stdout)
        self.assertNotIn(b"{Compacted}", vitro("disasm", "-g", "kbl", "--no-compact", "-", stdin=compact).stdout)

    def test_hexadecimal_input_in_every_width(self):
        code = vitro("asm", "-g", "kbl", "-", stdin=b"mov (8|M0) r1.0<1>:f 1.5:f\n").stdout
        expected = vitro("disasm", "-g", "kbl", "-", stdin=code).stdout
        dwords = [int.from_bytes(code[n:n + 4], "little") for n in range(0, 16, 4)]
        texts = [
            " ".join(f"{b:02x}" for b in code),
            ", ".join(f"0x{d:08x}" for d in dwords),
            "// as iga64 prints bits\n" + "`".join(f"{d:08X}" for d in reversed(dwords)),
            f"{int.from_bytes(code, 'little'):032x}",
        ]
        for text in texts:
            run = vitro("disasm", "-g", "kbl", "-", stdin=text.encode())
            self.assertEqual((run.returncode, run.stdout), (0, expected), text)
        run = vitro("disasm", "-g", "kbl", "--input", "hex", "-", stdin=b"7e00 00")
        self.assertEqual(run.returncode, 1)
        self.assertIn(b"expected 2, 8, 16 or 32", run.stderr)

    def test_what_is_no_instruction_is_said_and_exits_1(self):
        run = vitro("disasm", "-g", "bdw", "--offsets", "-", stdin=b"\x7e" + bytes(15) + b"\x33" + bytes(15))
        self.assertEqual(run.returncode, 1)
        self.assertIn(b"/* [0010] */ // error: Opcode: reserved value 0x33", run.stdout)
        run = vitro("disasm", "-g", "kbl", "-", stdin=b"\x7e\x00\x00")
        self.assertEqual(run.returncode, 1)
        self.assertIn(b"truncated", run.stdout)

    def test_json(self):
        source = b"L: mov (8|M0) (eq)f0.1 r1.0<1>:f (abs)r2.0<8;8,1>:f\n(f0.1) while (8|M0) L\n"
        run = vitro("asm", "-g", "kbl", "--json", "-", stdin=source)
        instructions = json.loads(run.stdout)["instructions"]
        self.assertEqual([i["op"] for i in instructions], ["mov", "while"])
        self.assertEqual(instructions[0]["src0"]["abs"], True)
        self.assertEqual(instructions[0]["CondModifier"], {"flag": "f0.1", "condition": "eq"})
        self.assertEqual((instructions[1]["line"], instructions[1]["targets"]), (2, [0]))
        code = vitro("asm", "-g", "kbl", "-", stdin=source).stdout
        blocks = json.loads(vitro("disasm", "-g", "kbl", "--json", "-", stdin=code + b"\x33").stdout)["blocks"]
        self.assertEqual([i.get("op", "error") for i in blocks[0]["instructions"]], ["mov", "while", "error"])

    def test_device_binaries_kernel_by_kernel(self):
        source = self.path / "k.cl"
        source.write_text("kernel void one(global int *a) { a[0] = 1; }\nkernel void two(global int *a) { a[1] *= 3; }\n")
        subprocess.run(["ocloc", "compile", "-file", "k.cl", "-device", "kbl", "-output", "k"], cwd=self.path, check=True,
                       capture_output=True)
        binary = next(self.path.glob("*.bin"))
        run = vitro("disasm", "-g", "kbl", binary)
        self.assertEqual(run.returncode, 0)
        text = run.stdout.decode()
        self.assertLess(text.index("// kernel one"), text.index("// kernel two"))
        self.assertEqual(text.count("{EOT}"), 2)
        only = vitro("disasm", "-g", "kbl", "--kernel", "two", binary).stdout.decode()
        self.assertNotIn("kernel one", only)
        self.assertIn("kernel two", only)
        self.assertEqual(vitro("disasm", "-g", "kbl", "--kernel", "three", binary).returncode, 1)
        truncated = self.path / "t.bin"
        truncated.write_bytes(binary.read_bytes()[:200])
        self.assertEqual(vitro("disasm", "-g", "kbl", "--input", "device", truncated).returncode, 1)


if __name__ == "__main__":
    VITRO = sys.argv.pop(1)
    unittest.main()
