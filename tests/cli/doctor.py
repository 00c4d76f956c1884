#!/usr/bin/env python3
"""vitro doctor: what it says where everything is there, where something is missing, and where a driver is broken."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

VITRO, BROKEN = "", ""
INTERFACES = ["OpenCL", "Level Zero", "Vulkan", "OpenGL"]
LINE = re.compile(r"^  (OpenCL|Level Zero|Vulkan|OpenGL) +(ok|none|missing|failed) +(.*)$", re.MULTILINE)


def doctor(*arguments, **environment):
    """{interface: (state, text)} of one device, or of the last; and the process."""
    done = subprocess.run([VITRO, "doctor", *arguments], capture_output=True, text=True, timeout=500, check=False,
                          env={**os.environ, **environment})
    return {name: (state, text) for name, state, text in LINE.findall(done.stdout)}, done


class Doctor(unittest.TestCase):
    def test_everything_is_found_and_works(self):
        found, done = doctor("--device", "kbl")
        self.assertEqual({name: state for name, (state, _) in found.items()}, dict.fromkeys(INTERFACES, "ok"), done.stdout)
        for _, text in found.values():
            self.assertIn("HD Graphics 620", text)
        self.assertIn("4 of 4 jobs", done.stdout)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_all_devices(self):
        _, done = doctor()
        self.assertEqual(re.findall(r"^(\w+)  ", done.stdout, re.MULTILINE), ["snb", "bdw", "kbl", "apl"])
        states = [state for _, state, _ in LINE.findall(done.stdout)]
        self.assertEqual((states.count("ok"), states.count("none"), len(states)), (10, 6, 16), done.stdout)
        self.assertEqual(done.returncode, 0)

    def test_what_is_missing_is_named_with_its_package(self):
        with tempfile.TemporaryDirectory() as folder:
            for library in ("libOpenCL.so.1", "libvulkan.so.1", "libze_intel_gpu.so.1"):
                (pathlib.Path(folder) / library).touch()
            found, done = doctor("-d", "kbl", LD_LIBRARY_PATH=folder)
        for name, package in {"OpenCL": "ocl-icd-libopencl1", "Vulkan": "libvulkan1", "Level Zero": "intel-opencl-icd"}.items():
            self.assertEqual(found[name][0], "missing", done.stdout)
            self.assertIn(f"(install {package})", found[name][1])
        self.assertEqual(found["OpenGL"][0], "ok", done.stdout)
        self.assertIn("for what is missing: apt-get install intel-opencl-icd libvulkan1 ocl-icd-libopencl1\n", done.stdout)
        self.assertEqual(done.returncode, 0)  # what is there works

    def test_a_missing_driver_is_told_from_a_missing_loader(self):
        with tempfile.TemporaryDirectory() as folder:
            for library in ("libvulkan_intel.so", "libvulkan_intel_hasvk.so"):
                (pathlib.Path(folder) / library).touch()
            found, done = doctor("-d", "bdw", LD_LIBRARY_PATH=folder)
            self.assertEqual(found["Vulkan"][0], "missing", done.stdout)
            self.assertIn("(install mesa-vulkan-drivers)", found["Vulkan"][1])
            (pathlib.Path(folder) / "libvulkan.so.1").touch()
            found, _ = doctor("-d", "bdw", LD_LIBRARY_PATH=folder)
            self.assertIn("(install libvulkan1 mesa-vulkan-drivers)", found["Vulkan"][1])

    def test_a_driver_that_finds_no_device_has_failed(self):
        found, done = doctor("-d", "kbl", OCL_ICD_VENDORS="/nowhere")
        self.assertEqual(found["OpenCL"], ("failed", "the driver finds no GPU"), done.stdout)
        self.assertEqual(done.returncode, 1)

    def test_a_driver_that_aborts_is_a_finding(self):
        found, done = doctor("-d", "kbl", LD_LIBRARY_PATH=BROKEN)
        self.assertEqual(found["OpenCL"][0], "failed", done.stdout)
        self.assertRegex(found["OpenCL"][1], r"signal 6 .*broken: no topology")
        self.assertEqual(found["Vulkan"][0], "ok", done.stdout)
        self.assertEqual(done.returncode, 1)

    def test_wrong_command_lines(self):
        for arguments in (["--device", "xyz"], ["--limit", "0"], ["more"]):
            self.assertEqual(doctor(*arguments)[1].returncode, 2, arguments)


if __name__ == "__main__":
    VITRO, BROKEN = sys.argv.pop(1), sys.argv.pop(1)
    unittest.main()
