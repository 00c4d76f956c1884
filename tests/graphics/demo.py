#!/usr/bin/env python3
"""The scene that ./run draws, with OpenGL and with Vulkan: on the emulated GPU by Intel's driver, with draws executed, and
the same picture that the software renderers draw. A channel may differ by 6 of 255, and in 2 % of the pixels by more: the
floor goes to the horizon, and every GPU computes the levels of a texture in its own way.

    demo.py VITRO DEVICE PROGRAM... [--software]
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "setup"))
from demonstration import pixels  # noqa: E402
from graphics import difference  # noqa: E402

SOFTWARE = "--software" in sys.argv
VITRO, DEVICE, *PROGRAMS = [a for a in sys.argv[1:] if a != "--software"]
SIZE = (480, 320)
LAVAPIPE = "/usr/share/vulkan/icd.d/lvp_icd.x86_64.json"


def draw(program, picture, *prefix, **environment):
    done = subprocess.run([*prefix, program, picture, *map(str, SIZE)], capture_output=True, text=True, timeout=600, check=False,
                          env=os.environ | environment)
    if done.returncode:
        raise RuntimeError(f"{program}: exit {done.returncode}: {done.stdout}{done.stderr}")
    width, height, rows = pixels(picture)
    return done.stdout, ("rgba8", width, height, b"".join(rows))


class Demo(unittest.TestCase):
    def test_pictures(self):
        for program in PROGRAMS:
            with self.subTest(program=pathlib.Path(program).name), tempfile.TemporaryDirectory() as folder:
                folder = pathlib.Path(folder)
                said, expected = draw(program, folder / "expected.png", LIBGL_ALWAYS_SOFTWARE="1", VK_ICD_FILENAMES=LAVAPIPE)
                self.assertIn("llvmpipe", said)
                self.assertEqual(expected[1:3], SIZE)
                self.assertGreater(len({expected[3][i:i + 3] for i in range(0, len(expected[3]), 4)}), 5000, "colours")
                if SOFTWARE:
                    continue
                stats = folder / "stats"
                said, ours = draw(program, folder / "ours.png", VITRO, "run", "--device", DEVICE, "--stats=json", "--stats-file", stats, "--")
                self.assertIn("Intel", said)
                done = json.loads(stats.read_text())
                self.assertEqual((done["faults"], done["unsupported"]), ({}, {}))
                self.assertGreaterEqual(done["commands"].get("3DPRIMITIVE", 0), 2)
                self.assertIsNone(difference(ours, expected, 6 / 255, 0.02))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
