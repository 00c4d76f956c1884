#!/usr/bin/env python3
"""`vitro visa exec` and `compare` as a user meets them: values by name, dumps, the trace, mistakes, and what is refused.
Usage: visa_exec.py VITRO"""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

VITRO = ""
KERNEL = """.version 4.1
.kernel "twice"
.decl X v_type=G type=d num_elts=16 align=hword
.decl ADDRESS v_type=G type=uq num_elts=16 align=hword
.decl SMALL v_type=P num_elts=16
.decl T6 v_type=T num_elts=1
.decl S0 v_type=S num_elts=1
.input ADDRESS offset=32 size=128
.kernel_attr SimdSize=16
.function "main"
main:
    svm_gather.4.1 (M1, 16) ADDRESS.0 X.0
    cmp.lt (M1, 16) SMALL X(0,0)<1;1,0> 8:d
(SMALL) add (M1, 16) X(0,0)<1> X(0,0)<1;1,0> X(0,0)<1;1,0>
    svm_scatter.4.1 (M1, 16) ADDRESS.0 X.0
    ret (M1, 1)
"""
ADDRESSES = "ADDRESS=" + ",".join(hex(0x1000 + 4 * n) for n in range(16))


class VisaExec(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name)
        (self.path / "numbers.bin").write_bytes(b"".join(n.to_bytes(4, "little") for n in range(16)))

    def run_visa(self, *args, text=KERNEL, action="exec"):
        (self.path / "k.visaasm").write_text(text)
        return subprocess.run([VITRO, "visa", action, "k.visaasm", *args], cwd=self.path, capture_output=True, text=True,
                              check=False)

    def numbers(self, *args, **more):
        return self.run_visa("--mem", "0x1000=numbers.bin:rw", "--set", ADDRESSES, *args, **more)

    def test_values_by_name(self):
        run = self.numbers("--dump", "X,SMALL", "--dump-mem", "0x1000:32")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertRegex(run.stdout, r"(?m)^X:d +0 2 4 6 8 10 12 14 8 9 10 11 12 13 14 15$")
        self.assertRegex(run.stdout, r"(?m)^SMALL +0xFF$")
        self.assertRegex(run.stdout, r"(?m)^0x00001000 00000000 00000002 00000004")
        run = self.numbers("--dump", "X", "--json")
        self.assertEqual(json.loads(run.stdout)["findings"], [])

    def test_the_trace_has_lines_and_names(self):
        run = self.numbers("--trace")
        self.assertRegex(run.stdout, r"(?m)^t0 +14 \[FF\]  \(SMALL\) add \(M1, 16\) X\(0,0\)<1>")
        self.assertRegex(run.stdout, r"(?m)^ +dst +0 2 4 6 8 10 12 14 - - - - - - - -$")

    def test_mistakes_of_the_command_line(self):
        for args, words in ((("--set", "Y=1"), "twice has no such variable"),
                            (("--set", "X"), "not VARIABLE=VALUE"),
                            (("--set", "X=1.5"), "'1.5' is no number of type d"),
                            (("--set", "X=0x123456789"), "is no number of type d"),
                            (("--set", "X=-2147483649"), "is no number of type d"),
                            (("--set", "X=" + ",".join(["1"] * 17)), "17 values, and the variable has 16 elements"),
                            (("--set", "SMALL=1"), "a predicate is set by setp"),
                            (("--dump", "Y"), "twice has no such variable")):
            run = self.run_visa(*args)
            self.assertEqual(run.returncode, 2, args)
            self.assertIn(words, run.stderr)
        self.assertEqual(self.run_visa("--set", "X=0xffffffff,-2147483648", "--channels", "0").returncode, 0)

    def test_undefined_accesses_and_endless_loops(self):
        text = KERNEL.replace("    cmp.lt", "    mov (M1, 16) X(0,1)<1> 1:d\nlonger:\n    goto (M1, 16) longer\n    cmp.lt")
        run = self.numbers("--limit", "1000", text=text)
        self.assertEqual(run.returncode, 1)
        self.assertRegex(run.stderr, r"line 13: .*channel 15: an element outside the variable|"
                                     r"line 13.*outside the variable")
        self.assertIn("endless loop", run.stderr)

    def test_fixed_functions_are_refused_by_name(self):
        for line in ("va.centroid T6 0x0:f 0x0:f 0x8:ub X.0", "vme_idm T6 X.0 X.0 X.0",
                     "avs.R T6 S0 0x0:f 0x0:f 0x0:f 0x0:f 0x0:f 0x0:ud 0x0:ud AVS_16_FULL 0x0:f AVS_16x8 0x0:ud X.0"):
            text = KERNEL.replace("    cmp.lt", f"    {line}\n    cmp.lt")
            self.assertEqual(self.run_visa(action="check", text=text).returncode, 0)
            run = self.numbers(text=text)
            self.assertEqual(run.returncode, 1, line)
            self.assertIn(f"{line.split(' ')[0].split('.R')[0]}: its fixed function is not there", run.stderr)
            self.assertIn("line 13", run.stderr)

    @unittest.skipUnless(shutil.which("GenX_IR"), "GenX_IR is missing")
    def test_compare(self):
        (self.path / "k.visaasm").write_text(KERNEL)
        subprocess.run(["GenX_IR", "k.visaasm", "-platform", "SKL", "-binary", "-output"], cwd=self.path, check=True,
                       stdout=subprocess.DEVNULL, timeout=120)
        code = next(self.path.glob("*.dat")).name
        memory = ["--mem", "0x1000=numbers.bin:rw"]
        for n in range(4):
            memory += ["--grf", f"r{n + 1}=" + ",".join(f"0x{0x1000 + 16 * n + 4 * k:x},0" for k in range(4)) + ":ud"]
        run = self.run_visa(code, *memory, action="compare")
        self.assertEqual((run.returncode, run.stdout.strip()), (0, "the same: 7 bytes changed"), run.stderr)
        run = self.run_visa(code, *memory, action="compare", text=KERNEL.replace("8:d", "12:d"))
        self.assertEqual(run.returncode, 1)
        self.assertIn("line 15", run.stdout + run.stderr)


if __name__ == "__main__":
    VITRO = str(pathlib.Path(sys.argv.pop()).resolve())
    unittest.main()
