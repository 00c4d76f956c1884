#!/usr/bin/env python3
"""The SPIR-V in src/cli/jobs/work.cpp is what the compilers make of the sources beside it.

Usage: modules.py [--write]; --write puts today's modules into the file.
"""
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

FILE = pathlib.Path(__file__).resolve().parents[2] / "src/cli/jobs/work.cpp"
COMPILERS = {
    "opencl": ("work.cl", ["ocloc", "compile", "-q", "-file", "work.cl", "-device", "kbl", "-spv_only", "-output_no_suffix",
                           "-output", "work", "-out_dir", "."]),
    "glsl": ("work.comp", ["glslangValidator", "-V", "work.comp", "-o", "work.spv"]),
}


def compiled(name, text):
    source = re.search(rf'{name}_source = R"\((.*?)\)"', text, re.DOTALL).group(1)
    file, command = COMPILERS[name]
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / file).write_text(source)
        subprocess.run(command, cwd=folder, check=True, capture_output=True)
        code = (pathlib.Path(folder) / "work.spv").read_bytes()
    words = struct.unpack(f"<{len(code) // 4}I", code)
    lines = [", ".join(f"{word:#x}" for word in words[n:n + 10]) for n in range(0, len(words), 10)]
    return "".join(f"    {line},\n" for line in lines)


def main():
    text = was = FILE.read_text(encoding="utf-8")
    for name in COMPILERS:
        words = compiled(name, text)
        text = re.sub(rf"({name}_words\[\] = {{\n).*?(}};)", lambda m: m.group(1) + words + m.group(2), text,
                      flags=re.DOTALL)
    if sys.argv[1:] == ["--write"]:
        FILE.write_text(text, encoding="utf-8")
    elif text != was:
        sys.exit(f"{FILE}: the modules are stale; renew them with: python3 tests/cli/modules.py --write")


if __name__ == "__main__":
    main()
