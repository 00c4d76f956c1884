#!/usr/bin/env python3
"""A desktop on the emulated GPU: weston (headless, drawing with OpenGL ES) and its clients are processes of their own under
`vitro run` and share buffers.

    weston.py --vitro PROGRAM --layer FOLDER [--device kbl] [--software] [TEST...]

Each client has to name the Intel renderer (if it names one at all) and to have executed batches without a fault, and so
has weston.
glmark2 validates all its scenes: none fails, and none that succeeds on llvmpipe is merely unknown. The last image of vkcube,
which a layer of ours writes (last_image_layer.cpp), is compared with lavapipe's. --software runs all of it on llvmpipe and
lavapipe instead: a test of the test.
"""

import argparse
import collections
import contextlib
import json
import os
import pathlib
import pty
import re
import select
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from graphics import difference, read_results, write_png

OPTIONS = argparse.Namespace(more=())  # more: options of `vitro run`
CUBE_FRAMES, CUBE_TOLERANCE, CUBE_SHARE = 12, 4 / 255, 0.01


class Desktop:
    """A running weston, and how clients of it are run."""

    def __init__(self, software, folder):
        self.software, self.folder = software, folder
        self.environment = os.environ | {"XDG_RUNTIME_DIR": str(folder), "WAYLAND_DISPLAY": "wayland-test"}
        for name in ("DISPLAY", "LD_PRELOAD"):
            self.environment.pop(name, None)
        if software:
            self.environment["LIBGL_ALWAYS_SOFTWARE"] = "1"
        self.log = folder / "weston.log"

    def command(self, name, *command):
        if self.software:
            return command
        # A client that knows no end is killed and leaves no statistics; its batches are told one by one.
        return (OPTIONS.vitro, "run", "--device", OPTIONS.device, *OPTIONS.more, "--stats=json", "--stats-file",
                str(self.folder / f"{name}.json"), *(["--trace=batches"] if name == "es2gears" else []), "--", *command)

    @contextlib.contextmanager
    def running(self):
        with self.log.open("w") as log, subprocess.Popen(
                self.command("weston", "weston", "--backend=headless-backend.so", "--use-gl", "--socket=wayland-test",
                             "--width=640", "--height=480", "--idle-time=0", "--no-config"),
                env=self.environment, stdout=log, stderr=log) as weston:
            try:
                deadline = time.monotonic() + 60
                while not (self.folder / "wayland-test").exists():
                    if weston.poll() is not None or time.monotonic() > deadline:
                        raise RuntimeError(f"weston did not start: {self.log.read_text()[-2000:]}")
                    time.sleep(0.05)
                yield self
            finally:
                weston.terminate()
                try:
                    weston.wait(20)
                except subprocess.TimeoutExpired:
                    weston.kill()

    def client(self, name, *command, seconds=None, timeout=600, **environment):
        """The exit code and what a client prints: one that ends by itself, or one that is interrupted after some seconds.
        It writes to a terminal, and so line by line."""
        terminal, other = pty.openpty()
        end, out = time.monotonic() + (seconds or timeout), b""
        with subprocess.Popen(self.command(name, *command), env=self.environment | environment, stdin=subprocess.DEVNULL,
                              stdout=other, stderr=other) as process:
            os.close(other)
            while time.monotonic() < end:
                ready, _, _ = select.select([terminal], [], [], 0.2)
                try:
                    part = os.read(terminal, 65536) if ready else b""
                except OSError:  # nobody has it open any more
                    break
                out += part
            late = time.monotonic() >= end
            for way in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(0 if late and way == signal.SIGINT else 10)
                    break
                process.send_signal(way)
        os.close(terminal)
        text = out.decode(errors="replace").replace("\r\n", "\n")
        if late and not seconds:
            raise RuntimeError(f"{command}: took longer than {timeout} s: {text[-2000:]}")
        return 0 if late else process.returncode, text

    def statistics(self, name):
        file = self.folder / f"{name}.json"
        if not file.exists():
            return []
        decoder, text, at, records = json.JSONDecoder(), file.read_text(), 0, []
        while text[at:].strip():
            record, end = decoder.raw_decode(text[at:].lstrip())
            at += len(text[at:]) - len(text[at:].lstrip()) + end
            records.append(record)
        return records


@contextlib.contextmanager
def desktop(software):
    with tempfile.TemporaryDirectory() as folder:
        all_of_it = Desktop(software, pathlib.Path(folder))
        with all_of_it.running():
            yield all_of_it
        # Everybody has ended and left its statistics, which go with the folder.
        all_of_it.kept = {file.stem: all_of_it.statistics(file.stem) for file in all_of_it.folder.glob("*.json")}


class Weston(unittest.TestCase):
    def run_client(self, name, *command, renderer=r"(?i)renderer[^:]*: *(.*)", **how):
        """Runs a client on a desktop of its own; checks who drew, and that something was drawn. Gives what it printed."""
        with desktop(OPTIONS.software) as running:
            code, out = running.client(name, *command, **how)
            log = running.log.read_text()
            time.sleep(0.2)
        self.assertEqual(code, 0, f"{command}: {out[-2000:]}\nweston: {log[-1500:]}")
        wanted = "llvmpipe" if OPTIONS.software else "Intel"
        if renderer:
            found = re.search(renderer, out)
            self.assertTrue(found and wanted in found.group(1), f"the renderer is not {wanted}: {out[:1500]}")
        self.assertRegex(log, rf"GL renderer: .*{wanted}")
        if not OPTIONS.software:
            for who in (name, "weston") if name != "es2gears" else ("weston",):
                self.check_work(who, running)
            self.assertNotIn("GPU hang", out + log)
        return out

    def check_work(self, who, running):
        # The statistics come when a process ends; weston's children have records of their own.
        records = running.kept.get(who)
        self.assertTrue(records, f"{who} left no statistics")
        self.assertGreater(sum(r["commands"].get("3DPRIMITIVE", 0) for r in records), 0, who)
        self.assertGreater(sum(r["threads"] for r in records), 0, who)
        for r in records:
            self.assertEqual((r["faults"], r["unsupported"]), ({}, {}), who)

    def test_es2gears(self):
        out = self.run_client("es2gears", "es2gears_wayland", "-info", seconds=8 if OPTIONS.software else 15, renderer=None)
        self.assertRegex(out, r"\d+ frames in")
        if not OPTIONS.software:  # it names no renderer, but only Intel's driver hands batches to this GPU
            self.assertGreater(len(re.findall(r"^vitro: batch at \w+ ended", out, re.MULTILINE)), 2)

    def test_simple_egl(self):
        out = self.run_client("simple_egl", "weston-simple-egl", seconds=8 if OPTIONS.software else 15, renderer=None)
        self.assertRegex(out, r"\d+ frames in")

    def test_vkcube(self):
        pictures = {}
        for software in (True, OPTIONS.software):
            with desktop(software) as running:
                file = running.folder / "cube"
                gpu = [] if not software else ["VK_ICD_FILENAMES=/usr/share/vulkan/icd.d/lvp_icd.x86_64.json"]
                layer = {"VK_LAYER_PATH": str(OPTIONS.layer), "VK_INSTANCE_LAYERS": "VK_LAYER_VITRO_last_image",
                         "VITRO_IMAGE_NUMBER": str(CUBE_FRAMES), "VITRO_IMAGE_FILE": str(file)}
                code, out = running.client("vkcube", "env", *gpu, "vkcube-wayland", "--c", str(CUBE_FRAMES), **layer)
                self.assertEqual(code, 0, out)
                self.assertRegex(out, r"Selected GPU \d+: .*" + ("llvmpipe" if software else "Intel"))
                pictures[software] = read_results(file)["last", "image"]
            if not software:
                self.check_work("vkcube", running)
                self.check_work("weston", running)
        found = difference(pictures[OPTIONS.software], pictures[True], CUBE_TOLERANCE, CUBE_SHARE)
        if found:
            kept = pathlib.Path(OPTIONS.vitro).parent / "graphics"
            kept.mkdir(parents=True, exist_ok=True)
            write_png(kept / f"vkcube-{OPTIONS.device}.png", pictures[OPTIONS.software])
            write_png(kept / "vkcube-expected.png", pictures[True])
        self.assertIsNone(found)

    def validate(self, running, name):
        code, out = running.client(name, "glmark2-es2-wayland", "--off-screen", "--validate", timeout=1000)
        self.assertEqual(code, 0, out[-2000:])
        return out, dict(re.findall(r"^(\[.*?\].*?):? *Validation: *(\w+)", out, re.MULTILINE))

    def test_glmark2(self):
        with desktop(True) as running:
            out, expected = self.validate(running, "glmark2")
        self.assertTrue(expected, out[-1500:])
        self.assertNotIn("Failure", expected.values(), out)
        if OPTIONS.software:
            return
        with desktop(False) as running:
            out, ours = self.validate(running, "glmark2")
        self.assertRegex(out, r"GL_RENDERER: .*Intel")
        self.check_work("glmark2", running)
        self.check_work("weston", running)
        print(f"glmark2 on {OPTIONS.device}: {dict(collections.Counter(ours.values()))}, "
              f"llvmpipe: {dict(collections.Counter(expected.values()))}", file=sys.stderr)
        self.assertEqual([s for s, r in ours.items() if r == "Failure"], [])
        self.assertEqual([s for s, r in expected.items() if r == "Success" and ours.get(s) != "Success"], [])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--vitro", required=True)
    parser.add_argument("--layer", required=True, type=pathlib.Path, help="the folder of the layer's manifest")
    parser.add_argument("--device", default="kbl")
    parser.add_argument("--software", action="store_true", help="on the software renderers only")
    parser.add_argument("tests", nargs="*")
    parser.parse_intermixed_args(namespace=OPTIONS)
    loader = unittest.defaultTestLoader
    suite = loader.loadTestsFromNames([f"Weston.{t}" for t in OPTIONS.tests], sys.modules[__name__]) if OPTIONS.tests else (
        loader.loadTestsFromTestCase(Weston))
    return 0 if unittest.TextTestRunner(verbosity=2).run(suite).wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
