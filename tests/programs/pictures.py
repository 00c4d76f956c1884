"""Pictures that the programs work on, and how two results are compared. The inputs are computed, so that nothing has to
be downloaded: a scene with gradients, edges, fine lines and noise, as an array and as a raw photograph (a DNG file, the
mosaic of a camera's sensor, 16 bits)."""

import struct

import numpy


def scene(width, height):
    """Red, green and blue in 0..1, the same at every call."""
    x, y = numpy.meshgrid(numpy.linspace(0, 1, width), numpy.linspace(0, 1, height))
    rings = 0.5 + 0.5 * numpy.sin(60 * numpy.hypot(x - 0.6, y - 0.4) ** 1.5)
    picture = numpy.stack([0.9 * x, 0.2 + 0.6 * y * (1 - x), 0.7 * rings], axis=2)
    picture[numpy.hypot(x - 0.3, y - 0.6) < 0.2] = (0.8, 0.3, 0.1)
    picture[(abs(x - 0.75) < 0.12) & (abs(y - 0.75) < 0.15)] *= 0.15
    picture[(abs(y - 0.1) < 0.04) & (numpy.sin(300 * x) > 0)] = 0.95
    picture += numpy.random.default_rng(5).normal(0, 0.01, picture.shape)
    return numpy.clip(picture, 0, 1)


def dng(picture):
    """The bytes of a DNG 1.4 file: red, green, green, blue."""
    height, width, _ = picture.shape
    mosaic = picture[:, :, 1].copy()
    mosaic[0::2, 0::2], mosaic[1::2, 1::2] = picture[0::2, 0::2, 0], picture[1::2, 1::2, 2]
    data = (256 + mosaic * (16383 - 256)).astype("<u2").tobytes()

    def ratios(code, values):
        return struct.pack(f"<{2 * len(values)}{code}", *(part for v in values for part in (round(v * 10000), 10000)))

    # XYZ to the camera's colours: those of sRGB.
    matrix = (3.2406, -1.5372, -0.4986, -0.9689, 1.8758, 0.0415, 0.0557, -0.2040, 1.0570)
    entries = [  # tag, type (1 byte, 2 text, 3 short, 4 long, 5 ratio, 10 signed ratio), count, bytes
        (254, 4, 1, struct.pack("<I", 0)),  # NewSubfileType: the picture itself
        (256, 4, 1, struct.pack("<I", width)),
        (257, 4, 1, struct.pack("<I", height)),
        (258, 3, 1, struct.pack("<H", 16)),  # BitsPerSample
        (259, 3, 1, struct.pack("<H", 1)),  # Compression: none
        (262, 3, 1, struct.pack("<H", 32803)),  # PhotometricInterpretation: a mosaic
        (271, 2, 6, b"vitro\0"),  # Make
        (272, 2, 6, b"scene\0"),  # Model
        (273, 4, 1, None),  # StripOffsets
        (274, 3, 1, struct.pack("<H", 1)),  # Orientation
        (277, 3, 1, struct.pack("<H", 1)),  # SamplesPerPixel
        (278, 4, 1, struct.pack("<I", height)),  # RowsPerStrip
        (279, 4, 1, struct.pack("<I", len(data))),  # StripByteCounts
        (284, 3, 1, struct.pack("<H", 1)),  # PlanarConfiguration
        (33421, 3, 2, struct.pack("<2H", 2, 2)),  # CFARepeatPatternDim
        (33422, 1, 4, bytes([0, 1, 1, 2])),  # CFAPattern
        (50706, 1, 4, bytes([1, 4, 0, 0])),  # DNGVersion
        (50708, 2, 12, b"vitro scene\0"),  # UniqueCameraModel
        (50714, 3, 1, struct.pack("<H", 256)),  # BlackLevel
        (50717, 3, 1, struct.pack("<H", 16383)),  # WhiteLevel
        (50721, 10, 9, ratios("i", matrix)),  # ColorMatrix1
        (50728, 5, 3, ratios("I", (0.5, 1, 0.6))),  # AsShotNeutral
        (50778, 3, 1, struct.pack("<H", 21)),  # CalibrationIlluminant1: D65
    ]
    extra = 8 + 2 + 12 * len(entries) + 4
    strip = extra + sum(len(value) for *_, value in entries if value and len(value) > 4)
    directory, rest = struct.pack("<H", len(entries)), b""
    for tag, kind, count, value in entries:
        value = struct.pack("<I", strip) if value is None else value
        if len(value) > 4:
            value, rest = struct.pack("<I", extra + len(rest)), rest + value
        directory += struct.pack("<HHI", tag, kind, count) + value.ljust(4, b"\0")
    return b"II*\0" + struct.pack("<I", 8) + directory + struct.pack("<I", 0) + rest + data


def read_pfm(path):
    """A picture in floats, as darktable exports it."""
    kind, size, scale, data = path.read_bytes().split(b"\n", 3)
    if kind != b"PF":
        raise RuntimeError(f"{path} is not a PFM picture of three colours")
    width, height = map(int, size.split())
    return numpy.frombuffer(data, "<f4" if float(scale) < 0 else ">f4").reshape(height, width, 3)
