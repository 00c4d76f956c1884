#!/usr/bin/env python3
"""Scenes drawn on the emulated GPU through Mesa's Intel drivers, and by Mesa's software renderers, and compared.

    graphics.py gl|vulkan --vitro PROGRAM --program PROGRAM --shaders FOLDER [--device kbl] [--jit off,on] [--widths] [SCENE...]

The scenes are functions of the program (tests/graphics/gl, tests/graphics/vulkan). Each channel of each pixel may differ
by a tolerance, and a small share of the pixels by more: edges, where two rasterisers may decide differently by a hair. Both stand
in TOLERANCES. Integers and numbers (of queries) are equal, or as far apart as stated there. In every mode of the JIT the
GPU must give the same bytes. The program fails if the renderer is not the one it was told (Intel's), and the statistics
of the run must show draws and threads and no fault, so neither a fallback nor a GPU that does nothing can pass.
--widths draws the scenes with pixel shaders of each set of widths that INTEL_DEBUG makes the driver give, instead.
With --keep FOLDER the pictures of both stay there as PNG; those that differ are written to build/graphics anyhow.
"""

import argparse
import json
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import time
import unittest
import zlib

KINDS = {"rgba8": ("B", 4), "r8": ("B", 1), "r32f": ("f", 1), "rgba32f": ("f", 4), "r32ui": ("I", 1), "rgba32ui": ("I", 4),
         "rgba32i": ("i", 4), "u64": ("Q", 1)}
# Of a channel, by 2 of 255; for floats that, or the same part of the value if it is larger than 1; for integers and counts
# a part of the value. 0.4 % of the pixels may differ by more.
DEFAULT = (2 / 255, 0.004)
DEPTH = (1e-4, 0.01)
EXACT = (0, 0)
# (scene or scene.result): (tolerance, share); why it is another one.
TOLERANCES = {
    "clear": EXACT,
    "clear.colour": (1 / 255, 0),
    "clear.depth": EXACT,
    "attributes": (2e-5, 0),              # llvmpipe divides GL_FIXED by 65535
    "triangle": (1 / 255, 0.002),
    "many": (3 / 255, 0.01),              # many edges above each other
    "lines": (2 / 255, 0.03),             # ends of lines and wide ones: the API lets rasterisers choose
    "topologies": (2 / 255, 0.02),        # lines too
    "polygons": (2 / 255, 0.02),          # lines too
    "mipmaps": (10 / 255, 0.03),          # the level is computed in its own way by every GPU
    "anisotropy": (24 / 255, 0.35),       # how many samples are taken, and where, is nowhere laid down
    "lods": (10 / 255, 0.03),
    "cube_map": (6 / 255, 0.03),
    "wraps": (4 / 255, 0.01),             # weights of filters have eight bits on the GPU
    "mesh": (6 / 255, 0.02),
    "shadow": (8 / 255, 0.02),
    "stencil": (2 / 255, 0.01),
    "stencil.stencil": (0, 0.01),
    "multisampling": (3 / 255, 0.02),
    "multisampling.masked": (70 / 255, 0.30),  # which samples an alpha covers is nowhere laid down
    "targets.rgba32ui": (0, 0.004),
    "targets.rgba32i": (0, 0.004),
    "integers": EXACT,
    "queries.samples": (0.01, 1),
    "blits": (4 / 255, 0.02),
    "pixels": (4 / 255, 0.02),
    "srgb": (3 / 255, 0.01),
    "target_formats.rgb565": (1.1 / 31, 0.004),  # a step of the format, which drivers may dither
    "target_formats.rgb5_a1": (1.1 / 31, 0.004),
    "crowd": (3 / 255, 0.02),             # many edges above each other
    "crowd.depth": (2e-3, 0.02),          # small steep triangles: a 256th of a pixel shows
    "crowd.image": (0, 0.05),             # depths are compared, and colours rounded down, by a hair
    "crowd.counts": (0.01, 1),
    "compressed": (2 / 255, 0.02),        # ETC2 and BPTC are decoded by the driver on some devices
}

# Of INTEL_DEBUG: the lanes of the threads that most pixels must have been shaded by. Clears have sixteen always.
WIDTHS = {"no8": 16, "no16": 8, "do32": 16, "do32,no8": 16, "do32,no8,no16": 32}


def read_results(path):
    """{(scene, name): (kind, width, height, bytes)}"""
    data, at, out = path.read_bytes(), 0, {}
    while at < len(data):
        end = data.index(b"\n", at)
        scene, name, kind, width, height, size = data[at:end].decode().split()
        out[scene, name] = (kind, int(width), int(height), data[end + 1:end + 1 + int(size)])
        at = end + 1 + int(size) + 1
    return out


def unpack(kind, data):
    code, channels = KINDS[kind]
    return struct.unpack(f"<{len(data) // struct.calcsize(code)}{code}", data), channels


def tolerance_of(scene, name):
    if f"{scene}.{name}" in TOLERANCES:
        return TOLERANCES[f"{scene}.{name}"]
    return DEPTH if name == "depth" else TOLERANCES.get(scene, DEFAULT)


def difference(ours, theirs, tolerance, share):
    """None, or how two results differ."""
    if ours[:3] != theirs[:3]:
        return f"{ours[:3]} instead of {theirs[:3]}"
    kind, width, height, _ = ours
    if ours[3] == theirs[3]:
        return None
    (a, channels), (b, _) = unpack(kind, ours[3]), unpack(kind, theirs[3])
    code = KINDS[kind][0]

    def close(x, y):
        if code == "B":
            return abs(x - y) <= tolerance * 255
        if x != x or y != y:
            return x != x and y != y
        return x == y or abs(x - y) <= tolerance * max(abs(y), 1)
    wrong = {i // channels for i, (x, y) in enumerate(zip(a, b)) if x != y and not close(x, y)}
    allowed = share * width * height if kind != "u64" else 0
    if len(wrong) <= allowed:
        return None
    i = min(wrong)
    return (f"{len(wrong)} of {width * height} pixels differ by more than {tolerance:.3g} ({allowed:.0f} may); the first at "
            f"({i % width}, {i // width}): {a[i * channels:(i + 1) * channels]} instead of {b[i * channels:(i + 1) * channels]}")


def is_blank(result):
    """Whether all pixels are the same: a scene that shows nothing."""
    kind, width, height, data = result
    step = len(data) // (width * height)
    return kind != "u64" and all(data[i:i + step] == data[:step] for i in range(0, len(data), step))


def write_png(path, result):
    kind, width, height, data = result
    if kind == "u64":
        return
    values, channels = unpack(kind, data)
    largest = 255 if kind in ("rgba8", "r8") else max((abs(x) for x in values if x - x == 0), default=1) or 1
    rows = bytearray()
    for y in range(height):
        rows.append(0)
        for x in range(width):
            pixel = values[(y * width + x) * channels:(y * width + x + 1) * channels]
            for v in (pixel if channels == 1 else pixel[:3]):
                rows.append(min(255, int(abs(v) * 255 / largest)) if v - v == 0 else 255)
    def chunk(name, body):
        return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
    header = struct.pack(">IIBBBBB", width, height, 8, 0 if channels == 1 else 2, 0, 0, 0)
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(bytes(rows), 1)) +
                     chunk(b"IEND", b""))


OPTIONS = argparse.Namespace()


def run(command, timeout=1200, **environment):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, timeout=timeout, check=False,
                          env=os.environ | environment)
    return done.returncode, done.stdout + done.stderr


class Graphics(unittest.TestCase):
    """One run of all scenes on the software renderer, and one on the GPU in each mode of the JIT."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.reference_log = cls.draw("llvmpipe", "reference", [], LIBGL_ALWAYS_SOFTWARE="1")
        cls.reference = read_results(cls.folder / "reference")
        cls.results, cls.logs, cls.statistics = {}, {}, {}
        modes = {jit: (jit, {}) for jit in OPTIONS.jit.split(",")}
        if OPTIONS.widths:
            modes = {debug: ("auto", {"INTEL_DEBUG": debug}) for debug in WIDTHS}
        for mode, (jit, environment) in modes.items():
            start, stats = time.monotonic(), cls.folder / f"stats-{mode}"
            cls.logs[mode] = cls.draw("Intel", mode, [OPTIONS.vitro, "run", "--device", OPTIONS.device, f"--jit={jit}",
                                                      "--stats=json", "--stats-file", stats, "--"], **environment)
            cls.results[mode] = read_results(cls.folder / mode)
            cls.statistics[mode] = json.loads(stats.read_text()) if stats.exists() else {}
            print(f"{OPTIONS.api} on {OPTIONS.device}, {mode}: {time.monotonic() - start:.1f} s", file=sys.stderr)

    @classmethod
    def draw(cls, renderer, results, prefix, **environment):
        code, text = run([*prefix, OPTIONS.program, renderer, OPTIONS.shaders, cls.folder / results, *OPTIONS.scenes],
                         **environment)
        return f"exit {code}: {text}" if code else ""

    def test_reference(self):
        self.assertEqual(self.reference_log, "")
        blank = [key for key, result in self.reference.items() if is_blank(result)]
        self.assertEqual(blank, [], "scenes that show nothing")

    def test_work_was_done(self):
        for jit, done in self.statistics.items():
            self.assertEqual(self.logs[jit], "")
            self.assertEqual((done["faults"], done["unsupported"]), ({}, {}))
            self.assertGreater(done["commands"].get("3DPRIMITIVE", 0), 0)
            self.assertGreater(done["threads"], 0)
            other = {"off": "compiled_threads", "on": "interpreted_threads"}.get(jit)
            self.assertFalse(other and done["jit"][other], f"--jit={jit}: {done['jit']}")

    def test_widths(self):
        for debug, width in WIDTHS.items() if OPTIONS.widths else []:
            threads = {int(lanes): count for lanes, count in self.statistics[debug]["pixel_threads"].items()}
            self.assertEqual(max(threads, key=lambda lanes: lanes * threads[lanes]), width, f"{debug}: {threads}")
            self.assertFalse("no8" in debug and threads[8], f"{debug}: {threads}")

    def test_scenes(self):
        kept = OPTIONS.keep or pathlib.Path(OPTIONS.vitro).parent / "graphics" / f"{OPTIONS.api}-{OPTIONS.device}"
        for (scene, name), expected in self.reference.items():
            for jit, results in self.results.items():
                with self.subTest(scene=scene, result=name, jit=jit):
                    ours = results.get((scene, name))
                    self.assertIsNotNone(ours, "was not drawn")
                    found = difference(ours, expected, *tolerance_of(scene, name))
                    if found or OPTIONS.keep:
                        kept.mkdir(parents=True, exist_ok=True)
                        write_png(kept / f"{scene}-{name}-{jit}.png", ours)
                        write_png(kept / f"{scene}-{name}-expected.png", expected)
                    self.assertIsNone(found)

    def test_modes_agree(self):
        if OPTIONS.widths:
            return  # other code, which may round differently
        first, *others = self.results
        for other in others:
            for key, result in self.results[first].items():
                with self.subTest(result=key, jit=other):
                    self.assertTrue(self.results[other].get(key) == result, f"--jit={other} differs from --jit={first}")


class Comparison(unittest.TestCase):
    """The comparison itself."""

    def test_difference(self):
        def picture(*pixels):
            return "rgba8", len(pixels), 1, b"".join(bytes(p) for p in pixels)
        grey, near, far = (9, 9, 9, 9), (9, 11, 9, 9), (9, 9, 9, 90)
        self.assertIsNone(difference(picture(grey, near), picture(grey, grey), 2 / 255, 0))
        self.assertIn("(1, 0)", difference(picture(grey, far), picture(grey, grey), 2 / 255, 0))
        self.assertIsNone(difference(picture(grey, far), picture(grey, grey), 2 / 255, 0.5))
        self.assertIsNotNone(difference(picture(grey), picture(grey, grey), 1, 1))
        nan = struct.pack("<f", float("nan")), struct.pack("<f", 1.0)
        self.assertIsNotNone(difference(("r32f", 1, 1, nan[0]), ("r32f", 1, 1, nan[1]), 0.5, 0))
        self.assertIsNone(difference(("r32f", 1, 1, b"\1" + nan[0][1:]), ("r32f", 1, 1, nan[0]), 0, 0))
        self.assertIsNone(difference(("u64", 1, 1, struct.pack("<Q", 1000)), ("u64", 1, 1, struct.pack("<Q", 1005)), 0.01, 1))
        self.assertIsNotNone(difference(("u64", 1, 1, struct.pack("<Q", 1000)), ("u64", 1, 1, struct.pack("<Q", 1050)), 0.01, 1))
        self.assertTrue(is_blank(picture(grey, grey)) and not is_blank(picture(grey, far)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("api", choices=["gl", "vulkan"])
    parser.add_argument("--vitro", required=True)
    parser.add_argument("--program", required=True)
    parser.add_argument("--shaders", required=True)
    parser.add_argument("--device", default="kbl")
    parser.add_argument("--jit", default="off,on", help="modes of the JIT, with commas")
    parser.add_argument("--widths", action="store_true", help="pixel shaders of all widths")
    parser.add_argument("--keep", type=pathlib.Path, help="write all pictures into this folder")
    parser.add_argument("--reference-only", action="store_true", help="run the software renderer alone")
    parser.add_argument("scenes", nargs="*")
    parser.parse_intermixed_args(namespace=OPTIONS)
    loader, suite = unittest.defaultTestLoader, unittest.TestSuite()
    suite.addTests(loader.loadTestsFromTestCase(Comparison))
    if OPTIONS.reference_only:
        OPTIONS.jit = "auto"
        Graphics.setUpClass = classmethod(set_up_reference)
        suite.addTest(Graphics("test_reference"))
    else:
        suite.addTests(loader.loadTestsFromTestCase(Graphics))
    return 0 if unittest.TextTestRunner().run(suite).wasSuccessful() else 1


def set_up_reference(cls):
    folder = tempfile.TemporaryDirectory()
    cls.addClassCleanup(folder.cleanup)
    cls.folder = pathlib.Path(folder.name)
    cls.reference_log = cls.draw("llvmpipe", "reference", [], LIBGL_ALWAYS_SOFTWARE="1")
    cls.reference = read_results(cls.folder / "reference")
    if OPTIONS.keep:
        OPTIONS.keep.mkdir(parents=True, exist_ok=True)
        for (scene, name), result in cls.reference.items():
            write_png(OPTIONS.keep / f"{scene}-{name}.png", result)


if __name__ == "__main__":
    sys.exit(main())
