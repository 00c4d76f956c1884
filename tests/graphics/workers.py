#!/usr/bin/env python3
"""The scenes of graphics.py drawn with 1, 2 and 4 host threads in each mode of the JIT: every byte must be the same.

    workers.py gl|vulkan --vitro PROGRAM --program PROGRAM --shaders FOLDER [--device kbl] [--jit off,on] [SCENE...]

Chunks of vertices and bins of pixels are shared out among the host threads (`shares` of --stats=json); the scene `crowd`
has many of both. With one thread it must have done everything. With several at least two must have drawn bins every time, and
run chunks, which take a moment each, with 2 or with 4 threads.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

import graphics

WORKERS = (1, 2, 4)
OPTIONS = argparse.Namespace()


class Workers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.results, cls.crowds = {}, {}
        for jit in OPTIONS.jit.split(","):
            for workers in WORKERS:
                start = time.monotonic()
                cls.results[jit, workers], _ = cls.draw(folder.name, jit, workers, OPTIONS.scenes)
                crowd, cls.crowds[jit, workers] = cls.draw(folder.name, jit, workers, ["crowd"])
                cls.results[jit, workers] |= {("alone", *key): result for key, result in crowd.items()}
                print(f"{OPTIONS.api} on {OPTIONS.device}, --jit={jit} --threads={workers}: {time.monotonic() - start:.1f} s, "
                      f"{cls.crowds[jit, workers]['shares']}", file=sys.stderr)

    @staticmethod
    def draw(folder, jit, workers, scenes):
        """The results, and the statistics."""
        stats, results = pathlib.Path(folder) / "stats", pathlib.Path(folder) / "results"
        for file in (stats, results):
            file.unlink(missing_ok=True)
        command = [OPTIONS.vitro, "run", "--device", OPTIONS.device, f"--jit={jit}", "--threads", str(workers),
                   "--stats=json", "--stats-file", stats, "--", OPTIONS.program, "Intel", OPTIONS.shaders, results, *scenes]
        done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False, env=os.environ)
        if done.returncode:
            raise AssertionError(f"{command}: exit {done.returncode}: {done.stdout}{done.stderr}")
        return graphics.read_results(results), json.loads(stats.read_text())

    def test_same_bytes(self):
        first = self.results[OPTIONS.jit.split(",")[0], 1]
        self.assertGreater(len(first), len(OPTIONS.scenes))
        for mode, results in self.results.items():
            self.assertEqual(set(results), set(first))
            for key, result in first.items():
                with self.subTest(result=key, mode=mode):
                    self.assertTrue(results[key] == result, f"{mode} differs: {graphics.difference(results[key], result, 0, 0)}")

    def test_not_blank(self):
        first = self.results[OPTIONS.jit.split(",")[0], 1]
        for name in ("colour", "depth", "image"):
            self.assertFalse(graphics.is_blank(first["alone", "crowd", name]), name)
        *_, data = first["alone", "crowd", "counts"]
        self.assertGreater(sum(data[:88:8]), 0)

    def test_work_was_shared(self):
        shared = {}
        for (jit, workers), done in self.crowds.items():
            with self.subTest(jit=jit, workers=workers):
                self.assertEqual((done["workers"], done["faults"], done["unsupported"]), (workers, {}, {}))
                self.assertGreater(done["chunks"], 25)
                self.assertGreater(done["bins"], 70)
                for kind in ("chunks", "bins"):
                    shares = [share[kind] for share in done["shares"]]
                    self.assertEqual(sum(shares), done[kind])
                    busy = sum(share > 0 for share in shares)
                    self.assertLessEqual(busy, workers)
                    shared[jit, workers, kind] = busy > 1
        for jit in OPTIONS.jit.split(","):
            self.assertTrue(shared[jit, 2, "bins"] and shared[jit, 4, "bins"], jit)
            self.assertTrue(shared[jit, 2, "chunks"] or shared[jit, 4, "chunks"], jit)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("api", choices=["gl", "vulkan"])
    parser.add_argument("--vitro", required=True)
    parser.add_argument("--program", required=True)
    parser.add_argument("--shaders", required=True)
    parser.add_argument("--device", default="kbl")
    parser.add_argument("--jit", default="off,on", help="modes of the JIT, with commas")
    parser.add_argument("scenes", nargs="*")
    parser.parse_intermixed_args(namespace=OPTIONS)
    suite = unittest.defaultTestLoader.loadTestsFromTestCase(Workers)
    return 0 if unittest.TextTestRunner().run(suite).wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
