"""What `vitro run` shows of drawing: lines for draws, render targets as pictures, statistics; and a device that executes
nothing."""

import json
import pathlib
import re
import struct
import zlib

import running

PAINTER = pathlib.Path(running.CLIENT).with_name("run_painter")
ADDER = pathlib.Path(running.CLIENT).with_name("run_adder")
CLEARED, PAINTED = (51, 102, 153, 255), (255, 204, 0, 255)


def read_png(path):
    """(width, height, pixels) of a PNG with eight bits of each of four channels and no filters; checks all sums."""
    data = path.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n", "no PNG"
    at, chunks = 8, {}
    while at < len(data):
        length, = struct.unpack(">I", data[at:at + 4])
        name, body = data[at + 4:at + 8], data[at + 8:at + 8 + length]
        assert struct.unpack(">I", data[at + 8 + length:at + 12 + length])[0] == zlib.crc32(name + body)
        chunks[name] = body
        at += 12 + length
    width, height, *rest = struct.unpack(">IIBBBBB", chunks[b"IHDR"])
    assert rest == [8, 6, 0, 0, 0], rest
    rows = zlib.decompress(chunks[b"IDAT"])
    assert len(rows) == (4 * width + 1) * height
    pixels = {}
    for y in range(height):
        row = rows[y * (4 * width + 1):(y + 1) * (4 * width + 1)]
        assert row[0] == 0
        for x in range(width):
            pixels[x, y] = tuple(row[1 + 4 * x:5 + 4 * x])
    return width, height, pixels


class Seeing(running.Case):
    def paint(self, *arguments, device="kbl", options=(), **how):
        done = running.run(PAINTER, *arguments, device=device, options=options, **how)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done

    def test_draws_and_pictures(self):
        for device in ("kbl", "bdw"):
            folder = self.folder()
            done = self.paint(device=device, cwd=folder, options=[
                "--trace", "draws", "--png-after", "1=clear.png", "--png-after", f"2={folder}/triangle.png", "--stats=json",
                "--stats-file", "stats"])
            self.assertEqual(done.stdout, "255 204 0 255, error 0\n")
            lines = [line.removeprefix("vitro: ") for line in done.stderr.splitlines() if line.startswith("vitro: ")]
            draws = [line for line in lines if line.startswith("draw ")]
            for number, line in enumerate(draws, 1):
                self.assertRegex(line, rf"^draw {number} at 0x\w+ \(batch offset 0x\w+\): [A-Z]+ of \d+ vertices x \d+, ")
            self.assertRegex(draws[1], r"TRILIST of 3 vertices x 1, viewport 0,0 to 64,32, target 0 at 0x\w+ 64x32 "
                                       r"R8G8B8A8_UNORM, vs at 0x\w+, ps8 at 0x\w+")
            for line in lines:
                self.assertRegex(line, r"^(draw \d+ at |drained [a-z ]+: [1-9]\d* draws, \d+ bins, \d+\.\d{6} s$)")
            self.assertEqual(sum(line.startswith("drained for a picture: 1 draws, ") for line in lines), 2, lines)
            clear, triangle = read_png(folder / "clear.png"), read_png(folder / "triangle.png")
            self.assertEqual(clear[:2] + triangle[:2], (64, 32, 64, 32))
            self.assertEqual(set(clear[2].values()), {CLEARED})
            self.assertEqual(set(triangle[2].values()), {CLEARED, PAINTED})
            # The edge goes from the lower right corner up to the middle of the upper side, which is the last row.
            for (x, y), colour in triangle[2].items():
                if abs(64 - (y + 0.5) - (x + 0.5)) > 1:
                    self.assertEqual(colour, PAINTED if x + y + 1 < 64 else CLEARED, (x, y))
            stats = json.loads((folder / "stats").read_text())
            self.assertEqual(stats["draws"], len(draws))
            self.assertEqual(stats["scenes"], sum(line.startswith("drained ") for line in lines))
            self.assertEqual(stats["primitives"], {"assembled": len(draws), "rasterised": len(draws)})
            self.assertGreaterEqual(stats["pixels"], sum(c == PAINTED for c in triangle[2].values()))
            self.assertGreaterEqual(stats["bins"], stats["scenes"])
            self.assertGreaterEqual(stats["chunks"], len(draws))
            for name in ("chunks", "bins"):
                self.assertEqual(sum(share[name] for share in stats["shares"]), stats[name])
            self.assertGreaterEqual(sum(stats["scenes_drained"].values()), 1)

    def test_samples_are_averaged(self):
        folder = self.folder()
        done = self.paint("samples", cwd=folder, options=["--trace", "draws", "--png-after", "2=a.png"])
        self.assertEqual(done.stdout, "255 204 0 255, error 0\n")
        self.assertIn("64x32 R8G8B8A8_UNORM 4 samples", done.stderr)
        pixels = read_png(folder / "a.png")[2]
        between = {c for c in pixels.values() if c not in (CLEARED, PAINTED)}
        self.assertTrue(between)
        mixed = {tuple(round((n * p + (4 - n) * c) / 4) for p, c in zip(PAINTED, CLEARED)) for n in (1, 2, 3)}
        for colour in between:
            self.assertTrue(any(all(abs(a - b) <= 1 for a, b in zip(colour, m)) for m in mixed), colour)

    def test_statistics_as_text(self):
        done = self.paint(options=["--stats"])
        for name in ("draws", "primitives assembled", "primitives rasterised", "pixels shaded", "scenes", "chunks", "bins"):
            self.assertTrue(re.search(rf"^    {name} +[1-9]\d*$", done.stderr, re.MULTILINE), name)
        idle = running.run(running.CLIENT, "open", "submit", options=["--stats"])
        self.assertNotIn("drawing", idle.stderr)

    def test_pictures_that_cannot_be(self):
        for option, words in {"0=a.png": "is not NUMBER=FILE", "a.png": "is not NUMBER=FILE", "1=": "is not NUMBER=FILE",
                              "1=/no/such/a.png": "no folder /no/such"}.items():
            done = running.run(PAINTER, options=["--png-after", option])
            self.assertEqual(done.returncode, 2)
            self.assertIn(words, done.stderr)
        folder = self.folder()
        done = self.paint(options=["--png-after", f"1={folder}"])
        self.assertIn(f"vitro: no picture of draw 1 in {folder}: Is a directory", done.stderr)

    def test_nothing_is_executed(self):
        for device in ("snb", "bdw", "kbl", "apl"):
            folder = self.folder()
            done = self.paint(device=device, cwd=folder, timeout=60, options=[
                "--execute=off", "--trace", "draws", "--png-after", "1=a.png", "--stats=json", "--stats-file", "stats"])
            self.assertEqual(done.stdout, "0 0 0 0, error 0\n")
            self.assertEqual(done.stderr, "")
            self.assertFalse((folder / "a.png").exists())
            stats = json.loads((folder / "stats").read_text())
            self.assertEqual((stats["draws"], stats["threads"], stats["faults"]), (0, 0, {}))
            self.assertGreater(stats["commands"]["3DPRIMITIVE"], 0)
        for device in ("bdw", "kbl"):
            done = running.run(ADDER, "Intel", device=device, timeout=60, options=["--execute=off"])
            self.assertEqual((done.returncode, done.stdout), (1, "4096 sums, 4096 wrong\n"))


if __name__ == "__main__":
    running.main()
