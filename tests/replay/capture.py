#!/usr/bin/env python3
"""What programs have the emulated GPU do is recorded and replayed, and every page of memory is after each batch as it was
when it was recorded (vitro_captured does it). `tests/replay/run` does it with
all of the system suites.

    capture.py VITRO DEVICE PROGRAM [ARGUMENTS...]"""

import os
import pathlib
import subprocess
import sys


def main(vitro, device, *program):
    captured = pathlib.Path(__file__).resolve().parent / "vitro_captured"
    run = subprocess.run([captured, "run", "--device", device, "--", *program], env={**os.environ, "VITRO_REAL": vitro})
    if run.returncode:
        sys.exit(f"exit code {run.returncode}")


if __name__ == "__main__":
    main(*sys.argv[1:])
