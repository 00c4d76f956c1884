#!/usr/bin/env python3
"""The Debian packages: lintian finds no errors and no warnings, the compiler is a package of its own that vitro
recommends, and what they unpack to runs."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

CMAKE, BUILD, DEMO = "", pathlib.Path(), ""


def output_of(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


class Packages(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.temporary.name)
        # Little compression: it is not what is tested.
        done = subprocess.run([pathlib.Path(CMAKE).parent / "cpack", "--config", BUILD / "CPackConfig.cmake", "-B", self.folder,
                               "-D", "CPACK_DEBIAN_COMPRESSION_TYPE=gzip"], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.packages = {output_of("dpkg-deb", "-f", path, "Package").strip(): path for path in self.folder.glob("*.deb")}

    def tearDown(self):
        self.temporary.cleanup()

    def test_packages(self):
        self.assertEqual(set(self.packages), {"vitro", "vitro-jit"})

        def field(package, name):
            return output_of("dpkg-deb", "-f", self.packages[package], name).strip()

        version = field("vitro", "Version")
        self.assertEqual(field("vitro", "Recommends"), f"vitro-jit (= {version})")
        self.assertIn(f"vitro (= {version})", field("vitro-jit", "Depends"))
        self.assertNotIn("llvm", field("vitro", "Depends").lower())
        self.assertRegex(field("vitro", "Depends"), r"libfmt\d")
        self.assertIn("/usr/lib/vitro/libvitro_jit.so", output_of("dpkg-deb", "-c", self.packages["vitro-jit"]))
        self.assertNotIn("libvitro_jit", output_of("dpkg-deb", "-c", self.packages["vitro"]))

        lintian = subprocess.run(["lintian", "--allow-root", "--fail-on", "error,warning", *self.packages.values()],
                                 capture_output=True, text=True, check=False)
        self.assertEqual(lintian.returncode, 0, lintian.stdout + lintian.stderr)

        root = self.folder / "root"
        for path in self.packages.values():
            subprocess.run(["dpkg-deb", "-x", path, root], check=True)
        done = subprocess.run([root / "usr/bin/vitro", "run", "--jit=on", "--jit-cache=off", "--", DEMO, "picture.png", "64", "64"],
                              cwd=self.folder, capture_output=True, text=True, timeout=300, check=False, env=os.environ)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


if __name__ == "__main__":
    CMAKE, BUILD, DEMO = sys.argv.pop(1), pathlib.Path(sys.argv.pop(1)), sys.argv.pop(1)
    unittest.main()
