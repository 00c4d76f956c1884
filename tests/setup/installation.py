#!/usr/bin/env python3
"""What `cmake --install` puts into a folder runs by itself, from wherever that folder is: the program finds its library,
the library its trees and its compiler."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

CMAKE, BUILD, DEMO = "", "", ""


class Installation(unittest.TestCase):
    def test_a_program_runs_without_the_checkout(self):
        with tempfile.TemporaryDirectory() as folder:
            prefix = pathlib.Path(folder) / "somewhere"
            subprocess.run([CMAKE, "--install", BUILD, "--prefix", prefix], check=True, capture_output=True)
            files = {str(path.relative_to(prefix)) for path in prefix.rglob("*")}
            for file in ("bin/vitro", "lib/vitro/libvitro_preload.so", "share/vitro/tree/kbl/dev/dri/renderD128",
                         "share/man/man1/vitro.1.gz", "share/man/man1/vitro-run.1.gz",
                         "share/bash-completion/completions/vitro", "share/zsh/vendor-completions/_vitro",
                         "share/fish/vendor_completions.d/vitro.fish"):
                self.assertIn(file, files)
            compiler = "lib/vitro/libvitro_jit.so" in files
            statistics = pathlib.Path(folder) / "statistics"
            done = subprocess.run([prefix / "bin/vitro", "run", "--jit=" + ("on" if compiler else "off"), "--jit-cache=off",
                                   "--stats=json", "--stats-file", statistics, "--", DEMO, "picture.png", "64", "64"],
                                  cwd=folder, capture_output=True, text=True, timeout=300, check=False,
                                  env={k: v for k, v in os.environ.items() if k not in ("LD_PRELOAD", "VITRO_DEFAULT_JIT")})
            self.assertEqual(done.returncode, 0, done.stderr)
            told = json.loads(statistics.read_text())
            self.assertGreater(told["threads"], 0)
            if compiler:
                self.assertGreater(told["jit"]["compiled"], 0)


if __name__ == "__main__":
    CMAKE, BUILD, DEMO = sys.argv.pop(1), sys.argv.pop(1), sys.argv.pop(1)
    unittest.main()
