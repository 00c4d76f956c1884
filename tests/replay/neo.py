#!/usr/bin/env python3
"""Intel's OpenCL driver writes an AUB file (it needs no GPU for that), vitro replays it, and the buffer holds what the
kernels should have written.

    neo.py VITRO PROGRAM PRODUCT"""

import os
import pathlib
import subprocess
import sys
import tempfile


def main(vitro, program, product):
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        keys = {"NEOReadDebugKeys": "1", "SetCommandStreamReceiver": "1", "ProductFamilyOverride": product,
                "AUBDumpCaptureFileName": str(folder / "work.aub"), "OCL_ICD_VENDORS": "/etc/OpenCL/vendors/intel.icd"}
        made = subprocess.run([program, folder / "wanted"], env={**os.environ, **keys}, cwd=folder,
                              stdout=subprocess.PIPE, text=True, check=True)
        address, size = made.stdout.splitlines()[1].split()
        replay = subprocess.run([vitro, "replay", folder / "work.aub", "--stats", "--dump",
                                 f"{address}:{size}={folder / 'found'}"], stderr=subprocess.PIPE, text=True)
        if replay.returncode:
            sys.exit(f"replay: exit code {replay.returncode}\n{replay.stderr}")
        wanted, found = (folder / "wanted").read_bytes(), (folder / "found").read_bytes()
        for n in range(0, len(wanted), 4):
            if wanted[n:n + 4] != found[n:n + 4]:
                sys.exit(f"element {n // 4} is {found[n:n + 4].hex()} instead of {wanted[n:n + 4].hex()}")
        print(f"{made.stdout.splitlines()[0]}: {len(wanted)} bytes are right")


if __name__ == "__main__":
    main(*sys.argv[1:])
