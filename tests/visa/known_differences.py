#!/usr/bin/env python3
"""Each kind of difference of docs/visa-differences.md that is a mistake of GenX_IR is found again, by a small program. Kind a,
any and all, which we read as it does, is the checker's VI-307.

usage: known_differences.py --vitro PROGRAM
Exit status: 0 all are found, 1 one is not, or GenX_IR is missing.
"""

import argparse
import pathlib
import shutil
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from generator import Refused, Undefined, differs, reason_of  # noqa: E402
from random_program import Profile, Program  # noqa: E402

ADDRESS = ["mov (M1_NM, 1) INDEX(0,0)<1> 0x38:uw", "addr_add (M1_NM, 1) A0(0)<1> &X0 INDEX(0,0)<0;1,0>"]
COMPARE = "cmp.gt (M1, 16) P2 X1(0,0)<1;1,0> X1(2,0)<1;1,0>"
# Kind, device, seed of the values that variables begin with, lines.
KNOWN = [
    ("b", "bdw", 77, ["(P3) goto (M1, 16) L1", "add (M1, 8) X2(2,0)<1> X3(0,15)<4;2,1> X3(0,0)<0;1,0>", "L1:"]),
    ("b", "kbl", 77, ["(P3) goto (M1, 16) L1", "avg (M1, 8) X2(2,0)<1> X3(1,15)<4;2,1> X3(0,0)<0;1,0>", "L1:"]),
    ("c", "bdw", 5168, ["lrp (M1_NM, 8) X6(3,0)<1> X6(0,7)<1;4,1> X6(1,4)<1;1,1> X6(1,3)<0;1,0>"]),
    ("d", "bdw", 77, [*ADDRESS, "add (M1_NM, 8) X3(1,14)<2> r[A0(0),16]<0;4,1>:d X1(2,0)<0;1,0>"]),
    ("d", "kbl", 77, [*ADDRESS, "mov (M1_NM, 8) X3(1,14)<2> r[A0(0),16]<0;4,1>:d"]),
    ("e", "bdw", 77, [COMPARE, "(P2) sel (M4_NM, 1) X2(0,1)<1> X0(0,3)<0;1,0> 0x12:uw"]),
    ("f", "bdw", 5095, ["addc (M2, 4) X11(0,3)<4> X0(0,0)<1> X0(3,0)<0;1,1> X0(1,4)<4;4,1>"]),
    ("f", "bdw", 3000504, ["(P3) goto (M1, 16) L1", "max (M3, 8) X6(3,0)<1> X11(1,6)<1;1,2> (-abs)X11(3,0)<8;8,1>", "L1:"]),
    ("g", "bdw", 77, ["xor (M1, 16) X5(2,0)<2> (~)X4(0,0)<1;1,0> (~)X4(1,29)<1;1,0>"]),
    ("h", "kbl", 77, ["mulh (M1_NM, 16) X1(1,0)<1> X1(2,0)<8;8,1> X1(0,0)<16;16,1>"]),
    ("i", "kbl", 77, [COMPARE, "(!P2) inv.sat (M1_NM, 2) X7(0,0)<1> X7(0,7)<2;2,1>"]),
    ("j", "kbl", 77, ["(P2.any) mad (M1, 8) X6(0,0)<1> X6(1,0)<1;1,0> X6(2,0)<1;1,0> X6(3,0)<1;1,0>"]),
    ("k", "kbl", 77, ["mov (M3_NM, 2) X5(1,0)<1> 0x3555:hf"]),
    ("n", "bdw", 78, ["mulh (M1, 16) X1(0,0)<1> X0(0,0)<1;1,0> (abs)X1(0,0)<0;1,0>"]),
    ("o", "bdw", 77, ["mov (M1, 4) X6(3,0)<2> X4(2,14)<8;1,4>"]),
    ("o", "bdw", 77, ["mov (M1, 4) X0(0,1)<2> X4(2,31)<1;1,0>"]),
    ("p", "kbl", 77, ["(!P3) goto (M1, 16) L1", "(!P2) goto (M1, 16) L2", "L2:", "L1:",
                      "and (M1, 16) X1(0,0)<1> X1(0,0)<1;1,0> 0x3:d", "L3:", "(P3) goto (M1, 16) L4",
                      "scatter4_scaled.R (M1, 16) %slm 0x0:ud PLACES.0 X0.0", "L4:",
                      "add (M1, 16) X1(0,0)<1> X1(0,0)<1;1,0> -1:d", "cmp.gt (M1, 16) P2 X1(0,0)<1;1,0> 0x0:d",
                      "(P2) goto (M1, 16) L3"]),
    ("q", "bdw", 12183, ["div (M1_NM, 1) X1(1,0)<1> (-)X1(1,5)<1;1,0> X1(3,0)<0;1,0>"]),
    ("q", "kbl", 12183, ["div (M1_NM, 1) X1(1,0)<1> (-)X1(1,5)<1;1,0> X1(3,0)<0;1,0>"]),
    ("q", "bdw", 4001594, ["avg (M1, 16) X5(3,0)<1> (abs)X5(0,29)<1;1,0> (-)X5(1,4)<16;16,1>"]),
    ("r", "bdw", 77, ["lrp (M1_NM, 8) X6(3,0)<1> X6(0,1)<1;1,0> X6(1,0)<1;1,0> X6(1,0)<1;1,0>"]),
    ("r", "bdw", 77, ["bfe (M1_NM, 8) X1(3,0)<1> X1(1,0)<1;1,0> X1(1,0)<1;1,0> X1(0,1)<1;1,0>"]),
    ("s", "kbl", 5095, ["addc (M1_NM, 4) X0(1,4)<1> X11(0,0)<1> X0(0,1)<0;1,0> 0xfffffff0:ud"]),
    ("s", "bdw", 5095, ["addc (M1_NM, 8) X0(3,0)<1> X11(0,0)<1> X11(1,0)<8;8,1> X0(1,6)<1;1,0>"]),
    ("t", "bdw", 77, ["mov (M1, 4) X5(0,0)<1> X10(0,0)<1;1,0>"]),
    ("t", "kbl", 77, ["mov (M1, 4) X4(0,0)<4> X10(0,0)<1;1,0>"]),
    ("u", "kbl", 62152, ["mad (M1, 4) X10(2,0)<2> X10(0,0)<0;1,0> X10(0,0)<0;1,0> X10(0,0)<0;1,0>",
                         "(P3) mov (M1, 4) X1(0,0)<1> 0x0:d", "(P2) mov (M1, 4) X1(0,0)<1> 0x1:d"]),
]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--vitro", required=True)
    options = parser.parse_args()
    options.vitro = str(pathlib.Path(options.vitro).resolve())
    if not shutil.which("GenX_IR"):
        print("GenX_IR is missing")
        return 1
    missed = 0
    for kind, device, seed, lines in KNOWN:
        options.device = device
        program = Program(seed, Profile("all", device))
        program.addresses = ["A0"]
        with tempfile.TemporaryDirectory() as folder:
            try:
                found = differs(options, program, lines, pathlib.Path(folder))
            except Refused as refused:
                found = reason_of(refused) if kind == "p" else None
            except Undefined as undefined:
                print(f"{kind}, {device}: undefined: {undefined}")
                found = None
        missed += not found
        print(f"{kind}, {device}: {found or 'both agree'}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
