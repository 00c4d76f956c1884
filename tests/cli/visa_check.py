#!/usr/bin/env python3
"""`vitro visa check` as a user meets it: exit codes, places with a caret, byte offsets of objects, JSON, the list of rules."""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

VITRO = ""
HEAD = """.version 4.1
.kernel "k"
.decl D v_type=G type=d num_elts=16 align=hword
.decl P v_type=P num_elts=16
.kernel_attr SimdSize=16
"""
LEGAL = HEAD + "    mov (M1, 16) D(0,0)<1> 1:d\n"
WRONG = HEAD + "    add (M1, 16) D(0,0)<1> (~)D(0,0)<1;1,0> 1:d\n"
UNDEFINED = HEAD + "    mov (M1, 16) D(1,0)<1> 1:d\n"
DIFFERENT = HEAD + "(P.any) mov (M1, 8) D(0,0)<1> 1:d\n"


class Check(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.folder.name)

    def tearDown(self):
        self.folder.cleanup()

    def run_visa(self, action, text, *args):
        file = self.path / "k.visaasm"
        file.write_text(text)
        return subprocess.run([VITRO, "visa", action, str(file), *args], capture_output=True, text=True, check=False)

    def test_exit_codes(self):
        for text, code in ((LEGAL, 0), (WRONG, 1), (UNDEFINED, 1), (DIFFERENT, 0), ("mov", 1)):
            run = self.run_visa("check", text)
            self.assertEqual(run.returncode, code, text)
            self.assertEqual(run.stderr == "", text == LEGAL, run.stderr)
        self.assertEqual(subprocess.run([VITRO, "visa", "check"], capture_output=True, check=False).returncode, 2)
        self.assertEqual(self.run_visa("check", LEGAL, "-g", "snb").returncode, 2)

    def test_places_of_a_text(self):
        lines = self.run_visa("check", WRONG).stderr.splitlines()
        self.assertRegex(lines[0], r"k\.visaasm:6:28: error: sources of add do not have the modifier \(~\) \[VI-410\]$")
        self.assertEqual(lines[2].index("^") - 2, 27)
        lines = self.run_visa("check", DIFFERENT).stderr.splitlines()
        self.assertRegex(lines[0], r"k\.visaasm:6:1: warning: readings differ: .* \[VI-307\]$")
        self.assertIn("undefined: ", self.run_visa("check", UNDEFINED).stderr)

    def test_places_of_a_kernels_functions(self):
        (self.path / "k_f0.visaasm").write_text(WRONG.replace(".kernel ", ".global_function "))
        run = self.run_visa("check", LEGAL)
        self.assertIn("k_f0.visaasm:6:28: error", run.stderr)
        self.assertEqual(self.run_visa("check", LEGAL, "--alone").returncode, 0)

    def test_places_of_an_object(self):
        isa = self.path / "k.isa"
        self.assertEqual(self.run_visa("asm", WRONG, "-o", str(isa)).returncode, 0)
        run = subprocess.run([VITRO, "visa", "check", "--json", str(isa)], capture_output=True, text=True, check=False)
        self.assertEqual(run.returncode, 1)
        found = json.loads(run.stdout)["findings"]
        self.assertEqual([f["rule"] for f in found], ["VI-410"])
        self.assertEqual(isa.read_bytes()[found[0]["offset"]], 5 << 3)  # the tag of an inverted variable
        run = subprocess.run([VITRO, "visa", "check", str(isa)], capture_output=True, text=True, check=False)
        self.assertIn(f"k.isa: at 0x{found[0]['offset']:X}: error: ", run.stderr)

    def test_json_and_errors_only(self):
        found = json.loads(self.run_visa("check", DIFFERENT, "--json").stdout)
        self.assertEqual(found["device"], "kbl")
        self.assertEqual({k: found["findings"][0][k] for k in ("rule", "verdict", "routine", "line", "column")},
                         {"rule": "VI-307", "verdict": "readings differ", "routine": "k", "line": 6, "column": 1})
        self.assertEqual(json.loads(self.run_visa("check", DIFFERENT, "--json", "--errors").stdout)["findings"], [])

    def test_rules(self):
        run = subprocess.run([VITRO, "visa", "check", "--rules"], capture_output=True, text=True, check=False)
        self.assertEqual(run.returncode, 0)
        rules = json.loads(subprocess.run([VITRO, "visa", "check", "--rules", "--json"], capture_output=True, text=True,
                                          check=True).stdout)
        self.assertEqual([line.split()[0] for line in run.stdout.splitlines()], [r["rule"] for r in rules])
        self.assertEqual({r["verdict"] for r in rules}, {"error", "undefined", "readings differ"})
        self.assertGreater(len(rules), 80)


if __name__ == "__main__":
    VITRO = sys.argv.pop(1)
    unittest.main()
