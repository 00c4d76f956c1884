#!/usr/bin/env python3
"""The demonstration of ./run leaves a PNG with the right picture in it, also where there is no /sys: pocl, which may be
installed beside Intel's driver, ends any program there that loads it."""
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib

VITRO, DEMO = "", ""
WITHOUT_SYS = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", 'mount -t tmpfs none /sys && exec "$@"', "sh"]


def pixels(path):
    """(width, height, rows) of a PNG with eight bits for each of four channels; the filters of PNG undone."""
    data = path.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n", "no PNG"
    at, packed, size = 8, b"", None
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        assert zlib.crc32(kind + body) == struct.unpack(">I", data[at + 8 + length:at + 12 + length])[0], "checksum"
        if kind == b"IHDR":
            size = struct.unpack(">IIBB", body[:10])
        packed += body if kind == b"IDAT" else b""
        at += 12 + length
    width, height, depth, colour = size
    assert (depth, colour) == (8, 6), size
    raw, rows, above = zlib.decompress(packed), [], bytes(width * 4)
    for y in range(height):
        kind, line = raw[y * (width * 4 + 1)], bytearray(raw[y * (width * 4 + 1) + 1:(y + 1) * (width * 4 + 1)])
        for x in range(len(line)):
            left, up, corner = line[x - 4] if x > 3 else 0, above[x], above[x - 4] if x > 3 else 0
            nearest = min((abs(up - corner), 0, left), (abs(left - corner), 1, up), (abs(left + up - 2 * corner), 2, corner))
            line[x] = (line[x] + (0, left, up, (left + up) // 2, nearest[2])[kind]) % 256
        rows.append(bytes(line))
        above = line
    return width, height, rows


class Demonstration(unittest.TestCase):
    def demo(self, folder, *prefix):
        picture = pathlib.Path(folder) / "picture.png"
        environment = {k: v for k, v in os.environ.items() if k != "OCL_ICD_VENDORS"}
        done = subprocess.run([*prefix, VITRO, "run", "--stats", "--", DEMO, picture, "96", "64"], capture_output=True,
                              text=True, timeout=120, check=False, env=environment)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("Intel(R) HD Graphics 620", done.stdout)
        self.assertRegex(done.stderr, r"threads +[1-9]")
        width, height, rows = pixels(picture)
        self.assertEqual((width, height), (96, 64))
        colours = {row[x:x + 4] for row in rows for x in range(0, len(row), 4)}
        self.assertGreater(len(colours), 50)
        self.assertEqual({c[3] for c in colours}, {255})
        self.assertEqual(rows[32][69 * 4:70 * 4], b"\0\0\0\xff")  # c = 0 is in the set
        self.assertNotEqual(rows[0][0:4], b"\0\0\0\xff")
        return rows

    def test_picture(self):
        with tempfile.TemporaryDirectory() as folder:
            self.demo(folder)

    def test_without_sys(self):
        if subprocess.run([*WITHOUT_SYS, "true"], capture_output=True, check=False).returncode:
            self.skipTest("this machine makes no user and mount namespaces")
        with tempfile.TemporaryDirectory() as folder:
            self.demo(folder, *WITHOUT_SYS)


if __name__ == "__main__":
    VITRO, DEMO = sys.argv.pop(1), sys.argv.pop(1)
    unittest.main()
