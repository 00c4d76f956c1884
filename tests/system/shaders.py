#!/usr/bin/env python3
"""The suites of compute shaders: those of tests/system/vulkan and tests/system/gl run through Mesa's Intel drivers on the
emulated GPU and on Mesa's software renderers, and every result is compared. The Intel device is named explicitly and
the statistics of the run must show EU threads, so neither a fallback nor a GPU that does nothing can pass.

usage: shaders.py vulkan|gl --vitro PROGRAM --runner PROGRAM [--device kbl] [--ways 1:off,2:on,4] [source...]
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile

from results import difference, is_same, results_of, run, run_on_gpu

HERE = pathlib.Path(__file__).resolve().parent


def case_of(source):
    case = {"tolerance": 0.0, "unordered": False}
    for line in source.read_text().splitlines():
        words = line[3:].split() if line.startswith("//@") else [""]
        if words[0] == "tolerance":
            case["tolerance"] = float(words[1])
        elif words[0] == "unordered":
            case["unordered"] = True
    return case


def compare(source, options, folder):
    """The failures of one shader in each way."""
    inputs, reference = [source], folder / "reference"
    if options.api == "vulkan":
        inputs.append(folder / "code.spv")
        run(["glslangValidator", "-V", "--target-env", "vulkan1.2", source, "-o", inputs[1]], f"compiling {source.name}")
    run([options.runner, "llvmpipe", *inputs, reference], f"{source.name} on the software renderer")
    theirs, first, case = results_of(reference), None, case_of(source)
    for number, way in enumerate(options.ways.split(",")):
        results, stats = folder / f"vitro{number}", folder / f"stats{number}"
        # Without colour compression Mesa prepares tiled images without the 3D pipeline.
        run_on_gpu(options, way, stats, [options.runner, "Intel", *inputs, results],
                   f"{source.name} on {options.device}", ["INTEL_DEBUG=norbc"])
        ours = results_of(results)
        for key in sorted(theirs):
            (kind, expected), (_, result) = theirs[key], ours.get(key, ("", b""))
            if found := difference(kind, result, expected, case):
                yield f"{source.name}: way {way}: binding {key[2]} ({kind}): {found}"
        first = first or ours
        if not case["unordered"] and not all(is_same(ours[key], first[key]) for key in first):
            yield f"{source.name}: not the same in way {way}"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("api", choices=["vulkan", "gl"])
    parser.add_argument("--vitro", required=True)
    parser.add_argument("--runner", required=True)
    parser.add_argument("--device", default="kbl")
    parser.add_argument("--ways", default="2", help="THREADS[:JIT], several with commas: results must be equal")
    parser.add_argument("sources", nargs="*", type=pathlib.Path)
    options = parser.parse_intermixed_args()
    sources, failures = options.sources or sorted((HERE / options.api / "shaders").glob("*.comp")), []
    for source in sources:
        with tempfile.TemporaryDirectory() as folder:
            try:
                failures += compare(source, options, pathlib.Path(folder))
            except (RuntimeError, subprocess.TimeoutExpired) as error:
                failures.append(f"{source.name}: {error}")
    for failure in failures:
        print(failure)
    print(f"{options.device}: {len(sources)} {options.api} shaders compared, {len(failures)} failures")
    return 1 if failures or not sources else 0


if __name__ == "__main__":
    sys.exit(main())
