#!/usr/bin/env python3
"""Memory of a process that draws on the emulated GPU: what is resident must not grow from frame to frame, and a scene must
not take more than its arena may.

    memory.py --vitro PROGRAM --program PROGRAM --shaders FOLDER [--device kbl] [--full] [TEST...]

With --full (a quarter of an hour) there are 10,000 frames, and a frame of 1920 x 1080 pixels with 4 samples and 100
textures of 1024 x 1024 texels, which must fit 1.5 GiB.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

OPTIONS = argparse.Namespace()
SCENE_MIB = 32


class Memory(unittest.TestCase):
    def draw(self, *what):
        """MiB after a tenth of the frames and after all; the statistics."""
        with tempfile.TemporaryDirectory() as folder:
            stats = pathlib.Path(folder) / "stats"
            command = [OPTIONS.vitro, "run", "--device", OPTIONS.device, "--threads", "2", "--stats=json", "--stats-file",
                       stats, "--", OPTIONS.program, "Intel", OPTIONS.shaders, *map(str, what)]
            done = subprocess.run(command, capture_output=True, text=True, timeout=3600, check=False)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            found, executed = [float(line.split()[1]) for line in done.stdout.splitlines()], json.loads(stats.read_text())
        largest = executed["largest_scene_bytes"] / 2**20
        print(f"{OPTIONS.device}, {what}: {found[0]:.0f} and {found[-1]:.0f} MiB, a scene {largest:.1f} MiB", file=sys.stderr)
        self.assertGreater(executed["draws"], 0)
        self.assertLess(largest, SCENE_MIB)
        return found[0], found[-1]

    def test_many_frames(self):
        # The first frames meet what is made once: code, rooms of arenas, the driver's pools.
        early, late = self.draw(128, 96, 4, 64, 10, 10_000 if OPTIONS.full else 600)
        self.assertLess(late - early, 4 if OPTIONS.full else 8)

    def test_many_triangles(self):
        self.draw(128, 96, 1, 64, 700, 3)

    def test_large_frames(self):
        what = (1920, 1080, 100, 1024, 250, 20) if OPTIONS.full else (640, 360, 10, 256, 250, 5)
        self.assertLess(self.draw(*what)[1], 1536 if OPTIONS.full else 600)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--vitro", required=True)
    parser.add_argument("--program", required=True)
    parser.add_argument("--shaders", required=True)
    parser.add_argument("--device", default="kbl")
    parser.add_argument("--full", action="store_true")
    parser.add_argument("tests", nargs="*")
    parser.parse_intermixed_args(namespace=OPTIONS)
    loader = unittest.defaultTestLoader
    suite = loader.loadTestsFromNames([f"Memory.{t}" for t in OPTIONS.tests], sys.modules[__name__]) if OPTIONS.tests else (
        loader.loadTestsFromTestCase(Memory))
    return 0 if unittest.TextTestRunner(verbosity=2).run(suite).wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
